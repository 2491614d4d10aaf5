//! What a completed illegal move costs, who may act on it and until when: by edition, class of play
//! and supervision.

use crate::laws::{Laws, Rule};
use crate::said::input::TimeClass;
use crate::said::irregularity::Article;

/// A minute in milliseconds.
pub(super) const MINUTE: u64 = 60_000;

/// Who sets a completed illegal move right, and until when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Redress {
    /// The arbiter at once or the opponent, as long as the game lasts.
    WholeGame,
    /// The arbiter at once or the opponent, until the opponent has made his next move; then it
    /// stands.
    UntilReply,
    /// Only the opponent, before he makes his next move; then it stands.
    OnClaim,
}

/// One value for each class of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByClass<T> {
    /// Standard play.
    pub standard: T,
    /// Rapid (Appendix A; B until 2005).
    pub rapid: T,
    /// Blitz (Appendix B; C until 2005).
    pub blitz: T,
}

impl<T: Copy> ByClass<T> {
    /// The value for `class`.
    pub fn of(&self, class: TimeClass) -> T {
        match class {
            TimeClass::Standard => self.standard,
            TimeClass::Rapid => self.rapid,
            TimeClass::Blitz => self.blitz,
        }
    }
}

/// What completed illegal moves cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sanction {
    /// Time for the opponent, in milliseconds; 0: none.
    pub opponent_ms: u64,
    /// Which offence of the same player loses the game; `None`: no number of them.
    pub loses: Option<u32>,
}

impl Sanction {
    pub(super) const fn new(opponent_ms: u64, loses: Option<u32>) -> Sanction {
        Sanction { opponent_ms, loses }
    }
}

/// What rapid and blitz without full supervision have of their own (A.5, B.3; A.4, B.3 in 2009).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsupervised {
    /// What a completed illegal move costs in rapid.
    pub rapid: Sanction,
    /// The same in blitz; before 2014 a player could claim the win before he moved himself.
    pub blitz: Sanction,
    /// Who sets it right, and until when.
    pub redress: Redress,
    /// Moves by each player after which a wrong set-up stands (A.5.1); `None`: it never does.
    pub setup_moves: Option<u32>,
    /// Whether the arbiter calls a flag fall himself, not only the players.
    pub arbiter_calls_flag: bool,
    /// Whether the arbiter steps in without a claim where both kings stand in check or a pawn
    /// stands unpromoted (A.4c of 2009).
    pub arbiter_steps_in: bool,
}

/// The regime for completed illegal moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offence {
    /// Where it says so.
    pub article: Article,
    /// Who acts, and until when.
    pub redress: Redress,
    /// Time for the opponent, in milliseconds; 0: none.
    pub opponent_ms: u64,
    /// Whether the Laws leave that time to the event.
    pub left_open: bool,
    /// Which offence of the same player loses the game; `None`: no number of them.
    pub loses: Option<u32>,
    /// Whether the losing offence only draws when the opponent cannot mate by any series of legal
    /// moves.
    pub spared: bool,
}

/// Whether the competition rules apply in full: supervision is a matter of rapid and blitz (A.4,
/// B.2).
fn is_full(class: TimeClass, supervised: bool) -> bool {
    supervised || class == TimeClass::Standard
}

impl Laws {
    /// What a completed illegal move brings in this class of play. `supervised`: adequately, so
    /// that the competition rules apply in full (Appendices A and B; B and C until 2005).
    pub fn offence(&self, class: TimeClass, supervised: bool) -> Offence {
        let (full, free) = (&self.illegal_moves, &self.unsupervised);
        let (rule, sanction) = match (class, supervised) {
            (TimeClass::Standard, _) => (Rule::Penalty, full.standard),
            (TimeClass::Rapid, true) => (Rule::PenaltyRapid, full.rapid),
            (TimeClass::Blitz, true) => (Rule::PenaltyBlitz, full.blitz),
            (TimeClass::Rapid, false) => (Rule::ThinRapid, free.rapid),
            (TimeClass::Blitz, false) => (Rule::ThinBlitz, free.blitz),
        };
        let redress = if is_full(class, supervised) {
            Redress::WholeGame
        } else {
            free.redress
        };
        Offence {
            article: self
                .find_article(rule)
                .unwrap_or_else(|| self.article(Rule::IllegalMove)),
            redress,
            opponent_ms: sanction.opponent_ms,
            left_open: rule == Rule::PenaltyBlitz && self.blitz_penalty_left_open,
            loses: sanction.loses,
            spared: self.losing_offence_may_draw,
        }
    }

    /// Moves by each player after which a wrong set-up stands (A.5.1): in rapid and blitz without
    /// full supervision only.
    pub fn setup_moves(&self, class: TimeClass, supervised: bool) -> Option<u32> {
        if is_full(class, supervised) {
            return None;
        }
        self.unsupervised.setup_moves
    }

    /// Whether the arbiter calls a flag fall himself, not only the players.
    pub fn arbiter_calls_flag(&self, class: TimeClass, supervised: bool) -> bool {
        is_full(class, supervised) || self.unsupervised.arbiter_calls_flag
    }
}

//! What a completed illegal move costs, who may act on it and until when: by edition, class of play
//! and supervision.

use crate::laws::{Laws, Rule};
use crate::said::input::{Edition, TimeClass};
use crate::said::irregularity::Article;

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

/// The regime for completed illegal moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offence {
    /// Where it says so.
    pub article: Article,
    /// Who acts, and until when.
    pub redress: Redress,
    /// Time for the opponent, in milliseconds; 0: none.
    pub opponent_ms: u64,
    /// Which offence of the same player loses the game; `None`: no number of them.
    pub loses: Option<u32>,
    /// Whether the losing offence only draws when the opponent cannot mate by any series of legal
    /// moves.
    pub spared: bool,
}

const MINUTE: u64 = 60_000;

impl Laws {
    /// What a completed illegal move brings in this class of play. `supervised`: adequately, so
    /// that the competition rules apply in full (Appendices A and B; B and C until 2005).
    pub fn offence(&self, class: TimeClass, supervised: bool) -> Offence {
        let full = supervised || class == TimeClass::Standard;
        let rule = match (class, full) {
            (TimeClass::Standard, _) => Rule::Penalty,
            (TimeClass::Rapid, true) => Rule::PenaltyRapid,
            (TimeClass::Blitz, true) => Rule::PenaltyBlitz,
            (TimeClass::Rapid, false) => Rule::ThinRapid,
            (TimeClass::Blitz, false) => Rule::ThinBlitz,
        };
        let article = self
            .find_article(rule)
            .unwrap_or_else(|| self.article(Rule::IllegalMove));
        let (opponent_ms, loses) = if full {
            self.full(class)
        } else {
            self.thin(class)
        };
        Offence {
            article,
            redress: self.redress(full),
            opponent_ms,
            loses,
            spared: self.edition >= Edition::Fide2009,
        }
    }

    fn redress(&self, full: bool) -> Redress {
        match self.edition {
            _ if full => Redress::WholeGame,
            Edition::Fide1974 => Redress::WholeGame,
            Edition::Fide1997 | Edition::Fide2001 | Edition::Fide2005 | Edition::Fide2009 => {
                Redress::OnClaim
            }
            Edition::Fide2014 | Edition::Fide2017 | Edition::Fide2018 | Edition::Fide2023 => {
                Redress::UntilReply
            }
        }
    }

    fn full(&self, class: TimeClass) -> (u64, Option<u32>) {
        match (self.edition, class) {
            (Edition::Fide1974 | Edition::Fide1997, _) => (0, None),
            (Edition::Fide2001 | Edition::Fide2005 | Edition::Fide2009, _) => (2 * MINUTE, Some(3)),
            (_, TimeClass::Blitz) | (Edition::Fide2023, TimeClass::Rapid) => (MINUTE, Some(2)),
            _ => (2 * MINUTE, Some(2)),
        }
    }

    fn thin(&self, class: TimeClass) -> (u64, Option<u32>) {
        match (self.edition, class) {
            (Edition::Fide1974, _) => (0, None),
            (Edition::Fide2014 | Edition::Fide2017, _) => (0, Some(1)),
            (Edition::Fide2023, _) | (Edition::Fide2018, TimeClass::Blitz) => (MINUTE, Some(2)),
            (Edition::Fide2018, _) => (2 * MINUTE, Some(2)),
            // Before 2014 a player could claim the win in blitz before he moved himself.
            (_, TimeClass::Blitz) => (0, Some(1)),
            _ => self.full(class),
        }
    }
}

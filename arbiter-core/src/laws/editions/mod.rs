//! The rule sets: what each edition makes of what a board can show. An edition is one file, in
//! which it says everything; `docs/laws.md` has them side by side.

mod fide_1974;
mod fide_1997;
mod fide_2001;
mod fide_2005;
mod fide_2009;
mod fide_2014;
mod fide_2017;
mod fide_2018;
mod fide_2023;

use super::articles::Rule;
use super::penalties::{ByClass, MINUTE, Redress, Sanction, Unsupervised};
use crate::said::input::Edition;

/// What completes a move, so that an illegal one can be flagged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completion {
    /// The hand lets go of the piece.
    Release,
    /// The clock is pressed.
    Press,
}

/// What binds when pieces of both colours were touched and the one cannot capture the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TouchedBoth {
    /// The own piece must move; failing that, the opponent's must be captured. The order of
    /// touching means nothing.
    OwnThenEnemy,
    /// The first one touched that can be moved or captured.
    FirstTouched,
}

/// What becomes of a pawn left on the last rank when the move is completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PawnLeft {
    /// The move is undone; the pawn must promote there, to a piece of the player's choice.
    Undone,
    /// The pawn is replaced by a queen and the game goes on.
    Queen,
}

/// What a press without a move is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EmptyPress {
    /// The Laws do not speak of it.
    Nothing,
    /// Misconduct that the arbiter may penalise.
    Conduct,
    /// It counts as an illegal move.
    Illegal,
}

/// Whether a position that has occurred so many times is drawn without a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// No such rule.
    Never,
    /// When they come on consecutive alternate moves.
    Consecutive(usize),
    /// Whatever lies between.
    Any(usize),
}

/// An edition of the Laws, as far as a board can observe it or the arbiter must apply it.
///
/// Numbers of articles in these comments are those of 2023, unless an edition is named.
#[derive(Clone, Copy, Debug)]
pub struct Laws {
    /// Which.
    pub edition: Edition,
    /// Since when, for people.
    pub in_force: &'static str,
    /// Where a rule stands: the number of its article, with a `?` behind it where accounts of the
    /// edition have it and nobody read it in the text itself; empty where there is no such rule.
    pub(super) cite: fn(Rule) -> &'static str,

    // Article 4: the act of moving.
    /// What completes a move (6.2.1; Article 7 of 1974).
    pub completion: Completion,
    /// Touched pieces of both colours (4.3.3).
    pub touched_both: TouchedBoth,
    /// Whether there are clauses on touching king and rook (4.4.1 to 4.4.3; 4.4a to c).
    pub castling_clauses: bool,
    /// Whether a piece put on the promotion square is final by touching it (4.4.4); before, by its
    /// release.
    pub promotion_final_by_touch: bool,
    /// Whether promotion in any order is expressly allowed, the pawn's way over the last rank
    /// included (4.6).
    pub promotion_in_any_order: bool,
    /// Whether a pawn released on the last rank has a clause of its own: it may not be played to
    /// another square (4.6c of 2005). Elsewhere it is a released piece like any other.
    pub pawn_commits: bool,
    /// Whether a claim under Article 4 is lost when the claimant touches a piece (4.8).
    pub touch_loses_claim: bool,

    // Article 7: irregularities.
    /// Moves by each player after which reversed colours are left as they are (7.3); `None`: the
    /// arbiter decides whenever.
    pub colours_reversed_until: Option<u32>,
    /// Whether whoever displaces pieces puts them right on his own time (7.4.1); 1974 knows no
    /// clock.
    pub displaced_own_time: bool,
    /// Whether a game that cannot be taken back to the irregularity is annulled and played anew
    /// (9.2 of 1974).
    pub annuls: bool,
    /// A pawn left on the last rank (7.5.2).
    pub pawn_left: PawnLeft,
    /// A press without a move (7.5.3).
    pub empty_press: EmptyPress,
    /// Whether a move made with two hands counts as an illegal move (7.5.4).
    pub two_hands_illegal: bool,
    /// Whether it does so only when the clock was pressed after it (7.5.4 since 2018); until then
    /// 4.1 alone is broken.
    pub two_hands_need_press: bool,
    /// What a completed illegal move costs under full supervision (7.5.5, A.3, B.2).
    pub illegal_moves: ByClass<Sanction>,
    /// Whether the losing offence only draws when the opponent cannot mate by any series of legal
    /// moves (7.5.5).
    pub losing_offence_may_draw: bool,
    /// Whether the letter of B.2 leaves open what an illegal move costs in supervised blitz, so
    /// that the event decides (`blitz-penalty-ms`).
    pub blitz_penalty_left_open: bool,
    /// Rapid and blitz without full supervision (A.5, B.3).
    pub unsupervised: Unsupervised,
    /// Whether an illegal position that stands for one more move draws, in rapid and blitz without
    /// full supervision (A.5.4).
    pub waits_out_illegal_positions: bool,

    // Articles 5, 6 and 9: how a game ends.
    /// Whether mate and stalemate end the game only when the move kept to Article 4 (5.1.1).
    pub ends_in_accord_with_article_4: bool,
    /// Whether a position in which nobody can mate ends the game (5.2.2).
    pub dead_position: bool,
    /// Whether a resignation draws when the opponent cannot mate (5.1.2).
    pub resignation_draws: bool,
    /// Whether a draw can be agreed only after both have moved (5.2.3).
    pub agreement_after_moves: bool,
    /// Whether a flag fall only draws when the opponent cannot mate (6.9).
    pub flag_fall_draws: bool,
    /// Occurrences of a position with which a draw can be claimed (9.2).
    pub claim_after_occurrences: usize,
    /// Moves by each player without a capture or a pawn move with which a draw can be claimed
    /// (9.3).
    pub claim_after_moves: u32,
    /// Whether the move that is intended counts for it (9.3.1); in 1974 the moves must have been
    /// played.
    pub fifty_moves_intended: bool,
    /// Whether a touched piece loses the right to claim a draw on that move (9.4).
    pub touch_loses_draw_claim: bool,
    /// What a draw claim found wrong gives the opponent, in milliseconds (9.5.3).
    pub wrong_claim_ms: ByClass<u64>,
    /// Occurrences of a position that end the game (9.6.1).
    pub draw_after_occurrences: Repetition,
    /// Moves by each player without a capture or a pawn move that end the game (9.6.2).
    pub draw_after_moves: Option<u32>,
}

/// The rule set of an edition.
pub fn of(edition: Edition) -> &'static Laws {
    match edition {
        Edition::Fide1974 => &fide_1974::LAWS,
        Edition::Fide1997 => &fide_1997::LAWS,
        Edition::Fide2001 => &fide_2001::LAWS,
        Edition::Fide2005 => &fide_2005::LAWS,
        Edition::Fide2009 => &fide_2009::LAWS,
        Edition::Fide2014 => &fide_2014::LAWS,
        Edition::Fide2017 => &fide_2017::LAWS,
        Edition::Fide2018 => &fide_2018::LAWS,
        Edition::Fide2023 => &fide_2023::LAWS,
    }
}

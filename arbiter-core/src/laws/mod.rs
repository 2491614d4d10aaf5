//! Editions of the Laws as data: which article says what, what a rule does, and what a breach
//! brings.
//!
//! Nothing here decides anything. [`of`] gives the rule set of an edition; the rooms that judge ask
//! it.

mod articles;
mod breaches;
mod editions;
mod penalties;

pub use articles::Rule;
pub use editions::{Completion, EmptyPress, Laws, PawnLeft, Repetition, TouchedBoth, of};
pub use penalties::{ByClass, Offence, Redress, Sanction, Unsupervised};

use crate::said::irregularity::Article;

/// What obliges a player, in the order of Article 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duty {
    /// The first own piece touched must move.
    MoveTouched,
    /// The first opponent's piece touched must be captured.
    CaptureTouched,
    /// Pieces of both colours touched, the capture impossible: the own piece came first and must
    /// move.
    MoveTouchedOfBoth,
    /// Pieces of both colours touched, the capture impossible: the opponent's came first and must
    /// be captured.
    CaptureTouchedOfBoth,
    /// The own piece touched must capture the opponent's piece touched.
    CaptureWithTouched,
    /// King and rook touched: castle on that side.
    Castle,
    /// Rook touched before the king: no castling on that side.
    RookFirst,
    /// Castling intended but illegal: another king move, or none binds.
    CastlingIllegal,
    /// None of the touched pieces can move or be captured.
    Free,
}

impl Laws {
    /// The article that states `duty`.
    pub fn article_of_duty(&self, duty: Duty) -> Article {
        self.article(match duty {
            Duty::MoveTouched => Rule::TouchedOwn,
            Duty::CaptureTouched => Rule::TouchedEnemy,
            Duty::CaptureWithTouched | Duty::MoveTouchedOfBoth | Duty::CaptureTouchedOfBoth => {
                Rule::TouchedBoth
            }
            Duty::Castle => Rule::Castle,
            Duty::RookFirst => Rule::RookFirst,
            Duty::CastlingIllegal => Rule::CastlingIllegal,
            Duty::Free => Rule::NoneMovable,
        })
    }
}

#[cfg(test)]
mod tests;

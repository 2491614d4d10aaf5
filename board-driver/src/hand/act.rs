//! What physically happens at a board.

use arbiter_core::shakmaty::{Color, Piece, Square};
use arbiter_core::time::Time;

/// Something that physically happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Act {
    /// When, in milliseconds of the board's clock.
    pub at: Time,
    /// What.
    pub deed: Deed,
}

/// What can happen at a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    /// A piece left a square.
    LiftPiece(Square, Piece),
    /// A piece touched down on a free square.
    PlacePiece(Square, Piece),
    /// A player pressed the clock.
    Press {
        /// Who.
        by: Color,
        /// White's time left, in milliseconds.
        white_ms: u64,
        /// Black's time left, in milliseconds.
        black_ms: u64,
    },
    /// A player announced that he adjusts pieces.
    Adjust {
        /// Who.
        by: Color,
    },
}

impl Act {
    /// The square it happened on, if it did on one.
    pub fn square(&self) -> Option<Square> {
        match self.deed {
            Deed::LiftPiece(square, _) | Deed::PlacePiece(square, _) => Some(square),
            Deed::Press { .. } | Deed::Adjust { .. } => None,
        }
    }
}

//! An illegal move, and what it left on the board.

use alloc::vec::Vec;

use shakmaty::{Chess, Move, Square};

use crate::said::irregularity::{Code, Reason};
use crate::track::beam::Beam;

/// An illegal move as the picture shows it.
#[derive(Clone, Debug)]
pub(crate) struct Illegal {
    pub(crate) code: Code,
    pub(crate) reason: Option<Reason>,
    pub(crate) squares: Vec<Square>,
    /// The moves that bind its replacement; none when the player is free.
    pub(crate) required: Vec<Move>,
}

/// An illegal move as it stands on the board.
#[derive(Clone, Debug)]
pub(crate) struct StandingMove {
    /// The ply that stands, counted from 1.
    pub(crate) ply: usize,
    pub(crate) from: Square,
    pub(crate) to: Square,
    /// The position it left.
    pub(crate) pos: Chess,
    /// What will be found once a reply shows that the move was completed; `None` when it has been
    /// told.
    pub(crate) untold: Option<Illegal>,
    /// What has been played from there.
    pub(crate) lines: Beam,
    /// Plies of that which were played before the finding was told.
    pub(crate) seen: usize,
}

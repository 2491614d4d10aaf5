//! Whether a side of a chess position can still mate by any series of legal moves.
#![forbid(unsafe_code)]

mod blocked;
mod kings;
mod packed;
mod phases;
mod reach;
mod score;
mod search;
mod sets;
mod visited;

use shakmaty::{Chess, Color, Move, Position};

/// Whether a side can still mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Winnability {
    /// It can: after these moves the other side is mated.
    Winnable(Vec<Move>),
    /// It cannot, whatever is played.
    Unwinnable,
    /// As many positions were looked at as were allowed, and neither was found.
    Unknown,
}

/// Positions that [`solve`] looks at.
pub const THOROUGH: usize = 500_000;
/// Positions that [`glance`] looks at.
pub const QUICK: usize = 300;

/// Searches with all care.
pub fn solve(pos: &Chess, winner: Color) -> Winnability {
    within(pos, winner, THOROUGH)
}

/// Takes a quick look.
pub fn glance(pos: &Chess, winner: Color) -> Winnability {
    within(pos, winner, QUICK)
}

/// Searches, but looks at no more positions than this.
pub fn within(pos: &Chess, winner: Color, positions: usize) -> Winnability {
    if pos.has_insufficient_material(winner) {
        return Winnability::Unwinnable;
    }
    let reach = reach::Reach::new(pos);
    let squares = blocked::mate_squares(&reach, winner);
    if squares.is_empty() {
        return Winnability::Unwinnable;
    }
    let goal = score::Goal::new(winner, blocked::easiest(&reach, winner, squares));
    search::Search::new(pos, winner, goal, positions).run()
}

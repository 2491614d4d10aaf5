//! Whether a side of a chess position can still mate by any series of legal moves.
//!
//! FIDE's Laws turn on it: a position in which neither side can is dead and the game is over
//! (Article 5.2.2), and whoever oversteps the time has lost only if the other side can (6.9). Both
//! sides help each other: it is about what is possible, and not about what is good.
//!
//! ```
//! use helpmate::{Winnability, solve};
//! use shakmaty::{CastlingMode, Chess, Color, Position, fen::Fen};
//!
//! let fen: Fen = "4k1n1/8/8/8/8/8/8/3QK3 w - - 0 1".parse()?;
//! let mut pos: Chess = fen.into_position(CastlingMode::Standard)?;
//! assert_eq!(solve(&pos, Color::Black), Winnability::Unwinnable);
//! let Winnability::Winnable(line) = solve(&pos, Color::White) else {
//!     panic!("a queen mates");
//! };
//! line.into_iter().for_each(|m| pos.play_unchecked(m));
//! assert!(pos.is_checkmate() && pos.turn() == Color::Black);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A mate is shown by its moves. That there is none is proven, in one of four ways:
//!
//! - too little is left to mate with, whoever helps;
//! - the men that a mate takes can never come to where it takes them (`blocked`, by `reach`);
//! - of the few ways in which pawns can still move and men be taken, none leads to a mate
//!   (`phases`). What can follow a check is little (`checks`): a man who can move only so that he
//!   mates the other side stands for ever, as far as this side's hopes go. And a king takes nobody
//!   who is always guarded, by whichever piece (`guards`);
//! - every position that can come about has been looked at (`search`).
//!
//! Two searches are tried, which judge positions differently (`score`), and between them the most
//! thorough proof.
//!
//! Nothing depends on the clock, on memory or on chance: the same question has the same answer on
//! every machine. What the search looks at is bounded, and its memory with it, to some 100 bytes a
//! position. The method goes back to M. Ambrona, "A Practical Algorithm for Chess Unwinnability"
//! (FUN 2022).
#![forbid(unsafe_code)]

mod blocked;
mod changes;
mod checks;
mod guards;
mod kings;
mod packed;
mod phases;
mod reach;
mod score;
mod search;
mod sets;
mod visited;

use shakmaty::{Chess, Color, Move, Position};

use crate::reach::Reach;
use crate::score::{Care, Goal};
use crate::search::{BEFORE_PROOF, Search};

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

/// Positions that each search of [`solve`] looks at.
pub const THOROUGH: usize = 500_000;
/// The work of the proof that is tried between two searches: a second's worth.
const PROOF: usize = 6_000_000;
/// Positions that [`glance`] looks at: less than a millisecond's worth.
pub const QUICK: usize = 300;

/// Whether `winner` can still mate, looked into with all care. It takes a few seconds at worst.
pub fn solve(pos: &Chess, winner: Color) -> Winnability {
    within(pos, winner, THOROUGH)
}

/// Whether `winner` can still mate, as far as that is seen at a glance. What is said is right;
/// often nothing is.
pub fn glance(pos: &Chess, winner: Color) -> Winnability {
    within(pos, winner, QUICK)
}

/// Whether `winner` can still mate, having looked at about as many positions, and at as many again
/// where that found nothing out.
pub fn within(pos: &Chess, winner: Color, positions: usize) -> Winnability {
    if pos.is_checkmate() && pos.turn() != winner {
        return Winnability::Winnable(Vec::new());
    }
    if pos.is_checkmate() || pos.has_insufficient_material(winner) {
        return Winnability::Unwinnable;
    }
    let reach = Reach::new(pos);
    let squares = blocked::mate_squares(&reach, winner);
    if squares.is_empty() {
        return Winnability::Unwinnable;
    }
    let flights = blocked::flights(&reach, winner, squares);
    let search = |care| {
        let goal = Goal::new(winner, flights.clone(), care);
        Search::new(pos, winner, goal, positions).run()
    };
    let found = search(Care::Little);
    if found != Winnability::Unknown || positions < BEFORE_PROOF {
        return found;
    }
    if phases::is_unwinnable(pos, winner, PROOF) {
        return Winnability::Unwinnable;
    }
    search(Care::Much)
}

#[cfg(test)]
mod tests;

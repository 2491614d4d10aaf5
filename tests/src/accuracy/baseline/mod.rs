//! Three simple ways of reading moves from a board, as found in many boards and programs, on the
//! evidence that the arbiter gets. They are what its figures stand beside; they know nothing of the
//! Laws and are never in doubt.
//!
//! | name | how it reads a move | at its best |
//! |---|---|---|
//! | [`Method::Picture`] | at a press, the move that ends as it looks | clean hands, a clock |
//! | [`Method::Squares`] | first square left, next one filled | clean hands, no clock |
//! | [`Method::Lifts`] | as the first; of several, by lifts | captures, no colours |
//!
//! All get clean contacts: what does not last 60 ms is not told to them. Where they cannot go on
//! they try again later, also for two half-moves at once; so nothing is held against them but what
//! their idea does not see.

mod evidence;
mod picture;
mod squares;

use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::shakmaty::{Chess, Move, Position, Role, Square};
use arbiter_core::{Event, SensorClass};
use serde::Serialize;

use evidence::{Hold, settled};

/// A simple way of reading moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The end picture alone.
    Picture,
    /// The first two squares that change.
    Squares,
    /// The end picture and the list of squares that were left.
    Lifts,
}

impl Method {
    /// All three.
    pub const ALL: [Method; 3] = [Method::Picture, Method::Squares, Method::Lifts];

    /// What it takes the game to be that began from `start` and was reported as `script`.
    pub fn read(self, start: &Chess, class: SensorClass, script: &[Event]) -> Vec<UciMove> {
        let clock = script
            .iter()
            .any(|event| matches!(event.input, arbiter_core::Input::Press { .. }));
        let moves = match self {
            Method::Picture => {
                picture::read(start, class, clock, false, &settled(script, Hold::SHORT))
            }
            Method::Lifts => {
                picture::read(start, class, clock, true, &settled(script, Hold::SHORT))
            }
            Method::Squares => squares::read(start, class, &settled(script, Hold::LONG)),
        };
        moves
            .iter()
            .map(|mv| mv.to_uci(start.castles().mode()))
            .collect()
    }
}

/// The square on which the moved piece comes to stand.
fn landing(mv: Move, position: &Chess) -> Square {
    mv.castling_side()
        .map_or(mv.to(), |side| side.king_to(position.turn()))
}

/// The square of the piece that is taken.
fn victim(mv: Move) -> Option<Square> {
    match mv {
        Move::EnPassant { from, to } => Some(Square::from_coords(to.file(), from.rank())),
        _ => mv.is_capture().then(|| mv.to()),
    }
}

/// Nobody sees what a pawn became: a queen, as a rule.
fn is_likely(mv: Move) -> bool {
    mv.promotion().is_none_or(|role| role == Role::Queen)
}

//! Two boards that read each other's positions: they, or their lines, have changed places.

use std::sync::Arc;

use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::view::Phase;
use arbiter_core::{Reading, SensorClass};

use crate::hall::{BoardState, View};

/// With so many squares wrong no hands have moved pieces by chance.
const OTHER: usize = 8;
/// So many squares change with the moves that are played on there.
const MOVED: usize = 6;

/// The board that has changed places with `board`, if one has.
pub(super) fn swapped(board: &BoardState, all: &[Arc<BoardState>]) -> Option<String> {
    let own = played(board)?;
    let is_it = |other: &&Arc<BoardState>| {
        other.id != board.id
            && played(other).is_some_and(|view| reads_other(own, view) && reads_other(view, own))
    };
    let other = all.iter().find(is_it)?;
    Some(other.id.clone())
}

/// The game that is played on a board which reads something quite different.
fn played(board: &BoardState) -> Option<&View> {
    let view = board.view()?;
    (view.state != Phase::Ended && view.differs.len() >= OTHER).then_some(view)
}

/// Whether a board reads the position of another game, or what becomes of it in a few moves.
fn reads_other(own: &View, other: &View) -> bool {
    let stands = recorded(other, own.sensor);
    stands.is_some_and(|stands| {
        let differs = own.reading.differs_from(&stands).count();
        differs <= MOVED && 2 * differs < own.differs.len()
    })
}

fn recorded(view: &View, sensor: SensorClass) -> Option<Reading> {
    let fen: Fen = view.fen.parse().ok()?;
    Some(sensor.reads(&fen.as_setup().board))
}

//! From what a board reports to what the arbiter is told: no finer than the game expects. How the
//! board lies is the arbiter's business.

use arbiter_core::shakmaty::Square;
use arbiter_core::{Input, Reading, SensorClass};
use board_driver::{BoardEvent, Report};

/// The inputs `event` amounts to in a game that was set up for `class`.
pub(super) fn inputs(event: &BoardEvent, class: SensorClass) -> Vec<Input> {
    let report = match &event.report {
        Report::Changes(changes) => {
            let seen = changes
                .iter()
                .map(|(square, seen)| (*square, seen.coarsened(class)));
            Report::Changes(seen.collect())
        }
        Report::Snapshot(board) => Report::Snapshot(coarsened(board, class)),
        other => other.clone(),
    };
    BoardEvent {
        at: event.at,
        report,
    }
    .inputs()
}

/// What a board with sensors of `class` would read.
pub(super) fn coarsened(board: &Reading, class: SensorClass) -> Reading {
    let mut seen = *board;
    for square in Square::ALL {
        seen.set(square, board.at(square).coarsened(class));
    }
    seen
}

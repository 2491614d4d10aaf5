//! From what a board reports to what the arbiter is told: turned as the board stands, no finer than
//! the game expects.

use arbiter_core::orientation::Orientation;
use arbiter_core::shakmaty::Square;
use arbiter_core::{Input, SensorClass};
use board_driver::{BoardEvent, Report};

/// The inputs `event` amounts to in a game that was set up for `class`.
pub(super) fn inputs(event: &BoardEvent, turn: Orientation, class: SensorClass) -> Vec<Input> {
    let report = match &event.report {
        Report::Changes(changes) => {
            let turned = changes
                .iter()
                .map(|(square, seen)| (turn.square(*square), seen.coarsened(class)));
            Report::Changes(turned.collect())
        }
        Report::Snapshot(board) => {
            let mut turned = turn.reading(board);
            for square in Square::ALL {
                turned.set(square, turned.at(square).coarsened(class));
            }
            Report::Snapshot(turned)
        }
        other => other.clone(),
    };
    BoardEvent {
        at: event.at,
        report,
    }
    .inputs()
}

//! From what a board reports to what the arbiter is told: turned as the board stands, no finer than the game expects.

use arbiter_core::shakmaty::Square;
use arbiter_core::{Input, Reading, SensorClass, Symbol};
use board_driver::{BoardEvent, Report};

/// How a board lies on the table: where the square lies that the board itself calls a1, clockwise from White's left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Turn {
    /// At White's left hand: as it should.
    #[default]
    Upright,
    /// At a8.
    Quarter,
    /// At h8.
    Half,
    /// At h1.
    ThreeQuarters,
}

impl Turn {
    /// A turn by 0, 90, 180 or 270 degrees.
    pub fn from_degrees(degrees: i64) -> Option<Turn> {
        match degrees {
            0 => Some(Turn::Upright),
            90 => Some(Turn::Quarter),
            180 => Some(Turn::Half),
            270 => Some(Turn::ThreeQuarters),
            _ => None,
        }
    }

    /// The turn back.
    pub(super) fn back(self) -> Turn {
        match self {
            Turn::Quarter => Turn::ThreeQuarters,
            Turn::ThreeQuarters => Turn::Quarter,
            same => same,
        }
    }

    /// The game's square for the board's square.
    pub(super) fn square(self, square: Square) -> Square {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        let (file, rank) = match self {
            Turn::Upright => (file, rank),
            Turn::Quarter => (rank, 7 - file),
            Turn::Half => (7 - file, 7 - rank),
            Turn::ThreeQuarters => (7 - rank, file),
        };
        // Both stay within 0..8, so the square exists.
        Square::ALL[(rank * 8 + file) as usize % 64]
    }

    fn reading(self, board: &Reading) -> Reading {
        let mut turned = Reading::EMPTY;
        for square in Square::ALL {
            turned.set(self.square(square), board.at(square));
        }
        turned
    }
}

/// The inputs `event` amounts to in a game that was set up for `class`.
pub(super) fn inputs(event: &BoardEvent, turn: Turn, class: SensorClass) -> Vec<Input> {
    let report = match &event.report {
        Report::Changes(changes) => {
            let turned = changes.iter().map(|(square, seen)| (turn.square(*square), seen.coarsened(class)));
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
    BoardEvent { at: event.at, report }.inputs()
}

/// What the board reads after `input`, if it read `before`. `None` until it has told.
pub(super) fn after(before: Option<Reading>, input: &Input) -> Option<Reading> {
    let mut reading = match input {
        Input::Snapshot { board } => *board,
        _ => before?,
    };
    match input {
        Input::Lift { square } => reading.set(*square, Symbol::Empty),
        Input::Place { square, seen } => reading.set(*square, *seen),
        _ => {}
    }
    Some(reading)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns() {
        for (turn, a1, h1) in [
            (Turn::Upright, Square::A1, Square::H1),
            (Turn::Quarter, Square::A8, Square::A1),
            (Turn::Half, Square::H8, Square::A8),
            (Turn::ThreeQuarters, Square::H1, Square::H8),
        ] {
            assert_eq!((turn.square(Square::A1), turn.square(Square::H1)), (a1, h1), "{turn:?}");
            for square in Square::ALL {
                assert_eq!(turn.back().square(turn.square(square)), square, "{turn:?}");
            }
        }
    }
}

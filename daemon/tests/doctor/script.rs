//! What happens on a board.

use arbiter_core::shakmaty::{Color, Square};
use arbiter_core::{Symbol, Time};
use board_driver::{BoardEvent, Report};

pub(crate) fn change(at: u64, square: Square, seen: char) -> BoardEvent {
    let seen = Symbol::from_char(seen).expect("a symbol");
    BoardEvent {
        at: Time(at),
        report: Report::Changes(vec![(square, seen)]),
    }
}

pub(crate) fn press(at: u64, by: Color) -> BoardEvent {
    BoardEvent {
        at: Time(at),
        report: Report::Press {
            by,
            white_ms: None,
            black_ms: None,
        },
    }
}

pub(crate) fn adjust(at: u64, by: Color) -> BoardEvent {
    BoardEvent {
        at: Time(at),
        report: Report::Adjust { by },
    }
}

/// A piece is taken over the squares, `step` milliseconds on each, on a board that is otherwise
/// empty.
pub(crate) fn walk(squares: impl IntoIterator<Item = Square>, step: u64) -> Vec<BoardEvent> {
    let visit = |(n, square): (u64, Square)| {
        [
            change(n * step, square, '?'),
            change(n * step + step / 2, square, '.'),
        ]
    };
    (1..).zip(squares).flat_map(visit).collect()
}

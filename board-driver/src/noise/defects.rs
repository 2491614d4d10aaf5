//! Squares that are broken, on a simulated board.

use arbiter_core::shakmaty::{Bitboard, Square};
use arbiter_core::{Millis, Reading, SensorClass, Symbol, Time};

use crate::condition::Condition;
use crate::event::{BoardEvent, Report};

/// Between two changes of a square that flickers, in milliseconds.
const FLICKER: Millis = 70;

/// What is broken on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Defects {
    /// Squares that keep what they read at the start.
    pub stuck: Bitboard,
    /// Squares that flicker.
    pub flicker: Bitboard,
    /// Whether the board notices: it says which squares are bad, and reports nothing of them
    /// (`docs/wire.md`, Condition).
    pub told: bool,
}

impl Defects {
    /// What a board reports of which these squares are broken, if a good one reports `events`. It
    /// reads `start` before them.
    pub fn spoil(
        &self,
        class: SensorClass,
        start: &Reading,
        mut events: Vec<BoardEvent>,
    ) -> Vec<BoardEvent> {
        let bad = self.stuck | self.flicker;
        if bad.is_empty() {
            return events;
        }
        let end = events.last().map_or(Time::ZERO, |event| event.at);
        for event in &mut events {
            match &mut event.report {
                Report::Changes(changes) => changes.retain(|(square, _)| !bad.contains(*square)),
                Report::Snapshot(reading) => bad
                    .into_iter()
                    .for_each(|square| reading.set(square, start.at(square))),
                _ => {}
            }
        }
        events.retain(
            |event| !matches!(&event.report, Report::Changes(changes) if changes.is_empty()),
        );
        if self.told {
            let condition = Condition {
                stuck: self.stuck,
                unsteady: self.flicker,
                ..Condition::default()
            };
            events.insert(
                0,
                BoardEvent {
                    at: Time::ZERO,
                    report: Report::Condition(condition),
                },
            );
        } else {
            self.flicker
                .into_iter()
                .for_each(|square| events.extend(flicker(class, square, start.at(square), end)));
            events.sort_by_key(|event| event.at);
        }
        events
    }
}

/// A square that reads in turn what stands on it and something else.
fn flicker(
    class: SensorClass,
    square: Square,
    is: Symbol,
    end: Time,
) -> impl Iterator<Item = BoardEvent> {
    let something = match class {
        SensorClass::Occupancy => Symbol::Something,
        SensorClass::Colour => Symbol::from_char('L').unwrap_or_default(),
        SensorClass::Piece => Symbol::from_char('P').unwrap_or_default(),
    };
    let other = if is == Symbol::Empty {
        something
    } else {
        Symbol::Empty
    };
    (0..end.0 / FLICKER).map(move |n| {
        let seen = if n % 2 == 0 { other } else { is };
        BoardEvent {
            at: Time(n * FLICKER),
            report: Report::Changes(vec![(square, seen)]),
        }
    })
}

#[cfg(test)]
mod tests {
    use arbiter_core::shakmaty::Board;

    use super::*;

    fn played() -> Vec<BoardEvent> {
        let change = |at, square, seen| BoardEvent {
            at: Time(at),
            report: Report::Changes(vec![(square, seen)]),
        };
        vec![
            change(100, Square::E2, Symbol::Empty),
            change(700, Square::E4, Symbol::Something),
        ]
    }

    fn spoilt(defects: Defects) -> Vec<BoardEvent> {
        let class = SensorClass::Occupancy;
        defects.spoil(class, &class.reads(&Board::new()), played())
    }

    #[test]
    fn a_board_that_notices_tells_and_keeps_silent_of_the_square() {
        let none = Defects {
            stuck: Bitboard::EMPTY,
            flicker: Bitboard::EMPTY,
            told: true,
        };
        assert_eq!(spoilt(none), played());
        let told = spoilt(Defects {
            stuck: Square::E2.into(),
            flicker: Square::E4.into(),
            told: true,
        });
        let condition = Condition {
            stuck: Square::E2.into(),
            unsteady: Square::E4.into(),
            ..Condition::default()
        };
        assert_eq!(
            told,
            [BoardEvent {
                at: Time::ZERO,
                report: Report::Condition(condition)
            }]
        );
    }

    #[test]
    fn a_board_that_does_not_notice_flickers() {
        let seen = spoilt(Defects {
            stuck: Square::E2.into(),
            flicker: Square::D5.into(),
            told: false,
        });
        let of = |wanted: Square| -> Vec<Symbol> {
            let of_event = |event: &BoardEvent| match &event.report {
                Report::Changes(changes) => changes
                    .iter()
                    .find(|(square, _)| *square == wanted)
                    .map(|(_, seen)| *seen),
                _ => None,
            };
            seen.iter().filter_map(of_event).collect()
        };
        assert_eq!(
            (of(Square::E2), of(Square::E4)),
            (vec![], vec![Symbol::Something])
        );
        assert_eq!(of(Square::D5), [Symbol::Something, Symbol::Empty].repeat(5));
        assert!(seen.is_sorted_by_key(|event| event.at));
    }
}

//! Whose is which side of the clock.
//!
//! The clock says left and right. With the board lying as it should, the left is White's; with
//! White on the board's other side, the right. Players put clocks down as they like all the same,
//! so what decides in the end is who moved before which side went down: this board tells its pieces
//! apart.

use arbiter_core::shakmaty::Color;
use arbiter_core::{Reading, Symbol, Time};

use super::clock::Side;
use crate::event::Report;
use crate::orientation::{Orientation, of_starting_position};

/// How sure a side can become, in presses.
const SURE: i8 = 9;

/// A move may be read so much later than the press after it, in milliseconds: two scans.
const LATE: u64 = 2 * super::info::SCAN_MS as u64;

/// Presses that come sooner than this after another, in milliseconds, may be told beside the move
/// after theirs: clocks tell of a press up to a second late.
const SLOW: u64 = 3_000;

/// What is known of the two sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ClockSides {
    /// Above zero: the left is White's. Further from zero: surer.
    leaning: i8,
    /// White sits on the other side of the board.
    is_turned: bool,
    /// Changes of Black's and White's pieces since the last press.
    moved: [u32; 2],
    /// When a side was pressed last.
    pressed: Time,
    /// What Black's and White's side last showed, in milliseconds.
    shown: [Option<u64>; 2],
}

impl ClockSides {
    /// The sides of a board that is said to lie so.
    pub(super) fn new(lies: Orientation) -> ClockSides {
        let is_turned = lies == Orientation::Half;
        ClockSides {
            leaning: if is_turned { -1 } else { 1 },
            is_turned,
            moved: [0; 2],
            pressed: Time::ZERO,
            shown: [None; 2],
        }
    }

    /// Squares were read: an array tells how the board lies.
    pub(super) fn read(&mut self, reading: &Reading) {
        let is_turned = match of_starting_position(reading) {
            Some(Orientation::Upright) => false,
            Some(Orientation::Half) => true,
            // Clocks stand beside boards: one that lies athwart has no left side.
            Some(Orientation::Quarter | Orientation::ThreeQuarters) | None => return,
        };
        (self.moved, self.pressed) = ([0; 2], Time::ZERO);
        if is_turned != self.is_turned {
            (self.is_turned, self.leaning) = (is_turned, -self.leaning);
        }
    }

    /// A square read `before`, and reads `after` now.
    pub(super) fn changed(&mut self, at: Time, before: Symbol, after: Symbol) {
        if at.since(self.pressed) < LATE && self.pressed > Time::ZERO {
            return;
        }
        for seen in [before, after] {
            if let Symbol::Piece(piece) = seen {
                self.moved[usize::from(piece.color.is_white())] += 1;
            }
        }
    }

    /// Who sits at a side.
    fn player(&self, side: Side) -> Color {
        let left = if self.leaning > 0 {
            Color::White
        } else {
            Color::Black
        };
        if side == Side::Left { left } else { !left }
    }

    /// A side was pressed.
    pub(super) fn press(&mut self, at: Time, side: Side, shows: &[(Side, u64)]) -> Report {
        let slow = self.pressed == Time::ZERO || at.since(self.pressed) >= SLOW;
        self.pressed = at;
        // One side's piece left its square and came to another. Captures tell nothing, nor do
        // replies before the press.
        if let [black @ 0, 2..=u32::MAX] | [black @ 2..=u32::MAX, 0] =
            std::mem::take(&mut self.moved)
            && slow
        {
            let left_is_white = (black == 0) == (side == Side::Left);
            // One observation outweighs how the board lies, and no more than that.
            let step = if left_is_white { 2 } else { -2 };
            self.leaning = match self.leaning + step {
                0 => step.signum(),
                sum => sum.clamp(-SURE, SURE),
            };
        }
        self.show(shows);
        let [black_ms, white_ms] = self.shown;
        Report::Press {
            by: self.player(side),
            white_ms,
            black_ms,
        }
    }

    /// A side's flag has fallen.
    pub(super) fn flag_fall(&self, side: Side) -> Report {
        Report::FlagFall {
            by: self.player(side),
        }
    }

    /// What sides show, in milliseconds.
    pub(super) fn show(&mut self, shows: &[(Side, u64)]) {
        for (side, ms) in shows {
            self.shown[usize::from(self.player(*side).is_white())] = Some(*ms);
        }
    }
}

#[cfg(test)]
mod tests {
    use arbiter_core::shakmaty::Role;

    use super::*;
    use crate::orientation::starting_position;

    fn presser(sides: &mut ClockSides, side: Side) -> Color {
        match sides.press(sides.pressed + 4_000, side, &[]) {
            Report::Press { by, .. } => by,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_left_is_whites_where_the_board_lies_as_it_should() {
        let mut sides = ClockSides::new(Orientation::Upright);
        assert_eq!(presser(&mut sides, Side::Left), Color::White);
        let array = starting_position();
        sides.read(&Orientation::Half.reading(&array));
        assert_eq!(presser(&mut sides, Side::Left), Color::Black);
        sides.read(&array);
        assert_eq!(presser(&mut sides, Side::Left), Color::White);
    }

    #[test]
    fn a_clock_that_stands_the_other_way_round_is_noticed_at_the_first_press() {
        let mut sides = ClockSides::new(Orientation::Upright);
        for (colour, side) in [
            (Color::White, Side::Right),
            (Color::Black, Side::Left),
            (Color::White, Side::Right),
        ] {
            sides.changed(
                sides.pressed + 1_000,
                Symbol::Piece(Role::Pawn.of(colour)),
                Symbol::Empty,
            );
            sides.changed(
                sides.pressed + 1_000,
                Symbol::Empty,
                Symbol::Piece(Role::Pawn.of(colour)),
            );
            assert_eq!(presser(&mut sides, side), colour);
        }
        // A piece of the opponent's put right before a press does not turn the clock round again.
        sides.changed(
            sides.pressed + 1_000,
            Symbol::Empty,
            Symbol::Piece(Role::Pawn.of(Color::White)),
        );
        assert_eq!(presser(&mut sides, Side::Left), Color::Black);
    }

    #[test]
    fn a_move_that_is_read_after_its_press_is_not_the_opponents() {
        let mut sides = ClockSides::new(Orientation::Upright);
        let pawn = Symbol::Piece(Role::Pawn.of(Color::White));
        assert_eq!(presser(&mut sides, Side::Left), Color::White);
        sides.changed(sides.pressed + 100, pawn, Symbol::Empty);
        sides.changed(sides.pressed + 150, Symbol::Empty, pawn);
        assert_eq!(presser(&mut sides, Side::Right), Color::Black);
    }

    #[test]
    fn both_times_are_told() {
        let mut sides = ClockSides::new(Orientation::Upright);
        sides.press(Time(1), Side::Left, &[(Side::Left, 5_000)]);
        assert_eq!(
            sides.press(Time(1), Side::Right, &[(Side::Right, 7_000)]),
            Report::Press {
                by: Color::Black,
                white_ms: Some(5_000),
                black_ms: Some(7_000)
            }
        );
    }
}

//! Whose is which side of the clock.
//!
//! The clock says left and right. With the board lying as it should, the left is White's; with White on the board's other
//! side, the right. Players put clocks down as they like all the same, so what decides in the end is who moved before
//! which side went down: this board tells its pieces apart.

use arbiter_core::orientation::Orientation;
use arbiter_core::shakmaty::{Board, Color};
use arbiter_core::{Reading, SensorClass, Symbol};

use super::clock::{Side, Times};
use crate::event::Report;

/// How sure a side can become, in presses.
const SURE: i8 = 3;

/// What is known of the two sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sides {
    /// Above zero: the left is White's. Further from zero: surer.
    leaning: i8,
    /// Whose piece was put down since the last press.
    moved: Option<Color>,
    /// What White's and Black's side last showed, in milliseconds.
    shown: [Option<u64>; 2],
}

impl Default for Sides {
    fn default() -> Sides {
        Sides { leaning: 1, moved: None, shown: [None; 2] }
    }
}

impl Sides {
    /// Squares were read: an array tells how the board lies.
    pub(super) fn read(&mut self, reading: &Reading) {
        let array = SensorClass::Piece.reads(&Board::new());
        if *reading == array {
            *self = Sides { leaning: self.leaning.max(1), ..Sides::default() };
        } else if Orientation::Half.reading(reading) == array {
            *self = Sides { leaning: self.leaning.min(-1), ..Sides::default() };
        }
    }

    /// A square reads `seen` now.
    pub(super) fn changed(&mut self, seen: Symbol) {
        if let Symbol::Piece(piece) = seen {
            self.moved = Some(piece.color);
        }
    }

    /// Who sits at a side.
    fn player(&self, side: Side) -> Color {
        let left = if self.leaning > 0 { Color::White } else { Color::Black };
        if side == Side::Left { left } else { !left }
    }

    /// A side was pressed; `shown` is what it shows, in milliseconds.
    pub(super) fn press(&mut self, side: Side, shown: u64) -> Report {
        if let Some(moved) = self.moved.take() {
            let left_is_white = (moved == Color::White) == (side == Side::Left);
            // One observation outweighs how the board lies, and no more than that.
            let step = if left_is_white { 2 } else { -2 };
            self.leaning = match self.leaning + step {
                0 => step.signum(),
                sum => sum.clamp(-SURE, SURE),
            };
        }
        let by = self.player(side);
        self.shown[by as usize] = Some(shown);
        let [black_ms, white_ms] = self.shown;
        Report::Press { by, white_ms, black_ms }
    }

    /// What both sides show.
    pub(super) fn show(&mut self, times: &Times) {
        for side in [Side::Left, Side::Right] {
            self.shown[self.player(side) as usize] = Some(times.face(side).ms());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_core::shakmaty::Role;

    fn presser(sides: &mut Sides, side: Side) -> Color {
        match sides.press(side, 0) {
            Report::Press { by, .. } => by,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_left_is_whites_where_the_board_lies_as_it_should() {
        let mut sides = Sides::default();
        assert_eq!(presser(&mut sides, Side::Left), Color::White);
        let array = SensorClass::Piece.reads(&Board::new());
        sides.read(&Orientation::Half.reading(&array));
        assert_eq!(presser(&mut sides, Side::Left), Color::Black);
        sides.read(&array);
        assert_eq!(presser(&mut sides, Side::Left), Color::White);
    }

    #[test]
    fn a_clock_that_stands_the_other_way_round_is_noticed_at_the_first_press() {
        let mut sides = Sides::default();
        for (colour, side) in [(Color::White, Side::Right), (Color::Black, Side::Left), (Color::White, Side::Right)] {
            sides.changed(Symbol::Piece(Role::Pawn.of(colour)));
            assert_eq!(presser(&mut sides, side), colour);
        }
        // A piece of the opponent's put right before a press does not turn the clock round again.
        sides.changed(Symbol::Piece(Role::Pawn.of(Color::White)));
        assert_eq!(presser(&mut sides, Side::Left), Color::Black);
    }

    #[test]
    fn both_times_are_told() {
        let mut sides = Sides::default();
        sides.press(Side::Left, 5_000);
        assert_eq!(
            sides.press(Side::Right, 7_000),
            Report::Press { by: Color::Black, white_ms: Some(5_000), black_ms: Some(7_000) }
        );
    }
}

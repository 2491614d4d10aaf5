//! Whose is which side of the clock.
//!
//! The clock says left and right. With the board lying as it should, the left is White's; with White on the board's other
//! side, the right. Players put clocks down as they like all the same, so what decides in the end is who moved before
//! which side went down: this board tells its pieces apart.

use arbiter_core::orientation::Orientation;
use arbiter_core::shakmaty::{Board, Color};
use arbiter_core::{Reading, SensorClass, Symbol};

use super::clock::Side;
use crate::event::Report;

/// How sure a side can become, in presses.
const SURE: i8 = 9;

/// What is known of the two sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sides {
    /// Above zero: the left is White's. Further from zero: surer.
    leaning: i8,
    /// White sits on the other side of the board.
    turned: bool,
    /// Whose pieces were put down since the last press: Black's, White's.
    put_down: [bool; 2],
    /// What Black's and White's side last showed, in milliseconds.
    shown: [Option<u64>; 2],
}

impl Default for Sides {
    fn default() -> Sides {
        Sides { leaning: 1, turned: false, put_down: [false; 2], shown: [None; 2] }
    }
}

impl Sides {
    /// Squares were read: an array tells how the board lies.
    pub(super) fn read(&mut self, reading: &Reading) {
        let array = SensorClass::Piece.reads(&Board::new());
        let turned = Orientation::Half.reading(reading) == array;
        if turned || *reading == array {
            self.put_down = [false; 2];
            if turned != self.turned {
                (self.turned, self.leaning) = (turned, -self.leaning);
            }
        }
    }

    /// A square reads `seen` now.
    pub(super) fn changed(&mut self, seen: Symbol) {
        if let Symbol::Piece(piece) = seen {
            self.put_down[usize::from(piece.color.is_white())] = true;
        }
    }

    /// Who sits at a side.
    fn player(&self, side: Side) -> Color {
        let left = if self.leaning > 0 { Color::White } else { Color::Black };
        if side == Side::Left { left } else { !left }
    }

    /// A side was pressed.
    pub(super) fn press(&mut self, side: Side, shows: &[(Side, u64)]) -> Report {
        // A reply that came before the press was heard tells nothing.
        if let [black, white] = std::mem::take(&mut self.put_down)
            && black != white
        {
            let left_is_white = white == (side == Side::Left);
            // One observation outweighs how the board lies, and no more than that.
            let step = if left_is_white { 2 } else { -2 };
            self.leaning = match self.leaning + step {
                0 => step.signum(),
                sum => sum.clamp(-SURE, SURE),
            };
        }
        self.show(shows);
        let [black_ms, white_ms] = self.shown;
        Report::Press { by: self.player(side), white_ms, black_ms }
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
    use super::*;
    use arbiter_core::shakmaty::Role;

    fn presser(sides: &mut Sides, side: Side) -> Color {
        match sides.press(side, &[]) {
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
        sides.press(Side::Left, &[(Side::Left, 5_000)]);
        assert_eq!(
            sides.press(Side::Right, &[(Side::Right, 7_000)]),
            Report::Press { by: Color::Black, white_ms: Some(5_000), black_ms: Some(7_000) }
        );
    }
}

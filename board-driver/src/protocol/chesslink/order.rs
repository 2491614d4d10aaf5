//! In which order a board names its squares.
//!
//! The maker's text counts from a8 to h8; the programs that work with real boards count from h8 to
//! a8. One is the other seen in a mirror, so it is no matter of how the board lies, and the
//! starting position shows which it is: in a mirror king and queen have changed places, however the
//! board is turned.

use std::fmt;

use arbiter_core::shakmaty::{Piece, Square};
use arbiter_core::{Reading, Symbol};

use crate::orientation::of_starting_position;
use crate::protocol::states::bits;

/// The order of the 64 codes of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Order {
    /// h8, g8 ... a8, h7 ... a1.
    #[default]
    FromH8,
    /// a8, b8 ... h8, a7 ... h1.
    FromA8,
}

impl Order {
    /// The order of that name, as [`fmt::Display`] writes it.
    pub(super) fn parse(name: &str) -> Option<Order> {
        [Order::FromH8, Order::FromA8]
            .into_iter()
            .find(|order| order.to_string() == name)
    }

    /// The square of a place in a state.
    pub(crate) fn square(self, place: usize) -> Square {
        let from_h8 = Square::new(63 - place as u32 % 64);
        match self {
            Order::FromH8 => from_h8,
            Order::FromA8 => from_h8.flip_horizontal(),
        }
    }

    /// What the squares read.
    pub(super) fn reading(self, codes: &[Option<Piece>; 64]) -> Reading {
        let mut reading = Reading::EMPTY;
        codes.iter().enumerate().for_each(|(place, code)| {
            reading.set(
                self.square(place),
                code.map_or(Symbol::Empty, Symbol::Piece),
            )
        });
        reading
    }

    /// The other order, where the starting position stands and shows that it is the right one.
    pub(super) fn found(self, codes: &[Option<Piece>; 64]) -> Option<Order> {
        let other = if self == Order::FromH8 {
            Order::FromA8
        } else {
            Order::FromH8
        };
        of_starting_position(&other.reading(codes)).map(|_lies| other)
    }

    /// The squares as the maker's text names them, by which lamps are counted.
    pub(crate) fn as_the_maker(self, squares: u64) -> u64 {
        match self {
            Order::FromH8 => bits(|square| squares >> u32::from(square.flip_horizontal()) & 1 != 0),
            Order::FromA8 => squares,
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::FromH8 => "from-h8",
            Order::FromA8 => "from-a8",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orientation::{Orientation, starting_position};

    /// A state written as its letters.
    fn state(letters: &str) -> [Option<Piece>; 64] {
        let mut codes = letters
            .chars()
            .filter(|letter| *letter != '/')
            .map(Piece::from_char);
        std::array::from_fn(|_| codes.next().flatten())
    }

    const EMPTY: &str = "................................";

    #[test]
    fn the_starting_position_shows_the_order_however_the_board_lies() {
        let start = starting_position();
        let from_h8 = state(&format!("rnbkqbnrpppppppp{EMPTY}PPPPPPPPRNBKQBNR"));
        assert_eq!(Order::FromH8.reading(&from_h8), start);
        assert_eq!(
            (Order::FromH8.found(&from_h8), Order::FromA8.found(&from_h8)),
            (None, Some(Order::FromH8))
        );
        let turned = state(&format!("RNBQKBNRPPPPPPPP{EMPTY}pppppppprnbqkbnr"));
        assert_eq!(
            (Order::FromH8.found(&turned), Order::FromA8.found(&turned)),
            (None, Some(Order::FromH8))
        );
        assert_eq!(
            Orientation::Half.reading(&Order::FromH8.reading(&turned)),
            start
        );
        let from_a8 = state(&format!("rnbqkbnrpppppppp{EMPTY}PPPPPPPPRNBQKBNR"));
        assert_eq!(
            (Order::FromH8.found(&from_a8), Order::FromA8.found(&from_a8)),
            (Some(Order::FromA8), None)
        );
        assert_eq!(Order::FromA8.reading(&from_a8), start);
        assert_eq!(Order::FromH8.found(&state(&EMPTY.repeat(2))), None);
    }

    #[test]
    fn orders_are_read_back_by_their_names() {
        for order in [Order::FromH8, Order::FromA8] {
            assert_eq!(Order::parse(&order.to_string()), Some(order));
        }
    }
}

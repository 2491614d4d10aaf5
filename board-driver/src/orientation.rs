//! How boards lie on their tables, for drivers: the one place in this package that turns squares.
//!
//! [`Orientation`] is the arbiter's own type. A driver reports the board's own squares and turns
//! none of them; what it has to know of the game's, such as whether the starting position stands
//! there, it asks here.

use arbiter_core::shakmaty::{Board, Square};
use arbiter_core::{Reading, SensorClass};

pub use arbiter_core::orientation::Orientation;

use crate::condition::Condition;

/// The starting position as sensors read it that recognise pieces, on a board that lies upright.
pub(crate) fn starting_position() -> Reading {
    SensorClass::Piece.reads(&Board::new())
}

/// How a board lies that reads the starting position; `None` where it reads anything else.
pub(crate) fn of_starting_position(board: &Reading) -> Option<Orientation> {
    let start = starting_position();
    Orientation::ALL
        .into_iter()
        .find(|lies| lies.reading(board) == start)
}

/// The board's square for a square of the game.
pub(crate) fn board_square(lies: Orientation, game: Square) -> Square {
    lies.back().square(game)
}

impl Condition {
    /// The same on a board that lies `turned`: its squares as the game calls them.
    pub fn turned(self, turned: Orientation) -> Condition {
        Condition {
            stuck: turned.squares(self.stuck),
            unsteady: turned.squares(self.unsteady),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use arbiter_core::Symbol;
    use arbiter_core::shakmaty::Bitboard;

    use super::*;

    #[test]
    fn the_starting_position_shows_how_a_board_lies() {
        for lies in Orientation::ALL {
            let mut board = Reading::EMPTY;
            for game in Square::ALL {
                board.set(board_square(lies, game), starting_position().at(game));
            }
            assert_eq!(of_starting_position(&board), Some(lies));
            board.set(Square::E4, Symbol::Something);
            assert_eq!(of_starting_position(&board), None);
        }
    }

    #[test]
    fn a_turned_board_names_the_squares_of_the_game() {
        let stuck = Bitboard::from(Square::A1);
        let condition = Condition {
            stuck,
            ..Condition::default()
        };
        let turned = condition.turned(Orientation::Half);
        assert_eq!(
            turned.words(),
            ["h8 cannot be read and counts as it last stood"]
        );
        assert_eq!(turned.doubtful(), Bitboard::from(Square::H8));
    }
}

//! The kings on the centre squares: how players tell an electronic board the result.

use arbiter_core::ruling::GameResult;
use arbiter_core::shakmaty::{Color, Role, Square};

use super::Hand;

impl Hand {
    /// Both kings go to the centre: on d5 and e4 White has won, on d4 and e5 Black has, on two
    /// other squares nobody has.
    pub(super) fn show_result(&mut self) {
        let [white, black] = match self.options.result {
            GameResult::WhiteWins => [Square::E4, Square::D5],
            GameResult::BlackWins => [Square::D4, Square::E5],
            GameResult::Draw => [Square::E4, Square::E5],
            GameResult::Open => return,
        };
        self.table.settle();
        self.wait((2_000, 6_000));
        for square in [white, black] {
            // A king that already stands there is lifted with the other one below.
            if self
                .table
                .board
                .piece_at(square)
                .is_some_and(|p| p.role != Role::King)
            {
                self.table.lift(square);
                self.wait((300, 900));
            }
        }
        for colour in Color::ALL {
            if let Some(king) = self.table.board.king_of(colour) {
                self.table.lift(king);
                self.wait((200, 800));
            }
        }
        self.table.place(white, Role::King.of(Color::White));
        self.wait((200, 1_200));
        self.table.place(black, Role::King.of(Color::Black));
    }
}

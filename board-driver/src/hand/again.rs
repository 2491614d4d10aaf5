//! The pieces are set up again by hand, each player his own.

use arbiter_core::shakmaty::{Bitboard, Board, Color, Piece, Square};

use super::Hand;

/// Players look at the board once more, sign their sheets, and get up.
const AFTERWARDS: (u64, u64) = (4_000, 90_000);
/// From one piece to the next.
const NEXT_PIECE: (u64, u64) = (150, 1_500);
/// From the board to the square where a piece belongs.
const CARRY: (u64, u64) = (200, 1_200);
/// The clock is set, hands are shaken.
const BEFORE: (u64, u64) = (5_000, 60_000);

impl Hand {
    /// Sets the pieces up as `target` has them, square by square, and leaves time before play.
    pub(super) fn set_up_again(&mut self, target: &Board) {
        self.table.settle();
        self.wait(AFTERWARDS);
        if self.random.chance(300) {
            self.clear_board(target);
        }
        while self.set_one_up(target) {
            self.wait(NEXT_PIECE);
        }
        self.wait(BEFORE);
        self.table.set_clock(self.manner.control);
    }

    /// Pushes together and takes off what does not stand where it belongs, in handfuls.
    fn clear_board(&mut self, target: &Board) {
        for square in self.misplaced(target) & self.table.board.occupied() {
            self.table.lift(square);
            self.wait((0, 400));
        }
    }

    /// Squares that do not hold what they should.
    fn misplaced(&self, target: &Board) -> Bitboard {
        let board = &self.table.board;
        let differs = |sq: &Square| board.piece_at(*sq) != target.piece_at(*sq);
        Square::ALL.into_iter().filter(differs).collect()
    }

    /// One piece more stands where it belongs, or is gone from where nothing belongs; false when
    /// all do.
    pub(super) fn set_one_up(&mut self, target: &Board) -> bool {
        let misplaced = self.misplaced(target);
        let colour = if self.random.chance(500) {
            Color::White
        } else {
            Color::Black
        };
        let wanted = |colour: Color| misplaced & target.by_color(colour);
        let wanted = [colour, !colour].map(wanted);
        let Some(squares) = wanted.into_iter().find(|squares| squares.any()) else {
            // What is left over is a queen too many.
            let Some(square) = (misplaced & self.table.board.occupied()).first() else {
                return false;
            };
            self.table.lift(square);
            return true;
        };
        let squares: Vec<Square> = squares.into_iter().collect();
        if let Some((to, piece)) = self
            .random
            .pick(&squares)
            .and_then(|to| Some((to, target.piece_at(to)?)))
        {
            self.put_where_it_belongs(to, piece, misplaced);
        }
        true
    }

    /// Clears the square and brings the piece: from where one stands in a wrong place, or from
    /// beside the board.
    fn put_where_it_belongs(&mut self, to: Square, piece: Piece, misplaced: Bitboard) {
        if self.table.board.piece_at(to).is_some() {
            self.table.lift(to);
            self.wait(CARRY);
        }
        let astray = self.table.board.by_piece(piece) & misplaced;
        if let Some(from) = astray.first() {
            self.table.lift(from);
        }
        self.wait(CARRY);
        self.table.place(to, piece);
    }
}

//! A square that reads a man too many: a sensor that sticks, or something that was laid on the
//! board. It is nobody's move.

use shakmaty::{Bitboard, Board, Chess, Color, Position, Rank, Square, attacks};

use crate::chess::moves::{arrival, squares_of};
use crate::game::Game;
use crate::said::time::Time;
use crate::track::look::Look;

/// Squares that may read too much at one time.
const MOST: usize = 2;

impl Game {
    /// What a move leaves wrong that was made since, and can be no man of the position, is set
    /// aside: somebody is asked to look there.
    pub(crate) fn set_strange_aside(&mut self, at_press: bool) {
        let strange = self.strange();
        if strange.is_empty() {
            return;
        }
        self.board.notice_misreading();
        self.track.disregard(strange);
        let look = Look::at(self.clock.now(), self.scan_window(), at_press);
        self.track.expand(self.board.contacts(), &look);
        self.ask_about_misread();
    }

    /// Squares that read full though there are more men on the board than the best account has, or
    /// than it leaves with one seen to be captured, and read so before its last ply was made, or
    /// before the one that explains everything else.
    fn strange(&self) -> Bitboard {
        let (best, full) = (self.best(), self.board.planes().occupied());
        let (wrong, men) = (self.wrong(best), best.pos.board().occupied());
        let busy = self.state.is_putting_back() || self.board.gap() || self.is_idle();
        // A man that is read nowhere may have come down there.
        let unread = (best.misread & men & !full).any();
        if busy || unread || (wrong & full).count() <= (wrong & !full & men).count() {
            return Bitboard::EMPTY;
        }
        if let Some(last) = best.steps.last()
            && self.are_strange(wrong, &best.pos, last.made_at)
        {
            return wrong;
        }
        let mut found = Bitboard::EMPTY;
        for m in best.moves() {
            let mut after = best.pos.clone();
            after.play_unchecked(*m);
            let left = self.differ(&after) & !best.misread;
            if left.is_subset(squares_of(*m)) {
                // One of its own squares was not read.
                return Bitboard::EMPTY;
            }
            let made_at = self.board.contacts().since(arrival(*m));
            if (left & men).is_empty() && self.are_strange(left, &after, made_at) {
                found = left;
            }
        }
        found
    }

    /// Whether the `wrong` squares are few, are full where `pos` has nobody, read so before
    /// `made_at`, and none is one on which a pawn may be promoted next, where the new piece may
    /// stand before the pawn is taken away, or one where the next game's pieces are set up first.
    fn are_strange(&self, wrong: Bitboard, pos: &Chess, made_at: Time) -> bool {
        let extra = self.board.planes().occupied() & !pos.board().occupied();
        let earlier = |sq: Square| self.board.contacts().since(sq) < made_at;
        let promoting = !wrong.is_disjoint(promotion_squares(pos.board()));
        wrong.any()
            && wrong.count() <= MOST
            && wrong.is_subset(extra)
            && !promoting
            && !self.begins_to_set_up(wrong)
            && wrong.into_iter().all(earlier)
    }

    /// Whether one of these squares is on a first rank and reads as it did when the game began.
    fn begins_to_set_up(&self, squares: Bitboard) -> bool {
        let (planes, start) = (self.board.planes(), self.record.start().board());
        let home = |sq: Square| {
            let first_rank = matches!(sq.rank(), Rank::First | Rank::Eighth);
            let stood = start.piece_at(sq);
            first_rank && stood.is_some() && planes.class().sees(stood) == planes.at(sq)
        };
        squares.into_iter().any(home)
    }
}

/// The squares that a pawn can reach with its next move, and be promoted there.
fn promotion_squares(board: &Board) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    for colour in Color::ALL {
        let last = Bitboard::from_rank(colour.fold_wb(Rank::Eighth, Rank::First));
        let before_last = Bitboard::from_rank(colour.fold_wb(Rank::Seventh, Rank::Second));
        for pawn in board.pawns() & board.by_color(colour) & before_last {
            squares |= attacks::pawn_attacks(colour, pawn);
            squares |= last & Bitboard::from_file(pawn.file());
        }
    }
    squares
}

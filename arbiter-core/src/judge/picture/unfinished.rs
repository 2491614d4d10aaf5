//! A legal move half finished: castling without the rook, a pawn left that was captured en passant
//! or should have been replaced.

use shakmaty::{Bitboard, Move, Position, Role};

use super::{Judgement, Picture};
use crate::chess::moves::{arrival, legs, origin, squares_of, victim_square};
use crate::said::irregularity::Reason;
use crate::said::symbol::Symbol;

impl Picture<'_> {
    pub(super) fn half_finished(&self) -> Option<Judgement> {
        for &m in self.legal {
            if let Some(unpromoted) = self.unpromoted(m) {
                return Some(unpromoted);
            }
        }
        for &m in self.legal {
            if self.rook_missing(m) {
                return Some(half_done(m, Reason::CastlingHalfDone));
            }
        }
        for &m in self.legal {
            if self.victim_left(m) {
                return Some(half_done(m, Reason::EnPassantVictimLeft));
            }
        }
        None
    }

    /// The king stands where castling puts it and the rook does not (4.7.2).
    fn rook_missing(&self, m: Move) -> bool {
        let Move::Castle { king, rook } = m else {
            return false;
        };
        // Where one of them stays (Chess960), castling is done when the other has moved.
        if legs(m).count() < 2 {
            return false;
        }
        let to = arrival(m);
        let king_there = self.handling.now_on(king) == Some(to);
        let mut board = self.before.board().clone();
        board.discard_piece_at(king);
        board.set_piece_at(to, self.mover().king());
        if self.wrong(&board).is_empty() && (to != rook || king_there) {
            return true;
        }
        let rook_there = legs(m).find(|(from, _)| *from == rook).map(|(_, to)| to);
        if self.handling.now_on(rook) == rook_there {
            return false;
        }
        let rook_moved = self.handling.of(rook).is_some_and(|h| h.stood_elsewhere());
        let elsewhere = self.wrong(self.after(m).board()) & !squares_of(m);
        king_there && rook_moved && elsewhere.count() <= 1
    }

    /// The capturing pawn stands right and the pawn it captures was left (3.7.3.1).
    fn victim_left(&self, m: Move) -> bool {
        let (Move::EnPassant { .. }, Some(victim)) = (m, victim_square(m)) else {
            return false;
        };
        self.wrong(self.after(m).board()) == Bitboard::from(victim)
    }

    /// The pawn of a promotion was not replaced, or by what it cannot become.
    fn unpromoted(&self, m: Move) -> Option<Judgement> {
        if m.promotion() != Some(Role::Queen)
            || self.wrong(self.after(m).board()) != Bitboard::from(m.to())
        {
            return None;
        }
        match self.planes.at(m.to()) {
            Symbol::Piece(p) if p == self.mover().pawn() => {
                return Some(Judgement::PawnLeft { promotion: m });
            }
            Symbol::Piece(_) | Symbol::Colour(_) => {}
            Symbol::Empty if self.was_taken_off(m) => {
                return Some(Judgement::PawnGone { promotion: m });
            }
            Symbol::Empty | Symbol::Something => return None,
        }
        let mut required = self.legal.to_vec();
        required.retain(|l| l.from() == m.from() && l.to() == m.to());
        Some(Judgement::Illegal {
            reason: Reason::PromotionBadPiece,
            squares: alloc::vec![m.to()],
            required,
        })
    }
}

impl Picture<'_> {
    /// Whether the pawn of the promotion `m` stood on the last rank, was taken off and stands
    /// nowhere.
    fn was_taken_off(&self, m: Move) -> bool {
        let pawn = origin(m).and_then(|from| self.handling.of(from));
        pawn.is_some_and(|h| {
            let last = h.contacts.last();
            last.is_some_and(|c| c.square == m.to() && c.to.is_some())
        })
    }

    /// The promotion of a pawn that was taken off the last rank, where nothing is read.
    pub(crate) fn pawn_gone(&self) -> Option<Move> {
        let gone = |m: &Move| match self.unpromoted(*m) {
            Some(Judgement::PawnGone { promotion }) => Some(promotion),
            _ => None,
        };
        self.legal.iter().find_map(gone)
    }
}

/// `m` was begun and not finished: it must be.
fn half_done(m: Move, reason: Reason) -> Judgement {
    Judgement::Illegal {
        reason,
        squares: squares_of(m).into_iter().collect(),
        required: alloc::vec![m],
    }
}

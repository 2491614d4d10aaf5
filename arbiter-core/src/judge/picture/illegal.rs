//! An illegal move, and why it is one.

use alloc::vec::Vec;

use shakmaty::{CastlingSide, Move, Position, Role, Square, attacks};

use super::{Judgement, Picture};
use crate::chess::moves::{legs, reach, two_squares};
use crate::judge::article_4::required;
use crate::said::irregularity::Reason;

impl Picture<'_> {
    pub(super) fn illegal(&self) -> Judgement {
        let own = self.own_moved();
        let reason = match own.as_slice() {
            [(from, to)] => self.reason_for(*from, *to),
            [a, b] if self.castled(*a, *b) => Reason::CastlingIllegal,
            [_, _] => Reason::TwoPiecesMoved,
            _ => Reason::Other,
        };
        let mut squares = Vec::with_capacity(2 * own.len());
        for (from, to) in own {
            squares.extend([from, to]);
        }
        let scan_window = self.settings.skew_ms;
        let required = required::of_replacement(
            self.before,
            self.legal,
            self.handling,
            scan_window,
            self.laws,
        );
        Judgement::Illegal {
            reason,
            squares,
            required,
        }
    }

    /// King and rook stand as after castling, whichever of the two the sensors showed first.
    fn castled(&self, a: (Square, Square), b: (Square, Square)) -> bool {
        let (k, r) = if self.before.our(Role::King).contains(a.0) {
            (a.0, b.0)
        } else {
            (b.0, a.0)
        };
        if !self.before.our(Role::King).contains(k) || !self.before.our(Role::Rook).contains(r) {
            return false;
        }
        let Some(squares) = self.squares_after_castling(k, r) else {
            return false;
        };
        (a.1, b.1) == squares || (b.1, a.1) == squares
    }

    /// Where castling puts the king from `king` and the rook from `rook`.
    fn squares_after_castling(&self, king: Square, rook: Square) -> Option<(Square, Square)> {
        if self.before.castles().mode().is_chess960() {
            let mut legs = legs(Move::Castle { king, rook });
            return Some((legs.next()?.1, legs.next()?.1));
        }
        let towards = if rook > king { 1 } else { -1 };
        Some((king.offset(2 * towards)?, king.offset(towards)?))
    }

    /// Whether the king goes as far as in castling: two squares, in Chess960 to the square where
    /// castling puts it.
    fn castles_so(&self, from: Square, to: Square) -> bool {
        if !self.before.castles().mode().is_chess960() {
            return two_squares(from, to);
        }
        let side = if to > from {
            CastlingSide::KingSide
        } else {
            CastlingSide::QueenSide
        };
        to == side.king_to(self.mover()) && from.rank() == to.rank() && from.distance(to) > 1
    }

    fn reason_for(&self, from: Square, to: Square) -> Reason {
        let board = self.before.board();
        let Some(piece) = board.piece_at(from) else {
            return Reason::Other;
        };
        if self.before.their(Role::King).contains(to) {
            return Reason::KingCaptured;
        }
        if piece.role == Role::King && self.castles_so(from, to) {
            return Reason::CastlingIllegal;
        }
        if self.looks_en_passant(from, to) && self.before.legal_ep_square() != Some(to) {
            return if self.before.maybe_ep_square() == Some(to) {
                Reason::OwnKingInCheck
            } else {
                Reason::EnPassantLate
            };
        }
        if reach(board, from, piece).contains(to) {
            return Reason::OwnKingInCheck;
        }
        Reason::PieceCannotMoveSo
    }

    /// A pawn goes to an empty square as if it captured, and passes a pawn of the other colour.
    fn looks_en_passant(&self, from: Square, to: Square) -> bool {
        let board = self.before.board();
        let Some(pawn) = board.piece_at(from).filter(|p| p.role == Role::Pawn) else {
            return false;
        };
        let passed = Square::from_coords(to.file(), from.rank());
        attacks::pawn_attacks(pawn.color, from).contains(to)
            && board.piece_at(to).is_none()
            && board.piece_at(passed) == Some((!pawn.color).pawn())
    }
}

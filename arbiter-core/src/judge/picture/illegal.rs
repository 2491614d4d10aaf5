//! An illegal move, and why it is one.

use alloc::vec::Vec;

use shakmaty::{CastlingSide, Chess, Move, Position, Role, Square, attacks};

use super::{Judgement, Picture};
use crate::chess::moves::{arrival, legs, origin, reach, two_squares};
use crate::judge::article_4::required;
use crate::said::irregularity::Reason;

impl Picture<'_> {
    pub(super) fn illegal(&self) -> Judgement {
        let own = self.own_moved();
        let reason = match own.as_slice() {
            [(from, to)] => reason_for(self.before, *from, *to),
            [a, b] if self.castled(*a, *b) || self.castled_wrongly(*a, *b) => {
                Reason::CastlingIllegal
            }
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
        let Some(((k, _), (r, _))) = self.king_and_rook(a, b) else {
            return false;
        };
        let Some(squares) = self.squares_after_castling(k, r) else {
            return false;
        };
        (a.1, b.1) == squares || (b.1, a.1) == squares
    }

    /// King and rook were put on other squares of their rank, farther than a king goes or past each
    /// other: castling, and not as it is played. In Chess960 they may go anywhere in castling.
    fn castled_wrongly(&self, a: (Square, Square), b: (Square, Square)) -> bool {
        if self.before.castles().mode().is_chess960() {
            return false;
        }
        let Some((king, rook)) = self.king_and_rook(a, b) else {
            return false;
        };
        let rank = king.0.rank();
        let on_rank = [king.1, rook.0, rook.1].iter().all(|sq| sq.rank() == rank);
        let passed = (king.0 < rook.0) != (king.1 < rook.1);
        on_rank && (passed || king.0.distance(king.1) > 1)
    }

    /// Of two pieces that were moved the king and the rook, if they are.
    fn king_and_rook(
        &self,
        a: (Square, Square),
        b: (Square, Square),
    ) -> Option<((Square, Square), (Square, Square))> {
        let kings = self.before.our(Role::King);
        let (king, rook) = if kings.contains(a.0) { (a, b) } else { (b, a) };
        let both = kings.contains(king.0) && self.before.our(Role::Rook).contains(rook.0);
        both.then_some((king, rook))
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
}

/// Why a move from `from` to `to` would be illegal in `before`, if it is.
pub(crate) fn reason_for(before: &Chess, from: Square, to: Square) -> Reason {
    let board = before.board();
    let Some(piece) = board.piece_at(from) else {
        return Reason::Other;
    };
    if before.their(Role::King).contains(to) {
        return Reason::KingCaptured;
    }
    if piece.role == Role::King && castles_so(before, from, to) {
        return Reason::CastlingIllegal;
    }
    if looks_en_passant(before, from, to) && before.legal_ep_square() != Some(to) {
        return if before.maybe_ep_square() == Some(to) {
            Reason::OwnKingInCheck
        } else {
            Reason::EnPassantLate
        };
    }
    let goes_so = |m: &Move| origin(*m) == Some(from) && arrival(*m) == to;
    if before.legal_moves().iter().any(goes_so) {
        // What else was moved made it illegal.
        return Reason::Other;
    }
    if reach(board, from, piece).contains(to) {
        return Reason::OwnKingInCheck;
    }
    Reason::PieceCannotMoveSo
}

/// Whether the king goes as far as in castling: two squares, in Chess960 to the square where
/// castling puts it.
fn castles_so(before: &Chess, from: Square, to: Square) -> bool {
    if !before.castles().mode().is_chess960() {
        return two_squares(from, to);
    }
    let side = if to > from {
        CastlingSide::KingSide
    } else {
        CastlingSide::QueenSide
    };
    to == side.king_to(before.turn()) && from.rank() == to.rank() && from.distance(to) > 1
}

/// A pawn goes to an empty square as if it captured, and passes a pawn of the other colour.
fn looks_en_passant(before: &Chess, from: Square, to: Square) -> bool {
    let board = before.board();
    let Some(pawn) = board.piece_at(from).filter(|p| p.role == Role::Pawn) else {
        return false;
    };
    let passed = Square::from_coords(to.file(), from.rank());
    attacks::pawn_attacks(pawn.color, from).contains(to)
        && board.piece_at(to).is_none()
        && board.piece_at(passed) == Some((!pawn.color).pawn())
}

//! Legal moves by the squares they leave and the pieces they capture.

use shakmaty::{Bitboard, Move, Square};

use crate::chess::moves::victim_square;

/// The squares from which one of `moves` captures on one of `victims`.
pub(crate) fn capturers(moves: &[Move], victims: Bitboard) -> Bitboard {
    let mut capturers = Bitboard::EMPTY;
    for &m in moves {
        if let (Some(victim), Some(from)) = (victim_square(m), m.from())
            && victims.contains(victim)
        {
            capturers.add(from);
        }
    }
    capturers
}

/// Whether one of `moves` captures on `square`.
pub(crate) fn can_capture(moves: &[Move], square: Square) -> bool {
    moves.iter().any(|m| victim_square(*m) == Some(square))
}

/// Whether `m` is made by a piece from one of `squares`.
#[inline]
pub(crate) fn is_from(m: Move, squares: Bitboard) -> bool {
    m.from().is_some_and(|from| squares.contains(from))
}

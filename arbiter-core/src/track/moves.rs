//! Legal moves by the squares they leave and the pieces they capture.

use shakmaty::{Bitboard, Move};

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

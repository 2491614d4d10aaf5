//! Positions that may be dead: neither player can mate by any series of legal moves (5.2.2).

use shakmaty::{Bitboard, Chess, Move, Position, Role, attacks};

/// Of a position in which the player to move has more pawn moves and captures than this, nobody
/// asks in passing.
const LOOSE: usize = 4;

/// Whether a position may well be dead: nearly nothing can be captured and nearly no pawn can move,
/// and it was just brought about by a move that cannot be taken back, or leaves hardly a choice.
///
/// Every dead position comes to this: pawn moves and captures run out, and no forced line has many
/// branches. One that is missed here is found a few plies later, and whatever else could end the
/// game asks anyway: this decides when a dead position is announced, never what the result is.
pub(crate) fn may_be_dead(after: &Chess, last: Option<&Move>) -> bool {
    if free_pawns(after).count() > LOOSE {
        return false;
    }
    let legal = after.legal_moves();
    let loosens = |m: &&Move| m.is_capture() || m.role() == Role::Pawn;
    let irreversible = last.is_none_or(|m| loosens(&m));
    !legal.is_empty()
        && legal.iter().filter(loosens).count() <= LOOSE
        && (irreversible || legal.len() <= LOOSE)
}

/// Pawns of the player to move that can surely step forward: the square before them is empty, their
/// king is not attacked, and no line leads from it to them. Nearly always there are some, and they
/// are found without looking at every move.
pub(crate) fn free_pawns(pos: &Chess) -> Bitboard {
    let Some(king) = pos
        .board()
        .king_of(pos.turn())
        .filter(|_| pos.checkers().is_empty())
    else {
        return Bitboard::EMPTY;
    };
    let pawns =
        pos.our(Role::Pawn) & !attacks::queen_attacks(king, Bitboard::EMPTY) & !Bitboard::BACKRANKS;
    let empty = !pos.board().occupied();
    pawns & pos.turn().fold_wb(empty.shift(-8), empty.shift(8))
}

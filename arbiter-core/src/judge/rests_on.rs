//! What a finding rests on: a square in question takes certainty only from what turns on it.

use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, Square, attacks};

use crate::chess::moves::{legal_moves, legs, squares_of};
use crate::judge::article_4::Breach;
use crate::said::irregularity::Code;

/// Whether `breach` of a move played in `before` may look otherwise if one of the squares `asked`
/// holds something else: they are among its squares or between two of them, on a line with the
/// player's king, or in the way of all that is required.
pub(crate) fn rests_on(breach: &Breach, before: &Chess, asked: Bitboard) -> bool {
    if asked.is_empty() {
        return false;
    }
    if (near(breach, before) & asked).any() {
        return true;
    }
    let required = breach.required.as_deref().unwrap_or_default();
    if !required.is_empty() && required.iter().all(|m| (way(*m) & asked).any()) {
        return true;
    }
    // A move from and to squares in question would not show at all.
    breach.code == Code::ClockPressedWithoutMove
        && legal_moves(before)
            .iter()
            .any(|m| squares_of(*m).is_subset(asked))
}

/// The squares of `breach`, those between two of them, and those from which the player's king could
/// be attacked.
fn near(breach: &Breach, before: &Chess) -> Bitboard {
    let mut near = Bitboard::EMPTY;
    for &a in &breach.squares {
        near.add(a);
        for &b in &breach.squares {
            near |= attacks::between(a, b);
        }
    }
    match before.board().king_of(breach.by) {
        Some(king) => near | seen_from(king),
        None => near,
    }
}

/// The squares that `m` changes, and those between them.
fn way(m: Move) -> Bitboard {
    let mut way = squares_of(m);
    for (from, to) in legs(m) {
        way |= attacks::between(from, to);
    }
    way
}

/// The squares from which a king could be attacked on an empty board.
fn seen_from(king: Square) -> Bitboard {
    let reached = |role: Role| attacks::attacks(king, role.of(Color::White), Bitboard::EMPTY);
    reached(Role::Queen) | reached(Role::Knight)
}

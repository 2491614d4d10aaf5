//! What a finding rests on: a square in question takes certainty only from what turns on it.

use shakmaty::{Bitboard, Chess, Move, Piece, Position, Role, Square, attacks};

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
    let own: Bitboard = breach.squares.iter().copied().collect();
    let between = own
        .into_iter()
        .flat_map(|a| own.into_iter().map(move |b| attacks::between(a, b)));
    let king = before
        .board()
        .king_of(breach.by)
        .map_or(Bitboard::EMPTY, seen_from);
    let near = between.fold(own | king, |all, more| all | more);
    let way = |m: &Move| {
        legs(*m).fold(squares_of(*m), |all, (from, to)| {
            all | attacks::between(from, to)
        })
    };
    let required = breach.required.as_deref().unwrap_or_default();
    let barred = !required.is_empty() && required.iter().all(|m| (way(m) & asked).any());
    // A move from and to squares in question would not show at all.
    let unseen = || {
        legal_moves(before)
            .iter()
            .any(|m| (squares_of(*m) & !asked).is_empty())
    };
    (near & asked).any() || barred || (breach.code == Code::ClockPressedWithoutMove && unseen())
}

/// The squares from which a king could be attacked on an empty board.
fn seen_from(king: Square) -> Bitboard {
    let of = |role: Role| {
        attacks::attacks(
            king,
            Piece {
                color: shakmaty::Color::White,
                role,
            },
            Bitboard::EMPTY,
        )
    };
    of(Role::Queen) | of(Role::Knight)
}

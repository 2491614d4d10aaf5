//! What is left to a player: after an illegal move, and after what the arbiter saw himself.

use alloc::vec::Vec;

use shakmaty::{Chess, Move, Position, Role, Square};

use crate::chess::moves::{arrival, legal_moves, origin};
use crate::judge::article_4::obligation::{Touch, permitted};
use crate::judge::handling::{Handled, Handling};
use crate::laws::Laws;
use crate::said::irregularity::Code;
use crate::said::time::Millis;

/// The one of `moves` whose piece the player to move in `before` has put on its square and let go:
/// he lifted another one since (4.7).
pub(super) fn released_on(moves: &[Move], handling: &Handling, before: &Chess) -> Option<Move> {
    for h in &handling.pieces {
        let Some(last) = h.stands() else {
            continue;
        };
        if last.other_lifted.is_none() || h.piece.color != before.turn() {
            continue;
        }
        let found = moves
            .iter()
            .find(|m| origin(**m) == Some(h.home) && arrival(**m) == last.square);
        if found.is_some() {
            return found.copied();
        }
    }
    None
}

/// What binds the replacement of an illegal move: a piece legally released, else the pieces touched
/// (7.5.1 with 4.3 and 4.7). Empty where nothing does.
///
/// `legal` are the legal moves in `before`, where the turn began; of touches not more than
/// `scan_window` milliseconds apart the order is unknown.
pub(crate) fn of_replacement(
    before: &Chess,
    legal: &[Move],
    handling: &Handling,
    scan_window: Millis,
    laws: &Laws,
) -> Vec<Move> {
    if let Some(m) = released_on(legal, handling, before) {
        return alloc::vec![m];
    }
    let touches = handling.touches(scan_window, Handled::touched);
    permitted(before, legal, &touches, laws).binding()
}

/// The moves that a breach leaves which a human saw on `square` in the turn that began in `before`
/// (4.3, 4.4, 4.7). Empty where it binds nobody.
pub(crate) fn of_report(code: Code, square: Square, before: &Chess, laws: &Laws) -> Vec<Move> {
    let mut legal = legal_moves(before);
    if code == Code::ReleasedPieceMovedAgain {
        legal.retain(|m| arrival(*m) == square);
        return legal;
    }
    if !code.is_of_moving() {
        return Vec::new();
    }
    let king = before.our(Role::King).first();
    let in_order = match code {
        Code::CastlingRookFirst => [Some(square), king],
        Code::CastlingNotCompleted => [king, Some(square)],
        _ => [Some(square), None],
    };
    let mut touches = Vec::new();
    for (rank, square) in (0..).zip(in_order.into_iter().flatten()) {
        touches.push(Touch { square, rank });
    }
    permitted(before, &legal, &touches, laws).binding()
}

/// Which breach it would be to play none of `required` in `pos`.
pub(crate) fn breach_of(required: &[Move], pos: &Chess) -> Code {
    let Some(first) = required.first() else {
        return Code::TouchMoveOwnPiece;
    };
    if first.is_castle() && required.len() == 1 {
        return Code::CastlingNotCompleted;
    }
    if required.iter().all(|m| m.from() == first.from()) {
        return Code::TouchMoveOwnPiece;
    }
    // A king is never captured (1.4.1).
    match pos.board().role_at(first.to()) {
        Some(role) if role != Role::King => Code::TouchMoveOpponentPiece,
        _ => Code::TouchMoveOwnPiece,
    }
}

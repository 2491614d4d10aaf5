//! Article 4.4 in castling that was played: which of king and rook was touched first.

use shakmaty::Move;

use crate::chess::moves::{arrival, origin};
use crate::judge::article_4::obligation::{Touch, permitted_where};
use crate::judge::article_4::touch_move::binding_squares;
use crate::judge::article_4::{Breach, Played};
use crate::judge::handling::Contact;
use crate::said::irregularity::{Certainty, Code};
use crate::said::settings::RookFirst;
use crate::said::symbol::SensorClass;
use crate::said::time::Millis;
use crate::sense::trust::LATEST;

/// A hand that takes up king and rook together has both sooner than this, in milliseconds: a lift
/// that is read later than that may have been lost and read again.
const BOTH_IN_THE_AIR: Millis = 400;

/// Whether castling was played with a rook that was touched before the king (4.4.2). In Chess960
/// the order tells nothing by itself.
pub(super) fn is_rook_first(p: &Played<'_>, touches: &[Touch]) -> bool {
    let Move::Castle { king, rook } = p.m else {
        return false;
    };
    let king = touches.iter().find(|t| t.square == king);
    let rook = touches.iter().find(|t| t.square == rook);
    match (king, rook) {
        (Some(king), Some(rook)) => !p.is_chess960() && rook.rank < king.rank,
        _ => false,
    }
}

/// In Chess960 the rook was touched before the king. Where the king stays, no king is touched.
pub(super) fn rook_first(p: &Played<'_>) -> Option<Breach> {
    let Move::Castle { king, .. } = p.m else {
        return None;
    };
    let certainty = match p.settings.chess960_rook_first {
        RookFirst::Possible => Certainty::Possible,
        RookFirst::Likely => Certainty::Likely,
        RookFirst::Ignore => return None,
    };
    if !p.is_chess960() || origin(p.m) != Some(king) || king_lift_unknown(p) {
        return None;
    }
    let allowed = permitted_where(p.before, p.legal(), &p.touches(), p.laws, true);
    if allowed.moves.contains(&p.m) {
        return None;
    }
    let code = Code::CastlingRookFirst;
    let squares = binding_squares(p, code, &allowed);
    Some(p.breach(code, certainty, squares, allowed.moves))
}

/// A king that stood on its new square before it was read to leave the old one: which of the two
/// pieces was touched first is not known.
pub(super) fn king_lift_unknown(p: &Played<'_>) -> bool {
    let Move::Castle { king, rook } = p.m else {
        return false;
    };
    let Some(rook) = p.handling.of(rook).filter(|_| origin(p.m) == Some(king)) else {
        return false;
    };
    let Some(king) = p.handling.of(king) else {
        return true;
    };
    // What no king was in the air for was put there by the hand that holds the rook, as far as such
    // sensors tell.
    let filled = |c: &Contact| c.square == arrival(p.m) && c.from < king.lifted;
    king.contacts.is_empty() || (p.class != SensorClass::Piece && rook.contacts.iter().any(filled))
}

/// Castling in which the king left his square soon after the rook, or was only found to have left
/// it: he may have been lifted first.
pub(super) fn king_read_late(p: &Played<'_>) -> bool {
    let Move::Castle { king, rook } = p.m else {
        return false;
    };
    let (Some(k), Some(r)) = (p.handling.of(king), p.handling.of(rook)) else {
        return false;
    };
    let late = k.lifted.since(r.lifted);
    // With both in the air a lift of the king that was read late looks the same.
    let put_down = r.contacts.first().is_some_and(|c| c.from <= k.lifted);
    let perhaps_late = !put_down && late > BOTH_IN_THE_AIR && late <= LATEST;
    p.found.contains(king) || late <= p.settings.rook_first_ms || perhaps_late
}

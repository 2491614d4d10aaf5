//! Whether a move was permitted after what was touched (4.3 to 4.5), and how sure that is.

use alloc::vec::Vec;

use shakmaty::{Move, Position, Square};

use crate::chess::moves::victim_square;
use crate::judge::article_4::obligation::{Permitted, Touch, touches_only};
use crate::judge::article_4::{Breach, Played, castling, required};
use crate::judge::handling::Handled;
use crate::laws::{Duty, TouchedBoth};
use crate::said::irregularity::{Certainty, Code};
use crate::said::time::Time;
use crate::sense::trust::STRAIGHTENS;

/// More men than these nobody takes up at one time to move or capture one of them.
const HANDFUL: usize = 2;

/// The move is none of those that the touches permitted.
pub(super) fn breach(p: &Played<'_>) -> Option<Breach> {
    if castling::king_lift_unknown(p) {
        return None;
    }
    let touches = p.touches();
    if touches_only(p.m, &touches) {
        return None;
    }
    let allowed = p.permitted(&touches);
    if allowed.moves.contains(&p.m) {
        return captured_first(p, &touches);
    }
    let in_his_favour = p.permitted(&favouring(&touches, p.m));
    if in_his_favour.moves.contains(&p.m) {
        return None;
    }
    let code = code(p, &allowed, &touches);
    let certainty = certainty(p, code, &allowed, &touches);
    let squares = binding_squares(p, code, &allowed);
    Some(p.breach(code, certainty, squares, narrowed(p, allowed)))
}

/// 1974: as long as an opponent's piece alone was touched it had to be captured (8a), and what
/// follows when an own one is touched besides (8b) is handed down in a damaged sentence.
fn captured_first(p: &Played<'_>, touches: &[Touch]) -> Option<Breach> {
    if p.laws.touched_both != TouchedBoth::OwnThenEnemy {
        return None;
    }
    let first = touches.iter().map(|t| t.rank).min()?;
    let mut alone = touches.to_vec();
    alone.retain(|t| t.rank == first);
    if alone.iter().any(|t| p.before.us().contains(t.square)) {
        return None;
    }
    let allowed = p.permitted(&alone);
    if allowed.is_free() || allowed.moves.contains(&p.m) {
        return None;
    }
    let code = Code::TouchMoveOpponentPiece;
    let squares = binding_squares(p, code, &allowed);
    Some(p.breach(code, Certainty::Possible, squares, allowed.moves))
}

/// The same touches, the pieces of the move first among those whose order is unknown: the player
/// has the benefit.
fn favouring(touches: &[Touch], m: Move) -> Vec<Touch> {
    let mut favoured = touches.to_vec();
    for t in &mut favoured {
        let of_the_move = m.from() == Some(t.square) || victim_square(m) == Some(t.square);
        t.rank = t.rank * 2 + u32::from(!of_the_move);
    }
    favoured
}

fn code(p: &Played<'_>, allowed: &Permitted, touches: &[Touch]) -> Code {
    if castling::is_rook_first(p, touches) {
        return Code::CastlingRookFirst;
    }
    match allowed.duty {
        Duty::Castle => Code::CastlingNotCompleted,
        Duty::CaptureWithTouched => Code::TouchMoveBothColours,
        Duty::CaptureTouched | Duty::CaptureTouchedOfBoth => Code::TouchMoveOpponentPiece,
        Duty::MoveTouched
        | Duty::MoveTouchedOfBoth
        | Duty::RookFirst
        | Duty::CastlingIllegal
        | Duty::Free => Code::TouchMoveOwnPiece,
    }
}

/// What is certain is what the sure touches alone require; whoever set an opponent's piece
/// elsewhere, nobody saw.
fn certainty(p: &Played<'_>, code: Code, allowed: &Permitted, touches: &[Touch]) -> Certainty {
    let sure = p
        .handling
        .touches(p.settings.skew_ms, |h| surely_touched(p, h));
    let provable = p.permitted(&sure);
    let broken = !provable.moves.contains(&p.m);
    if touches.iter().any(|t| p.was_shown(t.square)) {
        return Certainty::Possible;
    }
    if broken && provable.moves == allowed.moves && !castling::king_read_late(p) {
        return Certainty::Certain;
    }
    if code == Code::TouchMoveOpponentPiece && only_brushed(p, touches) {
        return Certainty::Possible;
    }
    if binds_by_putting_right(p, touches)
        || binds_by_knocking_over(p, touches)
        || binds_by_straightening(p, touches)
    {
        return Certainty::Possible;
    }
    if most_in_the_air(p) > HANDFUL {
        return Certainty::Possible;
    }
    // Without a clock the opponent may not have been done with his turn, and it was perhaps his
    // hand.
    if !broken && !p.clock {
        return Certainty::Possible;
    }
    Certainty::Likely
}

/// When `h` was touched beyond doubt, if it was: the move's own pieces, and own ones that stood
/// elsewhere, unless they left their squares about the time that others did which no move takes up
/// with them.
fn surely_touched(p: &Played<'_>, h: &Handled) -> Option<Time> {
    let touched = h.touched()?;
    let alone = !was_knocked_over(p, h);
    let moved = h.stood_elsewhere() && !h.was_hasty(p.settings.grip()) && alone;
    let sure = p.belongs(h) || (p.is_own(h) && moved);
    (sure && p.counts(h)).then(|| touched.max(h.surely_lifted()))
}

/// Whether nothing binds but pieces that slipped to the next square and were put right from there:
/// what was pushed was not touched to be moved (4.2.2, 7.4.1).
fn binds_by_putting_right(p: &Played<'_>, touches: &[Touch]) -> bool {
    let put_right = |t: &&Touch| {
        let handled = p.handling.of(t.square);
        handled.is_some_and(|h| h.was_put_right(p.settings.grip()))
    };
    let others: Vec<Touch> = touches.iter().filter(|t| !put_right(t)).copied().collect();
    others.len() < touches.len() && p.permitted(&others).moves.contains(&p.m)
}

/// Whether nothing binds but pieces that left their squares about one moment with others, which no
/// move takes up together, and stand there again: they were knocked over and put up (4.2.2, 7.4.1),
/// or adjusted with both hands.
fn binds_by_knocking_over(p: &Played<'_>, touches: &[Touch]) -> bool {
    let knocked = |t: &&Touch| {
        let handled = p.handling.of(t.square);
        handled.is_some_and(|h| was_knocked_over(p, h))
    };
    let others: Vec<Touch> = touches.iter().filter(|t| !knocked(t)).copied().collect();
    others.len() < touches.len() && p.permitted(&others).moves.contains(&p.m)
}

/// Whether `h` stands on its square again, and so does one that left its own about when it did.
fn was_knocked_over(p: &Played<'_>, h: &Handled) -> bool {
    let within = 2 * p.settings.release_other_lift_ms;
    let with = |other: &Handled| {
        let apart = h.lifted.since(other.lifted) + other.lifted.since(h.lifted);
        other.home != h.home
            && other.back_since().is_some()
            && apart <= within
            && !p.are_taken_up_together(h.home, other.home)
    };
    h.back_since().is_some() && p.handling.pieces.iter().any(with)
}

/// Whether nothing binds but pieces of the opponent that were taken up, and put back on their
/// squares, when he had just pressed: his own hand may have set them straight (4.2.2).
fn binds_by_straightening(p: &Played<'_>, touches: &[Touch]) -> bool {
    let Some(pressed) = p.answered else {
        return false;
    };
    let straightened = |t: &&Touch| {
        let handled = p.handling.of(t.square);
        handled.is_some_and(|h| {
            let at_once = h.lifted.since(pressed) <= STRAIGHTENS;
            at_once && !p.is_own(h) && h.back_since().is_some() && !h.stood_elsewhere()
        })
    };
    let others: Vec<Touch> = touches
        .iter()
        .filter(|t| !straightened(t))
        .copied()
        .collect();
    others.len() < touches.len() && p.permitted(&others).moves.contains(&p.m)
}

/// How many pieces that are back on their squares, and have no part in the move, were in the air
/// at one time: something was spilled, or they were put away and set up again.
fn most_in_the_air(p: &Played<'_>) -> usize {
    let back = |h: &&Handled| h.back_since().is_some() && !p.belongs(h);
    let lifted = p.handling.pieces.iter().filter(back);
    lifted
        .clone()
        .map(|one| {
            let together = lifted.clone().filter(|other| {
                let landed = other.contacts.first().map_or(one.lifted, |c| c.from);
                other.lifted <= one.lifted && landed >= one.lifted
            });
            together.count()
        })
        .max()
        .unwrap_or(0)
}

/// Whether the opponent's pieces, but for the one that the move captured, were only lifted and put
/// back at once, nothing else being touched meanwhile, or were put elsewhere and back: a brush, or
/// the opponent's own hand.
fn only_brushed(p: &Played<'_>, touches: &[Touch]) -> bool {
    for h in &p.handling.pieces {
        let touched = touches.iter().any(|t| t.square == h.home) && !p.belongs(h);
        if touched && !p.is_own(h) && !h.stood_elsewhere() && !is_brush(p, h) {
            return false;
        }
    }
    true
}

/// Whether it left its square for moments only, however often: it was brushed, or does not stand
/// well on its sensor.
fn is_brush(p: &Played<'_>, h: &Handled) -> bool {
    let mut lifted = h.lifted;
    for c in &h.contacts {
        if c.square != h.home || c.from.since(lifted) > p.settings.fleeting_ms {
            return false;
        }
        lifted = c.to.unwrap_or(lifted);
    }
    let Some(back) = h.back_since() else {
        return false;
    };
    let meanwhile = |other: &Handled| other.lifted > h.lifted && other.lifted < back;
    !p.handling.pieces.iter().any(meanwhile)
}

/// The squares whose touch is the breach.
pub(super) fn binding_squares(p: &Played<'_>, code: Code, allowed: &Permitted) -> Vec<Square> {
    let Some(&first) = allowed.moves.first() else {
        return Vec::new();
    };
    let of_castling = code == Code::CastlingRookFirst || code == Code::CastlingNotCompleted;
    if of_castling
        && let (Move::Castle { king, rook }, _) | (_, Move::Castle { king, rook }) = (p.m, first)
    {
        return alloc::vec![rook, king];
    }
    let mut squares = Vec::new();
    if code != Code::TouchMoveOpponentPiece {
        squares.extend(first.from());
    }
    if code == Code::TouchMoveOpponentPiece || code == Code::TouchMoveBothColours {
        squares.extend(victim_square(first));
    }
    squares
}

/// The permitted moves; a piece already released on one of their squares stays there (4.7).
fn narrowed(p: &Played<'_>, allowed: Permitted) -> Vec<Move> {
    match required::released_on(&allowed.moves, p.handling, p.before) {
        Some(m) => alloc::vec![m],
        None => allowed.moves,
    }
}

//! What touches oblige a player to (4.3 to 4.5): a pure function.

use alloc::{borrow::Cow, vec::Vec};

use shakmaty::{Bitboard, Chess, Move, Position, Role, Square};

use crate::chess::moves::victim_square;
use crate::laws::{Duty, Laws, TouchedBoth};

/// A piece of the turn's starting position that was touched with intent, as far as is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    /// Where it stood when the turn began.
    pub square: Square,
    /// Touches with the same rank have no order; lower ranks came first.
    pub rank: u32,
}

/// The moves a player may still choose from, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Permitted {
    /// The moves.
    pub moves: Vec<Move>,
    /// What narrows them.
    pub duty: Duty,
}

impl Permitted {
    /// Whether nothing narrows the choice.
    pub fn is_free(&self) -> bool {
        self.duty == Duty::Free
    }

    /// The moves, if something narrows the choice; else none.
    pub(crate) fn binding(self) -> Vec<Move> {
        if self.is_free() {
            return Vec::new();
        }
        self.moves
    }

    fn free(moves: &[Move]) -> Permitted {
        Permitted {
            moves: moves.to_vec(),
            duty: Duty::Free,
        }
    }
}

/// The moves permitted in `pos` after `touches` (Articles 4.3 to 4.5; Article 8 in 1974), out of
/// `legal`.
///
/// Never empty while a legal move exists. Of touches without an order the player's own piece counts
/// first (4.3.3), and of king and rook the king (4.4.1). In Chess960 a rook touched first leaves
/// castling with it open: where only the rook moves, and where both are taken off before either is
/// put down, no order is natural (Guideline II.3.2).
pub fn permitted(pos: &Chess, legal: &[Move], touches: &[Touch], laws: &Laws) -> Permitted {
    let rook_binds = !pos.castles().mode().is_chess960();
    permitted_where(pos, legal, touches, laws, rook_binds)
}

/// The same; `rook_binds`: whether a rook touched before the king rules out castling with it
/// (4.4.2).
pub(super) fn permitted_where(
    pos: &Chess,
    legal: &[Move],
    touches: &[Touch],
    laws: &Laws,
    rook_binds: bool,
) -> Permitted {
    let mut touches = in_order(pos, touches);
    let rooks_first = if laws.castling_clauses && rook_binds {
        rooks_before_king(pos, &touches)
    } else {
        Bitboard::EMPTY
    };
    let open = without_castling(legal, rooks_first);
    if laws.touched_both == TouchedBoth::OwnThenEnemy {
        // 1974, 8b: whichever was touched first, the own piece goes before the opponent's.
        touches.sort_by_key(|t| !is_own(pos, t.square));
    }
    if laws.castling_clauses
        && let Some(found) = castling(pos, &open, &touches)
    {
        return found;
    }
    capture_with_touched(pos, &open, &touches)
        .or_else(|| first_that_can(pos, &open, &touches, rooks_first, rook_binds))
        .unwrap_or_else(|| Permitted::free(legal))
}

fn is_own(pos: &Chess, sq: Square) -> bool {
    pos.us().contains(sq)
}

/// The first touch of a piece that stood on one of `squares`.
fn first_on(squares: Bitboard, touches: &[Touch]) -> Option<&Touch> {
    touches.iter().find(|t| squares.contains(t.square))
}

fn king_touched<'a>(pos: &Chess, touches: &'a [Touch]) -> Option<&'a Touch> {
    first_on(pos.our(Role::King), touches)
}

/// Whether `m` is permitted for the plain reason that nothing but its own pieces was touched,
/// castling left aside.
pub(super) fn touches_only(m: Move, touches: &[Touch]) -> bool {
    if m.is_castle() {
        return false;
    }
    let (from, victim) = (m.from(), victim_square(m));
    touches
        .iter()
        .all(|t| from == Some(t.square) || victim == Some(t.square))
}

/// Touches in order: by rank, own pieces first, the king first of all.
fn in_order(pos: &Chess, touches: &[Touch]) -> Vec<Touch> {
    let king = pos.our(Role::King);
    let mut ordered = touches.to_vec();
    ordered.retain(|t| pos.board().occupied().contains(t.square));
    ordered.sort_by_key(|t| (t.rank, !is_own(pos, t.square), !king.contains(t.square)));
    ordered
}

/// The rooks that were touched before the king: they rule out castling with them (4.4.2).
fn rooks_before_king(pos: &Chess, touches: &[Touch]) -> Bitboard {
    let king = king_touched(pos, touches);
    let mut earlier = Bitboard::EMPTY;
    for t in touches {
        match king {
            Some(king) if king.rank <= t.rank => {}
            _ => earlier.add(t.square),
        }
    }
    earlier & pos.our(Role::Rook)
}

fn without_castling(legal: &[Move], rooks: Bitboard) -> Cow<'_, [Move]> {
    if rooks.is_empty() {
        return Cow::Borrowed(legal);
    }
    let mut open = legal.to_vec();
    open.retain(|m| !matches!(m, Move::Castle { rook, .. } if rooks.contains(*rook)));
    Cow::Owned(open)
}

/// King and rook touched together, or the king first (4.4.1, 4.4.3).
fn castling(pos: &Chess, open: &[Move], touches: &[Touch]) -> Option<Permitted> {
    let king = king_touched(pos, touches)?;
    // Another piece touched before the king that can be moved or captured goes first.
    for t in touches {
        if t.rank < king.rank && can_go(open, t.square) {
            return None;
        }
    }
    let rooks = pos.our(Role::Rook);
    let rook = touches
        .iter()
        .find(|t| rooks.contains(t.square) && t.rank >= king.rank)?;
    if let Some(m) = open.iter().find(|m| castles_with(m, rook.square)) {
        return Some(Permitted {
            moves: alloc::vec![*m],
            duty: Duty::Castle,
        });
    }
    let moves: Vec<Move> = moves_of(open, king.square).collect();
    if moves.is_empty() {
        // "If the king has no legal move, the player is free": the rook that was touched is no
        // obligation.
        return Some(Permitted::free(open));
    }
    let duty = Duty::CastlingIllegal;
    Some(Permitted { moves, duty })
}

/// Whether a legal move moves or captures the piece on `square`.
fn can_go(open: &[Move], square: Square) -> bool {
    open.iter()
        .any(|m| m.from() == Some(square) || victim_square(*m) == Some(square))
}

/// A piece of each colour touched: capture the one with the other (4.3.3).
fn capture_with_touched(pos: &Chess, open: &[Move], touches: &[Touch]) -> Option<Permitted> {
    let own = first_on(pos.us(), touches)?;
    let enemy = first_on(pos.them(), touches)?;
    let moves: Vec<Move> = captures_of(open, enemy.square)
        .filter(|m| m.from() == Some(own.square))
        .collect();
    (!moves.is_empty()).then_some(Permitted {
        moves,
        duty: Duty::CaptureWithTouched,
    })
}

/// The first piece touched that can be moved or captured (4.3.1, 4.3.2).
fn first_that_can(
    pos: &Chess,
    open: &[Move],
    touches: &[Touch],
    rooks_first: Bitboard,
    rook_binds: bool,
) -> Option<Permitted> {
    for t in touches {
        let own = is_own(pos, t.square);
        let mut moves: Vec<Move> = if own {
            moves_of(open, t.square).collect()
        } else {
            captures_of(open, t.square).collect()
        };
        if moves.is_empty() {
            continue;
        }
        if !rook_binds {
            moves.extend(open.iter().filter(|m| castles_with(m, t.square)));
        }
        let both = touches.iter().any(|other| is_own(pos, other.square) != own);
        let rook_first = rooks_first.any() && king_touched(pos, touches).is_some();
        let duty = match own {
            false if both => Duty::CaptureTouchedOfBoth,
            false => Duty::CaptureTouched,
            true if rook_first => Duty::RookFirst,
            true if both => Duty::MoveTouchedOfBoth,
            true => Duty::MoveTouched,
        };
        return Some(Permitted { moves, duty });
    }
    None
}

fn castles_with(m: &Move, square: Square) -> bool {
    matches!(m, Move::Castle { rook, .. } if *rook == square)
}

fn moves_of(open: &[Move], square: Square) -> impl Iterator<Item = Move> + '_ {
    open.iter()
        .copied()
        .filter(move |m| m.from() == Some(square))
}

fn captures_of(open: &[Move], square: Square) -> impl Iterator<Item = Move> + '_ {
    open.iter()
        .copied()
        .filter(move |m| victim_square(*m) == Some(square))
}

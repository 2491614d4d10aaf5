//! What touches oblige a player to: a pure function. Nothing else knows Articles 4.2 to 4.6.

use alloc::{borrow::Cow, vec::Vec};

use shakmaty::{Chess, Move, Position, Role, Square};

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

    /// Whether an own piece binds, not an opponent's that several could capture.
    pub(crate) fn moves_one_piece(&self) -> bool {
        !matches!(self.duty, Duty::CaptureTouched | Duty::CaptureTouchedOfBoth)
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
    permitted_where(
        pos,
        legal,
        touches,
        laws,
        !pos.castles().mode().is_chess960(),
    )
}

/// The same; `rook_binds`: whether a rook touched before the king rules out castling with it
/// (4.4.2).
pub(crate) fn permitted_where(
    pos: &Chess,
    legal: &[Move],
    touches: &[Touch],
    laws: &Laws,
    rook_binds: bool,
) -> Permitted {
    let mut touches = in_order(pos, touches);
    let struck = if laws.castling_clauses && rook_binds {
        rook_before_king(pos, &touches)
    } else {
        Struck::NONE
    };
    let open = match struck.rooks.is_empty() {
        true => Cow::Borrowed(legal),
        false => Cow::Owned(
            legal
                .iter()
                .copied()
                .filter(|m| !struck.contains(m))
                .collect(),
        ),
    };
    if laws.touched_both == TouchedBoth::OwnThenEnemy {
        // 1974, 8b: whichever was touched first, the own piece goes before the opponent's.
        touches.sort_by_key(|t| !is_own(pos, t.square));
    }
    let castling = || {
        laws.castling_clauses
            .then(|| castling(pos, &open, &touches))
            .flatten()
    };
    castling()
        .or_else(|| capture_with_touched(pos, &open, &touches))
        .or_else(|| first_that_can(pos, &open, &touches, struck, rook_binds))
        .unwrap_or_else(|| Permitted {
            moves: legal.to_vec(),
            duty: Duty::Free,
        })
}

fn is_own(pos: &Chess, sq: Square) -> bool {
    pos.us().contains(sq)
}

/// Whether `m` is permitted for the plain reason that nothing but its own pieces was touched,
/// castling left aside.
pub(crate) fn touches_only(m: Move, touches: &[Touch]) -> bool {
    let own = |sq: Square| m.from() == Some(sq) || victim_square(m) == Some(sq);
    !m.is_castle() && touches.iter().all(|t| own(t.square))
}

/// Touches in order: by rank, own pieces first, the king first of all.
fn in_order(pos: &Chess, touches: &[Touch]) -> Vec<Touch> {
    let mut ordered: Vec<Touch> = touches
        .iter()
        .copied()
        .filter(|t| pos.board().occupied().contains(t.square))
        .collect();
    ordered.sort_by_key(|t| {
        let king = pos.our(Role::King).contains(t.square);
        (t.rank, !is_own(pos, t.square), !king)
    });
    ordered
}

/// Castling moves that a rook touched before the king rules out (4.4.2).
#[derive(Clone, Copy)]
struct Struck {
    rooks: shakmaty::Bitboard,
}

impl Struck {
    const NONE: Struck = Struck {
        rooks: shakmaty::Bitboard::EMPTY,
    };

    fn contains(self, m: &Move) -> bool {
        matches!(m, Move::Castle { rook, .. } if self.rooks.contains(*rook))
    }
}

fn rook_before_king(pos: &Chess, touches: &[Touch]) -> Struck {
    let king = touches
        .iter()
        .find(|t| pos.our(Role::King).contains(t.square))
        .map(|t| t.rank);
    let before =
        |t: &&Touch| pos.our(Role::Rook).contains(t.square) && king.is_none_or(|k| t.rank < k);
    Struck {
        rooks: touches.iter().filter(before).map(|t| t.square).collect(),
    }
}

/// King and rook touched together, or the king first (4.4.1, 4.4.3).
fn castling(pos: &Chess, open: &[Move], touches: &[Touch]) -> Option<Permitted> {
    let king = touches
        .iter()
        .find(|t| pos.our(Role::King).contains(t.square))?;
    let can = |t: &&Touch| {
        moves_of(open, t.square).next().is_some() || captures_of(open, t.square).next().is_some()
    };
    // Another piece touched before the king that can be moved or captured goes first.
    if touches.iter().find(can).is_some_and(|t| t.rank < king.rank) {
        return None;
    }
    let rook = touches
        .iter()
        .find(|t| pos.our(Role::Rook).contains(t.square) && t.rank >= king.rank)?;
    if let Some(m) = open.iter().find(|m| castles_with(m, rook.square)) {
        return Some(Permitted {
            moves: alloc::vec![*m],
            duty: Duty::Castle,
        });
    }
    let moves: Vec<Move> = moves_of(open, king.square).collect();
    // "If the king has no legal move, the player is free": the rook that was touched is no
    // obligation.
    if moves.is_empty() {
        Some(Permitted {
            moves: open.to_vec(),
            duty: Duty::Free,
        })
    } else {
        Some(Permitted {
            moves,
            duty: Duty::CastlingIllegal,
        })
    }
}

/// A piece of each colour touched: capture the one with the other (4.3.3).
fn capture_with_touched(pos: &Chess, open: &[Move], touches: &[Touch]) -> Option<Permitted> {
    let own = touches.iter().find(|t| is_own(pos, t.square))?;
    let enemy = touches.iter().find(|t| !is_own(pos, t.square))?;
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
    struck: Struck,
    rook_binds: bool,
) -> Option<Permitted> {
    for t in touches {
        let own = is_own(pos, t.square);
        let mut moves: Vec<Move> = if own {
            moves_of(open, t.square).collect()
        } else {
            captures_of(open, t.square).collect()
        };
        if !moves.is_empty() {
            if !rook_binds {
                moves.extend(open.iter().filter(|m| castles_with(m, t.square)));
            }
            let both = touches.iter().any(|other| is_own(pos, other.square) != own);
            let duty = match own {
                false if both => Duty::CaptureTouchedOfBoth,
                false => Duty::CaptureTouched,
                true if struck.rooks.any() && king_touched(pos, touches) => Duty::RookFirst,
                true if both => Duty::MoveTouchedOfBoth,
                true => Duty::MoveTouched,
            };
            return Some(Permitted { moves, duty });
        }
    }
    None
}

fn castles_with(m: &Move, square: Square) -> bool {
    matches!(m, Move::Castle { rook, .. } if *rook == square)
}

fn king_touched(pos: &Chess, touches: &[Touch]) -> bool {
    touches
        .iter()
        .any(|t| pos.our(Role::King).contains(t.square))
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

//! Bounds for the moves that can explain the board, so that most need not be tried.

use shakmaty::{Bitboard, Chess, Move, Position, Square};

use crate::chess::moves::{handed_over, legs, squares_of};
use crate::track::evidence::PlyEvidence;

/// What every move that fits must come up to.
pub(crate) struct MoveBounds {
    /// Squares that a piece may have left.
    left: Bitboard,
    /// Squares on which a piece may have been put.
    filled: Bitboard,
    /// Squares that read otherwise than before, and not by the beginning of a reply: the move
    /// changed them.
    changed: Bitboard,
    /// Squares that a piece put down since may have passed and still be read on.
    passed: Bitboard,
    /// Squares on which a piece was put, at a press: the one it left may be read full still.
    landed: Bitboard,
}

impl MoveBounds {
    /// The bounds for the moves in `before`; `None` where no move can fit.
    pub(crate) fn new(before: &Chess, ev: &PlyEvidence<'_>) -> Option<MoveBounds> {
        let full = ev.contacts.planes().occupied();
        let left = !full | ev.trust.may_be_empty();
        let landed = landed(full, ev);
        // In Chess960 castling may not show.
        let hidden = before.castles().mode().is_chess960();
        if (left & before.us()).is_empty() && landed.is_empty() && !hidden {
            return None;
        }
        let changed = changed(before, ev);
        let passed = ev.touched & full & !before.board().occupied();
        if changed.count() > most_changed(before) + usize::from(passed.any()) {
            return None;
        }
        let unread = if ev.look.unread == Some(before.turn()) {
            Bitboard::FULL
        } else {
            Bitboard::EMPTY
        };
        Some(MoveBounds {
            left,
            filled: full | ev.trust.may_be_full() | unread,
            changed,
            passed,
            landed,
        })
    }

    /// The pieces of the player to move that can have moved, where that is known without asking all
    /// of them: nothing shows where a piece was put whose old square is read full still, and nobody
    /// castles with a piece that stays where it is.
    pub(crate) fn movers(&self, before: &Chess) -> Option<Bitboard> {
        let known = self.landed.is_empty() && !before.castles().mode().is_chess960();
        known.then(|| self.left & before.us())
    }

    /// Whether a move to this square by one of those pieces can be worth a closer look, or one that
    /// captures in passing.
    #[inline]
    pub(crate) fn admit_squares(&self, from: Square, to: Square, before: &Chess) -> bool {
        let own = Bitboard::from(from) | Bitboard::from(to);
        self.filled.contains(to) && (self.explains(own) || before.maybe_ep_square() == Some(to))
    }

    /// Whether `m` can be worth a closer look at all.
    #[inline]
    pub(crate) fn admit(&self, m: Move, ev: &PlyEvidence<'_>) -> bool {
        let possible = match m {
            Move::Normal { from, to, .. } | Move::EnPassant { from, to } => {
                self.landed.contains(to) || (self.left.contains(from) && self.filled.contains(to))
            }
            Move::Castle { king, rook } => self.admit_castling(m, king, rook, ev),
            Move::Put { .. } => false,
        };
        possible && self.explains(squares_of(m))
    }

    fn admit_castling(&self, m: Move, king: Square, rook: Square, ev: &PlyEvidence<'_>) -> bool {
        let filled = handed_over(m);
        // Where one takes the square of the other, the picture is that of another move or of none:
        // castling is told by both having been off the board at once.
        if filled.any() && !ev.were_off(king, rook) {
            return false;
        }
        for (from, to) in legs(m) {
            let stays_full = if filled.any() {
                filled.contains(from)
            } else {
                self.landed.contains(to)
            };
            if !stays_full && !self.left.contains(from) {
                return false;
            }
        }
        true
    }

    /// Whether nothing changed but the squares of a move, and at most one that its piece passed.
    #[inline]
    fn explains(&self, squares: Bitboard) -> bool {
        let elsewhere = self.changed & !squares;
        elsewhere.is_empty()
            || (!elsewhere.more_than_one() && (elsewhere & !self.passed).is_empty())
    }
}

/// Squares on which a piece was put, where the one that it left may be read full still.
fn landed(full: Bitboard, ev: &PlyEvidence<'_>) -> Bitboard {
    if ev.look.at_press || ev.crowded {
        (ev.touched | ev.flickered) & full
    } else {
        Bitboard::EMPTY
    }
}

/// Squares that read otherwise than in `before`, and neither for a moment nor by the beginning of a
/// reply.
fn changed(before: &Chess, ev: &PlyEvidence<'_>) -> Bitboard {
    let planes = ev.contacts.planes();
    let full = planes.occupied();
    let lifted = before.them() & !full;
    let replied = planes.may_be(!before.turn()) & full & !before.them();
    let begun = ev.touched & (lifted | replied);
    planes.differ(before.board()) & !(ev.trust.without_weight() | begun)
}

/// A move changes two squares, en passant three, castling four.
fn most_changed(before: &Chess) -> usize {
    if before.castles().is_empty() && before.maybe_ep_square().is_none() {
        2
    } else {
        4
    }
}

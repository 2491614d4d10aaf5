//! A legal move, and squares that read wrong beside it: pieces displaced, or readings that are not
//! to be trusted.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Move, Position, Square, attacks};

use super::{Judgement, Picture};
use crate::chess::moves::{arrival, legs, origin, reach, squares_of};
use crate::track::evidence::is_crowded;

/// More wrong squares than this are no pieces knocked over.
const MOST_DISPLACED: usize = 4;

impl Picture<'_> {
    /// The legal moves that leave nothing wrong but squares which the board does not trust; else
    /// those after which the opponent may have begun his reply besides.
    pub(super) fn distrusted(&self) -> Option<Judgement> {
        if self.suspect.is_empty() {
            return None;
        }
        let mut moves = self.moves_but_for_suspects(false);
        if moves.is_empty() {
            moves = self.moves_but_for_suspects(true);
        }
        (!moves.is_empty()).then_some(Judgement::Unread { moves })
    }

    fn moves_but_for_suspects(&self, may_reply: bool) -> Vec<(Move, Bitboard)> {
        let mut moves = Vec::new();
        for &m in self.legal {
            let after = self.after(m);
            let wrong = self.wrong(after.board());
            let (unread, other) = (wrong & self.suspect, wrong & !self.suspect);
            if unread.is_empty() {
                continue;
            }
            if other.is_empty() || (may_reply && is_of_a_reply(other, &after)) {
                moves.push((m, unread));
            }
        }
        moves
    }

    /// The legal move that leaves the fewest other squares wrong, if those look like knocked pieces
    /// (7.4).
    pub(super) fn displaced(&self) -> Option<Judgement> {
        let mut least: Option<((bool, usize, bool), Move, Bitboard)> = None;
        for &m in self.legal {
            let lifted = origin(m).and_then(|from| self.handling.of(from));
            let Some(moved) = lifted else {
                continue;
            };
            let after = self.after(m);
            let wrong = self.wrong(after.board());
            let own = squares_of(m) & !self.taken_over(m);
            let clear = (wrong & own).is_empty() && wrong.count() <= MOST_DISPLACED;
            let rest = wrong & !self.pushed_beside(m);
            if !clear || (rest.any() && !self.knocked(&after, rest)) {
                continue;
            }
            let unseen = !self.seen_to_land(m) && !self.flickered.contains(arrival(m));
            let rank = (self.was_pushed(moved), wrong.count(), unseen);
            if least.as_ref().is_none_or(|(best, ..)| rank < *best) {
                least = Some((rank, m, wrong));
            }
        }
        let (_, m, squares) = least?;
        Some(Judgement::Displaced { m, squares })
    }

    /// The squares that `m` has left and on which a piece stands that has no part in it.
    fn taken_over(&self, m: Move) -> Bitboard {
        let left: Bitboard = legs(m).map(|(from, _)| from).collect();
        let strangers = self.handling.pieces.iter();
        let strangers = strangers.filter(|h| !squares_of(m).contains(h.home));
        let on: Bitboard = strangers.filter_map(|h| Some(h.stands()?.square)).collect();
        left & on
    }

    /// What was [displaced](Picture::displaced) beside a move that was seen whole, but for what was
    /// touched `later`.
    pub(crate) fn displaced_before(&self, later: Bitboard) -> Option<Judgement> {
        let misread = self.misread | later;
        let judged = Picture { misread, ..*self }.displaced()?;
        let Judgement::Displaced { m, .. } = judged else {
            return None;
        };
        self.is_seen(m).then_some(judged)
    }

    /// The squares from and to which pieces were pushed that have no part in `m`.
    fn pushed_beside(&self, m: Move) -> Bitboard {
        let mut pushed = Bitboard::EMPTY;
        for h in &self.handling.pieces {
            if let Some(c) = h.stands()
                && !squares_of(m).contains(h.home)
                && self.was_pushed(h)
            {
                pushed |= Bitboard::from(h.home) | Bitboard::from(c.square);
            }
        }
        pushed
    }

    /// Whether the squares in `wrong` show pieces knocked or badly placed, not pieces moved.
    fn knocked(&self, after: &Chess, wrong: Bitboard) -> bool {
        let (board, full) = (after.board(), self.planes.occupied());
        let missing = wrong & board.occupied() & !full;
        let appeared = wrong & full & !board.occupied();
        if appeared.count() > missing.count() {
            return false;
        }
        for from in missing {
            if let Some(piece) = board.piece_at(from)
                && (reach(board, from, piece) & appeared).any()
            {
                return false;
            }
        }
        appeared
            .into_iter()
            .all(|to: Square| (attacks::king_attacks(to) & missing).any())
    }

    /// A board cannot hold more pieces than before: some square still reads what has left it.
    pub(super) fn unread(&self) -> Option<Judgement> {
        if !is_crowded(self.before, self.planes) {
            return None;
        }
        let mut moves = Vec::new();
        for &m in self.legal {
            let after = self.after(m);
            // The next player may have taken pieces up already.
            let taken_up = after.us() & !self.planes.occupied();
            let wrong = self.wrong(after.board()) & !taken_up;
            if m.from().map(Bitboard::from) == Some(wrong) {
                moves.push((m, wrong));
            }
        }
        (!moves.is_empty()).then_some(Judgement::Unread { moves })
    }
}

/// Whether a legal move in `after` changes all of `squares`.
fn is_of_a_reply(squares: Bitboard, after: &Chess) -> bool {
    after
        .legal_moves()
        .iter()
        .any(|reply| squares.is_subset(squares_of(*reply)))
}

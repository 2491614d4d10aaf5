//! A legal move, and squares that read wrong beside it: pieces displaced, or readings that are not
//! to be trusted.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Move, Position, Square, attacks};

use super::{Judgement, Picture};
use crate::chess::moves::{arrival, origin, reach, squares_of};
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
        let mut least: Option<((usize, bool), Move, Bitboard)> = None;
        for &m in self.legal {
            let lifted = origin(m).and_then(|from| self.handling.of(from));
            if lifted.is_none() {
                continue;
            }
            let after = self.after(m);
            let wrong = self.wrong(after.board());
            let clear = (wrong & squares_of(m)).is_empty() && wrong.count() <= MOST_DISPLACED;
            if !clear || !self.knocked(&after, wrong) {
                continue;
            }
            let unseen = !self.seen_to_land(m) && !self.flickered.contains(arrival(m));
            let rank = (wrong.count(), unseen);
            if least.as_ref().is_none_or(|(best, ..)| rank < *best) {
                least = Some((rank, m, wrong));
            }
        }
        let (_, m, squares) = least?;
        Some(Judgement::Displaced { m, squares })
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

//! Pieces that stand where no move put them: exchanged by mistake, moved by the player not having
//! the move, or found so when the board is seen again.

use shakmaty::{Bitboard, Chess, EnPassantMode, Move, Piece, Position};

use crate::chess::moves::{arrival, legal_moves, squares_of};
use crate::chess::position::position;
use crate::game::{Game, Press};
use crate::said::irregularity::{Certainty, Code, Party};
use crate::said::symbol::{SensorClass, Symbol};
use crate::track::backtrack::Distrust;
use crate::track::hypothesis::Hypothesis;

impl Game {
    /// The board has stood still for long and the turn at hand has not been played.
    pub(crate) fn look_for_strays(&mut self) {
        let busy = self.restore.is_some() || self.standing.is_some() || !self.pending.is_empty();
        let best = self.best().clone();
        if busy || self.is_idle() || (self.setup.clock && self.length(&best) > self.completed) {
            return;
        }
        let wrong = best.wrong(&self.contacts);
        if wrong.is_empty() {
            let handling = self.handling_of_open_turn(&best);
            self.ask_exchanged(self.length(&best) + 1, None, &handling);
        } else if self.are_exchanged(&best.pos, wrong) {
            let code = if self.gap {
                Code::DisplacementFoundLater
            } else {
                Code::PieceDisplaced
            };
            self.find_astray(
                &best,
                code,
                self.owner(&best.pos, wrong),
                Certainty::Likely,
                wrong,
            );
        } else if let Some(m) = self.move_out_of_turn(&best) {
            // Begun before the press, it may be the end of a slide that was read late.
            let begun = squares_of(m)
                .into_iter()
                .any(|sq| self.contacts.since(sq) <= self.turn_start);
            self.pacing.haste();
            if begun && self.backtrack(Distrust::Any) {
                return;
            }
            let by = (!best.pos.turn()).into();
            self.find_astray(
                &best,
                Code::MovedOutOfTurn,
                by,
                Certainty::Likely,
                squares_of(m),
            );
        }
    }

    /// A move, and pieces that had been exchanged before it: the game goes back to the position
    /// before that (7.6).
    pub(crate) fn find_exchanged_before(&mut self, root: &Hypothesis, squares: Bitboard) {
        let by = self.owner(&root.pos, squares);
        let handled = (squares & !root.touched(&self.contacts)).is_empty();
        let by = if handled { by } else { Party::Either };
        self.tell_line(root, self.length(root), self.completed);
        self.beam.replace(alloc::vec![root.clone()]);
        self.running = Some(root.pos.turn());
        self.find_astray(
            root,
            Code::DisplacementFoundLater,
            by,
            Certainty::Certain,
            squares,
        );
    }

    fn find_astray(
        &mut self,
        root: &Hypothesis,
        code: Code,
        by: Party,
        certainty: Certainty,
        squares: Bitboard,
    ) {
        self.note(code, by, certainty, squares, self.length(root) + 1);
        self.order_restore(root.pos.clone());
        self.conduct.astray = true;
    }

    /// Whether the board is being put right after pieces were seen astray: what is in the hand
    /// meanwhile explains nothing.
    pub(crate) fn is_putting_right(&self) -> bool {
        self.conduct.astray && self.restore.is_some()
    }

    /// Whether the pieces of `pos` on these squares have changed places among themselves, and are
    /// seen to have.
    pub(crate) fn are_exchanged(&self, pos: &Chess, squares: Bitboard) -> bool {
        let key = |p: Piece| (p.color.is_white(), p.role);
        let seen = squares
            .into_iter()
            .map(|sq| match self.contacts.planes.at(sq) {
                Symbol::Piece(p) => Some(key(p)),
                _ => None,
            });
        let mut seen: alloc::vec::Vec<_> = seen.collect();
        let mut due: alloc::vec::Vec<_> = squares
            .into_iter()
            .map(|sq| pos.board().piece_at(sq).map(key))
            .collect();
        seen.sort_unstable();
        due.sort_unstable();
        self.setup.sensor == SensorClass::Piece
            && squares.more_than_one()
            && !seen.contains(&None)
            && seen == due
    }

    /// Whose the pieces on these squares are, where that is the player having the move: he had them
    /// in his hand.
    fn owner(&self, pos: &Chess, squares: Bitboard) -> Party {
        if (squares & !pos.us()).is_empty() {
            pos.turn().into()
        } else {
            Party::Either
        }
    }

    /// A move by the player not having the move, if that is what the board shows (1.3). The
    /// opponent has completed his.
    fn move_out_of_turn(&self, root: &Hypothesis) -> Option<Move> {
        let mut setup = root.pos.to_setup(EnPassantMode::Legal);
        setup.swap_turn();
        setup.ep_square = None;
        let other = position(&setup, self.setup.castling_mode())
            .filter(|_| self.completed > 0 && !self.gap)?;
        legal_moves(&other).into_iter().find(|m| {
            let mut after = other.clone();
            after.play_unchecked(*m);
            self.contacts.planes.differ(after.board()).is_empty()
        })
    }

    /// A legal move by the player having the move, after one that his opponent had made without
    /// having it: nothing in the picture is the player's fault.
    pub(crate) fn moved_meanwhile(&self, root: &Hypothesis) -> Option<(Move, Move)> {
        let since = |sq| self.contacts.since(sq);
        let wrong = root.wrong(&self.contacts);
        let theirs = (wrong & root.pos.them()).any();
        let moves = root
            .legal()
            .iter()
            .filter(|m| theirs && wrong.contains(arrival(**m)));
        moves.copied().find_map(|m| {
            let mut after = root.pos.clone();
            after.play_unchecked(m);
            let earlier = |next: &Move| {
                let squares = squares_of(*next);
                let made = since(arrival(m));
                squares
                    .into_iter()
                    .all(|sq| since(sq) > root.since && since(sq) < made)
            };
            let next = legal_moves(&after)
                .into_iter()
                .filter(earlier)
                .find(|next| {
                    let mut both = after.clone();
                    both.play_unchecked(*next);
                    self.contacts.planes.differ(both.board()).is_empty()
                });
            next.map(|next| (m, next))
        })
    }

    /// The player's move is complete; the other one was made out of turn, and stands as the next
    /// until it is put back.
    pub(crate) fn find_moved_meanwhile(
        &mut self,
        root: &Hypothesis,
        m: Move,
        next: Move,
        press: Press,
    ) {
        let made = self.adopted(root, m, Bitboard::EMPTY);
        let answered = self.adopted(&made, next, Bitboard::EMPTY);
        let by = (!press.by).into();
        self.note(
            Code::MovedOutOfTurn,
            by,
            Certainty::Likely,
            squares_of(next),
            self.length(root) + 1,
        );
        self.beam.replace(alloc::vec![made, answered]);
        self.complete(press);
    }
}

//! Pieces that stand where no move put them: exchanged by mistake, moved by the player not having
//! the move, or found so when the board is seen again.

use shakmaty::{Bitboard, Chess, EnPassantMode, Move, Piece, Position};

use crate::chess::moves::{arrival, legal_moves, squares_of};
use crate::chess::position::position;
use crate::game::Game;
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::clock::Press;
use crate::said::irregularity::{Certainty, Code, Party};
use crate::said::symbol::{SensorClass, Symbol};
use crate::track::backtrack::Distrust;
use crate::track::hypothesis::Hypothesis;

impl Game {
    /// The board has stood still for long and the turn at hand has not been played.
    pub(crate) fn look_for_displaced(&mut self) -> Changes {
        let busy = self.state.is_putting_back()
            || self.state.turn().standing.is_some()
            || !self.clock.waiting().is_empty();
        if busy || self.is_idle() {
            return NOTHING;
        }
        let best = self.best().clone();
        if self.setup.clock && self.length(&best) > self.record.completed() {
            return NOTHING;
        }
        let wrong = self.wrong(&best);
        if wrong.is_empty() {
            let handling = self.handling_of_open_turn(&best);
            self.ask_exchanged(self.length(&best) + 1, None, &handling);
            return NOTHING;
        }
        if self.are_exchanged(&best.pos, wrong) {
            let found_later = self.board.gap();
            let later = Code::DisplacementFoundLater;
            let code = if found_later {
                later
            } else {
                Code::PieceDisplaced
            };
            let by = owner(&best.pos, wrong);
            self.find_before(&best, code, by, Certainty::Likely, wrong);
            return NOTHING;
        }
        self.look_for_move_out_of_turn(&best)
    }

    fn look_for_move_out_of_turn(&mut self, best: &Hypothesis) -> Changes {
        let Some(m) = self.move_out_of_turn(best) else {
            return NOTHING;
        };
        // Begun before the press, it may be the end of a slide that was read late.
        let (contacts, turn_start) = (self.board.contacts(), self.clock.turn_start());
        let begun = squares_of(m)
            .into_iter()
            .any(|sq| contacts.since(sq) <= turn_start);
        self.track.haste();
        if begun && let Some(changes) = self.backtrack(Distrust::Any) {
            return changes;
        }
        let by = (!best.pos.turn()).into();
        self.find_before(
            best,
            Code::MovedOutOfTurn,
            by,
            Certainty::Likely,
            squares_of(m),
        );
        NOTHING
    }

    /// A move, and pieces that had been exchanged before it: the game goes back to the position
    /// before that (7.6).
    pub(crate) fn find_exchanged_before(&mut self, root: &Hypothesis, squares: Bitboard) {
        let handled = (squares & !root.touched(self.board.contacts())).is_empty();
        let by = if handled {
            owner(&root.pos, squares)
        } else {
            Party::Either
        };
        self.tell_line(root, self.length(root), self.record.completed());
        self.adopt(root.clone());
        self.clock.run(Some(root.pos.turn()));
        let code = Code::DisplacementFoundLater;
        self.find_before(root, code, by, Certainty::Certain, squares);
    }

    /// Pieces are found displaced, and the position of `root` is to be put back.
    fn find_before(
        &mut self,
        root: &Hypothesis,
        code: Code,
        by: Party,
        certainty: Certainty,
        squares: Bitboard,
    ) {
        self.raise_unbinding(code, by, certainty, squares, self.length(root) + 1);
        self.order_restore(root.pos.clone());
        self.state.mark_displaced();
    }

    /// Whether the pieces of `pos` on these squares have changed places among themselves, and are
    /// seen to have.
    pub(crate) fn are_exchanged(&self, pos: &Chess, squares: Bitboard) -> bool {
        if self.setup.sensor != SensorClass::Piece || !squares.more_than_one() {
            return false;
        }
        let (mut seen, mut due) = (alloc::vec::Vec::new(), alloc::vec::Vec::new());
        for sq in squares {
            let Symbol::Piece(piece) = self.board.planes().at(sq) else {
                return false;
            };
            seen.push(Some(key(piece)));
            due.push(pos.board().piece_at(sq).map(key));
        }
        seen.sort_unstable();
        due.sort_unstable();
        seen == due
    }

    /// A move by the player not having the move, if that is what the board shows (1.3). The
    /// opponent has completed his.
    fn move_out_of_turn(&self, root: &Hypothesis) -> Option<Move> {
        if self.record.completed() == 0 || self.board.gap() {
            return None;
        }
        let mut setup = root.pos.to_setup(EnPassantMode::Legal);
        setup.swap_turn();
        setup.ep_square = None;
        let other = position(&setup, self.setup.castling_mode())?;
        legal_moves(&other)
            .into_iter()
            .find(|m| self.differ(&after(&other, *m)).is_empty())
    }

    /// A legal move by the player having the move, after one that his opponent had made without
    /// having it: nothing in the picture is the player's fault.
    pub(crate) fn moved_meanwhile(&self, root: &Hypothesis) -> Option<(Move, Move)> {
        let wrong = self.wrong(root);
        if (wrong & root.pos.them()).is_empty() {
            return None;
        }
        for &m in root.legal() {
            if !wrong.contains(arrival(m)) {
                continue;
            }
            let moved = after(&root.pos, m);
            for reply in legal_moves(&moved) {
                if self.was_made_before(reply, m, root)
                    && self.differ(&after(&moved, reply)).is_empty()
                {
                    return Some((m, reply));
                }
            }
        }
        None
    }

    /// Whether all of `reply` was done in the turn after `root`, before `m` was made.
    fn was_made_before(&self, reply: Move, m: Move, root: &Hypothesis) -> bool {
        let contacts = self.board.contacts();
        let made = contacts.since(arrival(m));
        squares_of(reply)
            .into_iter()
            .all(|sq| contacts.since(sq) > root.since && contacts.since(sq) < made)
    }

    /// The player's move is complete; the other one was made out of turn, and stands as the next
    /// until it is put back.
    pub(crate) fn find_moved_meanwhile(&mut self, m: Move, reply: Move, press: Press) -> Changes {
        let root = self.root().clone();
        let made = self.adopted(&root, m, Bitboard::EMPTY);
        let answered = self.adopted(&made, reply, Bitboard::EMPTY);
        let (by, squares) = ((!press.by).into(), squares_of(reply));
        let ply = self.length(&root) + 1;
        self.raise_unbinding(Code::MovedOutOfTurn, by, Certainty::Likely, squares, ply);
        self.track.adopt(alloc::vec![made, answered]);
        alloc::vec![Change::Complete(press)]
    }
}

/// Whose the pieces on these squares are, where that is the player having the move: he had them in
/// his hand.
fn owner(pos: &Chess, squares: Bitboard) -> Party {
    if (squares & !pos.us()).is_empty() {
        pos.turn().into()
    } else {
        Party::Either
    }
}

/// What tells one piece from another.
fn key(piece: Piece) -> (bool, shakmaty::Role) {
    (piece.color.is_white(), piece.role)
}

fn after(pos: &Chess, m: Move) -> Chess {
    let mut after = pos.clone();
    after.play_unchecked(m);
    after
}

//! Pieces that stand where no move put them: exchanged by mistake, or found so when the board is
//! seen again.

use shakmaty::{Bitboard, Chess, Color, Move, Piece, Position, Square};

use crate::chess::moves::arrival;
use crate::game::Game;
use crate::game::board::Unread;
use crate::game::change::{Change, Changes, Found, NOTHING};
use crate::game::clock::Press;
use crate::judge::article_4::Breach;
use crate::judge::handling::{Handled, Handling};
use crate::judge::picture::{self, Judgement, Picture};
use crate::said::irregularity::{Certainty, Code, Party};
use crate::said::symbol::{SensorClass, Symbol};
use crate::said::time::{Millis, Time};
use crate::track::hypothesis::Hypothesis;

/// What was put down before a press, and not read, has been read so long after the press, in
/// milliseconds.
const READ_AGAIN: Millis = 2_000;

impl Game {
    /// The board has stood still for long and the turn at hand has not been played.
    pub(crate) fn look_for_displaced(&mut self) -> Changes {
        let busy = self.state.is_putting_back() || !self.clock.waiting().is_empty();
        if busy || self.is_idle() || self.lies_rather_otherwise() {
            return NOTHING;
        }
        let best = self.best().clone();
        if self.setup.clock && self.length(&best) > self.record.completed() {
            self.look_for_second_move_beside(&best);
            return NOTHING;
        }
        if let Some(line) = self.with_exchanged_beside() {
            let wrong = self.wrong(&line);
            self.adopt(line.clone());
            self.find_exchanged(&line, wrong);
            return NOTHING;
        }
        if let Some((line, squares)) = self.exchanged_and_moved_on(1) {
            self.find_exchanged_before(&line, squares, Certainty::Likely);
            return NOTHING;
        }
        if let Some((line, m)) = self.with_second_move_beside() {
            self.adopt(line.clone());
            self.find_out_of_turn(&line, m, Certainty::Likely);
            return NOTHING;
        }
        if !self.setup.clock && self.is_only_exchanged() {
            // Half way it looked as if one of the two had taken the other.
            self.track.forget_irregular();
        }
        // An illegal move may stand.
        if !self.track.irregular().is_empty() {
            return NOTHING;
        }
        let wrong = self.wrong(&best);
        if self.are_exchanged(&best.pos, wrong) {
            self.find_exchanged(&best, wrong);
            return NOTHING;
        }
        if wrong.is_empty() {
            let handling = self.handling_of_open_turn(&best);
            if self.ask_exchanged(self.length(&best) + 1, None, &handling) {
                self.forget_putting_right();
            }
            return NOTHING;
        }
        if self.promoted_piece_exchanged(wrong) {
            let (code, certainty) = (Code::PieceDisplaced, Certainty::Likely);
            self.find_before(&best, code, Party::Either, certainty, wrong);
            return NOTHING;
        }
        self.look_for_move_out_of_turn(&best)
    }

    /// Without a clock: the line of the plies that were told, where pieces of who moved last have
    /// changed places since. By the others he has not moved yet.
    fn with_exchanged_beside(&self) -> Option<Hypothesis> {
        let beside = |line: &&Hypothesis| {
            let wrong = self.wrong(line);
            self.length(line) == self.record.len()
                && wrong.is_subset(line.pos.them())
                && self.are_exchanged(&line.pos, wrong)
        };
        let lines = || self.track.all().iter().filter(beside);
        let found = || lines().min_by_key(|line| self.total(line)).cloned();
        (!self.setup.clock).then(found).flatten()
    }

    /// Pieces are seen to have changed places after what `line` has.
    fn find_exchanged(&mut self, line: &Hypothesis, squares: Bitboard) {
        if self.take_as_put_right(self.length(line), squares) {
            return;
        }
        let code = match self.board.gap() {
            true => Code::DisplacementFoundLater,
            false => Code::PieceDisplaced,
        };
        let by = match owner(&line.pos, squares) {
            Party::Either => Party::Either,
            _ => self.displacer(squares, line.since, line.pos.turn()),
        };
        let ply = self.ply_of_exchange(line, squares);
        self.track.forget_irregular();
        self.raise_unbinding(code, by, Certainty::Likely, squares, ply);
        self.put_back_before(line, squares);
    }

    /// A move, and pieces that had been exchanged before it: the game goes back to the position
    /// before that (7.6).
    pub(crate) fn find_exchanged_before(
        &mut self,
        root: &Hypothesis,
        squares: Bitboard,
        certainty: Certainty,
    ) {
        let handled = (squares & !root.touched(self.board.contacts())).is_empty();
        let by = if handled {
            owner(&root.pos, squares)
        } else {
            Party::Either
        };
        self.tell_line(root, self.length(root), self.record.completed());
        self.adopt(root.clone());
        self.clock.run(self.setup.clock.then(|| root.pos.turn()));
        let code = Code::DisplacementFoundLater;
        self.find_before(root, code, by, certainty, squares);
    }

    /// Pieces are found displaced, and the position of `root` is to be put back.
    pub(crate) fn find_before(
        &mut self,
        root: &Hypothesis,
        code: Code,
        by: Party,
        certainty: Certainty,
        squares: Bitboard,
    ) {
        self.raise_unbinding(code, by, certainty, squares, self.length(root) + 1);
        self.put_back_before(root, squares);
    }

    fn put_back_before(&mut self, root: &Hypothesis, displaced: Bitboard) {
        self.order_restore(root.pos.clone());
        self.state.mark_displaced();
        self.note_displaced(self.length(root), &root.pos, displaced);
    }

    /// What `picture` shows, without what changed after the press: that belongs to the next turn.
    pub(crate) fn up_to(&self, press: Press, picture: &Picture<'_>) -> Judgement {
        let judged = picture::judge(picture);
        if press.is_inferred() {
            return judged;
        }
        let end = self.scan_window().end(press.at);
        let later = self.board.contacts().touched_since(end);
        let judged = match judged {
            Judgement::Illegal { .. } if later.any() => {
                picture.displaced_before(later).unwrap_or(judged)
            }
            judged => judged,
        };
        match judged {
            Judgement::Displaced { m, squares } => {
                let squares = squares & !later;
                Judgement::Displaced { m, squares }
            }
            judged => judged,
        }
    }

    /// A legal move, and pieces that no move put where they are (7.4.1). A piece that is nowhere
    /// may have been put down and not been read: nobody is accused before it had the time to be.
    pub(crate) fn find_displaced(&mut self, squares: Bitboard, by: Color, hand: Party) -> Changes {
        let none_stands = (squares & self.board.planes().occupied()).is_empty();
        let alone = squares.single_square().filter(|_| none_stands);
        if alone.is_some_and(|sq| !self.left_in_turn(sq, by)) {
            // Nobody has touched it in this turn: it may stand there unread.
            return alloc::vec![Change::CheckSquares(squares)];
        }
        let ply = self.record.completed();
        let pressed = self.last_press_by(by).unwrap_or_default();
        let read = pressed + READ_AGAIN;
        let due = self.board.next_picture(pressed).unwrap_or(read).max(read);
        if none_stands && due > self.clock.now() {
            let unread = Unread {
                squares,
                by,
                ply,
                due,
                due_when_pictured: read,
            };
            self.board.await_reading(Some(unread));
            return NOTHING;
        }
        self.tell_displaced(squares, by, hand)
    }

    /// The time is over in which pieces that were nowhere at a press can have been read again.
    pub(crate) fn judge_unread(&mut self) -> Changes {
        let Some(unread) = self.board.await_reading(None) else {
            return NOTHING;
        };
        let (best, full) = (self.best(), self.board.planes().occupied());
        let missing = unread.squares & best.misread & !full;
        let in_hand = best.pos.us() & !full & !missing;
        if (unread.squares & full).any() {
            self.board.notice_misreading();
        }
        if missing.is_empty() || self.state.is_putting_back() {
            return NOTHING;
        }
        if self.record.completed() != unread.ply || in_hand.any() {
            // Who replies sees the piece stand.
            return alloc::vec![Change::CheckSquares(missing)];
        }
        self.tell_displaced(missing, unread.by, unread.by.into())
    }

    /// What no move put where it is was left so by `hand`, as `by` pressed.
    fn tell_displaced(&mut self, squares: Bitboard, by: Color, hand: Party) -> Changes {
        let ply = self.record.completed();
        let before = self.record.position(ply.saturating_sub(1));
        let mut changes = Changes::new();
        let none_stands = (squares & self.board.planes().occupied()).is_empty();
        if self.take_as_put_right(ply, squares) {
            return changes;
        }
        if self
            .displaced
            .as_ref()
            .is_some_and(|told| told.squares == squares)
        {
            changes.push(Change::PutRecordedBack);
            return changes;
        }
        let is_his = hand == by.into();
        if !is_his || self.may_be_anybodys(squares, by) {
            let hand = if is_his { Party::Either } else { hand };
            let (code, certainty) = (Code::PieceDisplaced, Certainty::Likely);
            self.raise_unbinding(code, hand, certainty, squares, ply);
        } else {
            let breach = Breach {
                code: Code::PieceDisplaced,
                reason: None,
                by,
                certainty: Certainty::Likely,
                squares: squares.into_iter().collect(),
                required: None,
            };
            changes.push(
                Found {
                    breach,
                    ply,
                    before,
                }
                .into(),
            );
        }
        if none_stands || self.setup.sensor != SensorClass::Piece {
            changes.push(Change::CheckSquares(squares));
        }
        changes.push(Change::PutRecordedBack);
        changes
    }

    /// Whether `sq` was left in the turn of `by`: since his opponent pressed.
    fn left_in_turn(&self, sq: Square, by: Color) -> bool {
        let left = self.board.contacts().since(sq);
        self.last_press_by(!by).is_none_or(|pressed| left > pressed)
    }

    /// Which ply it belongs to that the pieces of `squares` were exchanged: where nobody presses,
    /// the turn of who has moved is not over before the reply.
    fn ply_of_exchange(&self, line: &Hypothesis, squares: Bitboard) -> usize {
        let made = self.length(line);
        let theirs = squares.is_subset(line.pos.them());
        let still_his = !self.setup.clock && made > self.record.completed() && theirs;
        if still_his { made } else { made + 1 }
    }

    /// Whether all of these squares changed after `m` had been made: what is wrong on them does not
    /// unmake it.
    pub(crate) fn were_touched_after(&self, m: Move, squares: Bitboard) -> bool {
        let contacts = self.board.contacts();
        let made = contacts.since(arrival(m));
        squares.into_iter().all(|sq| contacts.since(sq) > made)
    }

    /// Whether nobody can know whose hand displaced what stands wrongly on `squares` after the ply
    /// that `by` completed: no clock tells whose turn it was, it did not happen in his turn as far
    /// as is known, or it is a promoted piece of his opponent's that is another one now.
    pub(crate) fn may_be_anybodys(&self, squares: Bitboard, by: Color) -> bool {
        let answered = self.record.completed().checked_sub(1);
        let begun = answered.and_then(|n| self.record.ply(n)).map(|p| p.at);
        let begun = begun.unwrap_or_default();
        let contacts = self.board.contacts();
        let seen = |sq| contacts.since(sq) > begun && !self.board.found_since(begun).contains(sq);
        if !self.setup.clock || !squares.into_iter().all(seen) {
            return true;
        }
        let promoted = self.record.completed().checked_sub(1);
        let told = promoted.and_then(|n| self.record.ply(n)).and_then(|p| p.m);
        let theirs = told.filter(|m| m.is_promotion() && squares == Bitboard::from(m.to()));
        let read = theirs.map(|m| self.board.planes().at(m.to()));
        matches!(read, Some(Symbol::Piece(piece)) if piece.color != by)
    }

    /// Whose hand displaced what stands wrongly on `squares`, after a move was made at `made_at`
    /// that `to_move` answers. Where all of it had happened before the clock was pressed for that
    /// move, it was not done in the turn of `to_move`: what left its square sooner after the
    /// landing than a hand can have gripped it, the landing hand has knocked over.
    pub(crate) fn displacer(&self, squares: Bitboard, made_at: Time, to_move: Color) -> Party {
        let pressed = self.last_press_by(!to_move).filter(|at| *at > made_at);
        let (Some(pressed), true) = (pressed, self.setup.clock) else {
            return to_move.into();
        };
        let contacts = self.board.contacts();
        if squares.into_iter().any(|sq| contacts.since(sq) > pressed) {
            return to_move.into();
        }
        let grip = self.setup.options.grip();
        let mut left = contacts.log_since(made_at).filter(|c| {
            let lifted = c.symbol == Symbol::Empty && squares.contains(c.square);
            lifted && c.at.since(made_at) < grip
        });
        match left.next() {
            Some(_) => (!to_move).into(),
            None => Party::Either,
        }
    }

    /// Whether of several pieces of `by` that stand elsewhere one did before his turn began: his
    /// opponent's hand may have displaced it.
    pub(crate) fn stood_before_turn(&self, handling: &Handling, by: Color) -> bool {
        let away =
            |h: &&Handled| h.piece.color == by && h.stands().is_some_and(|c| c.square != h.home);
        let away = || handling.pieces.iter().filter(away);
        let pressed = self.last_press_by(!by).unwrap_or_default();
        let before = |h: &Handled| h.stands().is_some_and(|c| c.from <= pressed);
        self.setup.clock && away().count() > 1 && away().any(before)
    }

    /// The promoted piece of the ply completed last, where another one of its colour stands now.
    fn promoted_piece_exchanged(&self, wrong: Bitboard) -> bool {
        let told = self.record.ply(self.record.completed());
        let m = told.and_then(|p| p.m).filter(|m| m.is_promotion());
        let Some(m) = m.filter(|m| wrong == Bitboard::from(m.to())) else {
            return false;
        };
        let promoter = !self.record.position(self.record.completed()).turn();
        matches!(self.board.planes().at(m.to()), Symbol::Piece(p) if p.color == promoter)
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

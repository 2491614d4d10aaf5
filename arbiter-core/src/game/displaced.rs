//! Pieces that stand where no move put them: exchanged by mistake, moved by the player not having
//! the move, or found so when the board is seen again.

use alloc::rc::Rc;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Move, Piece, Position, Square};

use crate::chess::moves::{arrival, legal_moves, origin, squares_of};
use crate::chess::position::position;
use crate::game::Game;
use crate::game::board::Unread;
use crate::game::change::{Change, Changes, Found, NOTHING};
use crate::game::clock::Press;
use crate::game::press::CLEAN;
use crate::judge::article_4::Breach;
use crate::judge::picture::{self, Judgement};
use crate::said::irregularity::{Certainty, Code, Party};
use crate::said::symbol::{SensorClass, Symbol};
use crate::said::time::Millis;
use crate::track::backtrack::Distrust;
use crate::track::cost;
use crate::track::hypothesis::{Hypothesis, Step};

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
            return NOTHING;
        }
        if let Some(line) = self.with_exchanged_beside() {
            let wrong = self.wrong(&line);
            self.adopt(line.clone());
            self.find_exchanged(&line, wrong);
            return NOTHING;
        }
        if let Some((line, m)) = self.with_second_move_beside() {
            self.adopt(line.clone());
            self.find_out_of_turn(&line, m);
            return NOTHING;
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
        let found = || self.track.all().iter().find(beside).cloned();
        (!self.setup.clock).then(found).flatten()
    }

    /// Pieces are seen to have changed places after what `line` has.
    fn find_exchanged(&mut self, line: &Hypothesis, squares: Bitboard) {
        let code = match self.board.gap() {
            true => Code::DisplacementFoundLater,
            false => Code::PieceDisplaced,
        };
        let by = owner(&line.pos, squares);
        let ply = self.ply_of_exchange(line, squares);
        self.track.forget_irregular();
        self.raise_unbinding(code, by, Certainty::Likely, squares, ply);
        self.put_back_before(line);
    }

    /// Black has pressed before White's first move. If one of his own stands, it was he who moved
    /// (1.3).
    pub(crate) fn find_begun_out_of_turn(&mut self) {
        let root = self.root().clone();
        if let Some(m) = self.move_out_of_turn(&root) {
            let (by, code) = ((!root.pos.turn()).into(), Code::MovedOutOfTurn);
            self.find_before(&root, code, by, Certainty::Likely, squares_of(m));
            self.drop_other_account();
        }
    }

    fn look_for_move_out_of_turn(&mut self, best: &Hypothesis) -> Changes {
        // Before the first move a press tells whose it was.
        let unpressed = self.setup.clock && self.clock.running().is_none();
        if unpressed && self.record.completed() == 0 {
            return NOTHING;
        }
        // Without a press, the move before it may be on a square that cannot be read.
        let unread = !self.setup.clock && self.board.suspect().any();
        let Some(m) = self.move_out_of_turn(best).filter(|_| !unread) else {
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
        self.find_out_of_turn(best, m);
        NOTHING
    }

    /// Who has made the last move of `line` has made `m` besides.
    fn find_out_of_turn(&mut self, line: &Hypothesis, m: Move) {
        let (by, code) = ((!line.pos.turn()).into(), Code::MovedOutOfTurn);
        self.find_before(line, code, by, Certainty::Likely, squares_of(m));
    }

    /// Without a clock: the line of the plies that were told, and a second move that its last
    /// player has made since. By the others he has not moved yet, or has moved two pieces in one
    /// turn: that is as unlikely, where he took up the second when the first had come to rest.
    fn with_second_move_beside(&self) -> Option<(Hypothesis, Move)> {
        let told = self.record.len();
        let open = self.setup.clock || self.other.is_some();
        if open || told == 0 || self.board.suspect().any() {
            return None;
        }
        let mut lines = self.track.all().iter();
        let of_record = |line: &&Hypothesis| self.length(line) == told && self.agreed(line) == told;
        let line = lines.find(of_record)?;
        let m = self.move_out_of_turn(line)?;
        let last = self.record.ply(told)?.m?;
        let (contacts, rest) = (self.board.contacts(), self.setup.options.announce_ms);
        let taken_up = squares_of(m)
            .into_iter()
            .map(|sq| contacts.since(sq))
            .min()?;
        let of_another = origin(m) != Some(arrival(last)) && taken_up.since(line.since) > rest;
        let dearest = line.cost + cost::ILLEGAL;
        let rather = self
            .cost_of_standing()
            .is_none_or(|illegal| dearest <= illegal);
        (of_another && rather && !self.sets_up(line.pos.board(), m)).then(|| (line.clone(), m))
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
        self.put_back_before(root);
    }

    fn put_back_before(&mut self, root: &Hypothesis) {
        self.order_restore(root.pos.clone());
        self.state.mark_displaced();
    }

    /// `judged` without what changed after the press: that belongs to the next turn.
    pub(crate) fn up_to(&self, press: Press, judged: Judgement) -> Judgement {
        match judged {
            Judgement::Displaced { m, squares } if !press.is_inferred() => {
                let end = self.scan_window().end(press.at);
                let squares = squares & !self.board.contacts().touched_since(end);
                Judgement::Displaced { m, squares }
            }
            judged => judged,
        }
    }

    /// A legal move, and pieces that no move put where they are (7.4.1). A piece that is nowhere
    /// may have been put down and not been read: nobody is accused before it had the time to be.
    pub(crate) fn find_displaced(&mut self, squares: Bitboard, by: Color) -> Changes {
        let none_stands = (squares & self.board.planes().occupied()).is_empty();
        let alone = squares.single_square().filter(|_| none_stands);
        if alone.is_some_and(|sq| !self.left_in_turn(sq, by)) {
            // Nobody has touched it in this turn: it may stand there unread.
            return alloc::vec![Change::CheckSquares(squares)];
        }
        let ply = self.record.completed();
        let due = self.last_press_by(by).unwrap_or_default() + READ_AGAIN;
        if none_stands && due > self.clock.now() {
            let unread = Unread {
                squares,
                by,
                ply,
                due,
            };
            self.board.await_reading(Some(unread));
            return NOTHING;
        }
        self.tell_displaced(squares, by)
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
        self.tell_displaced(missing, unread.by)
    }

    /// What no move put where it is was left so by the player who pressed.
    fn tell_displaced(&mut self, squares: Bitboard, by: Color) -> Changes {
        let ply = self.record.completed();
        let before = self.record.position(ply.saturating_sub(1));
        let mut changes = Changes::new();
        let none_stands = (squares & self.board.planes().occupied()).is_empty();
        if self.may_be_anybodys(squares, by) {
            let (code, certainty) = (Code::PieceDisplaced, Certainty::Likely);
            self.raise_unbinding(code, Party::Either, certainty, squares, ply);
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

    /// Without a clock: the board has stood still, and shows a legal move beside which a piece was
    /// pushed by the hand that made it. It is told before it is answered.
    pub(crate) fn look_for_pushed(&mut self) -> Option<Changes> {
        let busy = self.state.is_putting_back() || self.board.gap() || self.is_idle();
        if self.setup.clock || busy || self.lies_rather_otherwise() {
            return None;
        }
        let (contacts, now) = (self.board.contacts(), self.clock.now());
        let best = self.best();
        let total = best.total(contacts, now, false);
        if self.wrong(best).is_empty() && total <= CLEAN {
            // A legal move accounts for all of it.
            return None;
        }
        if let Some((line, squares)) = self.with_pushed_reply(best) {
            return Some(self.take_as_pushed(line, squares));
        }
        let dearest = total + cost::ILLEGAL;
        let mut lines: Vec<&Hypothesis> = self.track.all().iter().collect();
        lines.sort_by_key(|line| core::cmp::Reverse(line.steps.len()));
        let near = |line: &&Hypothesis| line.total(contacts, now, false) <= dearest;
        let mut near = lines.into_iter().filter(near);
        let line = near.find(|line| self.shows_pushed_beside(line))?.clone();
        let press = Press {
            by: line.pos.turn(),
            at: now,
            due: now,
            extended: true,
        };
        let k = self.length(&line);
        self.adopt(line.clone());
        let mut changes = Changes::new();
        if k > self.record.completed() {
            changes = self.complete_without_press(&Rc::new(line), k);
        }
        changes.push(Change::Unexplained(press));
        Some(changes)
    }

    /// Without a clock: the last move of `line` is complete, and a piece of the opponent's on
    /// `squares` was pushed by the hand that made it.
    fn take_as_pushed(&mut self, line: Hypothesis, squares: Bitboard) -> Changes {
        let (k, by) = (self.length(&line), !line.pos.turn());
        self.adopt(line.clone());
        let mut changes = Changes::new();
        if k > self.record.completed() {
            self.tell_line(&line, k, k);
            changes = self.complete_without_press(&Rc::new(line), k);
        }
        changes.push(Change::Displaced { squares, by });
        changes
    }

    /// The player has pressed for a legal move, and his hand has pushed a piece of the opponent's.
    pub(crate) fn complete_beside_pushed(&mut self, press: Press) -> Option<Changes> {
        let line = self.made(self.pressed_ply())?;
        let made = self.length(line) == self.pressed_ply();
        let (line, squares) = self.with_pushed_reply(line).filter(|_| made)?;
        let before_press = self.scan_window().end(press.at);
        if self.board.contacts().touched_since(before_press).any() {
            return None;
        }
        self.adopt(line);
        let by = press.by;
        Some(alloc::vec![
            Change::Complete(press),
            Change::Displaced { squares, by }
        ])
    }

    /// `line`, and the squares from and to which a piece of the player to move was pushed by the
    /// hand that made the last move of it: it left its square beside that move as the hand came
    /// down, stood on the next one sooner than it can have been carried there, and does not go so.
    fn with_pushed_reply(&self, line: &Hypothesis) -> Option<(Hypothesis, Bitboard)> {
        let last = line.steps.last()?;
        let (wrong, full) = (self.wrong(line), self.board.planes().occupied());
        let from = (wrong & line.pos.us() & !full).single_square()?;
        let to = (wrong & full & !line.pos.board().occupied()).single_square()?;
        let squares = Bitboard::from(from) | Bitboard::from(to);
        let beside = from.distance(to) == 1 && from.distance(arrival(last.m)) == 1;
        let (contacts, grip) = (self.board.contacts(), self.setup.options.grip());
        let (left, stood) = (contacts.since(from), contacts.since(to));
        let pushed = self.scan_window().end(left) >= last.made_at
            && left.since(last.made_at) < grip
            && stood >= left
            && stood.since(left) < grip;
        let goes_so = |m: &Move| origin(*m) == Some(from) && arrival(*m) == to;
        let shown = self
            .board
            .planes()
            .class()
            .sees(line.pos.board().piece_at(from));
        if wrong != squares
            || !beside
            || !pushed
            || self.board.planes().at(to) != shown
            || line.legal().iter().any(goes_so)
        {
            return None;
        }
        let mut line = line.clone();
        line.misread |= squares;
        line.early = Bitboard::EMPTY;
        Some((line, squares))
    }

    /// Whether the turn after `line` shows a legal move, seen from lift to place, and a piece that
    /// was pushed beside it.
    fn shows_pushed_beside(&self, line: &Hypothesis) -> bool {
        let handling = self.handling_of_open_turn(line);
        let picture = self.picture(line, &handling);
        match picture::judge(&picture) {
            Judgement::Displaced { m, squares } => {
                // What is only missing may have been exchanged for its captor unseen.
                let stands = (squares & self.board.planes().occupied()).any();
                stands && picture.is_seen(m) && picture.were_pushed(squares)
            }
            _ => false,
        }
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

    /// A move by the player not having the move, if that is what the board shows (1.3). The
    /// opponent has completed his.
    fn move_out_of_turn(&self, root: &Hypothesis) -> Option<Move> {
        if self.board.gap() {
            return None;
        }
        let mut setup = root.pos.to_setup(EnPassantMode::Legal);
        setup.swap_turn();
        setup.ep_square = None;
        let other = position(&setup, self.setup.castling_mode())?;
        // Somebody must have touched all of its squares.
        let contacts = self.board.contacts();
        let touched = root.touched(contacts) | contacts.flickered_since(root.since);
        legal_moves(&other).into_iter().find(|m| {
            squares_of(*m).is_subset(touched) && self.differ(&after(&other, *m)).is_empty()
        })
    }

    /// The reply to ply `ply` of `line` stood before that ply was begun: its player moved twice
    /// running, and did not have the move (1.3). It stands as his next until it is put back.
    pub(crate) fn find_made_ahead(&mut self, line: &Hypothesis, ply: usize) {
        let Some((_, reply)) = self.made_ahead(line, ply) else {
            return;
        };
        let before = self.record.position(ply);
        let left = !self.setup.clock && self.is_perhaps_setting_up();
        let told = left || self.docket.is_found(Code::MovedOutOfTurn, ply);
        let unsure = self.setup.polled || self.board.gap() || self.other.is_some();
        if told || unsure {
            return;
        }
        let (by, squares) = (before.turn().into(), squares_of(reply.m));
        self.raise_unbinding(Code::MovedOutOfTurn, by, Certainty::Likely, squares, ply);
    }

    /// Ply `ply` of `line` and the reply to it, where that was made before the ply was begun.
    fn made_ahead<'a>(&self, line: &'a Hypothesis, ply: usize) -> Option<(&'a Step, &'a Step)> {
        let (step, reply) = (self.step_of(line, ply)?, self.step_of(line, ply + 1)?);
        let squares = squares_of(step.m);
        let before = self.step_of(line, ply - 1).map(|step| step.made_at);
        let reached = before.or_else(|| Some(self.record.ply(ply - 1)?.at));
        let reached = reached.unwrap_or_default();
        let contacts = self.board.contacts();
        let seen = contacts.touched_since(reached) | contacts.flickered_since(reached);
        if !squares_of(reply.m).is_subset(seen) {
            // Somebody must have touched all of it.
            return None;
        }
        let mut log = contacts.log_since(reached);
        let begun = log.find(|c| squares.contains(c.square))?.at;
        let ahead = self.scan_window().is_before(reply.made_at, begun);
        (ahead && begun <= step.made_at).then_some((step, reply))
    }

    /// What it costs at a press that the reply to its ply was made before the ply was begun, where
    /// that explains the board.
    pub(crate) fn cost_of_made_ahead(&self) -> Option<i32> {
        let line = self.made(self.pressed_ply())?;
        self.made_ahead(line, self.pressed_ply())?;
        self.wrong(line).is_empty().then(|| self.total(line))
    }

    /// The player has pressed for a legal move, and his opponent had moved before it without having
    /// the move: nothing in the picture is the player's fault.
    pub(crate) fn complete_beside_made_ahead(&mut self, press: Press) -> Option<Changes> {
        self.cost_of_made_ahead()?;
        let line = self.made(self.pressed_ply())?;
        let (step, reply) = self.made_ahead(line, self.pressed_ply())?;
        let made = self.adopted(self.root(), step.m, Bitboard::EMPTY);
        let mut answered = self.adopted(&made, reply.m, Bitboard::EMPTY);
        answered.steps.pop();
        answered.steps.push(*reply);
        self.track.adopt(alloc::vec![made, answered]);
        Some(alloc::vec![Change::Complete(press)])
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

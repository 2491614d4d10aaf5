//! Moves by the player who does not have the move (1.3): made before White's first, or a second one
//! running.
//!
//! A second move that is put back is found where the board stands still on it. One that the
//! opponent answers all the same is a line of legal moves, in which the reply stood before the ply
//! that it follows; what that costs is in the search
//! ([`OUT_OF_TURN`](crate::track::cost::OUT_OF_TURN)).

use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Move, Position, Role};

use crate::chess::moves::{arrival, legal_moves, origin, squares_of};
use crate::chess::position::position;
use crate::game::Game;
use crate::game::change::{Change, Changes, Found, NOTHING};
use crate::game::clock::Press;
use crate::game::press::ELIGIBLE;
use crate::judge::article_4::Breach;
use crate::said::input::{Event, Input};
use crate::said::irregularity::{Certainty, Code, Party};
use crate::said::symbol::Symbol;
use crate::said::time::Time;
use crate::sense::changes::SquareChange;
use crate::track::backtrack::Distrust;
use crate::track::cost;
use crate::track::hypothesis::{Hypothesis, Step};

/// Found while it stands.
impl Game {
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

    /// The board has stood still for long: what differs from `best` may be a second move.
    pub(crate) fn look_for_move_out_of_turn(&mut self, best: &Hypothesis) -> Changes {
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
        if let Some(changes) = self.lose_after_empty_press(best) {
            return changes;
        }
        // Begun before the press, it may be the end of a slide that was read late.
        let (contacts, turn_start) = (self.board.contacts(), self.clock.turn_start());
        let begun = squares_of(m)
            .into_iter()
            .any(|sq| contacts.since(sq) <= turn_start);
        self.track.haste();
        if begun && let Some(changes) = self.backtrack(Distrust::Any) {
            return changes;
        }
        match self.has_slipped(m) {
            true => {
                let (code, squares) = (Code::PieceDisplaced, squares_of(m));
                self.find_before(best, code, Party::Either, Certainty::Likely, squares);
                // Where nobody puts it back, it says nothing of what is played from there.
                self.track.disregard(squares);
            }
            false => self.find_out_of_turn(best, m, Certainty::Likely),
        }
        NOTHING
    }

    /// Whether the piece of `m` came to a square beside its own faster than a hand can carry it: it
    /// was pushed.
    fn has_slipped(&self, m: Move) -> bool {
        let Move::Normal {
            from,
            to,
            capture: None,
            ..
        } = m
        else {
            return false;
        };
        let grip = self.setup.options.grip();
        self.board.contacts().slipped(from, to, grip)
    }

    /// With a clock: by `best` a move has been made that nobody has pressed for, and more readings
    /// were lost than a move is told with. Whoever pressed last may as well have moved once more.
    pub(crate) fn look_for_second_move_beside(&mut self, best: &Hypothesis) {
        let completed = self.record.completed();
        if self.total(best) <= ELIGIBLE || completed == 0 || self.board.suspect().any() {
            return;
        }
        let told = |line: &&Hypothesis| self.length(line) == completed;
        let Some(line) = self.track.all().iter().find(told).cloned() else {
            return;
        };
        if let Some(m) = self
            .move_out_of_turn(&line)
            .filter(|m| !self.has_slipped(*m))
        {
            self.adopt(line.clone());
            self.find_out_of_turn(&line, m, Certainty::Possible);
        }
    }

    /// Who has made the last move of `line` has made `m` besides, `surely` at most.
    pub(crate) fn find_out_of_turn(&mut self, line: &Hypothesis, m: Move, surely: Certainty) {
        let (by, code) = ((!line.pos.turn()).into(), Code::MovedOutOfTurn);
        let step = line.steps.last().map(|step| step.made_at);
        let since = step.or_else(|| Some(self.record.ply(self.length(line))?.at));
        let since = since.unwrap_or(line.since);
        // The opponent may have taken what he did for his move; or they take back what was played.
        let used = self.has_used_turn(line.pos.us(), (since, self.clock.now()), m);
        let certainty = match used || self.undoes_last(line, m) {
            true => Certainty::Possible,
            false => surely,
        };
        self.find_before(line, code, by, certainty, squares_of(m));
        self.note_second_move(line, m);
    }

    /// Whether `m` puts back the piece that the last ply of `line` moved: the players may have
    /// agreed to take moves back.
    pub(crate) fn undoes_last(&self, line: &Hypothesis, m: Move) -> bool {
        let last = self.record.ply(self.length(line)).and_then(|ply| ply.m);
        last.is_some_and(|last| undoes(m, last))
    }

    /// Without a clock: the line of the plies that were told, and a second move that its last
    /// player has made since. By the others he has not moved yet, or has moved two pieces in one
    /// turn: that is as unlikely, where he took up the second when the first had come to rest.
    pub(crate) fn with_second_move_beside(&self) -> Option<(Hypothesis, Move)> {
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

    /// Without a clock: who made the last ply moved another piece to where the array has one, and
    /// has put it back. While it stood there, he may have been setting up the pieces.
    pub(crate) fn find_put_back_from_home(&mut self) {
        let told = self.record.len();
        let busy = self.setup.clock || self.other.is_some() || self.state.is_putting_back();
        let unread = self.board.gap() || self.board.suspect().any();
        if busy || unread || self.length(self.best()) != told {
            return;
        }
        let Some(second) = self.second_move_put_back() else {
            return;
        };
        let code = Code::MovedOutOfTurn;
        let mut found = self.docket.raised().iter();
        if found.any(|f| f.is_of(told + 1) && f.irregularity.code == code) {
            return;
        }
        let (by, squares) = ((!self.best().pos.turn()).into(), squares_of(second));
        self.raise_unbinding(code, by, Certainty::Possible, squares, told + 1);
    }

    /// That move: nothing else was touched since the last ply, and it stood for a while.
    fn second_move_put_back(&self) -> Option<Move> {
        let last = self.record.ply(self.record.len())?;
        let log: Vec<SquareChange> = self.board.contacts().log_since(last.at).copied().collect();
        let [up, down, again, back] = log[..] else {
            return None;
        };
        let (from, to) = (up.square, down.square);
        let options = &self.setup.options;
        let put_back = again.square == to
            && back.square == from
            && again.symbol == Symbol::Empty
            && down.at.since(up.at) >= options.grip()
            && again.at.since(down.at) >= options.release_ms;
        let other = self.with_turn_passed(self.best()).filter(|_| put_back)?;
        let mut moves = legal_moves(&other).into_iter();
        let second = moves.find(|m| origin(*m) == Some(from) && arrival(*m) == to)?;
        let of_another = last.m.is_some_and(|m| arrival(m) != from);
        let sets_up = self.sets_up(self.record.last().board(), second);
        (of_another && sets_up && !second.is_capture()).then_some(second)
    }

    /// A move by the player not having the move, if that is what the board shows (1.3). The
    /// opponent has completed his.
    fn move_out_of_turn(&self, root: &Hypothesis) -> Option<Move> {
        if self.board.gap() {
            return None;
        }
        let other = self.with_turn_passed(root)?;
        // Somebody must have touched all of its squares.
        let contacts = self.board.contacts();
        let touched = root.touched(contacts) | contacts.flickered_since(root.since);
        legal_moves(&other).into_iter().find(|m| {
            squares_of(*m).is_subset(touched) && self.differ(&after(&other, *m)).is_empty()
        })
    }

    /// The position of `root`, with the move for the player who does not have it.
    pub(crate) fn with_turn_passed(&self, root: &Hypothesis) -> Option<Chess> {
        let mut setup = root.pos.to_setup(EnPassantMode::Legal);
        setup.swap_turn();
        setup.ep_square = None;
        position(&setup, self.setup.castling_mode())
    }
}

/// Answered with what is no move without it.
impl Game {
    /// A second move of the player who has made the last ply of `root`, which stood before his
    /// opponent moved: then what the opponent did is a legal move, and the board shows both. Where
    /// it is not taken for that, the innocent one is accused of an illegal move. `stood`: what the
    /// two left, where that is not what the board shows now. Given with whether a hand can have
    /// made it: a piece that was pushed is nobody's second move.
    pub(crate) fn answered_out_of_turn(
        &self,
        root: &Hypothesis,
        stood: Option<&Chess>,
    ) -> Option<(Move, bool)> {
        if self.board.gap() || self.length(root) == 0 {
            return None;
        }
        let other = self.with_turn_passed(root)?;
        let contacts = self.board.contacts();
        let step = root.steps.last().map(|step| step.made_at);
        let reached = step.or_else(|| Some(self.record.ply(self.length(root))?.at))?;
        let touched = contacts.touched_since(reached) | contacts.flickered_since(reached);
        let mut seconds = legal_moves(&other).into_iter();
        seconds.find_map(|second| {
            let seen = squares_of(second).is_subset(touched);
            let then = seen.then(|| after(&other, second))?;
            let by_hand = self.was_answered(reached, (&then, second), stood)?;
            Some((second, by_hand))
        })
    }

    /// The player who has made the last ply of `root` has made a `second` move, and was answered.
    pub(crate) fn out_of_turn_found(&self, root: &Hypothesis, second: Move) -> Change {
        let breach = Breach {
            code: Code::MovedOutOfTurn,
            reason: None,
            by: !root.pos.turn(),
            certainty: match self.undoes_last(root, second) {
                true => Certainty::Possible,
                false => Certainty::Likely,
            },
            squares: squares_of(second).into_iter().collect(),
            required: None,
        };
        Found {
            breach,
            ply: self.length(root) + 1,
            before: root.pos.clone(),
        }
        .into()
    }

    /// Whether the opponent has made a legal move from `then`, which `second` led to, and began it
    /// when that one stood; and then, whether that was made by hand.
    fn was_answered(
        &self,
        reached: Time,
        (then, second): (&Chess, Move),
        stood: Option<&Chess>,
    ) -> Option<bool> {
        let contacts = self.board.contacts();
        let planes = contacts.planes();
        let mut log = contacts.log_since(reached);
        let left = |change: &&SquareChange| {
            origin(second) == Some(change.square) && change.symbol == Symbol::Empty
        };
        let came = |change: &&SquareChange| {
            change.square == arrival(second)
                && planes.fits(change.symbol, then.board(), change.square)
        };
        let (left, made) = (log.find(left)?.at, log.find(came)?.at);
        let beside = origin(second)?.distance(arrival(second)) == 1;
        let by_hand = !beside || made.since(left) >= self.setup.options.grip();
        let touched = contacts.touched_since(made) | contacts.flickered_since(made);
        let pressed = self.last_press_by(then.turn());
        let pressed = pressed.filter(|pressed| *pressed > made);
        let answered = |m: &Move| {
            let squares = squares_of(*m);
            let mut later = contacts.log_since(made);
            let begun = later.any(|change| squares.contains(change.square));
            let after = after(then, *m);
            // What came after the press is of the next turn.
            let landed = contacts.since(arrival(*m));
            let landed = pressed.map_or(landed, |pressed| pressed.min(landed));
            let shown = match stood {
                Some(stood) => after.board() == stood.board(),
                None => (self.differ(&after) & !contacts.touched_since(landed)).is_empty(),
            };
            begun && shown && (stood.is_some() || squares.is_subset(touched))
        };
        let is_answered = then.legal_moves().iter().any(answered);
        is_answered.then_some(by_hand)
    }
}

/// Answered all the same.
impl Game {
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
        let told = || {
            let told = self.record.ply(ply - 1)?;
            Some((told.m?, told.at))
        };
        let step = self.step_of(line, ply - 1);
        let first = step.map(|step| (step.m, step.made_at)).or_else(told);
        let goes_on = first.filter(|(m, _)| Some(arrival(*m)) == origin(reply.m));
        if let Some((_, made)) = goes_on
            && !self.was_taken_up_after_press(reply.m, before.turn(), made)
        {
            // A piece that goes on makes no second move.
            return;
        }
        let used = first.is_some_and(|(_, made)| {
            self.has_used_turn(before.them(), (made, reply.made_at), reply.m)
        });
        let castles = first.is_some_and(|(first, _)| are_of_castling(first, reply.m));
        let takes_back = first.is_some_and(|(first, _)| undoes(reply.m, first));
        let certainty = match used || castles || takes_back {
            true => Certainty::Possible,
            false => Certainty::Likely,
        };
        let second = reply.m;
        self.raise_unbinding(Code::MovedOutOfTurn, by, certainty, squares, ply);
        // He may make another move in his turn: then it was never his next.
        self.note_second_move_before(ply, second);
    }

    /// Whether `by` had pressed for what he played after `made` when he took up the piece of `m`.
    fn was_taken_up_after_press(&self, m: Move, by: Color, made: Time) -> bool {
        let Some(from) = origin(m) else { return false };
        let taken_up = self.board.contacts().since(from);
        let pressed = |event: &Event| {
            let his = matches!(event.input, Input::Press { by: who, .. } if who == by);
            his && event.at >= made && self.scan_window().is_before(event.at, taken_up)
        };
        self.board.evidence().any(pressed)
    }

    /// Ply `ply` of `line` and the reply to it, where that was made before the ply was begun.
    pub(crate) fn made_ahead<'a>(
        &self,
        line: &'a Hypothesis,
        ply: usize,
    ) -> Option<(&'a Step, &'a Step)> {
        let (step, reply) = (self.step_of(line, ply)?, self.step_of(line, ply + 1)?);
        let squares = squares_of(step.m);
        let before = self.step_of(line, ply - 1).map(|step| step.made_at);
        let reached = before.or_else(|| Some(self.record.ply(ply - 1)?.at));
        let reached = reached.unwrap_or_default();
        let contacts = self.board.contacts();
        let seen = contacts.touched_since(reached) | contacts.flickered_since(reached);
        if !squares_of(reply.m).is_subset(seen) || self.is_only_found(step.m) {
            // Somebody must have touched all of the one, and it must be known when of the other.
            return None;
        }
        let mut log = contacts.log_since(reached);
        let begun = log.find(|c| squares.contains(c.square))?.at;
        let ahead = self.scan_window().is_before(reply.made_at, begun);
        // What came in less time than a hand needs was read late.
        let grip = self.setup.options.grip();
        let late =
            origin(step.m).is_some_and(|from| contacts.came_within(from, arrival(step.m), grip));
        (ahead && begun <= step.made_at && !late).then_some((step, reply))
    }

    /// Whether a square of `m` changed unseen: only a picture of the whole board showed it, and
    /// that tells nothing of when the move was made.
    pub(crate) fn is_only_found(&self, m: Move) -> bool {
        squares_of(m).into_iter().any(|sq| self.board.is_found(sq))
    }

    /// What it costs at a press that the reply to its ply was made before the ply was begun, where
    /// that explains the board.
    pub(crate) fn cost_of_made_ahead(&self) -> Option<i32> {
        let line = self.made(self.pressed_ply())?;
        self.made_ahead(line, self.pressed_ply())?;
        // The press may have waited until the next move was begun.
        let in_hand = line.pos.us() & !self.board.planes().occupied();
        (self.wrong(line) & !in_hand)
            .is_empty()
            .then(|| self.total(line))
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

/// Whether one is a move of the king and the other one of the rook: castling as it is not played
/// looks the same.
fn are_of_castling(a: Move, b: Move) -> bool {
    let roles = [a.role(), b.role()];
    roles.contains(&Role::King) && roles.contains(&Role::Rook)
}

pub(crate) fn after(pos: &Chess, m: Move) -> Chess {
    let mut after = pos.clone();
    after.play_unchecked(m);
    after
}

/// Whether `m` puts back the piece that `last` has moved.
fn undoes(m: Move, last: Move) -> bool {
    origin(m) == Some(arrival(last)) && origin(last) == Some(arrival(m))
}

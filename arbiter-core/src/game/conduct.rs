//! What players do besides moving: adjustments announced and pieces touched out of turn, presses
//! that come too early, clocks stopped without a reason.
//!
//! None of these costs anything by itself or binds a move. Nobody sees whose hand it was, and
//! nothing here is certain.

use shakmaty::{Bitboard, Chess, Color, Move, Position, Square};

use crate::chess::moves::{arrival, squares_of, victim_square};
use crate::game::Game;
use crate::game::change::WatchedPly;
use crate::game::clock::{Deed, Press};
use crate::laws::Rule;
use crate::said::irregularity::{Certainty, Code};
use crate::said::symbol::Symbol;
use crate::said::time::{Millis, Time};
use crate::track::hypothesis::{Hypothesis, Step};

/// The hand that presses puts its piece down so soon after it, in milliseconds, beyond the time
/// that a press waits anyway. What is read later is a landing that was not read at once.
const HASTE: Millis = 700;

/// Who presses so soon after he took up a piece has hardly put it down and gone to the clock in
/// between, in milliseconds, unless he has been quicker; later than that, a landing that was not
/// read at once is likelier.
const REACH: Millis = 1_000;

impl Game {
    /// When something that waits is due.
    pub(crate) fn conduct_due(&self) -> Option<Time> {
        if self.is_idle() {
            return None;
        }
        let windows = &self.setup.options;
        let stray = self
            .clock
            .stray()
            .map(|(_, at)| at + windows.announced_touch_ms);
        let stop = self
            .clock
            .stopped()
            .map(|(_, at)| at + windows.stop_grace_ms);
        [stray, stop].into_iter().flatten().min()
    }

    /// Judges what is due.
    pub(crate) fn judge_conduct(&mut self) {
        let windows = self.setup.options;
        let stray = self.is_due(self.clock.stray(), windows.announced_touch_ms);
        let stopped = self
            .clock
            .stopped()
            .filter(|_| self.is_due(self.clock.stopped(), windows.stop_grace_ms));
        if stray {
            let before = self.root().pos.clone();
            self.judge_stray(&before, None, self.pressed_ply());
        }
        let Some((by, _)) = stopped else { return };
        self.clock.excuse_stop();
        if !self.has_reason_to_stop(by) {
            let (code, ply) = (Code::ClockStoppedWithoutReason, self.pressed_ply());
            self.raise_unbinding(code, by.into(), Certainty::Possible, Bitboard::EMPTY, ply);
        }
    }

    /// Whether between two moments a piece of `theirs`, as they stand, came from another square,
    /// those of `m` aside: its player has used a turn, whatever he did in it.
    pub(crate) fn has_used_turn(
        &self,
        theirs: Bitboard,
        (from, until): (Time, Time),
        m: Move,
    ) -> bool {
        let contacts = self.board.contacts();
        let changed = contacts.touched_since(from) & !contacts.touched_since(until);
        let (changed, full) = (changed & !squares_of(m), self.board.planes().occupied());
        (changed & full & theirs).any() && (changed & !full).any()
    }

    fn is_due(&self, deed: Option<Deed>, window: Millis) -> bool {
        deed.is_some_and(|(_, at)| self.clock.now() >= at + window)
    }

    /// `by` announces an adjustment. That is for the player having the move, or whose clock runs
    /// (4.2.1, 6.2.5).
    pub(crate) fn announce_adjustment(&mut self, by: Color) {
        self.clock.announce_adjustment(by);
        let mut lines = self.track.all().iter().chain(self.track.irregular());
        let has_move = lines.any(|line| line.pos.turn() == by);
        if !has_move && self.clock.running() != Some(by) {
            self.clock.announce_out_of_turn(by);
        }
    }

    /// An announcement out of turn, or the touching that followed it: one finding, the graver one.
    fn judge_stray(&mut self, before: &Chess, taken: Option<Square>, ply: usize) {
        let Some((by, at)) = self.clock.take_stray() else {
            return;
        };
        let mut touched = Bitboard::EMPTY;
        for c in self.board.contacts().log_since(at) {
            if c.symbol == Symbol::Empty && Some(c.square) != taken {
                touched.add(c.square);
            }
        }
        touched &= before.board().by_color(by);
        let code = match touched.any() {
            true => Code::OpponentTouchedPiecesOutOfTurn,
            false => Code::AdjustOutOfTurn,
        };
        self.raise_unbinding(code, by.into(), Certainty::Likely, touched, ply);
    }

    /// What the players did besides the move of a ply, which is completed now.
    pub(crate) fn watch_ply(&mut self, watched: &WatchedPly) {
        let WatchedPly {
            ply,
            step,
            before,
            handling,
        } = watched;
        self.judge_stray(before, victim_square(step.m), *ply);
        self.watch_early_touch(*ply, step, before);
        self.ask_hands(*ply, step.m, handling);
        self.ask_exchanged(*ply, step.m.from(), handling);
    }

    /// A piece that the mover could not capture, in the air well before he had made his move and
    /// still when it was made: the opponent took it up without having the move (4.3, 11.5).
    fn watch_early_touch(&mut self, ply: usize, step: &Step, before: &Chess) {
        let own = before.us();
        let log = self.board.contacts().log();
        let first = log
            .iter()
            .find(|c| own.contains(c.square) && c.at <= step.made_at);
        let Some(begun) = first.map(|c| c.at) else {
            return;
        };
        let mut lifted = Bitboard::EMPTY;
        for sq in before.them() {
            if self.was_early_in_the_air((!before.turn(), sq), step, begun) {
                lifted.add(sq);
            }
        }
        if lifted.is_empty() {
            return;
        }
        for m in before.legal_moves() {
            victim_square(m)
                .into_iter()
                .for_each(|sq| lifted.discard(sq));
        }
        // A second piece in the air was knocked over; a reply takes up one.
        if lifted.count() == 1 && !self.is_vague(step) && self.clock.stray().is_none() {
            let (code, by) = (Code::OpponentTouchedPiecesOutOfTurn, !before.turn());
            self.raise_unbinding(code, by.into(), Certainty::Possible, lifted, ply);
        }
    }

    /// Whether what stood on `sq` was lifted after the turn had begun, well before the move was
    /// made, and was still in the air then.
    fn was_early_in_the_air(&self, (owner, sq): (Color, Square), step: &Step, begun: Time) -> bool {
        let log = self.board.contacts().log();
        let Some(c) = log.iter().rfind(|c| c.square == sq && c.at <= step.made_at) else {
            return false;
        };
        let window = self.setup.options.early_touch_ms;
        let early = c.at > begun && step.made_at.since(c.at) > window;
        // What was read late stands only after its press; the opponent had the move by then.
        let read_late = self
            .clock
            .judged()
            .is_some_and(|pressed| step.made_at > pressed);
        // Who has not pressed yet still handles what he has moved himself.
        let pressed = self.last_press_by(owner);
        let over = pressed.is_none_or(|pressed| c.at > pressed);
        c.symbol == Symbol::Empty && early && over && !read_late
    }

    /// Whether nothing tells when the move was made and when the board came to show it: without a
    /// clock, on a square that cannot be read, or that only a picture showed.
    fn is_vague(&self, step: &Step) -> bool {
        self.setup.polled
            || self.board.gap()
            || !self.setup.clock
            || self.board.suspect().contains(arrival(step.m))
            || self.board.is_found(arrival(step.m))
    }

    /// A press has waited and the move has come. A reading that comes late looks the same: never
    /// more than likely, and from then on the board may be one that loses readings.
    pub(crate) fn watch_waiting_press(&mut self, press: Press, line: &Hypothesis, k: usize) {
        let Some(step) = self.step_of(line, k).copied() else {
            return;
        };
        let lifted = step.m.from().map(|from| self.board.contacts().since(from));
        let held = lifted
            .filter(|at| *at < press.at)
            .map(|at| press.at.since(at));
        if self.board.contacts().since(arrival(step.m)) < press.at {
            held.into_iter()
                .for_each(|held| self.clock.note_pace(press.by, held));
            return;
        }
        let known_rule = self.laws().find_article(Rule::EarlyPress).is_some();
        if !known_rule || !self.was_pressed_early(press, line, &step) {
            return;
        }
        // Where readings were lost before, one more is likelier than a hasty hand.
        let doubted = self.board.misreads() || self.board.is_suspect(self.record.completed());
        self.board.notice_misreading();
        let landed = self.board.contacts().since(arrival(step.m));
        let soon = landed.since(press.at) <= self.setup.options.announce_ms + HASTE;
        let usual = self.clock.soonest(press.by).unwrap_or(REACH);
        let hasty = held.is_some_and(|held| held <= usual.min(REACH));
        // Nobody holds his piece in the air while the opponent moves and presses.
        if self.clock.waiting().is_empty() && soon && hasty && !doubted {
            let (code, squares) = (Code::ClockPressedTooEarly, arrival(step.m).into());
            self.raise_unbinding(code, press.by.into(), Certainty::Likely, squares, k);
        }
    }

    /// Whether the piece was in the air at the press, and came down well after it.
    fn was_pressed_early(&self, press: Press, line: &Hypothesis, step: &Step) -> bool {
        let (windows, contacts) = (&self.setup.options, self.board.contacts());
        let lifted = step.m.from().map(|from| contacts.since(from));
        let in_the_air = lifted.is_some_and(|at| at + windows.brush_ms < press.at);
        let late = contacts.since(arrival(step.m)) > press.at + windows.early_press_ms;
        let read_whole = !self.setup.polled && !self.board.gap() && line.misread.is_empty();
        // A piece that was taken at once had landed.
        let landed = lifted.is_some_and(|at| contacts.glimpsed(arrival(step.m), at));
        in_the_air && late && read_whole && !landed && !self.board.is_found(arrival(step.m))
    }

    /// `by` has stopped the clocks.
    pub(crate) fn watch_stop(&mut self, by: Color) {
        let reason = self.has_reason_to_stop(by);
        self.clock.stop((!reason).then_some(by));
    }

    /// Something to call the arbiter about, or a piece to be fetched (6.11.2, 6.11.3).
    fn has_reason_to_stop(&self, by: Color) -> bool {
        let root = self.root();
        let promotes = root.pos.turn() == by && root.legal().iter().any(|m| m.is_promotion());
        promotes
            || self.docket.has_open_finding()
            || !self.docket.doubts().is_empty()
            || self.state.is_putting_back()
            || !self.clock.waiting().is_empty()
    }

    /// What was said or ordered explains why the clocks were stopped.
    pub(crate) fn excuse_stop(&mut self) {
        self.clock.excuse_stop();
    }
}

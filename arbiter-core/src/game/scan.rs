//! A scan of the board: its changes are applied together, then every hypothesis is matched afresh.

use shakmaty::{Bitboard, Square};

use crate::chess::moves::{arrival, origin};
use crate::game::Game;
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::clock::Press;
use crate::game::state::EmptyPress;
use crate::said::input::Event;
use crate::said::symbol::{Reading, Symbol};
use crate::track::hypothesis::Hypothesis;
use crate::track::look::Look;

impl Game {
    /// `square` reads `symbol`, in a scan with what else is told of the same time.
    pub(crate) fn sense(&mut self, square: Square, symbol: Symbol) {
        self.board.sense(self.clock.now(), square, symbol);
    }

    /// The whole board reads so: what differs has changed while it was out of sight. One square
    /// is a reading that was lost; a ply that nobody saw changes two.
    pub(crate) fn sense_all(&mut self, reading: &Reading) -> Changes {
        let unseen = self.board.planes().reading().differs_from(reading).count() > 1;
        match self.state.setting_up() {
            _ if !unseen => {}
            Some(_) => self.board.set_gap(true),
            None => self.board.note_changes(),
        }
        self.board.sense_all(self.clock.now(), reading);
        let changes = self.apply_scan();
        if unseen && !self.is_idle() {
            self.notice_turned_in_play();
            self.weigh_gap();
        }
        changes
    }

    /// The board trusts all its squares but these.
    pub(crate) fn distrust_squares(&mut self, squares: Bitboard) {
        self.board.set_suspect(squares, self.record.completed());
    }

    /// Keeps an input as evidence.
    pub(crate) fn witness(&mut self, event: &Event) {
        self.board.witness(event);
    }

    /// The clock tells the remaining times, where it does.
    pub(crate) fn read_clock(&mut self, white_ms: Option<u64>, black_ms: Option<u64>) {
        self.clock.read(white_ms, black_ms);
    }

    /// Applies the changes of one scan together.
    pub(crate) fn apply_scan(&mut self) -> Changes {
        self.checkpoint();
        self.note_left();
        let at = self.board.scan_at();
        let (track, settings) = (&mut self.track, &self.setup.options);
        let changed = self.board.apply_scan(|contacts, square, symbol, ended| {
            track.note_change(contacts, (at, square, symbol), ended, settings);
        });
        if changed.is_empty() {
            return NOTHING;
        }
        self.notice_answers(changed);
        self.track.read_again(changed, self.clock.now());
        if self.is_idle() {
            return NOTHING;
        }
        let put_right = self.with_pawn_replaced();
        if let Some(pos) = put_right.or_else(|| self.with_castling_finished()) {
            self.jump_to(pos);
        }
        let look = Look::at(at, self.scan_window(), false);
        self.track.expand(self.board.contacts(), &look);
        self.suspect_acts_in_motion();
        let mut changes = NOTHING;
        if !self.clock.waiting().is_empty() {
            changes.push(Change::WaitingPress);
        }
        if !changes.is_empty() || self.state.turn().empty_press.is_some() {
            changes.push(Change::EmptyPress);
        }
        changes
    }

    /// Remembers a committed position, to replay the evidence from there.
    fn checkpoint(&mut self) {
        let calm = !self.state.is_putting_back()
            && !self.board.gap()
            && self.clock.waiting().is_empty()
            && !self.is_idle();
        if calm {
            self.track
                .checkpoint(self.record.completed(), self.board.contacts());
        }
    }

    /// A press has waited for the move that the board shows now.
    pub(crate) fn answer_waiting(&mut self) -> Changes {
        let Some(press) = self.clock.first_waiting() else {
            return NOTHING;
        };
        if !self.made_cleanly(press.by) && !self.is_read_late(&press) {
            return NOTHING;
        }
        if self.is_perhaps_reply(&press) {
            return NOTHING;
        }
        self.clock.next_waiting(self.setup.options.announce_ms);
        alloc::vec![Change::Complete(press), Change::WaitingPress]
    }

    /// A square was read late, or a board read by whole states shows a move at once that it had not
    /// shown at its press: there was no breach.
    pub(crate) fn reconsider_empty_press(&mut self) -> Changes {
        let Some(EmptyPress { press, finding }) = self.state.turn().empty_press else {
            return NOTHING;
        };
        if self.is_read_late(&press) {
            self.state.turn_mut().empty_press = None;
            finding.into_iter().for_each(|id| self.withdraw(id));
            return alloc::vec![Change::Complete(press)];
        }
        match finding {
            Some(id) => self.soften_empty_press(press, id),
            None => NOTHING,
        }
    }

    /// Whether the move that `press` was for has been read since, and may have stood on the board.
    fn is_read_late(&self, press: &Press) -> bool {
        let made = self.made(self.pressed_ply());
        made.is_some_and(|line| self.was_read_late(line, press)) && self.is_made(press.by)
    }

    /// Whether the move that `press` was for may have stood on the board before it was read.
    fn was_read_late(&self, line: &Hypothesis, press: &Press) -> bool {
        let Some(step) = self.step_of(line, self.pressed_ply()) else {
            return false;
        };
        let contacts = self.board.contacts();
        let arrived = contacts.since(arrival(step.m));
        let left = origin(step.m).map(|from| contacts.since(from));
        let windows = &self.setup.options;
        let reread = windows.reread_ms;
        // The next state of a board that is read by whole ones may be some time away.
        let next_state = reread.max(windows.skew_ms);
        let whole = self.setup.polled || self.board.gap();
        if whole && left == Some(arrived) && arrived.since(press.at) <= next_state {
            return true;
        }
        // What stood on its new square at the press had left the old one by then, however late that
        // is read.
        let soon = left.is_some_and(|at| at > press.at && at.since(press.at) <= reread);
        soon && arrived <= press.at
    }
}

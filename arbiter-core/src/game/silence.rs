//! What silence means: a touch that was no brush, a made move at rest, a piece let go, a turn
//! without a clock.

use shakmaty::Position;

use crate::game::press::ELIGIBLE;
use crate::game::{Game, Press, SILENCES};
use crate::said::time::{Millis, Time};
use crate::track::backtrack::{Distrust, OPEN};
use crate::track::hypothesis::Hypothesis;

/// Which of the silences ends a game.
pub(crate) const END_OF_GAME: usize = 2;

impl Game {
    /// The next moment at which silence means something.
    pub(crate) fn next_wake(&self) -> Option<Time> {
        let scan = (!self.scan.is_empty()).then_some(self.scan_at);
        let press = self.pending.first().map(|p| p.due);
        let silence = (self.silence < SILENCES && (!self.is_idle() || self.is_turned()))
            .then(|| self.contacts.last_change() + self.silence_ms(self.silence));
        [scan, press, silence, self.conduct_due()]
            .into_iter()
            .flatten()
            .min()
    }

    fn silence_ms(&self, n: usize) -> Millis {
        let o = &self.setup.options;
        [
            o.brush_ms,
            o.announce_ms,
            o.end_of_game_ms,
            o.clockless_rest_ms,
        ][n.min(SILENCES - 1)]
    }

    /// Rules on every deadline that lies before `until`.
    pub(crate) fn pass_time(&mut self, until: Time) {
        while let Some(wake) = self.next_wake().filter(|w| *w < until) {
            self.now = self.now.max(wake);
            self.wake();
        }
    }

    fn wake(&mut self) {
        if !self.scan.is_empty() && self.scan_at <= self.now {
            return self.apply_scan();
        }
        if self.pending.first().is_some_and(|p| p.due <= self.now) {
            return self.judge_waiting(false);
        }
        if self.conduct_due().is_some_and(|due| due <= self.now) {
            return self.judge_conduct();
        }
        let n = self.silence;
        self.silence += 1;
        match n {
            0 => self.tell_obligation(),
            1 => self.on_rest(),
            END_OF_GAME => self.on_long_rest(),
            _ => self.on_clockless_rest(),
        }
    }

    /// The board has stood still for the announce window.
    fn on_rest(&mut self) {
        self.look_at_start();
        if !self.pending.is_empty() || self.is_turned() {
            return;
        }
        self.beam.rest(&self.contacts, self.setup.clock);
        if !self.best().wrong(&self.contacts).is_empty() {
            if self.gap {
                self.bridge(None);
            } else if !self.may_be_misread() || !self.backtrack(Distrust::Known) {
                self.rest_unexplained();
            }
            return;
        }
        self.gap = false;
        if !self.best().steps.is_empty() {
            self.begin_game();
        }
        self.soften_illegal();
        // A restored position begins afresh: what is best is asked after it.
        self.tell_restored();
        let best = self.best().clone();
        let made = self.length(&best);
        let shown = if self.is_centre_king_step(&best) {
            made.saturating_sub(1).max(self.completed)
        } else {
            made
        };
        self.tell_line(&best, shown, self.completed);
        self.mark_rest();
        if self.completes_by_reply() && made > self.completed + 1 {
            self.complete_without_clock(&best, made - 1);
        }
        self.settle_doubts();
    }

    /// Without a clock: the board has stood still for so long that what was to be read has been
    /// read.
    fn hear_again(&mut self) {
        if !self.setup.clock && self.restore.is_none() && self.best().wrong(&self.contacts).any() {
            self.pacing.haste();
            self.backtrack(Distrust::Known);
        }
    }

    /// No piece stays in the air for so long, if it can have come down where another was exchanged
    /// for it unseen.
    fn put_down(&mut self) {
        let least = self.best().total(&self.contacts, self.now, false);
        let (contacts, dearest) = (&self.contacts, least + ELIGIBLE);
        if !self.setup.clock {
            self.beam
                .retain(|a| a.wrong(contacts).is_empty() && a.cost <= dearest);
        }
    }

    /// Whether a board at rest that no account explains asks for the evidence to be heard again.
    /// With a clock the press asks for it, until a position was ordered to be put back.
    fn may_be_misread(&self) -> bool {
        let wrong = self.best().wrong(&self.contacts) & self.contacts.planes.occupied();
        let open = wrong.is_empty() || self.best().total(&self.contacts, self.now, false) <= OPEN;
        (!self.setup.clock && !open) || (self.restore.is_some() && !self.is_putting_right())
    }

    /// Without a clock the reply is the wall: accounts that lack the ply it answers are dropped.
    fn complete_without_clock(&mut self, best: &Hypothesis, k: usize) {
        let base = self.base;
        let agrees = |a: &Hypothesis| base + a.steps.len() >= k;
        self.beam.retain(agrees);
        self.commit_plies(best, k);
        self.turn_start = if self.setup.clock {
            best.since
        } else {
            Time::ZERO
        };
        self.running = self.setup.clock.then(|| self.record.position(k).turn());
        self.check_end(self.record.len(), false);
    }

    /// The board has stood still long enough for a piece to have been let go.
    fn on_long_rest(&mut self) {
        if self.is_idle() || self.check_kings_placed() {
            return;
        }
        self.hear_again();
        self.look_for_strays();
        self.end_at_rest();
    }

    /// A made move that stands for long enough was let go: if it ends the game, the game has ended.
    pub(crate) fn end_at_rest(&mut self) {
        let best = self.best().clone();
        let k = self.record.len();
        let rests = self.silence > END_OF_GAME
            && best.wrong(&self.contacts).is_empty()
            && k == self.length(&best);
        if rests && k > self.completed && self.ends_game(k) {
            self.commit_plies(&best, k);
            self.check_end(k, true);
        }
    }

    /// Without a clock, a long rest completes what stands, legal or not.
    fn on_clockless_rest(&mut self) {
        if !self.completes_by_reply() {
            return;
        }
        self.put_down();
        let best = self.best().clone();
        let k = self.length(&best);
        if best.wrong(&self.contacts).is_empty() {
            if k > self.completed {
                self.tell_line(&best, k, k);
                self.complete_without_clock(&best, k);
            }
        } else if self.restore.is_none() && !self.setup.clock {
            // What stands is no reply yet: the ply before it is complete, and this one is judged as
            // it stands.
            if k > self.completed {
                self.complete_without_clock(&best, k);
            }
            if self.is_idle() || self.in_hand() {
                return;
            }
            let (by, at) = (best.pos.turn(), self.now);
            self.judge_press(Press {
                by,
                at,
                due: at,
                extended: true,
            });
        }
    }
    /// Nothing more will come: what waits is decided, what stands is told.
    pub(crate) fn close(&mut self) {
        self.apply_scan();
        while !self.pending.is_empty() {
            self.judge_waiting(true);
        }
        self.give_up_waiting();
        if self.is_idle() {
            return;
        }
        self.hear_again();
        self.put_down();
        let best = self.best().clone();
        if best.wrong(&self.contacts).is_empty() && !self.is_centre_king_step(&best) {
            let k = self.length(&best);
            self.tell_line(&best, k, self.completed);
            if self.completes_by_reply() {
                self.commit_plies(&best, k);
            }
        }
        self.settle_doubts();
    }
}

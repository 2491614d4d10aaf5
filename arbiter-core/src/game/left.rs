//! Rests at which the game may have been left: the record explained the board, and since then
//! pieces have come to squares of the starting position alone.
//!
//! Whoever sets up the pieces for the next game may seem to play on. Where the starting position
//! stands in the end, the record is what it was when the game was left.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Position};

use crate::game::Game;
use crate::game::board::Silence;
use crate::game::start_of;
use crate::said::input::NextGame;
use crate::said::ruling::Doubt;
use crate::said::time::{Millis, Time};
use crate::track::hypothesis::{Hypothesis, Step};

/// Such rests that are kept, the latest.
const MOST: usize = 8;

/// So many committed plies are remembered with it: what is heard again may change them.
const HEARD_AGAIN: usize = 12;

/// A rest at which the game may have been left.
#[derive(Clone, Debug)]
pub(crate) struct Left {
    /// What the record was, from the ply with this number on, and what identifies the position
    /// before it.
    steps: Vec<Step>,
    base: usize,
    key: u64,
    /// When it began, and how long it was.
    at: Time,
    ms: Millis,
    /// What was in doubt then.
    doubts: Vec<Doubt>,
}

impl Game {
    /// A scan ends a silence. If the board stood as recorded, the game may have been left.
    pub(crate) fn note_left(&mut self) {
        let quiet = self.board.was_silent(Silence::LongRest) && !self.is_idle();
        let asks = self.setup.next_game != NextGame::GoesOn && self.record.len() > 0;
        if !quiet || !asks || self.state.is_putting_back() {
            return;
        }
        let (best, base) = (self.best(), self.track.base());
        if self.wrong(best).any() || self.length(best) != self.record.len() {
            return;
        }
        let Some(start) = start_of(&self.setup) else {
            return;
        };
        let at = self.board.contacts().last_change();
        let committed = base;
        let base = self.record.legal_since(committed, HEARD_AGAIN);
        let mut steps = self.record.steps(base, committed);
        steps.extend(&best.steps);
        let left = Left {
            steps,
            base,
            key: self.record.key_at(base),
            at,
            ms: self.board.scan_at().since(at),
            doubts: self.docket.doubts_of_moves(),
        };
        let mut rests = core::mem::take(&mut self.left);
        rests.retain(|rest| rest.at < at && self.strange_since(rest.at, &start).is_empty());
        if rests.len() == MOST {
            rests.remove(0);
        }
        rests.push(left);
        self.left = rests;
    }

    /// Squares filled after `at` on which the starting position has nothing that looks so.
    fn strange_since(&self, at: Time, start: &Chess) -> Bitboard {
        let mut strange = self.filled_since(at);
        for square in strange {
            strange.set(square, !self.is_home(square, start));
        }
        strange
    }

    fn filled_since(&self, at: Time) -> Bitboard {
        self.board.contacts().touched_since(at) & self.board.planes().occupied()
    }

    /// Whether pieces have only been taken off since the board stood as recorded for so long that
    /// it completed a turn: that tells nothing of what was played before.
    pub(crate) fn is_being_cleared(&self) -> bool {
        let enough = self.setup.options.clockless_rest_ms;
        let rest = self.left.last().filter(|rest| rest.ms >= enough);
        rest.is_some_and(|rest| self.filled_since(rest.at).is_empty())
    }

    /// Whether what was done since the board last stood as recorded may be the setting up of pieces
    /// for the next game. After a rest that completes no turn, one piece says too little.
    pub(crate) fn is_perhaps_setting_up(&self) -> bool {
        let (Some(start), Some(rest)) = (start_of(&self.setup), self.left.last()) else {
            return false;
        };
        let long = rest.ms >= self.setup.options.clockless_rest_ms;
        let least = if long { 1 } else { 2 };
        self.filled_since(rest.at).count() >= least
            && self.strange_since(rest.at, &start).is_empty()
    }

    /// The rest at which the game was left, the starting position being set up now: the longest of
    /// them. Those that would have completed a turn are alike, and the last of them is it.
    pub(crate) fn when_left(&self, start: &Chess) -> Option<Left> {
        let enough = self.setup.options.clockless_rest_ms;
        let fits = |rest: &&Left| self.ends_with(rest, start);
        let rests = self.left.iter().filter(fits);
        rests.max_by_key(|rest| rest.ms.min(enough)).cloned()
    }

    /// Whether nothing that was recorded since `rest` can have been more than setting up pieces.
    fn ends_with(&self, rest: &Left, start: &Chess) -> bool {
        let told = self.record.len();
        let known = rest.base <= told && self.record.key_at(rest.base) == rest.key;
        let same = |n: &usize| {
            let step = rest.steps.get(n - rest.base - 1);
            step.map(|step| step.m) == self.record.ply(*n).and_then(|ply| ply.m)
        };
        let pressed = if self.setup.clock {
            self.record.completed()
        } else {
            0
        };
        known && pressed <= rest.length() && {
            // What had been played by then may have been told otherwise since, while pieces were
            // set up.
            let earlier = |n| self.record.ply(n).is_some_and(|ply| ply.at <= rest.at);
            let kept = (rest.base + 1..=told).take_while(same).count() + rest.base;
            (kept + 1..=told).all(|n| earlier(n) || self.goes_home(n, start))
        }
    }

    /// Whether `line` is the record as it was when the board last stood so.
    pub(crate) fn is_as_left(&self, line: &Hypothesis) -> bool {
        self.left.last().is_some_and(|rest| {
            let past = self.track.base().checked_sub(rest.base);
            let since = past.and_then(|past| rest.steps.get(past..));
            let moves = |step: &Step| step.m;
            since.is_some_and(|since| since.iter().map(moves).eq(line.steps.iter().map(moves)))
        })
    }

    /// The record is what it was when the game was left.
    pub(crate) fn tell_as_left(&mut self, rest: &Left) {
        let (length, completed) = (rest.length(), self.record.completed());
        let (contacts, now) = (self.board.contacts(), self.clock.now());
        let before = self.record.position(rest.base);
        let mut line = Hypothesis::new(before.clone(), now);
        for step in &rest.steps {
            line.pos.play_unchecked(step.m);
            line.steps.push(*step);
        }
        self.track.reset(before, rest.base, contacts, now);
        self.tell_line(&line, length, completed.min(length));
        self.record.set_completed(completed.min(length));
        // Should the game go on, it goes on from there.
        line.early = line.wrong(self.board.contacts());
        self.track.adopt(alloc::vec![line]);
        self.prune_common();
        // Nothing that was done since bears on what was in doubt.
        for doubt in &rest.doubts {
            if !self.docket.has_doubt(doubt.ply, doubt.kind) {
                self.tell_doubt(doubt.clone());
            }
        }
        self.docket
            .leave_in_doubt(|doubt| doubt.ply as usize <= length);
    }

    /// What was set up or ordered is no game that can have been left.
    pub(crate) fn forget_left(&mut self) {
        self.left.clear();
    }
}

impl Left {
    /// Plies that had been played by then.
    fn length(&self) -> usize {
        self.base + self.steps.len()
    }

    /// When the board was touched again.
    pub(crate) fn until(&self) -> Time {
        self.at + self.ms
    }
}

//! When evidence is replayed from a checkpoint, and how.

use crate::said::time::{Millis, Time};
use crate::track::cost;

/// What may be left open at the end: a reply that has begun.
pub(crate) const OPEN: i32 = 2 * cost::HALF_PLACED;

/// What may be thought of in all replays together, in hypotheses
/// ([`Beam::effort`](crate::track::beam::Beam::effort)): a few milliseconds at most. Where there is
/// an explanation at all, a twentieth of that is nearly always enough; with less, one game in a
/// hundred played in a hurry on an occupancy board that loses readings is not followed any more.
pub(crate) const EFFORT: usize = 10_000;

/// The same without a clock, where it is tried at every rest and not at a press: what is found
/// after more of it is as often wrong as right.
pub(crate) const EFFORT_CLOCKLESS: usize = 3_000;

/// Without a clock nothing but costs tells two hypotheses apart that explain what was told: this
/// close, both are told.
pub(crate) const RIVAL: i32 = cost::LATE + cost::UNRESTED;

/// Without a clock an account with an illegal move this far above one without is told beside it: as
/// much as the one costs more than a capture of which nothing was seen, and two rests.
pub(crate) const ILLEGAL_AS_WELL: i32 = cost::ILLEGAL - cost::UNTOUCHED + 2 * cost::UNRESTED;

/// The same where a press has said that a ply was made: no more than what a rest tells.
pub(crate) const PRESSED_AS_WELL: i32 = 2 * cost::UNRESTED;

/// After a vain attempt the next waits this long at first, then twice as long each time, in
/// milliseconds.
const SHORTEST_WAIT: Millis = 1_000;

const LONGEST_WAIT: Millis = 30_000;

/// Without a clock the next attempt waits this long for each entry to be replayed, in milliseconds.
const WAIT_AN_ENTRY: Millis = 10;

/// When to try again after vain attempts.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Backoff {
    not_before: Time,
    wait: Millis,
}

impl Backoff {
    /// Whether it is too early to try again.
    pub(crate) fn waits(&self, now: Time) -> bool {
        now < self.not_before
    }

    /// Forgets earlier attempts: there is no better moment than now.
    pub(crate) fn reset(&mut self) {
        *self = Backoff::default();
    }

    /// An attempt was in vain.
    pub(crate) fn failed(&mut self, now: Time) {
        self.wait = (self.wait * 2).clamp(SHORTEST_WAIT, LONGEST_WAIT);
        self.not_before = now + self.wait;
    }

    /// The same without a clock, where every rest may be the one that decides: the more `entries`
    /// there are to replay, the rarer it is done.
    pub(crate) fn failed_clockless(&mut self, now: Time, entries: usize) {
        self.wait = entries as Millis * WAIT_AN_ENTRY;
        self.not_before = now + self.wait;
    }
}

/// When a press that the board explains is not taken for explained.
#[derive(Clone, Copy)]
pub(crate) enum Distrust {
    /// Never: nothing contradicts what was read.
    None,
    /// On a board that has lost readings before.
    Known,
    /// There, and where nothing else explains what was told.
    Any,
}

/// How evidence is replayed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReplayMode {
    /// Whether readings are missed that never came.
    pub(crate) unread: bool,
    /// Whether nobody presses: every scan is looked at with hindsight.
    pub(crate) clockless: bool,
    /// Whether the board has lost or delayed readings before.
    pub(crate) misreads: bool,
}

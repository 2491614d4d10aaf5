//! Notices that the pieces are set up again after a game has ended.

use arbiter_core::view::{Phase, View};
use arbiter_core::{Reading, Time};

/// A starting position that has stood this long is meant, in board milliseconds.
const MEANT: u64 = 2_000;
/// When players begin sooner, it was meant if it stood at least this long.
const BEGUN: u64 = 500;

/// The watch for the next game: since when the starting position stands on a board whose game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct NextGame {
    since: Option<Time>,
}

impl NextGame {
    /// Looks at the board at the time `at`; `start` is what the next game's starting position reads.
    pub(super) fn look(&mut self, view: &View, start: Option<Reading>, at: Time) {
        // A game that ended in its own starting position was not set up again.
        let set_up = view.state == Phase::Ended && start == Some(view.reading) && !view.differs.is_empty();
        self.since = set_up.then(|| self.since.unwrap_or(at));
    }

    /// Whether a report at `at` is the first of the next game.
    pub(super) fn begins_at(self, at: Time) -> bool {
        self.since.is_some_and(|since| at.since(since) >= BEGUN)
    }

    /// After which moment the next game begins if nothing happens.
    pub(super) fn wake(self) -> Option<Time> {
        self.since.map(|since| since + MEANT)
    }
}

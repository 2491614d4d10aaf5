//! How many games boards may begin, and when.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Games that all boards together may still begin.
#[derive(Clone, Debug)]
pub(super) struct Budget(Arc<AtomicU64>);

impl Budget {
    /// `games` games, or no end of them.
    pub(super) fn new(games: Option<u64>) -> Budget {
        Budget(Arc::new(AtomicU64::new(games.unwrap_or(u64::MAX))))
    }

    /// Takes one game, if one is left.
    pub(super) fn take(&self) -> bool {
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(1)
            })
            .is_ok()
    }

    /// Whether one is left.
    pub(super) fn is_left(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }
}

/// The rounds that were started: a board plays its first game in the first, and so on.
#[derive(Clone, Debug, Default)]
pub(super) struct Gate(Arc<AtomicU64>);

impl Gate {
    /// One more round is started.
    pub(super) fn open(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether a board that has played so many games may play another.
    pub(super) fn is_open_after(&self, played: u64) -> bool {
        played < self.0.load(Ordering::Relaxed)
    }
}

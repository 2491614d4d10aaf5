//! How far the bench has come, on a terminal only.

use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// A line on the terminal that says how much is left.
#[derive(Debug)]
pub struct Progress {
    total: usize,
    done: AtomicUsize,
    start: Instant,
    shown: bool,
}

impl Progress {
    /// Progress towards `total` games.
    pub fn new(total: usize) -> Progress {
        Progress {
            total,
            done: AtomicUsize::new(0),
            start: Instant::now(),
            shown: stderr().is_terminal(),
        }
    }

    /// `more` games are done, the last of them in `case`.
    pub fn add(&self, more: usize, case: &str) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        if self.shown {
            let part = done as f64 / self.total as f64;
            let left = self.start.elapsed().as_secs_f64() * (1.0 / part - 1.0);
            let percent = 100.0 * part;
            // A terminal that has gone is no reason to stop.
            let _ignored = write!(
                stderr(),
                "\r{percent:5.1} %  {done} of {} games, {left:.0} s left  {case}\x1b[K",
                self.total
            );
        }
    }

    /// Takes the line away.
    pub fn end(&self) {
        if self.shown {
            let _ignored = write!(stderr(), "\r\x1b[K");
        }
    }

    /// Seconds since it began.
    pub fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

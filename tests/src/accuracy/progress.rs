//! How far the bench has come: a line that changes on a terminal, elsewhere now and then a line or
//! nothing.

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
    lines: bool,
}

impl Progress {
    /// Progress towards `total` games.
    pub fn new(total: usize) -> Progress {
        Progress {
            total,
            done: AtomicUsize::new(0),
            start: Instant::now(),
            shown: stderr().is_terminal(),
            lines: false,
        }
    }

    /// The same, with a line for every twentieth where there is no terminal.
    pub fn in_lines(total: usize) -> Progress {
        let progress = Progress::new(total);
        Progress {
            lines: !progress.shown,
            ..progress
        }
    }

    /// `more` games are done, the last of them in `case`.
    pub fn add(&self, more: usize, case: &str) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        let twentieth = |n: usize| n * 20 / self.total.max(1);
        if self.lines && twentieth(done) > twentieth(done - more) {
            eprintln!(
                "{:3} %  {done} of {}, {:.0} s",
                5 * twentieth(done),
                self.total,
                self.seconds()
            );
        }
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

//! When to scan, and what time it is on the board's clock.

use std::thread;
use std::time::{Duration, Instant};

/// A steady pace. What came too late is not made up for: the next scan is a period after it.
#[derive(Debug)]
pub struct Ticker {
    start: Instant,
    period: Duration,
    next: Instant,
}

impl Ticker {
    /// So many times a second, from now on.
    pub fn new(hertz: u16) -> Ticker {
        let start = Instant::now();
        Ticker {
            start,
            period: Duration::from_secs(1) / u32::from(hertz.max(1)),
            next: start,
        }
    }

    /// Waits until the next scan is due, and says what the board's clock shows then, in
    /// milliseconds.
    pub fn wait(&mut self) -> u32 {
        let now = Instant::now();
        if self.next > now {
            thread::sleep(self.next - now);
        }
        let now = Instant::now();
        self.next = (self.next + self.period).max(now);
        // Wraps after 49.7 days, as the protocol has it.
        now.duration_since(self.start).as_millis() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_kept_and_what_was_missed_is_not_made_up_for() {
        let mut ticker = Ticker::new(100);
        let first = ticker.wait();
        for _ in 0..10 {
            ticker.wait();
        }
        let tenth = ticker.wait();
        assert!(tenth - first >= 100, "{first} {tenth}");
        thread::sleep(Duration::from_millis(100));
        let late = ticker.wait();
        let next = ticker.wait();
        let after = ticker.wait();
        assert!(
            late - tenth >= 100 && after - next >= 9 && after - late >= 9,
            "{tenth} {late} {next} {after}"
        );
    }
}

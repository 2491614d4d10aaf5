//! What a board's clock shows now, as far as frames that take their time to arrive can tell.

use std::time::{Duration, Instant};

use arbiter_core::Time;

/// How long frames are compared before the estimate is allowed to go back.
const WINDOW: Duration = Duration::from_secs(10);

/// An estimate of a board's clock: the frame that came with the least delay says best what time it
/// is there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BoardClock {
    anchor: Instant,
    shows: Time,
    pace: f32,
    window: Instant,
    /// The smallest delay in this window, in board milliseconds.
    late: u64,
}

impl BoardClock {
    /// A clock that shows `shows` at `now` and runs `pace` times as fast as the world's; 0 stands
    /// still.
    pub fn new(now: Instant, shows: Time, pace: f32) -> BoardClock {
        BoardClock {
            anchor: now,
            shows,
            pace,
            window: now,
            late: u64::MAX,
        }
    }

    /// How many times as fast as the world it runs; 0: it jumps.
    pub fn pace(&self) -> f32 {
        self.pace
    }

    /// What the board's clock shows at `when`. Never earlier than a moment the board has named.
    pub fn at(&self, when: Instant) -> Time {
        let passed = when.saturating_duration_since(self.anchor).as_secs_f64() * 1000.0;
        self.shows + (passed * f64::from(self.pace)) as u64
    }

    /// When the board's clock will show `at`. `None` on a clock that jumps from event to event.
    pub fn when(&self, at: Time) -> Option<Instant> {
        let ahead = at.since(self.shows) as f64 / (f64::from(self.pace) * 1000.0);
        let ahead = Duration::try_from_secs_f64(ahead).ok()?;
        self.anchor.checked_add(ahead)
    }

    /// A frame that arrived at `now` said that the board's clock showed `said` when it was sent.
    pub fn observe(&mut self, now: Instant, said: Time) {
        let expected = self.at(now);
        if said >= expected {
            self.shift(now, said);
            return;
        }
        self.late = self.late.min(expected.since(said));
        if now.saturating_duration_since(self.window) >= WINDOW {
            // Every frame of the window was late by at least this much: our clock runs faster than
            // the board's.
            self.shift(now, expected - self.late);
        }
    }

    fn shift(&mut self, now: Instant, shows: Time) {
        *self = BoardClock::new(now, shows, self.pace);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(start: Instant, ms: u64) -> Instant {
        start + Duration::from_millis(ms)
    }

    #[test]
    fn the_quickest_frame_counts() {
        let start = Instant::now();
        let mut clock = BoardClock::new(start, Time(1_000), 1.0);
        clock.observe(after(start, 500), Time(1_450));
        assert_eq!(
            clock.at(after(start, 600)),
            Time(1_600),
            "a late frame does not set the clock back"
        );
        clock.observe(after(start, 700), Time(1_720));
        assert_eq!(
            clock.at(after(start, 800)),
            Time(1_820),
            "an earlier one sets it on"
        );
    }

    #[test]
    fn a_slow_board_is_followed() {
        let start = Instant::now();
        let mut clock = BoardClock::new(start, Time(0), 1.0);
        for second in 1..=100 {
            clock.observe(after(start, second * 1_000), Time(second * 999));
        }
        let ahead = clock.at(after(start, 100_000)).0 as i64 - 99_900;
        assert!((0..=20).contains(&ahead), "{ahead} ms ahead");
    }

    #[test]
    fn pace() {
        let start = Instant::now();
        let clock = BoardClock::new(start, Time(100), 20.0);
        assert_eq!(clock.at(after(start, 10)), Time(300));
        assert_eq!(clock.when(Time(300)), Some(after(start, 10)));
        assert_eq!(clock.when(Time(50)), Some(start));
        let still = BoardClock::new(start, Time(100), 0.0);
        assert_eq!(still.at(after(start, 10_000)), Time(100));
        assert_eq!(still.when(Time(300)), None);
    }
}

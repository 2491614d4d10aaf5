//! A thousand scans a second.

use fugit::MicrosDurationU32;
use rp2040_hal::Timer;
use rp2040_hal::timer::{Alarm, Alarm0, Instant};

const PERIOD: MicrosDurationU32 = MicrosDurationU32::millis(1);

/// The board's clock in milliseconds, and when it next moves on.
pub(crate) struct Tick {
    timer: Timer,
    alarm: Alarm0,
    next: Instant,
    ms: u32,
}

impl Tick {
    /// Starts at zero. `None` when somebody has taken the alarm.
    pub(crate) fn start(mut timer: Timer) -> Option<Tick> {
        let mut alarm = timer.alarm_0()?;
        alarm.enable_interrupt();
        let mut tick = Tick {
            timer,
            alarm,
            next: timer.get_counter(),
            ms: 0,
        };
        tick.arm();
        Some(tick)
    }

    /// Whether a millisecond or more has gone by since the last one that was told of.
    pub(crate) fn is_due(&self) -> bool {
        self.timer.get_counter() >= self.next
    }

    /// The same; it is told of by this.
    pub(crate) fn passes(&mut self) -> bool {
        let now = self.timer.get_counter();
        let due = now >= self.next;
        while now >= self.next {
            self.ms = self.ms.wrapping_add(1);
            self.next += PERIOD;
        }
        if due {
            self.arm();
        }
        due
    }

    /// What the board's clock shows.
    pub(crate) fn ms(&self) -> u32 {
        self.ms
    }

    /// The microseconds since power-up, mixed: when a host says something is chance to a board.
    pub(crate) fn chance(&self) -> u32 {
        let us = self.timer.get_counter_low();
        us.wrapping_mul(0x9e37_79b9) ^ us.rotate_left(16)
    }

    fn arm(&mut self) {
        self.alarm.clear_interrupt();
        // Too long a time ahead is refused; a millisecond is not.
        let _ = self.alarm.schedule_at(self.next);
    }
}

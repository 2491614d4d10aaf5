//! Simulated DGT boards.
//!
//! [`unit`] is one board in either mode, [`clock`] the clock on its cable, [`memory`] what it
//! keeps. Many on one line are put together by [`crate::sim::BusSim`].

mod clock;
mod memory;
mod unit;

use std::time::{Duration, Instant};

use super::{Device, DeviceConfig, Moment};
use crate::event::Report;
pub(crate) use unit::Unit;

/// A board alone on its line.
#[derive(Debug)]
struct Single {
    unit: Unit,
    pace: f64,
    /// The moment on both clocks, when it was last known.
    at: Moment,
}

/// A board just switched on. `Err` says what cannot be.
pub(crate) fn single(config: &DeviceConfig, now: Instant) -> Result<Box<dyn Device>, String> {
    let unit = Unit::new(config)?;
    Ok(Box::new(Single {
        unit,
        pace: f64::from(config.pace),
        at: Moment { now, ms: 0 },
    }))
}

impl Device for Single {
    fn happen(&mut self, at: Moment, report: &Report) {
        self.at = at;
        self.unit.happen(u64::from(at.ms), report);
    }

    fn receive(&mut self, at: Moment, bytes: &[u8]) {
        self.at = at;
        self.unit.receive(u64::from(at.ms), bytes);
    }

    fn next_frame(&mut self, at: Moment) -> Option<Vec<u8>> {
        self.at = at;
        self.unit.next_frame(u64::from(at.ms))
    }

    fn next_wake(&self) -> Option<Instant> {
        let ahead = self.unit.next_wake()?.saturating_sub(u64::from(self.at.ms));
        // A board's millisecond is less than the world's where it plays fast.
        let ahead = Duration::try_from_secs_f64((ahead as f64 + 1.0) / self.pace / 1_000.0).ok()?;
        Some(self.at.now + ahead)
    }

    fn wake(&mut self, at: Moment) {
        self.at = at;
        self.unit.wake(u64::from(at.ms));
    }

    fn is_ready(&self) -> bool {
        self.unit.was_read()
    }

    fn is_drained(&self) -> bool {
        self.unit.is_drained()
    }

    fn reboot(&mut self, at: Moment) {
        self.at = at;
        self.unit.reboot();
    }
}

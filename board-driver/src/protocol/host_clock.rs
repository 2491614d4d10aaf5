//! Time for boards that tell none: what they say is dated when it comes.

use std::time::Instant;

use arbiter_core::Time;

use super::{Delivery, Outbox, Start};
use crate::event::{BoardEvent, Mark, Report};

/// Dates the reports of a board without a clock of its own, in milliseconds since the program first
/// looked for it. It runs on while the board is away, so what is heard after a reconnection lies
/// after what was heard before.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HostClock {
    start: Instant,
    pace: f32,
    boot: u16,
}

impl HostClock {
    /// A clock that starts at 0. Each run of the program is a run of the board to those who keep
    /// marks.
    pub fn new(start: &Start) -> HostClock {
        let boot = start.resume.map_or(1, |mark| mark.boot.wrapping_add(1));
        HostClock {
            start: start.now,
            pace: start.pace,
            boot,
        }
    }

    /// What it shows.
    pub fn at(&self, now: Instant) -> Time {
        let passed = now.saturating_duration_since(self.start).as_secs_f64() * 1_000.0;
        Time((passed * f64::from(self.pace)) as u64)
    }

    /// [`crate::BoardInfo::pace`] of the board.
    pub fn pace(&self) -> f32 {
        self.pace
    }

    /// [`crate::BoardInfo::boot`] of the board.
    pub fn boot(&self) -> u16 {
        self.boot
    }

    /// Reports something that came at `now`.
    pub fn report(&self, now: Instant, report: Report, out: &mut Outbox) {
        let at = self.at(now);
        out.heard = out.heard.max(Some(at));
        self.recall(at, report, out);
    }

    /// Reports something that happened at `at`, and is told later: nothing is said of now.
    pub fn recall(&self, at: Time, report: Report, out: &mut Outbox) {
        let mark = Some(Mark {
            boot: self.boot,
            next: 0,
        });
        out.reports.push(Delivery {
            event: BoardEvent { at, report },
            mark,
        });
    }
}

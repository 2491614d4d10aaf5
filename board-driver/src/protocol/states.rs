//! The host's end that boards which send whole states have in common: who they are, what differs,
//! and how long is silent.

use std::time::{Duration, Instant};

use arbiter_core::{Reading, SensorClass};

use super::{HostClock, Outbox, Squares, Start, diff};
use crate::event::{BoardInfo, Report};
use crate::fault::FaultReason;

/// A board that has said nothing for this long is lost.
pub(super) const SILENCE: Duration = Duration::from_secs(3);

/// Between two reports that nothing has changed.
const ALIVE: Duration = Duration::from_millis(500);

/// More squares than hands change within one scan. Where a language has no check sum, a state that
/// differs in more is believed only when the next one is like it.
const SUDDEN: usize = 8;

/// What is known of a board that sends whole states.
#[derive(Clone, Debug)]
pub(crate) struct States {
    clock: HostClock,
    squares: Squares,
    /// The board has said who it is in this connection.
    greeted: bool,
    /// When a whole message was last heard.
    heard: Instant,
    /// Bytes have come since then.
    noise: bool,
    /// When something was last reported.
    told: Instant,
    /// A state that differs too much from the one before to be believed by itself.
    sudden: Option<Reading>,
}

impl States {
    pub(super) fn new(start: &Start) -> States {
        States {
            clock: HostClock::new(start),
            squares: Squares::default(),
            greeted: false,
            heard: start.now,
            noise: false,
            told: start.now,
            sudden: None,
        }
    }

    /// The line was opened.
    pub(super) fn open(&mut self, now: Instant) {
        self.squares.forget();
        (self.greeted, self.noise, self.sudden) = (false, false, None);
        (self.heard, self.told) = (now, now);
    }

    /// Bytes came.
    pub(super) fn bytes(&mut self) {
        self.noise = true;
    }

    /// A whole message came, which says how the board stands now.
    pub(super) fn message(&mut self, now: Instant, out: &mut Outbox) {
        self.whole(now);
        self.shows(now, out);
    }

    /// A whole message came.
    pub(super) fn whole(&mut self, now: Instant) {
        (self.heard, self.noise) = (now, false);
    }

    /// What happened on the board up to `then` is known.
    pub(super) fn shows(&mut self, then: Instant, out: &mut Outbox) {
        if self.greeted {
            out.heard = out.heard.max(Some(self.clock.at(then)));
        }
    }

    /// Whether the board has said who it is.
    pub(super) fn is_greeted(&self) -> bool {
        self.greeted
    }

    /// The board has said who it is: once in a connection.
    pub(super) fn greet(&mut self, now: Instant, announcement: Announcement, out: &mut Outbox) {
        if std::mem::replace(&mut self.greeted, true) {
            return;
        }
        let Announcement {
            sensor,
            lamps,
            scan_ms,
        } = announcement;
        // None of these boards tells a serial number.
        let serial = String::new();
        let (pace, boot) = (self.clock.pace(), self.clock.boot());
        let info = BoardInfo {
            serial,
            sensor,
            clock: false,
            polled: true,
            lamps,
            adjust: false,
            levels: false,
            map: false,
            self_test: false,
            pace,
            boot,
            scan_ms,
        };
        self.clock.report(now, Report::Hello(info), out);
    }

    /// What every square reads.
    pub(super) fn state(&mut self, now: Instant, reading: Reading, out: &mut Outbox) {
        self.sudden = None;
        let report = self.squares.told(reading);
        if report.is_none() && now < self.told + ALIVE {
            return;
        }
        self.told = now;
        self.clock.report(now, report.unwrap_or(Report::Alive), out);
    }

    /// What every square reads, in a language that has no check sum.
    pub(super) fn unchecked(&mut self, now: Instant, reading: Reading, out: &mut Outbox) {
        let is_near = |known: Option<&Reading>| {
            known.is_none_or(|known| diff(known, &reading).len() <= SUDDEN)
        };
        if is_near(self.squares.known()) || (self.sudden.is_some() && is_near(self.sudden.as_ref()))
        {
            self.state(now, reading, out);
        } else {
            self.sudden = Some(reading);
        }
    }

    /// All squares are to be told again, as they next read.
    pub(super) fn forget(&mut self) {
        self.squares.forget();
    }

    /// When [`States::silence`] is to be asked.
    pub(super) fn next_wake(&self) -> Instant {
        self.silent_at(SILENCE)
    }

    /// The same, where the board may say nothing for so long.
    pub(super) fn silent_at(&self, patience: Duration) -> Instant {
        self.heard + patience
    }

    /// Sets the fault of a board that has been silent for too long.
    pub(super) fn silence(&self, now: Instant, out: &mut Outbox) {
        self.silence_after(SILENCE, now, out);
    }

    /// The same, where the board may say nothing for so long.
    pub(super) fn silence_after(&self, patience: Duration, now: Instant, out: &mut Outbox) {
        if now >= self.silent_at(patience) {
            out.fault = Some(match (self.noise, self.greeted) {
                (true, _) => FaultReason::Garbage,
                (false, true) => FaultReason::Silent,
                (false, false) => FaultReason::NoAnswer,
            });
        }
    }
}

/// What a board says of itself.
pub(super) struct Announcement {
    pub(super) sensor: SensorClass,
    pub(super) lamps: bool,
    /// Milliseconds between two of its states.
    pub(super) scan_ms: u32,
}

#[cfg(test)]
mod tests {
    use arbiter_core::shakmaty::Board;

    use super::*;

    fn reports(states: &mut States, now: Instant, reading: Reading) -> Vec<Report> {
        let mut out = Outbox::default();
        states.unchecked(now, reading, &mut out);
        out.reports
            .into_iter()
            .map(|delivery| delivery.event.report)
            .collect()
    }

    #[test]
    fn what_is_sudden_must_be_seen_twice() {
        let now = Instant::now();
        let mut states = States::new(&Start::new(now));
        let full = SensorClass::Occupancy.reads(&Board::new());
        assert_eq!(reports(&mut states, now, full), [Report::Snapshot(full)]);
        assert_eq!(reports(&mut states, now, Reading::EMPTY), []);
        assert_eq!(reports(&mut states, now, full), [], "it was noise");
        assert_eq!(reports(&mut states, now, Reading::EMPTY), []);
        let told = reports(&mut states, now, Reading::EMPTY);
        assert!(matches!(&told[..], [Report::Changes(all)] if all.len() == 32));
    }

    #[test]
    fn silence_has_its_reasons() {
        let now = Instant::now();
        let mut states = States::new(&Start::new(now));
        let fault = |states: &States, later| {
            let mut out = Outbox::default();
            states.silence(now + later, &mut out);
            out.fault
        };
        states.open(now);
        assert_eq!(fault(&states, SILENCE / 2), None);
        assert_eq!(fault(&states, SILENCE), Some(FaultReason::NoAnswer));
        states.bytes();
        assert_eq!(fault(&states, SILENCE), Some(FaultReason::Garbage));
    }
}

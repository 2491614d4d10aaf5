//! A simulated eChess board (see [`crate::protocol::echess`]): it tells its state when it has been
//! stable long enough.

use std::time::{Duration, Instant};

use arbiter_core::Reading;

use super::end::apply;
use super::{Device, DeviceConfig, Moment};
use crate::event::Report;
use crate::protocol::echess::{STABLE, encode};

#[derive(Debug)]
struct EChess {
    squares: Reading,
    /// What was told last; an Arduino that has just started has told nothing.
    told: Option<Reading>,
    /// A host has opened the port and written something; an Arduino starts anew then.
    opened: bool,
    /// When the reading will have been stable for long enough.
    stable: Instant,
    pace: f64,
    frame: Option<Vec<u8>>,
    lamps: Lamps,
}

/// The lamps, and what has come of a new setting of them.
#[derive(Debug, Default)]
struct Lamps {
    lit: u64,
    coming: Option<u64>,
}

/// Switches one on.
pub(crate) fn echess(config: &DeviceConfig, now: Instant) -> Result<Box<dyn Device>, String> {
    Ok(Box::new(EChess {
        squares: config.squares,
        told: None,
        opened: false,
        stable: now,
        pace: f64::from(config.pace),
        frame: None,
        lamps: Lamps::default(),
    }))
}

impl EChess {
    fn unstable(&mut self, now: Instant) {
        self.stable = now + Duration::from_secs_f64(STABLE.as_secs_f64() / self.pace);
    }

    fn has_news(&self) -> bool {
        self.opened && self.told != Some(self.squares)
    }
}

impl Device for EChess {
    fn happen(&mut self, at: Moment, report: &Report) {
        apply(report, &mut self.squares);
        if matches!(report, Report::Changes(_) | Report::Snapshot(_)) {
            self.unstable(at.now);
        }
    }

    fn receive(&mut self, at: Moment, bytes: &[u8]) {
        if !self.opened {
            self.opened = true;
            self.unstable(at.now);
        }
        bytes.iter().for_each(|byte| self.lamps.hear(*byte));
    }

    fn next_frame(&mut self, _at: Moment) -> Option<Vec<u8>> {
        self.frame.take()
    }

    fn next_wake(&self) -> Option<Instant> {
        self.has_news().then_some(self.stable)
    }

    fn wake(&mut self, at: Moment) {
        if self.has_news() && at.now >= self.stable {
            self.told = Some(self.squares);
            self.frame = Some(encode(&self.squares).to_vec());
        }
    }

    fn is_ready(&self) -> bool {
        self.told.is_some()
    }

    fn is_drained(&self) -> bool {
        self.frame.is_none() && !self.has_news()
    }

    fn reboot(&mut self, at: Moment) {
        (self.told, self.frame) = (None, None);
        self.unstable(at.now);
    }

    fn lamps(&self) -> u64 {
        self.lamps.lit
    }
}

impl Lamps {
    fn hear(&mut self, byte: u8) {
        match (byte, self.coming) {
            (0xfe, _) => self.coming = Some(0),
            (0xff, Some(lit)) => (self.lit, self.coming) = (lit, None),
            (square, Some(lit)) => {
                let index = u32::from(square >> 4 & 7) * 8 + u32::from(square & 7);
                self.coming = Some(lit | 1 << index);
            }
            _ => {}
        }
    }
}

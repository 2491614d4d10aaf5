//! Simulated boards that send their whole state, scan after scan.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use arbiter_core::shakmaty::Square;
use arbiter_core::{Reading, Symbol};

use super::{Device, DeviceConfig, Moment};
use crate::event::Report;

/// What such a board sends, and what it understands.
pub(super) trait Language: Send + Debug {
    /// Squares changed, all at once; lifts are `Symbol::Empty`.
    fn moved(&mut self, _changes: &[(Square, Symbol)]) {}
    /// The bytes of one state.
    fn state(&mut self, squares: &Reading) -> Vec<u8>;
    /// Bytes came from the host.
    fn hear(&mut self, bytes: &[u8]);
    /// Whether it sends states now.
    fn speaks(&self) -> bool;
    /// Whether a host has heard what stands on the board, after it was sent `frames` states.
    fn is_heard(&self, frames: u64) -> bool;
    /// Whether it sends states though nothing has changed since the last.
    fn repeats(&self) -> bool {
        true
    }
    /// What it says besides.
    fn reply(&mut self) -> Option<Vec<u8>> {
        None
    }
    /// It has lost its power and is back.
    fn reboot(&mut self) {}
    /// The squares the host wants lit: bit 0 is a1.
    fn lamps(&self) -> u64;
}

/// A board that speaks such a language.
#[derive(Debug)]
pub(super) struct Stream<L> {
    language: L,
    squares: Reading,
    /// Between two scans, by the world's clock.
    scan: Duration,
    due: Instant,
    /// The last state, until it is handed out. One that nobody takes is overtaken by the next.
    state: Option<Vec<u8>>,
    /// Something has changed since the last state.
    changed: bool,
    /// States handed out.
    frames: u64,
}

impl<L: Language> Stream<L> {
    /// A board that scans every `scan_ms` of its own milliseconds, where the configuration says
    /// nothing else.
    pub(super) fn new(language: L, config: &DeviceConfig, scan_ms: u32, now: Instant) -> Stream<L> {
        let scan_ms = if config.scan_ms == 0 {
            scan_ms
        } else {
            config.scan_ms
        };
        let scan = Duration::from_millis(u64::from(scan_ms)).div_f32(config.pace);
        let squares = config.squares;
        Stream {
            language,
            squares,
            scan,
            due: now,
            state: None,
            changed: true,
            frames: 0,
        }
    }
}

impl<L: Language> Device for Stream<L> {
    fn happen(&mut self, _at: Moment, report: &Report) {
        match report {
            Report::Changes(changes) => {
                self.language.moved(changes);
                changes
                    .iter()
                    .for_each(|(square, symbol)| self.squares.set(*square, *symbol));
                self.changed = true;
            }
            Report::Snapshot(reading) => {
                let changes = crate::protocol::diff(&self.squares, reading);
                self.language.moved(&changes);
                self.squares = *reading;
                self.changed = true;
            }
            _ => {}
        }
    }

    fn receive(&mut self, _at: Moment, bytes: &[u8]) {
        self.language.hear(bytes);
    }

    fn next_frame(&mut self, _at: Moment) -> Option<Vec<u8>> {
        let reply = self.language.reply();
        if reply.is_some() {
            return reply;
        }
        let state = self.state.take();
        self.frames += u64::from(state.is_some());
        state
    }

    fn next_wake(&self) -> Option<Instant> {
        Some(self.due)
    }

    fn wake(&mut self, at: Moment) {
        if at.now < self.due {
            return;
        }
        // A scan that comes late does not make the next one come early.
        self.due = (self.due + self.scan).max(at.now);
        let is_due = self.language.speaks() && (self.language.repeats() || self.changed);
        if is_due {
            self.state = Some(self.language.state(&self.squares));
            self.changed = false;
        }
    }

    fn is_ready(&self) -> bool {
        self.language.is_heard(self.frames)
    }

    fn is_drained(&self) -> bool {
        !self.changed && self.state.is_none()
    }

    fn reboot(&mut self, at: Moment) {
        self.language.reboot();
        (self.due, self.state, self.frames, self.changed) = (at.now, None, 0, true);
    }

    fn lamps(&self) -> u64 {
        self.language.lamps()
    }
}

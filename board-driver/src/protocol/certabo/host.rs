//! The host's end of either board's line: frames in, and whose they are; lamps out.

use std::fmt::Debug;
use std::time::Instant;

use arbiter_core::SensorClass;

use super::frame::{Decoded, Decoder};
use super::lamps::Lamps;
use crate::fault::FaultReason;
use crate::protocol::states::{Announcement, States};
use crate::protocol::{Command, Outbox, Protocol, Start};

/// Between two frames of the slowest board, in milliseconds: each is a fifth of a second long on
/// the line where tags are read.
const SCAN_MS: u32 = 250;

/// What either board says of itself by sending frames.
pub(super) fn announcement(sensor: SensorClass) -> Announcement {
    Announcement {
        sensor,
        lamps: true,
        scan_ms: SCAN_MS,
    }
}

/// Frames on end that the other kind of board would send, before it is taken for one.
const OTHERS: u8 = 3;

/// What the numbers mean on one of the two kinds of board.
pub(crate) trait Sensing: Send + Debug {
    /// What the numbers of a frame say.
    type Frame;

    /// How many numbers a frame has.
    const NUMBERS: usize;

    /// Whole frames on end, with nothing between that was none, that only this kind sends.
    const SURE: u8;

    /// Reads the numbers of a frame; `None` where they are not such a board's.
    fn read(numbers: &[u16]) -> Option<Self::Frame>;

    /// Frames on end that the other kind would send: how many there were, and how many numbers
    /// this one had, where it had only numbers.
    fn others(before: u8, count: Option<usize>) -> u8;

    /// The line was opened.
    fn open(&mut self) {}

    /// A frame came.
    fn take(&mut self, now: Instant, frame: Self::Frame, states: &mut States, out: &mut Outbox);
}

/// The host's end of such a board's line.
#[derive(Debug)]
pub(crate) struct Host<S> {
    line: Decoder,
    states: States,
    lamps: Lamps,
    /// Whole frames on end.
    whole: u8,
    /// Frames on end that the other kind would send.
    others: u8,
    /// What is wrong where it does.
    other: FaultReason,
    sensing: S,
}

impl<S: Sensing> Host<S> {
    pub(super) fn with(sensing: S, start: &Start, other: FaultReason) -> Host<S> {
        Host {
            line: Decoder::new(S::NUMBERS),
            states: States::new(start),
            lamps: Lamps::default(),
            whole: 0,
            others: 0,
            other,
            sensing,
        }
    }

    fn frame(&mut self, now: Instant, numbers: &[u16], out: &mut Outbox) {
        let Some(frame) = S::read(numbers) else {
            return self.damaged(None, out);
        };
        self.whole = self.whole.saturating_add(1);
        if self.whole < S::SURE && !self.states.is_greeted() {
            return;
        }
        self.others = 0;
        self.sensing.take(now, frame, &mut self.states, out);
    }

    fn damaged(&mut self, count: Option<usize>, out: &mut Outbox) {
        // Before the first whole frame a connection may begin anywhere.
        out.trouble.damaged += u32::from(self.states.is_greeted());
        self.whole = 0;
        self.others = S::others(self.others, count);
        if self.others >= OTHERS {
            out.fault = Some(self.other.clone());
        }
    }
}

impl<S: Sensing> Protocol for Host<S> {
    fn open(&mut self, now: Instant, out: &mut Outbox) {
        self.line = Decoder::new(S::NUMBERS);
        (self.whole, self.others) = (0, 0);
        self.sensing.open();
        self.states.open(now);
        self.lamps.open(now, out);
    }

    fn receive(&mut self, now: Instant, bytes: &[u8], out: &mut Outbox) {
        self.states.bytes();
        let mut heard = Vec::new();
        self.line.feed(bytes, &mut heard);
        for heard in heard {
            match heard {
                Decoded::Frame(numbers) => self.frame(now, &numbers, out),
                Decoded::Damaged(count) => self.damaged(count, out),
            }
        }
    }

    fn next_wake(&self) -> Option<Instant> {
        let silence = self.states.next_wake();
        Some(
            self.lamps
                .next_wake()
                .map_or(silence, |wake| wake.min(silence)),
        )
    }

    fn wake(&mut self, now: Instant, out: &mut Outbox) {
        self.states.silence(now, out);
        self.lamps.wake(now, out);
    }

    fn command(&mut self, now: Instant, command: Command, out: &mut Outbox) {
        match command {
            Command::SetLamps(squares) => self.lamps.light(now, squares, out),
            // It comes with the next frame.
            Command::RequestSnapshot => self.states.forget(),
            Command::RequestLevels
            | Command::Calibrate
            | Command::Bench(_)
            | Command::Acknowledge(_) => {}
        }
    }
}

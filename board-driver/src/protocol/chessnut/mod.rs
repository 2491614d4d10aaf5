//! Chessnut Air, Air+, Pro and Go over USB: an HID device, opened as `/dev/hidraw*`. The same reports come over Bluetooth.
//!
//! The board recognises its pieces and sends what stands on it about five times a second once it is told to, whether anything
//! has changed or not. Sources: see [`report`].

pub mod report;

use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Piece, Square};
use arbiter_core::{Reading, SensorClass, Symbol};

use self::report::{FromBoard, Heard, Reports, ToBoard};
use super::states::{Says, States};
use super::{Command, Outbox, Profile, Protocol, Start};
use crate::noise::Model;
use crate::sim;
use crate::transport::HID;

/// The vendor's USB id. Product ids differ from batch to batch.
pub const VENDOR: u16 = 0x2d80;

pub(super) const PROFILE: Profile = Profile {
    name: "chessnut",
    title: "Chessnut",
    baud: HID,
    sensor: Some(SensorClass::Piece),
    clock: false,
    tells_time: false,
    answers_within: Duration::from_secs(1),
    usb: &[(VENDOR, 0x8000), (VENDOR, 0x8001), (VENDOR, 0x8002)],
    sensors: Model::states,
    host: |start| Box::new(Chessnut::new(start)),
    device: sim::chessnut,
};

/// Between two states, in milliseconds.
pub(crate) const SCAN_MS: u32 = 200;

/// A board that sends no state is told to again after this long.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// The host's end of a Chessnut board's line.
#[derive(Debug)]
pub struct Chessnut {
    line: Reports,
    states: States,
    /// When a state last came, or was asked for.
    asked: Instant,
    lamps: u64,
}

impl Chessnut {
    /// A host that has never heard of the board.
    pub fn new(start: &Start) -> Chessnut {
        Chessnut { line: Reports::default(), states: States::new(start), asked: start.now, lamps: 0 }
    }

    fn take(&mut self, now: Instant, report: FromBoard, out: &mut Outbox) {
        self.states.message(now, out);
        let FromBoard::State(squares) = report else { return };
        self.asked = now;
        let says = Says { sensor: SensorClass::Piece, lamps: true, scan_ms: SCAN_MS };
        self.states.greet(now, says, out);
        self.states.unchecked(now, reading(&squares), out);
    }
}

fn reading(squares: &[Option<Piece>; 64]) -> Reading {
    let mut reading = Reading::EMPTY;
    for (square, piece) in Square::ALL.into_iter().zip(squares) {
        reading.set(square, piece.map_or(Symbol::Empty, Symbol::Piece));
    }
    reading
}

impl Protocol for Chessnut {
    fn open(&mut self, now: Instant, out: &mut Outbox) {
        self.line.reset();
        self.states.open(now);
        self.asked = now;
        out.send.extend(ToBoard::RealTime.encode());
        if self.lamps != 0 {
            out.send.extend(ToBoard::Lamps(self.lamps).encode());
        }
    }

    fn receive(&mut self, now: Instant, bytes: &[u8], out: &mut Outbox) {
        self.states.bytes();
        let mut heard = Vec::new();
        self.line.feed(bytes, &mut heard);
        for heard in heard {
            match heard {
                Heard::Report(report) => self.take(now, report, out),
                Heard::Damaged(_) => out.trouble.damaged += 1,
            }
        }
    }

    fn next_wake(&self) -> Option<Instant> {
        Some(self.states.next_wake().min(self.asked + ASK_AGAIN))
    }

    fn wake(&mut self, now: Instant, out: &mut Outbox) {
        self.states.silence(now, out);
        if now >= self.asked + ASK_AGAIN {
            self.asked = now;
            out.send.extend(ToBoard::RealTime.encode());
        }
    }

    fn command(&mut self, _now: Instant, command: Command, out: &mut Outbox) {
        match command {
            Command::SetLamps(squares) => {
                self.lamps = squares;
                if self.states.is_greeted() {
                    out.send.extend(ToBoard::Lamps(squares).encode());
                }
            }
            // It comes with the next state.
            Command::RequestSnapshot => self.states.forget(),
        }
    }
}

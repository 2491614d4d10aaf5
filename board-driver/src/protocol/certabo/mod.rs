//! Certabo boards, which read a tag in every piece, and Tabutronic Sentio boards, which see only what is occupied.
//!
//! Both send frame after frame without being asked, 38400 bits a second. They name neither themselves nor the direction they
//! lie in. The pieces' tags are learned from the starting position, kept, and learned anew when new pieces stand in it.
//! Sources: see [`frame`].

pub mod frame;
pub(crate) mod lamps;
pub mod readings;
pub mod tags;

use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Board, Role};
use arbiter_core::{Reading, SensorClass, Symbol};

use self::frame::{Frames, Heard, RANK_NUMBERS, TAG_NUMBERS};
use self::readings::Readings;
use self::tags::{Calibration, LEAST, SECOND_QUEENS, Teacher};
use super::sentio::PROFILE as SENTIO;
use super::states::{Says, States};
use super::{Command, Learning, Outbox, Profile, Protocol, Start};
use crate::fault::FaultReason;
use crate::noise::Model;
use crate::sim;

pub(super) use self::lamps::Lamps;

pub(super) const PROFILE: Profile = Profile {
    name: "certabo",
    title: "Certabo",
    baud: 38_400,
    sensor: Some(SensorClass::Piece),
    clock: false,
    tells_time: false,
    answers_within: Duration::from_secs(2),
    usb: &[(0x10c4, 0xea60)],
    sensors: Model::states,
    host: |start| Box::new(Certabo::new(start)),
    device: sim::certabo,
};

/// Frames on end that another kind of board would send, before it is taken for one.
pub(super) const OTHERS: u8 = 3;

/// Milliseconds in which a piece must be missing to be gone: two frames of the slowest board.
const SCAN_MS: u32 = 500;

/// Frames to wait for a starting position to be learned, before what stands there is told as it is.
const PATIENCE: usize = 3 * LEAST;

/// The host's end of a Certabo board's line.
#[derive(Debug)]
pub struct Certabo {
    line: Frames,
    states: States,
    lamps: Lamps,
    readings: Readings,
    teacher: Teacher,
    known: Calibration,
    /// Whole frames heard in this connection.
    frames: usize,
    /// Frames on end with the numbers of a Sentio board.
    others: u8,
    /// That the pieces are unknown was said.
    asked: bool,
    /// Where second queens lie that are not in the game: bit 0 is a1.
    spare: u64,
}

impl Certabo {
    /// A host that knows what was learned of the board before.
    pub fn new(start: &Start) -> Certabo {
        let known = start.memory.as_deref().map(Calibration::parse).transpose();
        let known = known.unwrap_or_else(|error| {
            tracing::warn!(error, "the tags of the pieces cannot be read, and are learned anew");
            None
        });
        Certabo {
            line: Frames::new(TAG_NUMBERS),
            states: States::new(start),
            lamps: Lamps::default(),
            readings: Readings::default(),
            teacher: Teacher::new(start.turned),
            known: known.unwrap_or_default(),
            frames: 0,
            others: 0,
            asked: false,
            spare: 0,
        }
    }

    fn frame(&mut self, now: Instant, numbers: &[u16], out: &mut Outbox) {
        let Some(frame) = tags::read(numbers) else { return };
        self.states.message(now, out);
        (self.frames, self.others) = (self.frames + 1, 0);
        if self.frames < 2 {
            return;
        }
        self.states.greet(now, Says { sensor: SensorClass::Piece, lamps: true, scan_ms: SCAN_MS }, out);
        self.readings.look(&frame, &self.known);
        self.learn(&frame, out);
        let waits = self.known.count() == 0 && self.teacher.is_learning() && self.frames < PATIENCE;
        // Strangers count from their second frame on.
        if self.frames > 3 && !waits {
            let reading = self.in_the_game(self.readings.reading(&self.known));
            self.states.state(now, reading, out);
        }
    }

    /// Learns what can be learned, and says what is missing.
    fn learn(&mut self, frame: &tags::Tags, out: &mut Outbox) {
        if let Some(learned) = self.teacher.look(frame, &self.known) {
            self.known = learned;
            self.asked = false;
            // The same pieces, by other names: nothing moved.
            self.states.forget();
            let words = format!("the tags of {} pieces are known, from the starting position", self.known.count());
            out.learning = Some(Learning::Done { memory: self.known.to_string(), words });
        } else if self.known.count() == 0 && !self.teacher.is_learning() && !std::mem::replace(&mut self.asked, true) {
            let words =
                "the board does not know its pieces yet: set up the starting position and leave it for five seconds";
            out.learning = Some(Learning::Wanted(words.to_owned()));
        }
    }

    /// Second queens that lie beside the starting position are no part of it, until they are taken up.
    fn in_the_game(&mut self, mut reading: Reading) -> Reading {
        let squares = SECOND_QUEENS.map(|(square, color)| (self.teacher.on_the_board(square), color));
        let lies = |reading: &Reading, square, color| matches!(reading.at(square), Symbol::Piece(piece) if piece.role == Role::Queen && piece.color == color);
        let mut without = reading;
        squares.iter().for_each(|(square, _)| without.set(*square, Symbol::Empty));
        let is_start = self.teacher.on_the_table(&without) == SensorClass::Piece.reads(&Board::new());
        for (square, color) in squares {
            let bit = 1 << u32::from(square);
            let here = lies(&reading, square, color);
            self.spare = if here && (is_start || self.spare & bit != 0) { self.spare | bit } else { self.spare & !bit };
            if self.spare & bit != 0 {
                reading.set(square, Symbol::Empty);
            }
        }
        reading
    }

    fn damaged(&mut self, count: Option<usize>, out: &mut Outbox) {
        // Before the first whole frame a connection may begin anywhere.
        out.trouble.damaged += u32::from(self.states.is_greeted());
        self.others = if count == Some(RANK_NUMBERS) { self.others + 1 } else { 0 };
        if self.others >= OTHERS {
            out.fault = Some(FaultReason::OtherBoard { is: SENTIO.title, kind: SENTIO.name });
        }
    }
}

impl Protocol for Certabo {
    fn open(&mut self, now: Instant, out: &mut Outbox) {
        self.line = Frames::new(TAG_NUMBERS);
        self.readings = Readings::default();
        self.teacher.forget();
        (self.frames, self.others, self.spare, self.asked) = (0, 0, 0, false);
        self.states.open(now);
        self.lamps.open(now, out);
    }

    fn receive(&mut self, now: Instant, bytes: &[u8], out: &mut Outbox) {
        self.states.bytes();
        let mut heard = Vec::new();
        self.line.feed(bytes, &mut heard);
        for heard in heard {
            match heard {
                Heard::Frame(numbers) => self.frame(now, &numbers, out),
                Heard::Damaged(count) => self.damaged(count, out),
            }
        }
    }

    fn next_wake(&self) -> Option<Instant> {
        Some(self.lamps.next_wake().map_or(self.states.next_wake(), |wake| wake.min(self.states.next_wake())))
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
        }
    }
}

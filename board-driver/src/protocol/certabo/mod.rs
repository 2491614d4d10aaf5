//! Certabo boards, which read a tag in every piece, and Tabutronic Sentio boards, which see only
//! what is occupied.
//!
//! Both send frame after frame without being asked, 38400 bits a second. They name neither
//! themselves nor the direction they lie in. The pieces' tags are learned from the starting
//! position, kept, and learned anew when new pieces stand in it. Sources: see [`frame`].

pub mod frame;
pub(crate) mod lamps;
pub mod readings;
pub mod tags;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use arbiter_core::shakmaty::Role;
use arbiter_core::{Reading, SensorClass, Symbol};

use self::frame::{Frames, Heard, RANK_NUMBERS, TAG_NUMBERS};
use self::readings::Readings;
use self::tags::{Calibration, LEAST, SECOND_QUEENS, Teacher};
use super::sentio::PROFILE as SENTIO;
use super::states::{Says, States};
use super::{Command, Learning, Outbox, Profile, Protocol, Start};
use crate::fault::FaultReason;
use crate::noise::Model;
use crate::orientation::starting_position;
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

/// Between two frames of the slowest board, in milliseconds: each is a fifth of a second long on
/// the line.
const SCAN_MS: u32 = 250;

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
    /// The last frames, when they came, until they are judged.
    frames: VecDeque<(Instant, tags::Frame)>,
    /// Frames judged in this connection.
    waited: usize,
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
            tracing::warn!(
                error,
                "the tags of the pieces cannot be read, and are learned anew"
            );
            None
        });
        Certabo {
            line: Frames::new(TAG_NUMBERS),
            states: States::new(start),
            lamps: Lamps::default(),
            readings: Readings::default(),
            teacher: Teacher::new(start.turned),
            known: known.unwrap_or_default(),
            frames: VecDeque::with_capacity(3),
            waited: 0,
            others: 0,
            asked: false,
            spare: 0,
        }
    }

    fn frame(&mut self, now: Instant, numbers: &[u16], out: &mut Outbox) {
        let Some(frame) = tags::read(numbers) else {
            return;
        };
        self.others = 0;
        self.states.whole(now);
        self.frames.push_back((now, frame));
        if let [(then, frame), (_, second), (_, third)] = self.frames.make_contiguous()[..] {
            self.frames.pop_front();
            self.judge(then, [&frame, &second, &third], out);
        }
    }

    /// Judges a frame when the two after it have come: the board's clock, which is this program's,
    /// runs that much late.
    fn judge(&mut self, then: Instant, frames: readings::Frames<'_>, out: &mut Outbox) {
        self.states.shows(then, out);
        let says = Says {
            sensor: SensorClass::Piece,
            lamps: true,
            scan_ms: SCAN_MS,
        };
        self.states.greet(then, says, out);
        self.readings.look(frames, &self.known);
        self.learn(frames[0], out);
        self.waited += 1;
        let waits = self.known.count() == 0 && self.teacher.is_learning() && self.waited < PATIENCE;
        if !waits {
            let reading = self.in_the_game(self.readings.reading(&self.known));
            self.states.state(then, reading, out);
        }
    }

    /// Learns what can be learned, and says what is missing.
    fn learn(&mut self, frame: &tags::Frame, out: &mut Outbox) {
        if let Some(learned) = self.teacher.look(frame, &self.known) {
            self.known = learned;
            self.asked = false;
            // The same pieces, by other names: nothing moved.
            self.states.forget();
            let words = format!(
                "the tags of {} pieces are known, from the starting position",
                self.known.count()
            );
            out.learning = Some(Learning::Done {
                memory: self.known.to_string(),
                words,
            });
        } else if self.known.count() == 0
            && !self.teacher.is_learning()
            && !std::mem::replace(&mut self.asked, true)
        {
            let words = "the board does not know its pieces yet: set up the starting position and leave it for five seconds";
            out.learning = Some(Learning::Wanted(words.to_owned()));
        }
    }

    /// Second queens that lie beside the starting position are no part of it, until they are taken
    /// up.
    fn in_the_game(&mut self, mut reading: Reading) -> Reading {
        let squares =
            SECOND_QUEENS.map(|(square, color)| (self.teacher.on_the_board(square), color));
        let lies = |reading: &Reading, square, color| matches!(reading.at(square), Symbol::Piece(piece) if piece.role == Role::Queen && piece.color == color);
        let mut without = reading;
        squares
            .iter()
            .for_each(|(square, _)| without.set(*square, Symbol::Empty));
        let is_start = self.teacher.on_the_table(&without) == starting_position();
        for (square, color) in squares {
            let bit = 1 << u32::from(square);
            let here = lies(&reading, square, color);
            self.spare = if here && (is_start || self.spare & bit != 0) {
                self.spare | bit
            } else {
                self.spare & !bit
            };
            if self.spare & bit != 0 {
                reading.set(square, Symbol::Empty);
            }
        }
        reading
    }

    fn damaged(&mut self, count: Option<usize>, out: &mut Outbox) {
        // Before the first whole frame a connection may begin anywhere.
        out.trouble.damaged += u32::from(self.states.is_greeted());
        self.others = if count == Some(RANK_NUMBERS) {
            self.others + 1
        } else {
            0
        };
        if self.others >= OTHERS {
            out.fault = Some(FaultReason::OtherBoard {
                is: SENTIO.title,
                kind: SENTIO.name,
            });
        }
    }
}

impl Protocol for Certabo {
    fn open(&mut self, now: Instant, out: &mut Outbox) {
        self.line = Frames::new(TAG_NUMBERS);
        self.readings = Readings::default();
        self.teacher.forget();
        self.frames.clear();
        (self.waited, self.others, self.spare, self.asked) = (0, 0, 0, false);
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
        Some(
            self.lamps
                .next_wake()
                .map_or(self.states.next_wake(), |wake| {
                    wake.min(self.states.next_wake())
                }),
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
            Command::RequestLevels | Command::Calibrate => {}
        }
    }
}

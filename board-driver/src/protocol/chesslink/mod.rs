//! Millennium ChessLink, the line of the Chess Genius Exclusive, King Performance, eONE and Supreme
//! Tournament boards.
//!
//! The board recognises its pieces. It is set to tell each change by itself, without the debouncing
//! it could do: that would hide short lifts. Once a second it is asked how it stands, which also
//! mends what a damaged message hid. A board that does not take the setting is asked at every scan.
//! Sources: see [`frame`].

pub mod frame;
pub(crate) mod order;
pub(crate) mod setting;

use std::time::{Duration, Instant};

use arbiter_core::SensorClass;
use arbiter_core::shakmaty::Piece;

use self::frame::{Decoded, Decoder, FromBoard, ToBoard};
use self::setting::{AUTOMATIC, Automatic};
use super::states::{Announcement, States};
use super::{Command, Outbox, Protocol, Start};

/// Where the board keeps how often it scans, in units of 2.048 ms.
pub(crate) const SCAN_TIME: u8 = 1;

/// How long that is as the board comes, and where it cannot be read: 41 ms.
pub(crate) const USUAL_SCAN: u8 = 20;

/// How often it is asked for before it is taken for the usual one: what passes for a ChessLink may
/// know its questions and not its settings.
const SCAN_ASKED: u8 = 2;

/// What was asked for and has not come is asked for again after this long.
const ASK_AGAIN: Duration = Duration::from_millis(300);

/// And after this, when something damaged came.
const ASK_SOON: Duration = Duration::from_millis(100);

/// How often the board is asked how it stands while it says nothing.
const CHECK: Duration = Duration::from_secs(1);

/// A lamp that is lit: on in all eight time slots.
const LIT: u8 = 0xff;

/// A letter that begins no message and is no digit, with its parity: a blank.
const NOTHING: u8 = b' ';

/// Length of a time slot, in units of 4.096 ms.
const SLOT: u8 = 50;

/// The host's end of a ChessLink board's line.
#[derive(Debug)]
pub struct ChessLink {
    line: Decoder,
    states: States,
    version: Option<(u8, u8)>,
    /// How often the board scans, once it has said so.
    scan: Option<u8>,
    /// How often it was asked for that.
    scan_asked: u8,
    /// Whether the board tells its changes by itself.
    automatic: Automatic,
    state_missing: bool,
    /// The squares to be lit, and whether the board has confirmed that they are.
    lamps: Option<(u64, bool)>,
    asked: Instant,
    /// Bytes came that are no ChessLink's.
    is_foreign: bool,
}

impl ChessLink {
    /// A host that has never heard of the board.
    pub fn new(start: &Start) -> ChessLink {
        ChessLink {
            line: Decoder::default(),
            states: States::new(start),
            version: None,
            scan: None,
            scan_asked: 0,
            automatic: Automatic::new(start.now),
            state_missing: true,
            lamps: None,
            asked: start.now,
            is_foreign: false,
        }
    }

    fn take(&mut self, now: Instant, message: FromBoard, out: &mut Outbox) {
        self.states.message(now, out);
        match message {
            FromBoard::Version { major, minor } => self.version = Some((major, minor)),
            FromBoard::Setting {
                address: SCAN_TIME,
                value,
            } => self.scan = Some(value),
            FromBoard::Setting {
                address: AUTOMATIC,
                value,
            } => self.automatic.read(now, value, out),
            FromBoard::Lamps | FromBoard::LampsOff => {
                let lamps = self.lamps.as_mut();
                lamps
                    .into_iter()
                    .for_each(|(_, confirmed)| *confirmed = true);
            }
            FromBoard::State(codes) => return self.state(now, &codes, out),
            FromBoard::Setting { .. } | FromBoard::Written { .. } => {}
        }
        self.greet(now, out);
        self.next_question(now, out);
    }

    fn greet(&mut self, now: Instant, out: &mut Outbox) {
        let (Some((major, minor)), Some(scan)) = (self.version, self.scan) else {
            return;
        };
        tracing::debug!(major, minor, scan, "ChessLink");
        let scan_ms = scan_time(scan).as_millis() as u32 + 1;
        self.states.greet(
            now,
            Announcement {
                sensor: SensorClass::Piece,
                lamps: true,
                scan_ms,
            },
            out,
        );
    }

    fn state(&mut self, now: Instant, codes: &[Option<Piece>; 64], out: &mut Outbox) {
        if !self.states.is_greeted() {
            return;
        }
        self.states.state(now, order::reading(codes), out);
        if std::mem::take(&mut self.state_missing) {
            self.next_question(now, out);
        }
    }

    /// Asks for what is missing, one thing at a time: the board has room for little.
    fn next_question(&mut self, now: Instant, out: &mut Outbox) {
        let question = if self.version.is_none() {
            ToBoard::AskVersion
        } else if self.scan.is_none() {
            self.scan_asked += 1;
            ToBoard::Read { address: SCAN_TIME }
        } else if self.state_missing {
            ToBoard::AskState
        } else if let Some(question) = self.automatic.question(now, out) {
            question
        } else if let Some((squares, false)) = self.lamps {
            lamps(squares)
        } else {
            return;
        };
        self.asked = now;
        say(&question, out);
    }

    /// When the next question is due, if nothing is said until then.
    fn question_due(&self) -> Instant {
        if self.waits() {
            return self.asked + ASK_AGAIN;
        }
        let check = self.asked + self.check();
        self.automatic.due().map_or(check, |due| due.min(check))
    }

    /// Whether something that was asked for has not come.
    fn waits(&self) -> bool {
        !self.states.is_greeted() || self.state_missing || matches!(self.lamps, Some((_, false)))
    }

    /// How long the board may say nothing before it is asked how it stands.
    fn check(&self) -> Duration {
        if self.automatic.is_silent() {
            scan_time(self.scan.unwrap_or(USUAL_SCAN))
        } else {
            CHECK
        }
    }
}

impl Protocol for ChessLink {
    fn open(&mut self, now: Instant, out: &mut Outbox) {
        self.line.reset();
        self.states.open(now);
        (self.version, self.scan, self.state_missing) = (None, None, true);
        self.scan_asked = 0;
        (self.automatic, self.is_foreign) = (Automatic::new(now), false);
        self.lamps
            .iter_mut()
            .for_each(|(_, confirmed)| *confirmed = false);
        self.next_question(now, out);
    }

    fn receive(&mut self, now: Instant, bytes: &[u8], out: &mut Outbox) {
        self.states.bytes();
        let mut heard = Vec::new();
        self.line.feed(bytes, &mut heard);
        self.is_foreign = heard.is_empty() && !self.line.is_in_a_message();
        for heard in heard {
            match heard {
                Decoded::Message(message) => self.take(now, message, out),
                Decoded::Damaged(_) => {
                    out.trouble.damaged += 1;
                    // It may have been a change.
                    self.state_missing = true;
                    if now >= self.asked + ASK_SOON {
                        self.next_question(now, out);
                    }
                }
            }
        }
    }

    fn next_wake(&self) -> Option<Instant> {
        Some(self.question_due().min(self.states.next_wake()))
    }

    fn wake(&mut self, now: Instant, out: &mut Outbox) {
        self.states.silence(now, out);
        let is_due = now >= self.question_due();
        if now >= self.asked + self.check() {
            self.state_missing = true;
        }
        if is_due {
            if self.version.is_none() && !self.is_foreign {
                // It may still wait for the end of what somebody else has begun to say: another
                // kind's question begins like an order, or a host died in the middle of one.
                out.send.extend([NOTHING; frame::LONGEST_ORDER]);
            }
            if self.scan_asked >= SCAN_ASKED && self.scan.is_none() {
                self.scan = Some(USUAL_SCAN);
                self.greet(now, out);
            }
            self.next_question(now, out);
        }
    }

    fn command(&mut self, now: Instant, command: Command, out: &mut Outbox) {
        match command {
            Command::SetLamps(squares) => {
                self.lamps = Some((squares, false));
                if self.states.is_greeted() {
                    self.next_question(now, out);
                }
            }
            Command::RequestSnapshot => {
                self.states.forget();
                self.state_missing = true;
                self.next_question(now, out);
            }
            Command::RequestLevels
            | Command::Calibrate
            | Command::Bench(_)
            | Command::Acknowledge(_) => {}
        }
    }
}

fn say(message: &ToBoard, out: &mut Outbox) {
    out.send.extend(frame::encode(message));
}

/// The order that lights the four corners of each square and no others; bit 0 is a1.
fn lamps(squares: u64) -> ToBoard {
    if squares == 0 {
        return ToBoard::LampsOff;
    }
    let (slot, lamps) = (SLOT, order::lamps(squares, LIT));
    ToBoard::Lamps { slot, lamps }
}

/// Between two scans, as the setting says: its unit is 2.048 ms.
pub(crate) fn scan_time(setting: u8) -> Duration {
    Duration::from_micros(u64::from(setting) * 2_048)
}

#[cfg(test)]
mod tests;

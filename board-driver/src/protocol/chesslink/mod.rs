//! Millennium ChessLink, the line of the Chess Genius Exclusive, King Performance, eONE and Supreme
//! Tournament boards.
//!
//! The board recognises its pieces. It is set to tell each change by itself, without the debouncing
//! it could do: that would hide short lifts. Once a second it is asked how it stands, which also
//! mends what a damaged message hid. Sources: see [`frame`].

pub mod frame;
mod order;

use std::time::{Duration, Instant};

use arbiter_core::SensorClass;
use arbiter_core::shakmaty::Piece;

use self::frame::{Decoded, Decoder, FromBoard, ToBoard};
use super::states::{Announcement, States};
use super::{Command, Learning, Outbox, Protocol, Start};

pub(crate) use self::order::Order;

/// Where the board keeps how often it scans, in units of 2.048 ms.
pub(crate) const SCAN_TIME: u8 = 1;

/// Where it keeps when it tells its state by itself.
pub(crate) const AUTOMATIC: u8 = 2;

/// ... at each change, without debouncing.
pub(crate) const ON_CHANGE: u8 = 3;

/// What was asked for and has not come is asked for again after this long.
const ASK_AGAIN: Duration = Duration::from_millis(300);

/// And after this, when something damaged came.
const ASK_SOON: Duration = Duration::from_millis(100);

/// How often the board is asked how it stands while it says nothing.
const CHECK: Duration = Duration::from_secs(1);

/// A lamp that is lit: on in all eight time slots.
const LIT: u8 = 0xff;

/// Length of a time slot, in units of 4.096 ms.
const SLOT: u8 = 50;

/// Said once the order of the squares is known.
const ORDER_FOUND: &str = "the order in which the board names its squares \
                           was found from the starting position";

/// The host's end of a ChessLink board's line.
#[derive(Debug)]
pub struct ChessLink {
    line: Decoder,
    states: States,
    order: Order,
    version: Option<(u8, u8)>,
    /// How often the board scans, once it has said so.
    scan: Option<u8>,
    /// Whether the board tells its changes by itself.
    is_set: bool,
    state_missing: bool,
    /// The squares to be lit, and whether the board has confirmed that they are.
    lamps: Option<(u64, bool)>,
    asked: Instant,
}

impl ChessLink {
    /// A host that knows what was learned of the board before.
    pub fn new(start: &Start) -> ChessLink {
        ChessLink {
            line: Decoder::default(),
            states: States::new(start),
            order: start
                .memory
                .as_deref()
                .and_then(Order::parse)
                .unwrap_or_default(),
            version: None,
            scan: None,
            is_set: false,
            state_missing: true,
            lamps: None,
            asked: start.now,
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
            }
            | FromBoard::Written {
                address: AUTOMATIC,
                value,
            } => {
                self.is_set = value == ON_CHANGE;
                if !self.is_set {
                    say(
                        &ToBoard::Write {
                            address: AUTOMATIC,
                            value: ON_CHANGE,
                        },
                        out,
                    );
                    self.asked = now;
                }
            }
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
        // A unit is 2.048 ms.
        let scan_ms = u32::from(scan) * 2_048 / 1_000 + 1;
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
        if let Some(order) = self.order.found(codes) {
            self.order = order;
            self.states.forget();
            out.learning = Some(Learning::Done {
                memory: order.to_string(),
                words: ORDER_FOUND.to_owned(),
            });
        }
        self.state_missing = false;
        self.states.state(now, self.order.reading(codes), out);
    }

    /// Asks for what is missing, one thing at a time: the board has room for little.
    fn next_question(&mut self, now: Instant, out: &mut Outbox) {
        let question = if self.version.is_none() {
            ToBoard::AskVersion
        } else if self.scan.is_none() {
            ToBoard::Read { address: SCAN_TIME }
        } else if !self.is_set {
            ToBoard::Read { address: AUTOMATIC }
        } else if self.state_missing {
            ToBoard::AskState
        } else if let Some((squares, false)) = self.lamps {
            lamps(squares)
        } else {
            return;
        };
        self.asked = now;
        say(&question, out);
    }

    /// Whether something that was asked for has not come.
    fn waits(&self) -> bool {
        !self.is_set
            || !self.states.is_greeted()
            || self.state_missing
            || matches!(self.lamps, Some((_, false)))
    }
}

impl Protocol for ChessLink {
    fn open(&mut self, now: Instant, out: &mut Outbox) {
        self.line.reset();
        self.states.open(now);
        (self.version, self.scan, self.is_set, self.state_missing) = (None, None, false, true);
        self.lamps
            .iter_mut()
            .for_each(|(_, confirmed)| *confirmed = false);
        self.next_question(now, out);
    }

    fn receive(&mut self, now: Instant, bytes: &[u8], out: &mut Outbox) {
        self.states.bytes();
        let mut heard = Vec::new();
        self.line.feed(bytes, &mut heard);
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
        let again = self.asked + if self.waits() { ASK_AGAIN } else { CHECK };
        Some(again.min(self.states.next_wake()))
    }

    fn wake(&mut self, now: Instant, out: &mut Outbox) {
        self.states.silence(now, out);
        if now >= self.asked + CHECK {
            self.state_missing = true;
        }
        if now >= self.asked + ASK_AGAIN {
            self.next_question(now, out);
        }
    }

    fn command(&mut self, now: Instant, command: Command, out: &mut Outbox) {
        match command {
            Command::SetLamps(squares) => {
                self.lamps = Some((self.order.as_the_maker(squares), false));
                if self.states.is_greeted() {
                    self.next_question(now, out);
                }
            }
            Command::RequestSnapshot => {
                self.states.forget();
                self.state_missing = true;
                self.next_question(now, out);
            }
            Command::RequestLevels | Command::Calibrate => {}
        }
    }
}

fn say(message: &ToBoard, out: &mut Outbox) {
    out.send.extend(frame::encode(message));
}

/// The order that lights the four corners of each square. Corners are counted down the outer edge
/// of the a-file from a8, then file by file; bit 0 of `squares` is a1.
fn lamps(squares: u64) -> ToBoard {
    if squares == 0 {
        return ToBoard::LampsOff;
    }
    let mut lamps = Box::new([0; 81]);
    for square in 0..64 {
        let (file, from_top) = (square % 8, 7 - square / 8);
        if squares >> square & 1 != 0 {
            for corner in [0, 1, 9, 10] {
                lamps[file * 9 + from_top + corner] = LIT;
            }
        }
    }
    ToBoard::Lamps { slot: SLOT, lamps }
}

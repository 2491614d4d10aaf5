//! Chessnut Air, Air+, Pro and Go over USB: an HID device, opened as `/dev/hidraw*`. The same
//! reports come over Bluetooth.
//!
//! The board recognises its pieces and sends what stands on it once it is told to: about five times
//! a second, whether anything has changed or not, or only what has changed. So the silence of a
//! board is no fault by itself. It is asked for its battery, and what never answers anything is
//! believed for a long time: pulled plugs are told by the system. Sources: see [`report`].

pub mod report;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Piece, Square};
use arbiter_core::{Reading, SensorClass, Symbol};

use self::report::{Decoded, Decoder, FromBoard, ToBoard};
use super::states::{Announcement, SILENCE, States};
use super::{Command, Outbox, Protocol, Start};

/// Between two states, in milliseconds.
pub(crate) const SCAN_MS: u32 = 200;

/// A board that sends no state is told to again after this long, and asked for its battery.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// Between two things the board is told, as the crate does.
const APART: Duration = Duration::from_millis(200);

/// A board that has sent its state and nothing else but what changed may be silent for this long.
const PATIENCE: Duration = Duration::from_secs(3_600);

/// The host's end of a Chessnut board's line.
#[derive(Debug)]
pub struct Chessnut {
    line: Decoder,
    states: States,
    /// When a state last came, or was asked for.
    asked: Instant,
    /// What the board is to be told, and when it was last told something.
    orders: VecDeque<ToBoard>,
    sent: Option<Instant>,
    lamps: u64,
    /// The last state, since the board was last told to send it.
    last: Option<[Option<Piece>; 64]>,
    /// The board speaks while nothing moves: unasked, or when it is asked.
    is_talkative: bool,
}

impl Chessnut {
    /// A host that has never heard of the board.
    pub fn new(start: &Start) -> Chessnut {
        let (line, states, orders) = (Decoder::default(), States::new(start), VecDeque::new());
        Chessnut {
            line,
            states,
            asked: start.now,
            orders,
            sent: None,
            lamps: 0,
            last: None,
            is_talkative: false,
        }
    }

    /// Tells the board something, as soon as it may be told.
    fn order(&mut self, now: Instant, order: ToBoard, out: &mut Outbox) {
        self.orders
            .retain(|before| std::mem::discriminant(before) != std::mem::discriminant(&order));
        self.orders.push_back(order);
        self.send(now, out);
    }

    fn send(&mut self, now: Instant, out: &mut Outbox) {
        if self.sent.is_none_or(|sent| now >= sent + APART)
            && let Some(order) = self.orders.pop_front()
        {
            out.send.extend(order.encode());
            self.sent = Some(now);
        }
    }

    fn take(&mut self, now: Instant, report: FromBoard, out: &mut Outbox) {
        let squares = match report {
            FromBoard::State(squares) => squares,
            FromBoard::Mode | FromBoard::Battery { .. } => {
                self.is_talkative |= self.states.is_greeted();
                return self.states.whole(now);
            }
            FromBoard::Other(_) => return self.states.whole(now),
        };
        self.states.message(now, out);
        self.is_talkative |= self.last.replace(squares) == Some(squares);
        self.asked = now;
        let announcement = Announcement {
            sensor: SensorClass::Piece,
            lamps: true,
            scan_ms: SCAN_MS,
        };
        self.states.greet(now, announcement, out);
        self.states.unchecked(now, reading(&squares), out);
    }

    /// How long the board may say nothing.
    fn patience(&self) -> Duration {
        if self.is_talkative || !self.states.is_greeted() {
            SILENCE
        } else {
            PATIENCE
        }
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
        self.orders.clear();
        (self.sent, self.last, self.is_talkative) = (None, None, false);
        self.order(now, ToBoard::RealTime, out);
        if self.lamps != 0 {
            self.order(now, ToBoard::Lamps(self.lamps), out);
        }
    }

    fn receive(&mut self, now: Instant, bytes: &[u8], out: &mut Outbox) {
        self.states.bytes();
        let mut heard = Vec::new();
        self.line.feed(bytes, &mut heard);
        for heard in heard {
            match heard {
                Decoded::Report(report) => self.take(now, report, out),
                Decoded::Damaged(_) => out.trouble.damaged += 1,
            }
        }
    }

    fn next_wake(&self) -> Option<Instant> {
        let order = self
            .sent
            .filter(|_| !self.orders.is_empty())
            .map(|sent| sent + APART);
        let silence = self.states.silent_at(self.patience());
        let wake = silence.min(self.asked + ASK_AGAIN);
        Some(order.map_or(wake, |order| order.min(wake)))
    }

    fn wake(&mut self, now: Instant, out: &mut Outbox) {
        self.states.silence_after(self.patience(), now, out);
        if now >= self.asked + ASK_AGAIN {
            (self.asked, self.last) = (now, None);
            self.order(now, ToBoard::RealTime, out);
            if self.states.is_greeted() {
                self.order(now, ToBoard::AskBattery, out);
            }
        }
        self.send(now, out);
    }

    fn command(&mut self, now: Instant, command: Command, out: &mut Outbox) {
        match command {
            Command::SetLamps(squares) => {
                self.lamps = squares;
                if self.states.is_greeted() {
                    self.order(now, ToBoard::Lamps(squares), out);
                }
            }
            // It comes with the next state.
            Command::RequestSnapshot => self.states.forget(),
            Command::RequestLevels
            | Command::Calibrate
            | Command::Bench(_)
            | Command::Acknowledge(_) => {}
        }
    }
}

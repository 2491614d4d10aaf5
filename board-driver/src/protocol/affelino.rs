//! Boards that speak the "gameboard UI protocol", level 0 and up.
//!
//! Source: `Affelino/gameboard-ui-protocol` on GitHub (CC BY 4.0): ASCII words between blanks,
//! lines end with a carriage return. The board writes `-e2` when a piece is lifted and `+e4` when
//! one is put down. `?e1` asks for one square; `#xx`, two hexadecimal digits, answers it: 20 is set
//! when it is occupied. A board that keeps a game writes `R` and 64 letters, rank 1 first. `*f3`
//! shows a target, `.` clears. What such a board believes of its pieces is its own reckoning: here
//! it counts as occupied or empty, because that is all its sensors tell.
//!
//! There is no question for the whole board, so it is asked square by square, one question at a
//! time. A simple board may not answer at all; then it is believed as it speaks.

use std::time::{Duration, Instant};

use arbiter_core::shakmaty::Square;
use arbiter_core::{Reading, SensorClass, Symbol};

use super::talk::Talk;
use super::tokens;
use super::{Command, Outbox, Profile, Protocol, Start};
use crate::event::BoardInfo;
use crate::noise::Model;
use crate::sim;

/// Boards of the gameboard UI protocol.
pub(super) const PROFILE: Profile = Profile {
    name: "affelino",
    title: "gameboard UI protocol",
    baud: 9_600,
    sensor: Some(SensorClass::Occupancy),
    clock: false,
    tells_time: false,
    answers_within: Duration::from_millis(400),
    usb: &[],
    sensors: |level| Model {
        period_us: (40_000, 60_000),
        ..Model::level(level)
    },
    host: |start| Box::new(Affelino::new(start)),
    device: sim::affelino,
};

/// The longest word is `R` and a board.
const LONGEST: usize = 72;

/// The whole board is asked for this often: sixty-four questions.
const POLL: Duration = Duration::from_secs(30);

/// After the last answer nothing more may come for this long. An answer too many means that one
/// came late and that all after it were taken for the wrong squares.
const QUIET: Duration = Duration::from_millis(150);

/// After so many answers in a row it is sure who answers.
const SURE: usize = 4;

/// What a word says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Word {
    /// A square changed.
    Change(Square, Symbol),
    /// The answer to a question about one square: whether it is occupied.
    Answer(bool),
    /// What stands on the whole board.
    State(Box<Reading>),
}

/// Cuts a stream into words, whatever pieces it comes in.
#[derive(Debug, Default)]
pub struct Words {
    text: Vec<u8>,
}

impl Words {
    /// The stream begins anew.
    pub fn reset(&mut self) {
        self.text.clear();
    }

    /// The next byte. `Some(Err)`: a word that means nothing.
    pub fn feed(&mut self, byte: u8) -> Option<Result<Word, ()>> {
        if !byte.is_ascii_whitespace() {
            if self.text.len() <= LONGEST {
                self.text.push(byte);
            }
            return None;
        }
        let text = std::mem::take(&mut self.text);
        (!text.is_empty()).then(|| std::str::from_utf8(&text).ok().and_then(read).ok_or(()))
    }
}

fn read(word: &str) -> Option<Word> {
    if let Some(digits) = word.strip_prefix('#') {
        let is_reply = digits.len() == 2 && digits.bytes().all(|b| b.is_ascii_hexdigit());
        let bits = u8::from_str_radix(digits, 16).ok().filter(|_| is_reply)?;
        return Some(Word::Answer(bits & 0x20 != 0));
    }
    if let Some(board) = word.strip_prefix('R') {
        let mut reading = tokens::state(board)?;
        Square::ALL
            .iter()
            .for_each(|sq| reading.set(*sq, reading.at(*sq).coarsened(SensorClass::Occupancy)));
        return Some(Word::State(Box::new(reading)));
    }
    let (square, symbol) = tokens::change(word)?;
    matches!(symbol, Symbol::Empty | Symbol::Something).then_some(Word::Change(square, symbol))
}

/// The answer to a question about a square, with `others` pieces elsewhere.
pub fn encode_answer(occupied: bool, others: u8) -> String {
    format!("#{:02x}", others.min(31) | if occupied { 0x20 } else { 0 })
}

/// The host's end.
#[derive(Debug)]
pub struct Affelino {
    words: Words,
    talk: Talk,
    /// The squares that were asked for and what they read; `next` is being asked.
    answers: Reading,
    next: usize,
    /// When the last square was answered, until that is known to be good.
    done: Option<Instant>,
}

impl Affelino {
    /// A host that has not heard the board yet.
    pub fn new(start: &Start) -> Affelino {
        Affelino {
            words: Words::default(),
            talk: Talk::new(start, POLL),
            answers: Reading::EMPTY,
            next: 0,
            done: None,
        }
    }

    fn info(&self) -> BoardInfo {
        let info = self.talk.info("gameboard UI", SensorClass::Occupancy);
        BoardInfo {
            polled: true,
            scan_ms: 100,
            lamps: true,
            ..info
        }
    }

    /// Asks for the first square, or again for the one that was not answered.
    fn ask(&mut self, now: Instant, out: &mut Outbox) {
        self.talk.asked(now);
        let square = Square::ALL[self.next % 64];
        out.send
            .extend_from_slice(format!("?{square}\r").as_bytes());
    }

    fn ask_all(&mut self, now: Instant, out: &mut Outbox) {
        (self.next, self.done) = (0, None);
        self.ask(now, out);
    }

    fn answer(&mut self, now: Instant, occupied: bool, out: &mut Outbox) {
        let Some(square) = Square::ALL.get(self.next) else {
            // Answers lag behind questions: when it is quiet they are asked anew.
            self.talk.damaged(out);
            self.done = None;
            return;
        };
        self.answers.set(
            *square,
            if occupied {
                Symbol::Something
            } else {
                Symbol::Empty
            },
        );
        self.next += 1;
        if self.next == SURE {
            self.talk.hello(now, &self.info(), out);
        }
        match self.next {
            64 => self.done = Some(now),
            _ => self.ask(now, out),
        }
    }

    fn change(&mut self, now: Instant, square: Square, symbol: Symbol, out: &mut Outbox) {
        // A square that was asked for already reads what it was told last.
        if usize::from(square) < self.next {
            self.answers.set(square, symbol);
        }
        if self.talk.told().is_none() {
            if !self.talk.is_mute(now) {
                return;
            }
            self.talk.hello(now, &self.info(), out);
        }
        let fits = self.talk.changes(now, vec![(square, symbol)], out);
        if !fits && (self.next == 0 || self.next == 64) {
            self.ask_all(now, out);
        }
    }

    fn take(&mut self, now: Instant, word: Result<Word, ()>, out: &mut Outbox) {
        match word {
            Ok(Word::Change(square, symbol)) => self.change(now, square, symbol, out),
            Ok(Word::Answer(occupied)) => self.answer(now, occupied, out),
            Ok(Word::State(reading)) => {
                (self.next, self.done) = (64, None);
                self.talk.hello(now, &self.info(), out);
                self.talk.state(now, *reading, out);
            }
            // The question is asked again when its time has come: an answer may still be on its
            // way.
            Err(()) => {
                if self.talk.damaged(out) {
                    self.talk.doubt(now);
                    self.done = None;
                }
            }
        }
    }
}

impl Protocol for Affelino {
    fn open(&mut self, now: Instant, out: &mut Outbox) {
        self.words.reset();
        self.talk.open(now);
        out.send.push(b'\r');
        self.ask_all(now, out);
    }

    fn receive(&mut self, now: Instant, bytes: &[u8], out: &mut Outbox) {
        for byte in bytes {
            if let Some(word) = self.words.feed(*byte) {
                self.take(now, word, out);
            }
        }
    }

    fn next_wake(&self) -> Option<Instant> {
        let done = self.done.map(|since| since + QUIET);
        done.or(Some(self.talk.next_wake()))
    }

    fn wake(&mut self, now: Instant, out: &mut Outbox) {
        if self.done.take_if(|since| now >= *since + QUIET).is_some() {
            self.talk.state(now, self.answers, out);
        }
        if self.talk.wake(now, out) {
            // A question whose answer was lost is asked again; from the start when all were
            // answered.
            self.next %= 64;
            self.ask(now, out);
        }
    }

    fn command(&mut self, now: Instant, command: Command, out: &mut Outbox) {
        match command {
            Command::SetLamps(squares) => {
                let lit = Square::ALL
                    .into_iter()
                    .filter(|sq| squares >> u8::from(*sq) & 1 == 1);
                let list: String = lit.map(|sq| format!(" *{sq}")).collect();
                out.send.extend_from_slice(format!(".{list}\r").as_bytes());
            }
            Command::RequestSnapshot => self.ask_all(now, out),
            Command::RequestLevels | Command::Calibrate => {}
        }
    }
}

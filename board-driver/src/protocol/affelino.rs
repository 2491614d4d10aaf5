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

use arbiter_core::shakmaty::{Bitboard, Square};
use arbiter_core::{Reading, SensorClass, Symbol};

use super::polling::{Ask, Dialect, Exchange, Polling};
use super::{Outbox, Start, tokens};
use crate::event::BoardInfo;

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
pub struct Decoder {
    text: Vec<u8>,
}

impl Decoder {
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
pub(crate) type Affelino = Polling<Gameboard>;

/// The words of the gameboard UI protocol, and how far the whole board has answered.
#[derive(Debug)]
pub(crate) struct Gameboard {
    words: Decoder,
    /// The squares that were asked for and what they read; `next` is being asked.
    answers: Reading,
    next: usize,
    /// When the last square was answered, until that is known to be good.
    done: Option<Instant>,
}

impl Affelino {
    /// A host that has not heard the board yet.
    pub(crate) fn new(start: &Start) -> Affelino {
        let dialect = Gameboard {
            words: Decoder::default(),
            answers: Reading::EMPTY,
            next: 0,
            done: None,
        };
        Polling::with(dialect, Exchange::new(start, POLL))
    }
}

impl Gameboard {
    fn answer(
        &mut self,
        now: Instant,
        occupied: bool,
        exchange: &mut Exchange,
        out: &mut Outbox,
    ) -> Ask {
        let Some(square) = Square::ALL.get(self.next) else {
            // Answers lag behind questions: when it is quiet they are asked anew.
            exchange.damaged(out);
            self.done = None;
            return Ask::Nothing;
        };
        let seen = match occupied {
            true => Symbol::Something,
            false => Symbol::Empty,
        };
        self.answers.set(*square, seen);
        self.next += 1;
        if self.next == SURE {
            exchange.hello(now, &info(exchange), out);
        }
        if self.next < Square::ALL.len() {
            return Ask::Next;
        }
        self.done = Some(now);
        Ask::Nothing
    }

    fn change(
        &mut self,
        now: Instant,
        square: Square,
        symbol: Symbol,
        exchange: &mut Exchange,
        out: &mut Outbox,
    ) -> Ask {
        // A square that was asked for already reads what it was told last.
        if usize::from(square) < self.next {
            self.answers.set(square, symbol);
        }
        if exchange.told().is_none() {
            if !exchange.is_mute(now) {
                return Ask::Nothing;
            }
            exchange.hello(now, &info(exchange), out);
        }
        let fits = exchange.changes(now, vec![(square, symbol)], out);
        let is_asking = self.next != 0 && self.next != Square::ALL.len();
        if fits || is_asking {
            Ask::Nothing
        } else {
            Ask::Anew
        }
    }
}

impl Dialect for Gameboard {
    type Message = Result<Word, ()>;

    const OPENING: &'static [u8] = b"\r";

    fn reset(&mut self) {
        self.words.reset();
    }

    fn feed(&mut self, byte: u8) -> Option<Self::Message> {
        self.words.feed(byte)
    }

    fn take(
        &mut self,
        now: Instant,
        word: Self::Message,
        exchange: &mut Exchange,
        out: &mut Outbox,
    ) -> Ask {
        match word {
            Ok(Word::Change(square, symbol)) => self.change(now, square, symbol, exchange, out),
            Ok(Word::Answer(occupied)) => self.answer(now, occupied, exchange, out),
            Ok(Word::State(reading)) => {
                (self.next, self.done) = (Square::ALL.len(), None);
                exchange.hello(now, &info(exchange), out);
                exchange.state(now, *reading, out);
                Ask::Nothing
            }
            // The question is asked again when its time has come: an answer may still be on its
            // way.
            Err(()) => {
                if exchange.damaged(out) {
                    exchange.doubt(now);
                    self.done = None;
                }
                Ask::Nothing
            }
        }
    }

    fn begin(&mut self) {
        (self.next, self.done) = (0, None);
    }

    /// Asks for the next square, or again for the one that was not answered; from the start when
    /// all were.
    fn question(&mut self) -> Vec<u8> {
        self.next %= Square::ALL.len();
        format!("?{}\r", Square::ALL[self.next]).into_bytes()
    }

    fn lamps(&self, squares: Bitboard) -> String {
        let list: String = squares.into_iter().map(|sq| format!(" *{sq}")).collect();
        format!(".{list}\r")
    }

    fn due(&self) -> Option<Instant> {
        self.done.map(|since| since + QUIET)
    }

    fn wake(&mut self, now: Instant, exchange: &mut Exchange, out: &mut Outbox) {
        if self.done.take_if(|since| now >= *since + QUIET).is_some() {
            exchange.state(now, self.answers, out);
        }
    }
}

fn info(exchange: &Exchange) -> BoardInfo {
    BoardInfo {
        polled: true,
        scan_ms: 100,
        lamps: true,
        ..exchange.info("gameboard UI", SensorClass::Occupancy)
    }
}

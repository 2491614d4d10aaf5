//! Square Off Pro: messages `NUMBER#payload*` over Bluetooth LE (Nordic UART), or over a serial
//! bridge to it.
//!
//! Source: the public descriptions of `Klepvink/CircleOn` (`UartComm.py`, `notes.txt`),
//! `mono424/swpp` and `mrquincle/squareoff` on GitHub. `0#e2u*` a piece was lifted from e2,
//! `0#e4d*` one was put down on e4; `30#R*` asks what stands on the board, `30#` and 64 digits 0 or
//! 1 answer, file after file: a1 to a8, b1 to b8 ... h8. `25#e2e4*` lights squares. The board tells
//! no time, and nobody has published how often it scans: short lifts may be missing.

use std::time::Instant;

use arbiter_core::shakmaty::{Bitboard, File, Rank, Square};
use arbiter_core::{Reading, SensorClass, Symbol};

use super::Outbox;
use super::polling::{Ask, Dialect, Exchange, Polling};
use crate::event::BoardInfo;

/// The longest message is the state: `30#`, 64 digits, `*`.
const LONGEST: usize = 80;

/// Asks what stands on the board.
const ASK: &[u8] = b"30#R*\r\n";

/// What the board says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// A square reads something, or nothing.
    Square(Square, Symbol),
    /// What every square reads.
    State(Box<Reading>),
    /// Something that is not about squares: battery, buttons.
    Other,
}

/// Cuts a stream into messages, whatever pieces it comes in.
#[derive(Debug, Default)]
pub struct Decoder {
    text: Vec<u8>,
}

impl Decoder {
    /// The stream begins anew.
    pub fn reset(&mut self) {
        self.text.clear();
    }

    /// The next byte. `Some(Err)`: what has come so far is damaged.
    pub fn feed(&mut self, byte: u8) -> Option<Result<Message, ()>> {
        match byte {
            b'*' => {
                let message = read(&self.text);
                self.text.clear();
                Some(message.ok_or(()))
            }
            b'\r' | b'\n' | b' ' => None,
            _ if self.text.len() >= LONGEST => {
                self.text.clear();
                Some(Err(()))
            }
            _ => {
                self.text.push(byte);
                None
            }
        }
    }
}

/// A message without its star.
fn read(text: &[u8]) -> Option<Message> {
    let text = std::str::from_utf8(text).ok()?;
    let (number, payload) = text.split_once('#')?;
    if number.is_empty() || number.len() > 2 || !number.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    match (number, payload.as_bytes()) {
        ("0", [_, _, way @ (b'u' | b'd')]) => {
            let square = payload.get(..2)?.parse().ok()?;
            Some(Message::Square(
                square,
                if *way == b'u' {
                    Symbol::Empty
                } else {
                    Symbol::Something
                },
            ))
        }
        ("0", _) => None,
        ("30", digits) => state(digits).map(|reading| Message::State(Box::new(reading))),
        _ => payload
            .bytes()
            .all(|b| b.is_ascii_graphic() && b != b'#')
            .then_some(Message::Other),
    }
}

fn state(digits: &[u8]) -> Option<Reading> {
    let mut reading = Reading::EMPTY;
    if digits.len() != 64 {
        return None;
    }
    for (n, digit) in digits.iter().enumerate() {
        match digit {
            b'0' => {}
            b'1' => reading.set(square_of(n), Symbol::Something),
            _ => return None,
        }
    }
    Some(reading)
}

/// The square of a digit of the state.
fn square_of(n: usize) -> Square {
    Square::from_coords(File::ALL[n / 8], Rank::ALL[n % 8])
}

/// The state as the board writes it.
pub fn encode_state(reading: &Reading) -> String {
    let digit = |n| {
        if reading.at(square_of(n)) == Symbol::Empty {
            '0'
        } else {
            '1'
        }
    };
    format!("30#{}*", (0..64).map(digit).collect::<String>())
}

/// A change as the board writes it.
pub fn encode_change(square: Square, symbol: Symbol) -> String {
    format!(
        "0#{square}{}*",
        if symbol == Symbol::Empty { 'u' } else { 'd' }
    )
}

/// The host's end.
pub(crate) type SquareOff = Polling<Pro>;

/// The words of a Square Off Pro.
#[derive(Debug, Default)]
pub(crate) struct Pro {
    line: Decoder,
}

impl Dialect for Pro {
    type Message = Result<Message, ()>;

    fn reset(&mut self) {
        self.line.reset();
    }

    fn feed(&mut self, byte: u8) -> Option<Self::Message> {
        self.line.feed(byte)
    }

    fn take(
        &mut self,
        now: Instant,
        message: Self::Message,
        exchange: &mut Exchange,
        out: &mut Outbox,
    ) -> Ask {
        match message {
            Ok(Message::State(reading)) => {
                exchange.hello(now, &info(exchange), out);
                exchange.state(now, *reading, out);
                Ask::Nothing
            }
            // Told before the state, it is part of the state.
            Ok(Message::Square(square, symbol)) if exchange.told().is_some() => {
                let fits = exchange.changes(now, vec![(square, symbol)], out);
                Ask::next_if(!fits)
            }
            Ok(Message::Square(..) | Message::Other) => Ask::Nothing,
            Err(()) => Ask::next_if(exchange.damaged(out)),
        }
    }

    fn question(&mut self) -> Vec<u8> {
        ASK.to_vec()
    }

    fn lamps(&self, squares: Bitboard) -> String {
        let list: String = squares.into_iter().map(|sq| sq.to_string()).collect();
        format!("25#{list}*\r\n")
    }
}

fn info(exchange: &Exchange) -> BoardInfo {
    BoardInfo {
        polled: true,
        scan_ms: 100,
        lamps: true,
        ..exchange.info("Square Off", SensorClass::Occupancy)
    }
}

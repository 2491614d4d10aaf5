//! The line format for home-made boards (`docs/boards.md` is its specification, and shows a sketch
//! for an Arduino).
//!
//! The board writes `-e2` and `+e4` when squares change, answers `?` with `board NAME ...` and `=`
//! and 64 squares, and may write `press white` and `adjust white`. The words for changes are those
//! of the "gameboard UI protocol" (see [`super::affelino`]), which is this project's source for
//! them.

use std::time::Instant;

use arbiter_core::shakmaty::{Bitboard, Color, Square};
use arbiter_core::{Reading, SensorClass, Symbol};

use super::Outbox;
use super::polling::{Ask, Dialect, Exchange, Polling};
use super::tokens::{self, LineDecoder};
use crate::event::{BoardInfo, Report};

/// Asks for `board` and for the state.
const ASK: &[u8] = b"?\n";

/// What a line says.
#[derive(Clone, PartialEq, Debug)]
pub enum Message {
    /// The board names itself.
    Board(Named),
    /// What every square reads.
    State(Box<Reading>),
    /// Squares changed in one scan.
    Changes(Vec<(Square, Symbol)>),
    /// A clock was pressed, or an adjust button.
    Report(Report),
    /// For people.
    Comment,
}

/// What a board says of itself in its `board` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// What its sensors tell.
    pub sensor: Option<SensorClass>,
    /// Milliseconds from one scan to the next.
    pub scan_ms: u32,
    /// Which of `clock`, `lamps`, `adjust`, `polled` it has.
    pub clock: bool,
    /// It lights squares.
    pub lamps: bool,
    /// It has adjust buttons.
    pub adjust: bool,
    /// It may miss short events.
    pub polled: bool,
}

/// Reads a line: its check, if it has one, and its words. The flag says whether it was checked.
pub fn read(line: &str) -> Option<(Message, bool)> {
    if line.starts_with('#') {
        return Some((Message::Comment, false));
    }
    let (text, checked) = match line.rsplit_once('*') {
        Some((text, check)) => (text, (check == encode_check(text)).then_some(true)?),
        None => (line, false),
    };
    let text = text.trim_end();
    if let Some(squares) = text.strip_prefix('=') {
        return Some((Message::State(Box::new(tokens::state(squares)?)), checked));
    }
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let message = match words[..] {
        ["board", name, ref rest @ ..] => Message::Board(named(name, rest)?),
        ["press", by, ref left @ ..] => press(by, left)?,
        ["adjust", by] => Message::Report(Report::Adjust { by: colour(by)? }),
        [_, ..] => Message::Changes(
            words
                .iter()
                .map(|word| tokens::change(word))
                .collect::<Option<_>>()?,
        ),
        [] => return None,
    };
    Some((message, checked))
}

/// The check of a line: Fletcher's checksum of 16 bits (its algorithm is in RFC 1146), the second
/// sum and then the first, in hexadecimal.
pub fn encode_check(text: &str) -> String {
    let step = |(a, b): (u16, u16), byte: u8| {
        ((a + u16::from(byte)) % 255, (a + b + u16::from(byte)) % 255)
    };
    let (a, b) = text.bytes().fold((0, 0), step);
    format!("{b:02X}{a:02X}")
}

fn named(name: &str, words: &[&str]) -> Option<Named> {
    let mut named = Named {
        name: name.chars().take(32).collect(),
        sensor: None,
        scan_ms: 0,
        clock: false,
        lamps: false,
        adjust: false,
        polled: false,
    };
    for word in words {
        match *word {
            "occupancy" => named.sensor = Some(SensorClass::Occupancy),
            "colour" | "color" => named.sensor = Some(SensorClass::Colour),
            "piece" => named.sensor = Some(SensorClass::Piece),
            "clock" => named.clock = true,
            "lamps" => named.lamps = true,
            "adjust" => named.adjust = true,
            "polled" => named.polled = true,
            // A word of a later version means nothing to this one.
            other => {
                let Some(ms) = other.strip_prefix("scan=") else {
                    continue;
                };
                named.scan_ms = ms.parse().ok().filter(|ms| *ms <= 10_000)?;
            }
        }
    }
    Some(named)
}

fn press(by: &str, left: &[&str]) -> Option<Message> {
    let (white_ms, black_ms) = match left {
        [] => (None, None),
        [white, black] => (Some(white.parse().ok()?), Some(black.parse().ok()?)),
        _ => return None,
    };
    Some(Message::Report(Report::Press {
        by: colour(by)?,
        white_ms,
        black_ms,
    }))
}

fn colour(word: &str) -> Option<Color> {
    match word {
        "white" => Some(Color::White),
        "black" => Some(Color::Black),
        _ => None,
    }
}

/// The class of sensors that writes such symbols.
fn class<'a>(symbols: impl IntoIterator<Item = &'a Symbol>) -> SensorClass {
    let rank = |symbol: &Symbol| match symbol {
        Symbol::Piece(_) => SensorClass::Piece,
        Symbol::Colour(_) => SensorClass::Colour,
        Symbol::Something | Symbol::Empty => SensorClass::Occupancy,
    };
    symbols
        .into_iter()
        .map(rank)
        .max_by_key(|class| *class as u8)
        .unwrap_or(SensorClass::Occupancy)
}

/// The host's end.
pub(crate) type Text = Polling<LineFormat>;

/// The words of the line format, and what the board has said in them.
#[derive(Debug, Default)]
pub(crate) struct LineFormat {
    lines: LineDecoder,
    named: Option<Named>,
    /// Lines have been checked, so one that is not is damaged.
    checked: bool,
}

impl LineFormat {
    /// A board that has not named itself is what its symbols show.
    fn greet(&self, now: Instant, shows: SensorClass, exchange: &mut Exchange, out: &mut Outbox) {
        let info = match &self.named {
            Some(named) => BoardInfo {
                clock: named.clock,
                lamps: named.lamps,
                adjust: named.adjust,
                polled: named.polled || named.scan_ms > 50,
                scan_ms: named.scan_ms,
                ..exchange.info(&named.name, named.sensor.unwrap_or(shows))
            },
            None if exchange.told().is_some() => return,
            None => BoardInfo {
                polled: true,
                ..exchange.info("line format", shows)
            },
        };
        exchange.hello(now, &info, out);
    }

    /// A message that a line said, checked or not.
    fn understood(
        &mut self,
        now: Instant,
        message: Message,
        exchange: &mut Exchange,
        out: &mut Outbox,
    ) -> Ask {
        match message {
            Message::Board(named) => {
                let says_what_it_is = named.sensor.is_some();
                self.named = Some(named);
                if exchange.told().is_some() || says_what_it_is {
                    self.greet(now, SensorClass::Occupancy, exchange, out);
                }
            }
            Message::State(reading) => {
                let shows = class(Square::ALL.map(|sq| reading.at(sq)).iter());
                self.greet(now, shows, exchange, out);
                exchange.state(now, *reading, out);
            }
            // Before the first state it is part of the state, unless the board cannot be asked.
            Message::Changes(_) if exchange.told().is_none() && !exchange.is_mute(now) => {}
            Message::Changes(changes) => {
                self.greet(
                    now,
                    class(changes.iter().map(|(_, seen)| seen)),
                    exchange,
                    out,
                );
                let fits = exchange.changes(now, changes, out);
                return Ask::next_if(!fits);
            }
            Message::Report(report) if exchange.told().is_some() => {
                exchange.report(now, report, out)
            }
            Message::Report(_) | Message::Comment => {}
        }
        Ask::Nothing
    }
}

impl Dialect for LineFormat {
    type Message = Result<String, ()>;

    const OPENING: &'static [u8] = b"\n";

    fn reset(&mut self) {
        self.lines.reset();
        (self.named, self.checked) = (None, false);
    }

    fn feed(&mut self, byte: u8) -> Option<Self::Message> {
        self.lines.feed(byte)
    }

    fn take(
        &mut self,
        now: Instant,
        line: Self::Message,
        exchange: &mut Exchange,
        out: &mut Outbox,
    ) -> Ask {
        match line.ok().as_deref().and_then(read) {
            Some((message, checked)) if checked || !self.checked || message == Message::Comment => {
                self.checked |= checked;
                self.understood(now, message, exchange, out)
            }
            _ => Ask::next_if(exchange.damaged(out)),
        }
    }

    fn question(&mut self) -> Vec<u8> {
        ASK.to_vec()
    }

    fn lamps(&self, squares: Bitboard) -> String {
        let list: String = squares.into_iter().map(|sq| format!(" {sq}")).collect();
        format!("lamps{list}\n")
    }
}

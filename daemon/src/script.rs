//! Event scripts as text: JSON Lines in and out. `docs/event-script.md` describes the format.
//!
//! The reader is a stream. It holds one line at a time, checks what one line cannot show (the first
//! line is a `setup`, time never goes back within a game, a symbol belongs to the board's class of
//! sensor), and says what is wrong as `FILE:LINE: what`.

mod explain;
#[cfg(test)]
mod tests;
mod usual;

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};

use arbiter_core::{Event, Input, Reading, SensorClass, Symbol, Time};
use serde::Deserialize;

/// A line longer than this many bytes is no event. The longest real one, a setup with every field,
/// is under 1 kB.
const LONGEST_LINE: u64 = 64 * 1024;

/// What is wrong with a script, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptError {
    /// The file's name, as the user gave it.
    pub file: String,
    /// The line, counted from 1.
    pub line: u64,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.what)
    }
}

impl std::error::Error for ScriptError {}

/// Reads a script event by event. After an error it ends.
#[derive(Debug)]
pub struct Reader<R> {
    input: BufReader<R>,
    file: String,
    line: u64,
    text: Vec<u8>,
    /// The game at hand: its sensor and the time of its last event. `None` before the first setup.
    game: Option<(SensorClass, Time)>,
    failed: bool,
}

impl<R: Read> Reader<R> {
    /// Reads from `input`; `file` names it in messages.
    pub fn new(file: impl Into<String>, input: R) -> Reader<R> {
        Reader {
            input: BufReader::with_capacity(LONGEST_LINE as usize, input),
            file: file.into(),
            line: 0,
            text: Vec::new(),
            game: None,
            failed: false,
        }
    }

    /// Whether the next event must be waited for: a good moment to show what came of those before.
    pub fn is_drained(&self) -> bool {
        self.input.buffer().is_empty()
    }

    /// The next event, or what is wrong with its line.
    fn read(&mut self) -> Result<Option<Event>, String> {
        while self.read_line()? {
            if !self.text.trim_ascii().is_empty() {
                let event = parse(self.text.trim_ascii())?;
                self.check(&event)?;
                return Ok(Some(event));
            }
        }
        if self.game.is_none() {
            self.line = self.line.max(1);
            return Err("the script is empty; its first line is a `setup`".to_owned());
        }
        Ok(None)
    }

    /// Reads one line into `text`; `false` at the end.
    fn read_line(&mut self) -> Result<bool, String> {
        self.text.clear();
        self.line += 1;
        let mut limited = (&mut self.input).take(LONGEST_LINE);
        let n = limited
            .read_until(b'\n', &mut self.text)
            .map_err(|e| format!("cannot be read: {e}"))?;
        if n as u64 == LONGEST_LINE && self.text.last() != Some(&b'\n') {
            return Err(format!(
                "the line is longer than {LONGEST_LINE} bytes; an event takes one short line"
            ));
        }
        if self.line == 1 && self.text.starts_with(b"\xEF\xBB\xBF") {
            self.text.drain(..3);
        }
        Ok(n > 0)
    }

    /// What one line alone cannot show.
    fn check(&mut self, event: &Event) -> Result<(), String> {
        if let Input::Setup(setup) = &event.input {
            self.game = Some((setup.sensor, event.at));
            return Ok(());
        }
        let Some((sensor, last)) = &mut self.game else {
            return Err("the first line of a script is a `setup`".to_owned());
        };
        if event.at < *last {
            return Err(format!(
                "`at` is {}, but the line before is at {}; time never goes back",
                event.at.0, last.0
            ));
        }
        *last = event.at;
        match &event.input {
            Input::Place {
                seen: Symbol::Empty,
                ..
            } => Err(
                "`seen` is `.`, but a placed piece reads something; an emptied square is a `lift`"
                    .to_owned(),
            ),
            Input::Place { seen, .. } => fits(*seen, *sensor).map_err(|e| format!("`seen` {e}")),
            Input::Snapshot { board } => {
                fits_all(board, *sensor).map_err(|e| format!("`board` {e}"))
            }
            _ => Ok(()),
        }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Event, ScriptError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let read = self.read();
        self.failed = read.is_err();
        read.map_err(|what| ScriptError {
            file: self.file.clone(),
            line: self.line,
            what,
        })
        .transpose()
    }
}

/// Whether a board of `sensor` class can read `symbol`.
fn fits(symbol: Symbol, sensor: SensorClass) -> Result<(), String> {
    let (fits, class) = match sensor {
        SensorClass::Occupancy => (
            symbol == Symbol::Something,
            "an occupancy board reads only `?`",
        ),
        SensorClass::Colour => (
            matches!(symbol, Symbol::Colour(_)),
            "a colour board reads `L` or `D`",
        ),
        SensorClass::Piece => (
            matches!(symbol, Symbol::Piece(_)),
            "a piece board reads one of PNBRQK or pnbrqk",
        ),
    };
    if fits || symbol == Symbol::Empty {
        Ok(())
    } else {
        Err(format!("is `{symbol}`, but {class}"))
    }
}

fn fits_all(board: &Reading, sensor: SensorClass) -> Result<(), String> {
    let squares = arbiter_core::shakmaty::Square::ALL.into_iter();
    squares
        .map(|square| (square, board.at(square)))
        .try_for_each(|(square, symbol)| {
            fits(symbol, sensor).map_err(|e| format!("on {square} {e}"))
        })
}

/// One line as it stands. Unlike [`Event`], it knows whether `at` was there.
#[derive(Deserialize)]
struct Line {
    at: Option<Time>,
    #[serde(flatten)]
    input: Input,
}

/// Reads one event. Fields it does not know are passed over.
fn parse(line: &[u8]) -> Result<Event, String> {
    match usual::parse(line) {
        Some(event) => Ok(event),
        None => parse_any(line),
    }
}

fn parse_any(line: &[u8]) -> Result<Event, String> {
    let read: Line = serde_json::from_slice(line).map_err(|e| explain::explain(line, &e))?;
    match (read.at, &read.input) {
        (Some(at), _) => Ok(Event {
            at,
            input: read.input,
        }),
        (None, Input::Setup(_)) => Ok(Event {
            at: Time::ZERO,
            input: read.input,
        }),
        (None, _) => {
            Err("`at` is missing; every event but `setup` says when, in milliseconds".to_owned())
        }
    }
}

/// Reads what an event says, without its time: for what is declared now. `Err` says what is wrong.
pub fn parse_input(json: &[u8]) -> Result<Input, String> {
    serde_json::from_slice(json).map_err(|e| explain::explain(json, &e))
}

/// Writes `event` as one line.
pub fn write(out: &mut impl Write, event: &Event) -> io::Result<()> {
    serde_json::to_writer(&mut *out, event)?;
    out.write_all(b"\n")
}

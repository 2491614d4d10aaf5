//! What pairing programs write, read: PGN without moves, FIDE's report files, bare lists of
//! numbers, tables.
//!
//! Nothing is guessed. What cannot be understood is told with its line and column, all of it at
//! once, and nothing of the file is used.

mod csv;
mod list;
mod pgn;
mod trf;

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::code::ResultCode;
use crate::model::{Details, Player};

/// Files are smaller than this, in bytes: the largest tournaments need a tenth of it.
pub const MOST: usize = 5 << 20;

/// How a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Games without moves, one for each table.
    Pgn,
    /// FIDE's tournament report file, TRF16 or TRF26.
    Trf,
    /// How many pairs, then two starting numbers a line, in the order of the tables.
    List,
    /// A table with a line of headings.
    Csv,
}

/// What a file says.
#[derive(Clone, PartialEq, Debug)]
pub struct Sheet {
    /// How it was written.
    pub format: Format,
    /// Of the tournament.
    pub details: Details,
    /// Of the players. Number 0: the file does not say it. No name: the number alone is told.
    pub players: Vec<Player>,
    /// The round, where it says which.
    pub round: Option<u16>,
    /// The day of the round.
    pub date: String,
    /// Who plays whom, in its order.
    pub games: Vec<Game>,
    /// Whether the order of the games was worked out here, since the file has none.
    pub is_ordered_here: bool,
}

/// Two players, or one with a bye, as a file has them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The line that says so, from 1.
    pub line: usize,
    /// The table, where it is told.
    pub table: Option<u16>,
    /// White, as a place in [`Sheet::players`].
    pub white: usize,
    /// Black; `None` is a bye.
    pub black: Option<usize>,
    /// How it ended, where it has.
    pub codes: Option<[ResultCode; 2]>,
}

/// One thing that cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1: of characters, in tables of fields.
    pub column: usize,
    /// What is wrong.
    pub text: String,
}

/// A file that cannot be used, and all that is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, thiserror::Error)]
pub struct Unreadable(pub Vec<Fault>);

impl Unreadable {
    fn one(line: usize, column: usize, text: impl Into<String>) -> Unreadable {
        let text = text.into();
        Unreadable(vec![Fault { line, column, text }])
    }

    /// The value, where nothing is wrong.
    fn unless<T>(self, value: T) -> Result<T, Unreadable> {
        if self.0.is_empty() {
            Ok(value)
        } else {
            Err(self)
        }
    }

    fn add(&mut self, line: usize, column: usize, text: impl Into<String>) {
        let text = text.into();
        self.0.push(Fault { line, column, text });
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, Fault { line, column, text }) in self.0.iter().enumerate() {
            let end = if n == 0 { "" } else { "\n" };
            write!(f, "{end}line {line}, column {column}: {text}")?;
        }
        Ok(())
    }
}

impl Format {
    /// How a file is written, by what it begins with. `None`: in no way that is known here.
    pub fn of(text: &str) -> Option<Format> {
        let mut lines = text
            .split(['\r', '\n'])
            .filter(|line| !line.trim().is_empty());
        let first = lines.clone().next()?;
        let is_tag = |line: &str| {
            let mut chars = line.chars();
            let number = chars.by_ref().take(3).all(|c| c.is_ascii_digit());
            number && chars.next().is_none_or(|c| c == ' ')
        };
        let is_number = |line: &str| line.trim().parse::<u16>().is_ok();
        if first.trim_start().starts_with('[') {
            Some(Format::Pgn)
        } else if lines.any(|line| line.starts_with("001 ") || line.starts_with("012 "))
            || (is_tag(first) && first.len() > 3)
        {
            Some(Format::Trf)
        } else if is_number(first) {
            Some(Format::List)
        } else {
            csv::has_headings(text).then_some(Format::Csv)
        }
    }
}

/// Whether a file is a report file (TRF): results can be filled into it.
pub fn is_report(bytes: &[u8]) -> bool {
    let text = chess_trf::Encoding::of(bytes).decode(bytes);
    text.is_ok_and(|text| Format::of(&text) == Some(Format::Trf))
}

/// Reads a file. `round` is the one that is wanted; else the file says it, or the games that are
/// not played yet.
///
/// # Errors
/// Everything that cannot be understood, with line and column.
pub fn read(bytes: &[u8], round: Option<u16>) -> Result<Sheet, Unreadable> {
    if bytes.len() > MOST {
        let text = format!("{} bytes: no list of pairings is so long", bytes.len());
        return Err(Unreadable::one(1, 1, text));
    }
    let encoding = chess_trf::Encoding::of(bytes);
    let text = encoding
        .decode(bytes)
        .map_err(|e| Unreadable::one(1, 1, e.to_string()))?;
    let sheet = match Format::of(&text) {
        Some(Format::Pgn) => pgn::read(&text, round),
        Some(Format::Trf) => trf::read(bytes, round),
        Some(Format::List) => list::read(&text),
        Some(Format::Csv) => csv::read(&text, round),
        None => {
            let known = "this is no PGN, no TRF, no list of pairs, and no table with headings \
                         such as `table`, `white` and `black`";
            return Err(Unreadable::one(1, 1, known));
        }
    }?;
    if sheet.games.is_empty() {
        let which = round.map_or_else(String::new, |round| format!(" of round {round}"));
        return Err(Unreadable::one(1, 1, format!("no pairing{which} is in it")));
    }
    Ok(sheet)
}

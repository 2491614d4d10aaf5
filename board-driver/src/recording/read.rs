//! From a recording's text to what happened on its line.

use std::time::Duration;

use thiserror::Error;

use super::{Header, MAGIC, VERSION};

/// A recording that was read.
#[derive(Clone, PartialEq, Debug)]
pub struct Recording {
    /// What is known of all of it.
    pub header: Header,
    /// What happened, in order.
    pub entries: Vec<Entry>,
}

/// Something that happened on the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// When, since the start.
    pub at: Duration,
    /// What.
    pub happened: Happened,
}

/// What can happen on a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Happened {
    /// It was opened.
    Open,
    /// It was closed, and why.
    Down(String),
    /// The board wrote these bytes.
    Received(Vec<u8>),
    /// These were written to the board.
    Sent(Vec<u8>),
}

/// What is wrong with a recording, and in which line, counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{line}: {what}")]
pub struct ReadError {
    /// The line.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// Reads a recording. A last line that was cut short ends it.
///
/// # Errors
/// The first line that is not as it should be.
pub fn read(text: &str) -> Result<Recording, ReadError> {
    let mut lines = (1..).zip(text.split_inclusive('\n'));
    let wrong = |line, what: &str| ReadError {
        line,
        what: what.to_owned(),
    };
    let (_, first) = lines.next().ok_or_else(|| wrong(1, "the file is empty"))?;
    let header = header(first.trim_end()).map_err(|what| ReadError { line: 1, what })?;
    let mut entries: Vec<Entry> = Vec::new();
    for (line, text) in lines {
        let last = entries.last().map_or(Duration::ZERO, |entry| entry.at);
        match entry(text.trim_end_matches(['\n', '\r'])) {
            _ if text.trim().is_empty() || text.starts_with('#') => {}
            Some(entry) if entry.at < last => return Err(wrong(line, "time goes back")),
            Some(entry) => entries.push(entry),
            None if !text.ends_with('\n') => break,
            None => {
                return Err(wrong(
                    line,
                    "not a moment and `<`, `>`, `open` or `down`; see docs/boards.md",
                ));
            }
        }
    }
    Ok(Recording { header, entries })
}

fn header(line: &str) -> Result<Header, String> {
    let mut words = line.split(' ');
    if words.next() != Some(MAGIC) {
        return Err(format!("no recording: it does not begin with `{MAGIC}`"));
    }
    let version = words.next().unwrap_or_default();
    if version.parse() != Ok(VERSION) {
        return Err(format!(
            "recordings of version {version} are not known here, only {VERSION}"
        ));
    }
    let mut header = Header {
        kind: None,
        pace: 1.0,
        started: String::new(),
        port: String::new(),
    };
    for (key, value) in words.filter_map(|word| word.split_once('=')) {
        match key {
            "kind" if value != "none" => header.kind = Some(value.parse()?),
            "pace" => {
                header.pace = value
                    .parse()
                    .map_err(|_| format!("pace={value}: not a number"))?
            }
            "started" => header.started = value.to_owned(),
            "port" => header.port = value.to_owned(),
            // A later program may know more.
            _ => {}
        }
    }
    Ok(header)
}

fn entry(line: &str) -> Option<Entry> {
    let (at, rest) = line.split_once(' ')?;
    let (seconds, micros) = at.split_once('.')?;
    let micros: u32 = micros.parse().ok().filter(|_| micros.len() == 6)?;
    let at = Duration::new(seconds.parse().ok()?, micros * 1_000);
    let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let happened = match word {
        "open" => Happened::Open,
        "down" => Happened::Down(rest.to_owned()),
        "<" => Happened::Received(bytes(rest)?),
        ">" => Happened::Sent(bytes(rest)?),
        _ => return None,
    };
    Some(Entry { at, happened })
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    let is_hex = text.len().is_multiple_of(2) && text.bytes().all(|b| b.is_ascii_hexdigit());
    let pair = |n: usize| u8::from_str_radix(text.get(n..n + 2)?, 16).ok();
    is_hex
        .then(|| (0..text.len()).step_by(2).map(pair).collect())
        .flatten()
}

//! A short way for the lines that a script mostly consists of: lifts, places, presses and ticks,
//! written as usual.
//!
//! What is written in any other manner, wrong lines included, goes the long way, which says what is
//! wrong.

use arbiter_core::shakmaty::Color;
use arbiter_core::{Event, Input, Symbol, Time};
use serde::Deserialize;

/// Stands for a field that is not there. No string in a line is so without an escape, which this
/// way does not read.
const ABSENT: &str = "\0";

fn absent() -> &'static str {
    ABSENT
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    event: &'a str,
    at: u64,
    #[serde(default = "absent")]
    square: &'a str,
    #[serde(default = "absent")]
    seen: &'a str,
    #[serde(default = "absent")]
    by: &'a str,
    white_ms: Option<u64>,
    black_ms: Option<u64>,
}

/// The event of a line that is written as usual; `None` says nothing about the line.
pub(super) fn parse(line: &[u8]) -> Option<Event> {
    // serde would read an array of the fields as well.
    let line = line.first().filter(|first| **first == b'{').map(|_| line)?;
    let Line {
        event,
        at,
        square,
        seen,
        by,
        white_ms,
        black_ms,
    } = serde_json::from_slice(line).ok()?;
    let no_times = (white_ms, black_ms) == (None, None);
    let input = match (event, square, seen, by) {
        ("lift", square, ABSENT, ABSENT) if no_times => Input::Lift {
            square: square.parse().ok()?,
        },
        ("place", square, seen, ABSENT) if no_times => Input::Place {
            square: square.parse().ok()?,
            seen: symbol(seen)?,
        },
        ("press", ABSENT, ABSENT, by) => Input::Press {
            by: colour(by)?,
            white_ms,
            black_ms,
        },
        ("tick", ABSENT, ABSENT, ABSENT) if no_times => Input::Tick,
        _ => return None,
    };
    Some(Event {
        at: Time(at),
        input,
    })
}

fn symbol(text: &str) -> Option<Symbol> {
    if text == ABSENT {
        return Some(Symbol::Something);
    }
    let mut chars = text.chars();
    chars
        .next()
        .and_then(Symbol::from_char)
        .filter(|_| chars.next().is_none())
}

fn colour(text: &str) -> Option<Color> {
    match text {
        "white" => Some(Color::White),
        "black" => Some(Color::Black),
        _ => None,
    }
}

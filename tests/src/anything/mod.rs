//! Any bytes as a game: hands that move pieces, let go of them, press clocks and call for the
//! arbiter as the bytes say, and somebody who listens to the arbiter and holds him to what he must
//! never do.
//!
//! Bytes, so that a coverage-guided fuzzer can steer them and a property test can draw them. Every
//! list of bytes is a script that an `arbiterd replay` would read.

mod bytes;
mod listener;
mod table;
mod words;

use arbiter_core::Event;

pub use listener::listen;

/// Longest script made of bytes.
const MOST_EVENTS: usize = 600;

/// The event script that `bytes` stand for.
pub fn script(bytes: &[u8]) -> Vec<Event> {
    let mut bytes = bytes::Bytes::new(bytes);
    let mut table = table::Table::set_up(&mut bytes);
    while !bytes.is_empty() && table.script.len() < MOST_EVENTS {
        table.something_happens(&mut bytes);
    }
    table.script
}

/// A script as text, to be fed to `arbiterd replay`.
pub fn text(script: &[Event]) -> String {
    let line = |event| serde_json::to_string(event).expect("an event is JSON") + "\n";
    script.iter().map(line).collect()
}

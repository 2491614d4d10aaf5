//! A playing hall for tests and measurements: boards on pseudo-terminals, the real `arbiterd` as a
//! process of its own that can be killed, and a client of its console.

mod arbiterd;
mod client;
mod clock;
mod configuration;
mod feed;
mod fingers;
mod livechess;
mod process;
mod stopwatch;
mod wait;
mod workshop;

use std::path::Path;
use std::process::Command;

use serde_json::Value;

pub use arbiterd::Arbiterd;
pub use client::{
    Line, Place, Reply, get, get_with, listen, listen_at, listen_to, post, post_with,
};
pub use clock::WallClock;
pub use configuration::{configuration, section};
pub use feed::{PAGES, feed};
pub use fingers::Fingers;
pub use livechess::{LiveChess, free};
pub use process::Process;
pub use stopwatch::{Latencies, Race, measure, measure_beside, measure_with};
pub use wait::{at_the_moment, let_run, look_until, pause_of_a_hand, until, wake_at};
pub use workshop::Workshop;

/// A Python that has python-chess.
///
/// # Panics
/// With what to do, where there is none.
pub fn python() -> String {
    let python = std::env::var("ARBITER_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_chess = Command::new(&python)
        .args(["-c", "import chess.pgn"])
        .output()
        .is_ok_and(|o| o.status.success());
    assert!(
        has_chess,
        "`{python}` has no python-chess, which reads the PGN files back: `python3 -m venv V && \
         V/bin/pip install 'chess>=1.11,<2'`, and set ARBITER_PYTHON=V/bin/python \
         (./ci.sh does both)"
    );
    python
}

/// What python-chess, which shares no line of code with the daemon, reads in the PGN files of a
/// directory: an object for each game.
///
/// # Panics
/// When there are none, or it cannot read them.
pub fn read_back(directory: &Path) -> Vec<Value> {
    let files = std::fs::read_dir(directory).expect("PGN files").flatten();
    let read = Command::new(python())
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/pgn/read.py"))
        .args(files.map(|entry| entry.path()))
        .output()
        .expect("python");
    let complaint = String::from_utf8_lossy(&read.stderr);
    assert!(read.status.success(), "{complaint}");
    serde_json::Deserializer::from_slice(&read.stdout)
        .into_iter()
        .collect::<Result<_, _>>()
        .expect("one JSON object a game")
}

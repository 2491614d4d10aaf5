//! How fast whole games are ruled on again: `cargo build --release -p daemon && cargo bench -p tests --bench replay`.
//!
//! The real command from end to end: a script is read, ruled on, and the rulings are written. `REPLAY_GAMES` says how many
//! games (1,000 by default; the goal speaks of 30,000), `ARBITER_GAMES` names a file of games to take instead of those that
//! are carried along. The games follow each other in one script, on all kinds of boards.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use arbiter_core::SensorClass;
use board_driver::hand::Style;
use tests::accuracy::source::Source;
use tests::accuracy::{Cell, run};
use tests::anything::text;
use tests::rig::Arbiterd;

fn main() {
    let games = std::env::var("REPLAY_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000);
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("games.jsonl");
    let events = write(&file, games);
    // Once to have the file in memory, then for the measure.
    replay(&file);
    let seconds = replay(&file);
    println!("{games} games, {events} events: {seconds:.2} s, {:.0} events/s", events as f64 / seconds);
    println!("30,000 games at this pace: {:.1} s (goal: under 30 s)", seconds * 30_000.0 / games as f64);
}

/// Writes the games into `file`; how many events they are.
fn write(file: &Path, games: usize) -> usize {
    let mut out = BufWriter::new(File::create(file).expect("a file"));
    let source = Source::open().unwrap_or_else(|why| panic!("{why}"));
    let all = &source.games;
    let mut events = 0;
    for n in 0..games {
        let sensor = [SensorClass::Piece, SensorClass::Colour, SensorClass::Occupancy][n % 3];
        let cell = Cell { sensor, style: Style::Tidy, noise: 0, clock: true };
        let script = run(&all[n % all.len()], cell, n as u64, &[]).script;
        events += script.len();
        out.write_all(text(&script).as_bytes()).expect("room on the disk");
    }
    out.flush().expect("room on the disk");
    events
}

/// Seconds that the command takes.
fn replay(file: &Path) -> f64 {
    let start = Instant::now();
    let status = Command::new(Arbiterd::program()).arg("replay").arg(file).stdout(Stdio::null()).status();
    assert!(status.expect("arbiterd starts").success());
    start.elapsed().as_secs_f64()
}

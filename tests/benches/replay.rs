//! How fast whole games are ruled on again: `cargo build --release -p daemon && cargo bench -p
//! tests --bench replay`.
//!
//! The real command from end to end: a script is read, ruled on, and the rulings are written.
//! Criterion takes a few hundred games a round. `REPLAY_GAMES` says how many are replayed once
//! more, on the wall clock (the goal speaks of 30,000); `ARBITER_GAMES` names a file of games to
//! take instead of those that are carried along. The games follow each other in one script, by tidy
//! hands on all kinds of boards.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use arbiter_core::SensorClass;
use board_driver::hand::Style;
use criterion::{Criterion, Throughput};
use tests::accuracy::source::Source;
use tests::accuracy::{Cell, evidence};
use tests::anything::text;
use tests::rig::Arbiterd;

/// Games a round.
const GAMES: usize = 300;

fn main() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("games.jsonl");
    let events = write(&file, GAMES);
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(10))
        .configure_from_args();
    let mut group = criterion.benchmark_group("replay");
    group.throughput(Throughput::Elements(events as u64));
    group.bench_function(format!("{GAMES} games"), |bencher| {
        bencher.iter(|| replay(&file))
    });
    group.finish();
    criterion.final_summary();
    if let Some(games) = std::env::var("REPLAY_GAMES")
        .ok()
        .and_then(|n| n.parse().ok())
    {
        let events = write(&file, games);
        let start = Instant::now();
        replay(&file);
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{games} games, {events} events: {seconds:.2} s, {:.0} events/s",
            events as f64 / seconds
        );
    }
}

/// Writes the games into `file`; how many events they are.
fn write(file: &Path, games: usize) -> usize {
    let mut out = BufWriter::new(File::create(file).expect("a file"));
    let source = Source::open().unwrap_or_else(|why| panic!("{why}"));
    let all = &source.games;
    let mut events = 0;
    for n in 0..games {
        let sensor = [
            SensorClass::Piece,
            SensorClass::Colour,
            SensorClass::Occupancy,
        ][n % 3];
        let cell = Cell {
            sensor,
            style: Style::Tidy,
            noise: 0,
            clock: true,
        };
        let (script, _) = evidence(&all[n % all.len()], cell, n as u64, &[]);
        events += script.len();
        out.write_all(text(&script).as_bytes())
            .expect("room on the disk");
    }
    out.flush().expect("room on the disk");
    events
}

/// Runs the command.
fn replay(file: &Path) {
    let status = Command::new(Arbiterd::program())
        .arg("replay")
        .arg(file)
        .stdout(Stdio::null())
        .status();
    assert!(status.expect("arbiterd starts").success());
}

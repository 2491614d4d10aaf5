//! From serial byte to WebSocket message, and what a board costs: `cargo bench -p tests --bench
//! latency`.
//!
//! Needs the daemon of the same profile: `cargo build --release -p daemon`. `-- 1000 4` measures
//! one hall: so many boards, so many times as fast as real hands; with `--round` the games are
//! those of a round of an event.

use std::time::{Duration, Instant};

use arbiter_core::SensorClass;
use board_driver::hand::Style;
use tests::accuracy::Cell;
use tests::evening::{Evening, Play};
use tests::rig::{Arbiterd, Process, Race, get, measure, until};

const LENGTH: Duration = Duration::from_secs(30);
/// Until all boards answer, and until all games are over.
const PATIENCE: Duration = Duration::from_secs(180);

fn main() {
    let asked: Vec<f32> = std::env::args()
        .filter_map(|arg| arg.parse().ok())
        .collect();
    let in_a_round = std::env::args().any(|arg| arg == "--round");
    let halls = match asked[..] {
        [boards, pace] => vec![(boards as usize, pace, in_a_round)],
        _ => vec![
            (64, 1.0, false),
            (64, 8.0, false),
            (500, 1.0, false),
            (500, 4.0, false),
            (1_000, 1.0, false),
            (1_000, 1.0, true),
            (1_000, 4.0, false),
        ],
    };
    for (boards, pace, round) in halls {
        let dir = tempfile::tempdir().expect("a directory");
        let measured = measure(
            dir.path(),
            Race {
                boards,
                pace,
                length: LENGTH,
                round,
                tls: false,
            },
        );
        let of = if round { " of a round" } else { "" };
        println!("latency, {boards} boards{of}, {pace} times as fast as real hands: {measured}");
    }
    if !asked.is_empty() {
        return;
    }
    let (few, many) = (20, 500);
    let (little, much) = (memory(few), memory(many));
    let each = |n: usize| much[n].saturating_sub(little[n]) as f64 / (many - few) as f64 / 1024.0;
    println!(
        "memory a board: {:.1} KiB before its first move, {:.1} KiB after a whole game",
        each(0),
        each(1)
    );
    println!(
        "memory of the daemon: {} KiB with {few} boards, {} KiB with {many}",
        little[1] / 1024,
        much[1] / 1024
    );
}

/// The daemon's memory with `boards` boards: when all answer, and when all games are over.
fn memory(boards: usize) -> [u64; 2] {
    let play = |n: usize| {
        let cell = Cell {
            sensor: [
                SensorClass::Piece,
                SensorClass::Colour,
                SensorClass::Occupancy,
            ][n % 3],
            style: Style::Tidy,
            noise: 1,
            clock: true,
        };
        Play::new(cell, n, n as u64)
    };
    let evening = Evening::begin((0..boards).map(play).collect());
    let config = evening.path("arbiter.toml");
    std::fs::write(&config, evening.configuration()).expect("a configuration");
    let daemon = Arbiterd::serve(&config);
    let address = daemon
        .address(Instant::now() + PATIENCE)
        .expect("a console");
    let health = format!("\"connected\":{boards},");
    until("every board to answer", PATIENCE, || {
        get(address, "/healthz").is_ok_and(|reply| reply.body.contains(&health))
    });
    let at_first = Process(daemon.pid()).memory();
    let plies: usize = evening.tables.iter().map(|table| table.truth().len()).sum();
    until("every game to be recorded", PATIENCE, || {
        get(address, "/api/games").is_ok_and(|reply| recorded(&reply.body) >= plies)
    });
    [at_first, Process(daemon.pid()).memory()]
}

/// Half-moves in the records of all games.
fn recorded(games: &str) -> usize {
    let games: Vec<serde_json::Value> = serde_json::from_str(games).expect("games");
    games
        .iter()
        .filter_map(|game| game["plies"].as_u64())
        .sum::<u64>() as usize
}

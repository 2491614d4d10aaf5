//! From a byte on a serial line to the ruling at a WebSocket client.
//!
//! The clock is started when a press that completes a move is given to the line, and stopped when
//! the client has the ruling that it is completed. Both are read in one process; the daemon is
//! another one.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use arbiter_core::SensorClass;
use arbiter_core::shakmaty::Position;
use board_driver::hand::{Options, Style, games, perform};
use board_driver::noise::Sensors;
use board_driver::sim::{BoardSim, Pty};
use board_driver::{BoardEvent, SimConfig};
use board_wire::{Accumulator, FromBoard, Step, What};
use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{
    Arbiterd, Place, Process, Workshop, configuration, get, let_run, listen, look_until, section,
    until, wake_at,
};

/// Until every board answers.
const PATIENCE: Duration = Duration::from_secs(60);
/// The hall settles down before anything is measured.
const WARM_UP: Duration = Duration::from_secs(3);
/// A ruling that comes later than this after the end counts as missing.
const LATE: Duration = Duration::from_secs(2);

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    /// How many boards play.
    pub boards: usize,
    /// How many times as fast as real hands.
    pub pace: f32,
    /// For how long.
    pub length: Duration,
    /// Whether the games are those of a round of an event, each table with its pairing.
    pub round: bool,
    /// Whether the console speaks TLS.
    pub tls: bool,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Latencies {
    /// From press to ruling, in order of size.
    pub sorted: Vec<Duration>,
    /// Presses that no ruling came to.
    pub missing: usize,
    /// Reports a second, of all boards together.
    pub rate: f64,
    /// The daemon's share of one processor.
    pub cpu: f64,
    /// The daemon's memory at the end, in bytes.
    pub memory: u64,
}

impl Latencies {
    /// The latency that this part of all stays below, from 0 to 1.
    pub fn part(&self, part: f64) -> Duration {
        let index = (self.sorted.len() as f64 * part) as usize;
        self.sorted
            .get(index.min(self.sorted.len().saturating_sub(1)))
            .copied()
            .unwrap_or(Duration::MAX)
    }
}

impl fmt::Display for Latencies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |part| self.part(part).as_secs_f64() * 1000.0;
        write!(
            f,
            "p50 {:.2} ms, p99 {:.2} ms, max {:.2} ms ({} presses, {} without a ruling; \
             {:.0} reports/s; daemon {:.1} % of a processor, {:.1} MiB)",
            ms(0.5),
            ms(0.99),
            ms(1.0),
            self.sorted.len(),
            self.missing,
            self.rate,
            self.cpu * 100.0,
            self.memory as f64 / 1_048_576.0
        )
    }
}

/// What the boards have sent.
#[derive(Debug, Default)]
struct Sent {
    /// When each press went onto the line, by board and half-move.
    presses: HashMap<(String, u32), Instant>,
    reports: u64,
}

/// One board and what will happen on it.
struct Table {
    id: String,
    config: SimConfig,
    script: Vec<BoardEvent>,
}

/// A completed move, as the live feed tells it.
#[derive(Deserialize)]
struct Completed {
    board: String,
    ply: u32,
}

/// When the client had each ruling that a move is completed, by board and half-move.
type Heard = Arc<Mutex<HashMap<(String, u32), Instant>>>;

/// Runs the race in `dir`.
///
/// # Panics
/// When the daemon does not come up, or a board does not answer.
pub fn measure(dir: &Path, race: Race) -> Latencies {
    measure_beside(dir, race, |_| {})
}

/// The same, while something else is done to the console at its address.
///
/// # Panics
/// When the daemon does not come up, or a board does not answer.
pub fn measure_beside(
    dir: &Path,
    race: Race,
    beside: impl FnOnce(Place) + Send + 'static,
) -> Latencies {
    measure_with(dir, race, "", beside)
}

/// The same of a daemon with more in its configuration, such as the section of its hub.
///
/// # Panics
/// When the daemon does not come up, or a board does not answer.
pub fn measure_with(
    dir: &Path,
    race: Race,
    more: &str,
    beside: impl FnOnce(Place) + Send + 'static,
) -> Latencies {
    let tables: Vec<Table> = (0..race.boards).map(|n| table(dir, n, race.pace)).collect();
    let config = dir.join("arbiter.toml");
    let sections = tables
        .iter()
        .map(|table| section(&table.id, &table.config.link, "kind = \"native\"\n"));
    let mut text = more.to_owned() + &configuration(&dir.join("store"), sections);
    if race.tls {
        text = text.replacen("[http]", "[http]\ntls = \"on\"", 1);
    }
    std::fs::write(&config, text).expect("a configuration");
    if race.round {
        start_round(dir, race.boards);
    }
    let sent = Arc::new(Mutex::new(Sent::default()));
    let boards = switch_on(tables, &sent);
    let mut daemon = Arbiterd::serve(&config);
    let address = daemon
        .address(Instant::now() + PATIENCE)
        .unwrap_or_else(|| panic!("no console:\n{}", daemon.log()));
    let place = match race.tls {
        true => Place::over_tls(address, &dir.join("store/tls/ca.crt")),
        false => address.into(),
    };
    let heard = Heard::default();
    let listener = thread::spawn({
        let (place, heard) = (place.clone(), heard.clone());
        move || hear(place, &heard)
    });
    let all = format!("\"connected\":{},", race.boards);
    until("every board to answer", PATIENCE, || {
        get(place.clone(), "/healthz").is_ok_and(|reply| reply.body.contains(&all))
    });
    let_run(WARM_UP);
    if race.round {
        until("every game to be one of the round", PATIENCE, || {
            get(place.clone(), "/api/rounds/1")
                .is_ok_and(|round| round.body.matches("\"game\":\"").count() == race.boards)
        });
    }
    let beside = thread::spawn(move || beside(place));

    let process = Process(daemon.pid());
    let (start, cpu, reports) = (Instant::now(), process.cpu(), reports(&sent));
    let_run(race.length);
    let (end, cpu, memory) = (
        Instant::now(),
        process.cpu().saturating_sub(cpu),
        process.memory(),
    );
    let reports = self::reports(&sent) - reports;
    let _late_ones_are_missing = look_until(LATE, || match latencies(&sent, &heard, start..end) {
        (_, 0) => Ok(()),
        (_, missing) => Err(missing),
    });
    beside.join().expect("what is done beside");
    daemon.stop(Duration::from_secs(10));
    drop(boards);
    listener.join().expect("a listener");

    let (sorted, missing) = latencies(&sent, &heard, start..end);
    let seconds = end.duration_since(start).as_secs_f64();
    Latencies {
        sorted,
        missing,
        rate: reports as f64 / seconds,
        cpu: cpu.as_secs_f64() / seconds,
        memory,
    }
}

/// A round with so many tables is drawn and started in the store, before any daemon runs on it.
fn start_round(dir: &Path, tables: usize) {
    let file = dir.join("round.csv");
    let game = |n: usize| format!("{n},\"White, Player {n}\",\"Black, Player {n}\"\n");
    let games: String = (1..=tables).map(game).collect();
    std::fs::write(&file, format!("table,white,black\n{games}")).expect("pairings");
    let file = file.display().to_string();
    let does = |words: &[&str]| {
        let mut command = Command::new(Arbiterd::program());
        let output = command
            .args(words)
            .arg("--dir")
            .arg(dir.join("store"))
            .output();
        let output = output.expect("the program runs");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words:?}: {told}");
    };
    does(&[
        "event",
        "new",
        "--name",
        "Race",
        "--time-control",
        "5400+30",
    ]);
    does(&["pairings", "load", &file, "--round", "1"]);
    does(&["round", "start", "1"]);
}

fn reports(sent: &Mutex<Sent>) -> u64 {
    sent.lock().expect("boards").reports
}

/// How long the rulings on the presses of this time took, in order of size; and how many presses
/// have none.
fn latencies(sent: &Mutex<Sent>, heard: &Heard, during: Range<Instant>) -> (Vec<Duration>, usize) {
    let (sent, heard) = (
        sent.lock().expect("boards"),
        heard.lock().expect("a client"),
    );
    let (mut sorted, mut missing) = (Vec::new(), 0);
    for (press, when) in &sent.presses {
        if during.contains(when) {
            match heard.get(press) {
                Some(ruled) => sorted.push(ruled.duration_since(*when)),
                None => missing += 1,
            }
        }
    }
    sorted.sort();
    (sorted, missing)
}

fn table(dir: &Path, number: usize, pace: f32) -> Table {
    let sensor = [
        SensorClass::Piece,
        SensorClass::Colour,
        SensorClass::Occupancy,
    ][number % 3];
    let (game, seed) = (&games::all()[number % games::all().len()], number as u64);
    // Tidy hands press once a move, so the n-th press completes the n-th half-move.
    let played = perform(
        &game.start,
        &game.moves,
        Style::Tidy,
        seed,
        &[],
        &Options::default(),
    );
    let script = Sensors::new(sensor, 1, seed).read(game.start.board(), &played.acts);
    let id = format!("b{:03}", number + 1);
    let config = SimConfig {
        pace,
        linger: PATIENCE * 60,
        ..SimConfig::new(dir.join(&id), &id, sensor)
    };
    Table { id, config, script }
}

/// Notes when the client has each ruling.
fn hear(place: Place, heard: &Heard) {
    listen(place, |text| {
        let now = Instant::now();
        if text.contains("\"ruling\":\"move\"") && text.contains("\"state\":\"completed\"") {
            let Completed { board, ply } = serde_json::from_str(text).expect("a ruling");
            let mut heard = heard.lock().expect("whoever counts");
            heard.entry((board, ply)).or_insert(now);
        }
    });
}

/// Switches the boards on; they play until what is returned is dropped.
fn switch_on(tables: Vec<Table>, sent: &Arc<Mutex<Sent>>) -> Workshop {
    let sent = sent.clone();
    Workshop::open(move || {
        for table in tables {
            let line = Pty::open(&table.config.link).expect("a pseudo-terminal");
            tokio::spawn(play(table, line, sent.clone()));
        }
    })
}

async fn play(table: Table, mut line: Pty, sent: Arc<Mutex<Sent>>) {
    let Table { id, config, script } = table;
    let mut sim = BoardSim::new(&config, 1, Instant::now(), script.into_iter()).expect("a board");
    let (from_host, to_host) = line.split();
    let (mut sending, mut bytes, mut plies) = (Vec::new(), [0; 1024], 0);
    loop {
        while let Some(frame) = sim.next_frame(Instant::now()) {
            note(&id, &frame, &mut plies, &sent);
            sending.extend_from_slice(&frame);
        }
        tokio::select! {
            biased;
            count = to_host.write(&sending), if !sending.is_empty() => {
                sending.drain(..count.expect("a line"));
            }
            count = from_host.read(&mut bytes) => {
                sim.receive(Instant::now(), &bytes[..count.expect("a line")]);
            }
            () = wake_at(sim.next_wake()) => sim.wake(Instant::now()),
        }
    }
}

/// Starts the clock when the frame about to be sent is a press.
fn note(id: &str, frame: &[u8], plies: &mut u32, sent: &Mutex<Sent>) {
    let mut input = Accumulator::<FromBoard>::default();
    let Step::Message(FromBoard::Evidence(evidence), _) = input.feed(frame) else {
        return;
    };
    let mut sent = sent.lock().expect("whoever counts");
    sent.reports += 1;
    if matches!(evidence.what, What::Press { .. }) {
        *plies += 1;
        sent.presses.insert((id.to_owned(), *plies), Instant::now());
    }
}

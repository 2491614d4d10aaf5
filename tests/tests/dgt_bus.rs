//! Blitz on twenty-four DGT boards that share one line of 9600 bits a second, through the daemon:
//! every game is recorded as it was played. The line is a pseudo-terminal behind which no byte
//! comes sooner than it would on a real one, and time is the world's.

use std::time::Duration;

use arbiter_core::SensorClass;
use arbiter_core::shakmaty::Board;
use arbiter_core::shakmaty::uci::UciMove;
use board_driver::hand::{Options, Style, games, perform};
use board_driver::noise::Sensors;
use board_driver::sim::SimulatedBus;
use board_driver::{BoardEvent, BoardKind, SimConfig};
use serde_json::Value;
use tests::evening::House;
use tests::rig::{Workshop, configuration, section};

const BOARDS: usize = 24;
const BAUD: u32 = 9_600;

/// Half-moves of each game: hands in time trouble need some two seconds for one.
const PLIES: usize = 14;

const PATIENCE: Duration = Duration::from_secs(90);

/// What is played on a board: its moves, and what its sensors show of them.
fn game(seed: u64) -> (Vec<UciMove>, Vec<BoardEvent>) {
    let game = &games::all()[seed as usize * 11 % games::all().len()];
    let moves = &game.moves[..PLIES.min(game.moves.len())];
    let played = perform(
        &game.start,
        moves,
        Style::Hurried,
        seed,
        &[],
        &Options::default(),
    );
    let sensors = (BoardKind::DgtBus.profile().simulator.sensors)(1);
    let script = Sensors::with(SensorClass::Piece, sensors, seed).read(&Board::new(), &played.acts);
    (played.truth.moves, script)
}

fn address(n: usize) -> usize {
    1_025 + 37 * n
}

/// Why a board's record is not what was played.
fn differs(board: &Value, truth: &[UciMove]) -> Option<String> {
    let played: Vec<String> = truth.iter().map(UciMove::to_string).collect();
    let moves = board["moves"].as_array().cloned().unwrap_or_default();
    let recorded: Vec<&str> = moves.iter().filter_map(Value::as_str).collect();
    (recorded != played).then(|| {
        format!(
            "{}: {recorded:?} instead of {played:?}; {}",
            board["id"], board["fault"]
        )
    })
}

#[test]
fn twenty_four_boards_on_one_line_keep_up_with_blitz() {
    let dir = tempfile::tempdir().expect("a directory");
    let port = dir.path().join("bus");
    let (truths, scripts): (Vec<_>, Vec<_>) = (0..BOARDS as u64).map(game).unzip();
    let sections = (0..BOARDS).map(|n| {
        let more = format!("kind = \"dgt-bus\"\naddress = {}\n", address(n));
        section(&format!("b{n:02}"), &port, &more)
    });
    let text = configuration(dir.path(), sections);
    let link = port.clone();
    let boards: Vec<(SimConfig, Vec<BoardEvent>)> = scripts
        .into_iter()
        .enumerate()
        .map(|(n, script)| (config(&link, n), script))
        .collect();
    let line = Workshop::open(move || {
        let bus = SimulatedBus::create(&link).expect("a pseudo-terminal");
        tokio::spawn(bus.play(boards, BAUD, PATIENCE));
    });
    let house = House::open(&dir.path().join("arbiter.toml"), &text);
    let differ = |boards: &[Value]| -> Vec<String> {
        boards
            .iter()
            .zip(&truths)
            .filter_map(|(board, truth)| differs(board, truth))
            .collect()
    };
    let boards = house.until(PATIENCE, differ);
    for board in &boards {
        let findings = board["findings"].as_array().into_iter().flatten();
        let accused: Vec<&Value> = findings
            .filter(|f| f["certainty"] == "certain" && f["status"] != "withdrawn")
            .collect();
        assert!(accused.is_empty(), "{}: {accused:?}", board["id"]);
        assert_eq!(
            (&board["fault"], &board["connected"]),
            (&Value::Null, &Value::Bool(true)),
            "{}",
            board["id"]
        );
    }
    house.close();
    drop(line);
}

fn config(link: &std::path::Path, n: usize) -> SimConfig {
    SimConfig {
        kind: BoardKind::DgtBus,
        ..SimConfig::new(link, format!("{:05}", address(n)), SensorClass::Piece)
    }
}

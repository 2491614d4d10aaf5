//! Boards that send whole states, through the daemon, each with its own dynamics: scans from 20 to 250 ms, tags that are read
//! badly, second queens beside the start, hands in every mood. Every game is recorded as it was played.

use std::time::Duration;

use arbiter_core::SensorClass;
use board_driver::BoardKind;
use board_driver::hand::{Style, games};
use daemon::store::Store;
use serde_json::Value;
use tests::evening::{Evening, Play, Table};

const KINDS: [BoardKind; 4] = [BoardKind::Certabo, BoardKind::Sentio, BoardKind::ChessLink, BoardKind::Chessnut];

/// Between two scans, in milliseconds; and how many times faster than the world such a board plays here.
const SCANS: [(u32, f32); 4] = [(20, 6.0), (60, 10.0), (120, 14.0), (250, 16.0)];

/// Until every game is over.
const PATIENCE: Duration = Duration::from_secs(90);

/// Half-moves of each game.
const PLIES: usize = 26;

fn play(kind: BoardKind, game: usize, seed: u64, (scan_ms, pace): (u32, f32)) -> Play {
    let class = kind.profile().sensor.expect("these kinds have sensors of one class");
    let misread = if kind == BoardKind::Certabo { 10 } else { 0 };
    Play { plies: PLIES, scan_ms, misread, ..Play::on(kind, class, game, seed, pace) }
}

/// Games that are not whole.
fn unfinished(evening: &Evening) -> impl Fn(&[Value]) -> Vec<String> + '_ {
    |boards| {
        let told = |(table, board): (&Table, &Value)| {
            table
                .differs(board)
                .map(|text| format!("{} {} ms: {text}; {}", table.play.kind, table.play.scan_ms, board["fault"]))
        };
        evening.tables.iter().zip(boards).filter_map(told).collect()
    }
}

/// Nobody is surely accused, and no fault is left.
fn blameless(table: &Table, board: &Value) {
    let findings = board["findings"].as_array().into_iter().flatten();
    let certain: Vec<&Value> = findings.filter(|f| f["certainty"] == "certain" && f["status"] != "withdrawn").collect();
    assert!(certain.is_empty(), "{} {}: {certain:?}\n  {}", table.play.kind, table.id, table.command());
    assert_eq!((&board["fault"], &board["connected"]), (&Value::Null, &Value::Bool(true)), "{}", table.id);
}

fn record(plays: Vec<Play>) {
    let evening = Evening::begin(plays);
    let house = evening.serve();
    let boards = house.until(PATIENCE, unfinished(&evening)).unwrap_or_else(|left| panic!("{left}"));
    evening.tables.iter().zip(&boards).for_each(|(table, board)| blameless(table, board));
    house.close();
}

#[test]
fn scans_of_every_length_record_every_game() {
    let boards = KINDS.into_iter().flat_map(|kind| SCANS.map(|scan| (kind, scan)));
    record((0..).zip(boards).map(|(n, (kind, scan))| play(kind, 11 * n as usize, 300 + n, scan)).collect())
}

/// The game with the earliest promotion, and its half-move.
fn promotion() -> (usize, usize) {
    let plies = games::all().iter().map(|game| game.moves.iter().position(|m| m.is_promotion()));
    let (game, ply) =
        plies.enumerate().filter_map(|(n, ply)| Some((n, ply?))).min_by_key(|(_, ply)| *ply).expect("one");
    (game, ply)
}

/// What a pawn became is known where pieces are recognised, and in doubt where they are not.
#[test]
fn promotions_are_known_or_in_doubt() {
    let (game, ply) = promotion();
    let plays = KINDS.map(|kind| {
        let mut play = Play { plies: ply + 3, ..play(kind, game, 77, (100, 16.0)) };
        play.cell.style = Style::Tidy;
        play
    });
    let evening = Evening::begin(plays.to_vec());
    let house = evening.serve();
    let boards = house.until(PATIENCE, unfinished(&evening)).unwrap_or_else(|left| panic!("{left}"));
    for (table, board) in evening.tables.iter().zip(&boards) {
        blameless(table, board);
        let known = table.play.cell.sensor == SensorClass::Piece;
        let (ply, played) = (&board["plies"][ply], table.truth()[ply].to_string());
        assert_eq!(ply["doubtful"] == true, !known, "{}: {ply}", table.play.kind);
        assert!(!known || ply["uci"] == *played, "{}: {ply} was {played}", table.play.kind);
    }
    house.close();
}

/// A power cut just after the tags were learned, and another in the middle of the game, where nothing could be learned anew.
#[test]
fn learned_tags_survive_a_power_cut() {
    let evening = Evening::begin(vec![
        play(BoardKind::Certabo, 5, 500, (100, 12.0)),
        play(BoardKind::Certabo, 9, 501, (60, 12.0)),
    ]);
    let mut house = evening.serve();
    let unknown = |boards: &[Value]| -> Vec<String> {
        boards.iter().filter(|board| board["note"].is_null()).map(|board| format!("{}", board["id"])).collect()
    };
    house.until(PATIENCE, unknown).unwrap_or_else(|left| panic!("not learned: {left}"));
    house.kill();
    let learned = memories(&evening);
    assert!(learned.iter().all(|memory| memory.lines().count() == 34), "{learned:?}");
    for plies in [4, 12] {
        house = evening.serve();
        let early = |boards: &[Value]| -> Vec<String> {
            boards
                .iter()
                .filter(|board| board["ply"].as_u64() < Some(plies))
                .map(|board| format!("{}", board["fault"]))
                .collect()
        };
        house.until(PATIENCE, early).unwrap_or_else(|left| panic!("{left}"));
        house.kill();
    }
    house = evening.serve();
    let boards = house.until(PATIENCE, unfinished(&evening)).unwrap_or_else(|left| panic!("{left}"));
    evening.tables.iter().zip(&boards).for_each(|(table, board)| blameless(table, board));
    house.close();
    assert_eq!(memories(&evening), learned, "nothing was learned in the middle of a game");
}

fn memories(evening: &Evening) -> Vec<String> {
    let store = Store::open(&evening.store()).expect("a store");
    let memory = |table: &Table| store.memory(&table.id).expect("a memory that can be read").unwrap_or_default();
    evening.tables.iter().map(memory).collect()
}

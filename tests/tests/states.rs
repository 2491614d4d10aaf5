//! Boards that send whole states, through the daemon, each with its own dynamics: scans from 20 to
//! 250 ms, tags that are read badly, second queens beside the start, hands in every mood. Every
//! game is recorded as it was played.

use std::time::Duration;

use arbiter_core::SensorClass;
use board_driver::BoardKind;
use board_driver::hand::{Style, games};
use board_driver::sim::Control;
use daemon::store::Store;
use serde_json::Value;
use tests::evening::{Evening, Play, Table};

const KINDS: [BoardKind; 4] = [
    BoardKind::Certabo,
    BoardKind::Sentio,
    BoardKind::ChessLink,
    BoardKind::Chessnut,
];

/// Between two scans, in milliseconds; and how many times faster than the world such a board plays
/// here.
const SCANS: [(u32, f32); 4] = [(20, 5.0), (60, 6.0), (120, 8.0), (250, 8.0)];

/// Until every game is over.
const PATIENCE: Duration = Duration::from_secs(90);

/// When nothing more happens, the arbiter has said everything after this time.
const SILENCE: Duration = Duration::from_secs(6);

/// Half-moves of each game.
const PLIES: usize = 26;

fn play(kind: BoardKind, game: usize, seed: u64, (scan_ms, pace): (u32, f32)) -> Play {
    let class = kind
        .profile()
        .sensor
        .expect("these kinds have sensors of one class");
    let misread = if kind == BoardKind::Certabo { 10 } else { 0 };
    Play {
        plies: PLIES,
        scan_ms,
        misread,
        ..Play::on(kind, class, game, seed, pace)
    }
}

fn record(plays: Vec<Play>) {
    let evening = Evening::begin(plays);
    let house = evening.serve();
    let boards = evening.finish(&house, PATIENCE);
    for (table, board) in evening.tables.iter().zip(&boards) {
        table.assert_blameless(board);
    }
    house.close();
}

#[test]
fn scans_of_every_length_record_every_game() {
    let boards = KINDS
        .into_iter()
        .flat_map(|kind| SCANS.map(|scan| (kind, scan)));
    record(
        (0..)
            .zip(boards)
            .map(|(n, (kind, scan))| play(kind, 11 * n as usize, 300 + n, scan))
            .collect(),
    )
}

/// The game with the earliest promotion, and its half-move.
fn promotion() -> (usize, usize) {
    let plies = games::all()
        .iter()
        .map(|game| game.moves.iter().position(|m| m.is_promotion()));
    let (game, ply) = plies
        .enumerate()
        .filter_map(|(n, ply)| Some((n, ply?)))
        .min_by_key(|(_, ply)| *ply)
        .expect("one");
    (game, ply)
}

/// What a pawn became is known where pieces are recognised, and in doubt where they are not.
#[test]
fn promotions_are_known_or_in_doubt() {
    let (game, ply) = promotion();
    let plays = KINDS.map(|kind| {
        let mut play = Play {
            plies: ply + 3,
            ..play(kind, game, 77, (100, 8.0))
        };
        play.cell.style = Style::Tidy;
        play
    });
    let evening = Evening::begin(plays.to_vec());
    let house = evening.serve();
    let boards = evening.finish(&house, PATIENCE);
    for (table, board) in evening.tables.iter().zip(&boards) {
        table.assert_blameless(board);
        let known = table.play.cell.sensor == SensorClass::Piece;
        let (ply, played) = (&board["plies"][ply], table.truth()[ply].to_string());
        assert_eq!(
            ply["doubtful"] == true,
            !known,
            "{}: {ply}",
            table.play.kind
        );
        assert!(
            !known || ply["uci"] == *played,
            "{}: {ply} was {played}",
            table.play.kind
        );
    }
    house.close();
}

/// A power cut just after the tags were learned, and another in the middle of the game, where
/// nothing could be learned anew.
#[test]
fn learned_tags_survive_a_power_cut() {
    let evening = Evening::begin(vec![
        play(BoardKind::Certabo, 5, 500, (100, 8.0)),
        play(BoardKind::Certabo, 9, 501, (60, 8.0)),
    ]);
    let mut house = evening.serve();
    let unknown = |table: &Table, board: &Value| {
        let is_unknown = board["note"].is_null();
        is_unknown.then(|| format!("{}: nothing is learned", table.id))
    };
    house.until(PATIENCE, evening.all(unknown));
    house.kill();
    let learned = memories(&evening);
    assert!(
        learned.iter().all(|memory| memory.lines().count() == 34),
        "{learned:?}"
    );
    for count in [4, 12] {
        house = evening.serve();
        house.until(PATIENCE, evening.all(has_plies(count)));
        house.kill();
    }
    house = evening.serve();
    let boards = evening.finish(&house, PATIENCE);
    for (table, board) in evening.tables.iter().zip(&boards) {
        table.assert_blameless(board);
    }
    house.close();
    assert_eq!(
        memories(&evening),
        learned,
        "nothing was learned in the middle of a game"
    );
}

fn has_plies(count: u64) -> impl Fn(&Table, &Value) -> Option<String> {
    move |table, board| {
        let is_short = board["ply"].as_u64() < Some(count);
        is_short.then(|| format!("{}: {} plies, {}", table.id, board["ply"], board["fault"]))
    }
}

/// Moves that nobody saw are found again, or the record says that it is not whole.
#[test]
fn a_plug_pulled_in_mid_game_is_a_fault_that_passes() {
    let plays = (0..)
        .zip(KINDS)
        .map(|(n, kind)| play(kind, 20 + n as usize, 700 + n, (100, 8.0)));
    let evening = Evening::begin(plays.collect());
    let house = evening.serve();
    house.until(PATIENCE, evening.all(has_plies(6)));
    evening.order(Control::Unplug);
    let untold = |table: &Table, board: &Value| {
        let is_told = board["fault"]
            .as_str()
            .is_some_and(|fault| fault.contains("plug"));
        (!is_told).then(|| format!("{}: {}", table.id, board["fault"]))
    };
    house.until(PATIENCE, evening.all(untold));
    evening.order(Control::Replug);
    house.until(PATIENCE, evening.all(Table::ails));
    evening.play_to_the_end(PATIENCE);
    let _whole_or_not = house.try_until(SILENCE, evening.unfinished());
    for (table, board) in evening.tables.iter().zip(&house.boards()) {
        assert_eq!(table.dishonest(board), None);
        table.assert_blameless(board);
    }
    house.close();
}

/// The fault says what to write instead.
#[test]
fn a_board_of_another_kind_is_named() {
    let evening = Evening::begin(vec![
        play(BoardKind::Sentio, 1, 1, (50, 1.0)),
        play(BoardKind::Certabo, 1, 1, (100, 1.0)),
    ]);
    let wrong = |kind: BoardKind| match kind {
        BoardKind::Sentio => BoardKind::Certabo,
        _ => BoardKind::Sentio,
    };
    let house = evening.serve_as(|table| wrong(table.play.kind));
    let unnamed = |table: &Table, board: &Value| {
        let (kind, maker) = match table.play.kind {
            BoardKind::Sentio => ("sentio", "Tabutronic Sentio"),
            _ => ("certabo", "Certabo"),
        };
        let words = format!("this is a {maker} board; write kind = \"{kind}\"");
        let is_named = board["fault"]
            .as_str()
            .is_some_and(|fault| fault.contains(&words));
        (!is_named).then(|| format!("{} and not {words}", board["fault"]))
    };
    house.until(PATIENCE, evening.all(unnamed));
    house.close();
}

fn memories(evening: &Evening) -> Vec<String> {
    let store = Store::open(&evening.store()).expect("a store");
    let memory = |table: &Table| {
        store
            .memory(&table.id)
            .expect("a memory that can be read")
            .unwrap_or_default()
    };
    evening.tables.iter().map(memory).collect()
}

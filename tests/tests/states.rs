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
use tests::evening::{Evening, House, Play, Table};

const KINDS: [BoardKind; 4] = [
    BoardKind::Certabo,
    BoardKind::Sentio,
    BoardKind::ChessLink,
    BoardKind::Chessnut,
];

/// Between two scans, in milliseconds; and how many times faster than the world such a board plays
/// here.
const SCANS: [(u32, f32); 4] = [(20, 6.0), (60, 10.0), (120, 14.0), (250, 16.0)];

/// Until every game is over.
const PATIENCE: Duration = Duration::from_secs(90);

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

/// Games that are not whole.
fn unfinished(evening: &Evening) -> impl Fn(&[Value]) -> Vec<String> + '_ {
    |boards| {
        let told = |(table, board): (&Table, &Value)| {
            table.differs(board).map(|text| {
                format!(
                    "{} {} ms: {text}; {}",
                    table.play.kind, table.play.scan_ms, board["fault"]
                )
            })
        };
        evening.tables.iter().zip(boards).filter_map(told).collect()
    }
}

/// Nobody is surely accused, and no fault is left.
fn blameless(table: &Table, board: &Value) {
    let findings = board["findings"].as_array().into_iter().flatten();
    let certain: Vec<&Value> = findings
        .filter(|f| f["certainty"] == "certain" && f["status"] != "withdrawn")
        .collect();
    assert!(
        certain.is_empty(),
        "{} {}: {certain:?}\n  {}",
        table.play.kind,
        table.id,
        table.command()
    );
    assert_eq!(
        (&board["fault"], &board["connected"]),
        (&Value::Null, &Value::Bool(true)),
        "{}",
        table.id
    );
}

fn record(plays: Vec<Play>) {
    let evening = Evening::begin(plays);
    let house = evening.serve();
    let boards = house
        .until(PATIENCE, unfinished(&evening))
        .unwrap_or_else(|left| panic!("{left}"));
    evening
        .tables
        .iter()
        .zip(&boards)
        .for_each(|(table, board)| blameless(table, board));
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
            ..play(kind, game, 77, (100, 16.0))
        };
        play.cell.style = Style::Tidy;
        play
    });
    let evening = Evening::begin(plays.to_vec());
    let house = evening.serve();
    let boards = house
        .until(PATIENCE, unfinished(&evening))
        .unwrap_or_else(|left| panic!("{left}"));
    for (table, board) in evening.tables.iter().zip(&boards) {
        blameless(table, board);
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
        play(BoardKind::Certabo, 5, 500, (100, 12.0)),
        play(BoardKind::Certabo, 9, 501, (60, 12.0)),
    ]);
    let mut house = evening.serve();
    let unknown = |boards: &[Value]| -> Vec<String> {
        boards
            .iter()
            .filter(|board| board["note"].is_null())
            .map(|board| format!("{}", board["id"]))
            .collect()
    };
    house
        .until(PATIENCE, unknown)
        .unwrap_or_else(|left| panic!("not learned: {left}"));
    house.kill();
    let learned = memories(&evening);
    assert!(
        learned.iter().all(|memory| memory.lines().count() == 34),
        "{learned:?}"
    );
    for plies in [4, 12] {
        house = evening.serve();
        let early = |boards: &[Value]| -> Vec<String> {
            boards
                .iter()
                .filter(|board| board["ply"].as_u64() < Some(plies))
                .map(|board| format!("{}", board["fault"]))
                .collect()
        };
        house
            .until(PATIENCE, early)
            .unwrap_or_else(|left| panic!("{left}"));
        house.kill();
    }
    house = evening.serve();
    let boards = house
        .until(PATIENCE, unfinished(&evening))
        .unwrap_or_else(|left| panic!("{left}"));
    evening
        .tables
        .iter()
        .zip(&boards)
        .for_each(|(table, board)| blameless(table, board));
    house.close();
    assert_eq!(
        memories(&evening),
        learned,
        "nothing was learned in the middle of a game"
    );
}

/// Moves that nobody saw are found again, or the record says that it is not whole.
fn is_honest(table: &Table, board: &Value) -> Option<String> {
    let plies = board["plies"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let is_wrong = |(n, ply): &(usize, &Value)| {
        ply["doubtful"] != true && !table.is_ply(*n, ply["uci"].as_str().unwrap_or_default(), false)
    };
    if let Some((n, ply)) = plies.iter().enumerate().find(is_wrong) {
        return Some(format!(
            "{}: ply {} is {} without doubt\n  {}",
            table.id,
            n + 1,
            ply["uci"],
            table.command()
        ));
    }
    let said = |list: &str| board[list].as_array().is_some_and(|list| !list.is_empty());
    table
        .differs(board)
        .filter(|_| !["doubts", "findings", "differs"].into_iter().any(said))
}

#[test]
fn a_plug_pulled_in_mid_game_is_a_fault_that_passes() {
    let plays = (0..)
        .zip(KINDS)
        .map(|(n, kind)| play(kind, 20 + n as usize, 700 + n, (100, 12.0)));
    let evening = Evening::begin(plays.collect());
    let house = evening.serve();
    let wait = |why: &dyn Fn(&Value) -> bool| {
        let left = |boards: &[Value]| -> Vec<String> {
            boards
                .iter()
                .filter(|board| !why(board))
                .map(|board| format!("{}: {}", board["id"], board["fault"]))
                .collect()
        };
        house
            .until(PATIENCE, left)
            .unwrap_or_else(|left| panic!("{left}"))
    };
    wait(&|board| board["ply"].as_u64() >= Some(6));
    evening
        .tables
        .iter()
        .for_each(|table| table.order(Control::Unplug));
    wait(&|board| {
        board["fault"]
            .as_str()
            .is_some_and(|fault| fault.contains("plug"))
    });
    evening
        .tables
        .iter()
        .for_each(|table| table.order(Control::Replug));
    wait(&|board| board["fault"].is_null());
    let _whole_or_not = house.until(Duration::from_secs(20), unfinished(&evening));
    for (table, board) in evening.tables.iter().zip(&house.boards()) {
        assert_eq!(is_honest(table, board), None);
        blameless(table, board);
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
    let mut text = format!(
        "[http]\nlisten = \"127.0.0.1:0\"\n\n[store]\ndir = \"{}\"\n",
        evening.store().display()
    );
    for (table, kind) in evening.tables.iter().zip(["certabo", "sentio"]) {
        text += &format!(
            "\n[[board]]\nid = \"{}\"\nport = \"{}\"\nkind = \"{kind}\"\n",
            table.id,
            table.port.display()
        );
    }
    let house = House::open(&evening.path("wrong.toml"), &text);
    let words = [
        "this is a Tabutronic Sentio board; write kind = \"sentio\"",
        "this is a Certabo board; write kind = \"certabo\"",
    ];
    let others = |boards: &[Value]| -> Vec<String> {
        let told = |(board, words): &(&Value, &str)| {
            board["fault"]
                .as_str()
                .is_some_and(|fault| fault.contains(words))
        };
        boards
            .iter()
            .zip(words)
            .filter(|pair| !told(pair))
            .map(|(board, _)| format!("{}", board["fault"]))
            .collect()
    };
    house
        .until(PATIENCE, others)
        .unwrap_or_else(|left| panic!("{left}"));
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

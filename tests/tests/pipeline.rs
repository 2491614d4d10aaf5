//! Sixty-four boards at once, from hands to PGN: every game in the journal and in its file is the
//! game that was played.
//!
//! The boards are simulated; everything else is as in a playing hall: pseudo-terminals, the daemon
//! in a process of its own, SQLite, PGN files. The files are read back with python-chess, which
//! shares no line of code with the daemon.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use arbiter_core::SensorClass;
use arbiter_core::irregularity::{Certainty, Code};
use arbiter_core::view::FindingStatus;
use board_driver::hand::{Style, games};
use daemon::store::{Game, Store};
use serde_json::Value;
use tests::accuracy::Cell;
use tests::evening::{Evening, Play, Table};
use tests::rig;

const BOARDS: usize = 64;

/// Until every game is over; far more than it takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// Games longer than this are played elsewhere.
const PLIES: usize = 120;

/// On boards whose clock does not jump from event to event.
const PACE: f32 = 12.0;

/// Every fourth board has a breach, each of another kind.
const BREACHES: [Code; 11] = [
    Code::TouchMoveOwnPiece,
    Code::TouchMoveOpponentPiece,
    Code::TouchMoveBothColours,
    Code::CastlingNotCompleted,
    Code::CastlingRookFirst,
    Code::ReleasedPieceMovedAgain,
    Code::PieceDisplaced,
    Code::IllegalMove,
    Code::ClockPressedWithoutMove,
    Code::PromotionChoiceChanged,
    Code::PawnNotPromoted,
];

/// What a board without piece sensors shows of a breach: what is done with lifts alone, and
/// presses.
fn is_observable(code: Code, sensor: SensorClass) -> bool {
    let needs_pieces = [Code::PromotionChoiceChanged, Code::PawnNotPromoted];
    sensor == SensorClass::Piece || !needs_pieces.contains(&code)
}

fn plays() -> Vec<Play> {
    let classes = [
        SensorClass::Piece,
        SensorClass::Colour,
        SensorClass::Occupancy,
    ];
    let all = games::sample(games::CROSS_SECTION);
    let short = (0..all.len()).filter(|n| all[*n].moves.len() <= PLIES);
    let play = |(n, game): (usize, usize)| {
        let cell = Cell {
            sensor: classes[n % 3],
            style: Style::Human,
            noise: 1,
            clock: true,
        };
        let mut play = Play::new(cell, game, 1_000 + n as u64);
        if n.is_multiple_of(4) {
            let code = BREACHES[n / 4 % BREACHES.len()];
            play.breaches
                .extend(is_observable(code, cell.sensor).then_some((code, 12)));
        }
        // The short games also on boards that keep time.
        play.pace = if n % 2 == 1 && all[game].moves.len() <= 60 {
            PACE
        } else {
            0.0
        };
        play
    };
    short.take(BOARDS).enumerate().map(play).collect()
}

#[test]
fn sixty_four_games_are_recorded_as_they_were_played() {
    let start = Instant::now();
    let evening = Evening::begin(plays());
    let house = evening.serve();
    let ended = house.try_until(PATIENCE, evening.all(unfinished));
    house.close();
    let store = Store::open(&evening.store()).expect("a store");
    if let Err(complaints) = ended {
        panic!("after {:?}:\n{complaints}", start.elapsed());
    }
    let mut complaints = Vec::new();
    let mut names = HashMap::new();
    let mut found = 0;
    for table in &evening.tables {
        let game = only_game(&store, table);
        complaints.extend(judge(table, &game));
        found += table.played.truth.breaches.len();
        names.insert(game.row.id.clone(), table);
    }
    complaints.extend(read_back(&evening, &names));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(found >= 10, "only {found} breaches were committed");
    println!("{BOARDS} games, {found} breaches: {:?}", start.elapsed());
}

/// Why a game is not over yet: a ply is missing or not completed.
fn unfinished(table: &Table, board: &Value) -> Option<String> {
    let last_is_open = || {
        let last = board["plies"].as_array().and_then(|plies| plies.last());
        let is_open = last.is_none_or(|ply| ply["completed"] != true) && board["result"].is_null();
        is_open.then(|| table.complaint("the last move is not completed"))
    };
    table.differs(board).or_else(last_is_open)
}

/// The journal's game of a board: there is one and no more.
fn only_game(store: &Store, table: &Table) -> Game {
    let mut games = store.latest(&table.id, 2).expect("games");
    assert_eq!(games.len(), 1, "{}: one game", table.id);
    games.remove(0)
}

/// What is wrong with a game of the journal.
fn judge(table: &Table, game: &Game) -> Vec<String> {
    let view = game.view().expect("a game");
    let board = serde_json::to_value(&view).expect("JSON");
    let mut complaints: Vec<String> = table.differs(&board).into_iter().collect();
    let of_pawns = |ply: usize| {
        table
            .truth()
            .get(ply)
            .is_some_and(|played| played.to_string().len() == 5)
    };
    let doubtful = view
        .plies
        .iter()
        .enumerate()
        .filter(|(n, ply)| ply.doubtful && !of_pawns(*n));
    complaints
        .extend(doubtful.map(|(n, _)| table.complaint(&format!("ply {} is in doubt", n + 1))));
    let standing = view
        .findings
        .iter()
        .filter(|finding| finding.status != FindingStatus::Withdrawn);
    let told: Vec<_> = standing
        .map(|f| {
            (
                f.irregularity.code,
                f.irregularity.ply,
                f.irregularity.certainty,
            )
        })
        .collect();
    let done = &table.played.truth.breaches;
    for &(code, ply, certainty) in &told {
        let real = done
            .iter()
            .any(|breach| breach.code == code && breach.ply == ply);
        if certainty == Certainty::Certain && !real {
            complaints
                .push(table.complaint(&format!("{code} at ply {ply} is certain and was not")));
        }
    }
    for breach in done {
        if !told
            .iter()
            .any(|(code, ply, _)| *code == breach.code && *ply == breach.ply)
        {
            let (code, ply) = (breach.code, breach.ply);
            complaints.push(table.complaint(&format!("{code} at ply {ply} is not told")));
        }
    }
    complaints
}

/// What python-chess finds wrong with the PGN files.
fn read_back(evening: &Evening, names: &HashMap<String, &Table>) -> Vec<String> {
    let pages = rig::read_back(&evening.store().join("pgn"));
    assert_eq!(pages.len(), BOARDS);
    pages
        .iter()
        .flat_map(|page| {
            misread(
                names[page["tags"]["GameId"].as_str().expect("GameId")],
                page,
            )
        })
        .collect()
}

/// How a PGN differs from the game that was played.
fn misread(table: &Table, page: &Value) -> Vec<String> {
    let moves = page["moves"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    // A doubt about a promotion is a comment in a PGN; that there is one was checked in the
    // journal.
    let is_wrong =
        |(n, uci): (usize, &Value)| !table.is_ply(n, uci.as_str().unwrap_or_default(), true);
    let mut complaints = Vec::new();
    if page["errors"]
        .as_array()
        .is_none_or(|errors| !errors.is_empty())
    {
        complaints.push(format!("{}: {}", page["file"], page["errors"]));
    }
    if moves.len() != table.truth().len() || moves.iter().enumerate().any(is_wrong) {
        let truth: Vec<String> = table.truth().iter().map(ToString::to_string).collect();
        complaints.push(format!(
            "{}: {} instead of {truth:?}",
            page["file"], page["moves"]
        ));
    }
    if page["clocks"] == 0 {
        complaints.push(format!("{}: no clock times", page["file"]));
    }
    complaints
}

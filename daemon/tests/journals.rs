//! Journals of earlier versions: every later version opens them. Games that are over stay as they
//! were told; in games that go on, what was ordered means what it meant.
//!
//! `journals/*` are stores as a version left them, with what it said of their games. Of a version
//! whose journals hold something new, another is kept:
//! `WRITE_JOURNALS=NAME cargo test -p daemon --test journals`.

#![cfg(feature = "simulators")]

#[path = "support/house.rs"]
mod house;
#[path = "support/play.rs"]
mod play;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use arbiter_core::SensorClass;
use arbiter_core::irregularity::Code;
use arbiter_core::shakmaty::uci::UciMove;
use board_driver::hand::{Departure, Options, Style, Wish, games, perform_two, perform_with};
use daemon::journal::Journal;
use daemon::store::{FILE, Game, Store};
use house::House;
use play::{PLIES, Play, play, put_on_board};
use rusqlite::Connection;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

const JOURNALS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/journals");
const EXPECTED: &str = "expected.json";

const PLAYS: [Play; 4] = [
    // Comes to its end.
    Play {
        board: "b01",
        class: SensorClass::Piece,
        seed: 4,
        breaches: &[(Code::TouchMoveOwnPiece, 8)],
    },
    // Goes on, with orders of all kinds.
    Play {
        board: "b02",
        class: SensorClass::Occupancy,
        seed: 5,
        breaches: &[(Code::TouchMoveOwnPiece, 10)],
    },
    // Goes on otherwise than it was read.
    Play {
        board: "b03",
        class: SensorClass::Colour,
        seed: 6,
        breaches: &[],
    },
    // Goes on after a resignation that was taken back.
    Play {
        board: "b04",
        class: SensorClass::Piece,
        seed: 7,
        breaches: &[(Code::ClockPressedWithoutMove, 12)],
    },
];

/// Two games on a board, with no result between them: it is asked how the first ended.
const TWO_GAMES: Play = Play {
    board: "b05",
    class: SensorClass::Piece,
    seed: 8,
    breaches: &[],
};
/// A board without a clock, on which an illegal move stands.
const PLAYED_ON: Play = Play {
    board: "b06",
    class: SensorClass::Piece,
    seed: 9,
    breaches: &[],
};
/// The half-move it is.
const ILLEGAL: u32 = 11;

/// A board on which two games are played, with nothing between them that says how the first ended:
/// what is played in the second.
fn play_two(dir: &Path, play: Play) -> (Vec<UciMove>, JoinHandle<()>) {
    let [first, second] = [play.seed, play.seed + 1].map(|seed| {
        let game = games::pick(seed);
        games::Game {
            moves: game.moves[..PLIES / 2].to_vec(),
            ..game.clone()
        }
    });
    let options = Options::default();
    let played = perform_two(&first, &second, Style::Tidy, play.seed, &options);
    let next = played.truth.next.as_ref().map(|next| next.moves.clone());
    let playing = put_on_board(dir, play.board, play.class, true, play.seed, &played);
    (next.unwrap_or_default(), playing)
}

/// A board without a clock, on which nobody puts back the illegal move that is played at half-move
/// `ply`: what is played.
fn play_on(dir: &Path, play: Play, ply: u32) -> (Vec<UciMove>, JoinHandle<()>) {
    let game = games::pick(play.seed);
    let moves = &game.moves[..game.moves.len().min(PLIES)];
    let options = Options {
        clock: false,
        ..Options::default()
    };
    let wishes = [(Wish::from(Departure::PlayOn), ply)];
    let played = perform_with(
        &game.start,
        moves,
        Style::Tidy,
        play.seed,
        &wishes,
        &options,
    );
    let truth = played.truth.moves.clone();
    let (board, class) = (play.board, play.class);
    (
        truth,
        put_on_board(dir, board, class, false, play.seed, &played),
    )
}

/// Everything that is kept: the directories of journals.
fn kept() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(JOURNALS).expect("journals are kept");
    let mut kept: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    kept.sort();
    assert!(!kept.is_empty(), "no journals in {JOURNALS}");
    kept
}

/// Every board.
fn boards() -> Vec<&'static str> {
    let usual = PLAYS.map(|play| play.board);
    let special = [TWO_GAMES.board, PLAYED_ON.board];
    usual.into_iter().chain(special).collect()
}

/// A copy of a kept store, and what was said of its games.
fn copied(kept: &Path) -> (tempfile::TempDir, Vec<Value>) {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::create_dir(dir.path().join("store")).expect("a store's directory");
    std::fs::copy(kept.join(FILE), dir.path().join("store").join(FILE)).expect("a copy");
    let expected = std::fs::read(kept.join(EXPECTED)).expect("what was said");
    (dir, serde_json::from_slice(&expected).expect("JSON"))
}

/// What must stay of a game that goes on: its record, and the findings that the arbiter ruled on.
/// What else is found in it a later version may know better.
fn essence(view: &Value) -> Value {
    let is_decided = |f: &&Value| f["status"] == "upheld" || f["status"] == "dismissed";
    let list = |name: &str| view[name].as_array().cloned().unwrap_or_default();
    let findings: Vec<Value> = list("findings")
        .iter()
        .filter(is_decided)
        .map(|f| json!([f["code"], f["ply"], f["by"], f["status"]]))
        .collect();
    let moves: Vec<Value> = list("plies").iter().map(|ply| ply["uci"].clone()).collect();
    let orders: Vec<Value> = list("orders").iter().map(|o| o["order"].clone()).collect();
    json!({"moves": moves, "findings": findings, "orders": orders, "result": view["result"]})
}

/// A game with what is said of it now.
fn said(game: &Game) -> Value {
    let view = game.told().expect("JSON").expect("a game");
    let is_over = game.ending.is_some();
    json!({
        "game": game.row.id,
        "board": game.row.board,
        "over": is_over,
        "essence": essence(&view),
        // Of a game that is over all of it stays.
        "view": if is_over { view } else { Value::Null },
        "pgn": if is_over { game.pgn() } else { None },
    })
}

#[test]
fn every_version_opens_the_journals_of_those_before() {
    for kept in kept() {
        let (dir, expected) = copied(&kept);
        let store = dir.path().join("store");
        // Brings the tables up to date.
        let (journal, thread) = Journal::open(&store).expect("a journal");
        drop(journal);
        thread.join().expect("the writer ends");
        let store = Store::open(&store).expect("a store");
        let mut rows = store.games().expect("games");
        rows.reverse();
        let games = rows.iter().map(|row| store.game(&row.id).expect("a game"));
        let now: Vec<Value> = games
            .map(|game| said(&game.expect("it is there")))
            .collect();
        assert_eq!(now.len(), expected.len(), "{}", kept.display());
        for (now, expected) in now.iter().zip(&expected) {
            assert_eq!(now, expected, "{}", kept.display());
        }
    }
}

#[tokio::test]
async fn a_daemon_goes_on_with_them() {
    for kept in kept() {
        let (dir, expected) = copied(&kept);
        let house = House::open(dir.path(), &boards());
        // By board, the last of its games.
        let mut last = BTreeMap::new();
        for expected in &expected {
            let id = expected["board"].as_str().expect("an id");
            if let Some(before) = last.insert(id, expected) {
                let board = house.board(id).await;
                assert_eq!(board["asked"]["game"], before["game"], "{}", kept.display());
            }
        }
        for (id, expected) in last {
            let board = house
                .until(id, "the game", |board| board["game"] != "")
                .await;
            let name = kept.display();
            assert_eq!(essence(&board), expected["essence"], "{name}, {id}");
        }
        house.close().await;
    }
}

/// An earlier version has said something else of a game that is over: that stays, on every page,
/// until the arbiter orders something in it.
#[tokio::test]
async fn what_was_said_of_a_game_that_is_over_stays() {
    let (dir, expected) = copied(&kept()[0]);
    let over = expected
        .iter()
        .find(|game| game["over"] == true)
        .expect("one that is over");
    let (id, board) = (
        over["game"].as_str().unwrap(),
        over["board"].as_str().unwrap(),
    );
    let mut view = over["view"].clone();
    view["findings"][0]["text"] = json!("As it was said then.");
    view["plies"].as_array_mut().expect("plies").pop();
    let db = Connection::open(dir.path().join("store").join(FILE)).expect("a file");
    let older = "UPDATE endings SET view = ?1, pgn = 'As it was written then.'";
    db.execute(older, [view.to_string()]).expect("written");
    drop(db);

    let house = House::open(dir.path(), &[board]);
    let plies = |view: &Value| view["plies"].as_array().map(Vec::len);
    let is_said_so = |found: &Value| {
        assert_eq!(found["findings"][0]["text"], "As it was said then.");
        assert_eq!(plies(found), plies(&view));
    };
    is_said_so(
        &house
            .until(board, "the game", |board| board["game"] == id)
            .await,
    );
    is_said_so(&house.json(&format!("/api/games/{id}")).await["view"]);
    let (_, pgn) = house.ask("GET", &format!("/api/games/{id}.pgn"), "").await;
    assert_eq!(pgn, "As it was written then.");
    house.close().await;
    let file = dir.path().join(format!("store/pgn/{id}.pgn"));
    assert_eq!(std::fs::read_to_string(file).expect("a PGN file"), pgn);

    // The game goes on after all: it is followed by the version that is there now.
    let house = House::open(dir.path(), &[board]);
    house
        .until(board, "the game", |board| board["game"] == id)
        .await;
    let refused = json!({"event": "arbiter", "action": "resume"});
    assert_eq!(house.order(board, refused).await.0, 409);
    is_said_so(&house.board(board).await);
    let reopened = json!({"event": "arbiter", "action": "result", "result": "*"});
    assert_eq!(house.order(board, reopened).await.0, 200);
    let now = house.board(board).await;
    assert_eq!(plies(&now), plies(&over["view"]));
    assert_eq!(
        house.json(&format!("/api/games/{id}")).await["view"]["result"],
        Value::Null
    );
    house.close().await;
}

/// One game is damaged: its board says so, and all others go on.
#[tokio::test]
async fn a_damaged_game_stops_its_board_only() {
    let newest = kept().pop().expect("journals are kept");
    let (dir, expected) = copied(&newest);
    let file = dir.path().join("store").join(FILE);
    // With checksums.
    House::open(dir.path(), &[]).close().await;
    let db = Connection::open(file).expect("a file");
    let change = "UPDATE events SET at = at + 1, line = replace(line, '\"at\":', '\"at\":1')
                  WHERE seq = 40 AND game = (SELECT max(key) FROM games WHERE board = 'b02')";
    assert_eq!(db.execute(change, []).expect("changed"), 1);
    drop(db);
    let house = House::open(dir.path(), &boards());
    let board = house
        .until("b02", "the fault", |board| !board["fault"].is_null())
        .await;
    let fault = board["fault"].as_str().expect("words");
    assert!(fault.contains("b02-1 is damaged at event 40"), "{fault}");
    assert_eq!(board["moves"], json!([]));
    for other in ["b01", "b03", "b04", "b06"] {
        let of_board = |game: &&Value| game["board"] == other;
        let before = expected.iter().rfind(of_board).expect("a game");
        let board = house
            .until(other, "the game", |board| board["game"] != "")
            .await;
        assert_eq!(essence(&board), before["essence"], "{other}");
    }
    let games = house.json("/api/games").await;
    let id = |board: &str| {
        let mut games = games.as_array().into_iter().flatten();
        let game = games.find(|game| game["board"] == board);
        game.map(|game| game["id"].clone()).unwrap_or_default()
    };
    let path = format!("/api/games/{}", id("b02").as_str().expect("a name"));
    let game = house.json(&path).await;
    assert_eq!(game["damage"]["event"], 40);
    let (status, said) = house.ask("GET", &format!("{path}/script"), "").await;
    assert!(
        status == 409 && said.contains("damaged at event 40"),
        "{said}"
    );
    let (_, pgn) = house.ask("GET", &format!("{path}.pgn"), "").await;
    assert!(pgn.contains("[Damage \"damaged at event 40"), "{pgn}");
    house.close().await;
}

/// Plays the games and keeps the journal, where that is asked for.
#[tokio::test]
async fn a_journal_of_this_version_is_kept() {
    let Some(name) = std::env::var_os("WRITE_JOURNALS") else {
        return;
    };
    let dir = tempfile::tempdir().expect("a directory");
    let usual = PLAYS.map(|game| (game.board, play(dir.path(), game)));
    let mut playing: Vec<_> = usual.into_iter().collect();
    playing.push((TWO_GAMES.board, play_two(dir.path(), TWO_GAMES)));
    playing.push((PLAYED_ON.board, play_on(dir.path(), PLAYED_ON, ILLEGAL)));
    let house = House::open(dir.path(), &boards());
    for (board, (truth, _)) in &playing {
        let truth = json!(truth);
        house
            .until(board, "the whole game", |board| board["moves"] == truth)
            .await;
    }
    for (board, order) in ordered() {
        let (status, answer) = house.order(board, order.clone()).await;
        assert_eq!(status, 200, "{order}: {answer}");
    }
    house
        .until("b01", "its end", |board| board["state"] == "ended")
        .await;
    house.close().await;
    let store = Store::open(&dir.path().join("store")).expect("a store");
    let mut rows = store.games().expect("games");
    rows.reverse();
    let games = rows.iter().map(|row| store.game(&row.id).expect("a game"));
    let said: Vec<Value> = games
        .map(|game| said(&game.expect("it is there")))
        .collect();
    let keep = Path::new(JOURNALS).join(name);
    std::fs::create_dir_all(&keep).expect("a directory");
    std::fs::copy(dir.path().join("store").join(FILE), keep.join(FILE)).expect("a copy");
    let text = serde_json::to_string_pretty(&said).expect("JSON");
    std::fs::write(keep.join(EXPECTED), text + "\n").expect("written");
}

/// What is ordered on the boards, when their games have been played.
fn ordered() -> Vec<(&'static str, Value)> {
    let arbiter = |action: &str, fields: Value| {
        let mut order = json!({"event": "arbiter", "action": action, "author": "Ada"});
        for (name, value) in fields.as_object().into_iter().flatten() {
            order[name] = value.clone();
        }
        order
    };
    vec![
        ("b01", arbiter("dismiss", json!({"id": 1}))),
        ("b01", arbiter("result", json!({"result": "1-0"}))),
        (
            "b02",
            arbiter(
                "report",
                json!({"code": "clock-other-hand", "by": "white", "order": "r"}),
            ),
        ),
        ("b02", arbiter("dismiss", json!({"id": 1, "order": "d"}))),
        ("b02", arbiter("pause", json!({"order": "p"}))),
        ("b02", arbiter("take-back", json!({"order": "r"}))),
        ("b03", arbiter("played", json!({"ply": 30, "move": "a7a6"}))),
        ("b04", arbiter("dismiss", json!({"id": 1}))),
        (
            "b04",
            json!({"event": "resign", "by": "black", "order": "x"}),
        ),
        ("b04", arbiter("take-back", json!({"order": "x"}))),
    ]
}

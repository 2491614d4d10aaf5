//! A round with boards that play: games take their places in it by themselves, results are
//! proposed and confirmed, and what comes out of it is what was played. Everything is there again
//! after the daemon has ended.

#![cfg(feature = "simulators")]

mod before;
mod early;
mod floor;
#[path = "../support/house.rs"]
mod house;
mod moved;
mod postponed;
mod restarted;
mod settled;

use std::path::Path;

use arbiter_core::SensorClass;
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::san::San;
use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::shakmaty::{CastlingMode, Chess, Move, Position};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use board_driver::hand::{Options, Performance, Style, games, perform};
use board_driver::noise::Sensors;
use board_driver::{SimConfig, SimulatedBoard};
use house::House;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

const BOARDS: [&str; 3] = ["b01", "b02", "b03"];
/// The fourth table has no board.
const PAIRINGS: &str = "table,white,black\n1,\"Berg, Anna\",\"Ek, Freja\"\n\
                        2,\"Cole, Ben\",\"Dupont, Émile\"\n3,Fox,Gray\n4,Hill,Ito\n5,Jung,bye\n";

/// A board on a pseudo-terminal on which one game after the other is played, with the pieces set up
/// again between them.
fn put(dir: &Path, board: &str, seed: u64, plies: usize) -> JoinHandle<()> {
    let game = games::pick(seed);
    let moves = &game.moves[..game.moves.len().min(plies)];
    let options = Options::default();
    let played = perform(&game.start, moves, Style::Tidy, seed, &[], &options);
    put_played(dir, board, seed, &played)
}

fn put_played(dir: &Path, board: &str, seed: u64, played: &Performance) -> JoinHandle<()> {
    let class = SensorClass::Piece;
    let script = Sensors::new(class, 0, seed).read(&played.start, &played.acts);
    let serial = format!("SIM-{board}");
    let mut config = SimConfig::new(dir.join(board), serial, class);
    config.squares = class.reads(&played.start);
    config.pace = 60.0;
    config.linger = std::time::Duration::from_secs(120);
    let simulated = SimulatedBoard::create(config).expect("a pseudo-terminal");
    let (controls, control) = mpsc::channel(1);
    tokio::spawn(async move {
        simulated.play(script, control).await.expect("it plays");
        drop(controls);
    })
}

/// Orders something of the event; the answer, which is a good one.
async fn does(house: &House, path: &str, order: Value) -> Value {
    let (status, body) = house.ask("POST", path, &order.to_string()).await;
    assert_eq!(status, 200, "{path}: {body}");
    serde_json::from_str(&body).expect("JSON")
}

/// Orders something that is refused: with this status, and these words.
async fn refused(house: &House, path: &str, order: Value, status: u16, words: &str) {
    let (found, body) = house.ask("POST", path, &order.to_string()).await;
    assert_eq!(found, status, "{path}: {body}");
    assert!(body.contains(words), "{path}: {body}");
}

fn file(text: &str, round: u16) -> Value {
    json!({ "file": STANDARD.encode(text), "round": round })
}

/// What stands at a table of a round.
async fn at(house: &House, round: u16, table: usize) -> Value {
    let round = house.json(&format!("/api/rounds/{round}")).await;
    round["pairings"][table - 1].clone()
}

/// Waits until it is so at a table of the first round.
async fn until(house: &House, table: usize, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..500 {
        let seats = at(house, 1, table).await;
        if is_so(&seats) {
            return seats;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("{what} in time: {}", at(house, 1, table).await);
}

#[tokio::test]
async fn a_round_from_its_pairings_to_its_results() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    let details = json!({ "name": "Harbour Open", "time_control": "5400+30", "default_time": 30 });
    let event = does(&house, "/api/event/open", details.clone()).await;
    assert_eq!(event["open"], true);
    refused(
        &house,
        "/api/event/open",
        details,
        409,
        "`Harbour Open` is open",
    )
    .await;

    refused(
        &house,
        "/api/event/describe",
        json!({ "name": " " }),
        422,
        "an event has a name",
    )
    .await;
    refused(
        &house,
        "/api/event/describe",
        json!({ "names": "Harbour" }),
        422,
        "unknown field `names`",
    )
    .await;
    // Who says one thing of it says nothing of the rest.
    let described = json!({ "site": "Hamburg" });
    let details = &does(&house, "/api/event/describe", described).await["details"];
    let kept = [&details["name"], &details["time_control"], &details["site"]];
    assert_eq!(kept, ["Harbour Open", "5400+30", "Hamburg"]);
    assert_eq!(details["default_time"], 30);
    let mut dry = file(PAIRINGS, 1);
    dry["dry_run"] = true.into();
    let planned = does(&house, "/api/pairings", dry).await;
    assert_eq!(
        (&planned["written"], &planned["pairings"][3]["board"]),
        (&false.into(), &Value::Null)
    );
    assert!(
        house.json("/api/event").await["rounds"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    let loaded = does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    assert_eq!(
        (&loaded["written"], &loaded["pairings"]),
        (&true.into(), &planned["pairings"])
    );
    let again = does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    assert_eq!(
        (&again["written"], &again["changes"]),
        (&false.into(), &json!([]))
    );
    let defective = file("table,white,black\nx,A,B\n", 1);
    refused(&house, "/api/pairings", defective, 422, "\"line\":2").await;

    // A late change, when the round is under way and before the game.
    let started = does(&house, "/api/rounds/1/start", json!({})).await;
    assert_eq!(started["waiting"], json!([1, 2, 3, 4]));
    let since = started["started"].as_str().unwrap();
    assert!(started["default_at"].as_str().unwrap() > since);
    let late = PAIRINGS.replace("Fox,Gray", "Gray,Fox");
    does(&house, "/api/pairings", file(&late, 1)).await;

    let playing = [put(dir.path(), "b01", 4, 30), put(dir.path(), "b02", 5, 24)];
    let seats = until(&house, 1, "a game", |seats| seats["game"].is_string()).await;
    until(&house, 2, "a game", |seats| seats["game"].is_string()).await;
    house
        .until("b01", "all moves", |board| board["ply"] == 30)
        .await;
    let board = house
        .until("b02", "all moves", |board| board["ply"] == 24)
        .await;
    assert_eq!(
        (&board["white"], &board["black"]),
        (&"Cole, Ben".into(), &"Dupont, Émile".into())
    );
    assert_eq!(board["round"], "1.2");
    let other = PAIRINGS.replace("Berg, Anna", "Somebody");
    refused(
        &house,
        "/api/pairings",
        file(&other, 1),
        409,
        "table 1 of round 1 has begun",
    )
    .await;

    results(&house).await;
    refused(
        &house,
        "/api/rounds/1/close",
        json!({}),
        409,
        "without a confirmed result",
    )
    .await;
    let moves = json!({ "table": 4, "moves": "1. e4 e5 2. Nf3 Nc6 3. Bb5" });
    does(&house, "/api/rounds/1/moves", moves).await;
    let wrong = json!({ "table": 4, "moves": "1. e4 e5 2. Ke3" });
    refused(
        &house,
        "/api/rounds/1/moves",
        wrong,
        422,
        "the typed move 3",
    )
    .await;
    // The board at the first table has failed after 20 half-moves.
    let beyond = json!({ "table": 1, "after": 31, "moves": "Kh1" });
    refused(&house, "/api/rounds/1/moves", beyond, 422, "30 half-moves").await;
    let forfeits = json!({ "results": { "3": "-/+", "4": "1/2-0" } });
    let round = does(&house, "/api/rounds/1/results", forfeits).await;
    assert_eq!(round["open"], json!([]));
    let penalty = json!({ "player": 1, "round": 1, "what": "a warning", "reason": "late" });
    does(&house, "/api/penalties", penalty).await;
    let closed = does(&house, "/api/rounds/1/close", json!({})).await;
    assert_eq!(closed["stage"], "closed");

    let (_, pgn) = house
        .ask("GET", "/api/rounds/1/export?format=pgn", "")
        .await;
    exported(&pgn, seats["game"].as_str().unwrap());
    let event = house.json("/api/event").await;
    house.close().await;
    drop(playing);
    on_disk(dir.path());

    // All of it is there again.
    let house = House::open(dir.path(), &BOARDS);
    assert_eq!(house.json("/api/event").await, event);
    let (_, again) = house
        .ask("GET", "/api/rounds/1/export?format=pgn", "")
        .await;
    assert_eq!(again, pgn);
    house.close().await;
    let (games, wrong) = daemon::store::verify(&dir.path().join("store")).unwrap();
    assert!(
        games.iter().all(|game| game.damage.is_none()) && wrong.is_empty(),
        "{wrong:?}"
    );
}

/// What games show is proposed, an arbiter's result as his, and is so when a person says it.
async fn results(house: &House) {
    let result = |result: &str| json!({ "event": "arbiter", "action": "result", "result": result });
    let (status, done) = house.order("b01", result("1-0")).await;
    assert_eq!(status, 200, "{done}");
    let proposed = until(house, 1, "a result", |seats| seats["result"] == "1-0").await;
    assert_eq!(
        (&proposed["confirmed"], &proposed["how"]),
        (&false.into(), &"arbiter".into())
    );
    let back = json!({ "event": "arbiter", "action": "take-back", "order": done["order"] });
    let (status, said) = house.order("b01", back).await;
    assert_eq!(status, 200, "{said}");
    until(house, 1, "no result any more", |seats| {
        seats["result"].is_null()
    })
    .await;
    house.order("b01", result("0-1")).await;
    house.order("b02", result("1/2-1/2")).await;
    until(house, 1, "a result", |seats| seats["result"] == "0-1").await;
    until(house, 2, "a result", |seats| seats["result"] == "½-½").await;
    let round = does(house, "/api/rounds/1/confirm", json!({})).await;
    assert_eq!(round["open"], json!([3, 4]));
    // A game that is over is not paused, by the board's name or by its own.
    let game = at(house, 1, 2).await["game"].as_str().unwrap().to_owned();
    let pause = json!({ "event": "arbiter", "action": "pause" });
    let orders = format!("/api/games/{game}/orders");
    refused(house, &orders, pause.clone(), 409, "not being played").await;
    assert_eq!(house.order("b02", pause).await.0, 409);
    // Taken back, it is again what the board proposes; that is put right on the game.
    let withdrawn = json!({ "tables": [2], "reason": "the wrong table" });
    let round = does(house, "/api/rounds/1/withdraw", withdrawn.clone()).await;
    let seats = &round["pairings"][1];
    assert_eq!(
        (&seats["result"], &seats["confirmed"]),
        (&"½-½".into(), &false.into())
    );
    refused(
        house,
        "/api/rounds/1/withdraw",
        withdrawn,
        409,
        "its game shows",
    )
    .await;
    let round = does(house, "/api/rounds/1/confirm", json!({})).await;
    assert_eq!(round["open"], json!([3, 4]));
    // A correction has a reason.
    let other = json!({ "results": { "2": "1-0" } });
    refused(
        house,
        "/api/rounds/1/results",
        other,
        409,
        "only with a reason",
    )
    .await;
    let reason = json!({ "results": { "2": "1-0" }, "reason": "both scoresheets say so" });
    does(house, "/api/rounds/1/results", reason).await;
}

/// Moves are typed behind what a board has surely seen; what takes the place of that has a reason,
/// and what was seen stays in the record.
#[tokio::test]
async fn typed_moves_take_nothing_away_that_a_board_saw() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    does(&house, "/api/rounds/1/start", json!({})).await;
    let playing = put(dir.path(), "b01", 4, 20);
    let board = house
        .until("b01", "all moves", |board| board["ply"] == 20)
        .await;
    let san = |n: usize| board["plies"][n]["san"].as_str().unwrap().to_owned();
    let moves = "/api/rounds/1/moves";
    let typed = |after: Value, reason: &str| {
        let moves = san(18);
        json!({ "table": 1, "after": after, "moves": moves, "reason": reason })
    };
    let told = "the first 20 of them surely";
    refused(&house, moves, typed(Value::Null, "x"), 422, told).await;
    let told = "board `b01` follows this game";
    refused(&house, moves, typed(18.into(), ""), 422, told).await;
    refused(
        &house,
        moves,
        json!({ "table": 1, "after": 0, "moves": "e4" }),
        422,
        told,
    )
    .await;
    does(&house, moves, typed(18.into(), "he wrote so")).await;
    let (_, pgn) = house
        .ask("GET", "/api/rounds/1/export?format=pgn", "")
        .await;
    let pgn = pgn.replace('\n', " ");
    let saw = format!("{{the board saw here: 10. {} {}}}", san(18), san(19));
    assert!(pgn.contains(&saw), "{saw}: {pgn}");
    assert!(
        pgn.contains(&format!("from here on}} 10. {} *", san(18))),
        "{pgn}"
    );
    // What was typed can be taken away again, with a reason.
    let none = |reason: &str| json!({ "table": 1, "after": 0, "moves": " ", "reason": reason });
    refused(&house, moves, none(""), 422, "there are no moves").await;
    let round = does(&house, moves, none("the wrong table")).await;
    assert_eq!(round["pairings"][0]["typed"], Value::Null);
    refused(
        &house,
        moves,
        json!({ "table": 4, "moves": "" }),
        422,
        "there are no moves",
    )
    .await;
    assert_eq!(at(&house, 1, 4).await["typed"], Value::Null);

    // The board has failed.
    playing.abort();
    std::fs::remove_file(dir.path().join("b01")).unwrap();
    house
        .until("b01", "the line is gone", |board| {
            board["connected"] == false
        })
        .await;
    let told = "the board has surely seen 20 half-moves";
    refused(&house, moves, typed(18.into(), ""), 422, told).await;
    let next = json!({ "table": 1, "after": 20, "moves": "Ka1" });
    refused(
        &house,
        moves,
        next,
        422,
        "the typed move 1 (line 1, column 1), is no legal move",
    )
    .await;
    let result = json!({ "table": 1, "after": 20, "moves": "1-0" });
    refused(&house, moves, result, 422, "there are no moves").await;
    house.close().await;
}

/// The games of the round as they are given out.
fn exported(pgn: &str, first: &str) {
    let games: Vec<&str> = pgn.split("[Event ").skip(1).collect();
    assert_eq!(games.len(), 4, "{pgn}");
    for (game, lines) in [
        (
            0,
            [
                "[Round \"1.1\"]",
                "[Board \"1\"]",
                "[White \"Berg, Anna\"]",
                "[Result \"0-1\"]",
            ],
        ),
        (
            1,
            [
                "[Round \"1.2\"]",
                "[Black \"Dupont, Émile\"]",
                "[Result \"1-0\"]",
                "[Board \"2\"]",
            ],
        ),
        (
            2,
            [
                "[White \"Gray\"]",
                "[Result \"0-1\"]",
                "[Termination \"unplayed\"]",
                "\n\n0-1",
            ],
        ),
        (
            3,
            [
                "[White \"Hill\"]",
                "[Result \"*\"]",
                "1. e4 e5",
                "{typed from the scoresheets",
            ],
        ),
    ] {
        for line in lines {
            let text = games[game].replace('\n', " ").replace("  ", "\n\n");
            let plain = games[game];
            assert!(
                plain.contains(line) || text.contains(line),
                "{line}: {plain}"
            );
        }
    }
    for line in [
        format!("[GameId \"{first}\"]"),
        "[TimeControl \"5400+30\"]".to_owned(),
        "[Termination \"adjudication\"]".to_owned(),
    ] {
        assert!(games[0].contains(&line), "{line}: {}", games[0]);
    }
}

/// One file a table, and all of them together.
fn on_disk(dir: &Path) {
    let folder = dir.join("store/pgn/round-1");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect(name);
    let tables = [1, 2, 3, 4].map(|table| read(&format!("table-{table}.pgn")));
    assert!(
        tables[1].contains("[Result \"1-0\"]"),
        "as a person said: {}",
        tables[1]
    );
    assert_eq!(read("games.pgn"), tables.join("\n"));
}

fn moves(moves: &[Move]) -> Vec<String> {
    let uci = |m: &Move| UciMove::from_standard(*m).to_string();
    moves.iter().map(uci).collect()
}

/// A game of Chess960 from the PGN of its pairing to the PGN of its moves.
#[tokio::test]
async fn a_game_of_chess960_begins_where_its_pairing_says() {
    const FEN: &str = "bqnb1rkr/pppppppp/3n4/8/8/3N4/PPPPPPPP/BQNB1RKR w KQkq - 0 1";
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    let stub = format!(
        "[Event \"O\"]\n[Round \"1.1\"]\n[White \"Ann\"]\n[Black \"Ben\"]\n[Variant \"Chess960\"]\n\
         [SetUp \"1\"]\n[FEN \"{FEN}\"]\n\n*\n"
    );
    does(&house, "/api/pairings", file(&stub, 1)).await;
    does(&house, "/api/rounds/1/start", json!({})).await;
    let fen: Fen = FEN.parse().unwrap();
    let start: Chess = fen.into_position(CastlingMode::Chess960).unwrap();
    let (mut position, mut played) = (start.clone(), Vec::new());
    for san in ["Nf4", "Nf5", "e3", "e6", "Bf3", "Bf6"] {
        let san: San = san.parse().unwrap();
        let next = san.to_move(&position).unwrap();
        position.play_unchecked(next);
        played.push(next);
    }
    let options = Options::default();
    let performed = perform(&start, &played, Style::Tidy, 4, &[], &options);
    let playing = put_played(dir.path(), "b01", 4, &performed);
    let board = house
        .until("b01", "all moves", |board| board["ply"] == 6)
        .await;
    assert_eq!(
        (&board["white"], &board["round"]),
        (&"Ann".into(), &"1.1".into())
    );
    assert_eq!(board["start_fen"], FEN);
    let (_, pgn) = house
        .ask("GET", "/api/rounds/1/export?format=pgn", "")
        .await;
    for line in ["[Variant \"Chess960\"]", "[SetUp \"1\"]", FEN, "1. Nf4 "] {
        assert!(pgn.contains(line), "{line}: {pgn}");
    }
    house.close().await;
    playing.abort();
}

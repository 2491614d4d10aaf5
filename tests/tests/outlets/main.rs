//! Everything that goes out of a small hall, by every outlet at once: nothing that waits is in any
//! byte, and what the arbiter orders while the round runs is so at all of them.

mod hall;

use std::fs;
use std::time::{Duration, Instant};

use board_wire::Side;
use hall::*;
use serde_json::{Value, json};
use tests::lichess::{Lichess, TOKEN};
use tests::rig::{let_run, look_until};

/// Ruy Lopez, half-move by half-move.
const GAME: [(&str, &str, char); 6] = [
    ("e2", "e4", 'P'),
    ("e7", "e5", 'p'),
    ("g1", "f3", 'N'),
    ("b8", "c6", 'n'),
    ("f1", "b5", 'B'),
    ("g8", "f6", 'n'),
];

/// What is two half-moves late is in no byte of any outlet before; stopped at one table it stays as
/// it is there, and goes on.
#[test]
fn a_delay_by_half_moves_and_a_stop_hold_at_every_outlet() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hall = open(dir.path(), "delay-moves = 2");
    hall.plays(1, &GAME[..4], Side::White);
    hall.plays(
        2,
        &[("d2", "d4", 'P'), ("d7", "d5", 'p'), ("c2", "c4", 'P')],
        Side::White,
    );
    hall.until_recorded(0, 4);
    hall.until_recorded(1, 3);
    hall.until_public(1, 2);
    hall.until_public(2, 1);
    hall.keeps(&["Nf3", "Nc6", "g1f3", "5N2", "c2c4", "2. c4"]);
    let (_, position) = &hall.told[&1];
    assert!(
        position.starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP"),
        "{position}"
    );

    // Whoever gives the order is answered how it stands once it is carried out.
    let stopped = |said: &Value| {
        let rows = said["games"].as_array().into_iter().flatten();
        let told = rows.map(|row| row["stopped"] == true);
        told.collect::<Vec<bool>>()
    };
    let said = hall.does("/api/public/stop", json!({ "round": 1, "table": 1 }));
    assert_eq!(stopped(&said), [true, false], "{said}");
    let before = hall.public(1);
    hall.plays(1, &GAME[4..], Side::White);
    hall.plays(2, &[("e7", "e6", 'p'), ("b1", "c3", 'N')], Side::Black);
    hall.until_recorded(0, 6);
    hall.until_recorded(1, 5);
    hall.until_public(2, 3);
    assert_eq!(hall.public(1), before, "stopped");
    hall.keeps(&["Nf3", "Nc6", "Bb5", "5N2", "Nc3"]);
    let said = hall.does("/api/public/resume", json!({ "round": 1, "table": 1 }));
    assert_eq!(stopped(&said), [false, false], "{said}");
    hall.until_public(1, 4);
    hall.keeps(&["Bb5", "Nf6", "Nc3"]);
    hall.house.close();
}

/// What is stopped stays as it is, but for a name that is not to be there.
#[test]
fn a_name_that_is_shortened_goes_where_publication_is_stopped_too() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hall = open(dir.path(), "");
    hall.plays(1, &GAME[..2], Side::White);
    hall.until_public(1, 2);
    hall.does("/api/public/stop", json!({ "round": 1, "table": 1 }));
    hall.does("/api/event/shorten", json!({ "player": 1, "short": true }));
    let seen = look_until(PATIENCE, || {
        let bytes = hall.bytes();
        let named = bytes.iter().filter(|(_, text)| text.contains("Ahl, Ann"));
        let named: Vec<&String> = named.map(|(place, _)| place).collect();
        match named.is_empty() {
            true => Ok(()),
            false => Err(format!("{named:?}")),
        }
    });
    seen.expect("no such name");
    assert_eq!(hall.public(1)["folder"], 2, "what was public stays");
    hall.house.close();
}

/// Everything is stopped, and the round is closed and the next one begun: nothing of that is public
/// before it goes on, anywhere.
#[test]
fn a_stop_holds_for_rounds_that_begin_meanwhile() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hall = open(dir.path(), "");
    hall.plays(1, &GAME[..2], Side::White);
    hall.until_public(1, 2);
    let results = json!({ "results": { "1": "1-0", "2": "0-1" }, "reason": "agreed" });
    hall.does("/api/rounds/1/results", results);
    let rest = |hall: &Hall| hall.rest("tournaments")[0]["rounds"].clone();
    let is_live = |hall: &Hall| {
        let index: Value =
            serde_json::from_str(&hall.get("/live/round-1/live.json")).expect("JSON");
        (index["live"].clone(), index["tables"][0]["result"].clone())
    };
    look_until(PATIENCE, || match is_live(&hall).1 == "1–0" {
        true => Ok(()),
        false => Err("no result yet".to_owned()),
    })
    .expect("a result");

    hall.does("/api/public/stop", json!({}));
    hall.does("/api/rounds/1/close", json!({}));
    hall.does("/api/pairings", json!({ "file": PAIRS, "round": 2 }));
    hall.does("/api/rounds/2/start", json!({}));
    let_run(AWHILE);
    assert_eq!(hall.get("/live/round-2/live.json"), "");
    assert!(!hall.folder.join("round-2").exists());
    assert_eq!((rest(&hall), is_live(&hall).0), (json!(1), json!(true)));

    hall.does("/api/public/resume", json!({}));
    let seen = look_until(PATIENCE, || {
        let is_there = hall.folder.join("round-2/games.pgn").exists();
        match is_there && rest(&hall) == 2 && is_live(&hall).0 == false {
            true => Ok(()),
            false => Err("it does not go on".to_owned()),
        }
    });
    seen.expect("both rounds");
    hall.house.close();
}

/// A game that goes on on another board stays where it is for everybody outside, who is not told
/// what devices are; one that is annulled is taken back at every outlet, as a correction.
#[test]
fn a_game_that_is_moved_stays_and_one_that_is_annulled_goes() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hall = open(dir.path(), "");
    hall.plays(1, &GAME[..2], Side::White);
    hall.plays(2, &[("d2", "d4", 'P'), ("d7", "d5", 'p')], Side::White);
    hall.until_public(1, 2);
    hall.until_public(2, 2);
    let [first, second] = ["Nf3", "c4"];
    hall.does("/api/tables/1/swap", json!({ "with": 2 }));
    let_run(AWHILE);
    for (table, white, moves) in [(1, "Ahl, Ann", "1. e4"), (2, "Cole, Cat", "1. d4")] {
        for place in ["folder/round-1/game-N.pgn", "HTTP /live/round-1/game-N.pgn"] {
            let place = place.replace('N', &table.to_string());
            let bytes = hall.bytes();
            let text = &bytes[&place];
            assert!(
                text.contains(&format!("[White \"{white}\"]")),
                "{place}: {text}"
            );
            assert!(text.contains(moves), "{place}: {text}");
        }
    }
    // The boards are set up as the games stood, and the arbiter lets them go on.
    for (board, pieces) in [
        (
            0,
            [
                ("e4", '.'),
                ("e2", 'P'),
                ("e5", '.'),
                ("e7", 'p'),
                ("d2", '.'),
                ("d4", 'P'),
                ("d7", '.'),
                ("d5", 'p'),
            ],
        ),
        (
            1,
            [
                ("d4", '.'),
                ("d2", 'P'),
                ("d5", '.'),
                ("d7", 'p'),
                ("e2", '.'),
                ("e4", 'P'),
                ("e7", '.'),
                ("e5", 'p'),
            ],
        ),
    ] {
        for (square, seen) in pieces {
            hall.boards[board].set(square, seen);
            let_run(Duration::from_millis(60));
        }
    }
    let resume = json!({ "event": "arbiter", "action": "resume" });
    for id in DEVICES {
        hall.house.until(PATIENCE, |boards| {
            let mut boards = boards.iter();
            let board = boards.find(|board| board["id"] == id).expect("a board");
            (board["state"] != "paused" || board["differs"] != json!([]))
                .then(|| format!("{id}: {} {}", board["state"], board["differs"]))
        });
        hall.does(&format!("/api/boards/{id}/orders"), resume.clone());
    }
    hall.boards[1].play("g1", "f3", 'N', Side::White);
    hall.boards[0].play("c2", "c4", 'P', Side::White);
    let seen = look_until(PATIENCE, || {
        let has = |table: usize, san: &str| hall.game(table).to_string().contains(san);
        let pgn = hall.get("/live/round-1");
        match has(1, first) && has(2, second) && pgn.contains(first) && pgn.contains(second) {
            true => Ok(()),
            false => Err(pgn),
        }
    });
    seen.expect("both games go on at their tables");
    let is_outside = |place: &str| !place.starts_with("REST");
    for (place, text) in hall
        .bytes()
        .into_iter()
        .filter(|(place, _)| is_outside(place))
    {
        for word in DEVICES.into_iter().chain(NAMES).chain(["SN-77", "SN-78"]) {
            assert!(!text.contains(word), "{place} has `{word}`:\n{text}");
        }
    }

    // The game of the second table is on the first board by now.
    let annul = json!({ "event": "arbiter", "action": "annul", "author": "Ada" });
    hall.does(&format!("/api/boards/{}/orders", DEVICES[0]), annul);
    let seen = look_until(PATIENCE, || {
        let mut public = hall.public(2);
        // The feed takes nothing back: it says `match: false`.
        public.remove("feed");
        match public.values().all(|count| *count == 0) {
            true => Ok(()),
            false => Err(format!("{public:?}")),
        }
    });
    seen.expect("it is taken back");
    let corrections: Value = serde_json::from_str(&hall.get("/api/public/corrections")).unwrap();
    let of_table = |one: &&Value| one["table"] == 2;
    let list = corrections.as_array().expect("a list");
    assert!(list.iter().any(|one| of_table(&one)), "{corrections}");
    assert!(list.iter().all(|one| of_table(&one)), "{corrections}");
    assert!(
        list.iter().all(|one| one["annulled"] == true),
        "{corrections}"
    );
    assert!(
        hall.get("/live/round-1").contains(first),
        "the other is as it was"
    );
    hall.house.close();
}

/// What is typed of a table without a board goes out as late as other moves, in no byte before, and
/// what of it is corrected is listed and marked, with the outlets where that has arrived.
#[test]
fn what_is_typed_of_a_table_without_a_board_goes_out_like_other_moves() {
    const LATE: Duration = Duration::from_secs(9);
    let dir = tempfile::tempdir().expect("a directory");
    let lichess = Lichess::open(1);
    lichess.fail(0);
    let token = dir.path().join("token");
    fs::write(&token, TOKEN).expect("a file");
    let only = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    fs::set_permissions(&token, only).expect("a file");
    let push = format!(
        "delay = 9\n[lichess]\ntoken-file = \"token\"\nurl = \"http://{}\"\n\
         [[lichess.round]]\nround = 1\nid = \"aBcD1234\"\n",
        lichess.address
    );
    let mut hall = open_with(dir.path(), &push, THREE);
    let pushed = || {
        let games = lichess.games("aBcD1234").into_iter();
        let mut found = games.filter(|game| game.table == 3);
        found.next().map_or(0, |game| game.moves.len())
    };
    let everywhere = |hall: &mut Hall, plies: usize| {
        let mut public = hall.public(3);
        // There is no board to be followed.
        public.remove("feed");
        public.insert("Lichess", pushed());
        match public.values().all(|count| *count == plies) {
            true => Ok(()),
            false => Err(format!("{public:?}, not {plies}")),
        }
    };
    let types = |hall: &Hall, moves: &str| {
        let order = json!({ "table": 3, "moves": moves, "reason": "a slip" });
        hall.does("/api/rounds/1/moves", order);
        Instant::now()
    };
    let typed = types(&hall, "1. e4 e5 2. Nf3 Nc6");
    while typed.elapsed() + AWHILE < LATE {
        everywhere(&mut hall, 0).expect("it is early");
        hall.keeps(&["Nf3", "Nc6", "e2e4", "1. e4"]);
        let_run(Duration::from_millis(200));
    }
    look_until(PATIENCE, || everywhere(&mut hall, 4)).expect("it is time");

    // Another move was played, and the result is another one.
    let typed = types(&hall, "1. e4 e5 2. Nf3 d6");
    look_until(LATE - AWHILE, || everywhere(&mut hall, 3)).expect("taken back at once");
    assert!(typed.elapsed() < LATE, "it waits");
    hall.keeps(&["Nc6", "d6"]);
    look_until(PATIENCE, || everywhere(&mut hall, 4)).expect("it is time");
    for result in ["1-0", "0-1"] {
        let order = json!({ "results": { "3": result }, "reason": "a slip" });
        hall.does("/api/rounds/1/results", order);
        let seen = look_until(PATIENCE, || {
            let index = hall.get("/live/round-1/index.json");
            match index.contains(&format!("\"result\":\"{result}\"")) {
                true => Ok(()),
                false => Err(index),
            }
        });
        seen.expect("a result");
    }
    let arrived = |one: &Value| -> Vec<String> {
        let arrived = one["arrived"].as_array().into_iter().flatten();
        let mut outlets: Vec<String> = arrived.map(|at| text(&at["outlet"])).collect();
        outlets.sort();
        outlets
    };
    let all = ["folder", "lichess", "live", "livechess"].map(str::to_owned);
    let listed = look_until(PATIENCE, || {
        let list: Value = serde_json::from_str(&hall.get("/api/public/corrections")).expect("JSON");
        let list = list.as_array().cloned().unwrap_or_default();
        match list.len() >= 2 && list.iter().all(|one| arrived(one) == all) {
            true => Ok(list),
            false => Err(format!("{list:?}")),
        }
    });
    let listed = listed.expect("corrections that have arrived");
    let brief = |one: &Value| {
        let place = [&one["event"], &one["round"], &one["table"], &one["ply"]];
        (
            place.map(|n| n.as_u64().unwrap_or(0)),
            text(&one["was"]),
            text(&one["is"]),
        )
    };
    let brief: Vec<_> = listed.iter().map(brief).collect();
    let of = |place, was: &str, is: &str| (place, was.to_owned(), is.to_owned());
    assert_eq!(
        brief,
        [
            of([1, 1, 3, 4], "Nc6", "d6"),
            of([1, 1, 3, 0], "1-0", "0-1")
        ]
    );
    let live: Value = serde_json::from_str(&hall.get("/live/round-1/live.json")).expect("JSON");
    let marked = |n: usize| live["tables"][n]["corrected"] == true;
    assert_eq!([0, 1, 2].map(marked), [false, false, true], "{live}");

    // The desk sees how it stands with each way out.
    let state: Value = serde_json::from_str(&hall.get("/api/public")).expect("JSON");
    let outlets = state["outlets"].as_array().cloned().unwrap_or_default();
    let told: Vec<_> = outlets
        .iter()
        .map(|of| {
            (
                text(&of["outlet"]),
                of["clients"].as_u64(),
                of["done"].is_string(),
            )
        })
        .collect();
    let is = |name: &str, clients, done| (name.to_owned(), clients, done);
    assert_eq!(
        told,
        [
            is("live", None, false),
            is("folder", None, true),
            is("livechess", Some(1), false)
        ]
    );
    assert!(
        outlets.iter().all(|of| of["problem"].is_null()),
        "{outlets:?}"
    );
    let metrics = hall.get("/metrics");
    for line in [
        "arbiter_livechess_clients 1",
        "arbiter_public_folder_failing 0",
    ] {
        assert!(metrics.contains(line), "{metrics}");
    }
    assert!(
        metrics.contains("arbiter_lichess_taken_timestamp_seconds 1"),
        "{metrics}"
    );
    hall.house.close();
}

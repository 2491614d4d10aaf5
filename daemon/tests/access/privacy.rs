//! What is kept of players: handed out, taken away, forgotten after its time, shortened.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use access::Role;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use daemon::config::{Config, Privacy};
use serde_json::{Value, json};

use super::feed::{follow, play};
use super::hall::{Guest, Hall, PATIENCE};
use super::written::command;

/// A child, of whom nothing is left when she is erased.
const NAME: &str = "Quillfeather, Xanthe";
const BORN: &str = "2016/05/17";
const FIDE: &str = "46123459";

/// What only a picture of her scoresheet says, and what one of others does.
const HERS: &str = "her-scoresheet";
const OTHERS: &str = "their-scoresheet";

/// No file.
const NOWHERE: [PathBuf; 0] = [];

/// A report file in which she has White at the first table.
fn report() -> String {
    let mut text = "012 Harbour Open\r\n".to_owned();
    let players = [
        (1, NAME, 1234, FIDE, BORN, "   2 w  "),
        (2, "Cole, Ben", 1600, "46123460", "1980/01/02", "   1 b  "),
        (3, "Ek, Freja", 1500, "46123461", "", "   4 w  "),
        (4, "Dupont, Émile", 1400, "46123462", "1990", "   3 b  "),
    ];
    for (number, name, rating, id, born, round) in players {
        let person = format!("{name:<33} {rating:>4} GER {id:>11} {born:<10}");
        write!(
            text,
            "001 {number:>4} m    {person}  0.0 {number:>4}  {round}\r\n"
        )
        .unwrap();
    }
    text
}

async fn does(guest: &mut Guest, path: &str, order: Value) -> Value {
    let answer = guest.ask("POST", path, Some(order)).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    answer.json()
}

/// A round that is under way, with her game on the first board, and a reason that names her.
async fn round(hall: &Hall) -> Guest {
    let mut chief = hall.chief().await;
    let file = json!({ "file": STANDARD.encode(report()), "round": 1 });
    does(&mut chief, "/api/pairings", file).await;
    does(&mut chief, "/api/rounds/1/start", json!({})).await;
    let reason = format!("{NAME} had her telephone on");
    let penalty = json!({ "player": 1, "round": 1, "what": "a warning", "reason": reason });
    does(&mut chief, "/api/penalties", penalty).await;
    for (table, marker) in [(1, HERS), (2, OTHERS)] {
        let photo = [b"\xff\xd8\xff", marker.as_bytes(), b"\xff\xd9"].concat();
        let text = format!("{NAME} says so");
        let note = json!({
            "round": 1, "table": table, "text": text, "photo": STANDARD.encode(photo),
        });
        does(&mut chief, "/api/notes", note).await;
    }
    does(
        &mut chief,
        "/api/rounds/1/breaks",
        json!({ "player": 1, "out": true }),
    )
    .await;
    let moves = json!({ "table": 2, "moves": "1. e4 e5" });
    does(&mut chief, "/api/rounds/1/moves", moves).await;
    chief
}

/// Her game is played, and ends by the arbiter's word.
async fn game(hall: &Hall, chief: &mut Guest) -> String {
    let _playing = play(hall.dir.path(), "b01");
    let begun = tokio::time::Instant::now();
    loop {
        let board = chief.get("/api/boards/b01").await;
        if board["ply"].as_u64() >= Some(4) && board["white"] == NAME {
            let result = json!({ "event": "arbiter", "action": "result", "result": "0-1" });
            does(chief, "/api/boards/b01/orders", result).await;
            return board["game"].as_str().expect("a game").to_owned();
        }
        assert!(begun.elapsed() < PATIENCE, "some moves: {board}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

/// The files below a directory in whose bytes a text stands. Another process looks: one that closes
/// a file gives up the locks that it has on it, and SQLite's with them.
fn naming(dir: &Path, text: &str) -> Vec<PathBuf> {
    let found = Command::new("grep")
        .args(["-rlaF", text])
        .arg(dir)
        .output()
        .expect("grep");
    let found = String::from_utf8(found.stdout).expect("names");
    found.lines().map(PathBuf::from).collect()
}

/// Where the public's files are.
fn broadcast(config: &Config) -> PathBuf {
    config.dir.with_file_name("broadcast")
}

/// Waits until her name stands in the public's files, or in none.
async fn is_named(public: &Path, is: bool) {
    let begun = tokio::time::Instant::now();
    while naming(public, "Quillfeather").is_empty() == is {
        assert!(begun.elapsed() < PATIENCE, "{:?}", naming(public, ""));
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

fn words<'a>(words: &[&'a str], store: &'a str) -> Vec<&'a str> {
    [words, &["--dir", store]].concat()
}

/// Erasing takes every byte away that names her, on the running daemon, and the chain of acts is
/// whole; who played whom and how it ended stays.
#[tokio::test]
async fn what_is_erased_is_in_no_file_and_the_chain_is_whole() {
    let hall = Hall::open_with(|config| config.public.folder = Some(broadcast(config)));
    let mut chief = round(&hall).await;
    let id = game(&hall, &mut chief).await;
    let store = hall.store();
    let public = hall.dir.path().join("broadcast");
    is_named(&public, true).await;
    // As an upgrade and a repair leave them.
    for copy in ["arbiter.sqlite.version-7", "arbiter.sqlite.damaged-1-wal"] {
        std::fs::write(store.join(copy), NAME).unwrap();
    }
    let dir = store.display().to_string();
    let written = tokio::time::Instant::now();
    while naming(&store, NAME).len() < 5 {
        assert!(
            written.elapsed() < PATIENCE,
            "store, copies and PGN: {:?}",
            naming(&store, NAME)
        );
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }

    let (status, out, errors) = command(&words(&["people", "data", NAME], &dir), None).await;
    assert_eq!(status, 0, "{errors}");
    let known: Value = serde_json::from_str(&out).expect("JSON");
    let player = &known["players"][0];
    assert_eq!(
        (&player["player"]["birth"], &player["player"]["name"]),
        (&json!(BORN), &json!(NAME))
    );
    assert_eq!(
        (&player["rounds"][0]["opponent"], &known["games"][0]["id"]),
        (&json!(2), &json!(id))
    );
    assert_eq!(player["penalties"][0]["what"], "a warning");
    assert_eq!(known["files"].as_array().map(Vec::len), Some(2));
    // That of another table names her.
    assert_eq!(player["notes"].as_array().map(Vec::len), Some(2));
    assert_eq!(player["breaks"][0]["round"], 1);
    assert_ne!(naming(&store, HERS), NOWHERE);

    let erase = words(&["people", "erase", NAME, "--json"], &dir);
    let (status, out, errors) = command(&erase, None).await;
    assert_eq!(status, 0, "{errors}");
    let erased: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(erased["games"], json!([id]));
    assert_eq!(
        erased["copies"].as_array().map(Vec::len),
        Some(2),
        "{erased}"
    );
    for text in ["Quillfeather", BORN, FIDE, HERS] {
        assert_eq!(naming(&store, text), NOWHERE, "{text}");
    }
    assert_ne!(naming(&store, OTHERS), NOWHERE, "it is none of hers");
    let notes = chief.get("/api/notes").await;
    assert_eq!(
        (&notes[0]["text"], &notes[0]["photo"]),
        (&json!("erased"), &json!(false))
    );
    assert_eq!(notes[1]["photo"], true);
    is_named(&public, false).await;
    // What the daemon holds in its memory, and what it gives out.
    let board = chief.get("/api/boards/b01").await;
    assert_eq!(
        (&board["white"], &board["black"]),
        (&json!("Player 1"), &json!("Cole, Ben"))
    );
    let event = chief.get("/api/event").await;
    assert_eq!(
        event["players"][0],
        json!({ "number": 1, "name": "Player 1" })
    );
    assert_eq!(event["penalties"][0]["reason"], "erased");
    assert_eq!(event["players"][1]["name"], "Cole, Ben");
    let confirm = json!({ "tables": [1] });
    does(&mut chief, "/api/rounds/1/confirm", confirm).await;
    let trf = chief
        .ask("GET", "/api/rounds/1/export?format=trf", None)
        .await
        .body;
    assert!(
        trf.contains("Player 1 ") && trf.contains("Cole, Ben") && !trf.contains(BORN),
        "{trf}"
    );
    assert!(
        trf.lines()
            .nth(1)
            .is_some_and(|line| line.ends_with("2 w 0")),
        "{trf}"
    );
    let pgn = chief
        .ask("GET", "/api/rounds/1/export?format=pgn", None)
        .await
        .body;
    assert!(
        pgn.contains("[White \"Player 1\"]") && !pgn.contains(FIDE),
        "{pgn}"
    );
    let again = command(&words(&["people", "erase", NAME], &dir), None).await;
    assert_eq!(
        (again.0, again.2.contains("says nothing")),
        (2, true),
        "{}",
        again.2
    );
    let verified = command(&words(&["verify"], &dir), None).await;
    assert_eq!(verified.0, 0, "{}{}", verified.1, verified.2);

    // Nothing comes back with a restart, and on a store at rest others are erased as well.
    let hall = hall.restart().await;
    let before = hall.acts();
    assert!(
        before
            .iter()
            .any(|(by, what, _)| by.role == "owner" && what["act"] == "erased")
    );
    let kept = hall.close().await;
    assert_eq!(naming(&store, "Quillfeather"), NOWHERE);
    let at_rest = words(&["people", "erase", "--number", "4"], &dir);
    let (status, _, errors) = command(&at_rest, None).await;
    assert_eq!(status, 0, "{errors}");
    for text in ["Dupont", "46123462"] {
        assert_eq!(naming(&store, text), NOWHERE, "{text}");
    }
    let verified = command(&words(&["verify"], &dir), None).await;
    assert_eq!(verified.0, 0, "{}{}", verified.1, verified.2);
    drop(kept);
}

/// What is missing beside the chain without an act that says so is damage.
#[tokio::test]
async fn what_is_taken_away_in_secret_is_seen() {
    let hall = Hall::open();
    round(&hall).await;
    let store = hall.store();
    let kept = hall.close().await;
    let dir = store.display().to_string();
    for change in [
        "DELETE FROM aside WHERE text LIKE '%Xanthe%'",
        "UPDATE aside SET text = replace(text, 'Cole', 'Cool')",
    ] {
        let db = rusqlite::Connection::open(store.join("arbiter.sqlite")).unwrap();
        db.execute_batch(&format!("SAVEPOINT before; {change}"))
            .unwrap();
        db.execute_batch("RELEASE before").unwrap();
        drop(db);
        let (status, out, _) = command(&words(&["verify"], &dir), None).await;
        assert_eq!(status, 1, "{change}");
        assert!(
            out.contains("what it says of people is lost or was changed"),
            "{out}"
        );
    }
    drop(kept);
}

/// Names of the young are shortened in whatever the public is shown; a mark goes before the age.
#[tokio::test]
async fn the_public_is_shown_minors_by_their_first_names() {
    let hall = Hall::open_with(|config| config.privacy.minors_under = Some(18));
    let mut chief = round(&hall).await;
    let id = game(&hall, &mut chief).await;
    let mut viewer = hall.member(&mut chief, Role::Viewer).await;
    let mut feed = follow(&viewer).await;
    let short = "Q., Xanthe";
    let seen = async {
        loop {
            let message = feed.next().await.expect("a message");
            assert!(!message.to_string().contains("Quillfeather"), "{message}");
            if message["white"] == short {
                return;
            }
        }
    };
    tokio::time::timeout(PATIENCE, seen)
        .await
        .expect("her board is shown");
    let board = viewer.get("/api/boards/b01").await;
    assert_eq!(
        (&board["white"], &board["black"]),
        (&json!(short), &json!("Cole, Ben"))
    );
    let games = viewer.get("/api/games").await;
    assert_eq!(
        (&games[0]["id"], &games[0]["white"]),
        (&json!(id), &json!(short))
    );
    assert_eq!(
        chief.get("/api/games").await[0]["white"],
        NAME,
        "arbiters see her name"
    );
    for form in ["pgn", "csv"] {
        let path = format!("/api/rounds/1/export?format={form}");
        let public = chief.ask("GET", &path, None).await.body;
        assert!(
            public.contains(short) && !public.contains("Quillfeather"),
            "{public}"
        );
        assert!(
            !public.contains(FIDE) && public.contains("46123460"),
            "{public}"
        );
        let full = chief
            .ask("GET", &format!("{path}&full_names=true"), None)
            .await
            .body;
        assert!(full.contains(NAME), "{full}");
    }
    let pages = hall.store().join("pgn");
    let begun = tokio::time::Instant::now();
    while naming(&pages, short).is_empty() {
        assert!(begun.elapsed() < PATIENCE, "her page is written");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(naming(&pages, "Quillfeather"), NOWHERE);
    // The federation gets the report as it is.
    let trf = chief
        .ask("GET", "/api/rounds/1/export?format=trf", None)
        .await
        .body;
    assert!(trf.contains(NAME) && trf.contains(BORN));

    let mark = |player: u16, short: bool| json!({ "player": player, "short": short });
    does(&mut chief, "/api/event/shorten", mark(1, false)).await;
    does(&mut chief, "/api/event/shorten", mark(3, true)).await;
    let csv = chief
        .ask("GET", "/api/rounds/1/export?format=csv", None)
        .await
        .body;
    assert!(csv.contains(NAME) && csv.contains("E., Freja"), "{csv}");
    let nobody = chief
        .status("POST", "/api/event/shorten", mark(99, true))
        .await;
    assert_eq!(nobody, 409);

    // Whoever is erased is not there by a short name either.
    does(&mut chief, "/api/event/shorten", mark(1, true)).await;
    let whom = json!({ "name": NAME });
    does(&mut chief, "/api/people/erase", whom).await;
    let begun = tokio::time::Instant::now();
    while naming(&pages, "Player 1").is_empty() {
        assert!(begun.elapsed() < PATIENCE, "her page has her number");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(naming(&pages, "Xanthe"), NOWHERE);
    assert_eq!(naming(&pages, "Player 1."), NOWHERE);
    hall.close().await;
}

/// An order that is sent again is told what came of it the first time; after an erasure only that
/// it counted.
#[tokio::test]
async fn an_answer_that_is_told_again_names_nobody_who_is_erased() {
    let hall = Hall::open();
    let mut chief = round(&hall).await;
    let named = format!(
        "Origin: https://{}\r\nContent-Type: application/json\r\nIdempotency-Key: k7\r\n",
        chief.address
    );
    let warning = json!({
        "player": 1, "round": 1, "what": "a warning", "reason": format!("{NAME} came late"),
    });
    let (path, warning) = ("/api/penalties", Some(warning));
    let first = chief.ask_with("POST", path, warning.clone(), &named).await;
    assert!(first.body.contains(NAME), "{}", first.body);
    let again = chief.ask_with("POST", path, warning.clone(), &named).await;
    assert_eq!((again.status, &again.body), (200, &first.body));
    let other = json!({ "player": 2, "round": 1, "what": "a warning", "reason": "late" });
    let other = chief.ask_with("POST", path, Some(other), &named).await;
    assert_eq!(other.status, 422, "another order: {}", other.body);
    does(&mut chief, "/api/people/erase", json!({ "name": NAME })).await;
    let again = chief.ask_with("POST", path, warning, &named).await;
    assert_eq!((again.status, &*again.body), (200, "{}"));
    hall.close().await;
}

/// What was kept for its time is forgotten by the daemon itself: players of an event that is over,
/// and the network addresses of acts. The event that is open keeps what it has.
#[tokio::test]
async fn what_was_kept_for_its_time_is_forgotten() {
    let hall = Hall::open();
    let mut chief = round(&hall).await;
    does(
        &mut chief,
        "/api/rounds/1/results",
        json!({ "results": { "1": "1-0", "2": "1-0" } }),
    )
    .await;
    does(&mut chief, "/api/rounds/1/close", json!({})).await;
    does(&mut chief, "/api/event/close", json!({})).await;
    does(
        &mut chief,
        "/api/event/open",
        json!({ "name": "Winter Open" }),
    )
    .await;
    let pairs = "table,white,black\n1,\"Ek, Freja\",\"Fox, Gus\"\n";
    let file = json!({ "file": STANDARD.encode(pairs), "round": 1 });
    does(&mut chief, "/api/pairings", file).await;
    let address = |hall: &Hall| {
        hall.acts()
            .iter()
            .filter(|(by, ..)| !by.address.is_empty())
            .count()
    };
    assert!(address(&hall) > 0);
    let hall = hall.restart_with(|config| {
        config.privacy = Privacy {
            minors_under: None,
            keep_players: Some(0),
            keep_addresses: Some(0),
        };
    });
    let hall = hall.await;
    let store = hall.store();
    let begun = tokio::time::Instant::now();
    while !naming(&store, "Quillfeather").is_empty() || address(&hall) > 0 {
        assert!(
            begun.elapsed() < PATIENCE,
            "{:?}",
            naming(&store, "Quillfeather")
        );
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(naming(&store, "Cole, Ben"), NOWHERE);
    assert!(
        !naming(&store, "Fox, Gus").is_empty(),
        "the open event is as it was"
    );
    let dir = store.display().to_string();
    let (_, event, _) = command(&words(&["event", "show", "--json"], &dir), None).await;
    assert!(
        event.contains("Ek, Freja") && event.contains("Fox, Gus"),
        "{event}"
    );
    let verified = command(&words(&["verify"], &dir), None).await;
    assert_eq!(verified.0, 0, "{}{}", verified.1, verified.2);
    hall.close().await;
}

/// A game that belongs to no event has its players' names from the configuration, or from an order;
/// the game stays, and they are unknown.
#[tokio::test]
async fn a_game_outside_of_an_event_has_no_name_afterwards() {
    let hall = Hall::open_with(|config| {
        (config.boards[0].white, config.boards[0].black) = (NAME.to_owned(), "Ek".to_owned());
        config.public.folder = Some(broadcast(config));
    });
    let mut chief = hall.chief().await;
    let id = game(&hall, &mut chief).await;
    // The public still sees it when no board has it any more.
    let next = json!({ "event": "new-game", "white": "Cid", "black": "Dee" });
    does(&mut chief, "/api/boards/b01/orders", next).await;
    let public = hall.dir.path().join("broadcast");
    is_named(&public, true).await;
    let store = hall.store();
    let dir = store.display().to_string();
    let begun = tokio::time::Instant::now();
    while naming(&store.join("pgn"), NAME).is_empty() {
        assert!(begun.elapsed() < PATIENCE, "its page is written");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let other = command(&words(&["people", "erase", "Quill"], &dir), None).await;
    assert_eq!(other.0, 2, "a part of a name is nobody's: {}", other.1);
    let erase = words(&["people", "erase", "quillfeather, xanthe", "--json"], &dir);
    let (status, out, errors) = command(&erase, None).await;
    assert_eq!(status, 0, "{errors}");
    let erased: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        (&erased["games"], &erased["entries"]),
        (&json!([id]), &json!(0))
    );
    assert_eq!(naming(&store, "Quillfeather"), NOWHERE);
    is_named(&public, false).await;
    let pgn = chief
        .ask("GET", &format!("/api/games/{id}.pgn"), None)
        .await
        .body;
    assert!(
        pgn.contains("[White \"?\"]") && pgn.contains("[Black \"Ek\"]"),
        "{pgn}"
    );
    let verified = command(&words(&["verify"], &dir), None).await;
    assert_eq!(verified.0, 0, "{}{}", verified.1, verified.2);
    hall.close().await;
}

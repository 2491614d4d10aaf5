//! A client of LiveChess's WebSocket beside boards on pseudo-terminals: what it was told is never
//! shortened or rewritten, and in the end it has what the record says. And a client by others.

use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use arbiter_core::shakmaty::Board;
use board_wire::Side;
use serde_json::{Value, json};
use tests::evening::House;
use tests::rig::{Fingers, LiveChess, configuration, free, get, let_run, look_until, section};
use tokio_tungstenite::tungstenite::client;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// No wait takes longer.
const PATIENCE: Duration = Duration::from_secs(30);

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A daemon with one board that answers LiveChess's clients, and where.
fn open(dir: &Path, more: &str) -> (Fingers, House, SocketAddr) {
    let (port, place) = (dir.join("board"), free());
    let boards = [section(
        "b01",
        &port,
        "kind = \"native\"\nname = \"Board 1\"\n",
    )];
    let text = configuration(&dir.join("store"), boards);
    let ours = format!("[livechess]\nlisten = \"{place}\"\n{more}\n");
    let board = Fingers::plug_in(&port, "EA-1", 3, &Board::new());
    let house = House::open(&dir.join("arbiter.toml"), &format!("{ours}{text}"));
    house.until(PATIENCE, |boards| {
        let is_there = boards[0]["connected"] == true && boards[0]["game"].is_string();
        (!is_there).then(|| "the board is not followed".to_owned())
    });
    (board, house, place)
}

/// A program that follows the board.
struct Client {
    line: LiveChess,
    /// Every list of moves since the last setup, with whether the board matched.
    told: Vec<(Vec<String>, bool)>,
    boards: Vec<String>,
}

impl Client {
    fn connect(place: SocketAddr) -> Client {
        Client {
            line: LiveChess::connect(place).expect("a line"),
            told: Vec::new(),
            boards: Vec::new(),
        }
    }

    /// Follows the board EA-1 as feed 1.
    fn subscribe(&mut self) {
        self.line.subscribe(2, 1, "EA-1").expect("a line");
        self.answered(2);
    }

    fn set_up(&mut self, fen: &str) {
        self.line.set_up(3, 1, fen).expect("a line");
        self.answered(3);
        self.told.clear();
    }

    /// Waits until a call is answered.
    fn answered(&mut self, id: u64) {
        let answer = look_until(PATIENCE, || self.hear(Some(id)).ok_or("no answer"));
        let answer = answer.expect("an answer");
        assert_eq!(answer["response"], "call", "{answer}");
    }

    /// Takes what was said: up to the answer to this call, which is returned, or everything.
    fn hear(&mut self, id: Option<u64>) -> Option<Value> {
        loop {
            let said = self.line.hear().expect("the line has ended")?;
            if said["response"] == "feed" {
                self.take(&said["param"]);
            } else if id.is_some() {
                return Some(said);
            }
        }
    }

    /// What was told only grows, and by one move a message.
    fn take(&mut self, event: &Value) {
        if let Some(board) = event["board"].as_str() {
            self.boards.push(board.to_owned());
        }
        let Some(san) = event["san"].as_array() else {
            return;
        };
        let san: Vec<String> = san
            .iter()
            .map(|san| san.as_str().expect("a move").to_owned())
            .collect();
        if let Some((before, _)) = self.told.last() {
            assert!(san.starts_with(before), "{before:?} has become {san:?}");
            assert!(san.len() <= before.len() + 1, "{before:?}, then {san:?}");
        }
        self.told.push((san, event["match"] == true));
    }

    /// Waits until it was told these moves and that the board shows them.
    fn until(&mut self, moves: &[String]) {
        let seen = look_until(PATIENCE, || {
            self.hear(None);
            match self.told.last() {
                Some((san, true)) if san == moves => Ok(()),
                last => Err(format!("{last:?}")),
            }
        });
        seen.unwrap_or_else(|last| panic!("{last}, not {moves:?}"));
    }
}

/// The moves of the record, as the console sees them.
fn record(board: &Value) -> Vec<String> {
    let plies = board["plies"].as_array().into_iter().flatten();
    let sans = plies.map(|ply| ply["san"].as_str().expect("a move").to_owned());
    sans.collect()
}

fn until_recorded(house: &House, moves: &[&str]) -> Vec<String> {
    let boards = house.until(PATIENCE, |boards| {
        let record = record(&boards[0]);
        (record != moves).then(|| format!("{record:?}, not {moves:?}"))
    });
    record(&boards[0])
}

/// Moves, one that is made and taken back before the clock is pressed, and one that is illegal.
fn play(board: &Fingers, house: &House) {
    board.play("e2", "e4", 'P', Side::White);
    board.play("e7", "e5", 'p', Side::Black);
    board.play("g1", "f3", 'N', Side::White);
    until_recorded(house, &["e4", "e5", "Nf3"]);
    // The hand that lets go of one square thinks better of it, time enough to be told.
    board.set("b8", '.');
    let_run(Duration::from_millis(200));
    board.set("a6", 'n');
    let_run(Duration::from_millis(1_500));
    board.set("a6", '.');
    let_run(Duration::from_millis(200));
    board.play("b8", "c6", 'n', Side::Black);
    until_recorded(house, &["e4", "e5", "Nf3", "Nc6"]);
    // No bishop goes there.
    board.set("f1", '.');
    let_run(Duration::from_millis(200));
    board.set("f5", 'B');
    let_run(Duration::from_millis(1_000));
    board.set("f5", '.');
    let_run(Duration::from_millis(200));
    board.play("f1", "c4", 'B', Side::White);
    until_recorded(house, &["e4", "e5", "Nf3", "Nc6", "Bc4"]);
}

#[test]
fn what_a_client_was_told_only_grows_and_is_the_record_in_the_end() {
    for hold in ["doubt", "none", "completed"] {
        let dir = tempfile::tempdir().expect("a directory");
        let (board, house, place) = open(dir.path(), &format!("hold = \"{hold}\""));
        let mut follower = Client::connect(place);
        follower.subscribe();
        look_until(PATIENCE, || {
            follower.hear(None);
            follower.boards.last().cloned().ok_or("no board")
        })
        .expect("the board at once");
        assert!(START.starts_with(&follower.boards[0]), "{hold}");
        assert!(follower.told.is_empty(), "no moves before a setup");
        follower.set_up(START);
        let mut sleeper = Client::connect(place);
        sleeper.subscribe();
        sleeper.set_up(START);
        play(&board, &house);
        let moves: Vec<String> = record(&house.boards()[0]);
        follower.hear(None);
        let_run(Duration::from_millis(500));
        follower.hear(None);
        // Who was told a move that was none is told so, and then the right ones when he asks.
        if follower.told.last().is_none_or(|(san, _)| *san != moves) {
            let is_open = follower.told.last().is_some_and(|(_, matches)| !matches);
            assert!(is_open, "{hold}: {:?}", follower.told.last());
            follower.set_up(START);
        }
        follower.until(&moves);
        // Who has not read meanwhile was not told less.
        sleeper.hear(None);
        sleeper.set_up(START);
        sleeper.until(&moves);
        drop(house);
    }
}

/// A touch is upheld when it has been public for two moves: who follows is told so, nothing of what
/// he was told is rewritten, and he has the right moves when he sets up.
#[test]
fn a_correction_is_told_by_match_and_by_the_next_setup() {
    let dir = tempfile::tempdir().expect("a directory");
    let (board, house, place) = open(dir.path(), "hold = \"none\"");
    let mut client = Client::connect(place);
    client.subscribe();
    client.set_up(START);
    board.set("g1", '.');
    let_run(Duration::from_millis(1_200));
    board.set("g1", 'N');
    let_run(Duration::from_millis(300));
    board.play("e2", "e4", 'P', Side::White);
    board.play("e7", "e5", 'p', Side::Black);
    let public = until_recorded(&house, &["e4", "e5"]);
    client.until(&public);
    let id = house.boards()[0]["findings"][0]["id"].clone();
    let uphold = json!({ "event": "arbiter", "action": "uphold", "id": id });
    let (status, said) = house.post("/api/boards/b01/orders", &uphold);
    assert_eq!(status, 409, "it takes a move of Black's with it: {said}");
    let (status, said) = house.post("/api/boards/b01/orders?confirmed=true", &uphold);
    assert_eq!(status, 200, "{said}");
    let corrected = look_until(PATIENCE, || {
        client.hear(None);
        match client.told.last() {
            Some((san, false)) if *san == public => Ok(()),
            last => Err(format!("{last:?}")),
        }
    });
    corrected.expect("what was told does not match any more");
    // The position is put back, and the knight plays.
    for (square, seen) in [("e5", '.'), ("e7", 'p'), ("e4", '.'), ("e2", 'P')] {
        board.set(square, seen);
        let_run(Duration::from_millis(100));
    }
    let_run(Duration::from_millis(500));
    board.play("g1", "f3", 'N', Side::White);
    let right = until_recorded(&house, &["Nf3"]);
    let_run(Duration::from_millis(300));
    client.hear(None);
    let last = client.told.last().expect("moves");
    assert_eq!(last, &(public.clone(), false), "nothing is taken back");
    client.set_up(START);
    client.until(&right);
    house.close();
}

/// Programs know a tournament and its games by numbers that stay, whatever it is called.
#[test]
fn numbers_of_a_tournament_stay_when_it_is_described_anew() {
    let dir = tempfile::tempdir().expect("a directory");
    let (_board, house, place) = open(dir.path(), "");
    let does = |path: &str, order: Value| {
        let (status, said) = house.post(path, &order);
        assert_eq!(status, 200, "{path}: {said}");
    };
    does("/api/event/open", json!({ "name": "Open", "site": "Kiel" }));
    // `table,white,black`, and below it `1,Ann,Ben`.
    let pairs = "dGFibGUsd2hpdGUsYmxhY2sKMSxBbm4sQmVuCg==";
    does("/api/pairings", json!({ "file": pairs, "round": 1 }));
    does("/api/rounds/1/start", json!({}));
    let ask = |path: &str| {
        let said = get(place, &format!("/api/v1.0/{path}")).expect("an answer");
        serde_json::from_str::<Value>(&said.body).unwrap_or_default()
    };
    // What a tournament is called, its number, and that of its game.
    let known = |name: &str| {
        let known = look_until(PATIENCE, || {
            let uuid = ask("tournaments")[0]["uuid"].clone();
            let uuid = uuid.as_str().unwrap_or_default().to_owned();
            let (event, round) = (
                ask(&format!("tournament/{uuid}")),
                ask(&format!("round/{uuid}/0")),
            );
            let game = round["pairings"][0]["uuid"].as_str().map(str::to_owned);
            match (event["name"] == name, game) {
                (true, Some(game)) => Ok([uuid, game]),
                _ => Err(format!("{event} {round}")),
            }
        });
        known.expect("the tournament")
    };
    let before = known("Open");
    let about = json!({ "name": "Harbour Open", "site": "Kiel-Holtenau" });
    does("/api/event/describe", about);
    assert_eq!(known("Harbour Open"), before);
    // Another event is opened: what a program knows of this one is answered all the same.
    does(
        "/api/rounds/1/results",
        json!({ "results": { "1": "1-0" } }),
    );
    does("/api/rounds/1/close", json!({}));
    does("/api/event/close", json!({}));
    does("/api/event/open", json!({ "name": "Next" }));
    let [uuid, game] = before;
    let names = look_until(PATIENCE, || {
        let listed = ask("tournaments");
        let listed = listed.as_array().cloned().unwrap_or_default();
        match listed.len() {
            2 => Ok(listed),
            _ => Err(format!("{listed:?}")),
        }
    });
    let names = names.expect("both events");
    let names: Vec<&Value> = names.iter().map(|of| &of["description"]).collect();
    assert_eq!(names, ["Next", "Harbour Open"]);
    assert_eq!(ask(&format!("tournament/{uuid}"))["eboards"], json!([]));
    let pairing = ask(&format!("round/{uuid}/0"))["pairings"][0].clone();
    assert_eq!(pairing["uuid"], json!(game));
    assert_eq!(ask(&format!("game/{game}"))["moves"], json!([]));
    house.close();
}

#[test]
fn web_pages_are_answered_that_are_listed_and_programs_that_name_none() {
    let dir = tempfile::tempdir().expect("a directory");
    let more = "origins = [\"https://lichess.org\"]";
    let (_board, _house, place) = open(dir.path(), more);
    let ask = |origin: Option<&str>| {
        let request = format!("ws://{place}/api/v1.0").into_client_request();
        let mut request = request.expect("a request");
        if let Some(origin) = origin {
            let origin = origin.parse().expect("an origin");
            request.headers_mut().insert("origin", origin);
        }
        let line = TcpStream::connect(place).expect("a connection");
        client(request, line).is_ok()
    };
    assert!(ask(None));
    assert!(ask(Some("https://lichess.org")));
    assert!(!ask(Some("https://elsewhere.example")));
    assert!(!ask(Some("null")));
    let listed = get(place, "/api/v1.0/eboards").expect("an answer");
    let listed: Value = serde_json::from_str(&listed.body).expect("JSON");
    assert_eq!(listed[0]["serialnr"], "EA-1");
    assert_eq!(get(place, "/api/boards").expect("an answer").status, 404);
}

/// PyPI's `livechess`, which takes no key that it does not know.
#[test]
fn a_client_by_others_reads_boards_rounds_and_games() {
    const AFTER: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
    let dir = tempfile::tempdir().expect("a directory");
    let (board, house, place) = open(dir.path(), "");
    board.play("e2", "e4", 'P', Side::White);
    board.play("e7", "e5", 'p', Side::Black);
    let moves = until_recorded(&house, &["e4", "e5"]);
    let python = std::env::var("ARBITER_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let read = look_until(PATIENCE, || {
        let mut command = Command::new(&python);
        command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/livechess/read.py"));
        let output = command
            .arg(place.port().to_string())
            .output()
            .expect("python");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.success(),
            "{told}\n`{python}` needs livechess: `V/bin/pip install --ignore-requires-python \
             --no-deps livechess==0.1.0`, requests and more-itertools, and ARBITER_PYTHON=\
             V/bin/python (./ci.sh does both)"
        );
        let read: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        // The public is told a little later, and of the board first.
        match read["moves"] == json!(moves) && read["board"] == AFTER {
            true => Ok(read),
            false => Err(read.to_string()),
        }
    });
    let read = read.expect("the record");
    assert_eq!(read["serials"], json!(["EA-1"]));
    assert_eq!(read["states"], json!(["ACTIVE"]));
    assert_eq!(read["pairings"], 1);
}

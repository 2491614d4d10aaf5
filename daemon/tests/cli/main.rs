//! The program as people call it: arguments, exit statuses, messages, and what stands in the files
//! afterwards.

#![cfg(feature = "simulators")]

mod backup;
#[path = "../support/child.rs"]
mod child;
mod ends;
mod event;
mod events;
mod hub;
mod pairings;
mod postponed;
mod replay;
mod verify;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use nix::sys::signal::Signal;
use serde_json::Value;
use tempfile::TempDir;

use child::{ended, signal};

fn arbiterd(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiterd"));
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn output(arguments: &[&str]) -> Output {
    arbiterd(arguments).output().expect("the program runs")
}

/// Exit status and standard error of a command that fails.
fn failure(arguments: &[&str]) -> (i32, String) {
    let output = output(arguments);
    (
        output.status.code().expect("an exit status"),
        String::from_utf8(output.stderr).unwrap(),
    )
}

/// Asserts that a command fails with `status` and one line that holds `words`.
#[track_caller]
fn fails(arguments: &[&str], status: i32, words: &str) {
    let (code, told) = failure(arguments);
    assert_eq!(code, status, "{arguments:?}: {told}");
    assert_eq!(told.lines().count(), 1, "{arguments:?}: {told}");
    assert!(told.contains(words), "{arguments:?}: {told}");
}

fn write(dir: &TempDir, name: &str, text: &str) -> String {
    let path = dir.path().join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn lines(bytes: &[u8]) -> Vec<Value> {
    bytes
        .split(|b| *b == b'\n')
        .filter(|l| !l.is_empty())
        .map(|l| serde_json::from_slice(l).unwrap())
        .collect()
}

#[test]
fn wrong_arguments() {
    fails(&["replai"], 2, "arbiterd: unrecognized subcommand 'replai'");
    fails(
        &["replay"],
        2,
        "were not provided: <FILE>...; see `arbiterd replay --help`",
    );
    fails(
        &["replay", "/no/such/file"],
        2,
        "arbiterd: cannot open /no/such/file: No such file or directory",
    );
    fails(&["replay", "/"], 2, "/:1: cannot be read: Is a directory");
    fails(
        &["serve", "--config", "/no/such/file"],
        2,
        "/no/such/file: cannot be read",
    );
    fails(
        &["export", "g", "--format", "pgn", "--dir", "/no/such/dir"],
        2,
        "there are no games in /no/such/dir",
    );
    fails(
        &["export", "g", "--format", "html"],
        2,
        "invalid value 'html' for '--format <FORMAT>'",
    );
    fails(
        &["simulate", "--link", "x", "--board", "abacus"],
        2,
        "`abacus` is no kind of board (native, ",
    );
    fails(
        &["simulate", "--link", "x", "--sensor", "sonar"],
        2,
        "`sonar`; it is one of `occupancy`, `colour`, `piece`",
    );
    fails(
        &["simulate", "--link", "x", "--breach", "cheating@3"],
        2,
        "`touch-move-own-piece`",
    );
    fails(
        &["simulate", "--link", "x", "--breach", "illegal-move"],
        2,
        "it is CODE@PLY",
    );
    fails(
        &["simulate", "--link", "x", "--breach", "illegal-move@0"],
        2,
        "the first is 1",
    );
    fails(
        &[
            "simulate",
            "--link",
            "x",
            "--breach",
            "castling-rook-first@999",
        ],
        2,
        "--breach castling-rook-first@999",
    );
    fails(
        &["simulate", "--link", "x", "--speed", "fast"],
        2,
        "a number from 0",
    );
    fails(
        &[
            "simulate", "--link", "x", "--board", "echess", "--speed", "0",
        ],
        2,
        "choose a speed above 0",
    );
    fails(
        &[
            "simulate", "--link", "x", "--board", "echess", "--sensor", "piece",
        ],
        2,
        "eChess board has colour sensors",
    );
    fails(
        &["record", "/no/such/port", "-o", "/no/such/dir/x"],
        1,
        "/no/such/port: no such port",
    );
    fails(
        &[
            "record",
            "/no/such/port",
            "-o",
            "/no/such/dir/x",
            "--listen",
        ],
        1,
        "cannot write /no/such/dir/x",
    );
    fails(
        &[
            "record",
            "/no/such/port",
            "-o",
            "/dev/null",
            "--board",
            "text",
        ],
        2,
        "/dev/null exists",
    );
    fails(
        &["replay", "--raw", "/no/such/file"],
        2,
        "cannot read /no/such/file",
    );
    fails(
        &["simulate", "--link", "x", "--noise", "3"],
        2,
        "3 is not in 0..=2",
    );
    fails(
        &["simulate", "--link", "/no/such/dir/x"],
        1,
        "/no/such/dir/x: cannot be linked",
    );
    fails(&["demo", "--boards", "0"], 2, "0 is not in 1..=1000");
    fails(
        &["ports", "--probe", "/no/such/port"],
        1,
        "/no/such/port: no such port",
    );
}

#[test]
fn help_and_version_are_answers() {
    for command in [
        "demo",
        "serve",
        "check-config",
        "simulate",
        "ports",
        "record",
        "replay",
        "export",
    ] {
        let told = output(&[command, "--help"]);
        assert!(told.status.success() && told.stderr.is_empty(), "{command}");
        let said = String::from_utf8(told.stdout).unwrap();
        let has = |word| said.contains(&format!("{word}: arbiterd {command}"));
        assert!(has("Example") || has("Examples"), "{command}");
    }
    let version = String::from_utf8(output(&["--version"]).stdout).unwrap();
    let said = format!("arbiterd {}", env!("CARGO_PKG_VERSION"));
    assert!(version.starts_with(&said), "{version}");
}

#[test]
fn wrong_configurations_are_named_by_line_and_key() {
    let dir = tempfile::tempdir().unwrap();
    let board = "[[board]]\nid = \"b1\"\nport = \"/dev/null\"\n";
    let good = write(&dir, "good.toml", board);
    assert_eq!(output(&["check-config", &good]).stdout, b"ok\n");
    let table = [
        (
            "unknown-key.toml",
            format!("{board}colour = 3\n"),
            ":4: `board.colour`: no such key",
        ),
        (
            "no-port.toml",
            "[[board]]\nid = \"b1\"\n".to_owned(),
            ":1: `board.port`: is missing",
        ),
        (
            "fen.toml",
            format!("{board}fen = \"8/8/8/8/8/8/8/8 w - -\"\n"),
            ":4: `board.fen`:",
        ),
        (
            "twice.toml",
            format!("{board}{}", board.replace("b1", "b2")),
            ":6: `board.port`: /dev/null is already used",
        ),
        ("text.toml", "board = \n".to_owned(), ":1: "),
    ];
    for (name, text, words) in table {
        let file = write(&dir, name, &text);
        fails(&["check-config", &file], 2, &format!("{name}{words}"));
        fails(&["serve", "--config", &file], 2, &format!("{name}{words}"));
    }
}

#[test]
fn an_occupied_address_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let text =
        format!("[http]\nlisten = \"{address}\"\n[[board]]\nid = \"b1\"\nport = \"/dev/null\"\n");
    let config = write(&dir, "hall.toml", &text);
    fails(
        &["serve", "--config", &config],
        1,
        &format!("arbiterd: {address}: in use by another program"),
    );
    let demo = dir.path().join("demo").display().to_string();
    fails(
        &["demo", "--http", &address, "--dir", &demo],
        1,
        &format!("{address}: in use by another program"),
    );
}

/// Waits until a simulated board says where it is; it may say first where its game starts.
fn simulated(arguments: &[&str]) -> Child {
    let mut child = arbiterd(arguments).spawn().unwrap();
    let lines = BufReader::new(child.stdout.as_mut().unwrap())
        .lines()
        .map(Result::unwrap);
    let told: Vec<String> = lines
        .take(2)
        .take_while(|line| !line.starts_with("the board is at "))
        .collect();
    assert!(told.len() < 2, "{told:?}");
    child
}

#[test]
fn a_simulated_board_answers_a_probe_and_leaves_no_link() {
    let dir = tempfile::tempdir().unwrap();
    let link = dir.path().join("board").display().to_string();
    let board = simulated(&[
        "simulate", "--link", &link, "--sensor", "colour", "--seed", "7",
    ]);
    let told = lines(&output(&["ports", "--probe", "--json", &link]).stdout);
    assert_eq!(told[0]["board"]["serial"], "SIM-board");
    assert_eq!(told[0]["board"]["sensor"], "colour");
    signal(&board, Signal::SIGINT);
    assert_eq!(ended(board), 1);
    assert!(fs::symlink_metadata(&link).is_err(), "the link is gone");
}

#[test]
fn a_simulated_board_speaks_as_the_protocol_says() {
    let dir = tempfile::tempdir().unwrap();
    let link = dir.path().join("board").display().to_string();
    let board = simulated(&["simulate", "--link", &link, "--seed", "9"]);
    let tried = output(&["conform", &link, "--json"]);
    let told = lines(&tried.stdout);
    assert_eq!(told.len(), 18, "{told:?}");
    assert!(told.iter().all(|t| t["outcome"] != "failed"), "{told:?}");
    assert_eq!(tried.status.code(), Some(0));
    signal(&board, Signal::SIGINT);
    ended(board);
}

#[test]
fn a_served_game_is_the_game_that_was_played() {
    let dir = tempfile::tempdir().unwrap();
    let pgn = "[FEN \"4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n\n1. O-O Kd7 2. a8=N Kc6 3. Rf6+ 1-0\n";
    let (link, truth) = (
        dir.path().join("board").display().to_string(),
        dir.path().join("truth.json"),
    );
    let game = write(&dir, "game.pgn", pgn);
    let truth_file = truth.display().to_string();
    let arguments = [
        "simulate", "--link", &link, "--pgn", &game, "--hand", "tidy", "--noise", "0", "--speed",
        "0",
    ];
    let board = simulated(&[&arguments[..], &["--truth", &truth_file]].concat());
    let text = format!(
        "[http]\nlisten = \"127.0.0.1:0\"\n\
         [[board]]\nid = \"b1\"\nport = \"{link}\"\nwhite = \"W\"\n\
         fen = \"4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1\"\n"
    );
    let config = write(&dir, "hall.toml", &text);
    let daemon = arbiterd(&["serve", "--config", &config]).spawn().unwrap();
    assert_eq!(ended(board), 0, "the board has played");
    signal(&daemon, Signal::SIGINT);
    assert_eq!(ended(daemon), 0);
    let truth: Value = serde_json::from_slice(&fs::read(truth).unwrap()).unwrap();
    assert_eq!(
        truth["moves"],
        serde_json::json!(["e1g1", "e8d7", "a7a8n", "d7c6", "f1f6"])
    );
    let store = dir.path().join("arbiter-data").display().to_string();
    let (_, unknown) = failure(&["export", "nothing", "--format", "pgn", "--dir", &store]);
    let id = unknown.rsplit(' ').next().unwrap().trim();
    exported_as_played(&store, id, &truth);
}

/// The game's PGN, its file, and its script replayed all hold the moves and the result of `truth`.
fn exported_as_played(store: &str, id: &str, truth: &Value) {
    let pgn = String::from_utf8(output(&["export", id, "--format", "pgn", "--dir", store]).stdout)
        .unwrap();
    assert_eq!(
        pgn,
        fs::read_to_string(Path::new(store).join("pgn").join(format!("{id}.pgn"))).unwrap()
    );
    let read = daemon::pgn::read(pgn.as_bytes()).unwrap();
    assert_eq!(Value::from(read.result.as_str()), truth["result"], "{pgn}");
    assert_eq!(
        read.moves.len(),
        truth["moves"].as_array().unwrap().len(),
        "{pgn}"
    );
    let script = output(&["export", id, "--format", "script", "--dir", store]).stdout;
    let mut replay = arbiterd(&["replay", "-"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    replay.stdin.take().unwrap().write_all(&script).unwrap();
    let told = lines(&replay.wait_with_output().unwrap().stdout);
    assert_eq!(told.last().unwrap()["moves"], truth["moves"]);
}

#[test]
fn the_demonstration_ends_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("demo").display().to_string();
    let arguments = [
        "demo",
        "--boards",
        "3",
        "--speed",
        "0",
        "--games",
        "9",
        "--http",
        "127.0.0.1:0",
        "--dir",
        &store,
    ];
    let told = output(&arguments);
    assert!(
        told.status.success(),
        "{}",
        String::from_utf8_lossy(&told.stderr)
    );
    let text = String::from_utf8(told.stdout).unwrap();
    assert!(
        text.contains("http://127.0.0.1:") && text.contains(&store),
        "{text}"
    );
    // A tournament of three rounds: three tables with boards, and five without.
    for (round, table) in (1..=3).flat_map(|round| (1..=3).map(move |table| (round, table))) {
        let file = format!("demo/pgn/round-{round}/table-{table}.pgn");
        let pgn = fs::read(dir.path().join(&file)).unwrap();
        assert!(
            !daemon::pgn::read(&pgn[..]).unwrap().moves.is_empty(),
            "{file}"
        );
    }
    let results = fs::read_to_string(dir.path().join("demo/results.trf")).unwrap();
    let players = results.lines().filter(|line| line.starts_with("001"));
    let of = |line: &str| [98, 108, 118].map(|column| line.chars().nth(column));
    let results: Vec<_> = players.map(of).collect();
    let is_one = |code: &Option<char>| code.is_some_and(|code| "1=0".contains(code));
    assert!(
        results.len() == 16 && results.iter().flatten().all(is_one),
        "{results:?}"
    );
    assert_eq!(
        fs::read_dir(dir.path().join("demo/ports")).unwrap().count(),
        0,
        "no link stays"
    );
    let games = output(&["verify", "--dir", &store, "--json"]);
    let told = lines(&games.stdout);
    let (games, others): (Vec<&Value>, Vec<&Value>) =
        told.iter().partition(|line| line["game"].is_string());
    assert!(
        others.len() == 1 && others[0]["acts"].as_u64() > Some(24),
        "{others:?}"
    );
    for game in games {
        let game = game["game"].as_str().unwrap();
        let script = output(&["export", game, "--format", "script", "--dir", &store]);
        let script = String::from_utf8(script.stdout).unwrap();
        let replayed = output(&["replay", &write(&dir, "exported.jsonl", &script)]);
        let told = String::from_utf8_lossy(&replayed.stderr);
        assert!(replayed.status.success(), "{game}: {told}");
    }
}

/// The lines that a program says, until one has these words.
fn says(lines: &mut impl Iterator<Item = std::io::Result<String>>, words: &str) -> String {
    let mut said = String::new();
    for line in lines {
        let line = line.unwrap();
        said += &line;
        if line.contains(words) {
            return line;
        }
    }
    panic!("{words}: {said}");
}

#[test]
fn a_daemon_waits_for_a_command_that_has_the_store_and_not_for_a_daemon() {
    let dir = tempfile::tempdir().unwrap();
    let text = "[http]\nlisten = \"127.0.0.1:0\"\n[[board]]\nid = \"b1\"\nport = \"none\"\n";
    let config = write(&dir, "hall.toml", text);
    let store = dir.path().join("arbiter-data");
    fs::create_dir(&store).unwrap();
    // As a command has it.
    let held = fs::File::open(&store).unwrap();
    held.lock().unwrap();
    let mut daemon = arbiterd(&["serve", "--config", &config]).spawn().unwrap();
    let mut lines = BufReader::new(daemon.stderr.take().unwrap()).lines();
    let waits = says(&mut lines, "waiting up to 10 s");
    let me = format!("(process {}: ", std::process::id());
    assert!(waits.contains(&me), "{waits}");
    assert!(!store.join("arbiterd.sock").exists());
    drop(held);
    event::within(|| std::os::unix::net::UnixStream::connect(store.join("arbiterd.sock")).is_ok());
    let told = format!("(process {}: ", daemon.id());
    let began = std::time::Instant::now();
    let (code, second) = failure(&["serve", "--config", &config]);
    assert!(code == 1 && second.contains(&told), "{second}");
    assert!(
        began.elapsed() < std::time::Duration::from_secs(5),
        "it does not wait"
    );
    signal(&daemon, Signal::SIGINT);
    assert_eq!(ended(daemon), 0);
}

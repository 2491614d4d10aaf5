//! What the public is shown of games on pseudo-terminals: as late as it is configured, not a move
//! earlier, and in the end all of the record.

#![cfg(feature = "simulators")]

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use arbiter_core::SensorClass;
use arbiter_core::shakmaty::Position;
use arbiter_core::shakmaty::uci::UciMove;
use board_driver::hand::{Options, Style, games, perform};
use board_driver::noise::Sensors;
use board_driver::{PortSpec, SimConfig, SimulatedBoard};
use daemon::config::{BoardConfig, Config};
use daemon::public::{Delay, Gate, Results, Rules};
use daemon::run::{Daemon, bind};
use daemon::store::Author;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tournament::{Act, Scope};

/// Boards, half-moves on each, and how much later the public sees them.
const BOARDS: u64 = 8;
const PLIES: usize = 24;
const DELAY: Duration = Duration::from_secs(3);
/// No wait may take longer.
const PATIENCE: Duration = Duration::from_secs(90);

fn port(dir: &Path, n: u64) -> std::path::PathBuf {
    dir.join(format!("board-{n}"))
}

/// Switches a board on; what is played on it.
fn switch_on(dir: &Path, n: u64) -> Vec<String> {
    let game = games::pick(n);
    let moves = &game.moves[..game.moves.len().min(PLIES)];
    let options = Options::default();
    let played = perform(&game.start, moves, Style::Human, n, &[], &options);
    let script = Sensors::new(SensorClass::Piece, 0, n).read(game.start.board(), &played.acts);
    let mut config = SimConfig::new(port(dir, n), format!("SIM-{n}"), SensorClass::Piece);
    (config.pace, config.linger) = (8.0, PATIENCE);
    let board = SimulatedBoard::create(config).expect("a pseudo-terminal");
    let (controls, control) = tokio::sync::mpsc::channel(1);
    tokio::spawn(async move {
        let _stays_on = controls;
        board.play(script, control).await.expect("the board plays");
    });
    played.truth.moves.iter().map(ToString::to_string).collect()
}

fn config(dir: &Path) -> Config {
    let board = |n: u64| {
        let mut board = BoardConfig::new(&format!("b{n:02}"), PortSpec::Path(port(dir, n)));
        (board.white, board.black) = (format!("White, Anna {n}"), format!("Black, Ben {n}"));
        board
    };
    let boards = (1..=BOARDS).map(board).collect();
    let mut config = Config::new(dir.join("store"), boards);
    config.public = Rules {
        delay: Delay {
            ms: DELAY.as_millis() as i64,
            plies: 0,
        },
        results: Results::Confirmed,
        folder: Some(dir.join("public")),
        serve: true,
        ..Rules::default()
    };
    config
}

/// The moves of a PGN in a folder; `None` where there is none yet.
fn in_folder(dir: &Path, table: u64) -> Option<Vec<String>> {
    let file = dir.join(format!("public/round-1/game-{table}.pgn"));
    let text = std::fs::read_to_string(file).ok()?;
    let game = daemon::pgn::read(text.as_bytes()).expect("a whole PGN");
    let uci = |m| UciMove::from_standard(m).to_string();
    Some(game.moves.into_iter().map(uci).collect())
}

#[tokio::test]
async fn nothing_is_public_early_and_in_the_end_everything_is() {
    let dir = tempfile::tempdir().expect("a directory");
    let played: Vec<Vec<String>> = (1..=BOARDS).map(|n| switch_on(dir.path(), n)).collect();
    let shutdown = CancellationToken::new();
    let daemon = Daemon::open(&config(dir.path()), shutdown.clone()).expect("a daemon");
    let (hall, gate) = (daemon.hall().clone(), daemon.gate().clone());
    let listener = bind(([127, 0, 0, 1], 0).into()).expect("an address");
    let serving = tokio::spawn(daemon.serve(listener));
    // By table and number of half-moves: when the record first had them.
    let mut seen: HashMap<(u64, usize), Instant> = HashMap::new();
    let began = Instant::now();
    loop {
        let now = Instant::now();
        let public = gate.games();
        for n in 1..=BOARDS {
            let board = hall.board(&format!("b{n:02}")).expect("a board");
            for count in 1..=board.moves.len() {
                seen.entry((n, count)).or_insert(now);
            }
            let shown = public.iter().find(|g| g.table == u16::try_from(n).ok());
            let shown = shown.map_or(0, |game| game.plies.len());
            let written = in_folder(dir.path(), n).map_or(0, |moves| moves.len());
            for count in [shown, written].into_iter().filter(|count| *count > 0) {
                let since = seen.get(&(n, count)).expect("it is on the record");
                assert!(
                    since.elapsed() + Duration::from_millis(300) >= DELAY,
                    "{n}: {count}"
                );
            }
        }
        let is_whole = |n: u64| in_folder(dir.path(), n) == Some(played[n as usize - 1].clone());
        if (1..=BOARDS).all(is_whole) {
            break;
        }
        let left: Vec<_> = (1..=BOARDS).filter(|n| !is_whole(*n)).collect();
        assert!(began.elapsed() < PATIENCE, "boards {left:?} are not public");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for game in gate.games() {
        let n = usize::from(game.table.expect("a table")) - 1;
        let moves: Vec<&str> = game.plies.iter().map(|ply| ply.uci.as_str()).collect();
        assert_eq!(moves, played[n]);
    }
    let lists = std::fs::read_to_string(dir.path().join("public/round-1/index.json"));
    let lists: serde_json::Value = serde_json::from_str(&lists.expect("a list")).expect("JSON");
    assert_eq!(lists["pairings"].as_array().map(Vec::len), Some(8));
    shutdown.cancel();
    serving.await.expect("no panic").expect("it served");
}

/// What the service answers to whoever asks for a path, with these further lines of a head.
fn asked(address: std::net::SocketAddr, path: &str, more: &str) -> String {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(address).expect("a connection");
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{more}\r\n");
    stream.write_all(request.as_bytes()).expect("it is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[tokio::test]
async fn what_is_stopped_stays_over_a_restart_and_goes_on() {
    let dir = tempfile::tempdir().expect("a directory");
    let played: Vec<Vec<String>> = (1..=BOARDS).map(|n| switch_on(dir.path(), n)).collect();
    let mut config = config(dir.path());
    config.public.delay = Delay::default();
    let stopped = |stopped| Act::Publish {
        place: Scope::default(),
        event: None,
        stopped,
        reason: String::new(),
    };
    let plies =
        |gate: &Gate| -> Vec<usize> { gate.games().iter().map(|game| game.plies.len()).collect() };
    let shutdown = CancellationToken::new();
    let daemon = Daemon::open(&config, shutdown.clone()).expect("a daemon");
    let (office, gate) = (daemon.office().clone(), daemon.gate().clone());
    let listener = bind(([127, 0, 0, 1], 0).into()).expect("an address");
    let serving = tokio::spawn(daemon.serve(listener));
    let began = Instant::now();
    while plies(&gate).iter().filter(|count| **count > 2).count() < BOARDS as usize {
        assert!(began.elapsed() < PATIENCE, "{:?}", plies(&gate));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    office
        .act(&Author::default(), &[stopped(true)])
        .await
        .expect("it is stopped");
    while !gate.games().iter().all(|game| game.stopped) {
        assert!(began.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let frozen = plies(&gate);
    assert!(
        frozen.iter().sum::<usize>() < PLIES * BOARDS as usize,
        "{frozen:?}"
    );
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(plies(&gate), frozen);
    shutdown.cancel();
    serving.await.expect("no panic").expect("it served");

    let shutdown = CancellationToken::new();
    let daemon = Daemon::open(&config, shutdown.clone()).expect("a daemon");
    let (office, gate) = (daemon.office().clone(), daemon.gate().clone());
    let listener = bind(([127, 0, 0, 1], 0).into()).expect("an address");
    let address = listener.local_addr().expect("an address");
    let serving = tokio::spawn(daemon.serve(listener));
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(plies(&gate), frozen);
    office
        .act(&Author::default(), &[stopped(false)])
        .await
        .expect("it goes on");
    let is_whole = |n: u64| in_folder(dir.path(), n) == Some(played[n as usize - 1].clone());
    while !(1..=BOARDS).all(is_whole) {
        assert!(began.elapsed() < PATIENCE, "{:?}", plies(&gate));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let asked = move |path: &'static str, more: String| {
        tokio::task::spawn_blocking(move || asked(address, path, &more))
    };
    let games = asked("/live/round-1", String::new())
        .await
        .expect("an answer");
    assert!(games.starts_with("HTTP/1.1 200"), "{games}");
    let kind = "content-type: application/x-chess-pgn; charset=utf-8";
    assert!(
        games.contains(kind) && games.contains("cache-control: no-cache"),
        "{games}"
    );
    assert_eq!(
        games.matches("[White \"White, Anna").count(),
        BOARDS as usize,
        "{games}"
    );
    let tag = games
        .lines()
        .find_map(|line| line.strip_prefix("etag: "))
        .expect("a tag");
    let again = asked(
        "/live/round-1",
        format!("If-None-Match: {}\r\n", tag.trim()),
    );
    assert!(again.await.expect("an answer").starts_with("HTTP/1.1 304"));
    let page = asked("/live/round-1/", String::new()).await;
    let page = page.expect("an answer");
    assert!(page.contains("content-type: text/html"), "{page}");
    let way = asked("/live", String::new()).await.expect("an answer");
    assert!(way.contains("location: live/"), "{way}");
    let none = asked("/live/round-2/games.pgn", String::new())
        .await
        .expect("an answer");
    assert!(none.starts_with("HTTP/1.1 404"), "{none}");
    shutdown.cancel();
    serving.await.expect("no panic").expect("it served");
}

/// Acts as they are written down.
fn acts(acts: serde_json::Value) -> Vec<Act> {
    serde_json::from_value(acts).expect("acts")
}

/// Opens an event of two tables, with a result at the second, and starts its round.
fn opened(event: &str, names: [&str; 4]) -> Vec<Act> {
    let player = |(n, name): (usize, &&str)| json!({ "number": n + 1, "name": name });
    let players: Vec<_> = names.iter().enumerate().map(player).collect();
    acts(json!([
        { "act": "open", "details": { "name": event } },
        { "act": "draw", "round": 1, "players": players, "pairings": [
            { "table": 1, "white": 1, "black": 2 }, { "table": 2, "white": 3, "black": 4 } ] },
        { "act": "start-round", "round": 1 },
        { "act": "result", "round": 1, "table": 2, "codes": ["1", "0"], "how": "typed" },
    ]))
}

/// Waits until a file in the folder says something; what it says.
async fn says(dir: &Path, file: &str, words: &str) -> String {
    let began = Instant::now();
    loop {
        let text = std::fs::read_to_string(dir.join("public").join(file)).unwrap_or_default();
        if text.contains(words) {
            return text;
        }
        assert!(began.elapsed() < PATIENCE, "{file}: {words}: {text}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// An event is closed and another opened while the last moves of the first are still to come.
#[tokio::test]
async fn what_is_public_of_an_event_stays_when_another_is_opened() {
    let dir = tempfile::tempdir().expect("a directory");
    let config = config(dir.path());
    let shutdown = CancellationToken::new();
    let daemon = Daemon::open(&config, shutdown.clone()).expect("a daemon");
    let (hall, office) = (daemon.hall().clone(), daemon.office().clone());
    let listener = bind(([127, 0, 0, 1], 0).into()).expect("an address");
    let address = listener.local_addr().expect("an address");
    let serving = tokio::spawn(daemon.serve(listener));
    let by = Author::default();
    let first = opened("Harbour Open", ["Berg, Anna", "Cole, Ben", "Fox", "Gray"]);
    office.act(&by, &first).await.expect("an event");
    let played = switch_on(dir.path(), 1);
    let began = Instant::now();
    while hall.board("b01").expect("a board").moves.len() < PLIES {
        assert!(began.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let over = acts(json!([
        { "act": "result", "round": 1, "table": 1, "codes": ["0", "1"], "how": "typed" },
        { "act": "close-round", "round": 1 },
        { "act": "close" },
    ]));
    office.act(&by, &over).await.expect("it is over");
    let second = opened("Winter Rapid", ["Dorn, Eva", "Ek, Freja", "Hill", "Ito"]);
    office.act(&by, &second).await.expect("another event");
    assert!(in_folder(dir.path(), 1).is_none_or(|moves| moves.len() < PLIES));

    let index = says(dir.path(), "event-2/round-1/index.json", "Dorn").await;
    assert!(
        !index.contains("Berg") && index.contains("\"1-0\""),
        "{index}"
    );
    says(dir.path(), "round-1/game-1.pgn", "[Result \"0-1\"]").await;
    let whole = says(dir.path(), "round-1/index.json", "0-1").await;
    assert!(whole.contains("Berg") && !whole.contains("Dorn"), "{whole}");
    assert_eq!(in_folder(dir.path(), 1), Some(played));
    says(dir.path(), "tournament.json", "Harbour Open").await;
    says(dir.path(), "event-2/tournament.json", "Winter Rapid").await;
    let start = says(dir.path(), "index.html", "event-2/round-1/index.html").await;
    assert!(
        start.find("Winter Rapid") < start.find("Harbour Open"),
        "{start}"
    );
    let page = says(dir.path(), "event-2/round-1/index.html", "Dorn").await;
    assert!(page.contains("href=\"../../page/live.css\""), "{page}");
    let asked = move |path: &'static str| asked(address, path, "");
    for (path, there, away) in [
        ("/live/round-1", "Berg", "Dorn"),
        ("/live/event-2/round-1/index.json", "Dorn", "Berg"),
        ("/live/event-2/tournament.json", "Winter", "Harbour"),
    ] {
        let text = tokio::task::spawn_blocking(move || asked(path))
            .await
            .expect("an answer");
        assert!(
            text.contains(there) && !text.contains(away),
            "{path}: {text}"
        );
    }
    shutdown.cancel();
    serving.await.expect("no panic").expect("it served");

    // It is the same after a restart, and somebody who is erased is called so nowhere.
    std::fs::remove_file(dir.path().join("public/round-1/index.json")).expect("a file");
    let shutdown = CancellationToken::new();
    let daemon = Daemon::open(&config, shutdown.clone()).expect("a daemon");
    let (hall, office) = (daemon.hall().clone(), daemon.office().clone());
    let listener = bind(([127, 0, 0, 1], 0).into()).expect("an address");
    let serving = tokio::spawn(daemon.serve(listener));
    assert_eq!(says(dir.path(), "round-1/index.json", "0-1").await, whole);
    let whom = daemon::office::Whom {
        name: Some("Berg, Anna".to_owned()),
        ..Default::default()
    };
    office
        .erase(&by, &hall, &whom)
        .await
        .expect("nobody is kept");
    says(dir.path(), "round-1/game-1.pgn", "[White \"Player 1\"]").await;
    says(dir.path(), "round-1/index.json", "Player 1").await;
    says(dir.path(), "event-2/round-1/index.json", "Dorn").await;
    shutdown.cancel();
    serving.await.expect("no panic").expect("it served");
}

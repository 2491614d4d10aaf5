//! What passes the gate is pushed to a broadcast of Lichess: to a service that checks each request,
//! and that fails at random.

use std::fs::{self, File, Permissions};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arbiter_core::shakmaty::san::SanPlus;
use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen};
use board_wire::Side;
use daemon::lichess::{Pace, Pushed, Pusher, Round, Rules, Status, Token};
use daemon::public::{self, Change, Clocks, Gate, Person, Ply, Programme, Seats, Shown};
use tests::lichess::{HANGS, Lichess, TOKEN};
use tests::rig::{Arbiterd, Fingers, configuration, get, look_until, section};
use tokio_util::sync::CancellationToken;

const BOARDS: u16 = 100;
const ID: &str = "aBcD1234";
/// What this program with its service may take in memory, in bytes.
const MEMORY: u64 = 160 << 20;
/// No wait takes longer.
const PATIENCE: Duration = Duration::from_secs(25);

/// As in the world, three hundred times as fast.
fn pace() -> Pace {
    Pace {
        pause: Duration::from_millis(10),
        first: Duration::from_millis(5),
        longest: Duration::from_millis(100),
        rest: HANGS * 2,
        timeout: HANGS / 2,
    }
}

/// Chance that is the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: usize) -> usize {
        let next = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695);
        self.0 = next;
        (next >> 33) as usize % count
    }
}

fn person(name: String) -> Person {
    Person {
        name,
        ..Person::default()
    }
}

/// A game that begins.
fn game(table: u16) -> Shown {
    let fen = Fen::from_position(&Chess::default(), EnPassantMode::Legal).to_string();
    Shown {
        of_event: 1,
        completed: 0,
        game: format!("b{table}-1"),
        round: Some(3),
        table: Some(table),
        event: "Open \"of\" Zürich".to_owned(),
        site: "Zürich".to_owned(),
        date: "2026.11.21".to_owned(),
        round_text: format!("3.{table}"),
        paired: true,
        time_control: "5400+30".to_owned(),
        white: person(format!("Weiß, Anna {table}")),
        black: person(format!("Noir, Benoît {table}")),
        chess960: false,
        start_fen: fen.clone(),
        plies: Vec::new(),
        sure: 0,
        fen,
        clocks: Clocks {
            white_ms: None,
            black_ms: None,
            running: None,
            at: 0,
        },
        result: "*".to_owned(),
        over: false,
        with_arbiter: false,
        stopped: false,
        version: 0,
    }
}

fn position(shown: &Shown) -> Chess {
    let fen: Fen = shown.fen.parse().expect("a position");
    fen.into_position(CastlingMode::Standard)
        .expect("a position")
}

/// Plays on, mostly; sometimes something is taken back, or goes to the arbiter.
fn play(shown: &mut Shown, chance: &mut Chance) {
    shown.version += 1;
    if chance.below(8) == 0 {
        let left = shown.plies.len().saturating_sub(1 + chance.below(2));
        shown.plies.truncate(left);
        let mut position = Chess::default();
        for ply in &shown.plies {
            let uci: UciMove = ply.uci.parse().expect("a move");
            position.play_unchecked(uci.to_move(&position).expect("a move"));
        }
        shown.fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        return;
    }
    shown.with_arbiter = chance.below(20) == 0;
    let mut position = position(shown);
    let moves = position.legal_moves();
    if moves.is_empty() || shown.result != "*" {
        return;
    }
    let played = moves[chance.below(moves.len())];
    let uci = UciMove::from_standard(played).to_string();
    let san = SanPlus::from_move_and_play_unchecked(&mut position, played).to_string();
    shown.plies.push(Ply {
        san,
        uci,
        clock_ms: Some(5_400_000 - 1000 * shown.plies.len() as u64),
        used_ms: None,
    });
    shown.fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
    if shown.plies.len() > 40 {
        shown.result = "1/2-1/2".to_owned();
    }
}

fn show(gate: &Gate, game: &Shown) {
    gate.show(vec![Change {
        game: Arc::new(game.clone()),
        kept: 0,
        corrections: Vec::new(),
    }]);
}

/// A round in which everybody has sat down; of games of which a move is public it is known.
fn programme(games: &[Shown]) -> Programme {
    let seats = |game: &Shown| Seats {
        table: game.table.expect("a table"),
        white: game.white.clone(),
        black: game.black.clone(),
        result: game.result.clone(),
        game: (!game.plies.is_empty()).then(|| game.game.clone()),
        paired: true,
        start: None,
    };
    Programme {
        number: 1,
        name: "Open \"of\" Zürich".to_owned(),
        site: "Zürich".to_owned(),
        federation: "SUI".to_owned(),
        time_control: "5400+30".to_owned(),
        rounds: vec![public::Round {
            number: 3,
            date: Some("2026-11-21".to_owned()),
            live: true,
            late: public::Late::default(),
            tables: games.iter().map(seats).collect(),
        }],
    }
}

/// Pushes what passes a gate to this service.
fn push(lichess: &Lichess, pace: Pace, end: &CancellationToken) -> (Gate, Pusher) {
    let gate = Gate::default();
    let rules = Rules {
        url: format!("http://{}", lichess.address),
        token_file: None,
        rounds: vec![Round {
            event: 1,
            round: 3,
            id: ID.to_owned(),
        }],
        pace,
    };
    let token = Token::find(None, Some(TOKEN.to_owned())).expect("a token");
    let pusher = Pusher::start(gate.clone(), &rules, token, end.clone()).expect("a thread");
    (gate, pusher)
}

/// Waits until it is so.
async fn until(pusher: &Pusher, what: &str, is_so: impl Fn(&Pushed) -> bool) -> Pushed {
    let end = Instant::now() + PATIENCE;
    loop {
        let rounds = pusher.rounds();
        if let Some(round) = rounds.first().filter(|round| is_so(round)) {
            return round.clone();
        }
        assert!(Instant::now() < end, "{what}: {rounds:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn what_arrives_last_is_right_however_the_service_fails() {
    let (lichess, end) = (Lichess::open(7), CancellationToken::new());
    let (gate, pusher) = push(&lichess, pace(), &end);
    let mut games: Vec<Shown> = (1..=BOARDS).map(game).collect();
    let mut chance = Chance(1);
    gate.announce(programme(&games));
    lichess.fail(3);
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(6) {
        for _ in 0..8 {
            let n = chance.below(games.len());
            play(&mut games[n], &mut chance);
            show(&gate, &games[n]);
        }
        gate.announce(programme(&games));
        // Whoever shows is never held up.
        let asleep = Instant::now();
        tokio::time::sleep(Duration::from_millis(2)).await;
        assert!(asleep.elapsed() < Duration::from_secs(1));
    }
    let (asked, taken) = lichess.counts();
    assert!(taken > 20 && asked > taken + 10, "{asked}, {taken}");
    // Thousands of changes, of a hundred kilobytes each as they are pushed, are not kept.
    let most = most_memory();
    assert!(most < MEMORY, "{most} bytes");
    // What hung is taken last of all, and has to be mended.
    lichess.fail(0);
    tokio::time::sleep(HANGS * 4).await;
    until(&pusher, "all of it", |round| {
        round.status == Status::Current
    })
    .await;
    assert_eq!(lichess.wrong(), Vec::<String>::new());
    let has = lichess.games(ID);
    assert_eq!(has.len(), games.len());
    for (has, game) in has.iter().zip(&games) {
        let sans: Vec<&String> = game.plies.iter().map(|ply| &ply.san).collect();
        assert_eq!(has.moves.iter().collect::<Vec<_>>(), sans, "{}", has.table);
        let tags = ["White", "Black", "Event", "Round", "Result"].map(|name| &has.tags[name]);
        let (round, result) = (&game.round_text, &game.result);
        assert_eq!(
            tags,
            [
                &game.white.name,
                &game.black.name,
                &game.event,
                round,
                result
            ]
        );
        let is_said = has
            .comments
            .iter()
            .any(|said| said.contains("with the arbiter"));
        assert_eq!(
            is_said,
            game.with_arbiter && !game.plies.is_empty(),
            "{}",
            has.table
        );
    }
    // Nothing more, as nothing changes.
    let (asked, _) = lichess.counts();
    tokio::time::sleep(HANGS).await;
    assert_eq!(lichess.counts().0, asked);
    read_by_python_chess(&lichess, &games);
    read_by_chessops(&lichess, &games);
    read_by_scid(&lichess, games.len());
    end.cancel();
}

/// A request hangs: of its round, and of those that wait behind it, it is said meanwhile that what
/// is public is not there.
#[tokio::test]
async fn while_a_request_hangs_no_round_is_said_to_be_there() {
    let deaf = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = deaf.local_addr().expect("an address");
    let (gate, end) = (Gate::default(), CancellationToken::new());
    let round = |round: u16, id: &str| Round {
        event: 1,
        round,
        id: id.to_owned(),
    };
    let rules = Rules {
        url: format!("http://{address}"),
        token_file: None,
        rounds: vec![round(3, ID), round(4, "eFgH5678")],
        pace: Pace {
            timeout: PATIENCE,
            ..pace()
        },
    };
    let token = Token::find(None, Some(TOKEN.to_owned())).expect("a token");
    let pusher = Pusher::start(gate.clone(), &rules, token, end.clone()).expect("a thread");
    let told = || {
        pusher
            .rounds()
            .iter()
            .map(|of| of.status)
            .collect::<Vec<_>>()
    };
    assert_eq!(told(), [Status::Waiting; 2]);
    let mut programme = programme(&[game(1)]);
    gate.announce(programme.clone());
    let is_asked = tokio::task::spawn_blocking(move || deaf.accept().map(|(line, _)| line));
    let _line = is_asked.await.expect("a thread").expect("a request");
    programme.rounds.push(public::Round {
        number: 4,
        ..programme.rounds[0].clone()
    });
    assert_eq!(told(), [Status::Behind, Status::Waiting]);
    gate.announce(programme);
    assert_eq!(told(), [Status::Behind; 2]);
    end.cancel();
}

/// The most memory that this process ever had, in bytes.
fn most_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.expect("a number") * 1024
}

/// A reader that shares no line of code with us has the same moves.
fn read_by_python_chess(lichess: &Lichess, games: &[Shown]) {
    let dir = tempfile::tempdir().expect("a directory");
    for text in lichess.texts(ID) {
        for one in text.split("\n\n[Event ").enumerate() {
            let (n, text) = one;
            let first = text.strip_prefix("[Event ").unwrap_or(text);
            let number = first.split("[Board \"").nth(1).expect("a table");
            let number = number.split('"').next().expect("a table");
            let file = dir.path().join(format!("{number}-{n}.pgn"));
            fs::write(file, format!("[Event {first}\n")).expect("a file");
        }
    }
    let read = tests::rig::read_back(dir.path());
    assert_eq!(read.len(), games.len());
    for one in read {
        assert_eq!(one["errors"], serde_json::json!([]), "{one}");
        let table: usize = one["tags"]["Board"]
            .as_str()
            .expect("a table")
            .parse()
            .expect("one");
        let ours: Vec<&str> = games[table - 1]
            .plies
            .iter()
            .map(|ply| ply.uci.as_str())
            .collect();
        assert_eq!(one["moves"], serde_json::json!(ours), "{table}");
    }
}

/// What was pushed, as files.
fn files(lichess: &Lichess, dir: &Path) -> Vec<PathBuf> {
    let file = |(n, text): (usize, String)| {
        let file = dir.join(format!("{n}.pgn"));
        fs::write(&file, text).expect("a file");
        file
    };
    let texts = lichess.texts(ID).into_iter();
    texts.enumerate().map(file).collect()
}

/// Scid takes every game, and warns of nothing.
fn read_by_scid(lichess: &Lichess, games: usize) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut scid = Command::new("/usr/games/tkscid");
    scid.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/readers/scid.tcl"))
        .arg(dir.path().join("base"))
        .args(files(lichess, dir.path()));
    let read = scid.output();
    let read = read.expect("`apt-get install scid` (./ci.sh does it)");
    let complaint = String::from_utf8_lossy(&read.stderr);
    assert!(read.status.success() && complaint.is_empty(), "{complaint}");
    let read = String::from_utf8_lossy(&read.stdout);
    assert_eq!(read.trim(), games.to_string());
}

/// Nor has what Lichess's own pages read with another opinion.
fn read_by_chessops(lichess: &Lichess, games: &[Shown]) {
    let dir = tempfile::tempdir().expect("a directory");
    let files = files(lichess, dir.path());
    let readers = concat!(env!("CARGO_MANIFEST_DIR"), "/readers");
    let mut node = Command::new("node");
    node.arg("chessops.mjs").args(files).current_dir(readers);
    let read = node.output().expect("node");
    let complaint = String::from_utf8_lossy(&read.stderr);
    assert!(
        read.status.success() && complaint.is_empty(),
        "{complaint}\n`cd tests/readers && npm ci` (./ci.sh does it)"
    );
    let read = String::from_utf8(read.stdout).expect("text");
    assert_eq!(read.lines().count(), games.len());
    for line in read.lines() {
        let read: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let table = read["table"].as_u64().expect("a table") as usize;
        let game = &games[table - 1];
        let sans: Vec<&str> = game.plies.iter().map(|ply| ply.san.as_str()).collect();
        assert_eq!(read["moves"], serde_json::json!(sans), "{table}");
        assert_eq!(read["result"], game.result.as_str(), "{table}");
    }
}

#[tokio::test]
async fn who_looks_is_told_how_it_goes_and_which_game_is_refused() {
    let (lichess, end) = (Lichess::open(1), CancellationToken::new());
    let (gate, pusher) = push(&lichess, pace(), &end);
    let mut games: Vec<Shown> = (1..=3).map(game).collect();
    tokio::time::sleep(Duration::from_millis(50)).await;
    let round = until(&pusher, "nothing yet", |round| round.id == ID).await;
    assert_eq!((round.status, lichess.counts().0), (Status::Waiting, 0));
    lichess.refuse(Some(&games[1].white.name));
    let mut chance = Chance(2);
    play(&mut games[1], &mut chance);
    show(&gate, &games[1]);
    gate.announce(programme(&games));
    let round = until(&pusher, "all", |round| round.status == Status::Current).await;
    assert_eq!((round.games, round.refused.len()), (2, 1));
    assert_eq!(
        (round.refused[0].table, &*round.refused[0].error),
        (Some(2), "No move found")
    );
    lichess.fail(1);
    play(&mut games[0], &mut chance);
    show(&gate, &games[0]);
    gate.announce(programme(&games));
    let round = until(&pusher, "failing", |round| round.status == Status::Failing).await;
    assert!(
        round.problem.is_some() && round.again.is_some(),
        "{round:?}"
    );
    lichess.fail(0);
    lichess.refuse(None);
    let round = until(&pusher, "all", |round| round.status == Status::Current).await;
    assert_eq!(
        (round.games, round.refused.len(), round.problem),
        (3, 0, None)
    );
    end.cancel();
}

#[tokio::test]
async fn a_token_that_is_not_known_is_said_and_stands_in_no_answer() {
    let (lichess, end) = (Lichess::open(1), CancellationToken::new());
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("token");
    fs::write(&file, "lip_wrong").expect("a file");
    fs::set_permissions(&file, Permissions::from_mode(0o600)).expect("a file");
    let rules = Rules {
        url: format!("http://{}", lichess.address),
        token_file: Some(file.clone()),
        rounds: vec![Round {
            event: 1,
            round: 3,
            id: ID.to_owned(),
        }],
        pace: pace(),
    };
    let token = Token::find(Some(&file), None).expect("a token");
    let gate = Gate::default();
    let pusher = Pusher::start(gate.clone(), &rules, token, end.clone()).expect("a thread");
    gate.announce(programme(&[game(1)]));
    let round = until(&pusher, "refused", |round| round.status == Status::Failing).await;
    let problem = round.problem.expect("why");
    assert!(
        problem.contains("study:write") && !problem.contains("lip_"),
        "{problem}"
    );
    // A new token needs no restart.
    fs::write(&file, TOKEN).expect("a file");
    until(&pusher, "taken", |round| round.status == Status::Current).await;
    end.cancel();
}

/// The whole daemon, which says everything that it does.
#[test]
fn the_token_stands_in_no_log_and_no_answer() {
    let (lichess, dir) = (Lichess::open(1), tempfile::tempdir().expect("a directory"));
    let port = dir.path().join("board");
    let board = Fingers::plug_in(&port, "EA-1", 3, &arbiter_core::shakmaty::Board::new());
    let boards = [section("b01", &port, "kind = \"native\"\n")];
    let (config, log) = (dir.path().join("arbiter.toml"), dir.path().join("log"));
    let text = format!(
        "{}\n[lichess]\nurl = \"http://{}\"\n[[lichess.round]]\nround = 1\nid = \"{ID}\"\n",
        configuration(&dir.path().join("store"), boards),
        lichess.address
    );
    fs::write(&config, text).expect("a configuration");
    let mut command = Command::new(Arbiterd::program());
    command.arg("serve").arg("--config").arg(&config);
    let refused = command.output().expect("arbiterd").stderr;
    let refused = String::from_utf8_lossy(&refused);
    assert!(refused.contains("has no token"), "{refused}");
    command
        .env("ARBITERD_LICHESS_TOKEN", TOKEN)
        .env("ARBITERD_LOG", "trace");
    let kept = File::create(&log).expect("a log");
    let mut daemon = command.stderr(kept).spawn().expect("arbiterd");
    let said = || fs::read_to_string(&log).unwrap_or_default();
    let place = look_until(PATIENCE, || {
        let said = said();
        let place = said.split("console at http://").nth(1).unwrap_or_default();
        let place = place.split(['/', '\n']).next().unwrap_or_default();
        place.parse::<SocketAddr>().map_err(|_| "no console")
    });
    let place = place.expect("an address");
    let shown = |path: &str| get(place, path).map_or(String::new(), |answer| answer.body);
    look_until(PATIENCE, || {
        match shown("/api/boards").contains("\"connected\":true") {
            true => Ok(()),
            false => Err("the board is not followed"),
        }
    })
    .expect("a board");
    board.play("e2", "e4", 'P', Side::White);
    let state = look_until(PATIENCE, || {
        let state = shown("/api/public");
        let has = lichess.games(ID).iter().any(|game| game.moves == ["e4"]);
        match has && state.contains("\"current\"") {
            true => Ok(state),
            false => Err(state),
        }
    });
    let state = state.expect("it is pushed");
    let everything = [
        said(),
        state,
        shown("/metrics"),
        shown("/api/boards"),
        shown("/healthz"),
    ];
    daemon.kill().expect("it ends");
    daemon.wait().expect("it has ended");
    assert!(everything[0].contains("TRACE"), "little is said");
    for text in everything {
        assert!(
            !text.contains(TOKEN) && !text.contains("Bearer lip"),
            "{text}"
        );
    }
    assert_eq!(lichess.wrong(), Vec::<String>::new());
}

//! Boards on pseudo-terminals, followed by a daemon: what was played is in the hall, in the journal
//! and in the PGN, however often the daemon is stopped.

#![cfg(feature = "simulators")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::shakmaty::{Chess, Position, Square};
use arbiter_core::{Input, SensorClass, Time};
use board_driver::hand::{Act, Deed, Options, Performance, Style, games, perform};
use board_driver::noise::Sensors;
use board_driver::sim::Control;
use board_driver::{BoardEvent, PortSpec, SimConfig, SimulatedBoard};
use daemon::config::{BoardConfig, Config};
use daemon::hall::{BoardState, NewGame, OrderError, View};
use daemon::run::{Daemon, RunError, bind, run};
use daemon::store::Store;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

/// No wait may take longer.
const PATIENCE: Duration = Duration::from_secs(30);

/// So much happens on a board in some two moves.
const MEANWHILE: usize = 6;

/// Half-moves of the game that is played.
const PLIES: usize = 40;

fn performance(seed: u64) -> Performance {
    let game = games::pick(seed);
    let moves = &game.moves[..game.moves.len().min(PLIES)];
    perform(
        &game.start,
        moves,
        Style::Tidy,
        seed,
        &[],
        &Options::default(),
    )
}

/// A simulated board, switched on.
struct Board {
    port: PathBuf,
    controls: mpsc::Sender<Control>,
    truth: Vec<UciMove>,
    happened: watch::Receiver<usize>,
    /// So much happens in all.
    events: usize,
    _playing: tokio::task::JoinHandle<()>,
}

impl Board {
    /// Waits while play goes on, whether anybody hears it or not: until so much more has happened,
    /// or the game is over.
    async fn play_on(&mut self, events: usize) {
        let enough = (*self.happened.borrow() + events).min(self.events);
        let gone_on = self.happened.wait_for(|count| *count >= enough);
        tokio::time::timeout(PATIENCE, gone_on)
            .await
            .expect("play goes on")
            .expect("a board that plays");
    }
}

fn board(dir: &Path, class: SensorClass, pace: f32, seed: u64) -> Board {
    let played = performance(seed);
    let start = games::pick(seed).start.clone();
    let script = Sensors::new(class, 0, seed).read(start.board(), &played.acts);
    scripted(dir, class, pace, script, played.truth.moves)
}

fn scripted(
    dir: &Path,
    class: SensorClass,
    pace: f32,
    script: Vec<BoardEvent>,
    truth: Vec<UciMove>,
) -> Board {
    let port = dir.join("board");
    let mut config = SimConfig::new(&port, "SIM-1", class);
    (config.pace, config.linger) = (pace, PATIENCE);
    let simulated = SimulatedBoard::create(config).expect("a pseudo-terminal");
    let (controls, control) = mpsc::channel(4);
    let (count, happened) = watch::channel(0);
    let events = script.len();
    let script = script
        .into_iter()
        .inspect(move |_| count.send_modify(|count| *count += 1));
    let playing = tokio::spawn(async move {
        simulated
            .play(script, control)
            .await
            .expect("the board plays");
    });
    Board {
        port,
        controls,
        truth,
        happened,
        events,
        _playing: playing,
    }
}

/// A daemon for one board.
struct House {
    hall: daemon::hall::Hall,
    store: Store,
    shutdown: CancellationToken,
    serving: tokio::task::JoinHandle<Result<(), RunError>>,
}

fn config(dir: &Path, port: &Path) -> Config {
    let mut board = BoardConfig::new("b01", PortSpec::Path(port.to_owned()));
    (board.white, board.black) = ("Anna".to_owned(), "Ben".to_owned());
    Config {
        listen: ([127, 0, 0, 1], 0).into(),
        ..Config::new(dir.join("store"), vec![board])
    }
}

impl House {
    fn open(dir: &Path, port: &Path) -> House {
        let config = config(dir, port);
        let shutdown = CancellationToken::new();
        let daemon = Daemon::open(&config, shutdown.clone()).expect("a store");
        let hall = daemon.hall().clone();
        let serving = tokio::spawn(daemon.serve(bind(config.listen).expect("a free port")));
        House {
            hall,
            store: Store::open(&config.dir).expect("a store"),
            shutdown,
            serving,
        }
    }

    async fn until(&self, what: &str, is_so: impl Fn(&BoardState) -> bool) -> Arc<BoardState> {
        let mut live = self.hall.subscribe();
        let found = tokio::time::timeout(PATIENCE, async {
            loop {
                let board = self.hall.board("b01").expect("the board");
                if is_so(&board) {
                    return board;
                }
                let _ = tokio::time::timeout(Duration::from_millis(100), live.recv()).await;
            }
        });
        found
            .await
            .unwrap_or_else(|_| panic!("{what} in time:\n{}", self.story()))
    }

    /// The last game as a script, and how it stands: what is needed to see why a wait was in vain.
    fn story(&self) -> String {
        let state = self.hall.board("b01").expect("the board");
        let script = self
            .store
            .latest("b01", 1)
            .expect("the store")
            .first()
            .map(|game| game.script());
        let script = script.transpose().expect("a script").unwrap_or_default();
        format!("{script}fault {:?}, moves {:?}", state.fault, state.moves)
    }

    async fn close(self) {
        self.shutdown.cancel();
        tokio::time::timeout(PATIENCE, self.serving)
            .await
            .expect("in time")
            .expect("no panic")
            .expect("in order");
    }
}

fn view(board: &BoardState) -> View {
    board.view().expect("a game").clone()
}

/// What a restart must bring back. What the sensors read is asked of the board again.
fn record(view: &View) -> (String, Arc<[Arc<arbiter_core::view::PlyRecord>]>, String) {
    (view.game.clone(), view.plies.clone(), view.fen.clone())
}

fn pgn_moves(dir: &Path, game: &str) -> usize {
    let text =
        std::fs::read_to_string(dir.join(format!("store/pgn/{game}.pgn"))).expect("a PGN file");
    assert!(
        text.contains("[White \"Anna\"]") && text.contains("[%clk "),
        "{text}"
    );
    let is_move =
        |word: &&str| word.starts_with(|c: char| c.is_ascii_alphabetic()) && !word.contains('"');
    let movetext = text.split("\n\n").nth(1).expect("moves");
    let uncommented: String = movetext
        .split('{')
        .map(|part| part.split('}').next_back().unwrap_or_default())
        .collect();
    uncommented.split_whitespace().filter(is_move).count()
}

#[tokio::test]
async fn a_game_is_recorded_and_comes_back() {
    let dir = tempfile::tempdir().unwrap();
    let board = board(dir.path(), SensorClass::Piece, 0.0, 1);
    let house = House::open(dir.path(), &board.port);
    let complete = |state: &BoardState| state.moves == board.truth;
    let state = house.until("the whole game", complete).await;
    let before = view(&state);
    assert_eq!(
        (
            state.connected,
            state.fault.as_deref(),
            state.white.as_str()
        ),
        (true, None, "Anna")
    );
    house.close().await;

    let game = Store::open(&dir.path().join("store"))
        .unwrap()
        .game(&before.game)
        .unwrap()
        .unwrap();
    assert_eq!(
        record(&game.view().unwrap()),
        record(&before),
        "the journal alone brings the game back"
    );
    assert_eq!(game.row.plies as usize, board.truth.len());
    assert_eq!(pgn_moves(dir.path(), &before.game), board.truth.len());

    let house = House::open(dir.path(), &board.port);
    house
        .until("the same view after a restart", |state| {
            state.connected && state.view() == Some(&before)
        })
        .await;
    house.close().await;
}

#[tokio::test]
async fn a_daemon_stopped_in_mid_game_misses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut board = board(dir.path(), SensorClass::Colour, 60.0, 2);
    for stop in [3, 9, 17, 26] {
        let house = House::open(dir.path(), &board.port);
        house.until("some moves", |state| state.ply >= stop).await;
        house.close().await;
        board.play_on(MEANWHILE).await;
    }
    let house = House::open(dir.path(), &board.port);
    let state = house
        .until("the whole game", |state| state.moves == board.truth)
        .await;
    assert!(state.view().unwrap().findings.is_empty());
    assert_eq!(house.hall.games().await.unwrap().len(), 1);
    house.close().await;
}

#[tokio::test]
async fn pulled_plugs_and_reboots_cost_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let board = board(dir.path(), SensorClass::Piece, 60.0, 3);
    let house = House::open(dir.path(), &board.port);
    house.until("some moves", |state| state.ply >= 5).await;
    board.controls.send(Control::Unplug).await.unwrap();
    let lost = house.until("the fault", |state| !state.connected).await;
    assert!(lost.fault.is_some());
    board.controls.send(Control::Replug).await.unwrap();
    house
        .until("the board again", |state| {
            state.connected && state.fault.is_none() && state.ply >= 10
        })
        .await;
    board.controls.send(Control::Reboot).await.unwrap();
    let state = house
        .until("the whole game", |state| state.moves == board.truth)
        .await;
    let times: Vec<_> = view(&state).plies.iter().map(|ply| ply.at).collect();
    assert!(times.is_sorted(), "time went back: {times:?}");
    house.close().await;
}

#[tokio::test]
async fn orders_are_in_the_journal_when_they_are_answered() {
    let dir = tempfile::tempdir().unwrap();
    let board = board(dir.path(), SensorClass::Piece, 60.0, 4);
    let house = House::open(dir.path(), &board.port);
    let hall = house.hall.clone();
    assert_eq!(
        hall.order("b99", Input::Tick).await,
        Err(OrderError::UnknownBoard("b99".to_owned()))
    );
    house.until("some moves", |state| state.ply >= 2).await;
    assert_eq!(
        hall.order("b01", Input::Tick).await,
        Err(OrderError::NotAnOrder("a tick"))
    );
    let dismiss = r#"{"event":"arbiter","action":"dismiss","id":7}"#;
    let refused = hall
        .order("b01", serde_json::from_str(dismiss).unwrap())
        .await;
    let Err(OrderError::Refused(text)) = refused else {
        panic!("{refused:?}");
    };
    assert!(
        text.text.starts_with("The game has no finding 7."),
        "{text}"
    );
    let resign: Input = serde_json::from_str(r#"{"event":"resign","by":"black"}"#).unwrap();
    let order = hall.order("b01", resign.clone()).await.unwrap();
    // Whether White can still mate is asked first (5.1.2); the answer is an input like the order.
    let ended = house
        .until("the result", |state| view(state).result.is_some())
        .await;
    let first = view(&ended).game;
    let stored = hall.game(&first).await.unwrap().unwrap();
    let entered = stored
        .events
        .iter()
        .find(|event| *event.input.plain() == resign);
    let named = entered.and_then(|event| event.input.order());
    assert_eq!(named, order.as_deref());
    assert!(named.is_some(), "an order that nobody named has a name");
    assert_eq!(
        stored.view().unwrap().result.unwrap().result.as_str(),
        "1-0"
    );

    let wrong = NewGame {
        fen: Some("nonsense".to_owned()),
        ..NewGame::default()
    };
    assert!(matches!(
        hall.new_game("b01", wrong).await,
        Err(OrderError::Bad(_))
    ));
    let next = NewGame {
        white: Some("Cleo".to_owned()),
        ..NewGame::default()
    };
    hall.new_game("b01", next).await.unwrap();
    let state = hall.board("b01").unwrap();
    assert_eq!(
        (state.white.as_str(), state.black.as_str(), state.ply),
        ("Cleo", "Ben", 0)
    );
    let games = hall.games().await.unwrap();
    let shown: Vec<_> = games
        .iter()
        .map(|row| (row.tags.white.as_str(), row.result.as_str()))
        .collect();
    assert_eq!(shown, [("Cleo", "*"), ("Anna", "1-0")]);
    house.close().await;
    let after = CancellationToken::new();
    let again = Daemon::open(&config(dir.path(), &board.port), after).unwrap();
    let restored = again.hall().board("b01").unwrap();
    assert_eq!(restored.ply, 0);
}

#[tokio::test]
async fn what_cannot_run_says_why_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let mut config = config(dir.path(), Path::new("/dev/none"));
    config.listen = taken.local_addr().unwrap();
    let refused = run(config.clone(), CancellationToken::new())
        .await
        .unwrap_err()
        .to_string();
    assert!(
        refused.contains("in use by another program") && refused.contains("[http] listen"),
        "{refused}"
    );
    let first = Daemon::open(&config, CancellationToken::new()).unwrap();
    let second = Daemon::open(&config, CancellationToken::new())
        .unwrap_err()
        .to_string();
    assert!(
        second.starts_with("another arbiterd uses") && !second.contains('\n'),
        "{second}"
    );
    drop(first);
}

#[tokio::test]
async fn a_missing_board_is_a_fault_and_no_reason_to_fail() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &dir.path().join("nothing"));
    let state = house
        .until("the fault", |state| state.fault.is_some())
        .await;
    assert!(
        state.fault.as_deref().unwrap().contains("no such port"),
        "{:?}",
        state.fault
    );
    let ask = house.hall.new_game("b01", NewGame::default()).await;
    assert_eq!(ask, Err(OrderError::NoGame));
    house.close().await;
}

/// `acts`, begun at `from`.
fn later(acts: &[Act], from: u64) -> impl Iterator<Item = Act> + '_ {
    acts.iter().map(move |act| Act {
        at: act.at + from,
        deed: act.deed,
    })
}

fn short_game(text: &str) -> (Performance, Chess) {
    let game = games::parse(text).expect("a game");
    let played = perform(
        &game.start,
        &game.moves,
        Style::Tidy,
        5,
        &[],
        &Options::default(),
    );
    let end = game.moves.iter().fold(game.start.clone(), |position, mv| {
        position.play(*mv).expect("a legal move")
    });
    (played, end)
}

/// Takes every piece that is out of place off the board, then sets up the initial position.
fn set_up_again(end: &Chess, from: u64) -> Vec<Act> {
    let (now, then) = (end.board(), arbiter_core::shakmaty::Board::new());
    let wrong = || {
        Square::ALL
            .into_iter()
            .filter(|square| now.piece_at(*square) != then.piece_at(*square))
    };
    let lift = wrong().filter_map(|square| Some(Deed::LiftPiece(square, now.piece_at(square)?)));
    let place = wrong().filter_map(|square| Some(Deed::PlacePiece(square, then.piece_at(square)?)));
    (1..)
        .zip(lift.chain(place))
        .map(|(n, deed)| Act {
            at: Time(from + n * 400),
            deed,
        })
        .collect()
}

#[tokio::test]
async fn the_pieces_set_up_again_begin_the_next_game() {
    let (mate, end) = short_game("0-1\tf3 e5 g4 Qh4#");
    let (next, _) = short_game("*\te4 c5 Nf3");
    let last = |acts: &[Act]| acts.last().expect("acts").at.0;
    let mut acts = mate.acts.clone();
    acts.extend(set_up_again(&end, last(&acts) + 5_000));
    acts.extend(later(&next.acts, last(&acts) + 900).collect::<Vec<_>>());
    for (class, pace) in [
        (SensorClass::Piece, 0.0),
        (SensorClass::Occupancy, 0.0),
        (SensorClass::Colour, 30.0),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let script = Sensors::new(class, 0, 9).read(&arbiter_core::shakmaty::Board::new(), &acts);
        let board = scripted(dir.path(), class, pace, script, next.truth.moves.clone());
        let house = House::open(dir.path(), &board.port);
        let state = house
            .until("the second game", |state| state.moves == board.truth)
            .await;
        assert!(
            view(&state).findings.is_empty(),
            "{class:?}: {:#?}",
            view(&state).findings
        );
        let games = house.hall.games().await.unwrap();
        let results: Vec<_> = games
            .iter()
            .map(|row| (row.result.as_str(), row.plies))
            .collect();
        assert_eq!(results[1], ("0-1", 4), "{class:?}");
        house.close().await;
    }
}

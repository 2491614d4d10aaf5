//! What viewers are shown of results: those that count, at the boards as in the list of games, and
//! as late as everywhere else.

use std::path::Path;
use std::time::Duration;

use access::Role;
use arbiter_core::SensorClass;
use arbiter_core::ruling::GameResult;
use arbiter_core::shakmaty::Chess;
use board_driver::hand::{Options, Style, games, perform};
use board_driver::noise::Sensors;
use board_driver::{SimConfig, SimulatedBoard};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep};

use super::hall::{Guest, Hall, PATIENCE};

/// As far as looks may be late on a busy machine.
const SLACK: Duration = Duration::from_millis(700);
/// Shown at once.
const AT_ONCE: Duration = Duration::from_secs(3);
/// A list of pairings: 1 Ahl, Ann - Berg, Ben; 2 Cole, Cat - Dam, Dan.
const PAIRS: &str = "dGFibGUsd2hpdGUsYmxhY2sKMSwiQWhsLCBBbm4iLCJCZXJnLCBCZW4iCjIsIkNvbGUsIENhdCIs\
                     IkRhbSwgRGFuIgo=";

/// A board on a pseudo-terminal on which a game is played, as many half-moves of it.
fn play(dir: &Path, board: &str, part: (&games::Game, usize)) {
    play_with(dir, board, part, &Options::default());
}

fn play_with(dir: &Path, board: &str, (game, plies): (&games::Game, usize), options: &Options) {
    let moves = &game.moves[..plies.min(game.moves.len())];
    let played = perform(&game.start, moves, Style::Tidy, 3, &[], options);
    let class = SensorClass::Piece;
    let script = Sensors::new(class, 0, 3).read(&played.start, &played.acts);
    let mut config = SimConfig::new(dir.join(board), format!("SIM-{board}"), class);
    (config.pace, config.linger) = (60.0, PATIENCE * 4);
    let simulated = SimulatedBoard::create(config).expect("a pseudo-terminal");
    let (controls, control) = mpsc::channel(1);
    tokio::spawn(async move {
        let played = simulated.play(script, control).await;
        played.expect("the board plays");
        drop(controls);
    });
}

/// A short game that ends in mate, and its result.
fn mate() -> &'static games::Game {
    let usual = games::all()
        .iter()
        .filter(|game| game.start == Chess::default());
    let mates = usual.filter(|game| game.ends_in_mate());
    let shortest = mates.min_by_key(|game| game.moves.len());
    shortest.expect("a game with a mate")
}

async fn does(guest: &mut Guest, path: &str, order: Value) {
    let said = guest.ask("POST", path, Some(order)).await;
    assert_eq!(said.status, 200, "{path}: {}", said.body);
}

/// A round of two tables, which has begun.
pub(super) async fn round(chief: &mut Guest) {
    does(chief, "/api/event/open", json!({ "name": "Open" })).await;
    let pairs = json!({ "file": PAIRS, "round": 1 });
    does(chief, "/api/pairings", pairs).await;
    does(chief, "/api/rounds/1/start", json!({})).await;
}

/// What somebody is told of the game on the first board: its result there, and in the list.
async fn told(guest: &mut Guest) -> (Value, Value) {
    let board = guest.get("/api/boards/b01").await;
    let listed = guest.get("/api/games").await;
    (
        board["result"]["result"].clone(),
        listed[0]["result"].clone(),
    )
}

/// Waits until somebody is told this of the first board.
async fn until(guest: &mut Guest, what: &str, is_so: impl Fn(&(Value, Value)) -> bool) {
    let end = Instant::now() + PATIENCE;
    loop {
        let now = told(guest).await;
        if is_so(&now) {
            return;
        }
        assert!(Instant::now() < end, "{what} in time: {now:?}");
        sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until the first board has shown its mate, and viewers so many half-moves.
async fn until_mate(chief: &mut Guest, viewer: &mut Guest) {
    until(chief, "a mate", |(board, _)| !board.is_null()).await;
    let plies = mate().moves.len();
    let end = Instant::now() + PATIENCE;
    while viewer.get("/api/boards/b01").await["ply"] != plies {
        assert!(Instant::now() < end, "the moves are shown");
        sleep(Duration::from_millis(20)).await;
    }
}

/// A mate that a board has seen is a result for viewers once a person has confirmed it.
#[tokio::test]
async fn a_mate_is_no_result_for_viewers_before_it_is_confirmed() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let mut viewer = hall.member(&mut chief, Role::Viewer).await;
    round(&mut chief).await;
    play(hall.dir.path(), "b01", (mate(), usize::MAX));
    until_mate(&mut chief, &mut viewer).await;
    sleep(AT_ONCE / 2).await;
    assert_eq!(told(&mut viewer).await, (Value::Null, json!("*")));
    does(
        &mut chief,
        "/api/rounds/1/confirm",
        json!({ "tables": [1] }),
    )
    .await;
    let result = mate().result.as_str();
    let both = (json!(result), json!(result));
    until(&mut viewer, "the result", |now| *now == both).await;
    let back = json!({ "tables": [1], "reason": "the wrong table" });
    does(&mut chief, "/api/rounds/1/withdraw", back).await;
    let none = (Value::Null, json!("*"));
    until(&mut viewer, "no result", |now| *now == none).await;
    hall.close().await;
}

/// Where the event takes the board's word, so do viewers.
#[tokio::test]
async fn a_mate_is_a_result_where_the_boards_word_counts() {
    let hall = Hall::open_with(|config| {
        config.public.results = daemon::public::Results::Board;
    });
    let mut chief = hall.chief().await;
    let mut viewer = hall.member(&mut chief, Role::Viewer).await;
    round(&mut chief).await;
    play(hall.dir.path(), "b01", (mate(), usize::MAX));
    let result = mate().result.as_str();
    let both = (json!(result), json!(result));
    until(&mut viewer, "the result", |now| *now == both).await;
    hall.close().await;
}

/// A result that is corrected is as late as the one before, and a start makes neither later.
#[tokio::test]
async fn results_are_as_late_as_moves_also_corrected_ones_and_after_a_start() {
    let delay = Duration::from_secs(6);
    let late = |config: &mut daemon::config::Config| {
        config.public.delay.ms = i64::try_from(delay.as_millis()).unwrap();
    };
    let hall = Hall::open_with(late);
    let mut chief = hall.chief().await;
    let mut viewer = hall.member(&mut chief, Role::Viewer).await;
    round(&mut chief).await;
    play(hall.dir.path(), "b01", (mate(), usize::MAX));
    until_mate(&mut chief, &mut viewer).await;
    let (decided, corrected) = ("1/2-1/2", "1-0");
    let said = Instant::now();
    let order = json!({ "results": { "1": decided }, "decided": true, "reason": "agreed" });
    does(&mut chief, "/api/rounds/1/results", order).await;
    let is =
        |result: &'static str| move |now: &(Value, Value)| *now == (json!(result), json!(result));
    let is_there = |now: &(Value, Value), result: &str| now.0 == result || now.1 == result;
    let not_before = |result: &'static str| {
        move |now: &(Value, Value)| {
            let is_early = said.elapsed() + SLACK < delay;
            assert!(!is_early || !is_there(now, result), "early: {now:?}");
            is(result)(now)
        }
    };
    until(&mut viewer, "the result", not_before(decided)).await;
    assert!(said.elapsed() < delay + AT_ONCE);
    let hall = hall.restart_with(late).await;
    let again = |guest: Guest| Guest {
        address: hall.address,
        ..guest
    };
    let (mut chief, mut viewer) = (again(chief), again(viewer));
    let began = Instant::now();
    until(&mut viewer, "the result after a start", is(decided)).await;
    assert!(began.elapsed() < AT_ONCE, "{:?}", began.elapsed());
    let order = json!({ "results": { "1": corrected }, "decided": true, "reason": "misheard" });
    does(&mut chief, "/api/rounds/1/results", order).await;
    let said = Instant::now();
    let waits = |now: &(Value, Value)| {
        let is_early = said.elapsed() + SLACK < delay;
        assert!(!is_early || !is_there(now, corrected), "early: {now:?}");
        is(corrected)(now)
    };
    until(&mut viewer, "the correction", waits).await;
    assert!(said.elapsed() < delay + AT_ONCE);
    hall.close().await;
}

/// A result that a person says while the pieces are still moved is in the list, when its time has
/// come.
#[tokio::test]
async fn a_game_whose_result_is_said_while_it_is_played_is_in_the_list() {
    let delay = Duration::from_secs(2);
    let hall = Hall::open_with(|config| config.entrance.delay = delay);
    let mut chief = hall.chief().await;
    let mut viewer = hall.member(&mut chief, Role::Viewer).await;
    round(&mut chief).await;
    play(hall.dir.path(), "b01", (games::pick(3), 6));
    let end = Instant::now() + PATIENCE;
    while chief.get("/api/boards/b01").await["ply"] != 6 {
        assert!(Instant::now() < end, "the moves");
        sleep(Duration::from_millis(20)).await;
    }
    let order = json!({ "results": { "1": "0-1" } });
    does(&mut chief, "/api/rounds/1/results", order).await;
    let both = (json!("0-1"), json!("0-1"));
    until(&mut viewer, "the result", |now| *now == both).await;
    assert!(viewer.get("/api/games").await[0]["ended"].is_string());
    assert!(chief.get("/api/games").await[0]["ended"].is_string());
    hall.close().await;
}

/// When a result is confirmed that the kings have shown is told with the result, and no sooner.
#[tokio::test]
async fn the_end_of_a_game_is_as_late_as_its_result() {
    let delay = Duration::from_secs(6);
    let hall = Hall::open_with(|config| {
        config.public.delay.ms = i64::try_from(delay.as_millis()).unwrap();
    });
    let mut chief = hall.chief().await;
    let mut viewer = hall.member(&mut chief, Role::Viewer).await;
    round(&mut chief).await;
    let options = Options {
        kings_sign: true,
        result: GameResult::WhiteWins,
        ..Options::default()
    };
    play_with(hall.dir.path(), "b01", (games::pick(3), 6), &options);
    until(&mut chief, "the kings", |(board, _)| !board.is_null()).await;
    let end = Instant::now() + PATIENCE;
    while viewer.get("/api/games").await[0].is_null() {
        assert!(Instant::now() < end, "the game is in the list");
        sleep(Duration::from_millis(20)).await;
    }
    let said = Instant::now();
    let tables = json!({ "tables": [1] });
    does(&mut chief, "/api/rounds/1/confirm", tables).await;
    let both = (json!("1-0"), json!("1-0"));
    loop {
        let game = viewer.get("/api/games").await[0].clone();
        let is_early = said.elapsed() + SLACK < delay;
        assert!(!is_early || game["ended"].is_null(), "early: {game}");
        if told(&mut viewer).await == both {
            break;
        }
        assert!(said.elapsed() < delay + AT_ONCE, "{game}");
        sleep(Duration::from_millis(100)).await;
    }
    assert!(viewer.get("/api/games").await[0]["ended"].is_string());
    hall.close().await;
}

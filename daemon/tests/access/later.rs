//! What viewers are shown late: also when the program was started meanwhile, and when tables have
//! changed their boards.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use access::Role;
use arbiter_core::SensorClass;
use board_driver::hand::{Options, Style, games, perform};
use board_driver::noise::Sensors;
use board_driver::{SimConfig, SimulatedBoard};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};

use super::hall::{Guest, Hall, PATIENCE};

/// As far as looks may be late on a busy machine.
const SLACK: Duration = Duration::from_millis(700);
/// Shown at once.
const AT_ONCE: Duration = Duration::from_secs(3);

/// A list of pairings: 1 Ahl, Ann - Berg, Ben; 2 Cole, Cat - Dam, Dan.
const PAIRS: &str = "dGFibGUsd2hpdGUsYmxhY2sKMSwiQWhsLCBBbm4iLCJCZXJnLCBCZW4iCjIsIkNvbGUsIENhdCIs\
                     IkRhbSwgRGFuIgo=";

/// A board on a pseudo-terminal on which so many half-moves of a game are played.
fn play(dir: &Path, board: &str, plies: usize) {
    let game = games::pick(3);
    let (moves, options) = (&game.moves[..plies], Options::default());
    let played = perform(&game.start, moves, Style::Tidy, 3, &[], &options);
    let class = SensorClass::Piece;
    let script = Sensors::new(class, 0, 3).read(&played.start, &played.acts);
    let serial = format!("SIM-{board}");
    let mut config = SimConfig::new(dir.join(board), &serial, class);
    (config.pace, config.linger) = (20.0, PATIENCE * 4);
    let simulated = SimulatedBoard::create(config).expect("a pseudo-terminal");
    let (controls, control) = mpsc::channel(1);
    tokio::spawn(async move {
        let played = simulated.play(script, control).await;
        played.expect("the board plays");
        drop(controls);
    });
}

async fn board(guest: &mut Guest, id: &str) -> Value {
    guest.get(&format!("/api/boards/{id}")).await
}

async fn ply(guest: &mut Guest, id: &str) -> u64 {
    board(guest, id).await["ply"].as_u64().unwrap_or(0)
}

/// Waits until somebody is shown so many half-moves of a board; when each was first seen there.
async fn watch(guest: &mut Guest, id: &str, plies: u64) -> BTreeMap<u64, Instant> {
    let mut seen = BTreeMap::new();
    let watched = async {
        while !seen.contains_key(&plies) {
            let ply = ply(guest, id).await;
            seen.entry(ply).or_insert_with(Instant::now);
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, watched).await.expect("the moves");
    seen
}

#[tokio::test]
async fn what_was_public_before_a_start_is_shown_at_once_and_no_more() {
    const PLIES: u64 = 10;
    let delay = Duration::from_secs(9);
    let late = |config: &mut daemon::config::Config| config.entrance.delay = delay;
    let hall = Hall::open_with(late);
    let mut chief = hall.chief().await;
    let viewer = hall.member(&mut chief, Role::Viewer).await;
    play(hall.dir.path(), "b01", PLIES as usize);
    let made = watch(&mut chief, "b01", PLIES).await;
    let due = |ply: u64| {
        // Half-moves that came between two looks were there with the later.
        let (_, at) = made.range(ply..).next().expect("it was made");
        *at + delay
    };
    tokio::time::sleep_until(due(3)).await;
    let hall = hall.restart_with(late).await;
    let mut viewer = Guest {
        address: hall.address,
        ..viewer
    };
    let began = Instant::now();
    let mut shown = 0;
    while shown < PLIES {
        let now = ply(&mut viewer, "b01").await;
        assert!(now >= shown, "{now} after {shown}");
        shown = now;
        assert!(
            shown == 0 || Instant::now() + SLACK >= due(shown),
            "{shown} half-moves are shown early"
        );
        let wanted = made
            .keys()
            .filter(|ply| due(**ply) + AT_ONCE < Instant::now());
        let wanted = wanted.max().copied().unwrap_or(0);
        let is_up = began.elapsed() > AT_ONCE;
        assert!(!is_up || shown >= wanted.max(3), "{shown} of {wanted}");
        assert!(began.elapsed() < PATIENCE, "{shown} half-moves are shown");
        sleep(Duration::from_millis(20)).await;
    }
    hall.close().await;
}

#[tokio::test]
async fn what_half_moves_had_followed_before_a_start_is_shown_at_once() {
    const PLIES: u64 = 6;
    let behind = |config: &mut daemon::config::Config| config.public.delay.plies = 2;
    let hall = Hall::open_with(behind);
    let mut chief = hall.chief().await;
    let viewer = hall.member(&mut chief, Role::Viewer).await;
    play(hall.dir.path(), "b01", PLIES as usize);
    watch(&mut chief, "b01", PLIES).await;
    let hall = hall.restart_with(behind).await;
    let mut viewer = Guest {
        address: hall.address,
        ..viewer
    };
    watch(&mut viewer, "b01", PLIES - 2).await;
    sleep(Duration::from_secs(1)).await;
    assert_eq!(ply(&mut viewer, "b01").await, PLIES - 2);
    hall.close().await;
}

#[tokio::test]
async fn tables_that_change_boards_take_what_is_shown_of_them_along() {
    let delay = Duration::from_secs(6);
    let hall = Hall::open_with(|config| config.entrance.delay = delay);
    let mut chief = hall.chief().await;
    let mut viewer = hall.member(&mut chief, Role::Viewer).await;
    for (path, order) in [
        ("/api/event/open", json!({ "name": "Open" })),
        ("/api/pairings", json!({ "file": PAIRS, "round": 1 })),
        ("/api/rounds/1/start", json!({})),
    ] {
        let said = chief.ask("POST", path, Some(order)).await;
        assert_eq!(said.status, 200, "{path}: {}", said.body);
    }
    let both = ["b01", "b02"];
    for (board, plies) in both.iter().zip([4, 8]) {
        play(hall.dir.path(), board, plies);
    }
    watch(&mut viewer, "b01", 4).await;
    watch(&mut viewer, "b02", 8).await;
    let mut games = Vec::new();
    for id in both {
        games.push(board(&mut viewer, id).await);
    }
    let swap = Some(json!({ "with": 2 }));
    let said = chief.ask("POST", "/api/tables/1/swap", swap).await;
    assert_eq!(said.status, 200, "{}", said.body);
    let swapped = Instant::now();
    let mut is_swapped = false;
    while swapped.elapsed() < delay / 2 {
        let mut now = Vec::new();
        for id in both {
            now.push(board(&mut viewer, id).await);
        }
        // Nothing of a game is lost, wherever it is.
        let is = |n: usize, of: usize| now[n]["moves"] == games[of]["moves"];
        is_swapped = is(0, 1) && is(1, 0);
        let is_as_before = is(0, 0) && is(1, 1);
        let is_settled = swapped.elapsed() > AT_ONCE / 2;
        assert!(is_swapped || is_as_before || !is_settled, "{now:?}");
        for (id, now) in both.iter().zip(&now) {
            assert_eq!(now["id"], *id);
        }
        sleep(Duration::from_millis(50)).await;
    }
    assert!(is_swapped, "the games are where they are played");
    hall.close().await;
}

/// The first round is played on the first board, and over; the second is started.
async fn second_round(hall: &Hall, chief: &mut Guest) {
    play(hall.dir.path(), "b01", 4);
    for (path, order) in [
        ("/api/event/open", json!({ "name": "Open" })),
        ("/api/pairings", json!({ "file": PAIRS, "round": 1 })),
        ("/api/rounds/1/start", json!({})),
    ] {
        does(chief, path, order).await;
    }
    watch(chief, "b01", 4).await;
    let results = json!({ "results": { "1": "1-0", "2": "1/2-1/2" } });
    for (path, order) in [
        ("/api/rounds/1/results", results),
        ("/api/rounds/1/close", json!({})),
        ("/api/pairings", json!({ "file": PAIRS, "round": 2 })),
        ("/api/rounds/2/start", json!({})),
    ] {
        does(chief, path, order).await;
    }
}

async fn does(guest: &mut Guest, path: &str, order: Value) {
    let said = guest.ask("POST", path, Some(order)).await;
    assert_eq!(said.status, 200, "{path}: {}", said.body);
}

/// Waits until what is shown of a board is so.
async fn until(guest: &mut Guest, id: &str, within: Duration, is: impl Fn(&Value) -> bool) {
    let end = Instant::now() + within;
    loop {
        let shown = board(guest, id).await;
        if is(&shown) {
            return;
        }
        assert!(Instant::now() < end, "{shown}");
        sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn who_is_to_play_stands_there_after_a_start_as_before() {
    let delay = Duration::from_secs(8);
    let late = |config: &mut daemon::config::Config| config.entrance.delay = delay;
    let hall = Hall::open_with(late);
    let mut chief = hall.chief().await;
    let mut viewer = hall.member(&mut chief, Role::Viewer).await;
    second_round(&hall, &mut chief).await;
    let is_next = |shown: &Value| shown["next"]["round"] == "2.1";
    until(&mut viewer, "b01", PATIENCE, is_next).await;
    let hall = hall.restart_with(late).await;
    let mut viewer = Guest {
        address: hall.address,
        ..viewer
    };
    let began = Instant::now();
    until(&mut viewer, "b01", AT_ONCE, is_next).await;
    while began.elapsed() < delay + AT_ONCE {
        let shown = board(&mut viewer, "b01").await;
        assert!(is_next(&shown), "{shown}");
        sleep(Duration::from_millis(200)).await;
    }
    hall.close().await;
}

#[tokio::test]
async fn what_was_shown_as_it_was_stopped_is_shown_after_a_start() {
    const PLIES: usize = 20;
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let mut viewer = hall.member(&mut chief, Role::Viewer).await;
    for (path, order) in [
        ("/api/event/open", json!({ "name": "Open" })),
        ("/api/pairings", json!({ "file": PAIRS, "round": 1 })),
        ("/api/rounds/1/start", json!({})),
    ] {
        does(&mut chief, path, order).await;
    }
    play(hall.dir.path(), "b01", PLIES);
    // Half-moves come to the public several at a time.
    let is_under_way = |shown: &Value| shown["ply"].as_u64() >= Some(3);
    until(&mut viewer, "b01", PATIENCE, is_under_way).await;
    does(&mut chief, "/api/public/stop", json!({})).await;
    sleep(AT_ONCE / 2).await;
    let held = board(&mut viewer, "b01").await;
    watch(&mut chief, "b01", PLIES as u64).await;
    assert_eq!(board(&mut viewer, "b01").await["moves"], held["moves"]);
    let hall = hall.restart().await;
    let mut viewer = Guest {
        address: hall.address,
        ..viewer
    };
    let as_before = |shown: &Value| {
        let is = |field: &str| shown[field] == held[field];
        ["white", "black", "fen", "moves"].into_iter().all(is)
    };
    until(&mut viewer, "b01", AT_ONCE, as_before).await;
    sleep(AT_ONCE).await;
    let shown = board(&mut viewer, "b01").await;
    assert!(as_before(&shown), "{shown}");
    assert_eq!(shown["white"], "Ahl, Ann");
    hall.close().await;
}

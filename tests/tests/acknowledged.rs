//! A board may forget what its host has acknowledged. So that is on disk: nothing is acknowledged
//! while the disk is full, and what was not is sent again to a daemon that was killed meanwhile.

use std::path::Path;
use std::time::Duration;

use arbiter_core::shakmaty::Board;
use board_wire::Side;
use daemon::store::FILE;
use rusqlite::Connection;
use serde_json::Value;
use tests::evening::House;
use tests::rig::{Fingers, configuration, let_run, look_until, section};

/// No wait takes longer.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a full disk does to the journal, and what makes room again.
const FULL: &str = "CREATE TRIGGER full BEFORE INSERT ON events
                    BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END";
const ROOM: &str = "DROP TRIGGER full";

fn disk(store: &Path, order: &str) {
    let db = Connection::open(store.join(FILE)).expect("the journal");
    db.busy_timeout(PATIENCE).expect("a setting");
    db.execute_batch(order).expect("an order");
}

fn everything_is_acknowledged(board: &Fingers) {
    let left = look_until(PATIENCE, || match board.unacknowledged() {
        0 => Ok(()),
        left => Err(format!("{left} not acknowledged")),
    });
    left.expect("what is in the journal is acknowledged");
}

fn shows_moves(moves: &'static [&str]) -> impl Fn(&[Value]) -> Option<String> {
    move |boards| {
        let shown: Vec<&str> = boards[0]["plies"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|ply| ply["uci"].as_str())
            .collect();
        (shown != moves || !boards[0]["fault"].is_null())
            .then(|| format!("{shown:?}, fault {}", boards[0]["fault"]))
    }
}

#[test]
fn nothing_is_acknowledged_before_it_is_on_disk_and_nothing_is_lost_or_twice_after_a_kill() {
    let dir = tempfile::tempdir().expect("a directory");
    let (store, port) = (dir.path().join("store"), dir.path().join("board"));
    let file = dir.path().join("arbiter.toml");
    let boards = [section("b01", &port, "kind = \"native\"\n")];
    let configuration = configuration(&store, boards);

    let board = Fingers::plug_in(&port, "EA-1", 3, &Board::new());
    let house = House::open(&file, &configuration);
    house.until(PATIENCE, shows_moves(&[]));
    everything_is_acknowledged(&board);

    disk(&store, FULL);
    board.play("e2", "e4", 'P', Side::White);
    house.until(PATIENCE, |boards| {
        let fault = boards[0]["fault"].as_str().unwrap_or_default();
        (!fault.contains("disk is full")).then(|| format!("fault {fault}"))
    });
    // Two heartbeats and their answers.
    let_run(Duration::from_millis(2_500));
    assert_eq!(board.unacknowledged(), 3, "a lift, a landing and a press");
    house.kill();

    disk(&store, ROOM);
    board.play("e7", "e5", 'p', Side::Black);
    let house = House::open(&file, &configuration);
    let boards = house.until(PATIENCE, shows_moves(&["e2e4", "e7e5"]));
    everything_is_acknowledged(&board);
    let game = boards[0]["game"].as_str().expect("a game");
    let script = house.script(game);
    let count = |word: &str| script.lines().filter(|line| line.contains(word)).count();
    let (lifts, places, presses) = (count("\"lift\""), count("\"place\""), count("\"press\""));
    assert_eq!((lifts, places, presses), (2, 2, 2), "each once:\n{script}");
    house.close();
}

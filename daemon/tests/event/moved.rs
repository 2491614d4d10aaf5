//! A game goes on on another board, and everybody is told that it is stopped until then.

use std::path::Path;
use std::process::Command;

use arbiter_core::shakmaty::Position;
use board_driver::hand::{Options, Style, games, perform};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::house::House;
use super::{BOARDS, PAIRINGS, at, does, file, moves, put, put_played, until};

/// A game whose board is exchanged for another in its midst: the pieces are carried over by hand.
#[tokio::test]
async fn a_game_goes_on_on_another_board() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    does(&house, "/api/rounds/1/start", json!({})).await;
    let game = games::pick(4);
    let (first, rest) = (&game.moves[..20], &game.moves[20..30]);
    let options = Options::default();
    let begun = perform(&game.start, first, Style::Tidy, 4, &[], &options);
    let playing = put_played(dir.path(), "b01", 4, &begun);
    house
        .until("b01", "the first half", |board| board["ply"] == 20)
        .await;
    let name = at(&house, 1, 1).await["game"].clone();
    playing.abort();

    // Another board, with the position set up on it.
    let mut middle = game.start.clone();
    first.iter().for_each(|m| middle.play_unchecked(*m));
    let going_on = perform(&middle, rest, Style::Tidy, 5, &[], &options);
    let bind = json!({ "board": "b03" });
    does(&house, "/api/tables/1/bind", bind).await;
    let tables = house.json("/api/tables").await;
    assert_eq!(tables[0]["board"], "b03");
    assert!(
        house.board("b01").await["ply"] == 0,
        "it is not there any more"
    );
    // Whoever sets the pieces up plays nothing.
    assert_eq!(house.board("b03").await["state"], "paused");
    is_told_as_stopped(&house, &name).await;
    until_incidents(&house, |all| {
        let is_it = |one: &Value| one["game"] == name && one["kind"] == "restore";
        all.iter()
            .any(|one| is_it(one) && one["restore"].is_string())
    })
    .await;
    let goes_on = json!({ "event": "arbiter", "action": "resume" });
    assert_eq!(house.order("b03", goes_on).await.0, 200);
    let round = house.json("/api/rounds/1").await;
    assert_eq!(round["stopped"], json!([]));
    assert_eq!(house.json("/api/unruled").await, json!([]));
    until_incidents(&house, |all| all.iter().all(|one| one["game"] != name)).await;
    let going_on = put_played(dir.path(), "b03", 5, &going_on);
    let board = house
        .until("b03", "the second half", |board| board["ply"] == 30)
        .await;
    assert_eq!(
        (&board["game"], &board["white"]),
        (&name, &"Berg, Anna".into())
    );
    let truth: Vec<String> = moves(&game.moves[..30]);
    assert_eq!(board["moves"], json!(truth));
    house.close().await;

    // The daemon finds it there again.
    let house = House::open(dir.path(), &BOARDS);
    let board = house.board("b03").await;
    assert_eq!((&board["game"], &board["ply"]), (&name, &30.into()));
    let result = json!({ "event": "arbiter", "action": "result", "result": "1-0" });
    assert_eq!(house.order("b03", result).await.0, 200);
    until(&house, 1, "a result", |seats| seats["result"] == "1-0").await;
    house.close().await;
    going_on.abort();
}

/// Waits until it is so of what waits for somebody.
async fn until_incidents(house: &House, is_so: impl Fn(&[Value]) -> bool) {
    for _ in 0..500 {
        let all = house.json("/api/incidents").await;
        let mut all = all.as_array().cloned().unwrap_or_default();
        all.retain(|one| one["kind"] != "fault");
        if is_so(&all) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("in time: {}", house.json("/api/incidents").await);
}

/// Whoever looks at the round, its tables or what waits for the arbiter finds that the game at
/// table 1 is stopped.
async fn is_told_as_stopped(house: &House, game: &Value) {
    let round = house.json("/api/rounds/1").await;
    assert_eq!(
        (&round["stopped"], &round["unruled"]),
        (&json!([1]), &json!([]))
    );
    let tables = house.json("/api/tables").await;
    let stopped = [&tables[0]["stopped"], &tables[1]["stopped"]];
    assert_eq!(stopped, [&json!(true), &json!(false)]);
    let ports = house.json("/api/ports").await;
    let stopped = [&ports[0]["stopped"], &ports[2]["stopped"]];
    assert_eq!(stopped, [&json!(false), &json!(true)]);
    let waits = house.json("/api/unruled").await;
    assert_eq!(
        (&waits[0]["game"], &waits[0]["stopped"]),
        (game, &json!(true))
    );
    assert_eq!(
        (&waits[0]["table"], &waits[0]["round"]),
        (&json!(1), &json!(1))
    );
}

/// White has opened on `b02`, and nobody has touched `b03` yet.
async fn begun(dir: &Path, house: &House) -> (Value, [JoinHandle<()>; 2]) {
    does(house, "/api/pairings", file(PAIRINGS, 1)).await;
    does(house, "/api/rounds/1/start", json!({})).await;
    // What is said of one table says where all boards stand.
    does(house, "/api/tables/1/bind", json!({ "board": "b01" })).await;
    let playing = [put(dir, "b02", 4, 7), put(dir, "b03", 5, 0)];
    house
        .until("b02", "all moves", |board| board["ply"] == 7)
        .await;
    house
        .until("b03", "a board", |board| board["connected"] == true)
        .await;
    (at(house, 1, 2).await["game"].clone(), playing)
}

/// The game of table 2 is at hand on `b03`, stopped, and that of table 3 waits.
async fn is_on_the_other(house: &House, name: &Value) {
    let board = house
        .until("b03", "the game", |board| board["game"] == *name)
        .await;
    assert_eq!(
        (&board["state"], &board["ply"]),
        (&"paused".into(), &7.into())
    );
    // What stands there is the array.
    house
        .until("b03", "what differs", |board| board["differs"] != json!([]))
        .await;
    let third = at(house, 1, 3).await;
    assert_eq!(third["game"], Value::Null, "{third}");
    let tables = house.json("/api/tables").await;
    let stopped = [&tables[1]["stopped"], &tables[2]["stopped"]];
    assert_eq!(stopped, [&json!(true), &json!(false)]);
    // Of the board that it left, nobody is asked for anything.
    let ports = house.json("/api/ports").await;
    let stopped = [&ports[1]["stopped"], &ports[2]["stopped"]];
    assert_eq!(stopped, [&json!(false), &json!(true)]);
}

/// A command on the store while no daemon runs.
fn at_rest(dir: &Path, order: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiterd"));
    let store = dir.join("store");
    let said = command.args(order).arg("--dir").arg(store).output();
    let said = said.expect("the program");
    assert!(said.status.success(), "{said:?}");
}

/// Two tables exchange their boards while no daemon runs, and once more while one does that is
/// killed then: the pieces of the one game stand on the board of the other's table, which has not
/// begun, and begins when its own are set up.
#[tokio::test]
async fn a_game_is_stopped_whose_board_was_exchanged_while_nobody_followed_it() {
    for is_followed in [false, true] {
        let dir = tempfile::tempdir().unwrap();
        let house = House::open(dir.path(), &BOARDS);
        let (name, playing) = begun(dir.path(), &house).await;
        let swap = json!({ "with": 3 });
        let house = if is_followed {
            does(&house, "/api/tables/2/swap", swap).await;
            is_on_the_other(&house, &name).await;
            house.close().await;
            House::open(dir.path(), &BOARDS)
        } else {
            house.close().await;
            at_rest(dir.path(), &["table", "swap", "2", "3"]);
            House::open(dir.path(), &BOARDS)
        };
        house
            .until("b02", "a board", |board| board["connected"] == true)
            .await;
        is_on_the_other(&house, &name).await;
        playing.iter().for_each(JoinHandle::abort);
        // Table 3 plays on the board that comes, from the array on.
        let third = put(dir.path(), "b02", 6, 9);
        let board = house
            .until("b02", "all moves", |board| board["ply"] == 9)
            .await;
        assert_eq!(board["round"], "1.3");
        assert_eq!(
            (&board["findings"], &board["doubts"]),
            (&json!([]), &json!([]))
        );
        house.close().await;
        third.abort();
    }
}

/// A board is taken off its table in mid-game, and another comes: what is handled on the first is
/// nobody's move, and the game goes on on the other.
#[tokio::test]
async fn a_game_whose_table_has_no_board_for_a_while_is_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    let (name, playing) = begun(dir.path(), &house).await;
    does(&house, "/api/tables/2/unbind", json!({})).await;
    let board = house
        .until("b02", "a stop", |board| board["state"] == "paused")
        .await;
    assert_eq!(board["game"], name);
    does(&house, "/api/tables/3/unbind", json!({})).await;
    does(&house, "/api/tables/2/bind", json!({ "board": "b03" })).await;
    is_on_the_other(&house, &name).await;
    house.close().await;
    let house = House::open(dir.path(), &BOARDS);
    is_on_the_other(&house, &name).await;
    house.close().await;
    playing.iter().for_each(JoinHandle::abort);
}

//! A hall whose clock is set back an hour: what is shown keeps its order, and nothing is said to be
//! at the hub that is not.

use std::time::Duration;

use board_wire::Side::{Black, White};
use jiff::Timestamp;
use serde_json::json;
use tests::rig::{WallClock, let_run, look_until};

use super::hub::{Hub, PATIENCE, Place, Way, same_rows};
use super::{Room, moves_are};

over_both! {
    a_clock_that_is_set_back_an_hour_turns_no_order_round_and_promises_nothing
}

const HOUR: i64 = 3_600;
/// So near are two times, in seconds, of which one is read a little after the other.
const NEAR: i64 = 20;

/// Up to when the hub has everything, by what the hall says; in seconds after this machine's time.
fn complete_to(room: &Room) -> Result<i64, String> {
    let sent = room.place.uplink(room.hall());
    let time = sent["complete_to"]
        .as_str()
        .ok_or_else(|| sent.to_string())?;
    let time: Timestamp = time.parse().map_err(|error| format!("{error}"))?;
    Ok(time.as_second() - Timestamp::now().as_second())
}

#[track_caller]
fn until_complete_to(room: &Room, wrong_by: i64) {
    let seen = look_until(PATIENCE, || match complete_to(room) {
        Ok(there) if (there - wrong_by).abs() < NEAR => Ok(()),
        other => Err(other),
    });
    seen.unwrap_or_else(|seen| panic!("{seen:?}, not {wrong_by}"));
}

fn a_clock_that_is_set_back_an_hour_turns_no_order_round_and_promises_nothing(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main"]);
    hub.start();
    let clock = WallClock::right(dir.path().join("clock"));
    let place = Place::new(&hub, "main").that_takes("\"chief\"").by(&clock);
    let mut main = Room::at(place);
    main.shows(&[]);
    main.board.play("e2", "e4", 'P', White);
    main.shows(&["e2e4"]);
    hub.until_complete(&main.place, main.hall());
    until_complete_to(&main, 0);

    // The hub is there: its time of this hall is that of the hall's clock.
    clock.turn(-HOUR);
    main.board.play("e7", "e5", 'p', Black);
    hub.until_board("main", &["e2e4", "e7e5"]);
    main.place.until_complete(main.hall());
    until_complete_to(&main, -HOUR);
    let shown = hub.until_hall("main", |hall| {
        let offset = hall["clock_offset"].as_i64();
        offset.is_some_and(|offset| (offset + HOUR * 1_000).abs() < NEAR * 1_000)
    });
    let written = shown["written"].as_i64().expect("a time") / 1_000;
    let written = written - Timestamp::now().as_second() + HOUR;
    assert!(written.abs() < NEAR, "{shown}");

    // The hub is away: what is written from now on it does not have, whatever time it seems to be.
    hub.kill();
    main.board.play("g1", "f3", 'N', White);
    main.shows(&["e2e4", "e7e5", "g1f3"]);
    until_complete_to(&main, -HOUR);
    clock.turn(-2 * HOUR);
    main.board.play("b8", "c6", 'n', Black);
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6"];
    main.shows(&moves);
    until_complete_to(&main, -2 * HOUR);
    let sent = main.place.uplink(main.hall());
    assert!(sent["behind"].as_u64() > Some(0), "{sent}");
    // Nor after the hall was switched off.
    main.kill();
    main.start();
    main.shows(&moves);
    hub.start();
    hub.until_complete(&main.place, main.hall());
    same_rows(&hub, &main.place);
    hub.until_board("main", &moves);
    until_complete_to(&main, -2 * HOUR);

    // It is put right: an order that seems two hours old is refused until the hub knows.
    clock.turn(0);
    main.board.play("f1", "b5", 'B', White);
    let moves = [&moves[..], &["f1b5"]].concat();
    hub.until_board("main", &moves);
    until_complete_to(&main, 0);
    let mut tries = 0;
    let done = look_until(PATIENCE, || {
        tries += 1;
        let order = json!({ "event": "arbiter", "action": "result", "result": "1-0" });
        let path = "/halls/main/api/boards/b01/orders";
        match hub.order(path, &format!("try-{tries}"), "", &order.to_string()) {
            (200, _) => Ok(()),
            (410, said) => {
                let_run(Duration::from_millis(500));
                Err(said)
            }
            (status, said) => panic!("{status}: {said}"),
        }
    });
    done.expect("an answer");
    hub.until_complete(&main.place, main.hall());
    same_rows(&hub, &main.place);
    let boards = hub.asked("/halls/main/api/boards", "");
    let boards = boards.as_array().expect("boards");
    assert_eq!(moves_are(boards, &moves), None);
    assert_eq!(hub.mirror_is_sound("main"), "");
    main.hall.expect("a hall").close();
    hub.close();
}

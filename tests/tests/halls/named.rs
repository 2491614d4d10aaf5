//! Events of one name: which of them a hall plays, and what it says of one that is over.

use std::fs;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use tests::rig::{Arbiterd, get, let_run, look_until};

use super::Room;
use super::event::{until_has, until_results};
use super::hub::{Hub, Way};
use super::older::{DRAWN, draw, two_halls};

/// What a command says that is given in a hall.
#[track_caller]
fn in_hall(room: &Room, words: &[&str]) {
    let mut command = Command::new(Arbiterd::program());
    command.args(words).arg("--dir").arg(room.place.store());
    let output = command.output().expect("a command");
    assert!(output.status.success(), "{words:?}: {output:?}");
}

#[track_caller]
pub(crate) fn give(room: &Room, results: &Value) {
    let order = json!({ "results": results });
    let (status, said) = room.hall().post("/api/rounds/1/results", &order);
    assert_eq!(status, 200, "{said}");
}

/// Waits until the hub says this of the event in a hall.
#[track_caller]
pub(crate) fn until_told(hub: &Hub, hall: &str, told: &str) {
    hub.until_hall(hall, |shown| {
        let said = shown["event"].as_str();
        said.is_some_and(|said| said.contains(told))
    });
}

pub(crate) fn close(hub: Hub, rooms: [Room; 2]) {
    for room in rooms {
        room.hall.expect("a hall").close();
    }
    hub.close();
}

/// Opens an event in a hall by itself, with the same two tables, and plays it.
fn play_alone(room: &Room, results: &Value) {
    let file = room.place.store().with_extension("csv");
    fs::write(&file, "table,white,black\n3,Jung,Koch\n4,Lenz,Mohr\n").expect("a file");
    in_hall(room, &["event", "new", "--name", "Open", "--rounds", "3"]);
    let file = file.display().to_string();
    in_hall(room, &["pairings", "load", &file, "--round", "1"]);
    in_hall(room, &["round", "start", "1"]);
    give(room, results);
}

/// The halls have an event of the hub's own name that one of them has opened, and that was played
/// while the hub had another of it: nobody takes it for the next.
#[test]
fn what_a_hall_has_opened_itself_is_not_the_next_event_of_that_name() {
    let dir = tempfile::tempdir().expect("a directory");
    let (mut hub, [main, mut juniors]) = two_halls(Way::WebSocket, dir.path());
    hub.arbiterd(&["round", "undraw", "1"]);
    hub.arbiterd(&["event", "close", "--anyway"]);
    hub.until_hall("juniors", |shown| shown["event"].is_null());
    let closed = |room: &Room| {
        let reply = get(room.hall().address(), "/api/event").expect("an event");
        let event: Value = serde_json::from_str(&reply.body).expect("JSON");
        event["open"] == false
    };
    let is_closed = look_until(super::PATIENCE, || closed(&juniors).then_some(()).ok_or(()));
    is_closed.expect("closed in the hall");
    hub.kill();
    play_alone(&juniors, &json!({ "3": "1-0", "4": "0-1" }));
    juniors.kill();

    hub.start();
    hub.arbiterd(&["event", "new", "--name", "Open", "--rounds", "3"]);
    draw(&hub, DRAWN);
    until_has(&hub, &main, "drawn", &[1, 2]);
    hub.arbiterd(&["round", "start", "1"]);
    juniors.start();
    until_told(&hub, "juniors", "is open here, and the hub's is");
    let_run(Duration::from_secs(1));
    assert_eq!(hub.asked("/api/rounds/1", "")["open"], json!([1, 2, 3, 4]));

    // Closed there, the hub's is dealt.
    in_hall(&juniors, &["round", "close", "1"]);
    in_hall(&juniors, &["event", "close", "--anyway"]);
    until_has(&hub, &juniors, "under-way", &[3, 4]);
    give(&juniors, &json!({ "3": "0-1" }));
    until_results(&hub, &[(3, "0-1"), (4, "")]);
    close(hub, [main, juniors]);
}

/// A hall closes the hub's event, and opens one of its name: that says nothing of the hub's.
#[test]
fn a_hall_that_opens_another_event_of_that_name_changes_nothing_at_the_hub() {
    let dir = tempfile::tempdir().expect("a directory");
    let (hub, [main, juniors]) = two_halls(Way::WebSocket, dir.path());
    hub.arbiterd(&["round", "start", "1"]);
    until_has(&hub, &main, "under-way", &[1, 2]);
    until_has(&hub, &juniors, "under-way", &[3, 4]);
    let renamed = json!({ "name": "Friday" });
    let (status, said) = juniors.hall().post("/api/event/describe", &renamed);
    assert_eq!(status, 409, "{said}");
    assert!(said.contains("named at its hub"), "{said}");
    // Nor does it say who plays whom there; a dry run does not.
    let file = "dGFibGUsd2hpdGUsYmxhY2sKMSwiQWhsLCBBbm4iLCJCZXJnLCBCZW4iCg==";
    let load = |dry: bool| json!({ "file": file, "round": 2, "dry_run": dry });
    for (path, order, expected) in [
        ("/api/pairings", load(true), 200),
        ("/api/pairings", load(false), 409),
        ("/api/rounds/1/undraw", json!({}), 409),
    ] {
        let (status, said) = juniors.hall().post(path, &order);
        assert_eq!(status, expected, "{path}: {said}");
        let is_said = said.contains("is decided at its hub");
        assert!(status == 200 || is_said, "{path}: {said}");
    }
    give(&main, &json!({ "1": "1-0", "2": "1-0" }));
    give(&juniors, &json!({ "3": "1-0", "4": "0-1" }));
    until_results(&hub, &[(1, "1-0"), (2, "1-0"), (3, "1-0"), (4, "0-1")]);
    hub.arbiterd(&["round", "close", "1"]);
    until_has(&hub, &juniors, "closed", &[3, 4]);
    in_hall(&juniors, &["event", "close", "--anyway"]);
    play_alone(&juniors, &json!({ "3": "0-1", "4": "1-0" }));
    let_run(Duration::from_secs(2));
    until_results(&hub, &[(3, "1-0"), (4, "0-1")]);
    let reply = get(juniors.hall().address(), "/api/rounds/1").expect("a round");
    assert!(
        reply.body.contains(r#""stage":"under-way""#),
        "{}",
        reply.body
    );

    // What the hub draws next is told to be in the way of it.
    let file = hub.path("second.csv");
    fs::write(&file, DRAWN.replace("Jung,Koch", "Koch,Jung")).expect("a file");
    let file = file.display().to_string();
    hub.arbiterd(&["pairings", "load", &file, "--round", "2"]);
    until_told(&hub, "juniors", "close the one that is not played");
    close(hub, [main, juniors]);
}

/// While the hub is away a hall gives its results and closes the round and the event: they are the
/// hub's, and nothing is dealt to the hall again that was played there.
#[test]
fn what_a_hall_has_closed_by_itself_counts_at_the_hub() {
    let dir = tempfile::tempdir().expect("a directory");
    let (mut hub, [main, juniors]) = two_halls(Way::WebSocket, dir.path());
    hub.arbiterd(&["round", "start", "1"]);
    until_has(&hub, &main, "under-way", &[1, 2]);
    until_has(&hub, &juniors, "under-way", &[3, 4]);
    hub.kill();
    give(&juniors, &json!({ "3": "1-0", "4": "0-1" }));
    in_hall(&juniors, &["round", "close", "1"]);
    in_hall(&juniors, &["event", "close", "--anyway"]);
    hub.start();
    until_results(&hub, &[(1, ""), (3, "1-0"), (4, "0-1")]);
    let_run(Duration::from_secs(1));
    let events = get(juniors.hall().address(), "/api/events").expect("events");
    let events: Vec<Value> = serde_json::from_str(&events.body).expect("JSON");
    assert_eq!(events.len(), 1, "{events:?}");
    give(&main, &json!({ "1": "1-0", "2": "1-0" }));
    until_results(&hub, &[(1, "1-0"), (2, "1-0")]);
    hub.arbiterd(&["round", "close", "1"]);
    let_run(Duration::from_secs(1));
    until_told(&hub, "juniors", "the event was closed there");
    // The next round is dealt to it, and nothing of the one that it has played and closed.
    let file = hub.path("second.csv");
    fs::write(&file, DRAWN.replace("Jung,Koch", "Koch,Jung")).expect("a file");
    let file = file.display().to_string();
    hub.arbiterd(&["pairings", "load", &file, "--round", "2"]);
    hub.until_hall("juniors", |shown| shown["event"].is_null());
    let_run(Duration::from_secs(2));
    hub.until_hall("juniors", |shown| shown["event"].is_null());
    let reply = get(juniors.hall().address(), "/api/rounds/1").expect("no round");
    assert_eq!(reply.status, 404, "{}", reply.body);
    let reply = get(juniors.hall().address(), "/api/rounds/2").expect("a round");
    assert_eq!(reply.status, 200, "{}", reply.body);
    until_results(&hub, &[(3, "1-0"), (4, "0-1")]);
    close(hub, [main, juniors]);
}

/// What differs between hub and hall is said as long as the event is at hand, be it over.
#[test]
fn a_result_that_differs_is_told_though_the_event_is_closed() {
    let dir = tempfile::tempdir().expect("a directory");
    let (hub, [main, juniors]) = two_halls(Way::WebSocket, dir.path());
    hub.arbiterd(&["round", "start", "1"]);
    until_has(&hub, &main, "under-way", &[1, 2]);
    until_has(&hub, &juniors, "under-way", &[3, 4]);
    give(&main, &json!({ "1": "1-0", "2": "1-0" }));
    give(&juniors, &json!({ "3": "1-0", "4": "0-1" }));
    until_results(&hub, &[(1, "1-0"), (2, "1-0"), (3, "1-0"), (4, "0-1")]);
    let other = r#"{"results":{"3":"0-1"},"reason":"so the sheets"}"#;
    let (status, said) = hub.post("/api/rounds/1/results", other);
    assert_eq!(status, 200, "{said}");
    until_told(&hub, "juniors", "another result at the hub");
    hub.arbiterd(&["round", "close", "1"]);
    until_has(&hub, &juniors, "closed", &[3, 4]);
    let said = hub.refuses(&["event", "close"]);
    assert!(said.contains("another result in hall `juniors`"), "{said}");
    hub.arbiterd(&["event", "close", "--anyway"]);
    let told = "is closed, and table 1.3 has 1-0 there and 0-1 here";
    until_told(&hub, "juniors", told);
    let_run(Duration::from_secs(2));
    until_told(&hub, "juniors", told);
    close(hub, [main, juniors]);
}

/// Taken back and drawn anew at once, nobody is told to wait.
#[test]
fn a_round_that_is_taken_back_is_drawn_again_at_once() {
    let dir = tempfile::tempdir().expect("a directory");
    let (hub, [main, juniors]) = two_halls(Way::WebSocket, dir.path());
    for _ in 0..3 {
        hub.arbiterd(&["round", "start", "1"]);
        until_has(&hub, &juniors, "under-way", &[3, 4]);
        hub.arbiterd(&["round", "undraw", "1"]);
        draw(&hub, DRAWN);
        until_has(&hub, &main, "drawn", &[1, 2]);
        until_has(&hub, &juniors, "drawn", &[3, 4]);
    }
    close(hub, [main, juniors]);
}

//! The event of a hub whose store is put back to an older copy, is another's, or of which a hall
//! takes no notice.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;
use tests::rig::{Arbiterd, let_run};

use super::Room;
use super::event::{until_has, until_results};
use super::hub::{Hub, Place, Way};

over_both! {
    an_older_copy_of_the_hub_orders_nothing_until_somebody_says_that_it_stands
    a_hall_that_hangs_keeps_no_other_waiting
}

pub(crate) const DRAWN: &str =
    "table,white,black\n1,Falk,Gast\n2,Heim,Iser\n3,Jung,Koch\n4,Lenz,Mohr\n";
const ANEW: &str = "table,white,black\n1,Iser,Falk\n2,Gast,Heim\n3,Jung,Koch\n4,Lenz,Mohr\n";

/// Draws the first round as a file has it.
pub(crate) fn draw(hub: &Hub, text: &str) {
    let file = hub.path("round.csv");
    fs::write(&file, text).expect("a file");
    let file = file.display().to_string();
    hub.arbiterd(&["pairings", "load", &file, "--round", "1"]);
}

/// A hub of two halls with two tables each.
pub(crate) fn two_halls(way: Way, dir: &std::path::Path) -> (Hub, [Room; 2]) {
    let mut hub = Hub::new(way, dir, &["main", "juniors"]);
    hub.deal(&["1-2", "3-4"]);
    hub.start();
    hub.arbiterd(&["event", "new", "--name", "Open", "--rounds", "3"]);
    let halls = ["main", "juniors"];
    let halls = halls.map(|name| Room::at(Place::new(&hub, name).that_takes("\"chief\"")));
    draw(&hub, DRAWN);
    until_has(&hub, &halls[0], "drawn", &[1, 2]);
    until_has(&hub, &halls[1], "drawn", &[3, 4]);
    (hub, halls)
}

/// What is played in the halls is not drawn otherwise by a hub that has forgotten how it was drawn.
fn an_older_copy_of_the_hub_orders_nothing_until_somebody_says_that_it_stands(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let (mut hub, [main, juniors]) = two_halls(way, dir.path());
    let older = hub.copy();
    draw(&hub, ANEW);
    until_has(&hub, &main, "drawn", &[1, 2]);
    hub.command(&["move-table", "4", "--to", "main"]);
    hub.arbiterd(&["round", "start", "1"]);
    until_has(&hub, &main, "under-way", &[1, 2, 4]);
    until_has(&hub, &juniors, "under-way", &[3]);

    hub.kill();
    hub.put_back(&older);
    hub.start();
    let names = |room: &Room| {
        let reply = tests::rig::get(room.hall().address(), "/api/rounds/1").expect("a round");
        let round: serde_json::Value = serde_json::from_str(&reply.body).expect("JSON");
        let names = round["pairings"].as_array().expect("pairings").iter();
        let names = names.map(|seat| seat["white"]["name"].as_str().unwrap_or("").to_owned());
        names.collect::<Vec<String>>()
    };
    let shown = hub.until_hall("main", |shown| shown["event"].is_string());
    let note = shown["event"].to_string();
    assert!(note.contains("store is older"), "{note}");
    let_run(Duration::from_secs(2));
    assert_eq!(names(&main), ["Iser", "Gast", "Lenz"]);
    assert_eq!(names(&juniors), ["Jung"]);

    // Whatever else is decided, it stays so.
    for site in ["a", "b", "c", "d", "e", "f"] {
        hub.arbiterd(&["event", "describe", "--site", site]);
        let_run(Duration::from_millis(300));
    }
    assert_eq!(names(&main), ["Iser", "Gast", "Lenz"]);

    // Drawn again as the halls have it, and said to stand, it goes on.
    draw(&hub, ANEW);
    hub.command(&["move-table", "4", "--to", "main"]);
    hub.arbiterd(&["round", "start", "1"]);
    hub.command(&["stands"]);
    let refused = hub.refuses(&["hub", "stands"]);
    assert!(refused.contains("does not know of"), "{refused}");
    hub.until_hall("main", |shown| shown["event"].is_null());
    let results = json!({ "results": { "1": "1-0", "2": "0-1", "4": "1/2-1/2" } });
    let (status, said) = main.hall().post("/api/rounds/1/results", &results);
    assert_eq!(status, 200, "{said}");
    let results = json!({ "results": { "3": "1-0" } });
    juniors.hall().post("/api/rounds/1/results", &results);
    until_results(&hub, &[(1, "1-0"), (2, "0-1"), (3, "1-0"), (4, "1/2-1/2")]);
    hub.arbiterd(&["round", "close", "1"]);
    until_has(&hub, &main, "closed", &[1, 2, 4]);
    until_has(&hub, &juniors, "closed", &[3]);
    for room in [main, juniors] {
        room.hall.expect("a hall").close();
    }
    hub.close();
}

/// A hall that has not closed the last event when another of its name is drawn, with the same
/// pairs, closes that first: results of the one are none of the other.
#[test]
fn another_event_of_the_same_name_takes_no_results_of_the_last() {
    let dir = tempfile::tempdir().expect("a directory");
    let (hub, [main, mut juniors]) = two_halls(Way::WebSocket, dir.path());
    hub.arbiterd(&["round", "start", "1"]);
    until_has(&hub, &main, "under-way", &[1, 2]);
    until_has(&hub, &juniors, "under-way", &[3, 4]);
    let give = |room: &Room, results: serde_json::Value| {
        let order = json!({ "results": results });
        let (status, said) = room.hall().post("/api/rounds/1/results", &order);
        assert_eq!(status, 200, "{said}");
    };
    give(&main, json!({ "1": "1-0", "2": "1-0" }));
    give(&juniors, json!({ "3": "1-0", "4": "0-1" }));
    until_results(&hub, &[(1, "1-0"), (2, "1-0"), (3, "1-0"), (4, "0-1")]);
    hub.arbiterd(&["round", "close", "1"]);
    until_has(&hub, &juniors, "closed", &[3, 4]);
    juniors.kill();
    hub.arbiterd(&["event", "close", "--anyway"]);
    hub.arbiterd(&["event", "new", "--name", "Open", "--rounds", "3"]);
    draw(&hub, DRAWN);
    until_has(&hub, &main, "drawn", &[1, 2]);
    hub.arbiterd(&["round", "start", "1"]);
    until_has(&hub, &main, "under-way", &[1, 2]);
    let is_open = |hub: &Hub| {
        let open = hub.asked("/api/rounds/1", "")["open"].clone();
        assert_eq!(open, json!([1, 2, 3, 4]));
    };
    is_open(&hub);
    let page = hub.arbiterd(&["results", "export", "--round", "1", "--format", "pgn"]);
    assert!(!page.contains("[Result \"1-0\"]"), "{page}");
    juniors.start();
    until_has(&hub, &juniors, "under-way", &[3, 4]);
    let_run(Duration::from_secs(1));
    is_open(&hub);
    // What a hall may have played that is away is not taken back, though nothing is known of it.
    juniors.kill();
    hub.until_hall("juniors", |shown| shown["connected"] == false);
    let said = hub.refuses(&["round", "undraw", "1"]);
    assert!(
        said.contains("it is not known what that has of it"),
        "{said}"
    );
    juniors.start();
    give(&juniors, json!({ "3": "0-1" }));
    until_results(&hub, &[(3, "0-1")]);
    juniors.hall.expect("a hall").close();
    main.hall.expect("a hall").close();
    hub.close();
}

/// While its hub is away a hall corrects a result, and withdraws that: it has none then.
#[test]
fn a_result_that_was_corrected_and_withdrawn_meanwhile_is_none_at_the_hub_either() {
    let dir = tempfile::tempdir().expect("a directory");
    let (mut hub, [main, juniors]) = two_halls(Way::WebSocket, dir.path());
    hub.arbiterd(&["round", "start", "1"]);
    until_has(&hub, &main, "under-way", &[1, 2]);
    let say = |what: &str, order: serde_json::Value| {
        let path = format!("/api/rounds/1/{what}");
        let (status, said) = main.hall().post(&path, &order);
        assert_eq!(status, 200, "{said}");
    };
    say("results", json!({ "results": { "1": "1-0" } }));
    until_results(&hub, &[(1, "1-0")]);
    hub.kill();
    let corrected = json!({ "results": { "1": "0-1" }, "reason": "so the sheets" });
    say("results", corrected);
    say("withdraw", json!({ "tables": [1], "reason": "it goes on" }));
    hub.start();
    until_results(&hub, &[(1, "")]);
    for room in [main, juniors] {
        room.hall.expect("a hall").close();
    }
    hub.close();
}

/// Results of one hall are taken over while another does not answer.
fn a_hall_that_hangs_keeps_no_other_waiting(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let (hub, [main, juniors]) = two_halls(way, dir.path());
    hub.arbiterd(&["round", "start", "1"]);
    until_has(&hub, &main, "under-way", &[1, 2]);
    until_has(&hub, &juniors, "under-way", &[3, 4]);

    // Whether that was done is known at the hub.
    let_run(Duration::from_secs(1));
    let pid = Pid::from_raw(juniors.hall().pid().cast_signed());
    kill(pid, Signal::SIGSTOP).expect("a signal");
    draw(&hub, &DRAWN.replace("Koch", "Kock"));
    let_run(Duration::from_millis(500));
    let began = Instant::now();
    let results = json!({ "results": { "1": "1-0" } });
    let (status, said) = main.hall().post("/api/rounds/1/results", &results);
    assert_eq!(status, 200, "{said}");
    until_results(&hub, &[(1, "1-0")]);
    assert!(
        began.elapsed() < Duration::from_secs(4),
        "{:?}",
        began.elapsed()
    );
    kill(pid, Signal::SIGCONT).expect("a signal");
    until_has(&hub, &juniors, "under-way", &[3, 4]);
    for room in [main, juniors] {
        room.hall.expect("a hall").close();
    }
    hub.close();
}

/// Who has called that he does not come has lost: what the hub then drew otherwise the hall would
/// not start.
#[test]
fn what_has_a_result_in_its_hall_is_not_drawn_otherwise() {
    let dir = tempfile::tempdir().expect("a directory");
    let (hub, [main, juniors]) = two_halls(Way::WebSocket, dir.path());
    let results = json!({ "results": { "1": "+/-" } });
    let (status, said) = main.hall().post("/api/rounds/1/results", &results);
    assert_eq!(status, 200, "{said}");
    hub.until_complete(&main.place, main.hall());
    let file = hub.path("anew.csv");
    fs::write(&file, ANEW).expect("a file");
    let file = file.display().to_string();
    let said = hub.refuses(&["pairings", "load", &file, "--round", "1"]);
    assert!(said.contains("table 1 of round 1 has begun"), "{said}");
    draw(&hub, &DRAWN.replace("Koch", "Kock"));
    until_has(&hub, &juniors, "drawn", &[3, 4]);
    hub.arbiterd(&["round", "start", "1"]);
    until_has(&hub, &main, "under-way", &[1, 2]);
    until_results(&hub, &[(1, "+/-")]);
    for room in [main, juniors] {
        room.hall.expect("a hall").close();
    }
    hub.close();
}

/// The only round of an event is taken back in the halls as well, and a store is used by whom it is
/// of: a hub does not order other halls what one of them plays, and nobody writes in a mirror.
#[test]
fn the_only_round_is_taken_back_and_no_store_serves_another() {
    let dir = tempfile::tempdir().expect("a directory");
    let (hub, [main, juniors]) = two_halls(Way::WebSocket, dir.path());
    hub.arbiterd(&["round", "undraw", "1"]);
    for room in [&main, &juniors] {
        let gone = tests::rig::look_until(super::PATIENCE, || {
            let reply = tests::rig::get(room.hall().address(), "/api/rounds/1");
            match reply.map_err(|error| error.to_string())?.status {
                404 => Ok(()),
                other => Err(other.to_string()),
            }
        });
        gone.unwrap_or_else(|status| panic!("{status}: {:?}", hub.ask("/api/halls")));
    }
    let arbiterd = |words: &[&str]| {
        let output = Command::new(Arbiterd::program()).args(words).output();
        let output = output.expect("a command");
        assert!(!output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stderr).expect("text")
    };
    let mirror = hub.dir().join("halls/main").display().to_string();
    let said = arbiterd(&["people", "add", "Ada", "--role", "chief", "--dir", &mirror]);
    assert!(said.contains("mirror of a hall"), "{said}");
    let store = main.place.store();
    main.hall.expect("a hall").close();
    juniors.hall.expect("a hall").close();
    let config = fs::read_to_string(hub.path("hub.toml")).expect("a configuration");
    let wrong = hub.path("wrong.toml");
    let of_hall = format!("dir = \"{}\"", store.display());
    fs::write(&wrong, config.replace("dir = \"hub\"", &of_hall)).expect("a file");
    hub.close();
    let said = arbiterd(&["hub", "--config", &wrong.display().to_string()]);
    assert!(said.contains("is a hall's store"), "{said}");
    assert!(!store.join("halls").exists());
}

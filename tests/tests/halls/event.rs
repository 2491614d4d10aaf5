//! One event that is played in two halls.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::time::Duration;

use board_wire::Side::{Black, White};
use serde_json::{Value, json};
use tests::rig::{get, let_run, look_until};

use super::Room;
use super::hub::{Hub, PATIENCE, Place, Way};
use super::named::close;
use super::older::two_halls;

over_both! {
    tables_are_dealt_to_two_halls_and_one_report_file_comes_back
}

/// Sixteen players, drawn for three rounds.
const FILE: &str = include_str!("../../../daemon/src/cli/demo/open.trf");

/// A round as a hall, or the hub, has it: by table, who plays, by starting number and name, and how
/// it ended.
fn round(asked: Result<Value, String>) -> Result<(String, BTreeMap<u64, [String; 3]>), String> {
    let asked = asked?;
    let side = |seat: &Value, side: &str| {
        let player = &seat[side];
        let name = player["name"].as_str().unwrap_or_default();
        format!("{} {name}", player["number"])
    };
    let seats = asked["pairings"]
        .as_array()
        .ok_or_else(|| asked.to_string())?;
    let tables = seats.iter().filter_map(|seat| {
        let result = match seat["confirmed"] == true {
            true => seat["result"]
                .as_str()
                .unwrap_or_default()
                .replace('½', "1/2"),
            false => String::new(),
        };
        let both = [side(seat, "white"), side(seat, "black"), result];
        Some((seat["table"].as_u64()?, both))
    });
    let stage = asked["stage"].as_str().unwrap_or_default().to_owned();
    Ok((stage, tables.collect()))
}

fn of_hall(room: &Room) -> Result<(String, BTreeMap<u64, [String; 3]>), String> {
    let reply = get(room.hall().address(), "/api/rounds/1").map_err(|e| e.to_string())?;
    round(serde_json::from_str(&reply.body).map_err(|e| e.to_string()))
}

/// Waits until a hall has these tables, each with the players that the hub has there.
#[track_caller]
pub(crate) fn until_has(hub: &Hub, room: &Room, stage: &str, tables: &[u64]) {
    let seen = look_until(PATIENCE, || {
        let (is, there) = of_hall(room)?;
        let (_, all) = round(hub.ask("/api/rounds/1"))?;
        let players = |both: &[String; 3]| both[..2].to_vec();
        let same = there
            .iter()
            .all(|(t, both)| players(both) == players(&all[t]));
        match is == stage && same && there.keys().eq(tables) {
            true => Ok(()),
            false => Err(format!("{is} {there:?}")),
        }
    });
    seen.unwrap_or_else(|seen| panic!("{seen}\n{:?}\n{}", hub.ask("/api/halls"), hub.log()));
}

/// Waits until the hub has these results.
#[track_caller]
pub(crate) fn until_results(hub: &Hub, results: &[(u64, &str)]) {
    let seen = look_until(PATIENCE, || {
        let (_, all) = round(hub.ask("/api/rounds/1"))?;
        match results
            .iter()
            .all(|(table, result)| all[table][2] == *result)
        {
            true => Ok(()),
            false => Err(format!("{all:?}")),
        }
    });
    seen.unwrap_or_else(|seen| panic!("{seen}\n{:?}\n{}", hub.ask("/api/halls"), hub.log()));
}

/// Waits until the games at these tables, and no others, are postponed, at the hub and in the hall.
#[track_caller]
fn until_postponed(hub: &Hub, room: &Room, tables: &[u64]) {
    let seen = look_until(PATIENCE, || {
        let reply = get(room.hall().address(), "/api/rounds/1").map_err(|e| e.to_string())?;
        let there: Value = serde_json::from_str(&reply.body).map_err(|e| e.to_string())?;
        let both = [&hub.ask("/api/rounds/1")?, &there].map(|round| round["postponed"].clone());
        match both.iter().all(|postponed| *postponed == json!(tables)) {
            true => Ok(()),
            false => Err(format!("{both:?}")),
        }
    });
    seen.unwrap_or_else(|seen| panic!("{seen}\n{:?}\n{}", hub.ask("/api/halls"), hub.log()));
}

fn enter(room: &Room, results: &Value) {
    let order = json!({ "results": results, "reason": "so the sheets" });
    let (status, said) = room.hall().post("/api/rounds/1/results", &order);
    assert_eq!(status, 200, "{said}");
}

fn tables_are_dealt_to_two_halls_and_one_report_file_comes_back(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main", "juniors"]);
    hub.deal(&["1-4", "5-8"]);
    hub.start();
    let file = dir.path().join("open.trf");
    fs::write(&file, FILE).expect("a file");
    let file = file.display().to_string();
    hub.arbiterd(&["pairings", "load", &file, "--round", "1"]);
    let mut main = Room::at(Place::new(&hub, "main").that_takes("\"chief\""));
    until_has(&hub, &main, "drawn", &[1, 2, 3, 4]);
    // What one hall does not take is said, and hinders no other.
    let mut juniors = Room::open(&hub, "juniors");
    let shown = hub.until_hall("juniors", |hall| hall["event"].is_string());
    assert!(
        shown["event"].to_string().contains("takes no orders"),
        "{shown}"
    );
    juniors.kill();
    juniors.place = juniors.place.that_takes("\"chief\"");
    juniors.start();
    until_has(&hub, &juniors, "drawn", &[5, 6, 7, 8]);
    hub.until_hall("juniors", |hall| hall["event"].is_null());

    // A table goes to another hall, and is drawn nowhere twice.
    hub.command(&["move-table", "4", "--to", "juniors"]);
    until_has(&hub, &main, "drawn", &[1, 2, 3]);
    until_has(&hub, &juniors, "drawn", &[4, 5, 6, 7, 8]);
    hub.arbiterd(&["round", "start", "1"]);
    until_has(&hub, &main, "under-way", &[1, 2, 3]);
    until_has(&hub, &juniors, "under-way", &[4, 5, 6, 7, 8]);

    // A game that is postponed at the hub is so in its hall, and the other way round.
    hub.arbiterd(&["round", "postpone", "1.8", "--reason", "White is ill"]);
    until_postponed(&hub, &juniors, &[8]);
    // The hub has seen it so, before somebody in the hall thinks otherwise.
    let mirrored = look_until(PATIENCE, || {
        match &hub.asked("/halls/juniors/api/rounds/1", "")["postponed"] {
            tables if *tables == json!([8]) => Ok(()),
            other => Err(other.clone()),
        }
    });
    mirrored.expect("the mirror");
    let_run(Duration::from_secs(1));
    let order = json!({ "tables": [8] });
    let (status, said) = juniors.hall().post("/api/rounds/1/resume", &order);
    assert_eq!(status, 200, "{said}");
    until_postponed(&hub, &juniors, &[]);

    // Who thinks better of it at once is not overruled by his own order, which comes back.
    for _ in 0..3 {
        hub.arbiterd(&["round", "postpone", "1.7", "--reason", "Black is late"]);
        let_run(Duration::from_millis(300));
        hub.arbiterd(&["round", "resume", "1.7"]);
    }
    let_run(Duration::from_secs(1));
    until_postponed(&hub, &juniors, &[]);

    // A game begins on the board at table 1: it stays there.
    main.board.play("e2", "e4", 'P', White);
    main.shows(&["e2e4"]);
    assert_eq!(main.hall().boards()[0]["white"], "Falk, Agnes");
    main.place.until_complete(main.hall());
    let said = hub.refuses(&["hub", "move-table", "1", "--to", "juniors"]);
    assert!(said.contains("has begun in hall `main`"), "{said}");
    let said = hub.refuses(&["results", "set", "1.1", "-/+"]);
    assert!(said.contains("table 1: this game has begun"), "{said}");
    let missing = hub.asked("/api/rounds/1", "")["waiting"].clone();
    let has = |table| {
        missing
            .as_array()
            .is_some_and(|all| all.contains(&json!(table)))
    };
    assert!(!has(1) && has(2), "{missing}");
    let order = json!({ "event": "arbiter", "action": "result", "result": "1-0" });
    let orders = "/halls/main/api/boards/b01/orders";
    let (status, said) = hub.order(orders, "result-1", "", &order.to_string());
    assert_eq!(status, 200, "{said}");
    let confirm = json!({ "tables": [1] }).to_string();
    let path = "/halls/main/api/rounds/1/confirm";
    let (status, said) = hub.order(path, "confirm-1", "", &confirm);
    assert_eq!(status, 200, "{said}");
    until_results(&hub, &[(1, "1-0")]);

    // Whoever is killed, no result is lost.
    hub.kill();
    enter(&main, &json!({ "2": "1/2-1/2", "3": "0-1" }));
    enter(&juniors, &json!({ "4": "1-0", "5": "0-1" }));
    juniors.kill();
    hub.start();
    until_results(&hub, &[(1, "1-0"), (2, "1/2-1/2"), (3, "0-1")]);
    juniors.start();
    enter(&juniors, &json!({ "6": "+/-", "7": "1/2-1/2", "8": "1-0" }));
    juniors.kill();
    juniors.start();
    let all = [
        (4, "1-0"),
        (5, "0-1"),
        (6, "+/-"),
        (7, "1/2-1/2"),
        (8, "1-0"),
    ];
    until_results(&hub, &all);
    // A correction in the hall is one at the hub.
    enter(&juniors, &json!({ "8": "0-1" }));
    until_results(&hub, &[(8, "0-1")]);

    hub.arbiterd(&["round", "close", "1"]);
    until_has(&hub, &main, "closed", &[1, 2, 3]);
    until_has(&hub, &juniors, "closed", &[4, 5, 6, 7, 8]);
    let out = dir.path().join("results.trf").display().to_string();
    let export = [
        "results", "export", "--round", "1", "--format", "trf", "-o", &out,
    ];
    hub.arbiterd(&export);
    // By starting number, as another program reads the file.
    let expected = [
        "1", "=", "0", "1", "0", "+", "=", "0", "1", "=", "-", "1", "0", "1", "=", "0",
    ];
    let read = first_round_by_trf(&out);
    for (number, expected) in (1..).zip(expected) {
        assert_eq!(read[&number], expected, "player {number}: {read:?}");
    }
    assert_eq!(hub.mirror_is_sound("main"), "");
    assert_eq!(hub.mirror_is_sound("juniors"), "");
    main.hall.take().expect("a hall").close();
    juniors.hall.take().expect("a hall").close();
    hub.close();
}

/// Results of the first round as the program `trf` of PyPI reads them.
fn first_round_by_trf(file: &str) -> BTreeMap<u64, String> {
    let python = std::env::var("ARBITER_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let read = "import json, sys, trf\n\
                with open(sys.argv[1], encoding='utf-8') as file: read = trf.loads(file.read())\n\
                print(json.dumps({p.startrank: p.games[0].result for p in read.players}))";
    let output = Command::new(python).args(["-c", read, file]).output();
    let output = output.expect("Python, with the packages that `open/read.py` names");
    assert!(output.status.success(), "{output:?}");
    let read: BTreeMap<String, String> = serde_json::from_slice(&output.stdout).expect("JSON");
    let read = read.into_iter();
    read.map(|(number, result)| (number.parse().expect("a number"), result))
        .collect()
}

/// What the boards of the halls have shown is confirmed at the hub all at once, as in the halls. It
/// is the same result where its hall is then given it as it was typed: the event can be closed.
#[test]
fn what_a_board_has_shown_is_confirmed_at_the_hub_with_the_others() {
    let dir = tempfile::tempdir().expect("a directory");
    let (hub, [main, juniors]) = two_halls(Way::WebSocket, dir.path());
    hub.arbiterd(&["round", "start", "1"]);
    until_has(&hub, &main, "under-way", &[1, 2]);
    until_has(&hub, &juniors, "under-way", &[3, 4]);
    let moves = [
        ("f2", "f3", 'P', White),
        ("e7", "e5", 'p', Black),
        ("g2", "g4", 'P', White),
        ("d8", "h4", 'q', Black),
    ];
    let order = |order: &Value| {
        let (status, said) = main.hall().post("/api/boards/b01/orders", order);
        assert_eq!(status, 200, "{said}");
    };
    for (n, (from, to, piece, by)) in (1..).zip(moves) {
        main.board.play(from, to, piece, by);
        main.shows(&["f2f3", "e7e5", "g2g4", "d8h4"][..n]);
        if n == 1 {
            order(&json!({ "event": "claim", "by": "black", "kind": "threefold" }));
        }
    }
    let shown = look_until(PATIENCE, || {
        let round = hub.ask("/api/rounds/1")?;
        match &round["pairings"][0]["how"] {
            how if how == "board" => Ok(()),
            _ => Err(round["pairings"][0].to_string()),
        }
    });
    shown.expect("proposed at the hub");
    // What is left to be ruled on in the hall is so at the hub, and hinders its result.
    let unruled = |wanted: Value| {
        let is = look_until(PATIENCE, || match hub.ask("/api/rounds/1")? {
            round if round["unruled"] == wanted => Ok(()),
            round => Err(round["unruled"].to_string()),
        });
        is.expect("said at the hub");
    };
    unruled(json!([1]));
    let (status, said) = hub.post("/api/rounds/1/confirm", "{}");
    assert_eq!(status, 200, "{said}");
    assert!(said.contains("passed_over"), "{said}");
    order(&json!({ "event": "arbiter", "action": "dismiss", "id": 1 }));
    unruled(json!([]));
    let (status, said) = hub.post("/api/rounds/1/confirm", "{}");
    assert_eq!(status, 200, "{said}");
    assert!(!said.contains("passed_over"), "{said}");
    until_results(&hub, &[(1, "0-1")]);
    enter(&main, &json!({ "2": "1-0" }));
    enter(&juniors, &json!({ "3": "1-0", "4": "1-0" }));
    until_results(&hub, &[(2, "1-0"), (3, "1-0"), (4, "1-0")]);
    hub.arbiterd(&["round", "close", "1"]);
    until_has(&hub, &main, "closed", &[1, 2]);
    until_has(&hub, &juniors, "closed", &[3, 4]);
    hub.until_hall("main", |shown| shown["event"].is_null());
    let said = hub.refuses(&["event", "close"]);
    assert!(said.contains("1 of 3 rounds are played"), "{said}");
    hub.arbiterd(&["event", "close", "--anyway"]);
    close(hub, [main, juniors]);
}

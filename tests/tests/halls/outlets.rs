//! One event in two halls, and what goes out of it at the hub: all of it, as late as each hall
//! wants it, and where somebody at the hub stops it, not at all.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use board_wire::Side::{Black, White};
use serde_json::Value;
use tests::lichess::{Lichess, TOKEN};
use tests::rig::{get, let_run, look_until};

use super::Room;
use super::event::{until_has, until_results};
use super::hub::{Hub, PATIENCE, Place, Way};
use super::older::draw;

over_both! {
    what_two_halls_play_goes_out_at_the_hub
    events_of_one_name_are_each_halls_own
    what_the_hub_says_of_a_game_takes_nothing_from_its_hall
}

/// Sixteen players, drawn for three rounds.
const FILE: &str = include_str!("../../../daemon/src/cli/demo/open.trf");
/// How late the first hall is, in seconds.
const LATE: u64 = 6;
const ID: &str = "aBcD1234";

/// The moves of a table that are public at the hub, and the result.
fn public(hub: &Hub, table: u64) -> (Vec<String>, String) {
    let path = format!("/live/round-1/game-{table}.json");
    let reply = get(hub.address(), &path).expect("an answer");
    let game: Value = serde_json::from_str(&reply.body).unwrap_or_default();
    let moves = game["moves"].as_array().into_iter().flatten();
    let sans = moves.filter_map(|said| Some(said.as_str()?.split(' ').next()?.to_owned()));
    let result = game["result"].as_str().unwrap_or_default().to_owned();
    (sans.collect(), result)
}

#[track_caller]
fn until_public(hub: &Hub, table: u64, moves: &[&str], result: &str) {
    let seen = look_until(PATIENCE, || match public(hub, table) {
        (is, told) if is == moves && told == result => Ok(()),
        other => Err(other),
    });
    seen.unwrap_or_else(|seen| panic!("{seen:?}\n{:?}\n{}", hub.ask("/api/halls"), hub.log()));
}

fn what_two_halls_play_goes_out_at_the_hub(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let lichess = Lichess::open(1);
    let mut hub = Hub::new(way, dir.path(), &["main", "juniors"]);
    hub.deal(&["1-4", "5-8"]);
    fs::write(hub.path("token"), TOKEN).expect("a file");
    let only = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    fs::set_permissions(hub.path("token"), only).expect("a file");
    hub.with(&format!(
        "[public]\nserve = true\nfolder = \"broadcast\"\n[lichess]\ntoken-file = \"token\"\n\
         url = \"http://{}\"\n[[lichess.round]]\nround = 1\nid = \"{ID}\"\n",
        lichess.address
    ));
    hub.start();
    let file = dir.path().join("open.trf");
    fs::write(&file, FILE).expect("a file");
    hub.arbiterd(&[
        "pairings",
        "load",
        &file.display().to_string(),
        "--round",
        "1",
    ]);
    let late = "[public]\ndelay = 6\n";
    let main = Place::new(&hub, "main").that_takes("\"chief\"").with(late);
    let (main, mut juniors) = (
        Room::at(main),
        Room::at(Place::new(&hub, "juniors").that_takes("\"chief\"")),
    );
    hub.arbiterd(&["round", "start", "1"]);
    let begun = |room: &Room| {
        look_until(PATIENCE, || {
            let reply = get(room.hall().address(), "/api/rounds/1").map_err(|e| e.to_string())?;
            match reply.body.contains("under-way") {
                true => Ok(()),
                false => Err(reply.body),
            }
        })
    };
    begun(&main).expect("a round");
    begun(&juniors).expect("a round");
    let bind = serde_json::json!({ "board": "b01" });
    let (status, said) = juniors.hall().post("/api/tables/5/bind", &bind);
    assert_eq!(status, 200, "{said}");

    // The hub's public sees what each hall lets through, and names of the whole event.
    let before = Instant::now();
    main.board.play("e2", "e4", 'P', White);
    juniors.board.play("d2", "d4", 'P', White);
    until_public(&hub, 5, &["d4"], "");
    assert!(before.elapsed() < Duration::from_secs(LATE), "no delay");
    assert_eq!(public(&hub, 1).0.len(), 0, "too early");
    until_public(&hub, 1, &["e4"], "");
    assert!(before.elapsed() >= Duration::from_secs(LATE), "too early");
    let pgn = get(hub.address(), "/live/round-1/games.pgn").expect("a file");
    for told in ["Falk, Agnes", "[Round \"1.1\"]", "[Round \"1.5\"]"] {
        assert!(pgn.body.contains(told), "{told}: {}", pgn.body);
    }
    let written = hub.path("broadcast").join("round-1/games.pgn");
    let same = look_until(PATIENCE, || match fs::read_to_string(&written) {
        Ok(text) if text == pgn.body => Ok(()),
        other => Err(other),
    });
    same.unwrap_or_else(|other| panic!("{other:?}\n{}", pgn.body));
    let pushed = look_until(PATIENCE, || {
        let texts = lichess.texts(ID).concat();
        match texts.contains("1. e4") && texts.contains("1. d4") {
            true => Ok(()),
            false => Err(texts),
        }
    });
    pushed.expect("both games");

    // Stopped at the hub, it stays as it is; in the hall it goes on.
    let stop = serde_json::json!({ "round": 1, "table": 5 }).to_string();
    let (status, said) = hub.post("/api/public/stop", &stop);
    assert_eq!(status, 200, "{said}");
    juniors.board.play("d7", "d5", 'p', Black);
    hub.until_board("juniors", &["d2d4", "d7d5"]);
    let_run(Duration::from_secs(1));
    assert_eq!(public(&hub, 5).0, ["d4"], "stopped");
    let (status, said) = hub.post("/api/public/resume", &stop);
    assert_eq!(status, 200, "{said}");
    until_public(&hub, 5, &["d4", "d5"], "");

    // Whoever is away or killed, nobody takes back what was public.
    main.board.play("e7", "e5", 'p', Black);
    until_public(&hub, 1, &["e4", "e5"], "");
    juniors.kill();
    hub.kill();
    hub.start();
    until_public(&hub, 5, &["d4", "d5"], "");
    assert_eq!(public(&hub, 1).0, ["e4", "e5"]);
    juniors.start();
    juniors.shows(&["d2d4", "d7d5"]);
    juniors.board.play("c2", "c4", 'P', White);
    until_public(&hub, 5, &["d4", "d5", "c4"], "");
    let results = serde_json::json!({ "results": { "5": "1-0", "6": "0-1" }, "reason": "sheets" });
    let (status, said) = juniors.hall().post("/api/rounds/1/results", &results);
    assert_eq!(status, 200, "{said}");
    until_public(&hub, 5, &["d4", "d5", "c4"], "WHITEWIN");
    until_public(&hub, 6, &[], "BLACKWIN");
    // The round's file of the arbiters has the games too, of either hall.
    let output = hub.arbiterd(&["results", "export", "--round", "1", "--format", "pgn"]);
    let ids = ["[GameId \"main/", "[GameId \"juniors/"];
    for told in ["1. e4", "1. d4", "1-0", ids[0], ids[1]] {
        assert!(output.contains(told), "{told}: {output}");
    }
    // What is entered at the hub is in it too, and the event is known by its name.
    let results = ["results", "set", "1.1", "1/2-1/2", "--reason", "agreed"];
    hub.arbiterd(&results);
    let output = hub.arbiterd(&["results", "export", "--round", "1", "--format", "pgn"]);
    assert!(output.contains("e5 1/2-1/2"), "{output}");
    let said = hub.refuses(&["event", "describe", "--name", "Another"]);
    assert!(said.contains("know this event as"), "{said}");
    nobody_is_told_of_a_round_that_is_over(&mut hub, &main, &mut juniors, &file);
    hub.close();
}

/// The round is closed, and one of its tables is another hall's from now on.
fn nobody_is_told_of_a_round_that_is_over(
    hub: &mut Hub,
    main: &Room,
    juniors: &mut Room,
    file: &Path,
) {
    let rest = |room: &Room, results: Value| {
        let order = serde_json::json!({ "results": results, "reason": "sheets" });
        let (status, said) = room.hall().post("/api/rounds/1/results", &order);
        assert_eq!(status, 200, "{said}");
    };
    rest(
        main,
        serde_json::json!({ "2": "1-0", "3": "1-0", "4": "1-0" }),
    );
    rest(juniors, serde_json::json!({ "7": "1-0", "8": "1-0" }));
    for table in [2, 3, 4, 7, 8] {
        until_public(hub, table, &[], "WHITEWIN");
    }
    // What is public has come to the hub, and its event takes it over a moment later.
    until_results(hub, &[2, 3, 4, 7, 8].map(|table| (table, "1-0")));
    hub.arbiterd(&["round", "close", "1"]);
    until_public(hub, 1, &["e4", "e5"], "DRAW");
    hub.arbiterd(&[
        "pairings",
        "load",
        &file.display().to_string(),
        "--round",
        "2",
    ]);
    hub.command(&["move-table", "5", "--to", "main"]);
    let stays = |hub: &Hub| {
        let_run(Duration::from_secs(1));
        until_public(hub, 5, &["d4", "d5", "c4"], "WHITEWIN");
        until_public(hub, 6, &[], "BLACKWIN");
        let corrections = hub.ask("/api/public/corrections").expect("a list");
        assert_eq!(corrections, serde_json::json!([]));
    };
    stays(hub);
    juniors.kill();
    hub.kill();
    hub.start();
    stays(hub);
    juniors.start();
    juniors.place.until_complete(juniors.hall());
    stays(hub);
    // Closed beside a round that nobody has started, the event is closed once in every hall.
    hub.arbiterd(&["event", "close", "--anyway"]);
    let_run(Duration::from_secs(2));
    for room in [main, &*juniors] {
        let reply = get(room.hall().address(), "/api/event").expect("an answer");
        let event: Value = serde_json::from_str(&reply.body).expect("JSON");
        assert_eq!(
            (&event["number"], &event["open"]),
            (&1.into(), &false.into())
        );
    }
    stays(hub);
    // Its games are in the halls, and they are given out as they were.
    let output = hub.arbiterd(&["results", "export", "--round", "1", "--format", "pgn"]);
    for told in ["1. e4 e5", "1. d4 d5 2. c4"] {
        assert!(output.contains(told), "{told}: {output}");
    }
}

/// Two halls that call their events alike, and the hub deals out none.
fn events_of_one_name_are_each_halls_own(way: Way) {
    const PAIR: &str = "dGFibGUsd2hpdGUsYmxhY2sKMSwiQWhsLCBBbm4iLCJCZXJnLCBCZW4iCg==";
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main", "juniors"]);
    hub.start();
    let (main, juniors) = (Room::open(&hub, "main"), Room::open(&hub, "juniors"));
    for room in [&main, &juniors] {
        for (path, order) in [
            ("/api/event/open", serde_json::json!({ "name": "Open" })),
            (
                "/api/pairings",
                serde_json::json!({ "file": PAIR, "round": 1 }),
            ),
            ("/api/rounds/1/start", serde_json::json!({})),
        ] {
            let (status, said) = room.hall().post(path, &order);
            assert_eq!(status, 200, "{path}: {said}");
        }
    }
    main.board.play("e2", "e4", 'P', White);
    juniors.board.play("d2", "d4", 'P', White);
    hub.until_board("main", &["e2e4"]);
    hub.until_board("juniors", &["d2d4"]);
    for (hall, own, other) in [("main", "1. e4", "1. d4"), ("juniors", "1. d4", "1. e4")] {
        let path = format!("/halls/{hall}/api/rounds/1/export?format=pgn");
        let pgn = get(hub.address(), &path).expect("a file").body;
        assert!(pgn.contains(own) && !pgn.contains(other), "{hall}: {pgn}");
    }
    hub.close();
}

/// What is typed, taken back or drawn at the hub, while the hall plays on.
fn what_the_hub_says_of_a_game_takes_nothing_from_its_hall(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main"]);
    hub.deal(&["1-8"]);
    hub.with("[public]\nserve = true\n");
    hub.start();
    let file = dir.path().join("open.trf");
    fs::write(&file, FILE).expect("a file");
    let file = file.display().to_string();
    hub.arbiterd(&["pairings", "load", &file, "--round", "1"]);
    let main = Room::at(Place::new(&hub, "main").that_takes("\"chief\""));
    hub.arbiterd(&["round", "start", "1"]);
    let begun = look_until(PATIENCE, || {
        let reply = get(main.hall().address(), "/api/rounds/1").map_err(|e| e.to_string())?;
        match reply.body.contains("under-way") {
            true => Ok(()),
            false => Err(reply.body),
        }
    });
    begun.expect("a round");
    main.board.play("e2", "e4", 'P', White);
    until_public(&hub, 1, &["e4"], "");
    // A result that the hall does not have yet hides no move.
    hub.arbiterd(&["results", "set", "1.1", "1-0"]);
    main.board.play("e7", "e5", 'p', Black);
    until_public(&hub, 1, &["e4", "e5"], "");
    let withdraw = |hub: &Hub, table: u64| {
        let order = serde_json::json!({ "tables": [table], "reason": "misheard" });
        hub.post("/api/rounds/1/withdraw", &order.to_string())
    };
    let (status, said) = withdraw(&hub, 1);
    assert_eq!(status, 200, "{said}");
    // One of the hall's is taken back there.
    let enter = |results: Value| {
        let order = serde_json::json!({ "results": results, "reason": "sheets" });
        let (status, said) = main.hall().post("/api/rounds/1/results", &order);
        assert_eq!(status, 200, "{said}");
    };
    enter(serde_json::json!({ "2": "1-0" }));
    until_results(&hub, &[(2, "1-0")]);
    let (status, said) = withdraw(&hub, 2);
    assert!(
        status == 409 && said.contains("that of hall `main`"),
        "{said}"
    );
    // What was none is public no more.
    let annul = serde_json::json!({ "event": "arbiter", "action": "annul" });
    let (status, said) = main.hall().post("/api/boards/b01/orders", &annul);
    assert_eq!(status, 200, "{said}");
    until_public(&hub, 1, &[], "");
    drawn_otherwise_in_the_moment_in_which_it_begins(&hub, &main);
    hub.close();
}

/// What the hub could not know yet is put right there.
fn drawn_otherwise_in_the_moment_in_which_it_begins(hub: &Hub, main: &Room) {
    let round = hub.ask("/api/rounds/1").expect("a round");
    let pairings = round["pairings"].as_array().expect("pairings").clone();
    let drawn = |exchanged: bool| {
        let mut csv = "table,white_no,black_no\n".to_owned();
        for pairing in pairings.iter().filter(|pairing| pairing["table"].is_u64()) {
            let table = pairing["table"].as_u64().expect("a table");
            let other = match table {
                3 if exchanged => 4,
                4 if exchanged => 3,
                same => same,
            };
            let mut all = pairings.iter();
            let other = all
                .find(|pairing| pairing["table"] == other)
                .expect("a pairing");
            let (white, black) = (&pairing["white"]["number"], &other["black"]["number"]);
            csv += &format!("{table},{white},{black}\n");
        }
        let file = hub.path("again.csv");
        fs::write(&file, csv).expect("a file");
        let file = file.display().to_string();
        hub.output(&["pairings", "load", &file, "--round", "1"])
    };
    let order = serde_json::json!({ "results": { "3": "1-0" }, "reason": "sheets" });
    let (status, said) = main.hall().post("/api/rounds/1/results", &order);
    assert_eq!(status, 200, "{said}");
    let output = drawn(true);
    // Whoever asks later knows it.
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let knows = ["has begun in hall `main`", "has begun, or has a result"];
        assert!(knows.iter().any(|known| said.contains(known)), "{said}");
        return;
    }
    let refused = look_until(PATIENCE, || match hub.post("/api/rounds/1/close", "{}") {
        (409, said) if said.contains("drawn otherwise in hall `main`") => Ok(()),
        other => Err(other),
    });
    refused.expect("it is not closed so");
    assert_eq!(public(hub, 3).1, "", "nobody has played it so");
    let output = drawn(false);
    assert!(output.status.success(), "{output:?}");
    until_results(hub, &[(3, "1-0")]);
}

/// The last round has ended, and hub and hall close the event before its last moves are public:
/// they come as late as the hall wants it, also where the next event is open by then.
#[test]
fn what_is_still_to_come_of_an_event_that_is_closed_comes() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(Way::WebSocket, dir.path(), &["main"]);
    hub.deal(&["1-2"]);
    hub.with("[public]\nserve = true\n");
    hub.start();
    hub.arbiterd(&["event", "new", "--name", "Open", "--rounds", "1"]);
    draw(&hub, "table,white,black\n1,Falk,Gast\n2,Heim,Iser\n");
    let late = "[public]\ndelay = 5\n";
    let main = Room::at(Place::new(&hub, "main").that_takes("\"chief\"").with(late));
    hub.arbiterd(&["round", "start", "1"]);
    until_has(&hub, &main, "under-way", &[1, 2]);
    main.board.play("e2", "e4", 'P', White);
    main.shows(&["e2e4"]);
    let results = serde_json::json!({ "results": { "1": "1-0", "2": "0-1" }, "reason": "sheets" });
    let (status, said) = main.hall().post("/api/rounds/1/results", &results);
    assert_eq!(status, 200, "{said}");
    until_results(&hub, &[(1, "1-0"), (2, "0-1")]);
    hub.arbiterd(&["round", "close", "1"]);
    until_has(&hub, &main, "closed", &[1, 2]);
    hub.arbiterd(&["event", "close"]);
    assert_eq!(public(&hub, 1).0.len(), 0, "too early");
    hub.arbiterd(&["event", "new", "--name", "Rapid", "--rounds", "1"]);
    until_public(&hub, 1, &["e4"], "WHITEWIN");
    until_public(&hub, 2, &[], "BLACKWIN");
    hub.close();
}

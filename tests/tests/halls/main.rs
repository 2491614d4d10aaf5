//! Several halls and one hub, as programs: what the hub has in the end is what the halls have
//! written, row for row, whoever was killed, away, cut off or put back to an older copy meanwhile.

/// The same, whatever carries words between halls and hub.
macro_rules! over_both {
    ($($name:ident)*) => {
        mod over_a_websocket {
            $(#[test] fn $name() { super::$name(super::Way::WebSocket); })*
        }
        mod over_nats {
            $(#[test] fn $name() { super::$name(super::Way::Nats); })*
        }
    };
}

mod bulk;
mod clocks;
mod cluster;
mod demo;
mod event;
mod hub;
mod line;
mod lines;
mod live;
mod lost;
mod named;
mod nats;
mod nets;
mod older;
mod orders;
mod outlets;
mod place;
mod points;
mod server;
mod sizes;

use std::time::Duration;

use arbiter_core::shakmaty::Board;
use board_wire::Side::{Black, White};
use hub::{Hub, Place, Way, same_rows};
use serde_json::Value;
use tests::rig::{Fingers, let_run, look_until};

over_both! {
    a_hub_that_comes_late_and_is_killed_has_every_row_of_two_halls_in_the_end
    in_a_network_halls_come_over_tls_and_people_are_asked_who_they_are
    killed_at_any_moment_nothing_is_lost_and_nothing_twice
    a_store_that_was_made_anew_waits_until_a_person_accepts_it
    a_mirror_that_somebody_has_changed_is_begun_anew
    an_older_copy_of_a_hall_and_an_older_copy_of_the_hub_catch_up
    two_halls_of_one_name_do_not_mix_and_a_wrong_key_is_told_so
}

/// No wait takes longer.
const PATIENCE: Duration = Duration::from_secs(30);

/// A hall with one board.
struct Room {
    place: Place,
    board: Fingers,
    hall: Option<tests::evening::House>,
}

impl Room {
    fn open(hub: &Hub, name: &str) -> Room {
        Room::at(Place::new(hub, name))
    }

    fn at(place: Place) -> Room {
        let name = &place.name;
        let serial = format!("EA-{name}");
        let board = Fingers::plug_in(&place.port(), &serial, 3, &Board::new());
        let mut room = Room {
            place,
            board,
            hall: None,
        };
        room.start();
        room
    }

    fn start(&mut self) {
        self.hall = Some(self.place.start());
    }

    fn kill(&mut self) {
        self.hall.take().expect("a hall").kill();
    }

    fn hall(&self) -> &tests::evening::House {
        self.hall.as_ref().expect("a hall")
    }

    /// Waits until the hall's own console shows these moves.
    fn shows(&self, moves: &[&str]) {
        self.hall()
            .until(PATIENCE, |boards| moves_are(boards, moves));
    }
}

fn moves_are(boards: &[Value], moves: &[&str]) -> Option<String> {
    let shown: Vec<&str> = boards
        .first()?
        .get("moves")?
        .as_array()?
        .iter()
        .filter_map(Value::as_str)
        .collect();
    (shown != moves).then(|| format!("{shown:?}"))
}

fn a_hub_that_comes_late_and_is_killed_has_every_row_of_two_halls_in_the_end(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main", "juniors"]);
    let (main, mut juniors) = (Room::open(&hub, "main"), Room::open(&hub, "juniors"));
    main.shows(&[]);
    main.board.play("e2", "e4", 'P', White);
    main.shows(&["e2e4"]);
    let sent = main.place.uplink(main.hall());
    assert_eq!(sent["connected"], false, "{sent}");
    assert_eq!(sent["complete_to"], Value::Null, "{sent}");
    assert!(sent["fault"].is_string(), "{sent}");

    hub.start();
    hub.until_complete(&main.place, main.hall());
    hub.until_complete(&juniors.place, juniors.hall());
    same_rows(&hub, &main.place);
    same_rows(&hub, &juniors.place);
    // Its boards are shown as the hall shows them.
    hub.until_board("main", &["e2e4"]);
    hub.until_board("juniors", &[]);

    hub.kill();
    juniors.shows(&[]);
    juniors.board.play("d2", "d4", 'P', White);
    juniors.shows(&["d2d4"]);
    juniors.kill();
    main.board.play("e7", "e5", 'p', Black);
    main.shows(&["e2e4", "e7e5"]);
    juniors.start();
    hub.start();
    hub.until_complete(&main.place, main.hall());
    hub.until_complete(&juniors.place, juniors.hall());
    same_rows(&hub, &main.place);
    same_rows(&hub, &juniors.place);
    hub.until_board("main", &["e2e4", "e7e5"]);
    hub.until_board("juniors", &["d2d4"]);

    // While all are there, a move is at the hub soon, and nobody has allowed it any order.
    main.board.play("g1", "f3", 'N', White);
    hub.until_board("main", &["e2e4", "e7e5", "g1f3"]);
    let refused = look_until(PATIENCE, || {
        match hub.post("/halls/main/api/boards/b01/orders", "{}") {
            (403, said) => Ok(said),
            other => Err(other),
        }
    });
    let refused = refused.unwrap_or_else(|other| panic!("{other:?}"));
    assert!(refused.contains("takes no orders"), "{refused}");
    assert_eq!(hub.mirror_is_sound("main"), "");
    main.hall.expect("a hall").close();
    juniors.hall.expect("a hall").close();
    hub.close();
}

fn in_a_network_halls_come_over_tls_and_people_are_asked_who_they_are(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::in_network(way, dir.path(), &["main"]);
    hub.start();
    let mut main = Room::open(&hub, "main");
    main.shows(&[]);
    main.board.play("e2", "e4", 'P', White);
    main.shows(&["e2e4"]);
    main.place.until_complete(main.hall());
    same_rows(&hub, &main.place);
    let said = hub.command(&["halls"]);
    assert!(said.starts_with("main: on the line, "), "{said}");
    for path in [
        "/api/halls",
        "/halls/main/api/boards",
        "/halls/main/api/games",
    ] {
        assert_eq!(hub.status(path), 401, "{path}");
    }
    // Nor is anybody a hall without a key.
    assert_eq!(hub.status("/api/halls/line"), 401);
    // Who is not the hub is told nothing: its certificate is of another authority.
    main.kill();
    let mut false_hub = Hub::in_network(way, &dir.path().join("false"), &["main"]);
    false_hub.start();
    main.place.trust(&false_hub);
    main.start();
    let fault = main.place.until_fault(main.hall());
    assert!(fault.contains("certificate"), "{fault}");
    main.hall.expect("a hall").close();
    false_hub.close();
    hub.close();
}

fn killed_at_any_moment_nothing_is_lost_and_nothing_twice(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main"]);
    hub.start();
    let mut main = Room::open(&hub, "main");
    main.shows(&[]);
    let play = [
        ("e2", "e4", 'P', White),
        ("e7", "e5", 'p', Black),
        ("g1", "f3", 'N', White),
        ("b8", "c6", 'n', Black),
    ];
    let mut moves: Vec<String> = Vec::new();
    for (n, (from, to, piece, by)) in play.into_iter().enumerate() {
        main.board.play(from, to, piece, by);
        // Some milliseconds of chance: before the commit, on the way, before the hub's commit.
        let_run(Duration::from_millis(n as u64 * 37 % 90));
        hub.kill();
        if n % 2 == 1 {
            main.kill();
            main.start();
        }
        hub.start();
        moves.push(format!("{from}{to}"));
        let shown: Vec<&str> = moves.iter().map(String::as_str).collect();
        main.shows(&shown);
    }
    hub.until_complete(&main.place, main.hall());
    same_rows(&hub, &main.place);
    hub.until_board("main", &["e2e4", "e7e5", "g1f3", "b8c6"]);
    assert_eq!(hub.mirror_is_sound("main"), "");
    main.hall.expect("a hall").close();
    hub.close();
}

fn a_store_that_was_made_anew_waits_until_a_person_accepts_it(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main"]);
    hub.start();
    let mut main = Room::open(&hub, "main");
    main.shows(&[]);
    main.board.play("e2", "e4", 'P', White);
    main.shows(&["e2e4"]);
    hub.until_complete(&main.place, main.hall());
    main.kill();
    let old = main.place.move_store("old");
    main.start();
    main.shows(&[]);
    let shown = hub.until_hall("main", |hall| hall["stranger"].is_string());
    let fault = shown["fault"].as_str().expect("a fault");
    assert!(fault.contains("arbiterd hub accept main"), "{fault}");
    // Until then the mirror is what it was, and the hall says what is wrong.
    assert_eq!(hub.rows(&main.place), hub::rows_of(&old));
    let sent = main.place.uplink(main.hall());
    assert_eq!(sent["complete_to"], Value::Null, "{sent}");
    assert!(
        sent["fault"]
            .as_str()
            .is_some_and(|why| why.contains("another store")),
        "{sent}"
    );

    let stranger = shown["stranger"].as_str().expect("a name");
    let said = hub.command(&["accept", "main", stranger]);
    assert!(said.starts_with("main: taken"), "{said}");
    hub.until_complete(&main.place, main.hall());
    same_rows(&hub, &main.place);
    assert_eq!(hub.kept("main"), 1, "the mirror of the old store is kept");
    assert_eq!(
        hub::rows_of(&hub.dir().join("halls/main.earlier-1")),
        hub::rows_of(&old)
    );
    main.hall.expect("a hall").close();
    hub.close();
}

fn a_mirror_that_somebody_has_changed_is_begun_anew(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main"]);
    hub.start();
    let main = Room::open(&hub, "main");
    main.board.play("e2", "e4", 'P', White);
    main.shows(&["e2e4"]);
    hub.until_complete(&main.place, main.hall());
    // Its last row is there, and not the note that it is; an event of several is not there at all.
    let last = "DELETE FROM log WHERE seq = (SELECT max(seq) FROM log)";
    let several = "DELETE FROM events WHERE seq = (SELECT max(seq) FROM events);
         DELETE FROM log WHERE seq > (SELECT max(seq) FROM log) - 3";
    for (change, is_anew, (from, to, piece, side)) in [
        (last, false, ("e7", "e5", 'p', Black)),
        (
            "UPDATE games SET head = x'00'",
            true,
            ("g1", "f3", 'N', White),
        ),
        (several, true, ("b8", "c6", 'n', Black)),
    ] {
        hub.kill();
        hub.change(&main.place, change);
        hub.start();
        main.board.play(from, to, piece, side);
        hub.until_complete(&main.place, main.hall());
        same_rows(&hub, &main.place);
        let log = hub.log();
        assert!(log.contains("begun anew") || !is_anew, "{change}: {log}");
    }
    hub.until_board("main", &["e2e4", "e7e5", "g1f3", "b8c6"]);
}

fn an_older_copy_of_a_hall_and_an_older_copy_of_the_hub_catch_up(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main"]);
    hub.start();
    let mut main = Room::open(&hub, "main");
    main.shows(&[]);
    hub.until_complete(&main.place, main.hall());
    let of_hub = hub.copy();
    main.kill();
    let of_hall = main.place.copy_store();
    main.start();
    main.board.play("e2", "e4", 'P', White);
    main.shows(&["e2e4"]);
    hub.until_complete(&main.place, main.hall());

    // The hub forgets what it said it had.
    hub.kill();
    hub.put_back(&of_hub);
    hub.start();
    hub.until_complete(&main.place, main.hall());
    same_rows(&hub, &main.place);
    assert_eq!(hub.kept("main"), 0);

    // The hall forgets what the hub has. The board sends again what it was not told was kept; what
    // the hub had stays beside the new mirror.
    let before = hub.rows(&main.place);
    main.kill();
    main.place.put_back(&of_hall);
    main.start();
    main.board.play("e7", "e5", 'p', Black);
    let_run(Duration::from_secs(1));
    hub.until_complete(&main.place, main.hall());
    same_rows(&hub, &main.place);
    assert_eq!(hub.kept("main"), 1);
    assert_eq!(
        hub::rows_of(&hub.dir().join("halls/main.earlier-1")),
        before
    );
    main.hall.expect("a hall").close();
    hub.close();
}

fn two_halls_of_one_name_do_not_mix_and_a_wrong_key_is_told_so(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main"]);
    hub.start();
    let main = Room::open(&hub, "main");
    hub.until_complete(&main.place, main.hall());
    let other = Place::twin(&hub, &main.place);
    let _board = Fingers::plug_in(&other.port(), "EA-twin", 3, &Board::new());
    let twin = other.start();
    let sent = other.until_fault(&twin);
    assert!(sent.contains("on the line already"), "{sent}");
    twin.kill();
    let thief = Place::with_other_key(&hub, &main.place);
    let house = thief.start();
    let sent = thief.until_fault(&house);
    let what = match way {
        Way::WebSocket => "no hall of this hub has this key",
        Way::Nats => "the NATS server does not know this key",
    };
    assert!(sent.contains(what), "{sent}");
    house.close();
    // The right key, and another name than the hub has for it.
    let renamed = Place::called(&hub, "juniors", &main.place);
    let house = renamed.start();
    let sent = renamed.until_fault(&house);
    let what = match way {
        Way::WebSocket => "by another name",
        Way::Nats => "is `[hub] name` the name",
    };
    assert!(sent.contains(what), "{sent}");
    house.close();
    hub.until_complete(&main.place, main.hall());
    same_rows(&hub, &main.place);
    main.hall.expect("a hall").close();
    hub.close();
}

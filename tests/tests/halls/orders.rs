//! Orders that somebody gives at the hub.

use std::process::Command;
use std::time::{Duration, Instant};

use board_wire::Side::White;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use tests::rig::{Arbiterd, get, look_until};

use super::Room;
use super::hub::{Hub, Place, Way, same_rows};

over_both! {
    a_person_at_the_hub_rules_in_the_hall_that_allows_it_and_in_his_name
    a_viewer_at_the_hub_sees_a_hall_as_late_as_in_the_hall
    a_viewer_at_the_hub_sees_the_names_of_minors_as_in_the_hall
    an_order_that_is_given_again_counts_once_whoever_was_killed_meanwhile
    an_order_that_arrives_late_is_refused_and_never_carried_out
}

pub(super) const ORDERS: &str = "/halls/main/api/boards/b01/orders";

/// Games of a hall.
fn games(room: &Room) -> Vec<Value> {
    let reply = get(room.hall().address(), "/api/games").expect("an answer");
    serde_json::from_str(&reply.body).expect("JSON")
}

/// What the acts of a hall say of orders: who, by what, and what.
pub(super) fn acts(room: &Room) -> Vec<(String, String, Value)> {
    let deeds = daemon::store::Store::open(&room.place.store()).expect("a store");
    let deeds = deeds.deeds().expect("acts");
    let of_orders = deeds.of(daemon::store::Area::Orders);
    of_orders
        .map(|(_, deed)| {
            let what = serde_json::from_str(&deed.what).expect("JSON");
            (deed.author.who.clone(), deed.author.device.clone(), what)
        })
        .collect()
}

pub(super) fn new_game(white: &str) -> String {
    json!({ "event": "new-game", "white": white, "black": "Ben" }).to_string()
}

fn a_person_at_the_hub_rules_in_the_hall_that_allows_it_and_in_his_name(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::in_network(way, dir.path(), &["main", "juniors"]);
    hub.start();
    let (ada, olga) = (hub.account("Ada", "chief"), hub.account("Olga", "operator"));
    let main = Room::at(Place::new(&hub, "main").that_takes("\"chief\""));
    let juniors = Room::open(&hub, "juniors");
    main.shows(&[]);
    main.board.play("e2", "e4", 'P', White);
    main.shows(&["e2e4"]);
    main.place.until_complete(main.hall());
    juniors.place.until_complete(juniors.hall());

    // It is as if it were ordered in the hall, and the answer is the hall's.
    let result = json!({ "event": "arbiter", "action": "result", "result": "1-0" }).to_string();
    let (status, said) = hub.order(ORDERS, "result-1", &ada, &result);
    assert_eq!(status, 200, "{said}");
    assert!(said.contains("\"written\":true"), "{said}");
    assert_eq!(main.hall().boards()[0]["result"]["result"], "1-0");
    let game = games(&main)[0]["id"].as_str().expect("a name").to_owned();
    let script = main.hall().script(&game);
    assert!(script.contains(r#""author":"Ada""#), "{script}");
    let told = acts(&main);
    assert_eq!(told.len(), 2, "{told:?}");
    for (who, device, _) in &told {
        assert_eq!((&**who, &**device), ("Ada", "hub"));
    }
    assert_eq!(told[0].2["act"], "taken");
    assert_eq!(told[1].2["status"], 200);

    // A refusal has the hall's words.
    let wrong = json!({ "event": "arbiter", "action": "uphold", "id": 99 }).to_string();
    let there = main.hall().post(
        "/api/boards/b01/orders",
        &serde_json::from_str(&wrong).unwrap(),
    );
    assert_eq!(there.0, 409, "{}", there.1);
    assert_eq!(hub.order(ORDERS, "wrong-1", &ada, &wrong), there);
    // What an order would do is asked in the hall, and leaves nothing behind.
    let before = acts(&main).len();
    let trial = "/halls/main/api/boards/b01/trial";
    let (status, said) = hub.order(trial, "trial-1", &ada, &wrong);
    assert!(status == 409 && said.contains("no finding 99"), "{said}");
    let (status, said) = hub.order(trial, "trial-1", &ada, &result);
    assert_ne!(status, 403, "{said}");
    assert_eq!(acts(&main).len(), before);

    // Who may not is told so: by his role there, by the hall, by what is asked for.
    let (status, said) = hub.order(ORDERS, "olga-1", &olga, &new_game("Olga"));
    assert!(
        status == 403 && said.contains("takes no orders from an operator"),
        "{said}"
    );
    let (status, said) = hub.order(ORDERS, "nobody-1", "", &result);
    assert_eq!(status, 401, "{said}");
    let other = "/halls/juniors/api/boards/b01/orders";
    let (status, said) = hub.order(other, "ada-2", &ada, &new_game("Ada"));
    assert!(status == 403 && said.contains("[hub] orders"), "{said}");
    assert_eq!(juniors.hall().boards()[0]["white"], "");
    let clock = "/halls/main/api/clock";
    let (status, said) = hub.order(clock, "ada-3", &ada, "{}");
    assert!(
        status == 405 && said.contains("in the hall itself"),
        "{said}"
    );
    main.place.until_complete(main.hall());
    same_rows(&hub, &main.place);
    main.hall.expect("a hall").close();
    juniors.hall.expect("a hall").close();
    hub.close();
}

fn a_viewer_at_the_hub_sees_a_hall_as_late_as_in_the_hall(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::in_network(way, dir.path(), &["main", "juniors"]);
    hub.start();
    let (ada, vera) = (hub.account("Ada", "chief"), hub.account("Vera", "viewer"));
    let late = "[public]\nserve = true\ndelay = 3600\n";
    let rooms = [
        Room::at(Place::new(&hub, "main").with(late)),
        Room::open(&hub, "juniors"),
    ];
    for room in &rooms {
        room.shows(&[]);
        room.board.play("e2", "e4", 'P', White);
        room.shows(&["e2e4"]);
        room.place.until_complete(room.hall());
    }
    let moves = |hall: &str, cookie: &str| {
        let boards = hub.asked(&format!("/halls/{hall}/api/boards"), cookie);
        boards[0]["plies"].as_array().map_or(0, Vec::len)
    };
    // A viewer is shown the hall that has no delay, in a moment: the other one has had as long.
    let seen = look_until(Duration::from_secs(20), || match moves("juniors", &vera) {
        1 => Ok(()),
        n => Err(n),
    });
    seen.expect("the move");
    let counts = [
        moves("main", &vera),
        moves("main", &ada),
        moves("juniors", &ada),
    ];
    assert_eq!(counts, [0, 1, 1]);
    for room in rooms {
        room.hall.expect("a hall").close();
    }
    hub.close();
}

fn a_viewer_at_the_hub_sees_the_names_of_minors_as_in_the_hall(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::in_network(way, dir.path(), &["main"]);
    hub.start();
    let (ada, vera) = (hub.account("Ada", "chief"), hub.account("Vera", "viewer"));
    let privacy = "[public]\nserve = true\n[privacy]\nminors-under = 18\n";
    let room = Room::at(Place::new(&hub, "main").with(privacy));
    room.shows(&[]);
    let line = |number: usize, name: &str, born: &str, other: &str| {
        format!(
            "001 {number:>4} m    {name:<33} 1500 GER {:11} {born:<10}  0.0 {number:>4}  {other}\n",
            ""
        )
    };
    let year = jiff::Timestamp::now()
        .to_zoned(jiff::tz::TimeZone::UTC)
        .year();
    let players = [
        line(
            1,
            "Kidd, Minna",
            &format!("{}/01/02", year - 10),
            "   2 w  ",
        ),
        line(2, "Cole, Ben", "1980/01/02", "   1 b  "),
    ];
    let file = dir.path().join("round.trf");
    std::fs::write(&file, format!("012 Open\n{}", players.concat())).expect("a file");
    let file = file.display().to_string();
    for words in [
        &["pairings", "load", &file, "--round", "1"][..],
        &["round", "start", "1"],
    ] {
        let mut command = Command::new(Arbiterd::program());
        let output = command
            .args(words)
            .arg("--dir")
            .arg(room.place.store())
            .output();
        let output = output.expect("a command");
        assert!(output.status.success(), "{output:?}");
    }
    room.board.play("e2", "e4", 'P', White);
    room.shows(&["e2e4"]);
    room.place.until_complete(room.hall());
    let names = |cookie: &str| {
        let boards = hub.asked("/halls/main/api/boards", cookie);
        [&boards[0]["white"], &boards[0]["black"]]
            .map(|name| name.as_str().unwrap_or_default().to_owned())
    };
    for (who, minna) in [(&ada, "Kidd, Minna"), (&vera, "K., Minna")] {
        let seen = look_until(Duration::from_secs(20), || {
            let shown = names(who);
            (shown == [minna, "Cole, Ben"]).then_some(()).ok_or(shown)
        });
        seen.expect("the names");
    }
    room.hall.expect("a hall").close();
    hub.close();
}

fn an_order_that_is_given_again_counts_once_whoever_was_killed_meanwhile(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main"]);
    hub.start();
    let mut main = Room::at(Place::new(&hub, "main").that_takes("\"chief\""));
    main.shows(&[]);
    hub.until_complete(&main.place, main.hall());
    let (status, said) = hub.order(ORDERS, "game-1", "", &new_game("Ada"));
    assert_eq!(status, 200, "{said}");
    let count = games(&main).len();
    // A game without moves is no row of the list: it is known by its players.
    let white = |room: &Room| room.hall().boards()[0]["white"].clone();
    assert_eq!(white(&main), "Ada");
    let taken = acts(&main).len();
    assert_eq!(hub.order(ORDERS, "game-1", "", &new_game("Ada")).0, 200);
    hub.kill();
    hub.start();
    main.kill();
    main.start();
    main.shows(&[]);
    hub.until_complete(&main.place, main.hall());
    assert_eq!(hub.order(ORDERS, "game-1", "", &new_game("Ada")).0, 200);
    assert_eq!((games(&main).len(), acts(&main).len()), (count, taken));
    // Nor does its name stand for anything else.
    let (status, said) = hub.order(ORDERS, "game-1", "", &new_game("Eva"));
    assert!(status == 422 && said.contains("another order"), "{said}");
    let (status, said) = hub.order(ORDERS, "game-2", "", &new_game("Eva"));
    assert_eq!(status, 200, "{said}");
    assert_eq!(white(&main), "Eva");

    // A hall that is away is told nothing, and nothing is kept for it.
    main.kill();
    hub.until_hall("main", |hall| hall["connected"] == false);
    let begun = Instant::now();
    let (status, said) = hub.order(ORDERS, "game-3", "", &new_game("Zoe"));
    assert!(status == 503 && said.contains("nothing was done"), "{said}");
    assert!(begun.elapsed() < Duration::from_secs(3));
    main.start();
    main.shows(&[]);
    hub.until_complete(&main.place, main.hall());
    assert_eq!(white(&main), "Eva");
    assert_eq!(hub.mirror_is_sound("main"), "");
    main.hall.expect("a hall").close();
    hub.close();
}

fn an_order_that_arrives_late_is_refused_and_never_carried_out(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main"]);
    hub.start();
    let main = Room::at(Place::new(&hub, "main").that_takes("\"chief\""));
    main.shows(&[]);
    hub.until_complete(&main.place, main.hall());
    let is_kept = way == Way::WebSocket;
    // The hall stands still, and the line stays: what is sent waits in it.
    let pid = Pid::from_raw(main.hall().pid().cast_signed());
    kill(pid, Signal::SIGSTOP).expect("a signal");
    let (status, said) = hub.order(ORDERS, "late-1", "", &new_game("Ada"));
    assert!(status == 504 && said.contains("has not answered"), "{said}");
    kill(pid, Signal::SIGCONT).expect("a signal");
    hub.until_complete(&main.place, main.hall());
    let told = look_until(Duration::from_secs(3), || match acts(&main) {
        told if told.len() == 1 => Ok(told),
        told => Err(told),
    });
    assert_eq!(main.hall().boards()[0]["white"], "");
    match (told, is_kept) {
        (Ok(told), _) => {
            assert_eq!(told[0].2["act"], "refused", "{told:?}");
            assert_eq!(told[0].2["status"], 410, "{told:?}");
            // Given again under its name it stays refused, and says why; anew it is done.
            let (status, said) = hub.order(ORDERS, "late-1", "", &new_game("Ada"));
            assert!(status == 410 && said.contains("s old"), "{said}");
        }
        // The server drops what a hall does not read.
        (Err(told), false) => assert!(told.is_empty(), "{told:?}"),
        (Err(told), true) => panic!("{told:?}"),
    }
    let (status, said) = hub.order(ORDERS, "late-2", "", &new_game("Ada"));
    assert_eq!(status, 200, "{said}");
    assert_eq!(main.hall().boards()[0]["white"], "Ada");
    main.hall.expect("a hall").close();
    hub.close();
}

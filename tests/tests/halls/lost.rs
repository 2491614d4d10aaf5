//! What one side has lost, or decides while something else is on its way, is not taken for what the
//! other wants.

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tests::evening::House;
use tests::rig::{get, let_run, post};

use super::event::{until_has, until_results};
use super::hub::{Hub, Way};
use super::named::{close, give, until_told};
use super::older::{DRAWN, draw, two_halls};
use super::{PATIENCE, Room};

over_both! {
    what_a_hall_postpones_amid_other_news_is_postponed
}

/// Two halls with the first round under way.
fn begun(way: Way, dir: &std::path::Path) -> (Hub, [Room; 2]) {
    let (hub, rooms) = two_halls(way, dir);
    hub.arbiterd(&["round", "start", "1"]);
    until_has(&hub, &rooms[0], "under-way", &[1, 2]);
    until_has(&hub, &rooms[1], "under-way", &[3, 4]);
    (hub, rooms)
}

/// The tables whose games are postponed.
fn postponed(round: &Value) -> Value {
    round["postponed"].clone()
}

fn of_hall(house: &House) -> Value {
    let reply = get(house.address(), "/api/rounds/1").expect("a round");
    serde_json::from_str(&reply.body).expect("JSON")
}

/// While results come from both halls and are entered at the hub, a game is postponed in its hall
/// and resumed again: the hub turns neither back.
fn what_a_hall_postpones_amid_other_news_is_postponed(way: Way) {
    let dir = tempfile::tempdir().expect("a directory");
    let (hub, [main, juniors]) = begun(way, dir.path());
    let result = |n: usize| ["1-0", "0-1"][n % 2];
    for n in 0..8 {
        let [first, second] = [&main, &juniors].map(|room| room.hall().address());
        let said = |address: SocketAddr, what: &str, order: &Value| {
            let path = format!("/api/rounds/1/{what}");
            let reply = post(address, &path, &order.to_string()).expect("a reply");
            assert_eq!(reply.status, 200, "{}", reply.body);
        };
        let results =
            |table: &str, n| json!({ "results": { table: result(n) }, "reason": "so it is" });
        thread::scope(|scope| {
            scope.spawn(|| (0..3).for_each(|k| said(second, "results", &results("3", n + k))));
            scope.spawn(|| {
                said(first, "results", &results("1", n));
                match n % 2 {
                    0 => said(
                        first,
                        "postpone",
                        &json!({ "tables": [2], "reason": "ill" }),
                    ),
                    _ => said(first, "resume", &json!({ "tables": [2] })),
                }
            });
            for k in 0..3 {
                hub.post("/api/rounds/1/results", &results("4", n + k).to_string());
                let_run(Duration::from_millis(50));
            }
        });
        let_run(Duration::from_millis(1_500));
        let wanted = if n % 2 == 0 { json!([2]) } else { json!([]) };
        assert_eq!(postponed(&of_hall(main.hall())), wanted, "in the hall, {n}");
        assert_eq!(
            postponed(&hub.asked("/api/rounds/1", "")),
            wanted,
            "at the hub, {n}"
        );
    }
    close(hub, [main, juniors]);
}

/// A hall is put back to a copy from before it has corrected a result, withdrawn another and
/// postponed a game: at the hub they stay, and it is said.
#[test]
fn what_a_hall_has_lost_of_its_decisions_stays_at_the_hub() {
    let dir = tempfile::tempdir().expect("a directory");
    let (hub, [main, mut juniors]) = begun(Way::WebSocket, dir.path());
    give(&juniors, &json!({ "3": "1/2-1/2" }));
    give(&main, &json!({ "1": "1-0" }));
    until_results(&hub, &[(3, "1/2-1/2"), (1, "1-0")]);
    juniors.kill();
    let older = juniors.place.copy_store();
    juniors.start();
    let corrected = json!({ "results": { "3": "1-0" }, "reason": "so the sheets" });
    let (status, said) = juniors.hall().post("/api/rounds/1/results", &corrected);
    assert_eq!(status, 200, "{said}");
    let order = json!({ "tables": [4], "reason": "ill" });
    let (status, said) = juniors.hall().post("/api/rounds/1/postpone", &order);
    assert_eq!(status, 200, "{said}");
    until_results(&hub, &[(3, "1-0")]);
    hub.until_complete(&juniors.place, juniors.hall());
    let_run(Duration::from_secs(1));
    assert_eq!(postponed(&hub.asked("/api/rounds/1", "")), json!([4]));

    juniors.kill();
    juniors.place.put_back(&older);
    juniors.start();
    until_told(&hub, "juniors", "table 1.3 has another result");
    let_run(Duration::from_secs(1));
    until_results(&hub, &[(3, "1-0")]);
    assert_eq!(postponed(&hub.asked("/api/rounds/1", "")), json!([4]));
    // What the hub has of the postponement, the hall is ordered.
    let is = tests::rig::look_until(PATIENCE, || match postponed(&of_hall(juniors.hall())) {
        is if is == json!([4]) => Ok(()),
        other => Err(other),
    });
    is.expect("postponed in the hall again");

    // A withdrawal that it has lost is none that it takes back.
    let order = json!({ "tables": [3], "reason": "it goes on" });
    let (status, said) = juniors.hall().post("/api/rounds/1/results", &corrected);
    assert_eq!(status, 200, "{said}");
    hub.until_hall("juniors", |shown| shown["event"].is_null());
    juniors.kill();
    std::fs::remove_dir_all(&older).expect("a copy");
    let older = juniors.place.copy_store();
    juniors.start();
    let (status, said) = juniors.hall().post("/api/rounds/1/withdraw", &order);
    assert_eq!(status, 200, "{said}");
    until_results(&hub, &[(3, "")]);
    juniors.kill();
    juniors.place.put_back(&older);
    juniors.start();
    until_told(&hub, "juniors", "table 1.3 has another result");
    until_results(&hub, &[(3, ""), (1, "1-0")]);
    close(hub, [main, juniors]);
}

/// An event is not closed beside a hall that is away, or one with another result; where somebody
/// closes it all the same, that is said for good.
#[test]
fn an_event_is_not_closed_beside_what_a_hall_has_otherwise() {
    let dir = tempfile::tempdir().expect("a directory");
    let (mut hub, [main, mut juniors]) = begun(Way::WebSocket, dir.path());
    give(&main, &json!({ "1": "1-0", "2": "1-0" }));
    give(&juniors, &json!({ "3": "1-0", "4": "0-1" }));
    until_results(&hub, &[(1, "1-0"), (2, "1-0"), (3, "1-0"), (4, "0-1")]);
    hub.arbiterd(&["round", "close", "1"]);
    until_has(&hub, &juniors, "closed", &[3, 4]);
    hub.kill();
    let corrected = json!({ "results": { "3": "0-1" }, "reason": "so the sheets" });
    let (status, said) = juniors.hall().post("/api/rounds/1/results", &corrected);
    assert_eq!(status, 200, "{said}");
    juniors.kill();
    hub.start();
    hub.until_hall("main", |shown| shown["connected"] == true);
    let said = hub.refuses(&["event", "close"]);
    assert!(
        said.contains("there is no line to hall `juniors`"),
        "{said}"
    );
    hub.arbiterd(&["event", "close", "--anyway"]);
    hub.arbiterd(&["event", "new", "--name", "Open", "--rounds", "3"]);
    draw(&hub, DRAWN);
    juniors.start();
    let told = "the event `Open` is closed, and table 1.3 has 0-1 there and 1-0 here";
    until_told(&hub, "juniors", told);
    until_has(&hub, &juniors, "drawn", &[3, 4]);
    until_told(&hub, "juniors", told);
    close(hub, [main, juniors]);
}

/// A hall has begun a round by itself: the hub begins no other before that.
#[test]
fn a_round_that_has_begun_in_a_hall_begins_at_the_hub_before_another() {
    let dir = tempfile::tempdir().expect("a directory");
    let (hub, [main, juniors]) = two_halls(Way::WebSocket, dir.path());
    let (status, said) = juniors.hall().post("/api/rounds/1/start", &json!({}));
    assert_eq!(status, 200, "{said}");
    until_told(&hub, "juniors", "round 1 is under way there");
    let file = hub.path("second.csv");
    std::fs::write(&file, DRAWN.replace("Jung,Koch", "Koch,Jung")).expect("a file");
    let file = file.display().to_string();
    hub.arbiterd(&["pairings", "load", &file, "--round", "2"]);
    let said = hub.refuses(&["round", "start", "2"]);
    assert!(
        said.contains("round 1 has begun in hall `juniors`"),
        "{said}"
    );
    // Where another has begun in the other hall meanwhile, neither keeps the other from beginning.
    let is = tests::rig::look_until(PATIENCE, || {
        match main.hall().post("/api/rounds/2/start", &json!({})) {
            (200, _) => Ok(()),
            other => Err(other),
        }
    });
    is.expect("the second round in the other hall");
    until_told(&hub, "main", "round 2 is under way there");
    hub.arbiterd(&["round", "start", "1"]);
    hub.until_hall("juniors", |shown| shown["event"].is_null());
    close(hub, [main, juniors]);
}

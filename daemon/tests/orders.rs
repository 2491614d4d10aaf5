//! Orders through the interface: each has a name, is taken back by it, and what has no effect is
//! refused. All of it is in the journal, and comes back from there.

#![cfg(feature = "simulators")]

#[path = "support/house.rs"]
mod house;
#[path = "support/play.rs"]
mod play;

use arbiter_core::SensorClass;
use daemon::hall;
use daemon::mating::Follower;
use daemon::script::Reader;
use house::House;
use play::{Play, play};
use serde_json::{Value, json};

const PLAY: Play = Play {
    board: "b01",
    class: SensorClass::Piece,
    seed: 4,
    breaches: &[],
};

/// The names of the orders that have effect.
async fn orders(house: &House) -> Vec<String> {
    let board = house.board("b01").await;
    let orders = board["orders"].as_array().expect("a list").iter();
    let names = orders.filter_map(|order| order["order"].as_str());
    names.map(str::to_owned).collect()
}

/// What is said to a script, and the game in the end.
fn replayed(script: &str) -> (String, Value) {
    let (mut follower, mut said) = (Follower::new(), Vec::new());
    for event in Reader::new("game", script.as_bytes()) {
        let event = event.expect("a line of a script");
        assert!(
            follower.handle(&event, &mut said).is_empty(),
            "answers are recorded"
        );
    }
    let view = hall::view(follower.arbiter(), None);
    let view = serde_json::to_value(view).expect("a view is JSON");
    (
        serde_json::to_string(&said).expect("rulings are JSON"),
        view,
    )
}

#[tokio::test]
async fn what_is_ordered_by_mistake_is_taken_back() {
    let dir = tempfile::tempdir().unwrap();
    let (truth, _playing) = play(dir.path(), PLAY);
    let house = House::open(dir.path(), &["b01"]);
    house
        .until("b01", "some moves", |board| {
            board["ply"].as_u64() >= Some(4)
        })
        .await;

    // An order that nobody named has a name; one that was named keeps it.
    let result = json!({"event": "arbiter", "action": "result", "result": "1-0", "author": "Ada"});
    let (status, done) = house.order("b01", result).await;
    assert_eq!((status, &done["written"]), (200, &json!(true)), "{done}");
    let result = done["order"].as_str().expect("a name").to_owned();
    let report = json!({
        "event": "arbiter", "action": "report", "code": "two-hands", "by": "white", "order": "r"
    });
    let (_, done) = house.order("b01", report).await;
    assert_eq!(done["order"], "r");
    // Whoever did not hear that sends it again: it counts once. Another of that name is refused.
    let again = |by: &str| {
        json!({
            "event": "arbiter", "action": "report", "code": "two-hands", "by": by, "order": "r"
        })
    };
    let (status, done) = house.order("b01", again("white")).await;
    assert_eq!((status, &done["order"]), (200, &json!("r")), "{done}");
    assert_eq!(house.order("b01", again("black")).await.0, 409);
    assert_eq!(orders(&house).await, [result.clone(), "r".to_owned()]);
    let ended = house.board("b01").await;
    assert_eq!(
        (&ended["state"], &ended["orders"][0]["author"]),
        (&json!("ended"), &json!("Ada"))
    );

    // What has no effect is refused, with what is open instead.
    let refused = [
        (
            json!({"event": "arbiter", "action": "dismiss", "id": 7}),
            "has no finding 7",
        ),
        (
            json!({"event": "arbiter", "action": "resume"}),
            "has not been paused",
        ),
        (
            json!({"event": "resign", "by": "white"}),
            "not being played",
        ),
        (
            json!({"event": "arbiter", "action": "pause", "order": "r"}),
            "another order is called r",
        ),
        (
            json!({"event": "arbiter", "action": "take-back", "order": "x"}),
            "No order x",
        ),
        (
            json!({"event": "arbiter", "action": "played", "ply": 99, "move": "e2e4"}),
            "ply 99",
        ),
    ];
    for (order, why) in refused {
        let (status, problem) = house.order("b01", order).await;
        let error = problem["error"].as_str().unwrap_or_default().to_lowercase();
        assert_eq!(status, 409, "{problem}");
        assert!(error.contains(&why.to_lowercase()), "{error}");
    }

    // The moves that the board saw since are there, as if nobody had ended the game.
    for order in [result.as_str(), "r"] {
        let back = json!({"event": "arbiter", "action": "take-back", "order": order});
        let (status, done) = house.order("b01", back.clone()).await;
        assert_eq!((status, &done["order"]), (200, &Value::Null), "{done}");
        assert_eq!(house.order("b01", back).await.0, 409, "twice");
    }
    let moves = json!(truth);
    let board = house
        .until("b01", "the whole game", |board| board["moves"] == moves)
        .await;
    assert_eq!(
        (&board["result"], &board["open"]),
        (&Value::Null, &json!(0))
    );
    assert_eq!(board["findings"][0]["status"], "withdrawn");
    assert!(orders(&house).await.is_empty());

    // The journal tells it again, to the byte, and so does the daemon after a restart.
    let game = board["game"].as_str().expect("a name");
    let (_, script) = house
        .ask("GET", &format!("/api/games/{game}/script"), "")
        .await;
    assert_eq!(replayed(&script), replayed(&script));
    let (said, view) = replayed(&script);
    assert!(said.contains(r#""ruling":"refused","order":"x""#), "{said}");
    for field in ["plies", "findings", "orders", "doubts", "fen", "result"] {
        assert_eq!(view[field], board[field], "{field}");
    }
    house.close().await;
    let house = House::open(dir.path(), &["b01"]);
    let again = house
        .until("b01", "the game again", |board| board["moves"] == moves)
        .await;
    for field in ["plies", "findings", "orders", "fen", "result"] {
        assert_eq!(again[field], board[field], "{field}");
    }
    house.close().await;
}

#[tokio::test]
async fn an_order_means_a_finding_by_more_than_its_number() {
    let dir = tempfile::tempdir().unwrap();
    let (_, _playing) = play(dir.path(), PLAY);
    let house = House::open(dir.path(), &["b01"]);
    house
        .until("b01", "some moves", |board| {
            board["ply"].as_u64() >= Some(2)
        })
        .await;
    let report = json!({"event": "arbiter", "action": "report", "code": "clock-other-hand"});
    assert_eq!(house.order("b01", report).await.0, 200);
    let board = house.board("b01").await;
    let id = &board["findings"][0]["id"];
    let uphold = json!({"event": "arbiter", "action": "uphold", "id": id});
    assert_eq!(
        house.order("b01", uphold).await.0,
        409,
        "what is reported is upheld"
    );
    let game = board["game"].as_str().expect("a name");
    let (_, script) = house
        .ask("GET", &format!("/api/games/{game}/script"), "")
        .await;
    let line = script
        .lines()
        .find(|line| line.contains("uphold"))
        .expect("the order");
    let line: Value = serde_json::from_str(line).expect("JSON");
    assert_eq!(
        (&line["id"], &line["code"]),
        (id, &json!("clock-other-hand"))
    );
    assert_eq!(
        (&line["ply"], &line["by"]),
        (&board["findings"][0]["ply"], &json!("either"))
    );
    house.close().await;
}

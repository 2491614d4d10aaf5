//! What was found in a game waits for the arbiter though the next game is played: he is told of it,
//! and rules on it, whatever is on the board by then.

#![cfg(feature = "simulators")]

#[path = "support/house.rs"]
mod house;
#[path = "support/play.rs"]
mod play;

use arbiter_core::SensorClass;
use arbiter_core::irregularity::Code;
use house::House;
use play::{PLIES, Play, play};
use serde_json::{Value, json};

const BREACH: &[(Code, u32)] = &[(Code::TouchMoveOwnPiece, 6)];

async fn rule(house: &House, game: &str, action: Value) -> (u16, Value) {
    let mut order = json!({ "event": "arbiter" });
    for (name, value) in action.as_object().expect("an action") {
        order[name] = value.clone();
    }
    let path = format!("/api/games/{game}/orders");
    let (status, body) = house.ask("POST", &path, &order.to_string()).await;
    (status, serde_json::from_str(&body).expect("JSON"))
}

#[tokio::test]
async fn a_finding_outlives_its_game_until_it_is_ruled_on() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &["b01"]);
    let at_play = Play {
        board: "b01",
        class: SensorClass::Piece,
        seed: 4,
        breaches: BREACH,
    };
    let (truth, playing) = play(dir.path(), at_play);
    assert!(truth.len() >= PLIES);
    let plies = truth.len();
    let board = house
        .until("b01", "all moves", |board| board["ply"] == plies)
        .await;
    let (game, id) = (
        board["game"].as_str().unwrap().to_owned(),
        board["findings"][0]["id"].clone(),
    );
    assert_eq!(board["open"], 1);
    let at_hand = house.json("/api/unruled").await;
    assert_eq!(
        (&at_hand[0]["game"], &at_hand[0]["at_hand"]),
        (&json!(game), &json!(true))
    );
    let won = json!({ "event": "arbiter", "action": "result", "result": "1-0" });
    assert_eq!(house.order("b01", won).await.0, 200);
    let next = json!({ "event": "new-game", "white": "Cid", "black": "Dee" });
    assert_eq!(house.order("b01", next).await.0, 200);
    let board = house
        .until("b01", "another game", |board| board["game"] != game)
        .await;
    assert_eq!(board["findings"], json!([]));

    let open = house.json("/api/unruled").await;
    assert_eq!(open.as_array().map(Vec::len), Some(1), "{open}");
    assert_eq!(
        (&open[0]["game"], &open[0]["findings"][0]["id"]),
        (&json!(game), &id)
    );
    assert_eq!(open[0]["at_hand"], false);
    for (action, words) in [
        (
            json!({ "action": "uphold", "id": id }),
            "put a position back",
        ),
        (json!({ "action": "pause" }), "plays another game"),
        (json!({ "action": "dismiss", "id": 77 }), "77"),
    ] {
        let (status, said) = rule(&house, &game, action).await;
        assert_eq!(status, 409, "{said}");
        assert!(said["error"].as_str().unwrap().contains(words), "{said}");
    }
    let nobody = rule(&house, "2026-01-01-b01-1", json!({ "action": "pause" })).await;
    assert_eq!(nobody.0, 404, "{}", nobody.1);

    // The daemon has been away meanwhile.
    house.close().await;
    let house = House::open(dir.path(), &["b01"]);
    let (status, said) = rule(&house, &game, json!({ "action": "dismiss", "id": id })).await;
    assert_eq!(status, 200, "{said}");
    assert_eq!(house.json("/api/unruled").await, json!([]));
    let (status, said) = rule(&house, &game, json!({ "action": "dismiss", "id": id })).await;
    assert_eq!(status, 409, "{said}");
    // Neither game has lost anything.
    let told = house.json(&format!("/api/games/{game}")).await;
    assert_eq!(told["view"]["findings"][0]["status"], "dismissed");
    assert_eq!(
        (&told["result"], &told["plies"]),
        (&json!("1-0"), &json!(plies))
    );
    assert_eq!(house.board("b01").await["white"], "Cid");
    house.close().await;
    playing.abort();
    let (games, wrong) = daemon::store::verify(&dir.path().join("store")).unwrap();
    assert!(games.iter().all(|game| game.damage.is_none()));
    assert!(wrong.is_empty(), "{wrong:?}");
}

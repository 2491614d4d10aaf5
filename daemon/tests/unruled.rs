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

/// A touch that is upheld many half-moves later takes them out of the record: it is asked first.
#[tokio::test]
async fn what_takes_moves_out_of_the_record_is_asked_first() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &["b01"]);
    let at_play = Play {
        board: "b01",
        class: SensorClass::Piece,
        seed: 4,
        breaches: BREACH,
    };
    let (truth, playing) = play(dir.path(), at_play);
    let plies = truth.len();
    let board = house
        .until("b01", "all moves", |board| board["ply"] == plies)
        .await;
    let game = board["game"].as_str().unwrap().to_owned();
    let finding = &board["findings"][0];
    let (id, ply) = (&finding["id"], finding["ply"].as_u64().unwrap());
    let order = json!({ "event": "arbiter", "action": "uphold", "id": id }).to_string();
    let gone = plies as u64 - (ply - 1);
    let san = |n: usize| board["plies"][n]["san"].as_str().unwrap().to_owned();
    for path in [
        "/api/boards/b01/orders".to_owned(),
        format!("/api/games/{game}/orders"),
    ] {
        let (status, body) = house.ask("POST", &path, &order).await;
        let said: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(
            (status, &said["cut"]["half_moves"]),
            (409, &json!(gone)),
            "{said}"
        );
        let moves = said["cut"]["moves"].as_str().unwrap();
        assert!(moves.starts_with(&format!("3... {}", san(5))), "{moves}");
        assert!(moves.ends_with(&san(plies - 1)), "{moves}");
        // The opponent has touched pieces since: he may not claim it any more (4.8).
        assert_eq!(said["cut"]["claim_over"], true);
        let error = said["error"].as_str().unwrap();
        assert!(
            error.contains("confirmed=true") && error.contains(moves) && !error.contains(".)."),
            "{error}"
        );
    }
    assert_eq!(house.board("b01").await["ply"], plies);
    let path = format!("/api/games/{game}/orders?confirmed=true");
    let (status, said) = house.ask("POST", &path, &order).await;
    assert_eq!(status, 200, "{said}");
    let board = house
        .until("b01", "the position", |board| board["ply"] == ply - 1)
        .await;
    assert_eq!(board["findings"][0]["status"], "upheld");
    house.close().await;
    playing.abort();
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

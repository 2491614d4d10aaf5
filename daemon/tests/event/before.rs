//! What is done to a round before anybody plays in it.

use serde_json::json;

use super::house::House;
use super::{PAIRINGS, at, does, file, refused};

#[tokio::test]
async fn a_forfeit_is_entered_the_evening_before() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &[]);
    does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    let played = json!({ "results": { "2": "1-0" } });
    let results = "/api/rounds/1/results";
    refused(&house, results, played, 409, "is not under way").await;
    does(&house, results, json!({ "results": { "2": "-/+" } })).await;
    house.close().await;
    let house = House::open(dir.path(), &[]);
    let round = does(&house, "/api/rounds/1/start", json!({})).await;
    assert_eq!(round["waiting"], json!([1, 3, 4]));
    let forfeit = at(&house, 1, 2).await;
    assert_eq!(
        (&forfeit["result"], &forfeit["confirmed"]),
        (&json!("-/+"), &json!(true))
    );
    house.close().await;
}

#[tokio::test]
async fn a_round_that_was_drawn_by_mistake_is_taken_back() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &[]);
    let undraw = "/api/rounds/1/undraw";
    refused(&house, undraw, json!({}), 404, "round 1 is not drawn").await;
    does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    let event = does(&house, undraw, json!({})).await;
    assert_eq!(event["rounds"], json!([]));
    house.close().await;
    let house = House::open(dir.path(), &[]);
    assert_eq!(house.json("/api/event").await["rounds"], json!([]));
    does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    does(&house, "/api/rounds/1/start", json!({})).await;
    let moves = json!({ "table": 4, "moves": "1. e4 e5" });
    does(&house, "/api/rounds/1/moves", moves).await;
    let words =
        "round 1 stays drawn: there is a game, moves, a result or a postponement at table 4";
    refused(&house, undraw, json!({}), 409, words).await;
    house.close().await;
}

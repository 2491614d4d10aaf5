//! A round that nobody has started, and is played.

use serde_json::json;

use super::house::House;
use super::{BOARDS, PAIRINGS, does, file, put};

#[tokio::test]
async fn who_plays_before_the_round_is_started_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    assert_eq!(house.json("/api/rounds/1").await["begun_early"], json!([]));
    let playing = put(dir.path(), "b02", 4, 6);
    house
        .until("b02", "moves", |board| board["ply"].as_u64() >= Some(2))
        .await;
    assert_eq!(house.json("/api/rounds/1").await["begun_early"], json!([2]));
    let event = house.json("/api/event").await;
    assert_eq!(event["rounds"][0]["begun_early"], json!([2]));
    // What is played already is not followed as the game of the round: that is told until the
    // pieces are set up again.
    let round = does(&house, "/api/rounds/1/start", json!({})).await;
    assert_eq!(
        (&round["begun_early"], &round["waiting"]),
        (&json!([2]), &json!([1, 2, 3, 4]))
    );
    house.close().await;
    playing.abort();
}

/// The pieces of a postponed table are handled, and then another round is drawn, and the game is
/// called: nobody plays there.
#[tokio::test]
async fn who_handles_pieces_at_a_postponed_table_plays_no_later_round() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    let later = json!({ "tables": [2], "reason": "the train is late" });
    does(&house, "/api/rounds/1/postpone", later).await;
    let playing = put(dir.path(), "b02", 4, 6);
    house
        .until("b02", "moves", |board| board["ply"].as_u64() == Some(6))
        .await;
    assert_eq!(house.json("/api/rounds/1").await["begun_early"], json!([]));
    does(&house, "/api/rounds/1/start", json!({})).await;
    let others = json!({ "results": { "1": "1-0", "3": "1-0", "4": "1-0" } });
    does(&house, "/api/rounds/1/results", others).await;
    does(&house, "/api/rounds/1/close", json!({})).await;
    does(&house, "/api/pairings", file(PAIRINGS, 2)).await;
    assert_eq!(house.json("/api/rounds/2").await["begun_early"], json!([]));
    let started = does(&house, "/api/rounds/2/start", json!({})).await;
    assert_eq!(started["begun_early"], json!([]));
    house.close().await;
    playing.abort();
}

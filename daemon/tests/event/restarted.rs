//! What is at hand on a board after the daemon has ended, where boards have changed their tables.

use serde_json::json;

use super::house::House;
use super::{BOARDS, PAIRINGS, does, file, put, until};

/// A board takes over a table whose game has its result, and a game outside of the event is begun
/// on it: it is that one which goes on.
#[tokio::test]
async fn a_game_outside_of_the_event_goes_on_on_a_board_that_took_over_a_table() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    does(&house, "/api/rounds/1/start", json!({})).await;
    let playing = put(dir.path(), "b02", 4, 6);
    let waiting = put(dir.path(), "b03", 5, 0);
    house
        .until("b02", "all moves", |board| board["ply"] == 6)
        .await;
    house
        .until("b03", "a board", |board| board["connected"] == true)
        .await;
    let decided = json!({ "results": { "2": "0-1" }, "decided": true, "reason": "he left" });
    does(&house, "/api/rounds/1/results", decided).await;
    until(&house, 2, "a result", |seats| seats["confirmed"] == true).await;
    does(&house, "/api/tables/2/bind", json!({ "board": "b03" })).await;
    let begun = json!({ "event": "new-game", "white": "Tie", "black": "Break" });
    assert_eq!(house.order("b03", begun).await.0, 200);
    let board = house
        .until("b03", "the game", |board| board["white"] == "Tie")
        .await;
    let game = board["game"].clone();
    house.close().await;
    playing.abort();
    waiting.abort();

    let house = House::open(dir.path(), &BOARDS);
    let board = house.board("b03").await;
    assert_eq!((&board["game"], &board["white"]), (&game, &"Tie".into()));
    house.close().await;
}

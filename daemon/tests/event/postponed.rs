//! A game that is played later than its round, on the board of its table.

use arbiter_core::shakmaty::Position;
use board_driver::hand::{Options, Style, games, perform};
use serde_json::json;

use super::house::House;
use super::{BOARDS, PAIRINGS, at, does, file, moves, put_played, refused, until};

#[tokio::test]
async fn a_postponed_game_is_played_on_its_board_when_it_is_called() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    does(&house, "/api/rounds/1/start", json!({})).await;
    let later = json!({ "tables": [1, 2], "reason": "the train is late" });
    let round = does(&house, "/api/rounds/1/postpone", later.clone()).await;
    assert_eq!(round["postponed"], json!([1, 2]));
    assert_eq!(
        (&round["open"], &round["waiting"]),
        (&json!([3, 4]), &json!([3, 4]))
    );
    let again = "table 1 of round 1 is postponed";
    refused(&house, "/api/rounds/1/postpone", later, 409, again).await;

    // The pieces of the postponed game are moved: that is analysis, and no game.
    let game = games::pick(4);
    let moves = &game.moves[..game.moves.len().min(40)];
    let options = Options::default();
    let played = perform(&game.start, moves, Style::Tidy, 4, &[], &options);
    let analysis = put_played(dir.path(), "b01", 4, &played);
    let moved = |board: &serde_json::Value| board["ply"].as_u64() >= Some(4);
    house.until("b01", "moves", moved).await;
    let others = json!({ "results": { "3": "1-0", "4": "1/2-1/2" } });
    does(&house, "/api/rounds/1/results", others).await;
    let round = does(&house, "/api/rounds/1/close", json!({})).await;
    assert_eq!(
        (&round["stage"], &round["postponed"]),
        (&json!("closed"), &json!([1, 2]))
    );
    assert_eq!(at(&house, 1, 1).await["game"], json!(null));
    analysis.abort();
    let _ended = analysis.await;

    // On its day the game is called, and begins with its players once somebody touches a piece.
    let called = json!({ "tables": [2] });
    let round = does(&house, "/api/rounds/1/resume", called).await;
    assert_eq!(
        (&round["open"], &round["postponed"]),
        (&json!([2]), &json!([1]))
    );
    let playing = put_played(dir.path(), "b02", 4, &played);
    let begun = until(&house, 2, "the game", |seats| seats["game"].is_string()).await;
    let shows = |board: &serde_json::Value| board["game"] == begun["game"];
    let board = house.until("b02", "the game", shows).await;
    assert_eq!(
        (&board["white"], &board["round"]),
        (&json!("Cole, Ben"), &json!("1.2"))
    );
    // Both results come late, and then the event can be closed.
    refused(
        &house,
        "/api/event/close",
        json!({}),
        409,
        "result: 1.1, 1.2",
    )
    .await;
    let results = json!({ "1": "0-1", "2": "1-0" });
    let late = json!({ "results": results, "decided": true, "reason": "agreed" });
    let round = does(&house, "/api/rounds/1/results", late).await;
    assert_eq!(
        (&round["open"], &round["postponed"]),
        (&json!([]), &json!([]))
    );
    does(&house, "/api/event/close", json!({})).await;
    house.close().await;
    playing.abort();
}

/// A game is adjourned, and its board plays another round: it is called, set up on a board that
/// comes to its table, and played on from where it was.
#[tokio::test]
async fn an_adjourned_game_is_played_on_on_any_board() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    does(&house, "/api/rounds/1/start", json!({})).await;
    let game = games::pick(4);
    let (first, rest) = (&game.moves[..20], &game.moves[20..30]);
    let options = Options::default();
    let begun = perform(&game.start, first, Style::Tidy, 4, &[], &options);
    let playing = put_played(dir.path(), "b01", 4, &begun);
    let board = house
        .until("b01", "the first half", |board| board["ply"] == 20)
        .await;
    let name = board["game"].clone();
    let later = json!({ "tables": [1], "reason": "adjourned" });
    does(&house, "/api/rounds/1/postpone", later).await;
    let is_stopped = |board: &serde_json::Value| board["state"] == "paused";
    house.until("b01", "no game", is_stopped).await;
    // Nobody is told that the board follows it.
    let typed = json!({ "table": 1, "after": 20, "moves": "11. Kf1" });
    let told = "this game is adjourned, and goes on where board `b01` has left it, after 20";
    refused(&house, "/api/rounds/1/moves", typed, 422, told).await;
    playing.abort();
    let _ended = playing.await;
    let others = json!({ "results": { "2": "1-0", "3": "1-0", "4": "1/2-1/2" } });
    does(&house, "/api/rounds/1/results", others).await;
    does(&house, "/api/rounds/1/close", json!({})).await;

    // The same board plays the next round.
    does(&house, "/api/pairings", file(PAIRINGS, 2)).await;
    does(&house, "/api/rounds/2/start", json!({})).await;
    let next = perform(&game.start, &game.moves[..6], Style::Tidy, 6, &[], &options);
    let playing = put_played(dir.path(), "b01", 6, &next);
    let is_next = |board: &serde_json::Value| board["round"] == "2.1" && board["ply"] == 6;
    house.until("b01", "the next round", is_next).await;
    does(&house, "/api/rounds/1/resume", json!({ "tables": [1] })).await;
    let board = house.board("b01").await;
    assert_eq!(board["round"], "2.1", "it is not disturbed");
    playing.abort();
    let _ended = playing.await;

    // The adjourned game comes to the third board, which comes to its table once that is free.
    let result = json!({ "results": { "1": "1-0" } });
    does(&house, "/api/rounds/2/results", result).await;
    let is_it = |board: &serde_json::Value| board["game"] == name && board["state"] == "paused";
    house.until("b01", "the adjourned game", is_it).await;
    // The result was that of another table: the game of the round goes on, and comes back.
    let slip = json!({ "tables": [1], "reason": "the wrong table" });
    does(&house, "/api/rounds/2/withdraw", slip).await;
    let is_back = |board: &serde_json::Value| board["round"] == "2.1" && board["ply"] == 6;
    house.until("b01", "the game of the round", is_back).await;
    let result = json!({ "results": { "1": "1-0" } });
    does(&house, "/api/rounds/2/results", result).await;
    house.until("b01", "the adjourned game again", is_it).await;
    does(&house, "/api/tables/1/bind", json!({ "board": "b03" })).await;
    house.until("b03", "the adjourned game", is_it).await;
    let mut middle = game.start.clone();
    first.iter().for_each(|m| middle.play_unchecked(*m));
    let set_up = perform(&middle, &[], Style::Tidy, 5, &[], &options);
    let setting_up = put_played(dir.path(), "b03", 5, &set_up);
    let stands = |board: &serde_json::Value| {
        board["connected"] == true && is_it(board) && board["differs"] == json!([])
    };
    house.until("b03", "the position", stands).await;
    let goes_on = json!({ "event": "arbiter", "action": "resume" });
    assert_eq!(house.order("b03", goes_on).await.0, 200);
    setting_up.abort();
    let _ended = setting_up.await;
    let going_on = perform(&middle, rest, Style::Tidy, 5, &[], &options);
    let playing = put_played(dir.path(), "b03", 5, &going_on);
    let board = house
        .until("b03", "the second half", |board| board["ply"] == 30)
        .await;
    assert_eq!(board["moves"], json!(moves(&game.moves[..30])));
    assert_eq!(board["findings"], json!([]));
    house.close().await;
    playing.abort();
    let (games, wrong) = daemon::store::verify(&dir.path().join("store")).unwrap();
    assert!(
        games.iter().all(|game| game.damage.is_none()) && wrong.is_empty(),
        "{wrong:?}"
    );
}

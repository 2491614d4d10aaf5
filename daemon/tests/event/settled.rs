//! Results that answer what a board asks, and results that the board's moves speak against.

use arbiter_core::ruling::GameResult;
use arbiter_core::shakmaty::san::San;
use arbiter_core::shakmaty::{Chess, Position};
use board_driver::hand::{Options, Style, games, perform, perform_two};
use serde_json::{Value, json};

use super::house::House;
use super::{BOARDS, PAIRINGS, at, does, file, put, put_played, refused, until};

/// After a draw that only the arbiter knows of, the pieces are set up again: the result that he
/// types answers whether the game has ended, at hand and when the next one is.
#[tokio::test]
async fn a_typed_result_leaves_nothing_to_be_ruled_on() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    does(&house, "/api/rounds/1/start", json!({})).await;
    let [mut first, mut second] = [4, 5].map(|seed| games::pick(seed).clone());
    first.moves.truncate(10);
    second.moves.truncate(2);
    let options = Options::default();
    let played = perform_two(&first, &second, Style::Tidy, 4, &options);
    let playing = put_played(dir.path(), "b01", 4, &played);
    let asked = |board: &Value| board["doubts"][0]["kind"] == "game-ended";
    house.until("b01", "the question", asked).await;
    assert_eq!(house.json("/api/rounds/1").await["unruled"], json!([1]));
    let drawn = json!({ "results": { "1": "1/2-1/2" } });
    let round = does(&house, "/api/rounds/1/results", drawn).await;
    assert_eq!(round["unruled"], json!([]));
    let answered = |board: &Value| board["doubts"] == json!([]);
    house.until("b01", "the answer", answered).await;
    let named = json!({ "event": "new-game", "white": "Cid", "black": "Dee" });
    assert_eq!(house.order("b01", named).await.0, 200);
    let board = house
        .until("b01", "the next", |board| board["white"] == "Cid")
        .await;
    assert_eq!(board["asked"], Value::Null);
    assert_eq!(house.json("/api/unruled").await, json!([]));
    let (_, pgn) = house
        .ask("GET", "/api/rounds/1/export?format=pgn", "")
        .await;
    assert!(!pgn.contains("doubt"), "{pgn}");
    house.close().await;
    playing.abort();
}

/// A mate that a board has seen is not overturned by a slip of the hand, nor a game with moves by a
/// forfeit.
#[tokio::test]
async fn a_result_against_the_moves_has_a_reason() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    does(&house, "/api/rounds/1/start", json!({})).await;
    let (mut position, mut mate) = (Chess::default(), Vec::new());
    for san in ["f3", "e5", "g4", "Qh4#"] {
        let san: San = san.parse().unwrap();
        let next = san.to_move(&position).unwrap();
        position.play_unchecked(next);
        mate.push(next);
    }
    let options = Options::default();
    let played = perform(&Chess::default(), &mate, Style::Tidy, 4, &[], &options);
    let playing = put_played(dir.path(), "b01", 4, &played);
    until(&house, 1, "a result", |seats| seats["result"] == "0-1").await;
    let enter = "/api/rounds/1/results";
    let result =
        |result: &str, reason: &str| json!({ "results": { "1": result }, "reason": reason });
    refused(
        &house,
        enter,
        result("1-0", ""),
        422,
        "the moves that its board has seen end with 0-1",
    )
    .await;
    refused(
        &house,
        enter,
        result("+/-", " "),
        422,
        "a forfeit behind its moves has a reason",
    )
    .await;
    does(&house, enter, result("0-1", "")).await;
    // At the board nobody says otherwise any more, nor that it was none.
    for order in [
        json!({ "event": "arbiter", "action": "result", "result": "1-0" }),
        json!({ "event": "resign", "by": "black" }),
        json!({ "event": "arbiter", "action": "annul" }),
    ] {
        let (status, said) = house.order("b01", order).await;
        let said = said.to_string();
        assert!(
            status == 409 && said.contains("game-has-result"),
            "{status} {said}"
        );
    }
    let board = house.board("b01").await;
    assert_eq!(board["result"]["reason"], "checkmate");
    does(&house, enter, result("-/+", "an electronic device, 11.3.2")).await;
    house.close().await;
    playing.abort();
}

/// A game that is over and confirmed is called what its event calls it by now: in its file, in what
/// is given out, on its board, and after a restart.
#[tokio::test]
async fn what_is_corrected_later_stands_in_games_that_are_over() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    does(&house, "/api/rounds/1/start", json!({})).await;
    let playing = put(dir.path(), "b01", 4, 10);
    house.until("b01", "ten", |board| board["ply"] == 10).await;
    let drawn = json!({ "event": "arbiter", "action": "result", "result": "1/2-1/2" });
    assert_eq!(house.order("b01", drawn).await.0, 200);
    until(&house, 1, "a result", |seats| seats["result"] == "½-½").await;
    does(&house, "/api/rounds/1/confirm", json!({ "tables": [1] })).await;
    let list = "table,white_no,white,white_rating,black_no,black\n\
                1,1,\"Berg-Lie, Anna\",2333,2,\"Ek, Freja\"\n";
    let list = PAIRINGS
        .replace("table,white,black\n1,\"Berg, Anna\",\"Ek, Freja\"\n", list)
        .replace("2,\"Cole, Ben\",\"Dupont", "2,3,\"Cole, Ben\",,4,\"Dupont")
        .replace("3,Fox,Gray", "3,5,Fox,,6,Gray")
        .replace("4,Hill,Ito", "4,7,Hill,,8,Ito")
        .replace("5,Jung,bye", "5,9,Jung,,,bye");
    does(&house, "/api/pairings", file(&list, 1)).await;
    let described = json!({ "name": "Autumn Open" });
    does(&house, "/api/event/describe", described).await;
    let game = at(&house, 1, 1).await["game"].clone();
    let game = game.as_str().unwrap().to_owned();
    let page = dir.path().join("store/pgn/round-1/table-1.pgn");
    let is_told = async |house: &House| {
        let tags = [
            "[White \"Berg-Lie, Anna\"]",
            "[WhiteElo \"2333\"]",
            "[Event \"Autumn Open\"]",
        ];
        let has_all = |text: &str| tags.iter().all(|tag| text.contains(tag));
        for path in [
            "/api/rounds/1/export?format=pgn".to_owned(),
            format!("/api/games/{game}.pgn"),
        ] {
            let (_, pgn) = house.ask("GET", &path, "").await;
            assert!(has_all(&pgn), "{path}: {pgn}");
        }
        for _ in 0..500 {
            if has_all(&std::fs::read_to_string(&page).unwrap_or_default()) {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        let text = std::fs::read_to_string(&page).unwrap_or_default();
        assert!(has_all(&text), "{text}");
        house
            .until("b01", "the name", |board| {
                board["white"] == "Berg-Lie, Anna"
            })
            .await;
        assert_eq!(house.json("/api/games").await[0]["white"], "Berg-Lie, Anna");
    };
    is_told(&house).await;
    house.close().await;
    playing.abort();
    let house = House::open(dir.path(), &BOARDS);
    // What the boards have of their last games is written once they are there.
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    is_told(&house).await;
    house.close().await;
}

/// What was typed of a game is not replaced in passing once its result is confirmed.
#[tokio::test]
async fn typed_moves_behind_a_confirmed_result_have_a_reason() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &[]);
    does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    does(&house, "/api/rounds/1/start", json!({})).await;
    let path = "/api/rounds/1/moves";
    let sheet = |moves: &str, reason: &str| json!({ "table": 4, "moves": moves, "reason": reason });
    does(&house, path, sheet("1. e4 e5", "")).await;
    does(&house, path, sheet("1. d4 d5", "")).await;
    let result = json!({ "results": { "4": "1-0" } });
    does(&house, "/api/rounds/1/results", result).await;
    // More of the same sheet, and the same once more.
    does(&house, path, sheet("1. d4 d5 2. c4 e6", "")).await;
    does(&house, path, sheet("1. d4 d5 2. c4 e6", "")).await;
    let told = "what was typed of it is replaced only with a reason";
    refused(&house, path, sheet("1. e4 e5", ""), 422, told).await;
    refused(&house, path, sheet("1. d4 d5", " "), 422, told).await;
    does(&house, path, sheet("1. e4 e5", "the other sheet")).await;
    house.close().await;
}

/// The result of a mate follows from the moves; of two results for one table nobody knows which is
/// meant.
#[tokio::test]
async fn a_typed_mate_is_a_result_and_a_table_has_one() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &[]);
    does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    does(&house, "/api/rounds/1/start", json!({})).await;
    let mate = json!({ "table": 4, "moves": "1. f3 e5 2. g4 Qh4#" });
    does(&house, "/api/rounds/1/moves", mate).await;
    let seats = at(&house, 1, 4).await;
    assert_eq!(
        (&seats["result"], &seats["confirmed"]),
        (&json!("0-1"), &json!(true))
    );
    let twice = r#"{"results":{"2":"1-0","2":"0-1"}}"#;
    let (status, said) = house.ask("POST", "/api/rounds/1/results", twice).await;
    assert!(
        status == 422 && said.contains("table 2 is there twice"),
        "{status} {said}"
    );
    assert_eq!(at(&house, 1, 2).await["result"], Value::Null);
    house.close().await;
}

/// A draw that the players show with their kings is confirmed at the desk, and the next one is
/// given another result: nothing of it waits for anybody any more, at hand, in the record, and when
/// the program starts again.
#[tokio::test]
async fn a_result_that_a_board_proposed_and_a_person_gave_waits_for_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    does(&house, "/api/rounds/1/start", json!({})).await;
    let game = games::pick(4);
    let options = Options {
        kings_sign: true,
        result: GameResult::Draw,
        ..Options::default()
    };
    let moves = &game.moves[..10];
    let played = perform(&game.start, moves, Style::Tidy, 4, &[], &options);
    let playing = [
        put_played(dir.path(), "b01", 4, &played),
        put_played(dir.path(), "b02", 5, &played),
    ];
    for board in ["b01", "b02"] {
        let proposed = |board: &Value| board["result"]["proposed"] == true;
        house.until(board, "a draw", proposed).await;
    }
    wait(&house, 2).await;
    does(&house, "/api/rounds/1/confirm", json!({ "tables": [1] })).await;
    let other = json!({ "results": { "2": "1-0" }, "reason": "not agreed" });
    does(&house, "/api/rounds/1/results", other).await;
    for board in ["b01", "b02"] {
        let settled = |board: &Value| board["result"]["proposed"] != true;
        house.until(board, "no question", settled).await;
    }
    settled(&house).await;
    // What the board has shown stays the reason; what is only typed is nobody's decision.
    let decided = json!({ "results": { "2": "0-1" }, "decided": true, "reason": "he has left" });
    for (board, reason) in [("b01", "kings-placed"), ("b02", "entered")] {
        assert_eq!(house.board(board).await["result"]["reason"], reason);
    }
    does(&house, "/api/rounds/1/results", decided).await;
    let is_decided = |board: &Value| board["result"]["reason"] == "arbiter";
    house.until("b02", "the decision", is_decided).await;
    // A result that is taken back is asked for again.
    let back = json!({ "tables": [1], "reason": "the wrong table" });
    does(&house, "/api/rounds/1/withdraw", back).await;
    let proposed = |board: &Value| board["result"]["proposed"] == true;
    house.until("b01", "the question", proposed).await;
    does(&house, "/api/rounds/1/confirm", json!({ "tables": [1] })).await;
    house
        .until("b01", "the answer", |board| !proposed(board))
        .await;
    settled(&house).await;
    house.close().await;
    let house = House::open(dir.path(), &BOARDS);
    settled(&house).await;
    house.close().await;
    playing.iter().for_each(|playing| playing.abort());
}

/// How many games wait for somebody to say how they ended.
async fn ends(house: &House) -> usize {
    let all = house.json("/api/incidents").await;
    let is_end = |one: &&Value| one["id"].as_str().is_some_and(|id| id.ends_with(".end"));
    all.as_array()
        .expect("incidents")
        .iter()
        .filter(is_end)
        .count()
}

/// So many games wait for that, in time.
async fn wait(house: &House, count: usize) {
    for _ in 0..500 {
        if ends(house).await == count {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("{count} in time: {}", ends(house).await);
}

/// Nothing asks how a game has ended, also not a while later, and no PGN says so.
async fn settled(house: &House) {
    wait(house, 0).await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(ends(house).await, 0);
    let (_, pgn) = house
        .ask("GET", "/api/rounds/1/export?format=pgn", "")
        .await;
    assert!(!pgn.contains("waits for the arbiter"), "{pgn}");
}

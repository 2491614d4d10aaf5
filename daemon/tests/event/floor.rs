//! What happens on the floor of the hall is written down, and is there again after the daemon has
//! ended: how tables stand, notes, who leaves.

use std::time::Duration;

use super::*;

/// A picture by its first and last bytes.
const JPEG: &[u8] = b"\xff\xd8\xff\xe0 a scoresheet \xff\xd9";

/// A round under way, with a game on the first table.
async fn round(house: &House, dir: &Path) -> (JoinHandle<()>, Value) {
    does(house, "/api/pairings", file(PAIRINGS, 1)).await;
    does(house, "/api/rounds/1/start", json!({})).await;
    let playing = put(dir, "b01", 3, 6);
    let begun = until(house, 1, "a game", |seats| seats["game"].is_string()).await;
    (playing, begun)
}

#[tokio::test]
async fn the_layout_is_the_halls() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    let rows = json!({ "rows": "1-2 / 4-3" });
    let event = does(&house, "/api/event/layout", rows).await;
    assert_eq!(
        (&event["layout"], &event["open"]),
        (&json!("1-2 / 4-3"), &json!(false)),
        "no event is opened by it"
    );
    let wrong = json!({ "rows": "front" });
    refused(&house, "/api/event/layout", wrong, 409, "1-10 / 20-11").await;
    does(&house, "/api/event/open", json!({ "name": "Harbour Open" })).await;
    house.close().await;
    let house = House::open(dir.path(), &BOARDS);
    assert_eq!(house.json("/api/event").await["layout"], "1-2 / 4-3");
    does(&house, "/api/event/close", json!({})).await;
    let next = does(&house, "/api/event/open", json!({ "name": "Next" })).await;
    assert_eq!(next["layout"], "1-2 / 4-3", "it is the hall's");
    house.close().await;
}

#[tokio::test]
async fn notes_are_of_tables_games_incidents_and_players() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    let (playing, begun) = round(&house, dir.path()).await;
    let of_table =
        json!({ "round": 1, "table": 1, "text": "new sheet\nfor Black", "author": "Ada" });
    let notes = does(&house, "/api/notes", of_table).await;
    assert_eq!(notes[0]["game"], begun["game"], "the table's game");
    assert_eq!(notes[0]["about"][1]["name"], "Ek, Freja");
    assert_eq!(
        (&notes[0]["by"], &notes[0]["text"], &notes[0]["photo"]),
        (&json!("Ada"), &json!("new sheet\nfor Black"), &json!(false))
    );
    let photo = STANDARD.encode(JPEG);
    let of_game = json!({ "game": begun["game"], "text": "", "photo": photo });
    let notes = does(&house, "/api/notes", of_game).await;
    assert_eq!(
        (&notes[1]["table"], &notes[1]["round"], &notes[1]["photo"]),
        (&json!(1), &json!(1), &json!(true))
    );
    let of_player = json!({ "player": 3, "round": 1, "text": "asked for water" });
    let notes = does(&house, "/api/notes", of_player).await;
    assert_eq!(notes[2]["about"].as_array().map(Vec::len), Some(1));
    let page = |photo: &[u8]| json!({ "player": 3, "text": "x", "photo": STANDARD.encode(photo) });
    for (order, status, words) in [
        (
            json!({ "text": "of nothing" }),
            409,
            "what the note is about",
        ),
        (
            json!({ "player": 3, "text": " " }),
            409,
            "the text of the note",
        ),
        (json!({ "player": 99, "text": "x" }), 409, "no player 99"),
        (json!({ "table": 1, "text": "x" }), 422, "of which round"),
        (
            json!({ "incident": "no.1", "text": "x" }),
            404,
            "no incident",
        ),
        (
            json!({ "player": 3, "text": "\u{202e}x" }),
            422,
            "control character",
        ),
        (
            json!({ "player": 3, "text": "x".repeat(2001) }),
            422,
            "2000",
        ),
        (page(b"<svg/>"), 422, "neither JPEG nor PNG nor WebP"),
        (page(&vec![0xff; 370_000]), 422, "360 KiB"),
    ] {
        refused(&house, "/api/notes", order, status, words).await;
    }
    let (status, _) = house.ask("GET", "/api/notes/1/photo", "").await;
    assert_eq!(status, 404);
    house.close().await;
    playing.abort();

    let house = House::open(dir.path(), &BOARDS);
    assert_eq!(house.json("/api/notes").await, notes);
    house.close().await;
}

#[tokio::test]
async fn whoever_leaves_is_marked_where_he_has_the_move() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    let (playing, _) = round(&house, dir.path()).await;
    let whole = |board: &Value| board["ply"] == 6;
    let board = house.until("b01", "the moves", whole).await;
    assert_eq!(board["turn"], "white");
    let path = "/api/rounds/1/breaks";
    let order = |player: u16, out: bool| json!({ "player": player, "out": out });
    let seats = at(&house, 1, 1).await;
    let [white, black] = ["white", "black"].map(|side| {
        let number = seats[side]["number"].as_u64().expect("a number");
        u16::try_from(number).expect("a number")
    });
    does(&house, path, order(white, true)).await;
    refused(
        &house,
        path,
        order(white, true),
        409,
        "out of the hall already",
    )
    .await;
    does(&house, path, order(black, true)).await;
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let said = does(&house, path, order(white, false)).await;
    assert_eq!(
        (&said[0]["out"], &said[0]["having_move"], &said[0]["table"]),
        (&json!(false), &json!(1), &json!(1))
    );
    assert!(said[0]["seconds"].as_i64() >= Some(1), "{said}");
    assert_eq!(
        (
            &said[1]["out"],
            &said[1]["having_move"],
            &said[1]["seconds"]
        ),
        (&json!(true), &json!(0), &json!(0))
    );
    // The fourth table has no board: nobody knows who has the move.
    let hill = at(&house, 1, 4).await["white"]["number"].as_u64();
    let said = does(&house, path, json!({ "player": hill, "out": true })).await;
    assert_eq!(said[2]["breaks"][0]["having_move"], Value::Null);
    // It was somebody else: he was here. Two devices that say so mean the same one.
    let back = "/api/rounds/1/breaks/take-back";
    let left = said[2]["breaks"][0]["left"].clone();
    let mistake = json!({ "player": hill, "left": left, "reason": "it was his opponent" });
    let said = does(&house, back, mistake.clone()).await;
    assert_eq!(said.as_array().map(Vec::len), Some(2), "{said}");
    refused(&house, back, mistake, 409, "no such break").await;
    // Without a moment it is the last one.
    let said = does(&house, back, json!({ "player": black })).await;
    assert_eq!(said.as_array().map(Vec::len), Some(1), "{said}");
    refused(&house, path, order(black + 70, true), 409, "does not play").await;
    refused(
        &house,
        "/api/rounds/7/breaks",
        order(white, true),
        404,
        "round 7",
    )
    .await;
    house.close().await;
    playing.abort();
    let house = House::open(dir.path(), &BOARDS);
    assert_eq!(house.json(path).await, said);
    house.close().await;
}

/// Two warnings of one player in one round read alike.
#[tokio::test]
async fn a_penalty_is_taken_back_by_its_moment() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    let (path, back) = ("/api/penalties", "/api/penalties/take-back");
    let warn =
        |reason: &str| json!({ "player": 1, "round": 1, "what": "a warning", "reason": reason });
    does(&house, path, warn("he talked")).await;
    let event = does(&house, path, warn("his telephone rang")).await;
    let no = json!({ "player": 1, "round": 1, "reason": "it was player 2" });
    refused(&house, back, no.clone(), 422, "several of round 1").await;
    let mut first = no;
    first["at"] = event["penalties"][0]["at"].clone();
    let event = does(&house, back, first.clone()).await;
    assert_eq!(event["penalties"][0]["reason"], "his telephone rang");
    refused(&house, back, first, 409, "no such penalty").await;
    let event = house.json("/api/event").await;
    assert_eq!(event["penalties"].as_array().map(Vec::len), Some(1));
    house.close().await;
}

/// A fire alarm: what was stopped for it goes on after it, and nothing else.
#[tokio::test]
async fn games_are_stopped_together_and_go_on_together() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    let (halt, go_on) = ("/api/event/halt", "/api/event/go-on");
    let by = json!({ "author": "Ada" });
    refused(&house, halt, by.clone(), 409, "no game is played").await;
    let (playing, begun) = round(&house, dir.path()).await;
    let second = put(dir.path(), "b02", 4, 6);
    for board in ["b01", "b02"] {
        house
            .until(board, "the moves", |board| board["ply"] == 6)
            .await;
    }
    let pause = json!({ "event": "arbiter", "action": "pause" });
    assert_eq!(house.order("b02", pause).await.0, 200);
    let said = does(&house, halt, by.clone()).await;
    let stopped = json!([{ "board": "b01", "table": 1, "game": begun["game"] }]);
    // Each with the order by which it was.
    let where_of = |said: &Value| {
        let mut boards = said["halt"]["boards"].clone();
        let named = boards.as_array_mut().into_iter().flatten();
        let named = named.filter_map(|board| board.as_object_mut()?.remove("order"));
        (named.count() == 1).then_some(boards)
    };
    assert_eq!(
        (
            where_of(&said).as_ref(),
            &said["halt"]["by"],
            &said["refused"]
        ),
        (Some(&stopped), &json!("Ada"), &json!([])),
        "one was stopped before, and one has no board"
    );
    assert_eq!(house.board("b01").await["state"], "paused");
    refused(&house, halt, by.clone(), 409, "no game is played").await;
    house.close().await;

    let house = House::open(dir.path(), &BOARDS);
    let halts = house.json("/api/event").await["halts"].clone();
    assert_eq!(halts, json!([said["halt"]]));
    let said = does(&house, go_on, by.clone()).await;
    assert_eq!(
        (where_of(&said).as_ref(), &said["halt"]["stops"]),
        (Some(&stopped), &json!(false))
    );
    let states = [house.board("b01").await, house.board("b02").await];
    assert_ne!(states[0]["state"], "paused");
    assert_eq!(states[1]["state"], "paused", "it was stopped by itself");
    refused(&house, go_on, by, 409, "no game is stopped together").await;
    house.close().await;
    playing.abort();
    second.abort();
}

#[tokio::test]
async fn both_players_of_a_table_are_given_time() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    does(&house, "/api/pairings", file(PAIRINGS, 1)).await;
    let path = "/api/rounds/1/time";
    let order = json!({ "table": 2, "seconds": 120, "reason": "an alarm", "author": "Ada" });
    let given = does(&house, path, order).await;
    let wrong = json!({ "table": 2, "seconds": 120, "reason": "" });
    refused(&house, path, wrong, 409, "the reason is missing").await;
    let seal = house.json("/api/event/seal").await;
    house.close().await;
    let store = daemon::store::Store::open(&dir.path().join("store")).expect("a store");
    let deeds = store.deeds().expect("acts");
    assert_eq!(
        (&seal["acts"], &seal["sum"]),
        (&json!(deeds.sound.len()), &json!(deeds.head)),
        "as `arbiterd verify` says it"
    );
    let house = House::open(dir.path(), &BOARDS);
    assert_eq!(house.json("/api/event").await["times"], json!([given]));
    house.close().await;
}

/// A game is observed until its board shows how it ended, or somebody says so.
#[tokio::test]
async fn what_arbiters_observe_ends_with_the_game() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    let (playing, begun) = round(&house, dir.path()).await;
    let table = |table: u16| format!("/api/tables/{table}/observe");
    let order = |observes: bool, who: &str| json!({ "observes": observes, "author": who });
    let said = does(&house, &table(1), order(true, "Ada")).await;
    assert_eq!(
        (&said[0]["game"], &said[0]["round"]),
        (&begun["game"], &json!(1))
    );
    does(&house, &table(1), order(true, "Ben")).await;
    // The fourth table has no board.
    does(&house, &table(4), order(true, "Ada")).await;
    let twice = "is observed by Ada already";
    refused(&house, &table(4), order(true, "Ada"), 409, twice).await;
    refused(&house, &table(5), order(true, "Ada"), 409, "no game").await;
    does(&house, &table(1), order(false, "Ben")).await;
    let resign = json!({ "event": "resign", "by": "white" });
    assert_eq!(house.order("b01", resign).await.0, 200);
    until(&house, 1, "a result", |seats| seats["result"].is_string()).await;
    let all = house.json("/api/event/observed").await;
    let ends = all.as_array().expect("a list").iter();
    let ends: Vec<_> = ends
        .map(|one| (one["until"].is_string(), one["by_itself"] == true))
        .collect();
    assert_eq!(ends, [(true, true), (true, false), (false, false)]);
    let postponed = json!({ "tables": [4], "reason": "ill" });
    does(&house, "/api/rounds/1/postpone", postponed).await;
    house.close().await;
    playing.abort();
    let house = House::open(dir.path(), &BOARDS);
    let all = house.json("/api/event/observed").await;
    assert_eq!(
        (&all[2]["by_itself"], &all[3]),
        (&json!(true), &Value::Null)
    );
    house.close().await;
}

/// Who is on the way hands over to another at the end of his shift.
#[tokio::test]
async fn a_shift_is_handed_over() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::open(dir.path(), &BOARDS);
    let faults = async |house: &House| {
        let end = std::time::Instant::now() + Duration::from_secs(20);
        loop {
            let all = house.json("/api/incidents").await;
            if all.as_array().is_some_and(|all| all.len() == 3) {
                return all;
            }
            assert!(std::time::Instant::now() < end, "three faults: {all}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let goes = |all: &Value| -> Vec<(String, Value)> {
        let all = all.as_array().expect("incidents").iter();
        let mut goes: Vec<_> = all
            .map(|i| {
                (
                    i["id"].as_str().unwrap().to_owned(),
                    i["going"]["who"].clone(),
                )
            })
            .collect();
        goes.sort_by(|one, other| one.0.cmp(&other.0));
        goes
    };
    let all = goes(&faults(&house).await);
    for ((id, _), who) in all.iter().zip(["Ada", "Ada", "Cid"]) {
        let path = format!("/api/incidents/{id}/going");
        does(&house, &path, json!({ "author": who })).await;
    }
    let over = "/api/incidents/hand-over";
    for (order, words) in [
        (json!({ "to": "Ben" }), "who hands over"),
        (json!({ "to": " ", "author": "Ada" }), "to whom"),
        (json!({ "to": "Ada", "author": "Ada" }), "to whom else"),
    ] {
        refused(&house, over, order, 422, words).await;
    }
    let order = json!({ "to": "Ben", "author": "Ada" });
    let said = does(&house, over, order.clone()).await;
    assert_eq!(said["incidents"].as_array().map(Vec::len), Some(2));
    let handed = |all: &Value| {
        let who: Vec<Value> = goes(all).into_iter().map(|(_, who)| who).collect();
        assert_eq!(who, ["Ben", "Ben", "Cid"]);
    };
    handed(&faults(&house).await);
    let said = does(&house, over, order).await;
    assert_eq!(
        said["incidents"],
        json!([]),
        "there is nothing left to hand over"
    );
    house.close().await;
    let house = House::open(dir.path(), &BOARDS);
    handed(&faults(&house).await);
    house.close().await;
}

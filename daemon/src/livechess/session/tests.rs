use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::seen::{Known, Line, State};
use super::*;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const NOW: i64 = 1_795_000_000_000;

/// A board on which these moves were made.
fn board(game: &str, moves: &[(&str, &str)]) -> Seen {
    let moves = moves
        .iter()
        .map(|(san, uci)| ((*san).to_owned(), (*uci).to_owned()));
    let line = Line {
        game: game.to_owned(),
        start: START.to_owned(),
        chess960: false,
        moves: moves.collect(),
        is_over: false,
        is_stuck: false,
        known: Known::default(),
    };
    Seen {
        id: "b01".to_owned(),
        serial: "23946".to_owned(),
        is_known: true,
        name: "Board 1".to_owned(),
        state: Some(State::Active),
        board: line.places().last().map(|place| place.board.clone()),
        clock: None,
        line: Some(Arc::new(line)),
    }
}

const OPEN: [(&str, &str); 3] = [("e4", "e2e4"), ("e5", "e7e5"), ("Nf3", "g1f3")];

fn read(said: &[String]) -> Vec<Value> {
    let read = said
        .iter()
        .map(|text| serde_json::from_str(text).expect("JSON"));
    read.collect()
}

fn ask(session: &mut Session, seen: &Seen, request: &Value) -> Vec<Value> {
    read(&session.hear(&request.to_string(), std::slice::from_ref(seen), NOW))
}

fn see(session: &mut Session, seen: &Seen) -> Vec<Value> {
    read(&session.look(std::slice::from_ref(seen), NOW))
}

fn subscribe() -> Value {
    let board = json!({ "serialnr": "23946" });
    json!({ "id": 2, "call": "subscribe",
        "param": { "feed": "eboardevent", "id": 1, "param": board } })
}

fn setup(fen: &str) -> Value {
    json!({ "id": 3, "call": "call",
        "param": { "id": 1, "method": "setup", "param": { "fen": fen } } })
}

#[test]
fn a_board_that_has_not_said_its_number_yet_may_be_the_one() {
    let known = board("g1", &OPEN[..1]);
    let other = json!({ "id": 2, "call": "subscribe", "param": { "feed": "eboardevent", "id": 1,
        "param": { "serialnr": "99" } } });
    let refused = ask(&mut Session::default(), &known, &other);
    assert!(refused[0].to_string().contains("no board"), "{refused:?}");

    let silent = Seen {
        serial: "b01".to_owned(),
        is_known: false,
        state: None,
        ..known.clone()
    };
    let mut session = Session::default();
    let said = ask(&mut session, &silent, &subscribe());
    assert!(!said[0].to_string().contains("no board"), "{said:?}");
    let told = see(&mut session, &known);
    assert_eq!(told[0]["param"]["serialnr"], "23946");
}

/// A delay is lifted, and five moves are public at once; the third and the fourth lead back to
/// where the client began.
#[test]
fn moves_that_come_together_and_go_through_the_start_are_told_all() {
    let out_and_back = [
        ("Nf3", "g1f3"),
        ("Nf6", "g8f6"),
        ("Ng1", "f3g1"),
        ("Ng8", "f6g8"),
        ("e4", "e2e4"),
    ];
    let (mut session, first) = following(&board("g1", &[]), START);
    assert_eq!(first["san"], json!([]));
    let told = see(&mut session, &board("g1", &out_and_back));
    let last = &told.last().expect("moves")["param"];
    assert_eq!(last["san"], json!(["Nf3", "Nf6", "Ng1", "Ng8", "e4"]));
    assert_eq!(last["match"], true);
}

/// An illegal move stands, or the arbiter has set up another position: no legal move leads on.
#[test]
fn while_the_record_goes_on_with_what_is_no_legal_move_nothing_matches() {
    let stuck = |game: &str, moves: &[(&str, &str)]| {
        let seen = board(game, moves);
        let line = Line {
            is_stuck: true,
            ..Line::clone(seen.line.as_ref().expect("a game"))
        };
        Seen {
            line: Some(Arc::new(line)),
            ..seen
        }
    };
    let (mut session, first) = following(&board("g1", &OPEN), START);
    assert_eq!(first["match"], json!(true));
    let said = see(&mut session, &stuck("g1", &OPEN));
    let last = &said.last().expect("news")["param"];
    assert_eq!(
        (&last["san"], &last["match"]),
        (&json!(["e4", "e5", "Nf3"]), &json!(false))
    );
    let told = ask(&mut session, &stuck("g1", &OPEN), &setup(START));
    let last = &told.last().expect("moves")["param"];
    assert_eq!(last["match"], json!(false), "however often it is asked");
    let said = see(&mut session, &board("g1", &OPEN));
    assert_eq!(said.last().expect("news")["param"]["match"], json!(true));
}

/// The pieces are set up again after a game: whoever begins there is told nothing of it.
#[test]
fn the_game_before_is_not_told_as_the_next_one() {
    let mut seen = board("g1", &OPEN);
    let over = Line {
        is_over: true,
        ..Line::clone(seen.line.as_ref().expect("a game"))
    };
    seen.line = Some(Arc::new(over));
    seen.board = START.split(' ').next().map(str::to_owned);
    let (mut session, first) = following(&seen, START);
    assert_eq!((&first["san"], &first["match"]), (&json!([]), &json!(true)));
    let told = see(&mut session, &board("g2", &OPEN[..1]));
    assert_eq!(told.last().expect("a move")["param"]["san"], json!(["e4"]));
}

/// A session that follows the board from this position on, and what it was told then.
fn following(seen: &Seen, fen: &str) -> (Session, Value) {
    let mut session = Session::default();
    ask(&mut session, seen, &subscribe());
    let told = ask(&mut session, seen, &setup(fen));
    assert_eq!(told[0]["response"], "call");
    let last = told.last().expect("what is so now");
    (session, last["param"].clone())
}

#[test]
fn boards_are_listed_with_exactly_the_keys_that_clients_know() {
    let seen = board("g1", &OPEN[..1]);
    let said = ask(
        &mut Session::default(),
        &seen,
        &json!({ "id": 1, "call": "eboards" }),
    );
    let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    let listed = json!([{ "serialnr": "23946", "source": "b01", "state": "ACTIVE",
        "battery": null, "comment": "Board 1", "board": board, "flipped": false, "clock": null }]);
    let answer = json!({ "response": "call", "id": 1, "param": listed, "time": NOW });
    assert_eq!(said, [answer]);
}

#[test]
fn a_feed_begins_with_all_of_the_board_and_tells_moves_after_a_setup_only() {
    let mut session = Session::default();
    let before = board("g1", &[]);
    let said = ask(&mut session, &before, &subscribe());
    let answer = json!({ "response": "call", "id": 2, "param": null, "time": NOW });
    assert_eq!(said[0], answer);
    let pieces = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let event = json!({ "serialnr": "23946", "flipped": false, "board": pieces, "clock": null });
    let feed = json!({ "response": "feed", "id": 1, "param": event, "time": NOW });
    assert_eq!(said[1..], [feed]);
    assert!(
        see(&mut session, &before).is_empty(),
        "nothing has happened"
    );
    let after = see(&mut session, &board("g1", &OPEN[..1]));
    let pieces = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    let event = json!({ "serialnr": "23946", "flipped": false, "board": pieces });
    assert_eq!(after[0]["param"], event);
}

#[test]
fn moves_grow_one_by_one_from_the_position_that_was_set_up() {
    let (mut session, told) = following(&board("g1", &OPEN[..1]), START);
    assert_eq!(told["start"], START);
    assert_eq!(
        (&told["san"], &told["match"]),
        (&json!(["e4"]), &json!(true))
    );
    let said = see(&mut session, &board("g1", &OPEN));
    let said: Vec<_> = said.iter().map(|said| &said["param"]).collect();
    let told = |n: usize| (said[n]["san"].clone(), said[n]["match"].clone());
    assert_eq!(
        told(0),
        (json!(["e4", "e5"]), json!(false)),
        "the board shows more already"
    );
    assert_eq!(told(1), (json!(["e4", "e5", "Nf3"]), json!(true)));
    assert_eq!(said.len(), 2);
}

#[test]
fn a_setup_in_the_middle_of_a_game_begins_there_whatever_the_order_of_castling() {
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w QKqk - 0 2";
    let (_, told) = following(&board("g1", &OPEN), fen);
    assert_eq!(
        (&told["san"], &told["match"]),
        (&json!(["Nf3"]), &json!(true))
    );
    assert_eq!(told["start"], fen);
}

#[test]
fn what_was_told_is_neither_shortened_nor_rewritten_until_the_client_sets_up() {
    let (mut session, _) = following(&board("g1", &OPEN), START);
    let other = [OPEN[0], ("c5", "c7c5"), ("Nf3", "g1f3"), ("d6", "d7d6")];
    for now in [&OPEN[..1], &other[..2], &other[..3], &other] {
        for said in see(&mut session, &board("g1", now)) {
            assert_eq!(said["param"]["san"], json!(["e4", "e5", "Nf3"]), "{now:?}");
            assert_eq!(said["param"]["match"], json!(false), "{now:?}");
        }
    }
    let told = ask(&mut session, &board("g1", &other), &setup(START));
    let sans = told[1..]
        .iter()
        .map(|said| said["param"]["san"].as_array().map_or(9, Vec::len));
    assert_eq!(
        sans.collect::<Vec<_>>(),
        [0, 1, 2, 3, 4],
        "one by one again"
    );
    let last = &told.last().expect("the right moves")["param"];
    assert_eq!(last["san"], json!(["e4", "c5", "Nf3", "d6"]));
    assert_eq!(last["match"], json!(true));
}

#[test]
fn a_correction_that_is_taken_back_goes_on_as_if_it_had_not_been() {
    let (mut session, _) = following(&board("g1", &OPEN[..2]), START);
    see(&mut session, &board("g1", &OPEN[..1]));
    let said = see(&mut session, &board("g1", &OPEN));
    let last = &said.last().expect("news")["param"];
    assert_eq!(
        (&last["san"], &last["match"]),
        (&json!(["e4", "e5", "Nf3"]), &json!(true))
    );
}

#[test]
fn the_next_game_does_not_follow_on_the_last() {
    let (mut session, _) = following(&board("g1", &OPEN), START);
    let said = see(&mut session, &board("g2", &OPEN[..1]));
    assert_eq!(said[0]["param"]["san"], json!(["e4", "e5", "Nf3"]));
    assert_eq!(said[0]["param"]["match"], json!(false));
    // Of whom nothing was told, nothing is in the way.
    let (mut session, _) = following(&board("g1", &[]), START);
    let said = see(&mut session, &board("g2", &OPEN[..1]));
    assert_eq!(said[0]["param"]["san"], json!(["e4"]));
}

#[test]
fn a_board_is_turned_for_who_asks_by_either_name() {
    for method in ["flip", "setup"] {
        let mut session = Session::default();
        let seen = board("g1", &OPEN[..1]);
        ask(&mut session, &seen, &subscribe());
        let flip = json!({ "id": 4, "call": "call",
            "param": { "id": 1, "method": method, "param": { "flip": true } } });
        let said = ask(&mut session, &seen, &flip);
        let pieces = "RNBKQBNR/PPP1PPPP/8/3P4/8/8/pppppppp/rnbkqbnr";
        assert_eq!(said[1]["param"]["board"], pieces, "{method}");
        assert_eq!(said[1]["param"]["flipped"], true);
    }
}

#[test]
fn what_makes_no_sense_is_answered_with_an_error_that_says_so() {
    let seen = board("g1", &[]);
    let mut session = Session::default();
    ask(&mut session, &seen, &subscribe());
    let in_feed = |method: &str, param: Value| {
        let param = json!({ "id": 1, "method": method, "param": param });
        json!({ "id": 9, "call": "call", "param": param })
    };
    let unknown = json!({ "feed": "eboardevent", "id": 5, "param": { "serialnr": "0" } });
    for (request, word) in [
        (json!({ "id": 9, "call": "launch" }), "launch"),
        (
            json!({ "id": 9, "call": "subscribe", "param": { "feed": "sources" } }),
            "sources",
        ),
        (
            json!({ "id": 9, "call": "subscribe", "param": unknown }),
            "no board `0`",
        ),
        (
            json!({ "id": 9, "call": "call", "param": { "id": 8, "method": "setup" } }),
            "feed",
        ),
        (
            in_feed("setup", json!({ "fen": "nine queens" })),
            "no position",
        ),
        (
            in_feed("setup", json!({ "fen": "8".repeat(300) })),
            "position",
        ),
        (in_feed("setup", json!({})), "fen"),
        (in_feed("flip", json!({ "flip": "yes" })), "flip"),
        (in_feed("explode", json!({})), "explode"),
    ] {
        let said = ask(&mut session, &seen, &request);
        assert_eq!(
            (&said[0]["response"], &said[0]["id"]),
            (&json!("error"), &json!(9))
        );
        let message = said[0]["param"]["message"].as_str().expect("words");
        assert!(message.contains(word), "{request}: {message}");
        assert_eq!(said.len(), 1);
    }
    for text in [
        "",
        "{",
        "[]",
        "null",
        "3",
        r#"[{"id":1,"call":"eboards"}]"#,
        r#"{"id":1,"call":7}"#,
        r#"{"id":{},"call":"eboards"}"#,
        r#"{"id":1}"#,
    ] {
        let said = read(&session.hear(text, &[], NOW));
        assert_eq!(
            (&said[0]["response"], &said[0]["id"]),
            (&json!("error"), &Value::Null)
        );
        let message = said[0]["param"]["message"].as_str().expect("words");
        for word in ["struct", "expected", "missing field", "line 1", "column"] {
            assert!(!message.contains(word), "{text}: {message}");
        }
    }
    let long = read(&session.hear(&" ".repeat(LONGEST_WORD + 1), &[], NOW));
    assert_eq!(long[0]["response"], "error");
}

#[test]
fn a_client_follows_so_many_boards_only_and_can_give_them_up() {
    let seen = board("g1", &[]);
    let mut session = Session::default();
    let feed = |id: usize| {
        let mut request = subscribe();
        request["param"]["id"] = json!(id);
        request
    };
    for id in 0..MOST_FEEDS {
        assert_eq!(ask(&mut session, &seen, &feed(id)).len(), 2);
        assert_eq!(
            ask(&mut session, &seen, &feed(id)).len(),
            2,
            "the same one anew"
        );
    }
    let said = ask(&mut session, &seen, &feed(MOST_FEEDS));
    assert_eq!(said[0]["response"], "error");
    let end = json!({ "id": 5, "call": "unsubscribe", "param": { "id": 0 } });
    assert_eq!(ask(&mut session, &seen, &end)[0]["response"], "call");
    assert_eq!(ask(&mut session, &seen, &feed(MOST_FEEDS)).len(), 2);
    assert_eq!(ask(&mut session, &seen, &end)[0]["response"], "error");
}

/// Requests that are nearly right.
fn requests() -> impl Strategy<Value = String> {
    let id = prop_oneof![
        Just(json!(1)),
        Just(json!("1")),
        Just(Value::Null),
        Just(json!([]))
    ];
    let fen = prop_oneof![
        Just(START.to_owned()),
        "[ -~]{0,40}",
        "[pPkK1-9/ wb-]{0,60}"
    ];
    let method = prop_oneof![Just("setup"), Just("flip"), Just("unsubscribe"), Just("x")];
    let of_feed = (id.clone(), method, fen, any::<bool>()).prop_map(|(id, method, fen, flip)| {
        let param = json!({ "id": id, "method": method, "param": { "fen": fen, "flip": flip } });
        json!({ "id": 3, "call": "call", "param": param }).to_string()
    });
    let any_id = id.prop_map(|id| json!({ "id": id, "call": "eboards" }).to_string());
    prop_oneof![of_feed, any_id, Just(subscribe().to_string()), ".{0,80}"]
}

proptest! {
    #[test]
    fn whatever_is_said_is_answered_once_and_in_json(
        said in prop::collection::vec(requests(), 0..20),
    ) {
        let seen = board("g1", &OPEN);
        let mut session = Session::default();
        for text in said {
            let answers = read(&session.hear(&text, std::slice::from_ref(&seen), NOW));
            let first = answers[0]["response"].as_str();
            prop_assert!(matches!(first, Some("call" | "error")), "{text}");
            prop_assert!(answers[1..].iter().all(|answer| answer["response"] == "feed"));
        }
    }

    /// The record does whatever it likes; what a client was told only grows.
    #[test]
    fn the_list_of_moves_only_grows_between_setups(
        records in prop::collection::vec((0..=4usize, any::<bool>(), any::<bool>()), 1..40),
    ) {
        let one = [OPEN[0], OPEN[1], OPEN[2], ("Nc6", "b8c6")];
        let other = [OPEN[0], ("c5", "c7c5"), OPEN[2], ("Nc6", "b8c6")];
        let (mut session, _) = following(&board("g1", &[]), START);
        let mut told: Vec<Value> = Vec::new();
        for (count, is_other, sets_up) in records {
            let moves = if is_other { &other[..count] } else { &one[..count] };
            let seen = board("g1", moves);
            let mut said = see(&mut session, &seen);
            if sets_up {
                told.clear();
                said = ask(&mut session, &seen, &setup(START));
                said.remove(0);
            }
            for event in said {
                let san = event["param"]["san"].as_array().expect("moves").clone();
                prop_assert!(san.starts_with(&told), "{told:?} then {san:?}");
                prop_assert!(san.len() <= told.len() + 1, "one by one");
                told = san;
            }
            let names: Vec<Value> = moves.iter().map(|(san, _)| json!(san)).collect();
            prop_assert!(told == names || !names.starts_with(&told));
        }
    }
}

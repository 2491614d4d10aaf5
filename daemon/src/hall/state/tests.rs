//! One list of fields, in three forms: a whole game, what changed of it, and the place of none.

use std::collections::BTreeSet;

use serde_json::json;

use super::*;

fn object(state: &BoardState) -> Map<String, Value> {
    let value = serde_json::to_value(state).expect("a board is JSON");
    value.as_object().expect("an object").clone()
}

/// An arbiter who was told these lines.
fn arbiter(lines: &[&str]) -> Arbiter {
    let mut arbiter = Arbiter::new();
    for line in lines {
        arbiter.handle(
            &serde_json::from_str(line).expect("an event"),
            &mut Vec::new(),
        );
    }
    arbiter
}

const SETUP: &str = r#"{"event":"setup","game":"g1","sensor":"occupancy"}"#;
const E4: [&str; 3] = [
    r#"{"event":"lift","at":1000,"square":"e2"}"#,
    r#"{"event":"place","at":1500,"square":"e4"}"#,
    r#"{"event":"press","at":2000,"by":"white","white_ms":60000}"#,
];

#[test]
fn the_place_of_no_game_has_the_fields_of_a_game() {
    let vacant = BoardState::new("b01", Some(SensorClass::Piece));
    let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut told = json!({
        "id": "b01", "name": "b01", "white": "", "black": "", "round": "", "connected": false,
        "serial": null, "firmware": null, "fault": null, "distrusted": [], "note": null,
        "moves": [], "ply": 0, "open": 0, "clock_told": null, "clock_stands": null,
        "game": "", "laws": null, "class": null,
        "supervised": null, "offences": null, "state": "waiting", "fen": initial,
        "start_fen": initial, "turn": "white", "sensor": "piece", "turned": 0, "reading": null,
        "plies": [], "differs": [], "obligation": null, "findings": [], "doubts": [],
        "orders": [], "restore": null, "result": null, "result_text": null,
        "white_ms": null, "black_ms": null, "asked": null,
        "running": null,
    });
    told["faults"] = json!([]);
    told["analogue"] = json!(false);
    told["clock_at"] = json!(null);
    told["next"] = json!(null);
    told["unset"] = json!(null);
    told["ordered"] = json!(0);
    told["stopped_by"] = json!(null);
    told["held_back"] = json!(null);
    told["rests_on_dismissed"] = json!(null);
    assert_eq!(serde_json::to_value(&vacant).unwrap(), told);
    let mut state = vacant.clone();
    let view = view(&arbiter(&[SETUP]), None).expect("a game");
    state.show(Arc::new(view), Running::default());
    let keys = |state| {
        object(state)
            .into_iter()
            .map(|(name, _)| name)
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(keys(&state), keys(&vacant));
}

#[test]
fn a_board_with_a_game_is_the_arbiters_view_and_what_is_known_of_the_board() {
    let arbiter = arbiter(&[&[SETUP][..], &E4[..]].concat());
    let mut state = BoardState::new("b01", None);
    let before = object(&state);
    state.show(
        Arc::new(view(&arbiter, None).expect("a game")),
        Running::default(),
    );
    let now = object(&state);
    let whole = serde_json::to_value(arbiter.view()).unwrap();
    for (name, value) in whole.as_object().unwrap() {
        assert_eq!(now.get(name), Some(value), "{name}");
    }
    assert_eq!(
        (&now["moves"], &now["ply"], &now["open"]),
        (&json!(["e2e4"]), &1.into(), &0.into())
    );
    let about = [
        "id",
        "name",
        "white",
        "black",
        "round",
        "connected",
        "serial",
        "firmware",
        "analogue",
        "fault",
        "note",
    ];
    about
        .iter()
        .for_each(|name| assert_eq!(now[*name], before[*name]));
}

#[test]
fn an_update_tells_what_changed() {
    let mut arbiter = arbiter(&[SETUP]);
    let mut before = BoardState::new("b01", None);
    let first = view(&arbiter, None).expect("a game");
    before.show(Arc::new(first.clone()), Running::default());
    for line in E4 {
        arbiter.handle(&serde_json::from_str(line).unwrap(), &mut Vec::new());
    }
    let mut now = before.clone();
    let second = view(&arbiter, Some(&first)).expect("a game");
    now.show(Arc::new(second), Running::default());
    let update = object(&now.update(&before));
    let mut told = object(&now);
    told.remove("id");
    told.remove("findings");
    told.insert("plies_from".to_owned(), 0.into());
    assert_eq!(update, told);
    let update = object(&now.update(&now));
    assert_eq!(
        (&update["plies_from"], &update["plies"]),
        (&1.into(), &json!([]))
    );
    let vacant = BoardState::new("b01", None);
    let update = object(&vacant.update(&vacant));
    assert!(
        !update.contains_key("state") && update.contains_key("fault"),
        "{update:?}"
    );
}

/// What is taken from the view before is what would have been made anew.
#[test]
fn a_view_that_shares_with_the_one_before_is_the_same() {
    let fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
    let board = format!("....?...{}?...?...", ".".repeat(48));
    let script = [
        SETUP,
        r#"{"event":"lift","at":1000,"square":"g1"}"#,
        r#"{"event":"place","at":2500,"square":"g1"}"#,
        r#"{"event":"lift","at":4000,"square":"e2"}"#,
        r#"{"event":"place","at":4600,"square":"e4"}"#,
        r#"{"event":"press","at":5200,"by":"white"}"#,
        r#"{"event":"lift","at":6000,"square":"e7"}"#,
        r#"{"event":"place","at":6400,"square":"e5"}"#,
        r#"{"event":"press","at":6600,"by":"black","black_ms":50000}"#,
        r#"{"event":"arbiter","at":7000,"action":"uphold","id":1}"#,
        r#"{"event":"tick","at":9000}"#,
        &format!(r#"{{"event":"arbiter","at":9100,"action":"set-position","fen":"{fen}"}}"#),
        &format!(r#"{{"event":"snapshot","at":9500,"board":"{board}"}}"#),
        r#"{"event":"lift","at":9600,"square":"a1"}"#,
        r#"{"event":"place","at":9900,"square":"a8"}"#,
        r#"{"event":"press","at":10000,"by":"white"}"#,
    ];
    let (mut arbiter, mut last) = (Arbiter::new(), None);
    for line in script {
        arbiter.handle(
            &serde_json::from_str(line).expect("an event"),
            &mut Vec::new(),
        );
        let now = view(&arbiter, last.as_ref()).expect("a game");
        let told = serde_json::to_string(&now).unwrap();
        assert_eq!(
            told,
            serde_json::to_string(&arbiter.view()).unwrap(),
            "{line}"
        );
        last = Some(now);
    }
    assert!(last.is_some_and(|view| view.findings.len() == 1 && !view.plies.is_empty()));
}

use serde_json::json;

use super::*;

#[test]
fn every_right_has_one_row_and_nobody_has_more_than_the_chief_arbiter() {
    for (right, _, reach) in RIGHTS {
        assert_eq!(reach[0], Reach::All, "{right:?}");
        let rows = RIGHTS.iter().filter(|(other, ..)| *other == right);
        assert_eq!(rows.count(), 1, "{right:?}");
    }
    for (n, (method, path, _)) in ROUTES.iter().enumerate() {
        let same = |other: &(&str, &str, Need)| (other.0, other.1) == (*method, *path);
        assert_eq!(ROUTES.iter().position(same), Some(n), "{method} {path}");
    }
    for (n, (kind, name, _)) in FIELDS.iter().enumerate() {
        let same = |other: &(&str, &str, Right)| (other.0, other.1) == (*kind, *name);
        assert_eq!(FIELDS.iter().position(same), Some(n), "{kind}.{name}");
    }
}

#[test]
fn the_public_is_shown_no_finding_no_device_and_no_field_of_tomorrow() {
    let board = json!({
        "id": "b01", "white": "Ada", "findings": [1], "doubts": [2], "fault": "unplugged",
        "serial": "S", "of-tomorrow": true, "state": "disturbed",
        "plies": [{"san": "e4", "doubtful": true}],
        "result": {"result": "1-0", "proposed": true, "reason": "illegal-moves"},
    });
    let mut shown = board.as_object().unwrap().clone();
    show_board(Sight::of(Role::Viewer), &mut shown);
    let public = json!({
        "id": "b01", "white": "Ada", "plies": [{"san": "e4"}], "result": null,
    });
    assert_eq!(Value::Object(shown), public);

    let mut shown = board.as_object().unwrap().clone();
    shown["result"]["proposed"] = false.into();
    show_board(Sight::of(Role::Operator), &mut shown);
    assert_eq!(shown["fault"], json!("unplugged"));
    assert_eq!(shown["result"], json!({"result": "1-0"}));
    assert!(shown.get("findings").is_none());

    // A loss that nobody has declared yet has ended nothing.
    let mut shown = board.as_object().unwrap().clone();
    shown["state"] = "ended".into();
    shown["result"]["reason"] = "forfeit-illegal-moves".into();
    show_board(Sight::of(Role::Operator), &mut shown);
    assert_eq!(
        [&shown["state"], &shown["result"]],
        [&json!("rest"), &Value::Null]
    );

    let mut shown = board.as_object().unwrap().clone();
    show_board(Sight::of(Role::Sector), &mut shown);
    assert_eq!(Value::Object(shown), board);
}

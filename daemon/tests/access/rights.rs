//! Every address by everybody.

use std::time::Duration;

use access::{Need, Reach, Right, Role, need, reach};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::feed::{Feed, follow, play};
use super::hall::{Guest, Hall, PATIENCE};

/// Every method of every address that the interface describes.
fn operations() -> Vec<(String, String)> {
    let document = daemon::http::document();
    let mut all = Vec::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for method in methods.as_object().expect("methods").keys() {
            all.push((method.clone(), path.clone()));
        }
    }
    all
}

/// Whether somebody of this role gets past the door of an address.
fn gets_in(need: Need, role: Option<Role>) -> bool {
    let has = |right| role.is_some_and(|role| reach(role, right) != Reach::None);
    match need {
        Need::Open => true,
        Need::Somebody => role.is_some(),
        Need::Right(right) | Need::Proved(right) => has(right),
        Need::Order => [Right::Rule, Right::Pause, Right::Begin]
            .into_iter()
            .any(has),
    }
}

/// The status of an address; the body is one that nothing takes, so that nothing is done.
async fn status(guest: &mut Guest, method: &str, path: &str) -> u16 {
    let path = path
        .replace("sessions/{id}", "sessions/9999")
        .replace("petitions/{id}", "petitions/9999");
    let path = path
        .replace("boards/{id}", "boards/b01")
        .replace("{id}", "nobody");
    let path = path.replace("{round}", "1").replace("{table}", "1");
    let method = method.to_ascii_uppercase();
    let body = (method == "POST").then(|| json!({}));
    guest.ask(&method, &path, body).await.status
}

/// ASVS 8.2.1, 8.3.1: function-level access, on the server, for every route and every role. What
/// has no rule is refused, and fails this test.
#[tokio::test]
async fn v8_2_1_every_address_is_tried_by_every_role() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let mut guests = vec![(None, hall.stranger().await)];
    for role in Role::ALL.into_iter().skip(1) {
        guests.push((Some(role), hall.member(&mut chief, role).await));
    }
    guests.push((Some(Role::Chief), chief));
    let mut tried = 0;
    for (method, path) in operations() {
        let need = need(&method, &path);
        let need = need.unwrap_or_else(|| panic!("{method} {path} has no rule in access::ROUTES"));
        for (role, guest) in &mut guests {
            // It would be the last thing that this guest does.
            if path.ends_with("/logout") && role.is_some() {
                continue;
            }
            // One address may agree on keys 300 times at once, and 50 times a second after that.
            if tried > 200 {
                tokio::time::sleep(Duration::from_millis(25)).await;
            }
            let status = status(guest, &method, &path).await;
            let is_refused = matches!(status, 401 | 403 | 428);
            let what = format!("{method} {path} by {role:?}: {status}");
            match (gets_in(need, *role), role) {
                (true, _) => assert!(!is_refused && status != 429, "{what}"),
                (false, None) => assert_eq!(status, 401, "{what}"),
                (false, Some(_)) => assert_eq!(status, 403, "{what}"),
            }
            tried += 1;
        }
    }
    assert!(tried > 150, "{tried}");
    hall.close().await;
}

/// What somebody has said that he would go to is not handed to a slip of the keyboard.
#[tokio::test]
async fn a_shift_is_handed_to_somebody_who_is_there() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    hall.member(&mut chief, Role::Sector).await;
    hall.member(&mut chief, Role::Viewer).await;
    let path = "/api/incidents/hand-over";
    for (to, status) in [
        ("Sector", 200),
        ("sector", 200),
        ("Sectro", 422),
        ("viewer", 422),
    ] {
        let order = json!({ "to": to });
        assert_eq!(chief.status("POST", path, order).await, status, "{to}");
    }
}

/// ASVS 8.2.2: a sector arbiter does not rule at a table of another sector by naming it.
#[tokio::test]
async fn v8_2_2_a_sector_ends_at_its_tables() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let mut sector = hall.member(&mut chief, Role::Sector).await;
    let mut operator = hall.member(&mut chief, Role::Operator).await;
    let order = |action: &str| json!({"event": "arbiter", "action": action});
    let ruling = json!({"event": "arbiter", "action": "result", "result": "1-0"});
    let game = json!({"event": "new-game", "white": "Ada"});
    // 409: it may be ordered, but no game is set up on this board.
    for (who, board, body, status) in [
        (Role::Sector, "b01", ruling.clone(), 409),
        (Role::Sector, "b02", ruling.clone(), 403),
        (Role::Sector, "b02", order("pause"), 403),
        (Role::Sector, "b02", game.clone(), 403),
        (Role::Sector, "B02", ruling.clone(), 404),
        (Role::Sector, "b03", ruling.clone(), 404),
        (Role::Operator, "b02", order("pause"), 409),
        (Role::Operator, "b02", game, 409),
        (Role::Operator, "b02", ruling.clone(), 403),
        (Role::Chief, "b02", ruling, 409),
    ] {
        let path = format!("/api/boards/{board}/orders");
        let guest = match who {
            Role::Sector => &mut sector,
            Role::Operator => &mut operator,
            _ => &mut chief,
        };
        let answer = guest.ask("POST", &path, Some(body.clone())).await;
        let what = format!("{who} {board} {body}: {}", answer.body);
        assert_eq!(answer.status, status, "{what}");
        // Why not is told as data too: each reads it in his language.
        let told: Value = serde_json::from_str(&answer.body).expect("JSON");
        let why = match who {
            Role::Sector => json!({"kind": "not-your-tables", "with": {"tables": "1-1"}}),
            _ => json!({"kind": "not-your-role", "with": {"role": "operator"}}),
        };
        assert!(status != 403 || told["why"] == why, "{what}");
    }
    hall.close().await;
}

/// Whoever rules at a table penalises who plays there, and nobody else; one who plays at none is
/// the chief's.
#[tokio::test]
async fn an_arbiter_of_a_sector_penalises_at_his_tables() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let mut sector = hall.member(&mut chief, Role::Sector).await;
    let mut operator = hall.member(&mut chief, Role::Operator).await;
    let draw = "table,white,black\n1,Berg,Cole\n2,Dietz,Evers\n,Falk,bye\n";
    let order = json!({ "file": STANDARD.encode(draw), "round": 1 });
    let answer = chief.ask("POST", "/api/pairings", Some(order)).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let penalty = |player: u16| {
        let (what, reason) = ("a warning", "a telephone");
        json!({ "player": player, "round": 1, "what": what, "reason": reason })
    };
    let path = "/api/penalties";
    for (player, status) in [(1, 200), (2, 200), (3, 403), (4, 403), (5, 403)] {
        let is = sector.status("POST", path, penalty(player)).await;
        assert_eq!(is, status, "player {player}");
        let back = json!({ "player": player, "round": 1, "reason": "by mistake" });
        let is = sector
            .status("POST", "/api/penalties/take-back", back)
            .await;
        assert_eq!(is, status, "player {player}");
    }
    assert_eq!(operator.status("POST", path, penalty(1)).await, 403);
    for player in [3, 5] {
        assert_eq!(chief.status("POST", path, penalty(player)).await, 200);
    }
    hall.close().await;
}

/// At which table an arbiter observes a game, as a feed tells it; `None` where it tells nothing of
/// that before its second beat.
async fn heard(mut feed: Feed) -> Option<Value> {
    let mut beats = 0;
    while beats < 2 {
        let told = feed.next().await.expect("a message");
        if told["event"]["act"] == "observe" {
            return Some(told["event"]["table"].clone());
        }
        beats += usize::from(told.get("beat").is_some());
    }
    None
}

/// Which games arbiters observe is said at one's own tables, and shown to arbiters only.
#[tokio::test]
async fn where_arbiters_look_is_for_arbiters() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let mut guests = Vec::new();
    for role in Role::ALL.into_iter().skip(1) {
        guests.push((role, hall.member(&mut chief, role).await));
    }
    let pairs = "table,white,black\n1,Ann,Ben\n2,Cat,Dan\n";
    let file = json!({ "file": STANDARD.encode(pairs), "round": 1 });
    assert_eq!(chief.status("POST", "/api/pairings", file).await, 200);
    let start = "/api/rounds/1/start";
    assert_eq!(chief.status("POST", start, json!({})).await, 200);
    let all = "/api/event/observed";
    let table = |table: u16| format!("/api/tables/{table}/observe");
    // Where people are asked who they are, nobody speaks in another's name.
    let order = json!({ "observes": true, "author": "Eve" });
    for (role, guest) in &mut guests {
        let is_arbiter = *role == Role::Sector;
        let expected = if is_arbiter {
            [200, 403, 200]
        } else {
            [403; 3]
        };
        let told = [
            guest.status("POST", &table(1), order.clone()).await,
            guest.status("POST", &table(2), order.clone()).await,
            guest.ask("GET", all, None).await.status,
        ];
        assert_eq!(told, expected, "{role}");
    }
    let observed = chief.get(all).await;
    assert_eq!(
        (&observed[0]["table"], &observed[0]["by"], &observed[1]),
        (&json!(1), &json!("sector"), &Value::Null)
    );
    // Nothing else that others are shown says where.
    for (role, guest) in &mut guests {
        for path in ["/api/event", "/api/rounds/1", "/api/boards", "/api/tables"] {
            let shown = guest.ask("GET", path, None).await.body;
            assert!(!shown.contains("observe"), "{role} {path}: {shown}");
        }
    }
    let (_, sector) = &mut guests[0];
    for (observes, whose, status) in [(true, "Eve", 403), (false, "Eve", 409)] {
        let order = json!({ "observes": observes, "whose": whose });
        assert_eq!(sector.status("POST", &table(1), order).await, status);
    }
    let mut feeds = Vec::new();
    for (role, guest) in &guests {
        feeds.push((*role, follow(guest).await));
    }
    let eve = json!({ "observes": true, "whose": "Eve" });
    assert_eq!(chief.status("POST", &table(2), eve).await, 200);
    for (role, feed) in feeds {
        assert_eq!(
            heard(feed).await,
            match role {
                Role::Sector => Some(json!(2)),
                Role::Operator => Some(Value::Null),
                _ => None,
            },
            "{role}"
        );
    }
    let stop = json!({ "observes": false, "whose": "sector" });
    let stopped = chief.ask("POST", &table(1), Some(stop)).await.json();
    assert!(stopped[0]["until"].is_string(), "{stopped}");
    hall.close().await;
}

/// An operator, who sees no findings, is not told either at which tables there are some.
#[tokio::test]
async fn whoever_sees_no_findings_is_not_told_where_there_are_some() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let mut operator = hall.member(&mut chief, Role::Operator).await;
    let file = STANDARD.encode("table,white,black\n1,Ada,Ben\n");
    let load = json!({ "file": file, "round": 1 });
    let loaded = chief.ask("POST", "/api/pairings", Some(load)).await;
    assert_eq!(loaded.status, 200, "{}", loaded.body);
    let seen = [
        chief.get("/api/rounds/1").await,
        operator.get("/api/rounds/1").await,
    ];
    let unruled = seen.each_ref().map(|round: &Value| &round["unruled"]);
    assert_eq!(unruled, [&json!([]), &Value::Null]);
    assert_eq!(seen[0]["pairings"], seen[1]["pairings"]);
    hall.close().await;
}

/// What waits at a board is no part of a refusal for whoever may not see it.
#[tokio::test]
async fn a_refusal_says_nothing_of_findings_to_who_sees_none() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let mut operator = hall.member(&mut chief, Role::Operator).await;
    let _playing = play(hall.dir.path(), "b01");
    let begun = tokio::time::Instant::now();
    let game = loop {
        let board = chief.get("/api/boards/b01").await;
        if board["findings"][0]["status"] == "open" {
            break board["game"].as_str().expect("a game").to_owned();
        }
        assert!(begun.elapsed() < PATIENCE, "a finding: {board}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let resume = json!({ "event": "arbiter", "action": "resume" });
    let paths = [
        "/api/boards/b01/orders".to_owned(),
        format!("/api/games/{game}/orders"),
    ];
    for path in paths {
        let told = chief.ask("POST", &path, Some(resume.clone())).await;
        assert_eq!(told.json()["why"]["with"]["findings"], "1", "{}", told.body);
        let told = operator.ask("POST", &path, Some(resume.clone())).await;
        let error = "The game has not been paused.";
        let why = json!({ "kind": "order-not-paused" });
        assert_eq!(told.json(), json!({ "error": error, "why": why }), "{path}");
    }
    hall.close().await;
}

/// ASVS 8.3.1: a session is looked up anew for every request; rights are those of now.
#[tokio::test]
async fn v8_3_1_a_token_that_was_made_up_is_nobody() {
    let hall = Hall::open();
    let mut guest = hall.stranger().await;
    for token in ["", "0", &"0".repeat(64), "../../etc", "\u{e9}"] {
        guest.cookie = Some(token.to_owned());
        let answer = guest.ask("GET", "/api/boards", None).await;
        assert_eq!(answer.status, 401, "{token}");
        let me: Value = guest.get("/api/people/me").await;
        assert_eq!((&me["name"], &me["role"]), (&json!(""), &Value::Null));
    }
    hall.close().await;
}

/// Whoever may enter results and not confirm them proposes: an operator's word waits for an
/// arbiter's, and undoes none.
#[tokio::test]
async fn v8_2_1_an_operator_enters_results_and_an_arbiter_confirms_them() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let mut operator = hall.member(&mut chief, Role::Operator).await;
    let pairs = "table,white,black\n1,Ann,Ben\n2,Cat,Dan\n";
    let file = json!({ "file": STANDARD.encode(pairs), "round": 1 });
    assert_eq!(chief.status("POST", "/api/pairings", file).await, 200);
    let start = "/api/rounds/1/start";
    assert_eq!(chief.status("POST", start, json!({})).await, 200);
    let enter = "/api/rounds/1/results";
    let order = json!({ "results": { "1": "1-0", "2": "-/+" } });
    let entered = operator.ask("POST", enter, Some(order)).await;
    assert_eq!(entered.status, 200, "{}", entered.body);
    let pairings = entered.json()["pairings"].clone();
    for (pairing, result) in [(&pairings[0], "1-0"), (&pairings[1], "-/+")] {
        assert_eq!(
            (&pairing["result"], &pairing["confirmed"]),
            (&json!(result), &json!(false))
        );
    }
    // Nothing else of results is his.
    let decided = json!({ "results": { "1": "0-1" }, "decided": true });
    let tables = json!({ "tables": [1] });
    for (path, order) in [
        (enter, decided),
        ("/api/rounds/1/confirm", tables.clone()),
        (
            "/api/rounds/1/withdraw",
            json!({ "tables": [1], "reason": "x" }),
        ),
    ] {
        assert_eq!(operator.status("POST", path, order).await, 403, "{path}");
    }
    assert_eq!(
        chief.status("POST", "/api/rounds/1/confirm", tables).await,
        200
    );
    let against = json!({ "results": { "1": "0-1" }, "reason": "a mistake" });
    assert_eq!(operator.status("POST", enter, against).await, 409);
    let round = chief.get("/api/rounds/1").await;
    let first = &round["pairings"][0];
    assert_eq!(
        (&first["result"], &first["confirmed"]),
        (&json!("1-0"), &json!(true))
    );
    hall.close().await;
}

/// ASVS 8.2.2: a note is of all that it names, and whoever writes it may at each of their tables.
#[tokio::test]
async fn v8_2_2_a_note_is_written_by_who_may_at_every_table_it_is_of() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let mut sector = hall.member(&mut chief, Role::Sector).await;
    super::results::round(&mut chief).await;
    for (player, status) in [(1, 200), (2, 200), (3, 403), (4, 403)] {
        let note = json!({ "round": 1, "table": 1, "player": player, "text": "phone rang" });
        let said = sector.ask("POST", "/api/notes", Some(note)).await;
        assert_eq!(said.status, status, "player {player}: {}", said.body);
    }
    // A game of no pairing is that of the table where its board stands.
    let _playing = play(hall.dir.path(), "b02");
    let begun = tokio::time::Instant::now();
    let game = loop {
        let board = chief.get("/api/boards/b02").await;
        if board["ply"].as_u64() > Some(0) {
            break board["game"].clone();
        }
        assert!(begun.elapsed() < PATIENCE, "a game: {board}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    for (game, status) in [(game, 403), (json!("no-such-game"), 404)] {
        let note = json!({ "game": game, "text": "phone rang" });
        let said = sector.ask("POST", "/api/notes", Some(note)).await;
        assert_eq!(said.status, status, "{}", said.body);
    }
    hall.close().await;
}

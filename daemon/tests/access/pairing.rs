//! Phones and screens.

use access::Role;
use serde_json::{Value, json};

use super::hall::{Guest, Hall};

async fn invite(chief: &mut Guest, role: Role) -> Value {
    let tables = (role == Role::Sector).then_some("1-10");
    let name = tables.map_or(role.name(), |_| "rows 1-10");
    let asked = json!({"name": name, "role": role, "tables": tables, "hours": 12});
    let answer = chief.ask("POST", "/api/people/codes", Some(asked)).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()
}

async fn bring(guest: &mut Guest, code: &Value) -> (u16, Value) {
    let answer = guest
        .ask("POST", "/api/people/pair", Some(json!({"code": code})))
        .await;
    (answer.status, answer.json())
}

async fn collect(guest: &mut Guest, waits: &Value) -> u16 {
    let claim = json!({"secret": waits["secret"]});
    guest.status("POST", "/api/people/collect", claim).await
}

/// The code in the link of an invitation.
fn scanned(code: &Value) -> Value {
    let link = code["link"].as_str().expect("a link");
    let (page, code) = link.split_once('#').expect("a fragment");
    assert!(
        page.starts_with("https://") && page.ends_with("/pair.html"),
        "{page}"
    );
    code.into()
}

/// ASVS 6.4.1, 6.5.1 to 6.5.5: a code is in the fragment, works once and for five minutes (that
/// with a clock of its own in `access::pairing`), looking at its page uses nothing, and nobody is
/// in before the chief arbiter, who is shown the same squares, has said so.
#[tokio::test]
async fn v6_5_1_a_phone_is_let_in_by_a_code_and_a_yes() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let code = invite(&mut chief, Role::Sector).await;
    assert!(code["svg"].as_str().expect("a picture").starts_with("<svg"));
    let mut phone = hall.stranger().await;
    // What a link preview does.
    assert_eq!(phone.ask("GET", "/pair.html", None).await.status, 200);
    let (status, waits) = bring(&mut phone, &scanned(&code)).await;
    assert_eq!(
        (status, &waits["invitation"]["name"]),
        (200, &json!("rows 1-10"))
    );
    assert_eq!(bring(&mut phone, &scanned(&code)).await.0, 403, "once");
    assert_eq!(
        bring(&mut phone, &code["code"]).await.0,
        403,
        "the other one as well"
    );
    assert_eq!(collect(&mut phone, &waits).await, 202);
    assert_eq!(phone.ask("GET", "/api/boards", None).await.status, 401);

    let asks = chief.get("/api/people/petitions").await;
    assert_eq!(asks[0]["squares"], waits["squares"]);
    assert!(asks[0].get("secret").is_none());
    let path = format!("/api/people/petitions/{}", asks[0]["id"]);
    assert_eq!(
        chief.status("POST", &path, json!({"allow": true})).await,
        200
    );
    assert_eq!(collect(&mut phone, &waits).await, 200);
    assert_eq!(
        collect(&mut hall.stranger().await, &waits).await,
        410,
        "once"
    );
    let me = phone.get("/api/people/me").await;
    assert_eq!(
        (&me["role"], &me["tables"]),
        (&json!("sector"), &json!("1-10"))
    );

    let code = invite(&mut chief, Role::Operator).await;
    let mut other = hall.stranger().await;
    let spoken = code["code"]
        .as_str()
        .expect("a code")
        .to_lowercase()
        .replace('-', " ");
    let (_, waits) = bring(&mut other, &spoken.into()).await;
    let asks = chief.get("/api/people/petitions").await;
    let path = format!("/api/people/petitions/{}", asks[0]["id"]);
    assert_eq!(
        chief.status("POST", &path, json!({"allow": false})).await,
        200
    );
    assert_eq!(collect(&mut other, &waits).await, 410);
    hall.close().await;
}

/// Whoever may invite nobody any more has let nobody in who is not in yet.
#[tokio::test]
async fn a_code_ends_with_the_account_that_made_it() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let mut other = hall.member(&mut chief, Role::Chief).await;
    let mut phone = hall.stranger().await;
    let made = [
        invite(&mut other, Role::Viewer).await,
        invite(&mut other, Role::Sector).await,
    ];
    let ours = invite(&mut chief, Role::Viewer).await;
    let (_, waits) = bring(&mut phone, &scanned(&made[1])).await;
    let me = other.get("/api/people/me").await;
    let name = me["name"].as_str().expect("a name");
    let path = format!("/api/people/accounts/{name}/revoke");
    let revoked = chief.status("POST", &path, json!({})).await;
    assert_eq!(revoked, 200);
    assert_eq!(bring(&mut phone, &scanned(&made[0])).await.0, 403);
    assert_eq!(collect(&mut phone, &waits).await, 410);
    assert_eq!(bring(&mut phone, &scanned(&ours)).await.0, 200);
    hall.close().await;
}

/// A code for a viewer lets a viewer in, whatever else is asked for with it; and that at once.
#[tokio::test]
async fn v6_5_1_a_code_for_a_viewer_makes_no_arbiter() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let code = invite(&mut chief, Role::Viewer).await;
    let mut phone = hall.stranger().await;
    let more = json!({"code": scanned(&code), "role": "chief"});
    assert_eq!(phone.status("POST", "/api/people/pair", more).await, 422);
    let (_, waits) = bring(&mut phone, &scanned(&code)).await;
    assert_eq!(collect(&mut phone, &waits).await, 200);
    assert_eq!(phone.get("/api/people/me").await["role"], "viewer");
    assert_eq!(
        phone.ask("GET", "/api/people/sessions", None).await.status,
        403
    );
    hall.close().await;
}

/// ASVS 6.6.3: ten wrong codes freeze pairing until the chief arbiter makes a new one.
#[tokio::test]
async fn v6_6_3_ten_wrong_codes_freeze_pairing() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let code = invite(&mut chief, Role::Viewer).await;
    let mut eve = hall.stranger().await;
    for n in 0..10 {
        assert_eq!(bring(&mut eve, &format!("AAAA-AAA{n}").into()).await.0, 403);
    }
    let (status, answer) = bring(&mut eve, &scanned(&code)).await;
    assert_eq!(status, 403);
    assert!(
        answer["error"].as_str().unwrap().contains("new one"),
        "{answer}"
    );
    let code = invite(&mut chief, Role::Viewer).await;
    assert_eq!(bring(&mut eve, &scanned(&code)).await.0, 200);
    // And from one address no more than twenty a minute in all.
    let mut last = 0;
    for _ in 0..20 {
        last = bring(&mut eve, &"AAAA-AAAA".into()).await.0;
    }
    assert_eq!(last, 429);
    hall.close().await;
}

/// A screen shows a code, and becomes what the chief arbiter says, which is no arbiter.
#[tokio::test]
async fn a_screen_on_the_wall_shows_a_code() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let mut screen = hall.stranger().await;
    let shows = screen
        .ask("POST", "/api/people/screen", Some(json!({})))
        .await
        .json();
    assert_eq!(collect(&mut screen, &shows).await, 202);
    let claim = |role: &str| {
        let name = "at the door";
        json!({"code": shows["code"], "name": name, "role": role, "tables": "2-2"})
    };
    assert_eq!(
        chief
            .status("POST", "/api/people/screens", claim("sector"))
            .await,
        403
    );
    assert_eq!(
        screen
            .status("POST", "/api/people/screens", claim("display"))
            .await,
        401
    );
    assert_eq!(
        chief
            .status("POST", "/api/people/screens", claim("display"))
            .await,
        200
    );
    assert_eq!(collect(&mut screen, &shows).await, 200);
    let boards = screen.get("/api/boards").await;
    assert_eq!(
        (&boards[0]["id"], boards.as_array().map(Vec::len)),
        (&json!("b02"), Some(1))
    );
    hall.close().await;
}

/// ASVS 6.3.2, 6.3.3, 6.5.5: where it is set, a paired device with which one may rule has a PIN:
/// nothing else is answered before, five wrong ones end its session, and after its time it is asked
/// again. A screen has none, nor has who has a password.
#[tokio::test]
async fn v6_3_2_a_phone_that_may_rule_has_a_pin() {
    let after = std::time::Duration::from_secs(2);
    let hall = Hall::open_with(|config| config.entrance.device_pin = Some(after));
    let mut chief = hall.chief().await;
    assert_eq!(chief.get("/api/people/me").await["pin"], Value::Null);
    let mut wall = let_in(&hall, &mut chief, "viewer").await;
    assert_eq!(wall.ask("GET", "/api/boards", None).await.status, 200);

    let mut phone = let_in(&hall, &mut chief, "sector").await;
    assert_eq!(phone.get("/api/people/me").await["pin"], "choose");
    assert_eq!(phone.ask("GET", "/", None).await.status, 303);
    for (method, path) in [
        ("GET", "/api/boards"),
        ("GET", "/api/live"),
        ("POST", ORDERS),
    ] {
        let answer = phone.ask(method, path, Some(ruling())).await;
        assert_eq!(answer.status, 423, "{path}: {}", answer.body);
    }
    for weak in ["123456", "1234", "abcdef"] {
        assert_eq!(
            phone.status("POST", PIN, json!({ "pin": weak })).await,
            422,
            "{weak}"
        );
    }
    assert_eq!(
        phone.status("POST", PIN, json!({ "pin": "204917" })).await,
        200
    );
    // 409: it may be ordered, but no game is set up on this board.
    assert_eq!(phone.status("POST", ORDERS, ruling()).await, 409);
    let mut feed = super::feed::follow(&phone).await;
    assert!(feed.next().await.expect("a greeting").get("hall").is_some());

    // After its time, also for who only looks on.
    assert_eq!(feed.closed().await, 4401);
    assert_eq!(phone.get("/api/people/me").await["pin"], "give");
    assert_eq!(phone.ask("GET", "/api/boards", None).await.status, 423);
    for left in (1..5).rev() {
        let wrong = phone
            .ask("POST", PIN, Some(json!({ "pin": "204918" })))
            .await;
        let told = format!("{left} times more");
        assert!(
            wrong.status == 401 && wrong.body.contains(&told),
            "{}",
            wrong.body
        );
    }
    assert_eq!(
        phone.status("POST", PIN, json!({ "pin": "204917" })).await,
        200
    );
    assert_eq!(phone.status("POST", ORDERS, ruling()).await, 409);
    tokio::time::sleep(after).await;
    for _ in 0..5 {
        assert_eq!(
            phone.status("POST", PIN, json!({ "pin": "204918" })).await,
            401
        );
    }
    assert_eq!(
        phone.ask("GET", "/api/boards", None).await.status,
        401,
        "it is out"
    );
    assert_eq!(
        phone.status("POST", PIN, json!({ "pin": "204917" })).await,
        401
    );
    let acts = hall.acts();
    let told = |act: &str| {
        acts.iter()
            .filter(|(_, what, _)| what["act"] == act)
            .count()
    };
    let counts = ["pin-chosen", "pin-given", "pin-refused", "pin-exhausted"].map(told);
    assert_eq!(counts, [1, 1, 8, 1]);
    assert!(
        !format!("{acts:?}").contains("20491"),
        "no PIN is written down"
    );
    hall.close().await;
}

const PIN: &str = "/api/people/pin";
const ORDERS: &str = "/api/boards/b01/orders";

fn ruling() -> Value {
    json!({ "event": "arbiter", "action": "result", "result": "1-0" })
}

/// A device of this role that was let in by a code.
async fn let_in(hall: &Hall, chief: &mut Guest, role: &str) -> Guest {
    let tables = (role == "sector").then_some("1-1");
    let asked = json!({ "name": format!("a device, {role}"), "role": role, "tables": tables });
    let code = chief
        .ask("POST", "/api/people/codes", Some(asked))
        .await
        .json();
    let mut device = hall.stranger().await;
    let brought = json!({ "code": code["code"] });
    let waits = device
        .ask("POST", "/api/people/pair", Some(brought))
        .await
        .json();
    for petition in chief
        .get("/api/people/petitions")
        .await
        .as_array()
        .expect("a list")
    {
        let path = format!("/api/people/petitions/{}", petition["id"]);
        assert_eq!(
            chief.status("POST", &path, json!({ "allow": true })).await,
            200
        );
    }
    let claim = json!({ "secret": waits["secret"] });
    assert_eq!(
        device.status("POST", "/api/people/collect", claim).await,
        200
    );
    device
}

/// Of two devices of one name nobody would know which has ruled: the second is not invited, and
/// not let in by a code that was made before. Screens sign nothing.
#[tokio::test]
async fn a_name_of_a_device_is_given_once() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let early = invite(&mut chief, Role::Sector).await;
    let first = invite(&mut chief, Role::Sector).await;
    let (mut phone, mut other) = (hall.stranger().await, hall.stranger().await);
    let (_, waits) = bring(&mut phone, &scanned(&first)).await;
    let (_, waits_too) = bring(&mut other, &scanned(&early)).await;
    let asks = chief.get("/api/people/petitions").await;
    let number = |waits: &Value| {
        let mut all = asks.as_array().expect("a list").iter();
        let found = all.find(|one| one["squares"] == waits["squares"]);
        found.expect("he waits")["id"].clone()
    };
    let path = |waits: &Value| format!("/api/people/petitions/{}", number(waits));
    let allow = || Some(json!({ "allow": true }));
    assert_eq!(chief.ask("POST", &path(&waits), allow()).await.status, 200);
    assert_eq!(collect(&mut phone, &waits).await, 200);
    let refused = chief.ask("POST", &path(&waits_too), allow()).await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    for name in ["rows 1-10", "ROWS\u{a0}1-10"] {
        let asked = json!({ "name": name, "role": "operator" });
        let answer = chief.ask("POST", "/api/people/codes", Some(asked)).await;
        assert_eq!(answer.status, 409, "{}", answer.body);
        let why = &answer.json()["why"];
        assert_eq!(
            (&why["kind"], &why["with"]["name"]),
            (&json!("device-in-use"), &json!("rows 1-10"))
        );
    }
    // Once it is out, another may come in under its name.
    let sessions = chief.get("/api/people/sessions").await;
    let mut all = sessions.as_array().expect("a list").iter();
    let id = &all
        .find(|one| one["name"] == "rows 1-10")
        .expect("it is in")["id"];
    let revoke = format!("/api/people/sessions/{id}/revoke");
    assert_eq!(chief.status("POST", &revoke, json!({})).await, 200);
    assert_eq!(
        chief.ask("POST", &path(&waits_too), allow()).await.status,
        200
    );
    hall.close().await;
}

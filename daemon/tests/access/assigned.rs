//! An arbiter of a sector who is given other tables.

use access::Role;
use serde_json::json;

use super::feed::follow;
use super::hall::{Hall, PASSWORD};

const PATH: &str = "/api/people/accounts/sector/tables";

/// He stays in, has the rights of the new tables and no others, and follows those. The acts say
/// it, and what is kept fits them.
#[tokio::test]
async fn who_moves_to_another_sector_stays_in() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let mut sector = hall.member(&mut chief, Role::Sector).await;
    let ruling = json!({"event": "arbiter", "action": "result", "result": "1-0"});
    let at = |board: &str| format!("/api/boards/{board}/orders");
    // 409: it may be ordered, but no game is set up on this board.
    assert_eq!(sector.status("POST", &at("b01"), ruling.clone()).await, 409);
    assert_eq!(sector.status("POST", &at("b02"), ruling.clone()).await, 403);
    let mut feed = follow(&sector).await;

    let second = json!({ "tables": "2-2" });
    assert_eq!(sector.status("POST", PATH, second.clone()).await, 403);
    let done = chief.ask("POST", PATH, Some(second)).await;
    assert_eq!(done.status, 200, "{}", done.body);
    while feed.next().await.is_some() {}
    assert_eq!(sector.status("POST", &at("b01"), ruling.clone()).await, 403);
    assert_eq!(sector.status("POST", &at("b02"), ruling.clone()).await, 409);
    let mut again = hall.stranger().await;
    assert_eq!(again.log_in("sector", PASSWORD).await.status, 200);
    let me = again.ask("GET", "/api/people/me", None).await.json();
    assert_eq!(me["tables"], "2-2");

    for (tables, path, status) in [
        (json!(null), PATH, 422),
        (json!("2-2"), "/api/people/accounts/Ada/tables", 422),
        (json!("2-2"), "/api/people/accounts/Ida/tables", 404),
        (json!("2-x"), PATH, 422),
    ] {
        let order = json!({ "tables": tables });
        let answer = chief.ask("POST", path, Some(order)).await;
        assert_eq!(answer.status, status, "{path} {tables}: {}", answer.body);
    }
    let acts = hall.acts();
    let assigned = acts
        .iter()
        .filter(|(_, what, _)| what["act"] == "account-assigned");
    let told: Vec<_> = assigned
        .map(|(by, what, _)| (by.who.clone(), what["tables"].clone()))
        .collect();
    assert_eq!(told, [("Ada".to_owned(), json!("2-2"))]);
    let dir = hall.close().await;
    let (_, wrong) = daemon::store::verify(&dir.path().join("store")).unwrap();
    assert_eq!(wrong, [""; 0]);
}

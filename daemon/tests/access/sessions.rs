//! Sessions: their cookie, their tokens, their ends.

use std::time::{Duration, Instant};

use access::Role;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::feed::follow;
use super::hall::{Hall, PASSWORD};

/// ASVS 3.3.1 to 3.3.4: the cookie of a session.
#[tokio::test]
async fn v3_3_1_the_cookie_is_for_this_host_over_tls_and_no_script_reads_it() {
    let hall = Hall::open();
    hall.chief().await;
    let mut guest = hall.stranger().await;
    let answer = guest.log_in("Ada", PASSWORD).await;
    let cookie = answer.cookie().expect("a cookie");
    let mut parts: Vec<&str> = cookie.split("; ").collect();
    let (name, token) = parts.remove(0).split_once('=').expect("a pair");
    assert_eq!(name, "__Host-arbiter");
    // ASVS 7.2.3: 256 bits; that no two are alike is tested where they are made.
    assert!(
        token.len() == 64 && token.bytes().all(|b| b.is_ascii_hexdigit()),
        "{token}"
    );
    parts.sort_unstable();
    assert_eq!(
        parts,
        [
            "HttpOnly",
            "Max-Age=57600",
            "Path=/",
            "SameSite=Strict",
            "Secure"
        ]
    );
    hall.close().await;
}

/// ASVS 7.2.4, 7.4.1: a token is new after every login and every proof, and the old one is dead;
/// after a logout there is none.
#[tokio::test]
async fn v7_2_4_an_old_token_is_dead_after_login_proof_and_logout() {
    let hall = Hall::open();
    let mut guest = hall.chief().await;
    let ways = [
        (
            "/api/people/login",
            json!({"name": "ada", "password": PASSWORD}),
        ),
        ("/api/people/prove", json!({"password": PASSWORD})),
        (
            "/api/people/password",
            json!({"current": PASSWORD, "new": "seven quiet lanterns"}),
        ),
        ("/api/people/logout", json!({})),
    ];
    for (path, body) in ways {
        let mut old = guest.clone();
        let answer = guest.ask("POST", path, Some(body)).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        assert_ne!(old.cookie, guest.cookie, "{path}");
        assert_eq!(
            old.ask("GET", "/api/boards", None).await.status,
            401,
            "{path}"
        );
        let is_in = guest.ask("GET", "/api/boards", None).await.status == 200;
        assert_eq!(is_in, !path.ends_with("logout"), "{path}");
    }
    hall.close().await;
}

/// ASVS 7.3.1, 7.3.2: the idle and the absolute limit are tested with a clock of their own where
/// they are (`access::sessions`). Here: what is kept of a session outlives the program, and is no
/// token.
#[tokio::test]
async fn v7_3_2_a_session_outlives_the_program_and_its_token_is_not_on_the_disk() {
    let hall = Hall::open();
    let guest = hall.chief().await;
    let token = guest.cookie.clone().expect("a token");
    let hall = hall.restart().await;
    let mut again = hall.stranger().await;
    again.cookie = Some(token.clone());
    assert_eq!(again.ask("GET", "/api/boards", None).await.status, 200);
    for file in std::fs::read_dir(hall.store()).expect("a store") {
        let file = file.expect("a file").path();
        let bytes = std::fs::read(&file).unwrap_or_default();
        let holds = |text: &str| {
            bytes
                .windows(text.len())
                .any(|part| part == text.as_bytes())
        };
        assert!(!holds(&token) && !holds(PASSWORD), "{}", file.display());
    }
    hall.close().await;
}

/// ASVS 7.4.2, 7.4.5, 7.5.2: the chief arbiter sees every session and ends any; whoever is shut out
/// sees nothing more within a second.
#[tokio::test]
async fn v7_4_2_revoking_closes_live_sockets_within_a_second() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let mut sector = hall.member(&mut chief, Role::Sector).await;
    let operator = hall.member(&mut chief, Role::Operator).await;
    let (mut by_session, mut by_account) = (follow(&sector).await, follow(&operator).await);
    for feed in [&mut by_session, &mut by_account] {
        assert!(feed.next().await.expect("a greeting").get("hall").is_some());
    }
    let sessions = chief.get("/api/people/sessions").await;
    let own = sessions.as_array().expect("a list").iter();
    let own = own
        .clone()
        .find(|session| session["name"] == "sector")
        .expect("his session");
    assert_eq!(
        (&own["browser"], &own["address"]),
        (&json!("a test"), &json!("127.0.0.1"))
    );
    let begun = Instant::now();
    let path = format!("/api/people/sessions/{}/revoke", own["id"]);
    assert_eq!(chief.status("POST", &path, json!({})).await, 200);
    assert_eq!(by_session.closed().await, 4401);
    assert_eq!(
        chief
            .status("POST", "/api/people/accounts/operator/revoke", json!({}))
            .await,
        200
    );
    assert_eq!(by_account.closed().await, 4401);
    assert!(
        begun.elapsed() < Duration::from_secs(1),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(sector.ask("GET", "/api/boards", None).await.status, 401);
    // The account that is left may log in again; the one that is closed may not.
    assert_eq!(sector.log_in("sector", PASSWORD).await.status, 200);
    assert_eq!(sector.log_in("operator", PASSWORD).await.status, 401);
    // Somebody must be left who can let others in.
    let last = chief
        .status("POST", "/api/people/accounts/Ada/revoke", json!({}))
        .await;
    assert_eq!(last, 409);
    hall.close().await;
}

/// ASVS 7.5.1: who has not given a password lately changes no account and lets no device in.
#[tokio::test]
async fn v7_5_1_a_device_without_a_password_changes_no_account() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let asked = json!({"name": "the chief's phone", "role": "chief"});
    let code = chief
        .ask("POST", "/api/people/codes", Some(asked))
        .await
        .json();
    let mut phone = hall.stranger().await;
    let brought = json!({"code": code["code"]});
    let waits = phone
        .ask("POST", "/api/people/pair", Some(brought))
        .await
        .json();
    let asks = chief.get("/api/people/petitions").await[0]["id"].clone();
    let path = format!("/api/people/petitions/{asks}");
    assert_eq!(
        chief.status("POST", &path, json!({"allow": true})).await,
        200
    );
    let claim = json!({"secret": waits["secret"]});
    assert_eq!(
        phone.status("POST", "/api/people/collect", claim).await,
        200
    );
    assert_eq!(
        phone.ask("GET", "/api/people/accounts", None).await.status,
        200
    );
    let new = json!({"name": "Eve", "role": "chief", "password": PASSWORD});
    // It has no password that it could give, and is not asked for one.
    let refused = phone.ask("POST", "/api/people/accounts", Some(new)).await;
    let why = &refused.json()["why"]["kind"];
    assert_eq!(
        (refused.status, why),
        (403, &json!("device-without-password"))
    );
    let proof = json!({"password": PASSWORD});
    assert_eq!(phone.status("POST", "/api/people/prove", proof).await, 401);
    hall.close().await;
}

/// ASVS 7.4.1: an order whose end comes after its session has ended is not carried out.
#[tokio::test]
async fn v7_4_1_an_order_that_ends_after_its_session_is_refused() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let mut other = hall.member(&mut chief, Role::Chief).await;
    let body = json!({"name": "Late", "role": "chief"}).to_string();
    let (token, address) = (other.cookie.clone().expect("a session"), other.address);
    let head = format!(
        "POST /api/people/accounts HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Cookie: __Host-arbiter={token}\r\nOrigin: https://{address}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let (begun, rest) = body.split_at(5);
    let mut line = other.connect().await;
    line.write_all(head.as_bytes()).await.expect("sent");
    line.write_all(begun.as_bytes()).await.expect("sent");
    line.flush().await.expect("sent");
    tokio::time::sleep(Duration::from_millis(300)).await;
    let logout = other
        .ask("POST", "/api/people/logout", Some(json!({})))
        .await;
    assert_eq!(logout.status, 200, "{}", logout.body);
    line.write_all(rest.as_bytes()).await.expect("sent");
    line.flush().await.expect("sent");
    let mut answer = Vec::new();
    let _closed_without_a_word = line.read_to_end(&mut answer).await;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
    let accounts = chief.get("/api/people/accounts").await.to_string();
    assert!(!accounts.contains("Late"), "{accounts}");
    hall.close().await;
}

/// Two chief arbiters who close each other's accounts in one moment: one of them is left.
#[tokio::test]
async fn two_chiefs_who_close_each_other_leave_one() {
    let hall = Hall::open();
    let mut ada = hall.chief().await;
    let mut other = hall.member(&mut ada, Role::Chief).await;
    let me = other.get("/api/people/me").await;
    let name = me["name"].as_str().expect("a name").to_owned();
    let (of_other, of_ada) = (
        format!("/api/people/accounts/{name}/revoke"),
        "/api/people/accounts/Ada/revoke",
    );
    let (one, two) = tokio::join!(
        ada.ask("POST", &of_other, Some(json!({}))),
        other.ask("POST", of_ada, Some(json!({}))),
    );
    let counted = [one.status, two.status];
    let closed = counted.iter().filter(|status| **status == 200).count();
    assert_eq!(closed, 1, "{counted:?}: {} {}", one.body, two.body);
    hall.close().await;
}

//! What every answer carries, and what none does.

use access::Role;
use serde_json::json;

use super::hall::Hall;

/// ASVS 3.4.2 to 3.4.6: what a browser is told with every answer, errors too.
#[tokio::test]
async fn v3_4_3_every_answer_carries_a_policy() {
    let hall = Hall::open();
    let mut guest = hall.chief().await;
    for path in [
        "/",
        "/login.html",
        "/pair.html",
        "/pin.html",
        "/setup.html",
        "/screen.html",
        "/wall.html",
        "/people.html",
        "/api/boards",
        "/api/nothing",
        "/nothing.html",
        "/css/base.css",
        "/ca.crt",
    ] {
        let answer = guest.ask("GET", path, None).await;
        let has = |line: &str| answer.head.lines().any(|own| own == line);
        for line in [
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
        ] {
            assert!(has(line), "{path}: {}", answer.head);
        }
        let policy = answer
            .head
            .lines()
            .find_map(|l| l.strip_prefix("content-security-policy: "));
        let policy = policy.unwrap_or_else(|| panic!("{path} has no policy"));
        assert!(policy.contains("default-src 'none'"), "{path}: {policy}");
        assert!(
            policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
        assert!(!policy.contains("'unsafe-inline'"), "{path}: {policy}");
        let is_page = answer.status == 200 && answer.head.contains("content-type: text/html");
        let closes = policy.contains("base-uri 'none'") && policy.contains("form-action 'none'");
        assert!(!is_page || closes, "{path}: {policy}");
        assert!(
            !answer.head.contains("access-control-"),
            "{path}: {}",
            answer.head
        );
    }
    hall.close().await;
}

/// Who is not in is sent to the login, and who watches to what there is to watch.
#[tokio::test]
async fn everybody_is_sent_where_he_belongs() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let viewer = hall.member(&mut chief, Role::Viewer).await;
    let stranger = hall.stranger().await;
    for (mut guest, place) in [(stranger, "/login.html"), (viewer, "/wall.html")] {
        let answer = guest.ask("GET", "/", None).await;
        assert_eq!(answer.status, 303);
        assert!(
            answer.head.contains(&format!("location: {place}")),
            "{}",
            answer.head
        );
    }
    assert_eq!(chief.ask("GET", "/", None).await.status, 200);
    hall.close().await;
}

/// ASVS 16.5.1: what went wrong is said in one sentence, without a path, a query or a trace.
#[tokio::test]
async fn v16_5_1_errors_tell_nothing_of_the_inside() {
    let hall = Hall::open();
    let mut guest = hall.chief().await;
    let store = hall.store().display().to_string();
    let long = "x".repeat(40_000);
    for (method, path, body) in [
        ("GET", "/api/games/%00", json!(null)),
        ("GET", "/api/games/..%2f..%2fetc%2fpasswd", json!(null)),
        ("GET", "/..%2f..%2fetc%2fpasswd", json!(null)),
        ("GET", "/api/boards/'%20OR%201=1", json!(null)),
        ("POST", "/api/people/login", json!([1, 2])),
        (
            "POST",
            "/api/people/login",
            json!({"name": long, "password": "x"}),
        ),
        (
            "POST",
            "/api/people/accounts",
            json!({"name": "a\u{202e}b", "role": "viewer"}),
        ),
        (
            "POST",
            "/api/people/accounts",
            json!({"name": "Ben", "role": "king"}),
        ),
        ("POST", "/api/people/sessions/x/revoke", json!({})),
        ("POST", "/api/people/accounts/%F0%9F/reset", json!({})),
    ] {
        let answer = guest.ask(method, path, Some(body)).await;
        assert!(
            (400..500).contains(&answer.status),
            "{path}: {}",
            answer.status
        );
        let told = &answer.body;
        let inside = ["panicked", "SELECT", "sqlite", "src/", ".rs:", &store];
        assert!(
            !inside.iter().any(|word| told.contains(word)),
            "{path}: {told}"
        );
    }
    hall.close().await;
}

//! The interface as a client meets it: real routes, real hall, real store.

use axum::body::Body;
use axum::http::{Request, Response, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::Value;
use tempfile::TempDir;
use tower::ServiceExt;

use super::*;
use crate::hall::{BoardState, Demand, Order, OrderError, Station};
use crate::journal::Journal;
use crate::reason::Reason;
use crate::store::{FILE, Store};

mod examples;
mod live;

struct House {
    desk: Desk,
    stations: Vec<Station>,
    dir: TempDir,
}

impl House {
    fn router(&self) -> Router {
        router(self.desk.clone())
    }
}

fn house() -> House {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join(FILE), b"").expect("an empty store");
    let boards = vec![BoardState::new("b01", None), BoardState::new("b02", None)];
    let (journal, _thread) = Journal::open(dir.path()).expect("the journal");
    let store = Store::open(dir.path()).expect("the store");
    let ids = boards.iter().map(|board| board.id.clone()).collect();
    let office = Office::open(store.clone(), journal.clone(), ids, None).expect("the event");
    let people = People::open(dir.path(), journal, Vec::new).expect("people");
    let (hall, stations) = Hall::new(boards, store);
    let mut desk = Desk::new(hall, office, people, CancellationToken::new());
    desk.names = Arc::new(Names::new(["Arbiter.Hall".to_owned()]));
    House {
        desk,
        stations,
        dir,
    }
}

fn get_from(path: &str) -> axum::http::request::Builder {
    Request::builder()
        .uri(path)
        .header(header::HOST, "127.0.0.1:8080")
}

fn order_to(board: &str) -> axum::http::request::Builder {
    let path = format!("/api/boards/{board}/orders");
    Request::post(path)
        .header(header::HOST, "127.0.0.1:8080")
        .header(header::CONTENT_TYPE, "application/json")
}

async fn ask(router: &Router, request: Request<Body>) -> Response<Body> {
    router.clone().oneshot(request).await.expect("an answer")
}

async fn text(answer: Response<Body>) -> String {
    let bytes = answer
        .into_body()
        .collect()
        .await
        .expect("a body")
        .to_bytes();
    String::from_utf8(bytes.to_vec()).expect("text")
}

async fn error(answer: Response<Body>) -> String {
    let body: Value = serde_json::from_str(&text(answer).await).expect("JSON");
    body["error"].as_str().expect("an error").to_owned()
}

#[tokio::test]
async fn boards_are_listed_in_order_and_found_by_id() {
    let house = house();
    let all = ask(
        &house.router(),
        get_from("/api/boards").body(Body::empty()).unwrap(),
    )
    .await;
    let all: Value = serde_json::from_str(&text(all).await).unwrap();
    assert_eq!(
        (&all[0]["id"], &all[1]["id"]),
        (&"b01".into(), &"b02".into())
    );
    for field in [
        "game", "state", "fen", "moves", "ply", "sensor", "findings", "fault",
    ] {
        assert!(all[0].get(field).is_some(), "a board has no `{field}`");
    }
    let none = ask(
        &house.router(),
        get_from("/api/boards/b03").body(Body::empty()).unwrap(),
    )
    .await;
    assert_eq!(none.status(), StatusCode::NOT_FOUND);
    assert_eq!(error(none).await, "there is no board `b03`");
}

#[tokio::test]
async fn every_described_address_is_served() {
    let house = house();
    let document = ask(
        &house.router(),
        get_from("/api/openapi.json").body(Body::empty()).unwrap(),
    )
    .await;
    let document: Value = serde_json::from_str(&text(document).await).unwrap();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        let path = path.replace("{id}", "b01");
        if !methods.as_object().expect("methods").is_empty() {
            let other = "PATCH";
            let wrong = Request::builder()
                .method(other)
                .uri(&path)
                .header(header::HOST, "localhost");
            let wrong = wrong
                .header(header::CONTENT_TYPE, "application/json")
                .body(Body::empty())
                .unwrap();
            let answer = ask(&house.router(), wrong).await;
            assert_eq!(
                answer.status(),
                StatusCode::METHOD_NOT_ALLOWED,
                "{other} {path}"
            );
        }
    }
}

#[tokio::test]
async fn the_page_carries_a_policy_and_is_not_sent_twice() {
    let house = house();
    let page = ask(&house.router(), get_from("/").body(Body::empty()).unwrap()).await;
    let policy = page.headers()[header::CONTENT_SECURITY_POLICY]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(
        policy.contains("script-src 'self' 'sha256-")
            && !policy.contains("unsafe-inline")
            && !policy.contains("unsafe-eval"),
        "{policy}"
    );
    let tag = page.headers()[header::ETAG].clone();
    let again = get_from("/")
        .header(header::IF_NONE_MATCH, tag)
        .body(Body::empty())
        .unwrap();
    assert_eq!(
        ask(&house.router(), again).await.status(),
        StatusCode::NOT_MODIFIED
    );
}

#[tokio::test]
async fn every_file_the_page_names_is_carried() {
    let house = house();
    let page = text(ask(&house.router(), get_from("/").body(Body::empty()).unwrap()).await).await;
    let named: Vec<&str> = page
        .split('"')
        .filter(|part| {
            [".css", ".mjs", ".js", ".svg"]
                .iter()
                .any(|end| part.ends_with(end))
        })
        .collect();
    assert!(named.len() > 8, "{named:?}");
    for path in named {
        let path = format!("/{}", path.trim_start_matches("./"));
        let answer = ask(
            &house.router(),
            get_from(&path).body(Body::empty()).unwrap(),
        )
        .await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn foreign_host_names_are_refused() {
    let house = house();
    for (host, status) in [
        ("127.0.0.1:8080", StatusCode::OK),
        ("[::1]:8080", StatusCode::OK),
        ("192.168.1.20", StatusCode::OK),
        ("LOCALHOST:8080", StatusCode::OK),
        ("arbiter.hall", StatusCode::OK),
        ("rebound.example:8080", StatusCode::FORBIDDEN),
        ("localhost.example", StatusCode::FORBIDDEN),
    ] {
        let request = Request::builder()
            .uri("/api/boards")
            .header(header::HOST, host)
            .body(Body::empty())
            .unwrap();
        assert_eq!(
            ask(&house.router(), request).await.status(),
            status,
            "{host}"
        );
    }
}

#[tokio::test]
async fn orders_and_live_feeds_from_other_sites_are_refused() {
    let house = house();
    let order = r#"{"event":"arbiter","action":"pause"}"#;
    let cross = order_to("b01")
        .header(header::ORIGIN, "http://elsewhere.example")
        .body(order.into())
        .unwrap();
    assert_eq!(
        ask(&house.router(), cross).await.status(),
        StatusCode::FORBIDDEN
    );
    let port = order_to("b01")
        .header(header::ORIGIN, "http://127.0.0.1:9999")
        .body(order.into())
        .unwrap();
    assert_eq!(
        ask(&house.router(), port).await.status(),
        StatusCode::FORBIDDEN
    );
    let form = Request::post("/api/boards/b01/orders").header(header::HOST, "127.0.0.1:8080");
    let form = form
        .header(header::CONTENT_TYPE, "text/plain")
        .body(order.into())
        .unwrap();
    assert_eq!(
        error(ask(&house.router(), form).await).await,
        "send `content-type: application/json`"
    );
    let live = get_from("/api/live").header(header::UPGRADE, "websocket");
    let live = live
        .header(header::ORIGIN, "http://elsewhere.example")
        .body(Body::empty())
        .unwrap();
    assert_eq!(
        ask(&house.router(), live).await.status(),
        StatusCode::FORBIDDEN
    );
}

#[tokio::test]
async fn an_order_reaches_its_board_and_its_answer_comes_back() {
    let mut house = house();
    let mut board = house.stations.remove(1);
    let session = tokio::spawn(async move {
        let Order { demand, answer } = board.orders.recv().await.expect("an order");
        answer
            .send(Err(OrderError::refused(
                Reason::new("order-no-finding", "The game has no finding 7.").with("about", 7),
            )))
            .expect("somebody waits");
        demand
    });
    let body = r#"{"event":"arbiter","action":"uphold","id":7}"#;
    let own = order_to("b02")
        .header(header::ORIGIN, "http://127.0.0.1:8080")
        .body(body.into())
        .unwrap();
    let answer = ask(&house.router(), own).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    let told: serde_json::Value = serde_json::from_str(&text(answer).await).unwrap();
    assert_eq!(told["error"], "The game has no finding 7.");
    let why = serde_json::json!({ "kind": "order-no-finding", "with": { "about": "7" } });
    assert_eq!(told["why"], why);
    let wanted = crate::script::parse_input(body.as_bytes()).unwrap();
    assert_eq!(session.await.unwrap(), Demand::Declare(wanted));
}

#[tokio::test]
async fn a_bad_order_is_explained() {
    let house = house();
    for (body, what) in [
        ("{", "JSON"),
        (r#"{"event":"arbiter","action":"promote"}"#, "promote"),
        (r#"{"event":"new-game","withe":"Ada"}"#, "withe"),
        (
            r#"{"event":"arbiter","action":"promotion","square":"i9","piece":"q"}"#,
            "i9",
        ),
    ] {
        let answer = ask(&house.router(), order_to("b01").body(body.into()).unwrap()).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{body}");
        let error = error(answer).await;
        assert!(
            error.contains(what) && !error.contains('\n'),
            "{body}: {error}"
        );
    }
}

#[tokio::test]
async fn an_order_too_long_to_be_one_is_refused() {
    let house = house();
    let long = format!(
        r#"{{"event":"new-game","white":"{}"}}"#,
        "x".repeat(LONGEST_ORDER)
    );
    let answer = ask(&house.router(), order_to("b01").body(long.into()).unwrap()).await;
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
}

/// Its session would wait for itself.
#[tokio::test]
async fn no_table_changes_boards_with_itself() {
    let house = house();
    let swap = Request::post("/api/tables/1/swap")
        .header(header::HOST, "127.0.0.1:8080")
        .header(header::CONTENT_TYPE, "application/json");
    let answer = ask(&house.router(), swap.body(r#"{"with":1}"#.into()).unwrap()).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let error = error(answer).await;
    assert!(error.contains("table 1"), "{error}");
    house
        .desk
        .hall
        .exchange("b01", "b01")
        .await
        .expect("nothing");
}

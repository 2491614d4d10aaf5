//! The live feed, and what it carries for whom.

use std::path::Path;
use std::time::Duration;

use access::Role;
use arbiter_core::SensorClass;
use arbiter_core::irregularity::Code;
use board_driver::hand::{Options, Style, games, perform};
use board_driver::noise::Sensors;
use board_driver::{SimConfig, SimulatedBoard};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_rustls::client::TlsStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

use super::hall::{Guest, Hall, PATIENCE};

/// A feed that somebody follows.
pub(crate) struct Feed(WebSocketStream<TlsStream<TcpStream>>);

impl Feed {
    /// The next message; `None` when the line is closed.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let message = timeout(PATIENCE, self.0.next())
            .await
            .expect("a message in time");
        match message {
            Some(Ok(Message::Text(text))) => Some(serde_json::from_str(&text).expect("JSON")),
            _ => None,
        }
    }

    /// The code with which the daemon closes the line.
    pub(crate) async fn closed(&mut self) -> u16 {
        loop {
            let message = timeout(PATIENCE, self.0.next())
                .await
                .expect("an end in time");
            match message {
                Some(Ok(Message::Close(Some(frame)))) => return frame.code.into(),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return 0,
            }
        }
    }
}

async fn connect(guest: &Guest, origin: Option<&str>) -> Result<Feed, u16> {
    let uri = format!("wss://{}/api/live", guest.address);
    let mut request = uri.into_client_request().expect("a request");
    let headers = request.headers_mut();
    if let Some(token) = &guest.cookie {
        let cookie = format!("__Host-arbiter={token}");
        headers.insert("cookie", HeaderValue::from_str(&cookie).expect("a header"));
    }
    if let Some(origin) = origin {
        headers.insert("origin", HeaderValue::from_str(origin).expect("a header"));
    }
    match client_async(request, guest.connect().await).await {
        Ok((socket, _)) => Ok(Feed(socket)),
        Err(Error::Http(answer)) => Err(answer.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

/// Follows the feed.
pub(crate) async fn follow(guest: &Guest) -> Feed {
    let origin = format!("https://{}", guest.address);
    connect(guest, Some(&origin))
        .await
        .unwrap_or_else(|status| panic!("refused: {status}"))
}

/// A board on a pseudo-terminal on which an illegal move is made.
pub(crate) fn play(dir: &Path, board: &str) -> JoinHandle<()> {
    let game = games::pick(3);
    let (moves, options) = (&game.moves[..16], Options::default());
    let breaches = [(Code::IllegalMove, 7)];
    let played = perform(&game.start, moves, Style::Tidy, 3, &breaches, &options);
    let class = SensorClass::Piece;
    let script = Sensors::new(class, 0, 3).read(&played.start, &played.acts);
    let mut config = SimConfig::new(dir.join(board), "SIM-77", class);
    (config.pace, config.linger) = (60.0, PATIENCE);
    let simulated = SimulatedBoard::create(config).expect("a pseudo-terminal");
    let (controls, control) = mpsc::channel(1);
    tokio::spawn(async move {
        simulated
            .play(script, control)
            .await
            .expect("the board plays");
        drop(controls);
    })
}

/// Every name of a field in it, however deep.
fn names(value: &Value, all: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                all.push(name.clone());
                names(value, all);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| names(value, all)),
        _ => {}
    }
}

/// Fields that are of what is found, or of devices.
const FOUND: [&str; 9] = [
    "findings",
    "doubts",
    "doubtful",
    "obligation",
    "offences",
    "restore",
    "open",
    "orders",
    "asked",
];
const DEVICES: [&str; 8] = [
    "serial",
    "firmware",
    "fault",
    "distrusted",
    "note",
    "connected",
    "reading",
    "differs",
];

/// ASVS 8.2.3: field-level access. What a viewer is sent, over the socket and by request, has no
/// finding, no doubt, no device and no fault; an operator is shown devices, and nothing found.
#[tokio::test]
async fn v8_2_3_a_viewers_feed_has_no_finding_and_no_device() {
    let hall = Hall::open();
    let _playing = play(hall.dir.path(), "b01");
    let mut chief = hall.chief().await;
    let mut viewer = hall.member(&mut chief, Role::Viewer).await;
    let mut display = hall.member(&mut chief, Role::Display).await;
    let mut operator = hall.member(&mut chief, Role::Operator).await;
    let mut feeds = Vec::new();
    for guest in [&viewer, &display, &operator] {
        feeds.push(follow(guest).await);
    }
    let found = async {
        loop {
            let board = chief.get("/api/boards/b01").await;
            if !board["findings"].as_array().expect("a list").is_empty() {
                return board;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let board = timeout(PATIENCE, found)
        .await
        .expect("an illegal move is found");
    assert_eq!(board["serial"], "SIM-77");
    // Both have seen it by the time that further moves have come.
    for (feed, of) in feeds.iter_mut().zip(["viewer", "display", "operator"]) {
        let (mut told, mut plies) = (Vec::new(), 0);
        while plies < 7 {
            let message = feed.next().await.expect("a message");
            plies = message["ply"].as_u64().unwrap_or(plies);
            assert!(message.get("ruling").is_none(), "{of}: {message}");
            // A screen at the first table is told of that alone.
            assert!(of != "display" || message["board"] != "b02", "{message}");
            let of_incidents = ["incidents", "incident", "changed", "settled"];
            let is_of_incidents = of_incidents.iter().any(|name| message.get(name).is_some());
            assert!(of == "operator" || !is_of_incidents, "{of}: {message}");
            names(&message, &mut told);
        }
        assert!(told.iter().any(|name| name == "san"), "{of} sees moves");
        assert!(
            FOUND.iter().all(|name| !told.iter().any(|n| n == name)),
            "{of}: {told:?}"
        );
        let sees_devices = told.iter().any(|name| name == "serial");
        assert_eq!(sees_devices, of == "operator");
    }
    for guest in [&mut viewer, &mut display] {
        let mut told = Vec::new();
        names(&guest.get("/api/boards").await, &mut told);
        names(&guest.get("/api/boards/b01").await, &mut told);
        assert!(told.iter().any(|name| name == "san"));
        for name in FOUND.iter().chain(&DEVICES) {
            assert!(!told.iter().any(|n| n == name), "{name}");
        }
        assert_eq!(guest.ask("GET", "/api/incidents", None).await.status, 403);
        let game = board["game"].as_str().expect("a name");
        for path in ["", ".pgn", "/script"] {
            let path = format!("/api/games/{game}{path}");
            assert_eq!(guest.ask("GET", &path, None).await.status, 403, "{path}");
        }
    }
    assert_eq!(
        display.ask("GET", "/api/boards/b02", None).await.status,
        404
    );
    assert_eq!(
        display.get("/api/boards").await.as_array().map(Vec::len),
        Some(1)
    );
    let waiting = chief.get("/api/incidents").await;
    let kinds = waiting.as_array().expect("a list").iter();
    let mut kinds = kinds.map(|incident| &incident["kind"]);
    assert!(kinds.any(|kind| kind == "irregularity"), "{waiting}");
    let mut told = Vec::new();
    names(&operator.get("/api/incidents").await, &mut told);
    names(&operator.get("/api/boards").await, &mut told);
    assert!(
        FOUND.iter().all(|name| !told.iter().any(|n| n == name)),
        "{told:?}"
    );
    hall.close().await;
}

/// The public is as late as the event wants it; arbiters are not.
#[tokio::test]
async fn the_public_sees_moves_later() {
    let delay = Duration::from_secs(4);
    let hall = Hall::open_with(|config| config.entrance.delay = delay);
    let mut chief = hall.chief().await;
    let mut viewer = hall.member(&mut chief, Role::Viewer).await;
    viewer.get("/api/boards").await;
    let _playing = play(hall.dir.path(), "b01");
    let moved = async |guest: &mut Guest| {
        while guest.get("/api/boards/b01").await["ply"]
            .as_u64()
            .unwrap_or(0)
            == 0
        {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        tokio::time::Instant::now()
    };
    let first = timeout(PATIENCE, moved(&mut chief)).await.expect("a move");
    let shown = timeout(PATIENCE, moved(&mut viewer)).await.expect("a move");
    let behind = shown - first;
    assert!(behind > delay - Duration::from_secs(1), "{behind:?}");
    hall.close().await;
}

/// A viewer sees no more than everybody else: as late, and nothing that is stopped.
#[tokio::test]
async fn what_is_stopped_is_stopped_for_viewers_too() {
    let late = Duration::from_secs(3);
    let hall = Hall::open_with(|config| config.public.delay.ms = 3_000);
    let mut chief = hall.chief().await;
    let mut viewer = hall.member(&mut chief, Role::Viewer).await;
    viewer.get("/api/boards").await;
    let _playing = play(hall.dir.path(), "b01");
    let reach = async |guest: &mut Guest, ply: u64| {
        while guest.get("/api/boards/b01").await["ply"].as_u64() < Some(ply) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        tokio::time::Instant::now()
    };
    let first = timeout(PATIENCE, reach(&mut chief, 1))
        .await
        .expect("a move");
    let order = json!({ "reason": "" });
    let said = chief
        .ask("POST", "/api/public/stop", Some(order.clone()))
        .await;
    assert_eq!(said.status, 200, "{}", said.body);
    timeout(PATIENCE, reach(&mut chief, 4))
        .await
        .expect("moves");
    tokio::time::sleep_until(first + late + Duration::from_secs(2)).await;
    let ply = viewer.get("/api/boards/b01").await["ply"].as_u64();
    assert_eq!(ply, Some(0), "it is stopped");
    let said = chief.ask("POST", "/api/public/resume", Some(order)).await;
    assert_eq!(said.status, 200, "{}", said.body);
    timeout(PATIENCE, reach(&mut viewer, 4))
        .await
        .expect("moves");
    hall.close().await;
}

/// ASVS 3.5.1 to 3.5.3: what changes something, and the feed, are for the console's own page only.
#[tokio::test]
async fn v3_5_1_requests_of_other_pages_are_refused() {
    let hall = Hall::open();
    let mut chief = hall.chief().await;
    let own = format!("https://{}", hall.address);
    let plain = format!("http://{}", hall.address);
    for (origin, is_refused) in [
        (Some("https://elsewhere.example"), true),
        (Some("null"), true),
        (Some(plain.as_str()), true),
        (None, true),
        (Some(own.as_str()), false),
    ] {
        let feed = connect(&chief, origin).await;
        assert_eq!(feed.err(), is_refused.then_some(403), "{origin:?}");
        let named = origin
            .map(|origin| format!("Origin: {origin}\r\n"))
            .unwrap_or_default();
        let json = format!("{named}Content-Type: application/json\r\n");
        let body = || Some(json!({"event": "arbiter", "action": "pause"}));
        let path = "/api/boards/b01/orders";
        let answer = chief.ask_with("POST", path, body(), &json).await;
        assert_eq!(
            answer.status == 403,
            is_refused,
            "{origin:?}: {}",
            answer.body
        );
    }
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    ] {
        let headers = format!("Origin: {own}\r\nContent-Type: {kind}\r\n");
        let path = "/api/people/logout";
        let answer = chief
            .ask_with("POST", path, Some(json!({})), &headers)
            .await;
        assert_eq!(answer.status, 403, "{kind}");
    }
    let headers = format!("Origin: {own}\r\nSec-Fetch-Site: cross-site\r\n");
    let answer = chief
        .ask_with("POST", "/api/people/logout", None, &headers)
        .await;
    assert_eq!(answer.status, 403);
    // And nothing changes by a question: no address of a change answers one.
    let document = daemon::http::document();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        if methods.get("post").is_some() && methods.get("get").is_none() {
            let path = path.replace("{id}", "1");
            let status = chief.ask("GET", &path, None).await.status;
            assert!(status == 403 || status == 405, "{path}: {status}");
        }
    }
    assert_eq!(
        chief.ask("GET", "/api/boards", None).await.status,
        200,
        "still in"
    );
    hall.close().await;
}

/// The public is so many half-moves behind, whatever its time, and is not told how a game went of
/// which nobody has said it.
#[tokio::test]
async fn the_public_sees_what_so_many_half_moves_have_followed() {
    const BEHIND: u64 = 2;
    let hall = Hall::open_with(|config| config.public.delay.plies = BEHIND as usize);
    let mut chief = hall.chief().await;
    let mut viewer = hall.member(&mut chief, Role::Viewer).await;
    viewer.get("/api/boards").await;
    let _playing = play(hall.dir.path(), "b01");
    let count = |board: Value| board["ply"].as_u64().unwrap_or(0);
    let played = async {
        let mut seen = 0;
        while seen < 4 {
            // Who asks later may see more, and not less.
            let shown = count(viewer.get("/api/boards/b01").await);
            let made = count(chief.get("/api/boards/b01").await);
            assert!(shown == 0 || shown + BEHIND <= made, "{shown} of {made}");
            seen = seen.max(shown);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(PATIENCE, played).await.expect("moves");
    let listed = chief.get("/api/games").await;
    assert_eq!(listed.as_array().map(Vec::len), Some(1));
    assert_eq!(viewer.get("/api/games").await, serde_json::json!([]));
    hall.close().await;
}

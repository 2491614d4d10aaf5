//! Whoever opens connections without end leaves room for the boards, and for the console at other
//! addresses.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::Signal;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::child::{ended, signal};
use crate::house::House;
use crate::play::play;
use crate::{GAME, free, serve};

const PATIENCE: Duration = Duration::from_secs(30);
const FLOOD: usize = 2_000;
const FLOODING: Ipv4Addr = Ipv4Addr::LOCALHOST;
const ELSEWHERE: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

async fn connect(from: Ipv4Addr, to: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((from, 0).into())?;
    socket.connect(to).await
}

/// What is answered to `request`, or nothing.
async fn answer(from: Ipv4Addr, to: SocketAddr, request: &str) -> std::io::Result<String> {
    let mut line = connect(from, to).await?;
    line.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    line.read_to_end(&mut answer).await?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

async fn get(from: Ipv4Addr, to: SocketAddr, path: &str) -> String {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {to}\r\nConnection: close\r\n\r\n");
    answer(from, to, &request).await.unwrap_or_default()
}

fn order(to: SocketAddr, further: &str, body: &str) -> String {
    format!(
        "POST /api/boards/b01/orders HTTP/1.1\r\nHost: {to}\r\nConnection: close\r\n\
         Content-Type: application/json\r\n{further}\r\n{body}"
    )
}

fn new_game(to: SocketAddr) -> String {
    let body = r#"{"event":"new-game"}"#;
    order(to, &format!("Content-Length: {}\r\n", body.len()), body)
}

/// The board, as soon as it is so of it.
async fn until(to: SocketAddr, is_so: impl Fn(&Value) -> bool) -> Value {
    let end = Instant::now() + PATIENCE;
    loop {
        let answer = get(ELSEWHERE, to, "/api/boards/b01").await;
        let body = answer.split_once("\r\n\r\n").map(|(_, body)| body);
        let board = body.and_then(|body| serde_json::from_str(body).ok());
        if let Some(board) = board.filter(&is_so) {
            return board;
        }
        assert!(Instant::now() < end, "in time: {answer}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn two_thousand_connections_stop_no_game() {
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).expect("limits");
    setrlimit(Resource::RLIMIT_NOFILE, most.min(8_192), most).expect("more files");
    let dir = tempfile::tempdir().expect("a directory");
    let (truth, _playing) = play(dir.path(), GAME);
    let to = free();
    let daemon = serve(dir.path(), to, &[("b01", "")]);
    until(to, |board| board["ply"].as_u64() > Some(2)).await;

    let begun = Instant::now();
    let mut flood = Vec::new();
    for n in 0..FLOOD {
        let mut line = connect(FLOODING, to).await.expect("a connection");
        // Half of them begin a request and never end it.
        if n % 2 == 0 {
            let _refused = line.write_all(b"GET / HTTP/1.1\r\nHost: ").await;
        }
        flood.push(line);
    }
    let second = answer(ELSEWHERE, to, &new_game(to))
        .await
        .expect("answered");
    assert!(second.starts_with("HTTP/1.1 200"), "{second}");
    until(to, |b| {
        b["game"]
            .as_str()
            .is_some_and(|game| game.ends_with("-b01-2"))
    })
    .await;
    let page = get(ELSEWHERE, to, "/").await;
    assert!(page.contains("<html"), "{page}");
    assert_eq!(flood.len(), FLOOD);

    // Whoever keeps the daemon waiting is not waited for.
    let mut closed = 0;
    for mut line in flood {
        let left = (begun + PATIENCE).saturating_duration_since(Instant::now());
        let read = timeout(left, line.read_to_end(&mut Vec::new())).await;
        closed += usize::from(read.is_ok());
    }
    assert_eq!(closed, FLOOD, "of {FLOOD} connections");
    let page = get(FLOODING, to, "/").await;
    assert!(page.contains("<html"), "there is room again: {page}");
    assert!(!truth.is_empty());
    signal(&daemon, Signal::SIGTERM);
    assert_eq!(ended(daemon), 0);
}

/// One connection that follows the live feed, when its first message has come; `None` where there
/// is no place.
async fn follow(from: Ipv4Addr, to: SocketAddr) -> Option<TcpStream> {
    let mut line = connect(from, to).await.ok()?;
    let request = format!(
        "GET /api/live HTTP/1.1\r\nHost: {to}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    line.write_all(request.as_bytes()).await.ok()?;
    let (mut heard, mut length) = (vec![0; 2048], 0);
    while !String::from_utf8_lossy(&heard[..length]).contains("\"hall\"") {
        match line.read(&mut heard[length..]).await {
            Ok(read) if read > 0 => length += read,
            _ => return None,
        }
    }
    Some(line)
}

/// Whether a feed goes on.
async fn goes_on(line: &mut TcpStream) -> bool {
    let end = Instant::now() + Duration::from_millis(300);
    let mut heard = [0; 4096];
    loop {
        let left = end.saturating_duration_since(Instant::now());
        match timeout(left, line.read(&mut heard)).await {
            Err(_) => return true,
            Ok(Err(_) | Ok(0)) => return false,
            Ok(Ok(_)) => {}
        }
    }
}

/// Four addresses take every place that there is, asking for nothing or following the feed: whoever
/// comes from elsewhere is let in at once, and whoever was there before stays.
#[tokio::test]
async fn nobody_is_kept_out_by_those_who_ask_for_nothing_or_for_everything() {
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).expect("limits");
    setrlimit(Resource::RLIMIT_NOFILE, most.min(8_192), most).expect("more files");
    let dir = tempfile::tempdir().expect("a directory");
    let (_truth, _playing) = play(dir.path(), GAME);
    let to = free();
    let daemon = serve(dir.path(), to, &[("b01", "")]);
    until(to, |board| board["ply"].as_u64() > Some(2)).await;
    let mut here = follow(ELSEWHERE, to).await.expect("the feed");
    let crowd = |n: usize| Ipv4Addr::new(127, 0, 1, (n % 4) as u8 + 1);
    let newcomer = Ipv4Addr::new(127, 0, 0, 3);

    let mut idle = Vec::new();
    for n in 0..4 * 128 {
        let mut line = connect(crowd(n), to).await.expect("a connection");
        if n % 2 == 0 {
            line.write_all(b"GET / HTTP/1.1\r\nHost: ")
                .await
                .expect("half a request");
        }
        idle.push(line);
    }
    let begun = Instant::now();
    let page = get(newcomer, to, "/").await;
    assert!(page.contains("<html"), "room is made: {page:?}");
    let mut came = follow(newcomer, to).await.expect("the feed");
    // Nobody waited until those who ask for nothing are sent away.
    assert!(begun.elapsed() < Duration::from_secs(5), "{begun:?}");
    assert!(goes_on(&mut here).await && goes_on(&mut came).await);
    drop(idle);

    let mut greedy = Vec::new();
    for n in 0..4 * 128 {
        greedy.extend(follow(crowd(n), to).await);
    }
    assert!(greedy.len() >= 4 * 128 - 8, "{} places", greedy.len());
    let page = get(Ipv4Addr::new(127, 0, 0, 4), to, "/").await;
    assert!(page.contains("<html"), "room is made: {page:?}");
    let order = answer(newcomer, to, &new_game(to)).await.expect("answered");
    assert!(order.starts_with("HTTP/1.1 200"), "{order}");
    assert!(goes_on(&mut here).await && goes_on(&mut came).await);
    signal(&daemon, Signal::SIGTERM);
    assert_eq!(ended(daemon), 0);
}

#[tokio::test]
async fn orders_that_are_too_many_or_not_clear_are_refused() {
    let dir = tempfile::tempdir().expect("a directory");
    let (_truth, _playing) = play(dir.path(), GAME);
    let house = House::open(dir.path(), &["b01"]);
    let to = house.address;
    house
        .until("b01", "a game", |board| board["ply"].as_u64() > Some(2))
        .await;
    let body = r#"{"event":"new-game"}"#;
    let length = format!("Content-Length: {}\r\n", body.len());
    let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let both = "Transfer-Encoding: chunked\r\n";
    let name = |name: &str| format!(r#"{{"event":"new-game","white":"{name}"}}"#);
    let hidden = name("Anna \u{202e}greB");
    let long = name(&"x".repeat(500));
    let sized = |body: &str| order(to, &format!("Content-Length: {}\r\n", body.len()), body);
    for (request, status) in [
        (order(to, &format!("{length}{both}"), &chunked), 411),
        (order(to, &format!("{both}{length}"), &chunked), 411),
        (order(to, both, &chunked), 411),
        (
            order(to, &format!("{length}Sec-Fetch-Site: cross-site\r\n"), body),
            403,
        ),
        (
            order(to, &format!("{length}Sec-Fetch-Site: same-site\r\n"), body),
            403,
        ),
        (
            order(
                to,
                &format!("{length}Origin: http://evil.example\r\n"),
                body,
            ),
            403,
        ),
        (sized(&hidden), 422),
        (sized(&long), 422),
        (
            order(
                to,
                &format!("{length}Sec-Fetch-Site: same-origin\r\n"),
                body,
            ),
            200,
        ),
    ] {
        let said = answer(FLOODING, to, &request).await.expect("answered");
        assert!(
            said.starts_with(&format!("HTTP/1.1 {status} ")),
            "{request}\n{said}"
        );
    }
    let resume = json!({"event": "arbiter", "action": "resume"});
    let mut refused = 0;
    for _ in 0..1_000 {
        let (status, _) = house.order("b01", resume.clone()).await;
        refused += usize::from(status == 429);
    }
    assert!(refused > 20, "{refused} of 1,000 orders refused");
    let said = answer(ELSEWHERE, to, &sized(&resume.to_string())).await;
    let said = said.expect("answered");
    assert!(
        said.starts_with("HTTP/1.1 409 "),
        "others may order: {said}"
    );
    house.close().await;
}

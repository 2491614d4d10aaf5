//! A daemon that is asked over HTTP.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use board_driver::PortSpec;
use daemon::config::{BoardConfig, Config};
use daemon::run::{Daemon, RunError, bind};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// No wait may take longer.
const PATIENCE: Duration = Duration::from_secs(30);
/// A daemon and its address.
pub(crate) struct House {
    pub(crate) address: SocketAddr,
    shutdown: CancellationToken,
    serving: JoinHandle<Result<(), RunError>>,
}

impl House {
    /// A daemon with its store in `dir`, and the lines of its boards.
    pub(crate) fn open(dir: &Path, boards: &[&str]) -> House {
        let board = |id: &&str| BoardConfig::new(id, PortSpec::Path(dir.join(id)));
        let config = Config {
            listen: ([127, 0, 0, 1], 0).into(),
            ..Config::new(dir.join("store"), boards.iter().map(board).collect())
        };
        let shutdown = CancellationToken::new();
        let daemon = Daemon::open(&config, shutdown.clone()).expect("a store");
        let listener = bind(config.listen).expect("a free port");
        let address = listener.local_addr().expect("an address");
        House {
            address,
            shutdown,
            serving: tokio::spawn(daemon.serve(listener)),
        }
    }

    /// Asks the daemon; the status, and what stands in the answer.
    pub(crate) async fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let answer = ask(self.address, method, path, body).await;
        answer.expect("a daemon that answers")
    }

    /// Orders something; the status, and the answer.
    pub(crate) async fn order(&self, board: &str, order: Value) -> (u16, Value) {
        let path = format!("/api/boards/{board}/orders");
        let (status, body) = self.ask("POST", &path, &order.to_string()).await;
        (status, serde_json::from_str(&body).expect("JSON"))
    }

    pub(crate) async fn board(&self, board: &str) -> Value {
        self.json(&format!("/api/boards/{board}")).await
    }

    pub(crate) async fn json(&self, path: &str) -> Value {
        let (_, body) = self.ask("GET", path, "").await;
        serde_json::from_str(&body).expect("JSON")
    }

    /// Waits until it is so of a board.
    pub(crate) async fn until(
        &self,
        board: &str,
        what: &str,
        is_so: impl Fn(&Value) -> bool,
    ) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let board = self.board(board).await;
            if is_so(&board) {
                return board;
            }
            assert!(Instant::now() < end, "{what} in time: {board}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(crate) async fn close(self) {
        self.shutdown.cancel();
        let serving = tokio::time::timeout(PATIENCE, self.serving).await;
        serving
            .expect("in time")
            .expect("no panic")
            .expect("in order");
    }
}

/// Asks a daemon; the status, and what stands in the answer. `None` when nobody answers.
pub(crate) async fn ask(
    address: SocketAddr,
    method: &str,
    path: &str,
    body: &str,
) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(address).await.ok()?;
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len(),
    );
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.ok()?;
    let answer = String::from_utf8(answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok())?;
    let body = match head.to_lowercase().contains("transfer-encoding: chunked") {
        true => unchunked(body),
        false => body.to_owned(),
    };
    Some((status, body))
}

/// A body that was sent in chunks.
fn unchunked(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 {
            break;
        }
        whole.push_str(&rest[..size]);
        body = rest[size..].trim_start_matches("\r\n");
    }
    whole
}

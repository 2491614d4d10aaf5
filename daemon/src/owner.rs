//! The owner of a store: whoever can enter its directory. He asks the running daemon over a socket
//! there, or, where none runs, does by himself what it would do.

use std::io::{Read, Write};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, header};
use http_body_util::BodyExt;
use serde_json::Value;
use tokio::net::UnixListener;
use tokio_util::sync::CancellationToken;

use crate::hall::Hall;
use crate::http::{self, Desk};
use crate::journal::Journal;
use crate::people::People;
use crate::store::{Store, StoreError};

/// The socket, in the store's directory, which only its owner can enter.
const SOCKET: &str = "arbiter.sock";
/// How long the daemon may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Why the owner got no answer.
#[derive(Debug, thiserror::Error)]
pub enum OwnerError {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The daemon does not answer.
    #[error("the daemon does not answer: {0}")]
    Silent(#[from] std::io::Error),
    /// That is no answer.
    #[error("the daemon's answer cannot be read")]
    Garbled,
    /// Only a running daemon does that.
    #[error("no daemon runs on this store; start it first")]
    Resting,
    /// It was refused, and why.
    #[error("{0}")]
    Refused(String),
}

/// Serves the owner of the store in `dir` until the shutdown. Without its socket the daemon runs
/// all the same.
pub fn serve(dir: &Path, desk: Desk) {
    let file = dir.join(SOCKET);
    // Ours: the store's directory is locked.
    let _not_there = std::fs::remove_file(&file);
    match UnixListener::bind(&file) {
        Ok(listener) => drop(tokio::spawn(http::serve_owner(listener, desk))),
        Err(error) => tracing::warn!(
            file = %file.display(), %error,
            "commands such as `arbiterd people` cannot reach the daemon while it runs"
        ),
    }
}

/// Asks the daemon of the store in `dir`. Where none runs, the same is done on the resting store;
/// unless `running` is needed for it.
///
/// # Errors
/// Where nobody answers, or the answer is a refusal.
pub fn ask(
    dir: &Path,
    method: &str,
    path: &str,
    body: Option<&Value>,
    running: bool,
) -> Result<Value, OwnerError> {
    let body = body.map(Value::to_string).unwrap_or_default();
    let (status, text) = match UnixStream::connect(dir.join(SOCKET)) {
        Ok(line) => over(line, method, path, &body)?,
        Err(_) if running => return Err(OwnerError::Resting),
        Err(_) => at_rest(dir, method, path, &body)?,
    };
    let answer: Value = serde_json::from_str(&text).map_err(|_| OwnerError::Garbled)?;
    match status {
        200..300 => Ok(answer),
        _ => Err(OwnerError::Refused(
            answer["error"].as_str().unwrap_or(&text).to_owned(),
        )),
    }
}

/// Asks over the socket.
fn over(
    mut line: UnixStream,
    method: &str,
    path: &str,
    body: &str,
) -> Result<(u16, String), OwnerError> {
    line.set_read_timeout(Some(PATIENCE))?;
    let length = body.len();
    write!(
        line,
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )?;
    let mut answer = String::new();
    line.read_to_string(&mut answer)?;
    let parts = answer.split_once("\r\n\r\n").and_then(|(head, body)| {
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some((status, body.to_owned()))
    });
    parts.ok_or(OwnerError::Garbled)
}

/// Does it on the resting store.
fn at_rest(dir: &Path, method: &str, path: &str, body: &str) -> Result<(u16, String), OwnerError> {
    let owner = std::fs::metadata(dir).map(|about| about.uid());
    if let Ok(owner) = owner
        && owner != nix::unistd::geteuid().as_raw()
    {
        let (dir, what) = (
            dir.display(),
            "files of yours in it would keep its daemon out",
        );
        return Err(OwnerError::Refused(format!(
            "{dir} is another user's, and {what}: do this as that user, `sudo -u '#{owner}'`"
        )));
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let (journal, writer) = Journal::open(dir)?;
    let (hall, _) = Hall::new(Vec::new(), Store::open(dir)?);
    let people = People::open(dir, journal, Vec::new())?;
    let desk = Desk::new(hall, people, CancellationToken::new());
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body.to_owned()))
        .map_err(|_| OwnerError::Garbled)?;
    let answer = runtime.block_on(async {
        let answer = http::answer_owner(desk, request).await;
        let status = answer.status().as_u16();
        let body = answer
            .into_body()
            .collect()
            .await
            .map_err(|_| OwnerError::Garbled)?;
        let text = String::from_utf8(body.to_bytes().to_vec());
        Ok((status, text.map_err(|_| OwnerError::Garbled)?))
    });
    drop(runtime);
    // It ends with what has been written.
    let _written = writer.join();
    answer
}

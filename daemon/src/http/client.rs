//! Asks the service of a store: that of the program that runs on it, or, where none does, one of
//! its own for as long as it takes.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode, header};
use axum::response::Response;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::net::UnixStream;
use tokio_util::sync::CancellationToken;

use super::guard::DAMAGE;
use super::rounds::{ADDED, ALTERED, CUT, LEFT_OUT, OPEN, RECODED, REDRAWN};
use super::socket::{owned, place};
use super::{Desk, router};
use crate::hall::Hall;
use crate::journal::Journal;
use crate::office::{Minors, Office};
use crate::people::People;
use crate::scribe::Scribe;
use crate::store::{Store, StoreError};

/// How long a program waits for another one that has the store.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);
/// Between two attempts.
pub(crate) const PAUSE: Duration = Duration::from_millis(50);

/// The longest answer: the games of the largest round.
const LONGEST: usize = 256 << 20;

/// What the service answered.
#[derive(Clone, Debug)]
pub struct Answer {
    /// How it went.
    pub status: StatusCode,
    /// What it says.
    pub body: Bytes,
    /// Tables whose result an exported file has no sign for, with commas between.
    pub left_out: String,
    /// Tables, such as `3.12`, that the loaded report file paired otherwise than an exported one.
    pub redrawn: String,
    /// Players whom the loaded report file did not have.
    pub added: String,
    /// Those of them whose names were longer than a report file has room for.
    pub cut: String,
    /// Round and player, such as `1.3`, of whom the loaded report file had another result.
    pub altered: String,
    /// Games such as `3.12` without a result that counts, with commas between.
    pub open: String,
    /// The encoding of the loaded report file, where the exported one is in UTF-8 instead.
    pub recoded: String,
    /// What of the store is damaged, so that the answer is of what was before.
    pub damage: Option<String>,
}

/// Why nothing was answered.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It is another user's.
    #[error("{0} is another user's: do this as that user, by `sudo -u '#{1}' arbiterd ...`")]
    Foreign(PathBuf, u32),
    /// The program that runs on it does not answer.
    #[error("the arbiterd that uses {0} does not answer: {1}")]
    Silent(PathBuf, String),
}

/// Asks what can be asked of the service at `path`. `creates`: the store need not be there yet.
///
/// # Errors
/// Where nobody answers.
pub async fn ask(
    dir: &Path,
    method: Method,
    path: &str,
    body: String,
    creates: bool,
) -> Result<Answer, AskError> {
    let waits_until = Instant::now() + PATIENCE;
    loop {
        let request = request_of(&method, path, &body).map_err(|error| silent(dir, error))?;
        let asked = match connect(dir).await {
            Ok(line) => over(line, request)
                .await
                .map_err(|error| silent(dir, error)),
            Err(_) => at_rest(dir, request, creates).await,
        };
        // Another command has the store, or a program that is just starting or ending.
        let is_taken = matches!(asked, Err(AskError::Store(StoreError::InUse(..))));
        if !is_taken || Instant::now() > waits_until {
            return asked;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// A line to the program that runs on a store.
async fn connect(dir: &Path) -> io::Result<UnixStream> {
    let (path, _open) = place(dir)?;
    UnixStream::connect(path).await
}

fn request_of(method: &Method, path: &str, body: &str) -> Result<Request, axum::http::Error> {
    Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::CONTENT_LENGTH, body.len())
        .body(Body::from(body.to_owned()))
}

fn silent(dir: &Path, error: impl ToString) -> AskError {
    AskError::Silent(dir.to_owned(), error.to_string())
}

/// Asks over a line.
async fn over(line: UnixStream, request: Request) -> io::Result<Answer> {
    let (mut sender, connection) = http1::handshake(TokioIo::new(line))
        .await
        .map_err(io::Error::other)?;
    let talking = tokio::spawn(connection);
    let answer = sender
        .send_request(request)
        .await
        .map_err(io::Error::other)?;
    let answer = read(answer.map(Body::new)).await;
    talking.abort();
    answer
}

/// Asks of a store that nobody uses.
async fn at_rest(dir: &Path, request: Request, creates: bool) -> Result<Answer, AskError> {
    if !creates {
        Store::open(dir)?;
    }
    own(dir)?;
    let (journal, thread) = Journal::open(dir)?;
    let store = Store::open(dir)?;
    // Who is a minor stands in the daemon's configuration: without that, no game is written out.
    let takes_away = request.uri().path() == "/api/people/erase";
    let scribe = takes_away.then(|| Scribe::start(dir, Minors::default()));
    let (scribe, writing) = scribe.transpose()?.unzip();
    let office = Office::open(store.clone(), journal.clone(), Vec::new(), scribe)?;
    let of_event = office.clone();
    let people = People::open(dir, journal, move || of_event.book().event.names())?;
    let (hall, _no_boards) = Hall::new(Vec::new(), store);
    let mut desk = Desk::new(
        hall,
        office.clone(),
        people.clone(),
        CancellationToken::new(),
    );
    desk.resting = true;
    let service = TowerToHyperService::new(router(desk));
    let answer = read(owned(service, request).await).await;
    office.close();
    people.close();
    let ended = tokio::task::spawn_blocking(move || {
        writing.map_or(Ok(()), JoinHandle::join)?;
        thread.join()
    })
    .await;
    match ended {
        Ok(Ok(())) => answer.map_err(|error| silent(dir, error)),
        _ => Err(silent(dir, "the journal failed")),
    }
}

/// Refuses a store of another user: files of this one in it would keep its daemon out.
fn own(dir: &Path) -> Result<(), AskError> {
    let owner = std::fs::metadata(dir).map(|about| about.uid());
    match owner {
        Ok(owner) if owner != nix::unistd::geteuid().as_raw() => {
            Err(AskError::Foreign(dir.to_owned(), owner))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

async fn read(answer: Response) -> io::Result<Answer> {
    let status = answer.status();
    let said = |name: &str| {
        let said = answer.headers().get(name);
        said.map(|text| String::from_utf8_lossy(text.as_bytes()).into_owned())
    };
    let [
        left_out,
        redrawn,
        added,
        cut,
        altered,
        open,
        recoded,
        damage,
    ] = [
        LEFT_OUT, REDRAWN, ADDED, CUT, ALTERED, OPEN, RECODED, DAMAGE,
    ]
    .map(said);
    let body = to_bytes(answer.into_body(), LONGEST).await;
    let body = body.map_err(io::Error::other)?;
    Ok(Answer {
        status,
        body,
        left_out: left_out.unwrap_or_default(),
        redrawn: redrawn.unwrap_or_default(),
        added: added.unwrap_or_default(),
        cut: cut.unwrap_or_default(),
        altered: altered.unwrap_or_default(),
        open: open.unwrap_or_default(),
        recoded: recoded.unwrap_or_default(),
        damage,
    })
}

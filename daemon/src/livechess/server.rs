//! The interface on its port.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::yield_now;
use tokio::time::{interval, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::event;
use super::message::EBoard;
use super::seen::Seen;
use super::session::{LONGEST_WORD, Session};
use super::sight::Sight;
use crate::http::{self, Names};
use crate::public::Outlet;

/// Clients that may follow boards at once.
const CLIENTS: usize = 64;
/// A client that takes longer than this to read one message is gone.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a quiet line is tried.
const BEAT: Duration = Duration::from_secs(20);
/// How long it is waited for what else changes with a change.
const TOGETHER: Duration = Duration::from_millis(20);

/// The interface. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Hatch {
    sight: Sight,
    origins: Arc<[String]>,
    names: Arc<Names>,
    seen: watch::Sender<Arc<Vec<Seen>>>,
    clients: Arc<Semaphore>,
    shutdown: CancellationToken,
}

impl Hatch {
    /// Shows these boards to programs, and to these web pages, by these names of the machine.
    pub fn new(
        sight: Sight,
        origins: &[String],
        names: Arc<Names>,
        shutdown: CancellationToken,
    ) -> Hatch {
        Hatch {
            seen: watch::Sender::new(Arc::new(sight.boards())),
            sight,
            origins: origins.into(),
            names,
            clients: Arc::new(Semaphore::new(CLIENTS)),
            shutdown,
        }
    }

    /// Looks at the boards whenever they may show something else, as long as anybody follows them.
    async fn watch(self) {
        let (mut hall, mut gate) = (self.sight.hall.subscribe(), self.sight.gate.changes());
        loop {
            tokio::select! {
                () = self.shutdown.cancelled() => return,
                heard = hall.recv() => if matches!(heard, Err(RecvError::Closed)) { return },
                Ok(()) = gate.changed() => {}
            }
            sleep(TOGETHER).await;
            hall = hall.resubscribe();
            gate.mark_unchanged();
            if self.seen.receiver_count() > 0 {
                self.look();
            }
        }
    }

    fn look(&self) {
        let now = self.sight.boards();
        self.seen.send_if_modified(|seen| {
            let is_new = **seen != now;
            if is_new {
                *seen = Arc::new(now);
            }
            is_new
        });
    }
}

/// Answers at `listener` until the shutdown.
///
/// # Errors
/// Where the system fails.
pub async fn serve(listener: TcpListener, hatch: Hatch) -> std::io::Result<()> {
    tokio::spawn(hatch.clone().watch());
    let shutdown = hatch.shutdown.clone();
    http::serve_plain(listener, router(hatch), shutdown).await
}

fn router(hatch: Hatch) -> Router {
    Router::new()
        .route("/api/v1.0", get(connect))
        .route("/api/v1.0/", get(connect))
        .route("/api/v1.0/eboards", get(eboards))
        .route("/api/v1.0/tournaments", get(tournaments))
        .route("/api/v1.0/tournament/{uuid}", get(tournament))
        .route("/api/v1.0/round/{uuid}/{index}", get(round))
        .route("/api/v1.0/game/{uuid}", get(game))
        .fallback(async || refuse(StatusCode::NOT_FOUND, "there is nothing at this address"))
        .layer(from_fn_with_state(hatch.clone(), check))
        .with_state(hatch)
}

/// Lets a request pass that may come here: of a web page only where it is listed, and never by a
/// name that is not this machine's.
async fn check(State(hatch): State<Hatch>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let text = |name: HeaderName| headers.get(name).map(|v| v.to_str().unwrap_or_default());
    let host = text(header::HOST).unwrap_or_default();
    let host = host.parse::<axum::http::uri::Authority>();
    if !host.is_ok_and(|host| hatch.names.include(host.host())) {
        let what = "this service does not go by that host name: use its address, or add the name \
            to [http] names";
        return refuse(StatusCode::FORBIDDEN, what);
    }
    let origin = text(header::ORIGIN).map(str::to_owned);
    let listed = |origin: &String| hatch.origins.iter().any(|o| o.eq_ignore_ascii_case(origin));
    if origin.as_ref().is_some_and(|origin| !listed(origin)) {
        let what = "this web page is not in [livechess] origins";
        return refuse(StatusCode::FORBIDDEN, what);
    }
    let site = text(HeaderName::from_static("sec-fetch-site"));
    if origin.is_none() && site.is_some_and(|site| site != "none") {
        let what = "web pages are to say who they are";
        return refuse(StatusCode::FORBIDDEN, what);
    }
    let mut answer = next.run(request).await;
    let headers = answer.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::VARY, HeaderValue::from_static("origin"));
    if let Some(Ok(origin)) = origin.map(HeaderValue::try_from) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    answer
}

fn refuse(status: StatusCode, what: &str) -> Response {
    (status, Json(json!({ "message": what }))).into_response()
}

fn found(found: Option<impl Serialize>, what: &str) -> Response {
    found.map_or_else(
        || refuse(StatusCode::NOT_FOUND, what),
        |found| Json(found).into_response(),
    )
}

async fn eboards(State(hatch): State<Hatch>) -> Response {
    let boards = hatch.sight.boards();
    let boards: Vec<EBoard<'_>> = boards.iter().map(EBoard::from).collect();
    Json(boards).into_response()
}

async fn tournaments(State(hatch): State<Hatch>) -> Response {
    Json(event::tournaments(&hatch.sight)).into_response()
}

async fn tournament(State(hatch): State<Hatch>, Path(uuid): Path<String>) -> Response {
    let tournament = event::tournament(&hatch.sight, &uuid);
    found(
        tournament,
        "no such tournament; /api/v1.0/tournaments lists them",
    )
}

async fn round(
    State(hatch): State<Hatch>,
    Path((uuid, index)): Path<(String, String)>,
) -> Response {
    let index = index.parse().ok();
    let round = index.and_then(|index| event::round(&hatch.sight, &uuid, index));
    found(round, "no such round; they are counted from 0")
}

async fn game(State(hatch): State<Hatch>, Path(uuid): Path<String>) -> Response {
    found(
        event::game(&hatch.sight, &uuid),
        "no such game; rounds list them",
    )
}

async fn connect(
    State(hatch): State<Hatch>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(error) => return refuse(error.status(), "this address is a WebSocket"),
    };
    let Ok(place) = hatch.clients.clone().try_acquire_owned() else {
        let what = "too many clients follow the boards";
        return refuse(StatusCode::SERVICE_UNAVAILABLE, what);
    };
    upgrade
        .max_message_size(LONGEST_WORD)
        .max_frame_size(LONGEST_WORD)
        .on_upgrade(move |socket| async move {
            let _gone = follow(socket, &hatch, place).await;
        })
}

/// The client went away, or does not read.
struct Gone;

/// Nothing is kept for a client that does not read: what it is told next is made when it has taken
/// what was before.
async fn follow(
    mut socket: WebSocket,
    hatch: &Hatch,
    _place: OwnedSemaphorePermit,
) -> Result<(), Gone> {
    let mut seen = hatch.seen.subscribe();
    hatch.look();
    let _client = hatch.sight.gate.outlets().client(Outlet::Livechess);
    let (mut session, mut beat) = (Session::default(), interval(BEAT));
    loop {
        let due = tokio::select! {
            heard = socket.recv() => match heard {
                None | Some(Err(_) | Ok(Message::Close(_))) => return Err(Gone),
                Some(Ok(Message::Text(text))) => {
                    let boards = seen.borrow().clone();
                    session.heard(&text, &boards, now())
                }
                Some(Ok(Message::Binary(_))) => {
                    return farewell(&mut socket, close_code::UNSUPPORTED, "text only").await;
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
            },
            Ok(()) = seen.changed() => {
                let boards = seen.borrow_and_update().clone();
                session.news(&boards)
            }
            _ = beat.tick() => {
                send(&mut socket, Message::Ping(Default::default())).await?;
                continue;
            }
            () = hatch.shutdown.cancelled() => {
                let why = "the daemon is shutting down";
                return farewell(&mut socket, close_code::AWAY, why).await;
            }
        };
        for due in due {
            let text = session.words(due, now());
            send(&mut socket, Message::Text(text.into())).await?;
            // A line that takes everything at once keeps nobody else waiting: there may be hundreds
            // of moves, for each of many clients.
            yield_now().await;
        }
    }
}

async fn send(socket: &mut WebSocket, message: Message) -> Result<(), Gone> {
    let sent = timeout(PATIENCE, socket.send(message)).await;
    sent.map_err(|_| Gone)?.map_err(|_| Gone)
}

async fn farewell(socket: &mut WebSocket, code: u16, why: &'static str) -> Result<(), Gone> {
    let frame = CloseFrame {
        code,
        reason: why.into(),
    };
    send(socket, Message::Close(Some(frame))).await
}

/// Milliseconds since 1970.
fn now() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

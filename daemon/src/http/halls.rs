//! Several halls and one hub: what a hub shows of its halls, where halls call it, and what a hall
//! says of its hub.

use std::sync::Arc;
use std::time::Duration;

use access::{Sight, Who};
use axum::body::to_bytes;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Request, State};
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Json};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json as value};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::author::By;
use super::doors::Caller;
use super::problem::Problem;
use super::routes::{Routes, json};
use super::{Desk, own_router};
use crate::hub::order::{Dealt, LONGEST as LONGEST_ORDER, Order, Reply, is_orderable};
use crate::hub::{
    FromHall, Guest, HallShown, Halls, Late, NAME, Sent, Stays, Undone, Unwelcome, Uplink,
};
use crate::incidents::{Incident, Incidents};
use crate::people::Visitor;
use crate::reason::Reason;
use crate::store::StoreError;

/// The longest that a hall says at once: a file that was loaded there, and room for the rest.
const LONGEST: usize = 64 << 20;
/// A hall that says nothing for so long is gone.
const SILENCE: Duration = Duration::from_secs(20);
/// Where the halls of a hub are shown in detail.
const NO_HUB: &str = "this is no hub, or it does not run: `arbiterd hub --config FILE` runs one";
const ROOMS: &str = "/halls/";
/// How an order is given a name, under which it counts once.
const NAMED: &str = "idempotency-key";

/// The addresses.
pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .get(
            "/api/halls",
            all,
            "Of a hub: every hall, and how far its mirror is",
        )
        .gives("Halls", json::<Vec<HallShown>>())
        .refuses([StatusCode::NOT_FOUND])
        .get(
            "/api/halls/incidents",
            incidents,
            "Of a hub: what waits for somebody in any hall, the most urgent first",
        )
        .about(
            "As far as the rows of the halls have come. What is wrong with a board its own hall \
             tells.",
        )
        .gives("Incidents", json::<Vec<OfHall>>())
        .refuses([StatusCode::NOT_FOUND])
        .post(
            "/api/halls/{name}/accept",
            accept,
            "Of a hub: take another store as this hall's from now on",
        )
        .about("The mirror of the one before is kept beside it.")
        .reads::<Accepted>("a store that was made anew", value!({ "store": "5f0c" }))
        .gives("It is taken when it calls again", json::<Done>())
        .refuses([StatusCode::NOT_FOUND, StatusCode::CONFLICT])
        .refuses(super::REFUSED.map(|status| match status {
            StatusCode::NOT_FOUND | StatusCode::CONFLICT => StatusCode::BAD_REQUEST,
            other => other,
        }))
        .post(
            "/api/halls/{name}/tables",
            tables,
            "Of a hub: play a table of the event in this hall from now on",
        )
        .about("Not one that has begun elsewhere.")
        .reads::<Moved>("a table", value!({ "table": 12 }))
        .gives("It is written down", json::<Done>())
        .refuses([StatusCode::BAD_REQUEST])
        .refuses(super::REFUSED)
        .post(
            "/api/halls/stands",
            stands,
            "Of a hub whose store is an older copy: order of the halls what it has of the event",
        )
        .about(
            "Halls that were ordered more than this store knows of are ordered nothing before \
             that: `event` of `/api/halls` says so.",
        )
        .gives("It is written down", json::<Value>())
        .refuses(super::REFUSED)
        .get(
            "/api/halls/line",
            line,
            "Of a hub: a WebSocket, for halls that show their key",
        )
        .about("A hall sends the rows of its journal and is told up to where they are on the disk.")
        .answers(
            StatusCode::SWITCHING_PROTOCOLS,
            "The hall is on the line",
            None,
        )
        .refuses([
            StatusCode::BAD_REQUEST,
            StatusCode::UNAUTHORIZED,
            StatusCode::NOT_FOUND,
            StatusCode::CONFLICT,
            StatusCode::UPGRADE_REQUIRED,
        ])
        .get(
            "/api/hub",
            hub,
            "Of a hall: its hub, and up to when that has everything",
        )
        .gives(
            "The hub; `null` where the hall has none",
            json::<Option<Sent>>(),
        )
}

/// Which store is accepted.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Accepted {
    /// Its name, as `stranger` of the hall says.
    store: String,
}

/// Which table is moved.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Moved {
    /// The table.
    table: u16,
}

/// What waits in a hall.
#[derive(serde::Serialize, JsonSchema)]
#[schemars(rename = "IncidentOfHall")]
struct OfHall {
    /// The hall.
    hall: String,
    /// What it is.
    incident: Incident,
}

/// It is done.
#[derive(serde::Serialize, JsonSchema)]
#[schemars(rename = "HallAccepted")]
struct Done {
    /// The hall.
    hall: String,
}

fn halls(desk: &Desk) -> Result<&Halls, Problem> {
    let none = || Problem::not_found(NO_HUB);
    desk.halls.as_ref().ok_or_else(none)
}

async fn all(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Json<Vec<Value>>, Problem> {
    let sight = Sight::of(visitor.who.role);
    let shown = |hall: HallShown| {
        let mut hall = serde_json::to_value(hall).map_err(StoreError::from)?;
        if let Value::Object(fields) = &mut hall {
            access::show("HallOfHub", sight, fields);
        }
        Ok(hall)
    };
    halls(&desk)?
        .shown()
        .into_iter()
        .map(shown)
        .collect::<Result<_, Problem>>()
        .map(Json)
}

async fn incidents(State(desk): State<Desk>) -> Result<Json<Vec<OfHall>>, Problem> {
    let of_hall = |(hall, incidents): (&str, &Incidents)| {
        let hall = hall.to_owned();
        let all = incidents.all().into_iter();
        all.map(move |incident| OfHall {
            hall: hall.clone(),
            incident,
        })
    };
    let mut all: Vec<OfHall> = halls(&desk)?.incidents().flat_map(of_hall).collect();
    all.sort_by_cached_key(|waits| waits.incident.rank());
    Ok(Json(all))
}

async fn hub(State(desk): State<Desk>) -> Json<Option<Sent>> {
    Json(desk.uplink.as_ref().map(Uplink::shown))
}

async fn accept(
    Path(name): Path<String>,
    State(desk): State<Desk>,
    order: Result<Json<Accepted>, axum::extract::rejection::JsonRejection>,
) -> Result<Json<Done>, Problem> {
    let Json(Accepted { store }) = order?;
    let accepted = halls(&desk)?.accept(&name, &store).await;
    accepted.map_err(|error| Problem::new(StatusCode::CONFLICT, error))?;
    Ok(Json(Done { hall: name }))
}

async fn stands(State(desk): State<Desk>, By(author): By) -> Result<Json<Value>, Problem> {
    let event = desk.event.as_ref();
    let event = event.ok_or_else(|| Problem::not_found(NO_HUB))?;
    event.stands(author).await?;
    Ok(Json(value!({})))
}

async fn tables(
    Path(hall): Path<String>,
    State(desk): State<Desk>,
    By(author): By,
    order: Result<Json<Moved>, axum::extract::rejection::JsonRejection>,
) -> Result<Json<Done>, Problem> {
    let Json(Moved { table }) = order?;
    let event = desk.event.as_ref();
    let event = event.ok_or_else(|| Problem::not_found(NO_HUB))?;
    event.settled().await;
    event.move_table(author, table, &hall).await?;
    Ok(Json(Done { hall }))
}

fn of_hall(kind: &str, (round, table, hall): (u16, u16, &str), error: &Stays) -> Problem {
    let reason = Reason::new(kind, error.to_string()).with("hall", hall);
    Problem::refused(reason.with("round", round).with("table", table))
}

impl From<Stays> for Problem {
    fn from(error: Stays) -> Problem {
        let status = match error {
            Stays::NoHall(_) => StatusCode::NOT_FOUND,
            Stays::Zero => StatusCode::UNPROCESSABLE_ENTITY,
            Stays::Begun(table, round, ref hall) => {
                return of_hall("table-begun", (round, table, hall), &error);
            }
            Stays::Away(table, round, ref hall) => {
                return of_hall("hall-away", (round, table, hall), &error);
            }
            Stays::Other(table, round, ref hall) => {
                return of_hall("drawn-otherwise", (round, table, hall), &error);
            }
            Stays::Result(table, round, ref hall) => {
                return of_hall("result-of-hall", (round, table, hall), &error);
            }
            Stays::Differs(table, round, ref hall) => {
                return of_hall("results-differ", (round, table, hall), &error);
            }
            Stays::Elsewhere(round, ref hall) => {
                let reason = Reason::new("begun-elsewhere", error.to_string());
                return Problem::refused(reason.with("round", round).with("hall", hall));
            }
            Stays::Over(round, ref hall) => {
                let reason = Reason::new("round-over-there", error.to_string());
                return Problem::refused(reason.with("round", round).with("hall", hall));
            }
            Stays::Unheard(ref hall) => {
                let reason = Reason::new("hall-unheard", error.to_string());
                return Problem::refused(reason.with("hall", hall));
            }
            Stays::Newest | Stays::Still(..) => StatusCode::CONFLICT,
            Stays::Unwritten(_) => StatusCode::SERVICE_UNAVAILABLE,
        };
        Problem::new(status, error.to_string())
    }
}

async fn line(
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
    caller: Option<Extension<Arc<Caller>>>,
    headers: HeaderMap,
    State(desk): State<Desk>,
) -> Result<Response, Problem> {
    let key = headers.get(header::AUTHORIZATION);
    let key = key.and_then(|key| key.to_str().ok()?.strip_prefix("Bearer "));
    let halls = halls(&desk)?;
    let name = headers.get(NAME).and_then(|name| name.to_str().ok());
    let guest = key
        .ok_or(Unwelcome::Unknown)
        .and_then(|key| halls.guest(key, name));
    let guest = guest.map_err(|unwelcome| {
        let status = match unwelcome {
            Unwelcome::Unknown => StatusCode::UNAUTHORIZED,
            Unwelcome::Twice | Unwelcome::Misnamed => StatusCode::CONFLICT,
        };
        Problem::new(status, unwelcome.to_string())
    })?;
    let shutdown = desk.shutdown.clone();
    let upgrade = upgrade?.max_message_size(LONGEST).max_frame_size(LONGEST);
    Ok(upgrade.on_upgrade(|socket| async move {
        if let Some(Extension(caller)) = caller {
            caller.follows();
        }
        let talked = talk(socket, &guest);
        shutdown.run_until_cancelled(talked).await;
        guest.leaves().await;
    }))
}

/// Hears a hall for as long as it says something.
async fn talk(mut socket: WebSocket, guest: &Guest) {
    let (answers, mut answered) = mpsc::unbounded_channel();
    loop {
        tokio::select! {
            said = timeout(SILENCE, socket.recv()) => match said {
                Ok(Some(Ok(Message::Text(text)))) => {
                    let words: FromHall = match serde_json::from_str(&text) {
                        Ok(words) => words,
                        Err(error) => {
                            tracing::warn!(%error, "a hall says what this version does not know");
                            return;
                        }
                    };
                    if !guest.says(words, &answers).await {
                        return;
                    }
                }
                Ok(Some(Ok(Message::Close(_)) | Err(_)) | None) | Err(_) => return,
                Ok(Some(Ok(_))) => {}
            },
            Some(answer) = answered.recv() => {
                let Ok(text) = serde_json::to_string(&answer) else { return };
                let sent = timeout(SILENCE, socket.send(Message::text(text)));
                if !matches!(sent.await, Ok(Ok(()))) {
                    return;
                }
            }
        }
    }
}

/// Lets the rooms of a hub's halls answer what is below `/halls/NAME/`, as the hall itself would,
/// and the halls themselves carry out what is ordered there; everything else goes on.
pub(super) async fn rooms(State(desk): State<Desk>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let Some(halls) = desk.halls.clone().filter(|_| path.starts_with(ROOMS)) else {
        return next.run(request).await;
    };
    let Some((name, rest)) = path[ROOMS.len()..].split_once('/') else {
        let whole = format!("{path}/");
        return Redirect::to(&whole).into_response();
    };
    match halls.room(name) {
        None => Problem::not_found(format!("this hub has no hall `{name}`")).into_response(),
        Some(None) => {
            let error = format!("nothing was heard of hall `{name}` yet");
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, error).into_response()
        }
        Some(Some(shown)) => {
            let inner = rewritten(request.uri(), rest);
            let name = name.to_owned();
            let desk = desk.of_room(shown, Room { halls, name });
            let mut request = request;
            *request.uri_mut() = inner;
            match TowerToHyperService::new(own_router(desk))
                .call(request)
                .await
            {
                Ok(answer) => answer,
                Err(never) => match never {},
            }
        }
    }
}

/// A hall as its hub serves it.
#[derive(Clone, Debug)]
pub(super) struct Room {
    halls: Halls,
    pub(super) name: String,
}

impl Room {
    /// How late the hall's viewers see its games; `None` where it has not said so.
    pub(super) fn late(&self) -> Option<Late> {
        self.halls.late(&self.name)
    }

    /// Has the hall do what somebody orders here, who may.
    pub(super) async fn order(&self, visitor: Visitor, request: Request) -> Response {
        match self.ordered(visitor, request).await {
            Ok(Reply { status, body }) => {
                let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
                let kind = [(header::CONTENT_TYPE, "application/json")];
                (status, kind, body).into_response()
            }
            Err(problem) => problem.into_response(),
        }
    }

    async fn ordered(&self, visitor: Visitor, request: Request) -> Result<Reply, Problem> {
        let asked = request.uri().path_and_query();
        let path = asked.map_or_else(String::new, ToString::to_string);
        if !is_orderable(&path) {
            let error = "a hub orders that of no hall: do it in the hall itself";
            return Err(Problem::new(StatusCode::METHOD_NOT_ALLOWED, error));
        }
        let id = match request.headers().get(NAMED) {
            Some(name) => named(name)?,
            None => access::token().map_err(|error| {
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
            })?,
        };
        let body = to_bytes(request.into_body(), LONGEST_ORDER).await;
        let body = body
            .ok()
            .and_then(|body| String::from_utf8(body.to_vec()).ok());
        let too_long = || {
            let error = format!("an order is text, of {LONGEST_ORDER} bytes at most");
            Problem::new(StatusCode::PAYLOAD_TOO_LARGE, error)
        };
        let Who { name, role, tables } = visitor.who;
        let order = Order {
            id,
            // Where nobody is asked who he is, it is whoever reaches the hub.
            who: Some(name)
                .filter(|name| !name.is_empty())
                .unwrap_or_else(|| "hub".to_owned()),
            role,
            tables,
            path,
            body: body.ok_or_else(too_long)?,
            given: 0,
        };
        Ok(self.halls.order(&self.name, order).await?)
    }
}

/// The name that whoever orders has given his order.
fn named(name: &HeaderValue) -> Result<String, Problem> {
    let is_sign = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let text = name.to_str().unwrap_or_default().trim_matches('"');
    let is_name = (1..=64).contains(&text.len()) && text.as_bytes().iter().all(is_sign);
    let is_name = is_name && !Dealt::is_name(text);
    let error = "`Idempotency-Key` is 1 to 64 letters, digits, `-`, `_` or `.`, and no name that a \
                 hub gives its own orders";
    let wrong = || Problem::new(StatusCode::BAD_REQUEST, error);
    is_name.then(|| text.to_owned()).ok_or_else(wrong)
}

impl From<Undone> for Problem {
    fn from(undone: Undone) -> Problem {
        let status = match undone {
            Undone::NoHall(_) => StatusCode::NOT_FOUND,
            Undone::Away(_) => StatusCode::SERVICE_UNAVAILABLE,
            Undone::Stranger(_) => StatusCode::CONFLICT,
            Undone::Unwanted(..) => StatusCode::FORBIDDEN,
            Undone::Silent(_) => StatusCode::GATEWAY_TIMEOUT,
        };
        Problem::new(status, undone.to_string())
    }
}

/// The address within the hall.
fn rewritten(uri: &Uri, rest: &str) -> Uri {
    let query = uri
        .query()
        .map_or(String::new(), |query| format!("?{query}"));
    let mut parts = uri.clone().into_parts();
    let within: Result<PathAndQuery, _> = format!("/{rest}{query}").parse();
    parts.path_and_query = within.ok();
    Uri::from_parts(parts).unwrap_or_default()
}

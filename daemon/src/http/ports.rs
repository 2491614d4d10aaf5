//! Which port each board is on, and what it speaks: shown, and changed while games go on.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json as value;

use super::author::By;
use super::problem::{Problem, no_board};
use super::routes::{Routes, json};
use super::tables::is_stopped;
use super::{Desk, REFUSED};
use crate::reason::Reason;
use crate::wiring::{Change, Wiring, WiringError};

/// How a board is connected.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BoardPort")]
pub(super) struct Document {
    /// Its id.
    board: String,
    /// The name people use.
    name: String,
    /// Its port, as `arbiterd ports` names it.
    port: String,
    /// The language it is spoken to in; `null`: whatever answers.
    kind: Option<&'static str>,
    /// The port's speed in bits a second; `null`: the kind's usual one.
    baud: Option<u32>,
    /// Its address on a bus.
    address: Option<u16>,
    /// Whether the configuration says so; else somebody did while the program ran.
    configured: bool,
    /// Whether it is on the line and answers.
    connected: bool,
    /// What is wrong with it or its line, in words.
    fault: Option<String>,
    /// Whether the game on it is stopped, as after it came to another table: what is handled is
    /// nobody's move until the arbiter lets it go on.
    stopped: bool,
}

/// A board that does not stand in the configuration.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Added {
    /// The name people use; left out: its id.
    #[serde(default)]
    name: String,
    #[serde(flatten)]
    line: Change,
}

pub(super) fn routes(routes: Routes) -> Routes {
    let order = |routes: Routes| {
        routes
            .gives("It is written down", json::<Vec<Document>>())
            .refuses([StatusCode::BAD_REQUEST])
            .refuses(REFUSED)
    };
    let routes = routes
        .get(
            "/api/ports",
            all,
            "The port of every board, and what it speaks",
        )
        .gives("Ports", json::<Vec<Document>>())
        .refuses([StatusCode::CONFLICT])
        .post(
            "/api/ports/{id}",
            connect,
            "A board is on another port from now on, or speaks another language",
        )
        .about(
            "Its game goes on, and the board stays on its table. What is left out stays as it is. \
             It holds after a restart, whatever the configuration says of the board.",
        )
        .reads::<Change>("port", value!({ "port": "/dev/ttyUSB3", "kind": "auto" }));
    let routes = order(routes).post(
        "/api/ports/{id}/reset",
        reset,
        "A board is where the configuration says",
    );
    let routes = order(routes)
        .post(
            "/api/ports/{id}/add",
            add,
            "Follow a board that does not stand in the configuration",
        )
        .about("It stands on no table until it is put on one.")
        .reads::<Added>(
            "spare board",
            value!({ "name": "Spare", "port": "/dev/ttyUSB9", "kind": "native" }),
        );
    let routes = order(routes)
        .post(
            "/api/ports/{id}/calibrate",
            calibrate,
            "The analogue sensors of a board take what they read now as their zero",
        )
        .about(
            "Every piece has to be off the board. Refused while a game is under way on it, where \
             a square reads full, and where the sensors are not analogue.",
        );
    order(routes)
}

type Place = Result<Path<String>, PathRejection>;
type Body<T> = Result<Json<T>, JsonRejection>;
type Done = Result<Json<Vec<Document>>, Problem>;

fn wiring(desk: &Desk) -> Result<&Wiring, Problem> {
    let error = "no daemon runs on this store: its boards stand in its configuration";
    let resting = || Problem::refused(Reason::new("no-daemon", error));
    desk.wiring.as_ref().ok_or_else(resting)
}

async fn all(State(desk): State<Desk>) -> Done {
    let boards = wiring(&desk)?.boards().await.into_iter();
    let book = desk.office.book();
    let document = |(board, configured): (crate::config::BoardConfig, bool)| {
        let state = desk.hall.board(&board.id);
        Document {
            name: board.name,
            port: board.port.to_string(),
            kind: board.kind.map(board_driver::BoardKind::name),
            baud: board.baud,
            address: board.address,
            configured,
            stopped: state.as_ref().is_some_and(|state| is_stopped(&book, state)),
            connected: state.as_ref().is_some_and(|state| state.connected),
            fault: state.and_then(|state| state.fault.clone()),
            board: board.id,
        }
    };
    Ok(Json(boards.map(document).collect()))
}

async fn connect(State(desk): State<Desk>, By(author): By, id: Place, body: Body<Change>) -> Done {
    let (Path(id), Json(change)) = (id?, body?);
    wiring(&desk)?
        .connect(&desk.hall, &author, &id, &change)
        .await?;
    all(State(desk)).await
}

async fn reset(State(desk): State<Desk>, By(author): By, id: Place) -> Done {
    let Path(id) = id?;
    wiring(&desk)?.reset(&desk.hall, &author, &id).await?;
    all(State(desk)).await
}

async fn calibrate(State(desk): State<Desk>, id: Place) -> Done {
    let Path(id) = id?;
    desk.hall.calibrate(&id).await?;
    all(State(desk)).await
}

async fn add(State(desk): State<Desk>, By(author): By, id: Place, body: Body<Added>) -> Done {
    let (Path(id), Json(Added { name, line })) = (id?, body?);
    wiring(&desk)?.add(&author, &id, &name, &line).await?;
    all(State(desk)).await
}

impl From<WiringError> for Problem {
    fn from(error: WiringError) -> Problem {
        let status = match error {
            WiringError::Order(error) => return error.into(),
            WiringError::Unknown(ref id) => return no_board(id),
            WiringError::Refused(reason) => return Problem::refused(*reason),
            WiringError::Bad(what) => {
                let reason = Reason::new("line-unfit", what);
                return Problem::because(StatusCode::UNPROCESSABLE_ENTITY, reason);
            }
            WiringError::Journal(_) | WiringError::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
        };
        Problem::new(status, error.to_string())
    }
}

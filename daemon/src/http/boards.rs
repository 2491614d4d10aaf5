//! Boards as JSON, and orders to them.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Desk;
use super::problem::Problem;
use super::routes::{Order, json};
use crate::hall::{BoardState, NewGame, Ordered};
use crate::script;

use std::sync::Arc;

/// Every board, in the order of the configuration.
pub(super) async fn all(State(desk): State<Desk>) -> Json<Vec<Arc<BoardState>>> {
    Json(desk.hall.boards())
}

/// One board.
pub(super) async fn one(
    State(desk): State<Desk>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<Arc<BoardState>>, Problem> {
    let Path(id) = id?;
    desk.hall
        .board(&id)
        .map(Json)
        .ok_or_else(|| Problem::not_found(format!("there is no board `{id}`")))
}

/// The answer to an order that was carried out.
#[derive(Serialize, JsonSchema)]
pub(super) struct Done {
    /// The board's id.
    board: String,
    /// Always so: else there is another answer.
    written: bool,
    /// The name by which the order can be taken back: its own, or one that it was given. `null`
    /// where it cannot.
    order: Option<String>,
}

/// What may be ordered, and when it counts.
pub(super) const ORDERS: &str = "The body is one input of an event script that a person declares, \
    or a new game. `at` is not needed: the moment is the board's now. The answer comes when the \
    order is durably in the journal. An order that changes nothing is refused with 409 and what is \
    open instead.";

/// Orders as they are described, with examples.
pub(super) fn orders() -> Order {
    let examples = vec![
        (
            "uphold",
            serde_json::json!({"event": "arbiter", "action": "uphold", "id": 1}),
        ),
        (
            "promotion",
            serde_json::json!({
                "event": "arbiter", "action": "promotion", "square": "a8", "piece": "q"
            }),
        ),
        (
            "result",
            serde_json::json!({
                "event": "arbiter", "action": "result", "result": "1/2-1/2", "author": "Ada"
            }),
        ),
        (
            "played",
            serde_json::json!({"event": "arbiter", "action": "played", "ply": 12, "move": "e4d5"}),
        ),
        (
            "take back",
            serde_json::json!({"event": "arbiter", "action": "take-back", "order": "o17"}),
        ),
        (
            "new game",
            serde_json::json!({"event": "new-game", "white": "Ada", "black": "Ben"}),
        ),
    ];
    Order {
        content: json::<Ordered>(),
        examples,
    }
}

/// Carries out one order: an input of an event script, or `{"event":"new-game", ...}`. The answer
/// comes when it is durably in the journal.
pub(super) async fn order(
    State(desk): State<Desk>,
    board: Result<Path<String>, PathRejection>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Done>, Problem> {
    let (Path(board), body) = (board?, body?);
    let order = match new_game(&body)? {
        Some(game) => {
            desk.hall.new_game(&board, game).await?;
            None
        }
        None => {
            desk.hall
                .order(&board, script::parse_input(&body).map_err(bad)?)
                .await?
        }
    };
    Ok(Json(Done {
        board,
        written: true,
        order,
    }))
}

/// What kind of order it is.
#[derive(Deserialize)]
struct Kind {
    #[serde(default)]
    event: String,
}

/// The new game that `body` orders; `None` when it orders something else.
fn new_game(body: &[u8]) -> Result<Option<NewGame>, Problem> {
    let is_new_game =
        serde_json::from_slice::<Kind>(body).is_ok_and(|kind| kind.event == "new-game");
    if !is_new_game {
        return Ok(None);
    }
    let mut fields: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(body).map_err(|e| bad(e.to_string()))?;
    fields.remove("event");
    serde_json::from_value(fields.into())
        .map(Some)
        .map_err(|e| bad(e.to_string()))
}

fn bad(what: String) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, what)
}

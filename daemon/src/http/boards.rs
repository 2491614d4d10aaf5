//! Boards as JSON, and orders to them.

use access::{Right, Who};
use arbiter_core::Input;
use arbiter_core::input::ArbiterAction;
use axum::Extension;
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Desk;
use super::cut;
use super::gallery::Gallery;
use super::guard::have;
use super::incidents::TakesBack;
use super::problem::{Problem, no_board, unreadable};
use super::routes::{Order, json};
use super::tables;
use crate::hall::{BoardState, NewGame, OrderError, Ordered};
use crate::people::{Noted, Visitor};
use crate::reason::Reason;
use crate::script;

use std::sync::Arc;

/// A board as somebody is shown it.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Shown {
    /// All of it.
    Whole(Arc<BoardState>),
    /// What is for him.
    Part(Value),
}

/// Every board that is for whoever asks, in the order of the configuration.
pub(super) async fn all(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
) -> Json<Vec<Shown>> {
    let (boards, gallery) = (desk.boards_for(&visitor), desk.gallery(&visitor));
    let Some(shown) = gallery.map(Gallery::boards) else {
        return Json(boards.into_iter().map(Shown::Whole).collect());
    };
    let parts = boards
        .iter()
        .filter_map(|board| shown.get(board.id.as_str()).cloned());
    Json(parts.map(Shown::Part).collect())
}

/// One board.
pub(super) async fn one(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<Shown>, Problem> {
    let Path(id) = id?;
    let board = desk
        .boards_for(&visitor)
        .into_iter()
        .find(|board| board.id == id);
    let shown = match desk.gallery(&visitor) {
        None => board.map(Shown::Whole),
        Some(gallery) => board
            .and_then(|_| gallery.boards().remove(id.as_str()))
            .map(Shown::Part),
    };
    shown.map(Json).ok_or_else(|| no_board(&id))
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
    open instead. One that takes more half-moves out of the record than the offender's own is \
    refused with 409 and `cut`, until it is given with `?confirmed=true`, or with how many \
    half-moves it is known to take out, as `?confirmed=2`. With `?upon=` one that \
    was decided upon something else than what is so now is refused with 409 and what has changed: \
    the game, the name of the last order on it, and its result, as `GAME/o17/1-0` (`0` and `*` \
    where there is none), with `#23` after it also how many orders it has had (`ordered`).";

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
        required: true,
    }
}

/// Carries out one order: an input of an event script, or `{"event":"new-game", ...}`. The answer
/// comes when it is durably in the journal.
pub(super) async fn order(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    board: Result<Path<String>, PathRejection>,
    query: cut::Known,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Done>, Problem> {
    let (Path(board), body) = (board?, body?);
    let order = match new_game(&body)? {
        Some(game) => {
            have(&visitor, right_to_begin(&desk, &board), desk.table(&board))?;
            desk.hall.new_game(&board, game).await?;
            if !visitor.who.name.is_empty() {
                let board = &board;
                desk.people
                    .note(visitor.author(), &Noted::GameBegun { board })
                    .await?;
            }
            None
        }
        None => {
            let input = order_in(&body)?;
            have(
                &visitor,
                right_to(&input),
                table_meant(&desk, &board, &input),
            )?;
            let _alone = cut::alone_at(&desk, &board).await;
            cut::known(&desk, &board, &input, query).await?;
            let input = signed(input, &visitor);
            let state = desk.hall.board(&board);
            let game = state
                .as_ref()
                .and_then(|state| state.game())
                .unwrap_or_default();
            let hint = TakesBack::of(&desk, game, &input);
            let done = match cut_off(&desk, &board, &input) {
                Some(game) => desk.hall.take_up(&game, &board).await.map(|()| None),
                None => desk.hall.order(&board, input).await,
            };
            hint.is(done.is_ok());
            done.map_err(|error| refused_to(&visitor, error))?
        }
    };
    Ok(Json(Done {
        board,
        written: true,
        order,
    }))
}

/// What an order would do.
pub(super) async fn try_out(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    board: Result<Path<String>, PathRejection>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Problem> {
    let (Path(board), body) = (board?, body?);
    let input = order_in(&body)?;
    have(&visitor, Right::Rule, table_meant(&desk, &board, &input))?;
    let trial = desk.hall.try_out(&board, input).await?;
    let kind = [(header::CONTENT_TYPE, "application/json")];
    Ok((kind, trial).into_response())
}

/// The table that an order on a board is about: that of the game which it names, be the board at
/// another table by now; else the board's.
fn table_meant(desk: &Desk, board: &str, input: &Input) -> Option<u32> {
    let named = match input.plain() {
        Input::Arbiter(action) => action.game(),
        _ => None,
    };
    let seat = named.and_then(|game| desk.office.book().event.seat_of(game));
    let own = seat.map(|(_, table)| u32::from(table));
    own.or_else(|| desk.table(board))
}

/// The table's game of the round under way, where an order lets it go on and another of no pairing
/// stands on the board in its place: it is brought there again, and stopped until it is set up.
fn cut_off(desk: &Desk, board: &str, input: &Input) -> Option<String> {
    let Input::Arbiter(ArbiterAction::GoesOn { game: Some(game) }) = input.plain() else {
        return None;
    };
    let state = desk.hall.board(board)?;
    let cut_off = tables::cut_off(&desk.office.book(), &state)?;
    (cut_off == **game).then_some(cut_off)
}

/// The right that beginning a game on a board asks for: where a round is played there, the game is
/// the round's.
fn right_to_begin(desk: &Desk, board: &str) -> Right {
    match desk.office.book().open_on(board) {
        Some(_) => Right::Rule,
        None => Right::Begin,
    }
}

/// The right that an order asks for.
pub(super) fn right_to(input: &Input) -> Right {
    match input.plain() {
        Input::Stop { .. } | Input::Arbiter(ArbiterAction::Pause | ArbiterAction::Resume) => {
            Right::Pause
        }
        _ => Right::Rule,
    }
}

/// Why an order is refused, as far as whoever gave it may know that.
pub(super) fn refused_to(visitor: &Visitor, error: OrderError) -> OrderError {
    match visitor.may(Right::Findings, None) {
        true => error,
        false => error.without_open(),
    }
}

/// An order in the name of whoever gives it, whatever name stands in it. Where nobody is asked who
/// he is, it is as he says.
pub(super) fn signed(input: Input, visitor: &Visitor) -> Input {
    let Who { name, .. } = &visitor.who;
    if name.is_empty() {
        return input;
    }
    let order = input.order().map(Into::into);
    input.signed(order, Some(name.as_str().into()))
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

/// What is ordered.
///
/// # Errors
/// Where it is no order. Of a position that is none, that is told: people set them up.
pub(super) fn order_in(json: &[u8]) -> Result<Input, Problem> {
    #[derive(Deserialize)]
    struct Action {
        action: String,
    }
    let sets = || serde_json::from_slice::<Action>(json).is_ok_and(|a| a.action == "set-position");
    script::parse_input(json).map_err(|what| match sets() {
        true => {
            let reason = Reason::new("position-impossible", what);
            Problem::because(StatusCode::UNPROCESSABLE_ENTITY, reason)
        }
        false => bad(what),
    })
}

pub(super) fn bad(what: String) -> Problem {
    unreadable(StatusCode::UNPROCESSABLE_ENTITY, what)
}

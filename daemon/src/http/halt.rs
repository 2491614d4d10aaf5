//! Games are stopped at all tables at once, such as for a fire alarm, and go on; both players of a
//! table are given time.

use access::Right;
use arbiter_core::Input;
use arbiter_core::input::ArbiterAction;
use arbiter_core::view::Phase;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json as value;
use tokio::task::JoinSet;
use tournament::{Act, GivenTime, Halt, Halted};

use super::author::By;
use super::boards::{refused_to, signed};
use super::event::{number, reason_missing};
use super::guard::have;
use super::problem::Problem;
use super::routes::{Routes, json};
use super::{Desk, REFUSED};
use crate::hall::{OrderError, View, stopped_by};
use crate::office::{Book, OfficeError, legible};
use crate::people::Visitor;
use crate::reason::Reason;
use crate::store::Author;

/// Who says so.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Order {
    /// Who, where nobody is asked who he is.
    author: String,
    /// How many times games had been stopped or let go on together in the event when it was
    /// decided. Left out: whatever is so now.
    upon: Option<usize>,
}

/// Time for both players of a table.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Time {
    /// The table.
    table: u16,
    /// How many seconds each, 1 to 1800.
    seconds: u32,
    /// Why.
    reason: String,
    /// Who gives it, where nobody is asked who he is.
    #[serde(default)]
    author: String,
    /// How often time had been given at this table in this round when it was decided. Left out:
    /// whatever is so now.
    upon: Option<usize>,
}

/// Time that is none.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NoTime {
    /// The table.
    table: u16,
    /// When it was given, as the event has it.
    at: String,
    /// Why it is none.
    reason: String,
}

/// What was stopped, or goes on.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "HaltDone")]
pub(super) struct Document {
    /// As it is written down.
    halt: Halt,
    /// The boards that refused, each with why.
    refused: Vec<Refused>,
}

/// A board that refused.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "HaltRefused")]
struct Refused {
    /// The board's id.
    board: String,
    /// Why.
    error: String,
    /// Why, for whoever says it in another language.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Reason>,
}

pub(super) fn routes(routes: Routes) -> Routes {
    let order = |routes: Routes| {
        routes
            .reads::<Order>("said", value!({ "author": "Ada" }))
            .gives("It is written down", json::<Document>())
            .refuses([StatusCode::BAD_REQUEST])
            .refuses(REFUSED)
    };
    let routes = routes
        .post(
            "/api/event/halt",
            halt,
            "Stop the games at all tables, such as for a fire alarm",
        )
        .about(
            "At those tables where whoever asks may. What is stopped already stays out of it. \
             With `upon`, one that was decided before games went on together is refused with 409.",
        );
    let routes = order(routes)
        .post(
            "/api/event/go-on",
            go_on,
            "Let the games go on that were stopped together",
        )
        .about(
            "What was stopped for a reason of its own, be it since, stays as it is. With `upon`, \
             one that was decided before games were stopped together is refused with 409.",
        );
    order(routes)
        .post(
            "/api/rounds/{round}/time",
            give_time,
            "Give both players of a table time, such as after a disturbance (Article 12.5)",
        )
        .about(
            "It is written down; the clocks are set by hand. With `upon` one that was decided \
             before another of that table was given is refused with 409.",
        )
        .reads::<Time>(
            "disturbed",
            value!({ "table": 4, "seconds": 120, "reason": "the light went out" }),
        )
        .gives("It is written down", json::<GivenTime>())
        .refuses([StatusCode::BAD_REQUEST])
        .refuses(REFUSED)
        .post(
            "/api/rounds/{round}/time/take-back",
            take_time_back,
            "Say that time was given by mistake",
        )
        .about("It is written down; clocks that were set for it are set back by hand.")
        .reads::<NoTime>(
            "the wrong table",
            value!({ "table": 4, "at": "2026-12-01T15:04:05Z", "reason": "the wrong table" }),
        )
        .gives("The times that stand", json::<Vec<GivenTime>>())
        .refuses([StatusCode::BAD_REQUEST])
        .refuses(REFUSED)
}

type Body = Result<Json<Order>, JsonRejection>;
type Done = Result<Json<Document>, Problem>;

async fn halt(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    By(author): By,
    body: Body,
) -> Done {
    all(&desk, (&visitor, author), body, true).await
}

async fn go_on(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    By(author): By,
    body: Body,
) -> Done {
    all(&desk, (&visitor, author), body, false).await
}

async fn give_time(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    By(author): By,
    round: Result<Path<String>, PathRejection>,
    body: Result<Json<Time>, JsonRejection>,
) -> Result<Json<GivenTime>, Problem> {
    let round = number(&round?, "round")?;
    let Json(order) = body?;
    have(&visitor, Right::Rule, Some(u32::from(order.table)))?;
    legible(&[("the reason", &order.reason), ("the author", &order.author)])?;
    let by = match author.who.is_empty() {
        true => order.author,
        false => author.who.clone(),
    };
    let given = GivenTime {
        round,
        table: order.table,
        seconds: order.seconds,
        reason: order.reason.trim().to_owned(),
        by,
        at: Timestamp::now().to_string(),
    };
    let is_upon_all = |book: &Book| {
        let all = book.event.times.iter();
        let its = all.filter(|other| (other.round, other.table) == (round, order.table));
        let its: Vec<&GivenTime> = its.collect();
        match its
            .last()
            .filter(|_| order.upon.is_some_and(|n| n != its.len()))
        {
            Some(last) => Err(OfficeError::unfit(given_meanwhile(last))),
            None => Ok(()),
        }
    };
    let act = Act::GiveTime(given.clone());
    desk.office.act_if(&author, &[act], is_upon_all).await?;
    Ok(Json(given))
}

async fn take_time_back(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    By(author): By,
    round: Result<Path<String>, PathRejection>,
    body: Result<Json<NoTime>, JsonRejection>,
) -> Result<Json<Vec<GivenTime>>, Problem> {
    let round = number(&round?, "round")?;
    let Json(NoTime { table, at, reason }) = body?;
    have(&visitor, Right::Rule, Some(u32::from(table)))?;
    legible(&[("the reason", &reason)])?;
    if reason.trim().is_empty() {
        return Err(reason_missing().into());
    }
    let act = Act::TakeTimeBack {
        round,
        table,
        at,
        reason,
    };
    desk.office.act(&author, &[act]).await?;
    Ok(Json(desk.office.book().event.times.clone()))
}

fn given_meanwhile(last: &GivenTime) -> Reason {
    let who = match last.by.is_empty() {
        true => "somebody else",
        false => &last.by,
    };
    let text = format!(
        "{who} has given time at table {} meanwhile: {} seconds ({}); look at it again",
        last.table, last.seconds, last.reason
    );
    let reason = Reason::new("time-meanwhile", text).with("seconds", last.seconds);
    let reason = reason
        .with("table", last.table)
        .with("reason", last.reason.as_str());
    match last.by.is_empty() {
        true => reason,
        false => reason.with("who", last.by.as_str()),
    }
}

fn reason(error: OrderError) -> Option<Reason> {
    match error {
        OrderError::Refused(reason) => Some(*reason),
        _ => None,
    }
}

/// Refuses what was decided before somebody else has ordered the opposite of one of these games.
fn is_upon(book: &Book, upon: Option<usize>, meant: &[Halted], stops: bool) -> Result<(), Problem> {
    let is_meant = |other: &&Halt| {
        let mut games = other.boards.iter().map(|halted| &halted.game);
        games.any(|game| meant.iter().any(|halted| halted.game == *game))
    };
    let since = book.event.halts.iter().skip(upon.unwrap_or(usize::MAX));
    let mut others = since.rev().filter(|other| other.stops != stops);
    let Some(other) = others.find(is_meant) else {
        return Ok(());
    };
    let who = match other.by.is_empty() {
        true => "somebody else",
        false => &other.by,
    };
    let text = |what: &str| format!("{who} has {what} meanwhile; look at it again");
    let reason = match other.stops {
        true => Reason::new("stopped-meanwhile", text("stopped games together")),
        false => Reason::new("went-on-meanwhile", text("let the games go on")),
    };
    Err(Problem::refused(match other.by.is_empty() {
        true => reason,
        false => reason.with("who", other.by.as_str()),
    }))
}

/// First the boards, at the same time; then it is written down which they were.
async fn all(desk: &Desk, (visitor, author): (&Visitor, Author), body: Body, stops: bool) -> Done {
    let Json(order) = body?;
    legible(&[("the author", &order.author)])?;
    let by = match author.who.is_empty() {
        true => order.author,
        false => author.who.clone(),
    };
    let meant = meant(desk, visitor, stops);
    is_upon(&desk.office.book(), order.upon, &meant, stops)?;
    if meant.is_empty() {
        let error = match stops {
            true => "no game is played that could be stopped",
            false => "no game is stopped together with others",
        };
        let kind = if stops {
            "none-to-stop"
        } else {
            "none-stopped"
        };
        return Err(Problem::refused(Reason::new(kind, error)));
    }
    let action = match stops {
        true => ArbiterAction::Pause,
        false => ArbiterAction::Resume,
    };
    let input = match by.is_empty() {
        true => Input::Arbiter(action),
        false => Input::Arbiter(action).signed(None, Some(by.as_str().into())),
    };
    let (boards, refused) = told(desk, visitor, meant, input).await;
    if let (true, [first, ..]) = (boards.is_empty(), &refused[..]) {
        let error = format!("{}: {}", first.board, first.error);
        return Err(match &first.why {
            Some(why) => Problem::refused(Reason {
                text: error,
                ..why.clone()
            }),
            None => Problem::new(StatusCode::CONFLICT, error),
        });
    }
    let at = Timestamp::now().to_string();
    let halt = Halt {
        stops,
        boards,
        by,
        at,
    };
    desk.office.act(&author, &[Act::Halt(halt.clone())]).await?;
    Ok(Json(Document { halt, refused }))
}

/// Orders it of these boards. Gives back those that have done it, each with the order that it was,
/// and those that refused.
async fn told(
    desk: &Desk,
    visitor: &Visitor,
    meant: Vec<Halted>,
    input: Input,
) -> (Vec<Halted>, Vec<Refused>) {
    let input = signed(input, visitor);
    let mut orders = JoinSet::new();
    for halted in meant {
        let (desk, input) = (desk.clone(), input.clone());
        orders.spawn(async move {
            // What somebody orders at the table in the same moment is heard first.
            let _alone = desk.hall.alone_with(&halted.game).await;
            let done = desk.hall.order(&halted.board, input).await;
            (halted, done)
        });
    }
    let (mut boards, mut refused) = (Vec::new(), Vec::new());
    while let Some(done) = orders.join_next().await {
        match done {
            Ok((halted, Ok(order))) => boards.push(Halted { order, ..halted }),
            Ok((halted, Err(error))) => {
                let error = refused_to(visitor, error);
                refused.push(Refused {
                    board: halted.board,
                    error: error.to_string(),
                    why: reason(error),
                });
            }
            Err(error) => tracing::error!(%error, "a board could not be told"),
        }
    }
    boards.sort_by_key(|halted| halted.table);
    (boards, refused)
}

/// The boards that are to be told.
fn meant(desk: &Desk, visitor: &Visitor, stops: bool) -> Vec<Halted> {
    let book = desk.office.book();
    let boards = desk.hall.boards();
    let halted = boards.iter().filter_map(|board| {
        let table = book.table_of(&board.id);
        let view = board.view().filter(|view| view.state != Phase::Ended)?;
        let is_meant = match stops {
            true => view.state != Phase::Paused,
            false => view.state == Phase::Paused && is_halted(&book, view),
        };
        let may = visitor.may(Right::Pause, desk.table(&board.id));
        (is_meant && may).then(|| Halted {
            board: board.id.clone(),
            table,
            game: view.game.to_string(),
            order: None,
        })
    });
    halted.collect()
}

/// Whether a game that is stopped was stopped with others, and no other order has stopped it since.
fn is_halted(book: &Book, view: &View) -> bool {
    let stopped = stopped_by(view).and_then(Input::order);
    let halted = book.event.halted(&view.game);
    halted.is_some_and(|halted| halted.order.is_none() || halted.order.as_deref() == stopped)
}

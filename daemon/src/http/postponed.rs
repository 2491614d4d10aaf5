//! Games that are played later than their round.

use access::Right;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json as value;
use tournament::Act;

use super::author::By;
use super::event::number;
use super::guard::have;
use super::problem::Problem;
use super::rounds::Document;
use super::routes::{Routes, json};
use super::{Desk, REFUSED};
use crate::office::{OfficeError, legible};
use crate::people::Visitor;
use crate::store::Author;

/// Games that are postponed.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Postponed {
    /// The tables.
    tables: Vec<u16>,
    /// Why.
    #[serde(default)]
    reason: String,
}

/// Postponed games that are played now.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Resumed {
    /// The tables.
    tables: Vec<u16>,
}

pub(super) fn routes(routes: Routes) -> Routes {
    let order = |routes: Routes| {
        routes
            .gives("It is written down", json::<Document>())
            .refuses([StatusCode::BAD_REQUEST])
            .refuses(REFUSED)
    };
    let routes = routes
        .post(
            "/api/rounds/{round}/postpone",
            postpone,
            "Postpone games: their results come later",
        )
        .about(
            "The round can be closed beside them, and the next one started. A game that has begun \
             is adjourned so. Results are entered as in any round, also once it is closed.",
        )
        .reads::<Postponed>("one", value!({ "tables": [4], "reason": "White is ill" }));
    let routes = order(routes)
        .post(
            "/api/rounds/{round}/resume",
            resume,
            "Let postponed games be played now",
        )
        .about(
            "Also in a closed round: the game begins at its table once the pieces stand, where no \
             game of the round under way waits there.",
        )
        .reads::<Resumed>("one", value!({ "tables": [4] }));
    order(routes)
}

type Place = Result<Path<String>, PathRejection>;
type Body<T> = Result<Json<T>, JsonRejection>;
type Done = Result<Json<Document>, Problem>;

async fn postpone(
    State(desk): State<Desk>,
    By(author): By,
    Extension(visitor): Extension<Visitor>,
    round: Place,
    body: Body<Postponed>,
) -> Done {
    let round = number(&round?, "round")?;
    let Json(Postponed { tables, reason }) = body?;
    legible(&[("the reason", &reason)])?;
    let act = |table| Act::Postpone {
        round,
        table,
        reason: reason.clone(),
    };
    done(&desk, (&author, &visitor), (round, &tables), act).await
}

async fn resume(
    State(desk): State<Desk>,
    By(author): By,
    Extension(visitor): Extension<Visitor>,
    round: Place,
    body: Body<Resumed>,
) -> Done {
    let round = number(&round?, "round")?;
    let Json(Resumed { tables }) = body?;
    let act = |table| Act::Resume { round, table };
    done(&desk, (&author, &visitor), (round, &tables), act).await
}

/// Does it at each of the tables, where whoever asks may.
async fn done(
    desk: &Desk,
    (author, visitor): (&Author, &Visitor),
    (round, tables): (u16, &[u16]),
    act: impl Fn(u16) -> Act,
) -> Done {
    if tables.is_empty() {
        return Err(OfficeError::Bad("say which tables".to_owned()).into());
    }
    for table in tables {
        have(visitor, Right::Confirm, Some(u32::from(*table)))?;
    }
    let acts: Vec<Act> = tables.iter().copied().map(act).collect();
    desk.office.act(author, &acts).await?;
    Document::of(desk, round).await.map(Json)
}

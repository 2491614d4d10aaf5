//! Pairings, loaded from a pairing program's file.

use std::ops::RangeInclusive;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json as value;
use tournament::load::MOST;
use tournament::{Change, Oddity, Pairing, told};

use super::author::By;
use super::part::may_draw;
use super::problem::Problem;
use super::routes::{Routes, json};
use super::seats::Seats;
use super::{Desk, REFUSED};
use crate::office::Request;

/// The longest order: two files in Base64, and some words.
const LONGEST: usize = 2 * (MOST / 3 * 4) + 4096;

/// A file to be loaded.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    /// Its bytes in Base64: PGN, TRF, a list of pairs, or a table.
    file: String,
    /// A report file (TRF) in Base64 that has the players, where `file` has their numbers only.
    #[serde(default)]
    players: Option<String>,
    /// In which encoding both are, such as `windows-1250`. Left out: UTF-8 or UTF-16 where they are
    /// that, else Windows-1252.
    #[serde(default)]
    encoding: Option<String>,
    /// The round. Left out: the file says it.
    #[serde(default)]
    round: Option<u16>,
    /// The round where neither this order nor the file says it.
    #[serde(default)]
    or_round: Option<u16>,
    /// The first and the last of the tables that are drawn; the others stay as they are.
    #[serde(default)]
    tables: Option<[u16; 2]>,
    /// Draw it also where the hub of this hall decides who plays whom.
    #[serde(default)]
    anyway: bool,
    /// Say what would be done, and do nothing.
    #[serde(default)]
    dry_run: bool,
}

/// What a file does.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Loaded")]
pub(super) struct Document {
    /// The round.
    round: u16,
    /// Whether the file itself says that it is this one.
    says_round: bool,
    /// Whether something was written down: not in a dry run, nor where nothing changes.
    written: bool,
    /// Who plays whom in it.
    pairings: Vec<Seats>,
    /// Who plays nobody in it.
    byes: Vec<Seats>,
    /// How the event would be called from now on, where that is otherwise than before.
    renamed: Option<String>,
    /// What is different.
    changes: Vec<Change>,
    /// The same in words, without what is seen in the pairings. Of many who enter, and of a first
    /// field, only the count.
    differs: Vec<String>,
    /// What a person should look at.
    oddities: Vec<Oddity>,
    /// The same in words.
    notes: Vec<String>,
}

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .post_long(
            "/api/pairings",
            load,
            LONGEST,
            "Load the pairings of a round from a pairing program's file",
        )
        .about(
            "To load a file again changes nothing. A game that has begun keeps its pairing: a \
            file that says otherwise is refused. So is one that cannot be understood, with each \
            line \
            and column.",
        )
        .reads::<Order>(
            "list",
            value!({ "file": "MgoxIDQKMyAyCg==", "round": 4, "dry_run": true }),
        )
        .gives("What is drawn", json::<Document>())
        .refuses([StatusCode::BAD_REQUEST])
        .refuses(REFUSED)
}

async fn load(
    State(desk): State<Desk>,
    By(author): By,
    body: Result<Json<Order>, JsonRejection>,
) -> Result<Json<Document>, Problem> {
    let Json(order) = body?;
    let request = Request {
        file: bytes("file", &order.file)?,
        players: order
            .players
            .map(|text| bytes("players", &text))
            .transpose()?,
        encoding: order.encoding,
        round: order.round,
        or_round: order.or_round,
        tables: order.tables.map(|[from, to]| RangeInclusive::new(from, to)),
        dry_run: order.dry_run,
    };
    if !order.dry_run && !order.anyway {
        may_draw(&desk)?;
    }
    if let Some(event) = &desk.event {
        let request = Request {
            dry_run: true,
            ..request.clone()
        };
        event.settled().await;
        event.may_become(&desk.office.load(&author, request).await?.after)?;
    }
    let before = desk.office.book().event.described().name;
    let loaded = desk.office.load(&author, request).await?;
    let called = loaded.after.described().name;
    let drawn = loaded.plan.pairings.iter();
    let (byes, games): (Vec<&Pairing>, Vec<&Pairing>) = drawn.partition(|p| p.is_bye());
    let seats = |drawn: Vec<&Pairing>| {
        let drawn = drawn.into_iter();
        drawn
            .map(|pairing| Seats::of(&loaded.after, pairing))
            .collect()
    };
    let differs = told(&loaded.plan.changes, loaded.after.players.len());
    let notes = loaded.plan.oddities.iter().map(Oddity::to_string);
    Ok(Json(Document {
        round: loaded.plan.round,
        says_round: loaded.says_round,
        written: !order.dry_run && !loaded.plan.acts.is_empty(),
        renamed: Some(called).filter(|called| *called != before),
        pairings: seats(games),
        byes: seats(byes),
        notes: notes.collect(),
        differs,
        changes: loaded.plan.changes,
        oddities: loaded.plan.oddities,
    }))
}

fn bytes(name: &str, text: &str) -> Result<Vec<u8>, Problem> {
    STANDARD.decode(text).map_err(|error| {
        let what = format!("`{name}` is no Base64: {error}");
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, what)
    })
}

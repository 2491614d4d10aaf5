//! Results: entered, confirmed, withdrawn; and moves typed from the scoresheets.

use std::collections::BTreeMap;

use access::Right;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json as value};
use tournament::{Act, How, Pairing, ResultCode, Typed};

use super::author::By;
use super::event::number;
use super::guard::have;
use super::problem::Problem;
use super::rounds::Document;
use super::routes::{Routes, json};
use super::{Desk, REFUSED};
use crate::office::{self, OfficeError};
use crate::people::Visitor;
use crate::store::Author;

/// Results that a person says.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Entered {
    /// By table: `1-0`, `0-1`, `1/2-1/2`; sides that do not add up to a point, `0-0`, `1/2-0`,
    /// `0-1/2`; by forfeit `+/-`, `-/+`, `-/-`.
    results: BTreeMap<u16, String>,
    /// The arbiter has decided so; else it is what the scoresheets say.
    #[serde(default)]
    decided: bool,
    /// Why; asked for where a confirmed result is changed.
    #[serde(default)]
    reason: String,
}

/// Results that a person confirms.
#[derive(Deserialize, JsonSchema, Default)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Confirmed {
    /// The tables. Left out: all whose result is proposed, with nothing of their game left to be
    /// ruled on.
    tables: Option<Vec<u16>>,
}

/// Results that a person takes back.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Withdrawn {
    /// The tables.
    tables: Vec<u16>,
    /// Why; asked for where a result is confirmed.
    #[serde(default)]
    reason: String,
}

/// Moves from the scoresheets.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Sheet {
    /// The table.
    table: u16,
    /// They follow on so many half-moves that the board has seen; 0 without a board.
    #[serde(default)]
    after: u16,
    /// In algebraic notation, with or without numbers: `1. e4 e5 2. Nf3`. A result behind the last
    /// move is the table's, where it has none yet.
    moves: String,
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
            "/api/rounds/{round}/results",
            enter,
            "Enter results, several as one act",
        )
        .about(
            "Also forfeits of players who did not come, and corrections. From somebody who may not \
            confirm results they are proposed only, and wait for who may.",
        )
        .reads::<Entered>("two", value!({ "results": { "4": "1-0", "7": "-/+" } }));
    let routes = order(routes)
        .post(
            "/api/rounds/{round}/confirm",
            confirm,
            "Confirm results that are proposed",
        )
        .reads::<Confirmed>("all that nobody disputes", value!({}));
    let routes = order(routes)
        .post(
            "/api/rounds/{round}/withdraw",
            withdraw,
            "Take results back",
        )
        .reads::<Withdrawn>(
            "one",
            value!({ "tables": [4], "reason": "the wrong table" }),
        );
    let routes = order(routes)
        .post(
            "/api/rounds/{round}/moves",
            moves,
            "Type moves from the scoresheets",
        )
        .about(
            "Of a table without a board, or of one whose board has failed. They are legal, and \
            the PGN says that they were typed. A result behind the last move is entered where the \
            table has none; one that is another than the table's is refused.",
        )
        .reads::<Sheet>(
            "opening",
            value!({ "table": 4, "moves": "1. e4 e5 2. Nf3 Nc6" }),
        );
    order(routes)
}

type Place = Result<Path<String>, PathRejection>;
type Body<T> = Result<Json<T>, JsonRejection>;
type Done = Result<Json<Document>, Problem>;

async fn enter(
    State(desk): State<Desk>,
    By(author): By,
    Extension(visitor): Extension<Visitor>,
    round: Place,
    body: Body<Entered>,
) -> Done {
    let round = number(&round?, "round")?;
    let Json(entered) = body?;
    let act = |(table, text): (u16, String)| {
        let codes = ResultCode::both(&text).ok_or_else(|| {
            OfficeError::Bad(format!(
                "table {table}: `{text}` is no result; write 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, \
                 +/-, -/+ or -/-"
            ))
        })?;
        let how = how(codes, entered.decided);
        // Who may not confirm it proposes it.
        if !visitor.may(Right::Confirm, Some(u32::from(table))) && !entered.decided {
            return Ok(Act::Propose {
                round,
                table,
                codes,
                how,
            });
        }
        Ok(Act::Result {
            round,
            table,
            codes,
            how,
            reason: entered.reason.clone(),
        })
    };
    let acts: Result<Vec<Act>, OfficeError> = entered.results.into_iter().map(act).collect();
    done(&desk, (&author, &visitor), round, &acts?).await
}

fn how(codes: [ResultCode; 2], decided: bool) -> How {
    let is_forfeit = |code: ResultCode| matches!(code.to_string().as_str(), "+" | "-");
    match decided {
        _ if codes.into_iter().all(is_forfeit) => How::Forfeit,
        true => How::Arbiter,
        false => How::Typed,
    }
}

async fn confirm(
    State(desk): State<Desk>,
    By(author): By,
    Extension(visitor): Extension<Visitor>,
    round: Place,
    body: Body<Confirmed>,
) -> Done {
    let round = number(&round?, "round")?;
    let Json(Confirmed { tables }) = body?;
    let tables = match tables {
        Some(tables) => tables,
        None => {
            let all = undisputed(&desk, round).await?.into_iter();
            let may = |table: &u16| visitor.may(Right::Confirm, Some(u32::from(*table)));
            all.filter(may).collect()
        }
    };
    let acts = tables
        .into_iter()
        .map(|table| Act::Confirm { round, table });
    done(&desk, (&author, &visitor), round, &acts.collect::<Vec<_>>()).await
}

/// The tables whose result is proposed, with nothing of their game left to be ruled on.
async fn undisputed(desk: &Desk, round: u16) -> Result<Vec<u16>, Problem> {
    let book = desk.office.book();
    let drawn = book.event.rounds.get(&round);
    let drawn = drawn.ok_or(tournament::Refusal::NoRound(round))?;
    let is_proposed = |p: &&Pairing| {
        let outcome = p.outcome.as_ref();
        !p.is_bye() && outcome.is_some_and(|o| !o.confirmed && o.how == How::Board)
    };
    let mut tables = Vec::new();
    for pairing in drawn.pairings.iter().filter(is_proposed) {
        let (Some(table), Some(game)) = (pairing.table, &pairing.game) else {
            continue;
        };
        if !is_disputed(desk, game).await? {
            tables.push(table);
        }
    }
    Ok(tables)
}

/// Whether something of a game is left to be ruled on.
async fn is_disputed(desk: &Desk, game: &str) -> Result<bool, Problem> {
    let boards = desk.hall.boards();
    let mut at_hand = boards
        .iter()
        .filter(|board| board.view().is_some_and(|view| view.game == game));
    if let Some(board) = at_hand.next() {
        let doubts = board.view().is_some_and(|view| !view.doubts.is_empty());
        return Ok(board.open > 0 || doubts);
    }
    let Some(game) = desk.hall.game(game).await? else {
        return Ok(true);
    };
    let told = tokio::task::spawn_blocking(move || game.told()).await;
    let Ok(Some(told)) = told.unwrap_or(Ok(None)) else {
        return Ok(true);
    };
    let list = |name: &str| told[name].as_array().map_or(&[][..], Vec::as_slice);
    let is_open = |finding: &Value| finding["status"] == "open";
    Ok(list("findings").iter().any(is_open) || !list("doubts").is_empty())
}

async fn withdraw(
    State(desk): State<Desk>,
    By(author): By,
    Extension(visitor): Extension<Visitor>,
    round: Place,
    body: Body<Withdrawn>,
) -> Done {
    let round = number(&round?, "round")?;
    let Json(Withdrawn { tables, reason }) = body?;
    let act = |table| Act::Withdraw {
        round,
        table,
        reason: reason.clone(),
    };
    let acts: Vec<Act> = tables.into_iter().map(act).collect();
    done(&desk, (&author, &visitor), round, &acts).await
}

async fn moves(
    State(desk): State<Desk>,
    By(author): By,
    Extension(visitor): Extension<Visitor>,
    round: Place,
    body: Body<Sheet>,
) -> Done {
    let round = number(&round?, "round")?;
    let Json(Sheet {
        table,
        after,
        moves,
    }) = body?;
    let (moves, result) = office::scoresheet(&moves);
    let typed = Typed { after, moves };
    let (office, of) = (desk.office.clone(), typed.clone());
    let check = move || {
        let event = &office.book().event;
        office::check(event, (round, table), (&of, result), office.store())
    };
    let checked = tokio::task::spawn_blocking(check).await;
    checked.unwrap_or_else(|_| Err(OfficeError::Bad("the moves could not be read".to_owned())))?;
    let mut acts = vec![Act::Moves {
        round,
        table,
        typed,
    }];
    let book = desk.office.book();
    let is_open = book.event.pairing(round, table)?.outcome.is_none();
    if let Some(codes) = result.filter(|_| is_open) {
        acts.push(Act::Result {
            round,
            table,
            codes,
            how: How::Typed,
            reason: String::new(),
        });
    }
    done(&desk, (&author, &visitor), round, &acts).await
}

/// Does it, where whoever asks may at every table that it is about.
async fn done(
    desk: &Desk,
    (author, visitor): (&Author, &Visitor),
    round: u16,
    acts: &[Act],
) -> Done {
    for act in acts {
        let (right, table) = match act {
            Act::Result { table, .. }
            | Act::Confirm { table, .. }
            | Act::Withdraw { table, .. } => (Right::Confirm, Some(*table)),
            Act::Propose { table, .. } | Act::Moves { table, .. } => (Right::Results, Some(*table)),
            _ => (Right::Confirm, None),
        };
        have(visitor, right, table.map(u32::from))?;
    }
    desk.office.act(author, acts).await?;
    Document::of(desk, round).await.map(Json)
}

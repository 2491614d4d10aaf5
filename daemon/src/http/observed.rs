//! Which games arbiters observe, by whom and since when.

use access::Right;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json as value;
use tournament::{Act, Observed, Tournament};

use super::author::By;
use super::event::{Which, number, of_event};
use super::guard::have;
use super::problem::Problem;
use super::routes::{Routes, json};
use super::{Desk, REFUSED};
use crate::office::legible;
use crate::people::Visitor;

/// A time for which an arbiter observed a game.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ObservedGame")]
pub(super) struct Document {
    /// The round.
    round: u16,
    /// The table.
    table: u16,
    /// The game of the pairing, once it has begun on a board; else `null`.
    game: Option<String>,
    /// Who; empty where nobody said who he is.
    by: String,
    /// Since when, in RFC 3339.
    since: String,
    /// Until when; `null` while he observes it.
    until: Option<String>,
    /// It ended by itself: the game had a result, was postponed, or others were drawn there.
    by_itself: bool,
}

/// Whether an arbiter observes the game at a table.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    /// He observes it from now on; else no longer.
    observes: bool,
    /// The round; left out: the one whose game is played at the table.
    #[serde(default)]
    round: Option<u16>,
    /// Which arbiter; left out: whoever says so. Of another the chief arbiter may say that he
    /// observes a game, and everybody who may rule there that he does no longer.
    #[serde(default)]
    whose: Option<String>,
    /// Who says so, where nobody is asked who he is.
    #[serde(default)]
    author: String,
}

impl Document {
    fn of(event: &Tournament, one: &Observed) -> Document {
        let pairing = event.pairing(one.round, one.table).ok();
        Document {
            round: one.round,
            table: one.table,
            game: pairing.and_then(|pairing| pairing.game.clone()),
            by: one.by.clone(),
            since: one.since.clone(),
            until: one.until.clone(),
            by_itself: one.by_itself,
        }
    }

    fn all(event: &Tournament) -> Vec<Document> {
        let all = event.observed.iter();
        all.map(|one| Document::of(event, one)).collect()
    }
}

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .get(
            "/api/event/observed",
            all,
            "Which games arbiters observed, by whom, from when to when",
        )
        .about("Of the event at hand, or with `?event=1` of another of the store.")
        .gives("The earliest first", json::<Vec<Document>>())
        .refuses([StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND])
        .post(
            "/api/tables/{table}/observe",
            order,
            "Say that an arbiter observes the game at a table, or no longer",
        )
        .about(
            "In rapid and blitz it matters whether an arbiter saw a game (Articles A.4 and B.2). \
             It ends by itself when the game has a result or is postponed.",
        )
        .reads::<Order>("observes", value!({ "observes": true, "author": "Ada" }))
        .gives("It is written down", json::<Vec<Document>>())
        .refuses([StatusCode::BAD_REQUEST])
        .refuses(REFUSED)
}

type Done = Result<Json<Vec<Document>>, Problem>;

async fn all(State(desk): State<Desk>, which: Which) -> Done {
    let book = desk.office.book();
    Ok(Json(Document::all(book.nth(of_event(which)?)?)))
}

/// Whose observing ends where nobody says whose: his own; for the chief arbiter, who does not
/// observe it himself, that of the only one who does.
fn meant(desk: &Desk, visitor: &Visitor, (round, table): (u16, u16), own: String) -> String {
    let book = desk.office.book();
    let all: Vec<_> = book.event.observers(round, table).collect();
    match &all[..] {
        [only] if visitor.may(Right::Rounds, None) => only.by.clone(),
        _ => own,
    }
}

async fn order(
    State(desk): State<Desk>,
    By(author): By,
    Extension(visitor): Extension<Visitor>,
    table: Result<Path<String>, PathRejection>,
    body: Result<Json<Order>, JsonRejection>,
) -> Done {
    let table = number(&table?, "table")?;
    let Json(order) = body?;
    have(&visitor, Right::Rule, Some(u32::from(table)))?;
    let whose = order.whose.as_deref().map(str::trim);
    legible(&[
        ("the author", &order.author),
        ("the arbiter's name", whose.unwrap_or_default()),
    ])?;
    let own = match author.who.is_empty() {
        true => order.author,
        false => author.who.clone(),
    };
    if order.observes && whose.is_some_and(|whose| whose != own) {
        have(&visitor, Right::Rounds, None)?;
    }
    let round = match order.round {
        Some(round) => round,
        None => desk.office.book().event.observable_at(table)?,
    };
    let at = Timestamp::now().to_string();
    let act = match order.observes {
        true => Act::Observe {
            round,
            table,
            by: whose.map_or(own, str::to_owned),
            at,
        },
        false => Act::StopObserving {
            round,
            table,
            by: whose.map_or_else(
                || meant(&desk, &visitor, (round, table), own),
                str::to_owned,
            ),
            at,
            by_itself: false,
        },
    };
    desk.office.act(&author, &[act]).await?;
    Ok(Json(Document::all(&desk.office.book().event)))
}

//! The event as JSON: what is said of it, who plays, how far its rounds are; and penalties.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json as value;
use tournament::{Act, Details, Penalty, Player, Round, Stage};

use super::author::By;
use super::problem::Problem;
use super::routes::{Routes, json};
use super::{Desk, REFUSED};
use crate::office::{Book, OfficeError, check_details};

/// The event at hand.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Event")]
pub(super) struct Document {
    /// How many acts have made it, and those before it: grows with every change.
    acts: u64,
    /// Somebody has said something of it, and it is not closed.
    open: bool,
    /// What is wrong with the acts in the store: nothing can be done then.
    damage: Option<String>,
    /// What is said of it.
    details: Details,
    /// By starting number.
    players: Vec<Player>,
    /// By number.
    rounds: Vec<Summary>,
    /// In the order in which they were given.
    penalties: Vec<Penalty>,
    /// By starting number: whether the public is shown the name shortened, where somebody has said
    /// so.
    shortened: BTreeMap<u16, bool>,
    /// The names of events that are over, the oldest first.
    past: Vec<String>,
}

/// How far a round is.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RoundSummary")]
struct Summary {
    /// Its number.
    round: u16,
    /// Its day.
    date: String,
    /// How far it is.
    stage: Stage,
    /// How many games there are.
    games: usize,
    /// The tables without a confirmed result.
    open: Vec<u16>,
}

impl Document {
    fn of(book: &Book) -> Document {
        let event = &book.event;
        let summary = |(number, round): (&u16, &Round)| Summary {
            round: *number,
            date: round.date.clone(),
            stage: round.stage,
            games: round.pairings.iter().filter(|p| !p.is_bye()).count(),
            open: event.open_tables(*number),
        };
        Document {
            acts: book.acts,
            open: *event != tournament::Tournament::default() && !event.closed,
            damage: book.damage.clone(),
            details: event.details.clone(),
            players: event.players.values().cloned().collect(),
            rounds: event.rounds.iter().map(summary).collect(),
            penalties: event.penalties.clone(),
            shortened: event.shortened.clone(),
            past: book
                .past
                .iter()
                .map(|past| past.details.name.clone())
                .collect(),
        }
    }
}

pub(super) fn routes(routes: Routes) -> Routes {
    let details = value!({ "name": "Harbour Open", "time_control": "5400+30", "rounds": 9 });
    routes
        .get("/api/event", one, "The event: players, rounds, penalties")
        .gives("The event", json::<Document>())
        .post("/api/event/open", open, "Open an event in the store")
        .about("One at a time: the one before has to be closed. It stays in the store.")
        .reads::<Details>("event", details.clone())
        .gives("It is written down", json::<Document>())
        .refuses(REFUSED)
        .post(
            "/api/event/describe",
            describe,
            "Say something else of the event",
        )
        .about("All of it is replaced.")
        .reads::<Details>("event", details)
        .gives("It is written down", json::<Document>())
        .refuses(REFUSED)
        .post(
            "/api/event/close",
            close,
            "Close the event: nothing is changed after that",
        )
        .gives("It is written down", json::<Document>())
        .refuses(REFUSED)
        .post(
            "/api/event/shorten",
            shorten,
            "Say whether the public is shown a player's name shortened",
        )
        .reads::<Mark>("short", value!({ "player": 7, "short": true }))
        .gives("It is written down", json::<Document>())
        .refuses(REFUSED)
        .post(
            "/api/penalties",
            penalise,
            "Note a penalty of a player (Article 12.9)",
        )
        .about("Nothing adds penalties up: only the regulations of the event could say how.")
        .reads::<Penalty>(
            "penalty",
            value!({
                "player": 7, "round": 3, "what": "a warning", "reason": "his telephone rang"
            }),
        )
        .gives("It is written down", json::<Document>())
        .refuses(REFUSED)
}

/// Whether the public is shown a name shortened.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Mark {
    /// The player's starting number.
    player: u16,
    /// `null` or left out: by his age, as the daemon is configured.
    #[serde(default)]
    short: Option<bool>,
}

async fn shorten(
    State(desk): State<Desk>,
    By(author): By,
    body: Body<Mark>,
) -> Result<Json<Document>, Problem> {
    let Json(Mark { player, short }) = body?;
    done(&desk, &author, Act::Shorten { player, short }).await
}

async fn one(State(desk): State<Desk>) -> Json<Document> {
    Json(Document::of(&desk.office.book()))
}

type Body<T> = Result<Json<T>, JsonRejection>;

async fn open(
    State(desk): State<Desk>,
    By(author): By,
    body: Body<Details>,
) -> Result<Json<Document>, Problem> {
    let Json(details) = body?;
    check_details(&details)?;
    done(&desk, &author, Act::Open { details }).await
}

async fn describe(
    State(desk): State<Desk>,
    By(author): By,
    body: Body<Details>,
) -> Result<Json<Document>, Problem> {
    let Json(details) = body?;
    check_details(&details)?;
    done(&desk, &author, Act::Describe { details }).await
}

async fn close(State(desk): State<Desk>, By(author): By) -> Result<Json<Document>, Problem> {
    done(&desk, &author, Act::Close).await
}

async fn penalise(
    State(desk): State<Desk>,
    By(author): By,
    body: Body<Penalty>,
) -> Result<Json<Document>, Problem> {
    let Json(Penalty {
        player,
        round,
        what,
        reason,
    }) = body?;
    let act = Act::Penalise {
        player,
        round,
        what,
        reason,
    };
    done(&desk, &author, act).await
}

async fn done(
    desk: &Desk,
    author: &crate::store::Author,
    act: Act,
) -> Result<Json<Document>, Problem> {
    desk.office.act(author, &[act]).await?;
    Ok(Json(Document::of(&desk.office.book())))
}

/// An address with a number in it that is none.
pub(super) fn number(text: &str, what: &str) -> Result<u16, Problem> {
    let wrong = |_| Problem::new(StatusCode::BAD_REQUEST, format!("`{text}` is no {what}"));
    text.parse().map_err(wrong)
}

impl From<tournament::Refusal> for Problem {
    fn from(refusal: tournament::Refusal) -> Problem {
        OfficeError::from(refusal).into()
    }
}

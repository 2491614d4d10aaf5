//! The machine's clock, for a machine that has lost the time: the chief arbiter's device lends its
//! own.

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use jiff::Timestamp;
use jiff::civil::date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json as value;
use tournament::Stage;

use super::author::By;
use super::problem::Problem;
use super::routes::{Routes, json};
use super::{Desk, REFUSED};
use crate::clock::{self, ClockError};
use crate::people::Noted;
use crate::reason::Reason;

/// The machine's clock.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "MachineClock")]
pub(super) struct Document {
    /// What it shows, in milliseconds since 1970.
    now: i64,
    /// Whether it follows a clock of the network, and is right; `null` where nobody can tell.
    right: Option<bool>,
    /// Whether it may be set from here: it is not known to be right, and no round has begun.
    settable: bool,
}

/// The time.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "DeviceTime")]
struct Told {
    /// In milliseconds since 1970.
    now: i64,
}

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .get(
            "/api/clock",
            shown,
            "The machine's own clock, and whether it can be set",
        )
        .gives("The clock", json::<Document>())
        .post(
            "/api/clock",
            set,
            "Set the machine's clock, before the first round",
        )
        .about("For a machine that has no battery for its clock and no network that tells it.")
        .reads::<Told>("the time", value!({ "now": 1_795_766_400_000_i64 }))
        .gives("It is set", json::<Document>())
        .refuses([StatusCode::BAD_REQUEST])
        .refuses(REFUSED)
}

/// No mirror of a hall is that hall's machine.
fn is_here(desk: &Desk) -> bool {
    desk.wiring.is_some()
}

/// Times in the journal follow one another: once a round has begun nothing makes them jump.
fn before_the_first_round(desk: &Desk) -> bool {
    let book = desk.office.book();
    let mut rounds = book.event.rounds.values();
    rounds.all(|round| round.stage == Stage::Drawn)
}

async fn shown(State(desk): State<Desk>) -> Json<Document> {
    let watched = match is_here(&desk) {
        true => clock::watched().await.ok(),
        false => None,
    };
    let right = watched.map(|watched| watched.is_right);
    Json(Document {
        now: Timestamp::now().as_millisecond(),
        right,
        settable: right == Some(false) && before_the_first_round(&desk),
    })
}

async fn set(
    State(desk): State<Desk>,
    By(author): By,
    body: Result<Json<Told>, JsonRejection>,
) -> Result<Json<Document>, Problem> {
    let Json(Told { now }) = body?;
    if !is_here(&desk) {
        let error = "this is not the machine of the boards: its clock is set there";
        return Err(Problem::refused(Reason::new("clock-elsewhere", error)));
    }
    if !before_the_first_round(&desk) {
        let error = "a round has begun: the machine's clock stays as it is";
        return Err(Problem::refused(Reason::new("clock-stays", error)));
    }
    let told = Timestamp::from_millisecond(now).ok().filter(is_likely);
    let unlikely = "`now` is not a time at which anybody plays: is the clock of the device right?";
    let unlikely = || Problem::new(StatusCode::UNPROCESSABLE_ENTITY, unlikely);
    let (told, before) = (told.ok_or_else(unlikely)?, Timestamp::now());
    let jumped = clock::set(told).await?;
    tracing::info!(%before, after = %told, "the machine's clock was set from a device");
    desk.people.clock_jumped(jumped).await?;
    let noted = Noted::ClockSet {
        before: &before.to_string(),
        after: &told.to_string(),
    };
    desk.people.note(author, &noted).await?;
    Ok(shown(State(desk)).await)
}

/// Later than the first of these programs, and no century away.
fn is_likely(at: &Timestamp) -> bool {
    let year = at.to_zoned(jiff::tz::TimeZone::UTC).date();
    (date(2026, 1, 1)..date(2100, 1, 1)).contains(&year)
}

impl From<ClockError> for Problem {
    fn from(error: ClockError) -> Problem {
        let status = match error {
            ClockError::Followed => {
                return Problem::refused(Reason::new("clock-followed", error.to_string()));
            }
            ClockError::Absent(_) | ClockError::Refused(_) => StatusCode::SERVICE_UNAVAILABLE,
        };
        Problem::new(status, error.to_string())
    }
}

//! The part of an event that is played in this hall, as its hub deals it out.

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use serde_json::json as value;
use tournament::{Act, Pairing};

use super::author::By;
use super::problem::Problem;
use super::rounds::Document;
use super::routes::{Routes, json};
use super::{Desk, REFUSED};
use crate::hub::order::LONGEST;
use crate::hub::{Part, are_two, had};
use crate::office::{Book, check_details};
use crate::reason::Reason;

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .post_long(
            "/api/event/part",
            take,
            LONGEST,
            "Play these tables of a round of an event, which a hub deals out",
        )
        .about(
            "The event is opened where none is. The tables are all that the hall has of the \
            round: one that is not there any more is gone, unless it has begun; that is refused. \
            Starting numbers are those of the whole event.",
        )
        .reads::<Part>(
            "one table",
            value!({
                "details": { "name": "Harbour Open" },
                "round": 1,
                "players": [
                    { "number": 7, "name": "Berg, Anna" },
                    { "number": 2, "name": "Cole, Ben" }
                ],
                "tables": [{ "table": 12, "white": 7, "black": 2 }]
            }),
        )
        .gives("It is written down", json::<Document>())
        .refuses([StatusCode::BAD_REQUEST])
        .refuses(REFUSED)
}

async fn take(
    State(desk): State<Desk>,
    By(author): By,
    body: Result<Json<Part>, JsonRejection>,
) -> Result<Json<Document>, Problem> {
    let Json(part) = body?;
    check_details(&part.details)?;
    let round = part.round;
    let acts = acts(&desk.office.book(), part)?;
    desk.office.act(&author, &acts).await?;
    Document::of(&desk, round).await.map(Json)
}

/// Who plays whom is decided at the hub, while there is one: what is drawn here of its event would
/// be drawn back in a moment.
///
/// # Errors
/// Where the hub is there, and the event is its own.
pub(super) fn may_draw(desk: &Desk) -> Result<(), Problem> {
    let book = desk.office.book();
    let is_there = || {
        desk.uplink
            .as_ref()
            .is_some_and(|hub| hub.shown().connected)
    };
    if book.event.closed || book.event.part_of.is_none() || !is_there() {
        return Ok(());
    }
    let name = &book.event.details.name;
    let what = format!(
        "who plays whom in `{name}` is decided at its hub, as long as that is there \
         (`pairings load --anyway` draws it all the same)"
    );
    let reason = Reason::new("drawn-at-hub", what).with("event", name);
    Err(Problem::refused(reason))
}

/// What is to be done so that an event has the part.
fn acts(book: &Book, part: Part) -> Result<Vec<Act>, Problem> {
    let event = &book.event;
    let mut acts = Vec::new();
    if part.details.name.trim().is_empty() {
        let error = "the event has no name: `arbiterd event describe` at the hub gives it one";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error));
    }
    let details = part.details.clone();
    let is_new = event.closed || event.is_unopened();
    if is_new {
        acts.push(Act::Open { details });
    } else if is_another(book, &part) {
        let error = format!(
            "the event `{}` is open here, and the hub's is `{}`: close the one that is not played",
            event.described().name,
            details.name
        );
        let reason = Reason::new("other-event-open", error);
        return Err(Problem::refused(
            reason.with("event", event.described().name),
        ));
    } else if event.details != details {
        acts.push(Act::Describe { details });
    }
    let is_known = !is_new && event.part_of == part.of;
    if let Some(event) = part.of.clone().filter(|_| !is_known) {
        acts.push(Act::PartOf { event });
    }
    let part = if is_new { part } else { part.but_erased(event) };
    if is_new || !part.is_in(event) {
        let pairing = |placed: crate::hub::Placed| Pairing {
            table: Some(placed.table),
            white: placed.white,
            black: Some(placed.black),
            game: None,
            outcome: None,
            typed: None,
            start: placed.start,
            postponed: false,
            withdrawn: false,
            annulled: false,
            annulled_games: Vec::new(),
        };
        acts.push(Act::Draw {
            round: part.round,
            date: part.date,
            players: part.players,
            pairings: part.tables.into_iter().map(pairing).collect(),
            file: None,
            players_file: None,
            encoding: None,
        });
    }
    Ok(acts)
}

/// Whether the event at hand is not the one that has the part. Its own part is that whatever it is
/// called; one that was opened here by itself goes by its name, and may be another even so.
fn is_another(book: &Book, part: &Part) -> bool {
    let (event, of) = (&book.event, part.of.as_deref());
    let is_it = of.is_some() && event.part_of.as_deref() == of;
    let is_named = event.described().name == part.details.name;
    !is_it && (!is_named || are_two(event, of) || part.others || had(book, of))
}

#[cfg(test)]
mod tests {
    use tournament::Details;

    use super::*;
    use crate::store::Deeds;

    fn details(name: &str) -> Details {
        Details {
            name: name.to_owned(),
            ..Details::default()
        }
    }

    /// The part of that event at the hub, in a hall that has its own, or one that it has opened
    /// itself, by the name of `Friday`.
    fn ordered(is_part: bool) -> Result<Vec<Act>, Problem> {
        let mut book = Book::read(&Deeds::default(), Vec::new());
        let details_there = details("Friday");
        book.apply(&Act::Open {
            details: details_there,
        })
        .unwrap();
        let of = Some("hub-1".to_owned());
        if let Some(event) = of.clone().filter(|_| is_part) {
            book.apply(&Act::PartOf { event }).unwrap();
        }
        let part = Part {
            of,
            others: false,
            details: details("Open"),
            round: 1,
            date: String::new(),
            players: Vec::new(),
            tables: Vec::new(),
        };
        acts(&book, part)
    }

    #[test]
    fn a_part_that_is_called_otherwise_here_is_told_its_name() {
        let acts = ordered(true).unwrap_or_default();
        let details = details("Open");
        assert_eq!(acts.first(), Some(&Act::Describe { details }));
        assert!(ordered(false).is_err(), "another event");
    }
}

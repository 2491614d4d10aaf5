//! What arbiters write down of a table, an incident or a player, with a picture where they take
//! one.

use access::Right;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json as value;
use tournament::{Note, Tournament};

use super::author::By;
use super::event::{Which, number, of_event};
use super::guard::have;
use super::problem::{Problem, no_game};
use super::routes::{Routes, json, text};
use super::{Desk, REFUSED, photo};
use crate::office::{Book, OfficeError, file_name};
use crate::people::Visitor;
use crate::plain;
use crate::reason::Reason;

/// The longest note, in characters.
const MOST: usize = 2000;
/// The longest order: a picture in Base64, and the words.
const LONGEST: usize = photo::MOST.div_ceil(3) * 4 + 4 * MOST + 4096;

/// A note.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Noted")]
pub(super) struct Document {
    /// Its number, from 1.
    number: usize,
    /// The round that it is about; `null` where it is about none.
    round: Option<u16>,
    /// The table.
    table: Option<u16>,
    /// The game; empty where it is about none.
    game: String,
    /// The incident; empty where it is about none.
    incident: String,
    /// The players whom it is about.
    about: Vec<Named>,
    /// What was written.
    text: String,
    /// It has a picture, at `/api/notes/{number}/photo`.
    photo: bool,
    /// Who wrote it; empty where nobody said.
    by: String,
    /// When, in RFC 3339.
    at: String,
}

/// A player.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "NamedPlayer")]
pub(super) struct Named {
    /// The starting number.
    number: u16,
    /// The name.
    name: String,
}

impl Named {
    /// A player of an event.
    pub(super) fn of(event: &Tournament, number: u16) -> Named {
        let player = event.players.get(&number);
        let name = player.map(|player| player.name.clone()).unwrap_or_default();
        Named { number, name }
    }

    /// Whether it is this one.
    pub(super) fn is(&self, number: u16) -> bool {
        self.number == number
    }
}

impl Document {
    fn of(event: &Tournament, (number, note): (usize, &Note)) -> Document {
        Document {
            number,
            round: note.round,
            table: note.table,
            game: note.game.clone(),
            incident: note.incident.clone(),
            about: note.about.iter().map(|n| Named::of(event, *n)).collect(),
            text: note.text.clone(),
            photo: note.photo.is_some(),
            by: note.by.clone(),
            at: note.at.clone(),
        }
    }

    fn all(event: &Tournament) -> Vec<Document> {
        let notes = (1..).zip(&event.notes);
        notes.map(|note| Document::of(event, note)).collect()
    }
}

/// What is to be written down: of a player, an incident, a game, or a table of a round.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Order {
    /// The player's starting number.
    player: Option<u16>,
    /// The incident's id.
    incident: Option<String>,
    /// The game's name.
    game: Option<String>,
    /// The table of `round`.
    table: Option<u16>,
    /// The round; of a player the one that it is about.
    round: Option<u16>,
    /// What is written; at most 2000 characters.
    text: String,
    /// A picture in Base64: JPEG, PNG or WebP, at most 360 KiB.
    photo: Option<String>,
    /// Who writes it, where nobody is asked who he is.
    author: String,
}

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .get("/api/notes", all, "What arbiters wrote down")
        .about("Of the event at hand, or with `?event=1` of another of the store.")
        .gives("The oldest first", json::<Vec<Document>>())
        .refuses([StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND])
        .post_long(
            "/api/notes",
            write,
            LONGEST,
            "Write something down of a table, an incident or a player",
        )
        .about(
            "With a picture, such as of a scoresheet: what it is, is seen by its bytes. A note \
             stays as it is written, until what is kept of its players is erased.",
        )
        .reads::<Order>(
            "table",
            value!({ "round": 3, "table": 12, "text": "White asked for a new scoresheet" }),
        )
        .gives("It is written down", json::<Vec<Document>>())
        .refuses([StatusCode::BAD_REQUEST])
        .refuses(REFUSED)
        .get(
            "/api/notes/{number}/photo",
            picture,
            "The picture of a note",
        )
        .about("Of the event at hand, or with `?event=1` of another of the store.")
        .gives("The picture", text("image/*"))
        .refuses([
            StatusCode::BAD_REQUEST,
            StatusCode::NOT_FOUND,
            StatusCode::SERVICE_UNAVAILABLE,
        ])
}

async fn all(State(desk): State<Desk>, which: Which) -> Result<Json<Vec<Document>>, Problem> {
    let book = desk.office.book();
    let event = book.nth(of_event(which)?)?;
    Ok(Json(Document::all(event)))
}

async fn write(
    State(desk): State<Desk>,
    By(author): By,
    Extension(visitor): Extension<Visitor>,
    body: Result<Json<Order>, JsonRejection>,
) -> Result<Json<Vec<Document>>, Problem> {
    let Json(order) = body?;
    let note = note(&desk, &order)?;
    let played_on = match &*note.game {
        "" => None,
        game => desk.hall.game(game).await?.map(|game| game.row.board),
    };
    if let (Some(game), None) = (&order.game, &played_on) {
        return Err(no_game(game));
    }
    for table in tables_of(&desk, &note, order.player, played_on.as_deref()) {
        have(&visitor, Right::Rule, table)?;
    }
    let picture = order.photo.as_deref().map(photo::read).transpose()?;
    let by = match author.who.is_empty() {
        true => order.author,
        false => author.who.clone(),
    };
    let photo = picture.as_deref().map(file_name);
    let note = Note { by, photo, ..note };
    check(&note)?;
    desk.office.note(&author, note, picture).await?;
    Ok(Json(Document::all(&desk.office.book().event)))
}

/// What is to be written down, with all that it is about.
fn note(desk: &Desk, order: &Order) -> Result<Note, Problem> {
    let book = desk.office.book();
    let incident = order.incident.clone().unwrap_or_default();
    let game = match &order.game {
        Some(game) => game.clone(),
        None => game_of(desk, &incident)?,
    };
    let seat = match (order.round, order.table) {
        (round, Some(table)) => Some((round.ok_or_else(no_round)?, table)),
        (_, None) => book.event.seat_of(&game),
    };
    let both = seat.and_then(|(round, table)| {
        let pairing = book.event.pairing(round, table).ok()?;
        Some([Some(pairing.white), pairing.black])
    });
    let about = match order.player {
        Some(player) => vec![player],
        None => both.into_iter().flatten().flatten().collect(),
    };
    let in_seat = seat.and_then(|(round, table)| {
        let pairing = book.event.pairing(round, table).ok()?;
        pairing.game.clone()
    });
    Ok(Note {
        round: seat.map(|(round, _)| round).or(order.round),
        table: seat.map(|(_, table)| table),
        game: if game.is_empty() {
            in_seat.unwrap_or_default()
        } else {
            game
        },
        incident,
        about,
        text: order.text.trim().to_owned(),
        at: Timestamp::now().to_string(),
        ..Note::default()
    })
}

fn no_round() -> Problem {
    OfficeError::Bad("say of which round the table is".to_owned()).into()
}

/// The game of an incident; none where it is about a board only.
fn game_of(desk: &Desk, incident: &str) -> Result<String, Problem> {
    match (&desk.incidents, incident) {
        (_, "") | (None, _) => Ok(String::new()),
        (Some(incidents), id) => Ok(incidents.one(id)?.game),
    }
}

/// The tables at which somebody must be allowed to write it down: its own, that of the incident,
/// that of the game or of the board it was played on, and that of a player who is named, in its
/// round or the one under way. `None`: at any.
fn tables_of(
    desk: &Desk,
    note: &Note,
    player: Option<u16>,
    played_on: Option<&str>,
) -> Vec<Option<u32>> {
    let book: &Book = &desk.office.book();
    let of_player = player.and_then(|player| {
        let under_way = || book.event.under_way().map(|(round, _)| round);
        let round = note.round.or_else(under_way)?;
        book.event.table_of_player(round, player).ok()?
    });
    let of_incident = desk
        .incidents
        .as_ref()
        .and_then(|incidents| incidents.one(&note.incident).ok()?.table);
    let seat = book.event.seat_of(&note.game).map(|(_, table)| table);
    let of_game = seat.map(u32::from);
    let of_game = of_game.or_else(|| desk.table(played_on?));
    let said = [note.table, of_player, of_incident].map(|table| table.map(u32::from));
    let mut tables = [said.as_slice(), &[of_game]].concat();
    tables.retain(Option::is_some);
    if tables.is_empty() {
        tables.push(None);
    }
    tables
}

/// Whether it can be shown: no line has a character that is not to be seen.
fn check(note: &Note) -> Result<(), OfficeError> {
    if note.text.chars().count() > MOST {
        let reason = Reason::new("note-long", "the note is longer than 2000 characters");
        return Err(OfficeError::unfit(reason.with("count", MOST)));
    }
    if note
        .text
        .lines()
        .any(|line| line.chars().any(plain::is_hidden))
    {
        let reason = Reason::new("text-unfit", "the note holds a control character");
        return Err(OfficeError::unfit(reason));
    }
    crate::office::legible(&[
        ("the author", &note.by),
        ("the game", &note.game),
        ("the incident", &note.incident),
    ])
}

async fn picture(
    State(desk): State<Desk>,
    place: Result<Path<String>, PathRejection>,
    which: Which,
) -> Result<Response, Problem> {
    let place = number(&place?, "note")?;
    let book = desk.office.book();
    let event = book.nth(of_event(which)?)?;
    let note = usize::from(place).checked_sub(1);
    let note = note.and_then(|place| event.notes.get(place));
    let name = note.and_then(|note| note.photo.clone());
    let none = || Problem::not_found(format!("note {place} has no photo"));
    let (name, store) = (name.ok_or_else(none)?, desk.office.store().clone());
    let read = tokio::task::spawn_blocking(move || store.file(&name)).await;
    let ended = |_| Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the program is ending");
    let bytes = read.map_err(ended)?.map_err(OfficeError::from)?;
    let bytes = bytes.ok_or_else(none)?;
    let kind = photo::kind(&bytes).ok_or_else(none)?;
    let heads = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("x-content-type-options"), "nosniff"),
    ];
    Ok((heads, bytes).into_response())
}

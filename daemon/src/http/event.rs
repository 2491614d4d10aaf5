//! The event as JSON: what is said of it, who plays, how far its rounds are.

use std::collections::{BTreeMap, BTreeSet};

use access::Right;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json as value};
use tournament::{Act, Details, GivenTime, Halt, Penalty, Player, Round, Stage, Tournament};

use super::author::By;
use super::problem::Problem;
use super::routes::{Routes, json};
use super::tables::unfollowed;
use super::{Desk, REFUSED};
use crate::hub;
use crate::office::{BoardMove, Book, OfficeError, check_details};
use crate::people::Visitor;
use crate::reason::Reason;

/// The event at hand.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Event")]
pub(super) struct Document {
    /// Which of the store's events it is, from 1.
    number: usize,
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
    /// How the tables stand in the hall, in rows: `1-10 / 20-11`; empty where nobody has said.
    layout: String,
    /// When games were stopped at many tables at once, and went on.
    halts: Vec<Halt>,
    /// Time that arbiters gave both players of a table.
    times: Vec<GivenTime>,
    /// Which boards came to tables at which games went on: these games were stopped.
    board_moves: Vec<BoardMove>,
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
    /// The tables whose game is postponed.
    postponed: Vec<u16>,
    /// The tables at which somebody played before the round was started: not followed as the game
    /// of the pairing, which waits.
    begun_early: Vec<u16>,
    /// The tables at which somebody plays only since then, in a game that did not begin with the
    /// pieces of the pairing's: not followed as that, which waits.
    begun_unset: Vec<u16>,
}

impl Document {
    /// The event at hand.
    pub(super) fn of(desk: &Desk) -> Document {
        let book = desk.office.book();
        let mut document = Document::numbered(&book, &book.event, book.number());
        if let Some((number, tables)) = unfollowed(desk, &book.with_boards())
            && let Some(round) = document.rounds.iter_mut().find(|r| r.round == number)
        {
            (round.begun_early, round.begun_unset) = (tables.early, tables.unset);
        }
        document
    }

    fn numbered(book: &Book, event: &Tournament, number: usize) -> Document {
        let summary = |(number, round): (&u16, &Round)| Summary {
            round: *number,
            date: round.date.clone(),
            stage: round.stage,
            games: round.pairings.iter().filter(|p| !p.is_bye()).count(),
            open: event.open_tables(*number),
            postponed: event.postponed(*number),
            begun_early: Vec::new(),
            begun_unset: Vec::new(),
        };
        Document {
            number,
            acts: book.acts,
            open: !event.is_unopened() && !event.closed,
            damage: book.damage.clone(),
            details: event.described(),
            players: event.players.values().cloned().collect(),
            rounds: event.rounds.iter().map(summary).collect(),
            penalties: event.penalties.clone(),
            shortened: event.shortened.clone(),
            layout: event.layout.clone(),
            halts: event.halts.clone(),
            times: event.times.clone(),
            board_moves: book.board_moves(number).to_vec(),
            past: book
                .past
                .iter()
                .map(|past| past.details.name.clone())
                .collect(),
        }
    }
}

/// How an event is closed.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Closing {
    /// Also where rounds are still to be played.
    #[serde(default)]
    anyway: bool,
}

pub(super) fn routes(routes: Routes) -> Routes {
    let details = value!({ "name": "Harbour Open", "time_control": "5400+30", "rounds": 9 });
    routes
        .get("/api/event", one, "The event: players, rounds, penalties")
        .about("The one at hand, or with `?event=1` another of the store by its number.")
        .gives("The event", json::<Document>())
        .refuses([StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND])
        .get(
            "/api/event/seal",
            seal,
            "The checksum of all that people have done, as `arbiterd verify` says it",
        )
        .gives("As it is now", json::<Seal>())
        .refuses([StatusCode::SERVICE_UNAVAILABLE])
        .get("/api/events", all, "Every event of the store")
        .about("Those that are over can still be shown and given out, by their numbers.")
        .gives("The oldest first", json::<Vec<Entry>>())
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
        .about("What is left out stays as it is by then.")
        .reads::<Details>("event", details)
        .gives("It is written down", json::<Document>())
        .refuses(REFUSED)
        .post(
            "/api/event/close",
            close,
            "Close the event: nothing is changed after that, and it is never opened again",
        )
        .about(
            "Refused with what is left of it: games without a result, rounds that are not played; \
             `{\"anyway\": true}` closes it beside rounds that nobody has started.",
        )
        .may_read::<Closing>("beside what is not played", value!({ "anyway": true }))
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
            "/api/event/layout",
            lay_out,
            "Say how the tables stand in the hall",
        )
        .about("In rows, each from left to right. It is the hall's: it stays for the next event.")
        .reads::<Layout>("rows", value!({ "rows": "1-10 / 20-11" }))
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

/// How the tables stand in the hall.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Layout {
    /// The rows, with `/` or a line's end between them; empty: nobody says.
    rows: String,
}

async fn lay_out(
    State(desk): State<Desk>,
    By(author): By,
    body: Body<Layout>,
) -> Result<Json<Document>, Problem> {
    let Json(Layout { rows: layout }) = body?;
    let mut known = BTreeSet::new();
    let tables = tournament::rows(&layout).unwrap_or_default();
    let mut again = tables
        .concat()
        .into_iter()
        .filter(|table| !known.insert(*table));
    if let Some(table) = again.next() {
        let what = format!("table {table} stands in the layout twice");
        let reason = Reason::new("laid-out-twice", what).with("table", table);
        return Err(OfficeError::unfit(reason).into());
    }
    done(&desk, &author, Act::LayOut { layout }).await
}

async fn one(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    which: Which,
) -> Result<Json<Document>, Problem> {
    let which = of_event(which)?;
    let book = desk.office.book();
    let is_at_hand = which.is_none_or(|which| which == book.number());
    if is_at_hand && visitor.may(Right::Findings, None) {
        return Ok(Json(Document::of(&desk)));
    }
    let number = which.unwrap_or(book.number());
    let event = book.nth(Some(number))?;
    Ok(Json(Document::numbered(&book, event, number)))
}

/// What stands for all acts of the store.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ActsSeal")]
pub(super) struct Seal {
    /// How many there are, those of accounts, boards and incidents among them.
    acts: usize,
    /// The checksum of the last, in hexadecimal digits: it stands for all of them. Empty where
    /// there are none.
    sum: String,
}

async fn seal(State(desk): State<Desk>) -> Result<Json<Seal>, Problem> {
    let store = desk.office.store().clone();
    // All acts are read: not on the thread that the boards share.
    let read = tokio::task::spawn_blocking(move || store.deeds()).await;
    let ended = |_| Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the program is ending");
    let deeds = read.map_err(ended)?.map_err(OfficeError::from)?;
    Ok(Json(Seal {
        acts: deeds.sound.len(),
        sum: deeds.head,
    }))
}

async fn all(State(desk): State<Desk>) -> Json<Vec<Entry>> {
    let book = desk.office.book();
    let events = book.past.iter().chain([&book.event]);
    Json((1..).zip(events).map(Entry::of).collect())
}

/// An event of the store.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "EventEntry")]
pub(super) struct Entry {
    /// Its number, from 1, as they were opened.
    number: usize,
    /// Its name.
    name: String,
    /// The first day.
    start: String,
    /// The last day.
    end: String,
    /// How many players it has.
    players: usize,
    /// The numbers of its rounds that are drawn.
    rounds: Vec<u16>,
    /// It is over.
    closed: bool,
}

impl Entry {
    fn of((number, event): (usize, &Tournament)) -> Entry {
        let Details {
            name, start, end, ..
        } = event.described();
        Entry {
            number,
            name,
            start,
            end,
            players: event.players.len(),
            rounds: event.rounds.keys().copied().collect(),
            closed: event.closed,
        }
    }
}

/// Which event is meant: by its number, or the one at hand.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Of {
    event: Option<usize>,
}

pub(super) type Which = Result<Query<Of>, QueryRejection>;

/// The number of the event that is meant.
pub(super) fn of_event(which: Which) -> Result<Option<usize>, Problem> {
    let wrong = |error: QueryRejection| Problem::new(error.status(), error.body_text());
    Ok(which.map_err(wrong)?.event)
}

type Body<T> = Result<Json<T>, JsonRejection>;

async fn open(
    State(desk): State<Desk>,
    By(author): By,
    body: Body<Details>,
) -> Result<Json<Document>, Problem> {
    let Json(details) = body?;
    check_details(&details)?;
    has_name(&details)?;
    done(&desk, &author, Act::Open { details }).await
}

pub(super) fn reason_missing() -> OfficeError {
    OfficeError::unfit(Reason::new("reason-missing", "the reason is missing"))
}

fn has_name(details: &Details) -> Result<(), OfficeError> {
    match details.name.trim().is_empty() {
        true => Err(OfficeError::Bad("an event has a name".to_owned())),
        false => Ok(()),
    }
}

async fn describe(
    State(desk): State<Desk>,
    By(author): By,
    body: Body<Map<String, Value>>,
) -> Result<Json<Document>, Problem> {
    let Json(said) = body?;
    // Whoever describes something else of it meanwhile is not undone: it is merged anew.
    loop {
        let book = desk.office.book();
        let was = book.event.details.clone();
        let act = described(&desk, &book, said.clone())?;
        let mut is_as_it_was = true;
        let may = |held: &Book| {
            is_as_it_was = held.event.details == was;
            match is_as_it_was {
                true => Ok(()),
                false => Err(OfficeError::Bad("it was described anew".to_owned())),
            }
        };
        match desk.office.act_if(&author, &[act], may).await {
            Err(_) if !is_as_it_was => {}
            done => {
                done?;
                return Ok(Json(Document::of(&desk)));
            }
        }
    }
}

/// What is said of the event, merged with what is known of it.
fn described(desk: &Desk, book: &Book, said: Map<String, Value>) -> Result<Act, Problem> {
    let details = with(&book.event.details, said)?;
    check_details(&details)?;
    if !book.event.details.name.is_empty() {
        has_name(&details)?;
    }
    let drawn = book.event.rounds.keys().next_back().copied();
    let is_played = drawn.is_some() && desk.event.as_ref().is_some_and(hub::Event::is_dealt);
    let name = &book.event.described().name;
    let is_renamed = ![name, &book.event.details.name].contains(&&details.name);
    if is_played && is_renamed {
        let what = format!("the halls know this event as `{name}`: it keeps that name");
        let reason = Reason::new("name-of-halls", what).with("event", name);
        return Err(Problem::refused(reason));
    }
    if book.event.part_of.is_some() && is_renamed {
        let what = format!("this event is named at its hub: it is called `{name}` here as well");
        let reason = Reason::new("named-at-hub", what).with("event", name);
        return Err(Problem::refused(reason));
    }
    if let Some((rounds, drawn)) = details.rounds.zip(drawn).filter(|(all, drawn)| all < drawn) {
        let what = format!("the event has {drawn} rounds already: it cannot have {rounds}");
        return Err(OfficeError::Bad(what).into());
    }
    Ok(Act::Describe { details })
}

/// The same, where this is said of it: what somebody says of one thing, perhaps late, undoes
/// nothing that another has said of the rest.
fn with(details: &Details, said: Map<String, Value>) -> Result<Details, Problem> {
    let unfit = |error: serde_json::Error| {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
    };
    let mut all = serde_json::to_value(details).map_err(unfit)?;
    if let Value::Object(kept) = &mut all {
        kept.extend(said);
    }
    serde_json::from_value(all).map_err(unfit)
}

async fn close(
    State(desk): State<Desk>,
    By(author): By,
    body: Result<Option<Json<Closing>>, JsonRejection>,
) -> Result<Json<Document>, Problem> {
    let Closing { anyway } = body?.map(|Json(closing)| closing).unwrap_or_default();
    if !anyway {
        if let Some(event) = desk.event.as_ref().filter(|event| event.is_dealt()) {
            event.settled().await;
            event.may_close()?;
        }
        is_played(&desk.office.book().event)?;
    }
    let acts = last_described(&desk.office.book().event);
    let acts: Vec<Act> = acts.into_iter().chain([Act::Close]).collect();
    desk.office.act(&author, &acts).await?;
    Ok(Json(Document::of(&desk)))
}

/// An event that is closed keeps the name that it has by then: none can be said of it any more, and
/// the configuration may have that of the next one. A part has that of the hub's event.
fn last_described(event: &Tournament) -> Option<Act> {
    let details = event.described();
    let may_be = !event.closed && !event.is_unopened() && event.part_of.is_none();
    (may_be && details != event.details).then_some(Act::Describe { details })
}

/// Refuses to close an event of which a round is still to be played: nobody can open it again.
fn is_played(event: &Tournament) -> Result<(), Problem> {
    if event.closed || event.under_way().is_some() || !event.unfinished().is_empty() {
        // That cannot be, whoever insists, and it is said why.
        return Ok(());
    }
    let how =
        "it can never be opened again (`arbiterd event close --anyway` closes it all the same)";
    let left = event.not_played();
    if !left.is_empty() {
        let tables = left.iter().map(|(round, table)| format!("{round}.{table}"));
        let tables = tables.collect::<Vec<_>>().join(", ");
        let error = format!("rounds are drawn and not played, tables {tables}: closed, {how}");
        return Err(Problem::refused(
            Reason::new("not-played-yet", error).with("tables", tables),
        ));
    }
    let played = event.rounds.len();
    match event.details.rounds.map(usize::from) {
        Some(rounds) if (1..rounds).contains(&played) => {
            let error = format!("{played} of {rounds} rounds are played: closed, {how}");
            let reason = Reason::new("rounds-to-come", error).with("played", played);
            Err(Problem::refused(reason.with("rounds", rounds)))
        }
        _ => Ok(()),
    }
}

async fn done(
    desk: &Desk,
    author: &crate::store::Author,
    act: Act,
) -> Result<Json<Document>, Problem> {
    desk.office.act(author, &[act]).await?;
    Ok(Json(Document::of(desk)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_that_is_closed_keeps_its_name() {
        let mut event = Tournament {
            configured: ["Harbour Open", "Hull"].map(str::to_owned),
            ..Tournament::default()
        };
        assert_eq!(last_described(&event), None, "nothing was opened");
        event.details.site = "Leith".to_owned();
        let details = Details {
            name: "Harbour Open".to_owned(),
            ..event.details.clone()
        };
        let described = Act::Describe { details };
        assert_eq!(last_described(&event), Some(described.clone()));
        event.apply(&described).unwrap();
        assert_eq!(last_described(&event), None, "it is said already");
        event.details.name.clear();
        event.part_of = Some("hub".to_owned());
        assert_eq!(last_described(&event), None, "its hub names it");
    }
}

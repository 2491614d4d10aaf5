//! A round as JSON: who plays whom where, how it stands, what is open; its start and its end.

use access::Right;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use jiff::{Span, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tournament::{Act, ByeScore, MatchScore, Pairing, Points, ResultCode, Stage, Tournament};

use super::author::By;
use super::event::{self, Which, number, of_event};
use super::meanwhile::stands;
use super::ordered::AtHub;
use super::part::may_draw;
use super::problem::Problem;
use super::routes::{Routes, json, text};
use super::seats::Seats;
use super::undisputed::{PassedOver, disputed_in_halls, resting_on_dismissed, undeclared};
use super::{Desk, REFUSED};
use crate::hub::Event;
use crate::office::{self, Book, Form, Minors};
use crate::people::Visitor;

/// A round.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Round")]
pub(super) struct Document {
    /// Its number.
    round: u16,
    /// Its day.
    date: String,
    /// How far it is.
    stage: Stage,
    /// When it was started, in RFC 3339; empty where it was not.
    started: String,
    /// When who is not there has lost (Article 6.7.1), in RFC 3339, where the event has a default
    /// time.
    default_at: Option<String>,
    /// By table; byes at the end.
    pairings: Vec<Seats>,
    /// The tables at which nothing has begun.
    waiting: Vec<u16>,
    /// The tables at which somebody played before the round was started: not followed as the game
    /// of the pairing, which waits.
    begun_early: Vec<u16>,
    /// The tables at which somebody plays only since then, in a game that did not begin with the
    /// pieces of the pairing's: not followed as that, which waits.
    begun_unset: Vec<u16>,
    /// The tables without a confirmed result: the round cannot be closed.
    open: Vec<u16>,
    /// The tables whose game is postponed: the round can be closed beside them.
    postponed: Vec<u16>,
    /// The tables whose game has a finding, a doubt or a question that nobody has ruled on; `null`
    /// for those who are shown none, and of events that are over (`/api/unruled` has them).
    unruled: Option<Vec<u16>>,
    /// The tables with a loss that an arbiter has declared, and that may rest on a finding that was
    /// dismissed since; `null` as `unruled` is.
    rests_on_dismissed: Option<Vec<u16>>,
    /// The tables with a result that their board shows and only the arbiter can declare: it is
    /// confirmed by itself, and not with all others; `null` as `unruled` is.
    undeclared: Option<Vec<u16>>,
    /// The tables whose game is stopped, as after its board was changed: what is handled there is
    /// nobody's move until the arbiter lets it go on.
    stopped: Vec<u16>,
    /// The tables without a confirmed result, of a round under way, whose board or its line has a
    /// fault.
    faults: Vec<Faulty>,
    /// The matches of teams.
    matches: Vec<Match>,
    /// What teams have that play nobody.
    team_byes: Vec<Bye>,
    /// What was passed over of the scoresheet that was typed: comments, variations and the like;
    /// left out where nothing was.
    #[serde(skip_serializing_if = "String::is_empty")]
    left_out: String,
    /// Results that were not confirmed when all undisputed ones were; left out where there are
    /// none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    passed_over: Vec<PassedOver>,
}

/// What is wrong at a table.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FaultAtTable")]
struct Faulty {
    /// The table.
    table: u16,
    /// What is wrong with its board or the line, in words.
    fault: String,
}

/// How a match of two teams stands.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TeamMatch")]
struct Match {
    /// The two teams; the first has White at the first board.
    teams: [Side; 2],
    /// The points of its games as far as they are settled.
    game_points: [Points; 2],
    /// The match points, once every game is settled.
    match_points: Option<[Points; 2]>,
    /// The boards of the match whose game is not settled, from 1.
    open: Vec<u16>,
}

/// What a team has for a round in which it plays nobody.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TeamBye")]
struct Bye {
    /// The team.
    team: Side,
    /// `F`, `H`, `Z`, or `U` where the pairing gave it.
    code: ResultCode,
    /// Its game points.
    game_points: Points,
    /// Its match points.
    match_points: Points,
}

impl Bye {
    fn of(event: &Tournament, score: ByeScore) -> Bye {
        Bye {
            team: Side::of(event, score.team),
            code: score.code,
            game_points: score.game_points,
            match_points: score.match_points,
        }
    }
}

/// A team in a match.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TeamInMatch")]
struct Side {
    /// Its number.
    number: u16,
    /// Its name.
    name: String,
}

impl Side {
    fn of(event: &Tournament, number: u16) -> Side {
        let team = event.teams.get(&number);
        let name = team.map(|team| team.name.clone()).unwrap_or_default();
        Side { number, name }
    }
}

impl Match {
    fn of(event: &Tournament, score: MatchScore) -> Match {
        Match {
            teams: score.teams.map(|number| Side::of(event, number)),
            game_points: score.game_points,
            match_points: score.match_points,
            open: score.open,
        }
    }
}

impl Document {
    /// A round as it stands.
    pub(super) async fn of(desk: &Desk, number: u16) -> Result<Document, Problem> {
        let faults = faulty(desk, number);
        let [mut unruled, stopped] = super::unruled::tables(desk, number).await?;
        unruled.extend(disputed_in_halls(desk, number).await?);
        let book = desk.office.book();
        let unfollowed = super::tables::unfollowed(desk, &book.with_boards());
        let unfollowed = unfollowed.filter(|(next, _)| *next == number);
        let (_, unfollowed) = unfollowed.unwrap_or_default();
        let mut told = Document::told(&book, None, number)?.with_givers(&book, book.number());
        if let Some(event) = &desk.event {
            // What has begun in a hall nobody is missing at.
            let begun = event.begun(number);
            told.waiting.retain(|table| !begun.contains(table));
            let mut places = event.in_halls(&book.event, number);
            for seats in &mut told.pairings {
                seats.in_hall = seats.table.and_then(|table| places.remove(&table));
            }
        }
        Ok(Document {
            unruled: Some(unruled),
            rests_on_dismissed: Some(resting_on_dismissed(desk, number).await?),
            undeclared: Some(undeclared(desk, number).await?),
            stopped,
            faults,
            begun_early: unfollowed.early,
            begun_unset: unfollowed.unset,
            ..told
        })
    }

    /// The same for whoever asks: who may not see findings is told what the event says of it.
    pub(super) async fn shown_to(
        visitor: &Visitor,
        desk: &Desk,
        number: u16,
    ) -> Result<Document, Problem> {
        match visitor.may(Right::Findings, None) {
            true => Document::of(desk, number).await,
            false => Document::told(&desk.office.book(), None, number),
        }
    }

    /// What an event says of it.
    fn told(book: &Book, of: Option<usize>, number: u16) -> Result<Document, Problem> {
        let event = match of.is_none_or(|of| of == book.number()) {
            true => book.with_boards(),
            false => book.nth(of)?.clone(),
        };
        let round = event.rounds.get(&number);
        let round = round.ok_or(tournament::Refusal::NoRound(number))?;
        let started = round.started.parse::<Timestamp>().ok();
        let minutes = event.details.default_time;
        let default_at = started.zip(minutes).and_then(|(started, minutes)| {
            let span = Span::new().minutes(i64::from(minutes));
            started.checked_add(span).ok()
        });
        let numbered = of.unwrap_or(book.number());
        let seats = round.pairings.iter().map(|pairing| {
            let seats = Seats::of(&event, pairing);
            let seat = pairing.table.map(|table| (number, table));
            let upon = seat.map(|seat| stands(book, numbered, seat, seats.result.as_deref()));
            Seats {
                upon: upon.unwrap_or_default(),
                ..seats
            }
        });
        let scores = event.match_scores(number)?.into_iter();
        let byes = event.bye_scores(number)?.into_iter();
        Ok(Document {
            round: number,
            date: round.date.clone(),
            stage: round.stage,
            started: round.started.clone(),
            default_at: default_at.map(|moment| moment.to_string()),
            pairings: seats.collect(),
            waiting: event.not_begun(number),
            begun_early: Vec::new(),
            begun_unset: Vec::new(),
            open: event.open_tables(number),
            postponed: event.postponed(number),
            unruled: None,
            rests_on_dismissed: None,
            undeclared: None,
            stopped: Vec::new(),
            faults: Vec::new(),
            matches: scores.map(|score| Match::of(&event, score)).collect(),
            team_byes: byes.map(|score| Bye::of(&event, score)).collect(),
            left_out: String::new(),
            passed_over: Vec::new(),
        })
    }

    /// With who has given the results.
    fn with_givers(mut self, book: &Book, event: usize) -> Document {
        for seats in &mut self.pairings {
            let Some(table) = seats.table else { continue };
            seats.by = book.giver(event, (self.round, table)).to_owned();
        }
        self
    }

    /// With the results that were not confirmed.
    pub(super) fn but(self, passed_over: Vec<PassedOver>) -> Document {
        Document {
            passed_over,
            ..self
        }
    }

    /// With what was passed over of a scoresheet.
    pub(super) fn without(self, left_out: String) -> Document {
        Document { left_out, ..self }
    }
}

/// The faults of the boards on which the round under way is still played.
fn faulty(desk: &Desk, number: u16) -> Vec<Faulty> {
    let event = desk.office.book().with_boards();
    let round = event.rounds.get(&number);
    let round = round.filter(|round| round.stage == Stage::UnderWay);
    let pairings = round.map_or(&[][..], |round| &round.pairings).iter();
    let fault = |pairing: &Pairing| {
        let table = pairing.table?;
        let board = desk.hall.board(event.boards.get(&table)?)?;
        let fault = board.fault.clone()?;
        Some(Faulty { table, fault })
    };
    let open = pairings.filter(|pairing| !pairing.is_settled() && !pairing.is_postponed());
    open.filter_map(fault).collect()
}

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .get(
            "/api/rounds/{round}",
            one,
            "A round: who plays whom where, and how it stands",
        )
        .about("Of the event at hand, or with `?event=1` of another of the store.")
        .gives("The round", json::<Document>())
        .refuses([StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND])
        .post(
            "/api/rounds/{round}/start",
            start,
            "Start a round at all tables",
        )
        .about("Games that begin on boards from now on are its games.")
        .gives("It is written down", json::<Document>())
        .refuses([StatusCode::BAD_REQUEST])
        .refuses(REFUSED)
        .post("/api/rounds/{round}/close", close, "Close a round")
        .about(
            "Refused with the list of the tables without a confirmed result, where there are; \
             postponed games are none of them.",
        )
        .gives("It is written down", json::<Document>())
        .refuses([StatusCode::BAD_REQUEST])
        .refuses(REFUSED)
        .post(
            "/api/rounds/{round}/undraw",
            undraw,
            "Take a round back that was drawn by mistake",
        )
        .about(
            "Refused once anybody has played in it, or something was said of it: a result, moves, \
             a postponement, a penalty, a note, a break. Players whom its file has entered stay.",
        )
        .gives("It is written down", json::<event::Document>())
        .refuses([StatusCode::BAD_REQUEST])
        .refuses(REFUSED)
        .get(
            "/api/rounds/{round}/export",
            export,
            "The results of a round as a file",
        )
        .about(
            "`?format=trf` (the report file that was loaded, with the results filled in and every \
             other byte as it was; tables whose pairing was changed since, and was put right in \
             it, stand in the header `x-redrawn`, players of whom it had another result in \
             `x-altered`, those who were added to it in `x-added`, games up to this round that \
             have no result in `x-open`; its encoding in `x-recoded`, where that has no sign for \
             a name: the file is in UTF-8 then), `pgn`, \
             `csv`, or `res` (for Vega; tables whose \
             result it has no number for stand in the header `x-left-out`). What nobody has \
             confirmed is left blank, or out. In `pgn` and `csv` the names of minors are \
             shortened, where the daemon is configured so (or `&minors_under=18` says so), and of \
             players who are marked; not with `&full_names=true`. `&event=1` is another event of \
             the store.",
        )
        .gives("The file", text("text/plain"))
        .refuses([StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND])
        .refuses([
            StatusCode::UNPROCESSABLE_ENTITY,
            StatusCode::SERVICE_UNAVAILABLE,
        ])
}

type Place = Result<Path<String>, PathRejection>;

async fn one(
    State(desk): State<Desk>,
    Extension(visitor): Extension<Visitor>,
    round: Place,
    which: Which,
) -> Result<Json<Document>, Problem> {
    let (round, of) = (number(&round?, "round")?, of_event(which)?);
    let book = desk.office.book();
    let is_at_hand = of.is_none_or(|of| of == book.number());
    let told = match visitor.may(Right::Findings, None) {
        _ if is_at_hand => Document::shown_to(&visitor, &desk, round).await?,
        true => {
            let event = of.unwrap_or(book.number());
            Document::told(&book, of, round)?.with_givers(&book, event)
        }
        false => Document::told(&book, of, round)?,
    };
    Ok(Json(told))
}

async fn start(
    State(desk): State<Desk>,
    By(author): By,
    round: Place,
) -> Result<Json<Document>, Problem> {
    let round = number(&round?, "round")?;
    // A hall in which a table has begun otherwise would not start it.
    let may_start = |event: &Event| event.may_start(round);
    desk.event.as_ref().map_or(Ok(()), may_start)?;
    let at = Timestamp::now().to_string();
    let start = [Act::StartRound { round, at }];
    desk.office.act(&author, &start).await?;
    Document::of(&desk, round).await.map(Json)
}

async fn close(
    State(desk): State<Desk>,
    By(author): By,
    round: Place,
) -> Result<Json<Document>, Problem> {
    let round = number(&round?, "round")?;
    let as_played = |event: &Event| event.is_as_played(round);
    desk.event.as_ref().map_or(Ok(()), as_played)?;
    let close = [Act::CloseRound { round }];
    desk.office.act(&author, &close).await?;
    Document::of(&desk, round).await.map(Json)
}

async fn undraw(
    State(desk): State<Desk>,
    By(author): By,
    by_hub: Option<Extension<AtHub>>,
    round: Place,
) -> Result<Json<event::Document>, Problem> {
    let round = number(&round?, "round")?;
    if !by_hub.is_some_and(|by| by.is_deal) {
        may_draw(&desk)?;
    }
    let begun = desk.event.as_ref().map(|event| event.begun(round));
    let tables: Vec<u16> = begun.unwrap_or_default().into_iter().collect();
    if !tables.is_empty() {
        let said = None;
        return Err(tournament::Refusal::Used {
            round,
            tables,
            said,
        }
        .into());
    }
    if let Some(event) = &desk.event {
        event.settled().await;
        event.may_be_undrawn(round)?;
    }
    desk.office.act(&author, &[Act::Undraw { round }]).await?;
    Ok(Json(event::Document::of(&desk)))
}

/// In which form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    format: Named,
    /// Whole names, of minors too.
    #[serde(default)]
    full_names: bool,
    /// Who is a minor; left out: as the daemon is configured.
    minors_under: Option<u8>,
    /// Which event; left out: the one at hand.
    event: Option<usize>,
}

/// Forms by name.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Named {
    Trf,
    Pgn,
    Csv,
    Res,
}

/// The tables whose result an exported file has no sign for, with commas between.
pub(super) const LEFT_OUT: &str = "x-left-out";
/// The tables, such as `3.12`, that the loaded report file paired otherwise, with commas between.
pub(super) const REDRAWN: &str = "x-redrawn";
/// Players whom the loaded report file did not have, with commas between.
pub(super) const ADDED: &str = "x-added";
/// Those of them whose names were longer than a report file has room for.
pub(super) const CUT: &str = "x-cut";
/// Round and player, such as `1.3`, of whom the loaded report file had another result.
pub(super) const ALTERED: &str = "x-altered";
/// Round and table, such as `1.3`, of the games that are left blank in a report file.
pub(super) const OPEN: &str = "x-open";
/// The encoding of the loaded report file, where the exported one is in UTF-8 instead.
pub(super) const RECODED: &str = "x-recoded";

async fn export(
    State(desk): State<Desk>,
    round: Place,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Response, Problem> {
    let round = number(&round?, "round")?;
    let wrong = |error: QueryRejection| Problem::new(error.status(), error.body_text());
    let Query(Wanted {
        format,
        full_names,
        minors_under,
        event,
    }) = wanted.map_err(wrong)?;
    let (form, kind, end) = match format {
        Named::Trf => (Form::Trf, "text/plain", "trf"),
        Named::Pgn => (Form::Pgn, super::games::PGN, "pgn"),
        Named::Csv => (Form::Csv, "text/csv; charset=utf-8", "csv"),
        Named::Res => (Form::Res, "text/plain", "res"),
    };
    let (office, hub) = (desk.office.clone(), desk.event.clone());
    // Games are read and judged anew: not on the thread that the boards share.
    let work = move || {
        let book = office.book();
        let minors = match (full_names, minors_under) {
            (true, _) => Minors::default(),
            (false, Some(under)) => Minors::of(Some(under), &book),
            (false, None) => office.minors().clone(),
        };
        let event = book.nth(event)?;
        let store = office.store();
        match &hub {
            Some(hub) => office::round_of((event, round), form, store, &minors, &|table| {
                hub.page(event, (round, table))
            }),
            None => office::round(event, round, form, store, &minors),
        }
    };
    let given = tokio::task::spawn_blocking(work).await.map_err(|_| {
        Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "the round could not be written",
        )
    })??;
    let name = format!("attachment; filename=\"round-{round}.{end}\"");
    let numbers = |list: &[u16]| -> Vec<String> { list.iter().map(u16::to_string).collect() };
    let of_rounds = |list: &[(u16, u16)]| -> Vec<String> {
        let list = list.iter();
        list.map(|(round, number)| format!("{round}.{number}"))
            .collect()
    };
    let kinds = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    let mut answer = (kinds, given.bytes).into_response();
    for (name, list) in [
        (LEFT_OUT, numbers(&given.left_out)),
        (REDRAWN, of_rounds(&given.redrawn)),
        (ADDED, numbers(&given.added)),
        (CUT, numbers(&given.cut)),
        (ALTERED, of_rounds(&given.altered)),
        (OPEN, of_rounds(&given.open)),
        (RECODED, given.recoded.into_iter().collect()),
    ] {
        if let (false, Ok(list)) = (list.is_empty(), list.join(",").parse()) {
            answer.headers_mut().insert(name, list);
        }
    }
    Ok(answer)
}

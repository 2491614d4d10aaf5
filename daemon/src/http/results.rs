//! Results: entered, confirmed, withdrawn; and moves typed from the scoresheets.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use access::Right;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{self, Deserializer, Error, MapAccess};
use serde_json::json as value;
use tournament::{Act, How, ResultCode};

use super::author::By;
use super::event::{Which, number, of_event};
use super::guard::have;
use super::meanwhile::{Upon, is_upon};
use super::problem::Problem;
use super::rounds::Document;
use super::routes::{Routes, json};
use super::tables::{may_be_forfeited, played_unset};
use super::undisputed::{none_disputed, undisputed};
use super::{Desk, REFUSED};
use crate::office::{self, Book, Office, OfficeError, ResultSaid, Shown, Wanted, legible};
use crate::people::Visitor;
use crate::reason::Reason;
use crate::store::{Author, Game};

/// Results that a person says.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Entered {
    /// By table, each once: `1-0`, `0-1`, `1/2-1/2`; sides that do not add up to a point, `0-0`,
    /// `1/2-0`, `0-1/2`; by forfeit `+/-`, `-/+`, `-/-`.
    #[serde(deserialize_with = "each_once")]
    results: BTreeMap<u16, String>,
    /// The arbiter has decided so; else it is what the scoresheets say.
    #[serde(default)]
    decided: bool,
    /// Why; asked for where a confirmed result is changed, where another is shown by the moves, and
    /// for a forfeit of a game with moves.
    #[serde(default)]
    reason: String,
    /// Only of tables that have no confirmed one: that stays as it is.
    #[serde(default)]
    open_only: bool,
    /// Only of games that have not begun: where one has, nothing is entered.
    #[serde(default)]
    not_begun: bool,
    /// What stood at tables when it was decided, as a round shows it (`upon`). Left out: whatever
    /// is so now.
    #[serde(default)]
    upon: Upon,
}

/// Results that a person confirms.
#[derive(Deserialize, JsonSchema, Default)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Confirmed {
    /// The tables. Left out: all whose result is proposed, with nothing of their game left to be
    /// ruled on, and none that only the arbiter can declare.
    tables: Option<Vec<u16>>,
    /// What stood at tables when it was decided, as a round shows it (`upon`). Left out: whatever
    /// is so now.
    upon: Upon,
    /// Nobody disputed them when it was decided: refused where something of a game is left to be
    /// ruled on by now.
    undisputed: bool,
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
    /// What stood at tables when it was decided, as a round shows it (`upon`). Left out: whatever
    /// is so now.
    #[serde(default)]
    upon: Upon,
}

/// Moves from the scoresheets.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Sheet {
    /// The table.
    table: u16,
    /// They follow on so many half-moves that the board has seen. Left out where it has seen none.
    #[serde(default)]
    after: Option<u16>,
    /// In algebraic notation, with or without numbers: `1. e4 e5 2. Nf3`, or as a PGN of one game.
    /// A result behind the last move is the table's, where it has none yet.
    moves: String,
    /// Why; asked for where they take the place of what a board has surely seen, or follows.
    #[serde(default)]
    reason: String,
}

/// Of two results for one table nobody knows which is meant.
fn each_once<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<u16, String>, D::Error> {
    struct EachOnce;
    impl<'de> de::Visitor<'de> for EachOnce {
        type Value = BTreeMap<u16, String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a map from tables to results")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut results = BTreeMap::new();
            while let Some((table, result)) = map.next_entry()? {
                if results.insert(table, result).is_some() {
                    return Err(A::Error::custom(format!("table {table} is there twice")));
                }
            }
            Ok(results)
        }
    }
    from.deserialize_map(EachOnce)
}

pub(super) fn routes(routes: Routes) -> Routes {
    let order = |routes: Routes| {
        routes
            .gives("It is written down", json::<Document>())
            .refuses([StatusCode::BAD_REQUEST])
            .refuses(REFUSED)
    };
    let routes = routes
        .get(
            "/api/rounds/{round}/results",
            said,
            "What people have said of the results of a round",
        )
        .about("In its order. Of the event at hand, or with `?event=1` of another of the store.")
        .gives(
            "By whom, when, instead of what, and why",
            json::<Vec<ResultSaid>>(),
        )
        .refuses([StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND])
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
        .about(
            "Without tables all that boards propose and nobody disputes; the others that have a \
            result stand in `passed_over`, with the reason.",
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
            "Of a table without a board, or of one whose board has failed, from the last sure \
            half-move on. What takes the place of more than that, or of what a board follows, has \
            a reason, and is of who may confirm results; the PGN says what the board saw. They \
            are legal, and the PGN says that they were typed. A result behind the last move is \
            entered where the table has none; one that is another than the table's is refused.",
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

async fn said(
    State(desk): State<Desk>,
    round: Place,
    which: Which,
) -> Result<Json<Vec<ResultSaid>>, Problem> {
    let round = number(&round?, "round")?;
    let (book, wanted) = (desk.office.book(), of_event(which)?);
    if !book.nth(wanted)?.rounds.contains_key(&round) {
        return Err(tournament::Refusal::NoRound(round).into());
    }
    let event = wanted.unwrap_or(book.number());
    Ok(Json(book.results_said(event, round).to_vec()))
}

async fn enter(
    State(desk): State<Desk>,
    By(author): By,
    Extension(visitor): Extension<Visitor>,
    round: Place,
    body: Body<Entered>,
) -> Done {
    let round = number(&round?, "round")?;
    let Json(entered) = body?;
    legible(&[("the reason", &entered.reason)])?;
    let act = |(table, text): (u16, String)| {
        let codes = ResultCode::both(&text).ok_or_else(|| {
            let told = ResultCode::not_both(&text);
            OfficeError::Bad(format!("table {table}: {told}"))
        })?;
        let how = how(codes, entered.decided);
        let may = entered.decided || may_confirm(&visitor, table);
        let reason = entered.reason.clone();
        Ok(entered_as((round, table), codes, how, reason, may))
    };
    let acts: Result<Vec<Act>, OfficeError> = entered.results.into_iter().map(act).collect();
    let mut acts = acts?;
    if entered.open_only {
        let book = desk.office.book();
        acts.retain(|act| !has_result(&book, act));
    }
    let (office, said) = (desk.office.clone(), acts.clone());
    let begun = desk.event.as_ref().map(|event| event.begun(round));
    let begun = begun.unwrap_or_default();
    let moved = played_unset(&desk, round);
    let check = move || {
        said.iter().try_for_each(|act| {
            may_be_forfeited(act, &moved, entered.not_begun)?;
            fits_moves(&office, act, &begun, entered.not_begun)
        })
    };
    read_store(check).await?;
    may_all(&visitor, &acts)?;
    let is_open = |book: &Book| match entered.open_only && acts.iter().any(|a| has_result(book, a))
    {
        true => Err(OfficeError::Bad("a result has come meanwhile".to_owned())),
        false => is_upon(book, round, &entered.upon),
    };
    desk.office.act_if(&author, &acts, is_open).await?;
    Document::shown_to(&visitor, &desk, round).await.map(Json)
}

/// Whether the table of a result has one already.
fn has_result(book: &Book, act: &Act) -> bool {
    let (Act::Result { round, table, .. } | Act::Propose { round, table, .. }) = act else {
        return false;
    };
    let pairing = book.event.pairing(*round, *table);
    pairing.is_ok_and(|pairing| pairing.is_settled())
}

/// Refuses a result that is another than the moves show: typed ones are corrected, and what a board
/// has seen is overruled with a reason. An arbiter's decision stands whatever was played.
/// `begun`: tables that have begun in a hall of which this is the hub. `not_begun`: it is entered
/// of games that have not begun, whatever its reason.
fn fits_moves(
    office: &Office,
    act: &Act,
    begun: &BTreeSet<u16>,
    not_begun: bool,
) -> Result<(), OfficeError> {
    let (round, table, codes, how, reason) = match act {
        Act::Result {
            round,
            table,
            codes,
            how,
            reason,
        } => (*round, *table, *codes, *how, &**reason),
        Act::Propose {
            round,
            table,
            codes,
            how,
        } => (*round, *table, *codes, *how, ""),
        _ => return Ok(()),
    };
    if how == How::Arbiter && !not_begun {
        return Ok(());
    }
    // What is only proposed may be another than its board has seen: it waits for somebody.
    let is_proposed = matches!(act, Act::Propose { .. });
    let played = office::played(&office.book().event, (round, table), office.store())?;
    let otherwise = played
        .shown
        .filter(|shown| *shown != ResultCode::pgn(codes));
    let has_reason = !reason.trim().is_empty();
    let unfit = |kind: &str, shown: &str, what: String| {
        let reason = Reason::new(kind, format!("table {table}: {what}")).with("table", table);
        Err(OfficeError::unfit(match shown.is_empty() {
            true => reason,
            false => reason.with("shown", shown),
        }))
    };
    let is_played = played.any || begun.contains(&table);
    match otherwise {
        _ if not_begun && is_played => unfit(
            "has-begun",
            "",
            "this game has begun meanwhile: nobody is missing there; look at it again".to_owned(),
        ),
        _ if how == How::Forfeit && is_played && !has_reason => unfit(
            "forfeit-has-begun",
            "",
            "this game has begun; a forfeit behind its moves has a reason (`--reason`), of who \
             may confirm results"
                .to_owned(),
        ),
        Some(shown) if how == How::Typed && played.typed => {
            let what = format!(
                "the moves that were typed end with {shown}; correct them, or say that the \
                 arbiter has decided otherwise (`--decided`)"
            );
            unfit("typed-otherwise", shown, what)
        }
        Some(shown) if how == How::Typed && !has_reason && !is_proposed => {
            let what = format!(
                "the moves that its board has seen end with {shown}; say that the arbiter has \
                 decided otherwise (`--decided`), or why it is another (`--reason`)"
            );
            unfit("seen-otherwise", shown, what)
        }
        _ => Ok(()),
    }
}

/// Works with the store, not on the thread that the boards share.
pub(super) async fn read_store<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, OfficeError> + Send + 'static,
) -> Result<T, OfficeError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(OfficeError::Bad("the game could not be read".to_owned())))
}

fn may_confirm(visitor: &Visitor, table: u16) -> bool {
    visitor.may(Right::Confirm, Some(u32::from(table)))
}

/// A result as it is entered: who may not confirm it proposes it.
fn entered_as(
    (round, table): (u16, u16),
    codes: [ResultCode; 2],
    how: How,
    reason: String,
    may_confirm: bool,
) -> Act {
    match may_confirm {
        true => Act::Result {
            round,
            table,
            codes,
            how,
            reason,
        },
        false => Act::Propose {
            round,
            table,
            codes,
            how,
        },
    }
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
    let Json(confirmed) = body?;
    let Confirmed { tables, upon, .. } = confirmed;
    if let Some(tables) = tables.as_ref().filter(|_| confirmed.undisputed) {
        none_disputed(&desk, round, tables).await?;
    }
    let (tables, passed_over) = match tables {
        Some(tables) => (tables, Vec::new()),
        None => undisputed(&desk, &visitor, round).await?,
    };
    let acts = tables
        .into_iter()
        .map(|table| Act::Confirm { round, table });
    let acts: Vec<Act> = acts.collect();
    let Json(document) = done_upon(&desk, (&author, &visitor), round, (&acts, &upon)).await?;
    Ok(Json(document.but(passed_over)))
}

async fn withdraw(
    State(desk): State<Desk>,
    By(author): By,
    Extension(visitor): Extension<Visitor>,
    round: Place,
    body: Body<Withdrawn>,
) -> Done {
    let round = number(&round?, "round")?;
    let Json(Withdrawn {
        tables,
        reason,
        upon,
    }) = body?;
    legible(&[("the reason", &reason)])?;
    if let Some(event) = &desk.event {
        event.are_results_of_hub(round, &tables)?;
    }
    let act = |table| Act::Withdraw {
        round,
        table,
        reason: reason.clone(),
    };
    let acts: Vec<Act> = tables.iter().copied().map(act).collect();
    let office = desk.office.clone();
    let shown = read_store(move || shown_by_boards(&office, round, &tables)).await?;
    let is_proposed = |table: u16| {
        let book = desk.office.book();
        let outcome = book.event.pairing(round, table).map(|p| p.outcome.clone());
        outcome.is_ok_and(|o| o.is_some_and(|o| o.is_of_its_game()))
    };
    if let Some((table, ..)) = shown.iter().find(|(table, ..)| is_proposed(*table)) {
        let what = format!(
            "table {table}: its game shows that result, and would again; enter another, or \
             rule on the game how it ended"
        );
        let reason = Reason::new("shown-again", what).with("table", table);
        return Err(Problem::refused(reason));
    }
    let done = done_upon(&desk, (&author, &visitor), round, (&acts, &upon)).await?;
    if shown.is_empty() {
        return Ok(done);
    }
    // What the boards show is proposed again.
    for (table, game, shown) in shown {
        let board = desk.office.book().board_of(table).map(str::to_owned);
        let board = board.unwrap_or_default();
        desk.office.hear(&board, &game, &shown).await?;
    }
    Document::shown_to(&visitor, &desk, round).await.map(Json)
}

/// The tables whose game has ended as its board has seen it.
fn shown_by_boards(
    office: &Office,
    round: u16,
    tables: &[u16],
) -> Result<Vec<(u16, String, Shown)>, OfficeError> {
    let mut ended = Vec::new();
    for table in tables {
        let book = office.book();
        let Some(name) = book.event.pairing(round, *table)?.game.clone() else {
            continue;
        };
        let game = office.store().game(&name)?;
        let shown = game
            .as_ref()
            .and_then(Game::view)
            .map(|view| Shown::of(&view));
        if let Some(shown @ (Shown::Ended(_) | Shown::Decided(..))) = shown {
            ended.push((*table, name, shown));
        }
    }
    Ok(ended)
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
        reason,
    }) = body?;
    legible(&[("the reason", &reason)])?;
    if let Some(hall) = desk.event.as_ref().and_then(|event| event.hall_of(table)) {
        let what = format!("table {table} is played in hall `{hall}`: type its moves there");
        let reason = Reason::new("typed-in-hall", what).with("table", table);
        return Err(Problem::refused(reason.with("hall", hall)));
    }
    let refused = |what: String| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, what);
    let sheet = office::Scoresheet::read(&moves).map_err(refused)?;
    let left_out = sheet.left_out.clone();
    let wanted = Wanted {
        after,
        moves: sheet.moves.clone(),
        reason: reason.clone(),
        followed: followed(&desk, round, table)?,
    };
    let office = desk.office.clone();
    let placed = move || {
        let event = &office.book().event;
        let placed = office::place(event, (round, table), wanted, office.store())?;
        let said = (&placed.typed, &sheet);
        let checked = office::check(event, (round, table), said, office.store())?;
        Ok((placed, checked))
    };
    let (office::Place { typed, replaces }, (strangers, result)) = read_store(placed).await?;
    let left_out = [left_out].into_iter().chain(strangers);
    let left_out: Vec<String> = left_out.filter(|what| !what.is_empty()).collect();
    if replaces {
        have(&visitor, Right::Confirm, Some(u32::from(table)))?;
    }
    let mut acts = vec![Act::Moves {
        round,
        table,
        typed,
        reason,
    }];
    let book = desk.office.book();
    let is_open = book.event.pairing(round, table)?.outcome.is_none();
    if let Some(codes) = result.filter(|_| is_open) {
        let (seat, reason) = ((round, table), String::new());
        let may = may_confirm(&visitor, table);
        acts.push(entered_as(seat, codes, How::Typed, reason, may));
    }
    let Json(document) = done(&desk, (&author, &visitor), round, &acts).await?;
    Ok(Json(document.without(left_out.join(", "))))
}

/// The board that follows the game of a table, where that answers and is still to go on.
fn followed(desk: &Desk, round: u16, table: u16) -> Result<Option<String>, Problem> {
    let book = desk.office.book();
    let game = book.event.pairing(round, table)?.game.as_deref();
    let boards = desk.hall.boards();
    let mut follow = boards.iter().filter(|board| {
        let view = board.view();
        board.connected && view.is_some_and(|view| Some(&*view.game) == game)
    });
    let stands = book.board_of(table);
    let board = follow.find(|board| stands == Some(&board.id));
    Ok(board.map(|board| board.id.clone()))
}

/// Does it, where whoever asks may at every table that it is about.
async fn done(desk: &Desk, who: (&Author, &Visitor), round: u16, acts: &[Act]) -> Done {
    done_upon(desk, who, round, (acts, &Upon::new())).await
}

/// The same where it stands at the tables as when it was decided.
async fn done_upon(
    desk: &Desk,
    (author, visitor): (&Author, &Visitor),
    round: u16,
    (acts, upon): (&[Act], &Upon),
) -> Done {
    may_all(visitor, acts)?;
    let is_so = |book: &Book| is_upon(book, round, upon);
    desk.office.act_if(author, acts, is_so).await?;
    Document::shown_to(visitor, desk, round).await.map(Json)
}

/// Whether somebody may do all this.
fn may_all(visitor: &Visitor, acts: &[Act]) -> Result<(), Problem> {
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
    Ok(())
}

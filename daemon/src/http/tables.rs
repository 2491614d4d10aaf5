//! Which board stands on which table.

use std::collections::BTreeSet;

use arbiter_core::view::Phase;
use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json as value;
use tournament::{Act, How, Tournament};

use super::author::By;
use super::event::number;
use super::problem::{Problem, no_board};
use super::routes::{Routes, json};
use super::{Desk, REFUSED};
use crate::hall::BoardState;
use crate::office::{Book, OfficeError, legible};
use crate::reason::Reason;

/// A table of the hall.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "HallTable")]
pub(super) struct Document {
    /// Its number.
    table: u16,
    /// The board on it; `null` where results are typed.
    board: Option<String>,
    /// Whether that board is on the line and answers; `null` where the program does not run.
    connected: Option<bool>,
    /// A game with moves that is at hand on that board and belongs to no pairing, while the table's
    /// waits: it is over, with its moves, when the pieces are set up for that one. One that has
    /// ended already, where it was played under other names.
    stranger: Option<String>,
    /// The table's game, where it has begun and has no result, and another of no pairing stands on
    /// that board in its place: the order `goes-on` with its name brings it there again.
    cut_off: Option<String>,
    /// Whether a pairing waits for its game there.
    awaited: bool,
    /// Whether the game on that board is stopped, as after the board was changed: what is handled
    /// is nobody's move until the arbiter lets it go on.
    stopped: bool,
    /// What is wrong with that board or its line, in words.
    fault: Option<String>,
}

/// A board for a table.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Bound {
    /// Its id in the configuration.
    board: String,
}

/// Another table.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Other {
    /// Its number.
    with: u16,
}

pub(super) fn routes(routes: Routes) -> Routes {
    let order = |routes: Routes| {
        routes
            .gives("It is written down", json::<Vec<Document>>())
            .refuses([StatusCode::BAD_REQUEST])
            .refuses(REFUSED)
    };
    let routes = routes
        .get(
            "/api/tables",
            all,
            "Every table that has a board or a pairing, by number",
        )
        .gives("Tables", json::<Vec<Document>>())
        .post("/api/tables/{table}/bind", bind, "Put a board on a table")
        .about(
            "What stood on the table before is free. A game that is played on it goes on, on the \
            board that comes: it is stopped (`stopped`) until the arbiter lets it go on, with the \
            order `resume` to that board.",
        )
        .reads::<Bound>("board", value!({ "board": "b07" }));
    let routes = order(routes).post(
        "/api/tables/{table}/unbind",
        unbind,
        "Take the board from a table",
    );
    let routes = order(routes)
        .post(
            "/api/tables/{table}/swap",
            swap,
            "Exchange the boards of two tables",
        )
        .about(
            "The games that are played on them stay at their tables, and are stopped (`stopped`) \
             until the arbiter lets each go on, with the order `resume` to its board.",
        )
        .reads::<Other>("table", value!({ "with": 8 }));
    order(routes)
}

type Place = Result<Path<String>, PathRejection>;
type Body<T> = Result<Json<T>, JsonRejection>;
type Done = Result<Json<Vec<Document>>, Problem>;

/// The tables at which somebody plays in a game that is not followed as that of its pairing, which
/// waits: of the round under way, or else of the one that is to be started next.
pub(super) fn unfollowed(desk: &Desk, event: &Tournament) -> Option<(u16, Unfollowed)> {
    let (number, round) = event.under_way().or_else(|| event.to_be_started())?;
    let waiting = round.pairings.iter().filter(|pairing| pairing.waits());
    let mut told = Unfollowed::default();
    for table in waiting.filter_map(|pairing| pairing.table) {
        let board = event.boards.get(&table);
        match board.and_then(|board| desk.hall.board(board)) {
            Some(state) if state.unset.is_some() => told.unset.push(table),
            Some(state) if state.unawaited => told.early.push(table),
            _ => {}
        }
    }
    Some((number, told))
}

/// The tables of a round at which somebody plays from pieces that did not stand as at its start.
pub(super) fn played_unset(desk: &Desk, round: u16) -> Vec<u16> {
    let told = unfollowed(desk, &desk.office.book().with_boards());
    let told = told.filter(|(number, _)| *number == round);
    told.map(|(_, told)| told.unset).unwrap_or_default()
}

/// Refuses a forfeit without a reason at a table where somebody plays, though that is followed as
/// no game yet. `moved`: those tables.
pub(super) fn may_be_forfeited(
    act: &Act,
    moved: &[u16],
    not_begun: bool,
) -> Result<(), OfficeError> {
    let Act::Result {
        table, how, reason, ..
    } = act
    else {
        return Ok(());
    };
    let has_reason = !reason.trim().is_empty() && !not_begun;
    if (*how != How::Forfeit && !not_begun) || has_reason || !moved.contains(table) {
        return Ok(());
    }
    let what = format!(
        "table {table}: somebody plays there, and it is asked with which position the game began: \
         a forfeit then has a reason (`--reason`), of who may confirm results"
    );
    let reason = Reason::new("forfeit-moved", what).with("table", table);
    Err(OfficeError::unfit(reason))
}

/// Tables by the reason for which what is played there is not followed as the game of the pairing.
#[derive(Default)]
pub(super) struct Unfollowed {
    /// Somebody played before the round was started.
    pub(super) early: Vec<u16>,
    /// Since then alone, and the pieces did not stand as at its beginning.
    pub(super) unset: Vec<u16>,
}

/// Whether the game at hand on a board is stopped, and goes on once the arbiter says so: none that
/// has its result, or is postponed, or gives way to that of its table's pairing; and none of no
/// pairing in which nothing was played, as on a board where another table's pieces still stand.
pub(super) fn is_stopped(book: &Book, board: &BoardState) -> bool {
    board.view().is_some_and(|view| {
        let is_apart = book.seat_of(&view.game).is_none();
        let gives_way = is_apart && (view.plies.is_empty() || book.next_on(&board.id).is_some());
        view.state == Phase::Paused && !book.has_answer(&view.game) && !gives_way
    })
}

fn tables(desk: &Desk) -> Json<Vec<Document>> {
    let book = desk.office.book();
    let event = book.with_boards();
    let pairings = event.rounds.values().flat_map(|round| &round.pairings);
    let numbers: BTreeSet<u16> = event
        .boards
        .keys()
        .copied()
        .chain(pairings.filter_map(|pairing| pairing.table))
        .collect();
    let table = |table| {
        let board = event.boards.get(&table).cloned();
        let state = board.as_ref().and_then(|board| desk.hall.board(board));
        let waits = event.next_at(table).is_some();
        let view = state.as_ref().and_then(|state| state.view());
        let is_named = state.as_ref().is_some_and(|state| {
            let names = [&state.white, &state.black];
            names.into_iter().any(|name| !name.is_empty())
        });
        let stranger = view.filter(|view| {
            let is_meant = view.state != Phase::Ended || is_named;
            let is_apart = book.seat_of(&view.game).is_none();
            // One that was annulled may have been the table's.
            let is_meant = is_meant && !view.is_annulled();
            waits && is_meant && is_apart && !view.plies.is_empty()
        });
        Document {
            table,
            board,
            connected: state.as_ref().map(|state| state.connected),
            stranger: stranger.map(|view| view.game.clone()),
            cut_off: state.as_ref().and_then(|state| cut_off(&book, state)),
            awaited: waits,
            stopped: state.as_ref().is_some_and(|state| is_stopped(&book, state)),
            fault: state.as_ref().and_then(|state| state.fault.clone()),
        }
    };
    Json(numbers.into_iter().map(table).collect())
}

/// The table's game that is to be played on a board, where one of no pairing stands there instead,
/// and nothing is asked of it there.
pub(super) fn cut_off(book: &Book, board: &BoardState) -> Option<String> {
    let (.., pairing) = book.open_on(&board.id)?;
    if pairing.outcome.is_some() {
        return None;
    }
    let game = pairing.game.as_deref()?;
    let at_hand = board.game()?;
    let is_asked = board
        .asked
        .as_ref()
        .is_some_and(|asked| *asked.game == *game);
    let is_gone = at_hand != game && !is_asked && book.seat_of(at_hand).is_none();
    is_gone.then(|| game.to_owned())
}

async fn all(State(desk): State<Desk>) -> Json<Vec<Document>> {
    tables(&desk)
}

async fn bind(State(desk): State<Desk>, By(author): By, table: Place, body: Body<Bound>) -> Done {
    let table = number(&table?, "table")?;
    let Json(Bound { board }) = body?;
    legible(&[("the board's id", &board)])?;
    let boards = desk.hall.boards();
    if !boards.is_empty() && !boards.iter().any(|known| known.id == board) {
        return Err(no_board(&board));
    }
    let book = desk.office.book();
    if let Some(other) = book.table_of(&board).filter(|other| *other != table)
        && let Some(game) = book.game_on(&board).filter(|game| !book.has_answer(game))
        && is_on(&desk, &board, game)
    {
        let error = format!(
            "{game} is played on `{board}` at table {other}: exchange the boards of the two tables"
        );
        let reason = Reason::new("played-elsewhere", error).with("game", game);
        let reason = reason.with("board", &board).with("table", other);
        return Err(Problem::refused(reason));
    }
    let act = Act::Bind {
        table,
        board: board.clone(),
    };
    desk.office.act(&author, &[act]).await?;
    follow(&desk, [&board]).await?;
    Ok(tables(&desk))
}

/// Whether a game is at hand on a board.
fn is_on(desk: &Desk, board: &str, game: &str) -> bool {
    let state = desk.hall.board(board);
    state.is_some_and(|state| state.view().is_some_and(|view| view.game == game))
}

/// Games stay at their tables: each comes to the board that stands there now, from the one that
/// has it, or out of the store.
async fn follow<'a>(
    desk: &Desk,
    boards: impl IntoIterator<Item = &'a String>,
) -> Result<(), Problem> {
    let book = desk.office.book();
    let known = boards
        .into_iter()
        .filter(|board| desk.hall.board(board).is_some());
    for board in known {
        let Some(game) = book.game_on(board) else {
            continue;
        };
        let is_at_hand = desk
            .hall
            .boards()
            .iter()
            .any(|other| other.game() == Some(game));
        if is_at_hand || !book.has_answer(game) {
            desk.hall.take_up(game, board).await?;
        }
    }
    Ok(())
}

async fn unbind(State(desk): State<Desk>, By(author): By, table: Place) -> Done {
    let table = number(&table?, "table")?;
    desk.office.act(&author, &[Act::Unbind { table }]).await?;
    Ok(tables(&desk))
}

async fn swap(State(desk): State<Desk>, By(author): By, table: Place, body: Body<Other>) -> Done {
    let table = number(&table?, "table")?;
    let Json(Other { with }) = body?;
    if with == table {
        let error = format!("table {table} has its own board: name another table");
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error));
    }
    let book = desk.office.book();
    let board = |table: u16| {
        let board = book.board_of(table).map(str::to_owned);
        board.ok_or(tournament::Refusal::NoBoard(table))
    };
    let (one, other) = (board(table)?, board(with)?);
    let boards = [one.clone(), other.clone()];
    let acts = [
        Act::Bind {
            table,
            board: other,
        },
        Act::Bind {
            table: with,
            board: one,
        },
    ];
    desk.office.act(&author, &acts).await?;
    follow(&desk, &boards).await?;
    Ok(tables(&desk))
}

//! Results that are confirmed all at once, and those that are not.

use std::collections::BTreeMap;

use access::Right;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use tournament::{How, Pairing, ResultCode};

use super::Desk;
use super::problem::Problem;
use super::results::read_store;
use crate::hall::{self, Dismissals, Hall};
use crate::office::{self, Book};
use crate::people::Visitor;
use crate::reason::Reason;
use crate::store::Game;

/// A proposed result that was not confirmed with the others.
#[derive(Serialize, JsonSchema)]
pub(super) struct PassedOver {
    /// Its table.
    table: u16,
    /// Why.
    why: Why,
}

/// Why a result is not confirmed unless it is named.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Why {
    /// Only a file of pairings says so.
    File,
    /// Somebody typed it who may not confirm results.
    Typed,
    /// Something of its game is left to be ruled on.
    Unruled,
    /// A loss that was declared may rest on a finding that was dismissed since.
    RestsOnDismissed,
    /// Only the arbiter can declare it, such as the sign that kings on the centre squares give.
    Undeclared,
    /// The table is another person's.
    OtherTable,
}

/// The tables whose result is proposed, with nothing of their game left to be ruled on, and of whom
/// whoever asks may confirm it; and the others that have a result.
pub(super) async fn undisputed(
    desk: &Desk,
    visitor: &Visitor,
    round: u16,
) -> Result<(Vec<u16>, Vec<PassedOver>), Problem> {
    let book = desk.office.book();
    let drawn = book.event.rounds.get(&round);
    let drawn = drawn.ok_or(tournament::Refusal::NoRound(round))?;
    let games = Games::of(desk, round);
    let (mut tables, mut passed_over) = (Vec::new(), Vec::new());
    for pairing in drawn.pairings.iter().filter(|p| !p.is_settled()) {
        let Some((table, how)) = proposed(pairing) else {
            continue;
        };
        let why = match (how, games.at(table, pairing)) {
            _ if !visitor.may(Right::Confirm, Some(u32::from(table))) => Some(Why::OtherTable),
            (How::File, _) => Some(Why::File),
            (How::Board | How::Arbiter, Some((hall, game))) => match is_disputed(hall, game).await?
            {
                true => Some(Why::Unruled),
                false if rests_on_dismissed(hall, game, pairing, &book).await? => {
                    Some(Why::RestsOnDismissed)
                }
                false => is_undeclared(hall, game, pairing)
                    .await?
                    .then_some(Why::Undeclared),
            },
            _ => Some(Why::Typed),
        };
        match why {
            None => tables.push(table),
            Some(why) => passed_over.push(PassedOver { table, why }),
        }
    }
    Ok((tables, passed_over))
}

/// At a hub: the tables whose result is proposed, with something of their game in a hall left to be
/// ruled on there.
pub(super) async fn disputed_in_halls(desk: &Desk, round: u16) -> Result<Vec<u16>, Problem> {
    let (book, games) = (desk.office.book(), Games::of(desk, round));
    let mut tables = Vec::new();
    for (table, (hall, game)) in &games.in_halls {
        let pairing = book.event.pairing(round, *table);
        let is_open = pairing.is_ok_and(|p| p.outcome.is_some() && !p.is_settled());
        if is_open && is_disputed(hall, game).await? {
            tables.push(*table);
        }
    }
    Ok(tables)
}

/// The tables of a round whose loss, as an arbiter has declared it, may rest on a finding that was
/// dismissed since.
pub(super) async fn resting_on_dismissed(desk: &Desk, round: u16) -> Result<Vec<u16>, Problem> {
    let (book, games) = (desk.office.book(), Games::of(desk, round));
    let drawn = book.event.rounds.get(&round);
    let mut tables = Vec::new();
    for pairing in drawn.into_iter().flat_map(|drawn| &drawn.pairings) {
        let Some((table, _)) = proposed(pairing) else {
            continue;
        };
        let Some((hall, game)) = games.at(table, pairing) else {
            continue;
        };
        if rests_on_dismissed(hall, game, pairing, &book).await? {
            tables.push(table);
        }
    }
    Ok(tables)
}

/// The tables of a round whose result a board shows, and only the arbiter can declare.
pub(super) async fn undeclared(desk: &Desk, round: u16) -> Result<Vec<u16>, Problem> {
    let (book, games) = (desk.office.book(), Games::of(desk, round));
    let drawn = book.event.rounds.get(&round);
    let mut tables = Vec::new();
    for pairing in drawn.into_iter().flat_map(|drawn| &drawn.pairings) {
        let Some((table, _)) = proposed(pairing).filter(|_| !pairing.is_settled()) else {
            continue;
        };
        let Some((hall, game)) = games.at(table, pairing) else {
            continue;
        };
        if is_undeclared(hall, game, pairing).await? {
            tables.push(table);
        }
    }
    Ok(tables)
}

/// Refuses where something of the game of one of these tables is left to be ruled on.
pub(super) async fn none_disputed(desk: &Desk, round: u16, tables: &[u16]) -> Result<(), Problem> {
    let (book, games) = (desk.office.book(), Games::of(desk, round));
    for table in tables {
        let pairing = book.event.pairing(round, *table)?;
        let Some((hall, game)) = games.at(*table, pairing) else {
            continue;
        };
        if rests_on_dismissed(hall, game, pairing, &book).await? {
            let text = format!(
                "table {table}: the loss may rest on a finding that was dismissed; look at it again"
            );
            let reason = Reason::new("rests-on-dismissed-meanwhile", text).with("table", *table);
            return Err(Problem::refused(reason));
        }
        if is_undeclared(hall, game, pairing).await? {
            let text = format!(
                "table {table}: only the arbiter can declare that result; confirm it by itself"
            );
            let reason = Reason::new("undeclared-result", text).with("table", *table);
            return Err(Problem::refused(reason));
        }
        let is_disputed =
            is_disputed(hall, game).await? || is_otherwise(desk, (round, *table)).await?;
        if is_disputed {
            let text = format!(
                "table {table}: something of its game is left to be ruled on; look at it again"
            );
            let reason = Reason::new("disputed-meanwhile", text).with("table", *table);
            return Err(Problem::refused(reason));
        }
    }
    Ok(())
}

/// Whether the moves of a table end otherwise than its result, be its game on a board or not.
async fn is_otherwise(desk: &Desk, seat @ (round, table): (u16, u16)) -> Result<bool, Problem> {
    let office = desk.office.clone();
    let look = move || {
        let book = office.book();
        let shown = office::played(&book.event, seat, office.store())?.shown;
        let outcome = book.event.pairing(round, table)?.outcome.as_ref();
        let said = outcome.map(|outcome| ResultCode::pgn(outcome.codes));
        Ok(shown.is_some_and(|shown| said.is_some_and(|said| said != shown)))
    };
    Ok(read_store(look).await?)
}

/// The games of a round: here, or at a hub in its halls.
struct Games<'a> {
    here: &'a Hall,
    in_halls: BTreeMap<u16, (Hall, String)>,
}

impl Games<'_> {
    fn of(desk: &Desk, round: u16) -> Games<'_> {
        let in_halls = desk.event.as_ref().map(|event| event.games(round));
        Games {
            here: &desk.hall,
            in_halls: in_halls.unwrap_or_default(),
        }
    }

    fn at<'a>(&'a self, table: u16, pairing: &'a Pairing) -> Option<(&'a Hall, &'a str)> {
        let here = pairing.game.as_deref().map(|game| (self.here, game));
        let there = || self.in_halls.get(&table);
        here.or_else(|| there().map(|(hall, game)| (hall, &**game)))
    }
}

/// The table of a proposed result, and how that came.
fn proposed(pairing: &Pairing) -> Option<(u16, How)> {
    Some((pairing.table?, pairing.outcome.as_ref()?.how))
}

/// Whether something of a game is left to be ruled on.
async fn is_disputed(hall: &Hall, game: &str) -> Result<bool, Problem> {
    let boards = hall.boards();
    let mut at_hand = boards
        .iter()
        .filter(|board| board.view().is_some_and(|view| view.game == game));
    if let Some(board) = at_hand.next() {
        let doubts = board.view().is_some_and(|view| !view.doubts.is_empty());
        return Ok(board.open > 0 || doubts);
    }
    let Some(told) = told(hall, game).await? else {
        return Ok(true);
    };
    let list = |name: &str| told[name].as_array().map_or(&[][..], Vec::as_slice);
    let is_open = |finding: &Value| finding["status"] == "open";
    Ok(list("findings").iter().any(is_open) || !list("doubts").is_empty())
}

/// Whether the result of a pairing is what its board shows, and that waits for the arbiter's word.
async fn is_undeclared(hall: &Hall, game: &str, pairing: &Pairing) -> Result<bool, Problem> {
    let outcome = pairing.outcome.as_ref();
    if outcome.is_none_or(|outcome| outcome.how != How::Board) {
        return Ok(false);
    }
    let boards = hall.boards();
    if let Some(board) = boards.iter().find(|board| board.game() == Some(game)) {
        let result = board.view().and_then(|view| view.result);
        return Ok(result.is_some_and(|result| result.proposed));
    }
    let told = told(hall, game).await?;
    Ok(told.is_some_and(|told| told["result"]["proposed"] == true))
}

/// Whether the loss that an arbiter has given as the result of a pairing may rest on a finding that
/// was dismissed since.
async fn rests_on_dismissed(
    hall: &Hall,
    game: &str,
    pairing: &Pairing,
    book: &Book,
) -> Result<bool, Problem> {
    let outcome = pairing.outcome.as_ref();
    let outcome = outcome.filter(|outcome| outcome.how == How::Arbiter);
    let Some(decided) = outcome.map(|outcome| ResultCode::pgn(outcome.codes)) else {
        return Ok(false);
    };
    let boards = hall.boards();
    if let Some(board) = boards.iter().find(|board| board.game() == Some(game)) {
        return Ok(board.rests_on_dismissed.is_some());
    }
    let Some(stored) = hall.game(game).await? else {
        return Ok(false);
    };
    let known = Dismissals::of(&stored).before(book.decided_at(game));
    let told = told_of(stored).await;
    let fields = told.as_ref().and_then(Value::as_object);
    let rests = fields.and_then(|view| hall::rests_on_dismissed(view, Some(decided), &known));
    Ok(rests.is_some())
}

/// A game as the store has it.
async fn told(hall: &Hall, game: &str) -> Result<Option<Value>, Problem> {
    let Some(game) = hall.game(game).await? else {
        return Ok(None);
    };
    Ok(told_of(game).await)
}

async fn told_of(game: Game) -> Option<Value> {
    let told = tokio::task::spawn_blocking(move || game.told()).await;
    told.unwrap_or(Ok(None)).unwrap_or_default()
}

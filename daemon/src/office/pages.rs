//! The games of a round as PGN: what the boards have seen, what was typed, and what a person has
//! said of the result.

use arbiter_core::shakmaty::{Outcome, Position};
use tournament::{Act, ResultCode, Tournament, Typed, write};

use super::{Minors, Office, OfficeError};
use crate::pgn::{self, Unplayable};
use crate::scribe::{Page, Scribe};
use crate::store::{Game, Store};

/// In which form the results of a round are given out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The report file that was loaded, with its results.
    Trf,
    /// The games.
    Pgn,
    /// A table.
    Csv,
    /// Results as Vega reads them.
    Res,
}

/// A round in a form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// The file.
    pub bytes: Vec<u8>,
    /// Tables whose result the form has no sign for: they are not in it.
    pub left_out: Vec<u16>,
}

/// A round in a form. In what the public reads the names of minors are shortened; report files have
/// them whole.
///
/// # Errors
/// Where there is no such round, or no report file of it was loaded.
pub fn round(
    event: &Tournament,
    number: u16,
    form: Form,
    store: &Store,
    minors: &Minors,
) -> Result<Given, OfficeError> {
    let mut left_out = Vec::new();
    let bytes = match form {
        Form::Csv => write::csv(&minors.public(event), number)?.into_bytes(),
        Form::Pgn => {
            let games = games(event, number, store)?;
            pgn::renamed(&games, &["FideId"], &|name| minors.short(name)).into_bytes()
        }
        Form::Trf => trf(event, number, store)?,
        Form::Res => {
            let text;
            (text, left_out) = write::res(event, number)?;
            text.into_bytes()
        }
    };
    Ok(Given { bytes, left_out })
}

/// Every game of a round, in the order of the tables.
fn games(event: &Tournament, number: u16, store: &Store) -> Result<String, OfficeError> {
    let refusal = tournament::Refusal::NoRound(number);
    let drawn = event.rounds.get(&number).ok_or(refusal)?;
    let mut all = String::new();
    for table in drawn.pairings.iter().filter_map(|pairing| pairing.table) {
        if !all.is_empty() {
            all.push('\n');
        }
        all += &given_out(event, number, table, store)?;
    }
    Ok(all)
}

/// The report file that was loaded, with the results of this round and of those before it.
fn trf(event: &Tournament, number: u16, store: &Store) -> Result<Vec<u8>, OfficeError> {
    let loaded = event.rounds.range(..=number).rev();
    let mut files = loaded.filter_map(|(_, round)| round.file.as_ref());
    let found = files.find_map(|sum| {
        let file = store.file(sum).transpose()?;
        let is_report = |bytes: &Vec<u8>| tournament::load::is_report(bytes);
        file.as_ref().map_or(true, is_report).then_some(file)
    });
    let none = || {
        let what = "no report file (TRF) was loaded for this round, or another file since: load \
                    one that pairs it so";
        OfficeError::Bad(what.to_owned())
    };
    let mut file = found.ok_or_else(none)??;
    for (round, _) in event.rounds.range(..=number) {
        file = write::trf(event, *round, &file).map_err(|e| OfficeError::Bad(e.to_string()))?;
    }
    Ok(file)
}

/// The game at a table as it is given out: a result that nobody has confirmed is none.
fn given_out(
    event: &Tournament,
    round: u16,
    table: u16,
    store: &Store,
) -> Result<String, OfficeError> {
    let is_open = event.pairing(round, table)?.settled().is_none();
    page_with(event, round, table, store, is_open.then_some("*"))
}

/// The game at a table as one PGN game.
///
/// # Errors
/// Where there is no such pairing, or the store cannot be read.
pub fn page(
    event: &Tournament,
    round: u16,
    table: u16,
    store: &Store,
) -> Result<String, OfficeError> {
    page_with(event, round, table, store, None)
}

/// The same with this result, where nobody has said another.
fn page_with(
    event: &Tournament,
    round: u16,
    table: u16,
    store: &Store,
    result: Option<&'static str>,
) -> Result<String, OfficeError> {
    let pairing = event.pairing(round, table)?;
    let game = pairing.game.as_deref().map(|game| store.game(game));
    let game = game.transpose()?.flatten();
    let mut tags = tags(event, round, table)?;
    tags.result = tags.result.or(result);
    let Some(game) = game else {
        return Ok(pgn::render_unseen(&tags));
    };
    if let Some(ending) = &game.ending
        && (tags.typed.is_none() && tags.result.is_none_or(|said| said == game.row.result))
    {
        return Ok(ending.pgn.clone());
    }
    let kept = pgn::Tags::of(&game);
    (tags.chess960, tags.date) = (kept.chess960, kept.date);
    Ok(match game.view() {
        Some(view) => pgn::render(&tags, &view),
        None => pgn::render_unseen(&tags),
    })
}

/// What is known of a pairing.
fn tags(event: &Tournament, round: u16, table: u16) -> Result<pgn::Tags, OfficeError> {
    let mut tags = pgn::Tags::default();
    for (name, value) in write::tags(event, round, table)? {
        match name {
            "Event" => tags.event = value,
            "Site" => tags.site = value,
            "Date" => tags.date = value,
            "Round" => tags.round = value,
            "White" => tags.white = value,
            "Black" => tags.black = value,
            "Result" => {}
            _ => tags.further.push((name.to_owned(), value)),
        }
    }
    (tags.result, tags.typed) = said_of(event, round, table);
    Ok(tags)
}

/// What a person has said of how a game ended and went on.
pub(crate) fn said_of(
    event: &Tournament,
    round: u16,
    table: u16,
) -> (Option<&'static str>, Option<Typed>) {
    let Ok(pairing) = event.pairing(round, table) else {
        return (None, None);
    };
    let outcome = pairing.outcome.as_ref().filter(|outcome| outcome.confirmed);
    let result = outcome.map(|outcome| ResultCode::pgn(outcome.codes));
    (result, pairing.typed.clone())
}

/// Whether the moves of a scoresheet can be played, and its result is not another than what is
/// known.
///
/// # Errors
/// Where they cannot, with the first that is wrong.
pub fn check(
    event: &Tournament,
    (round, table): (u16, u16),
    (typed, result): (&Typed, Option<[ResultCode; 2]>),
    store: &Store,
) -> Result<(), OfficeError> {
    let pairing = event.pairing(round, table)?;
    let game = pairing.game.as_deref();
    let game = game.map(|game| store.game(game)).transpose()?.flatten();
    let chess960 = game
        .as_ref()
        .is_some_and(|game| pgn::Tags::of(game).chess960);
    let view = game.as_ref().and_then(Game::view);
    let bad = |what: String| Err(OfficeError::Bad(what));
    let position = match pgn::after_typed(chess960, view.as_ref(), typed) {
        Ok(position) => position,
        Err(Unplayable::Illegal(n)) => {
            let what = &typed.moves[n - 1];
            return bad(format!(
                "`{what}`, the typed move {n}, is no legal move there"
            ));
        }
        Err(Unplayable::Seen(seen)) => {
            return bad(format!(
                "the board has seen {seen} half-moves of this game; say after how many of them \
                 the typed ones come"
            ));
        }
    };
    let Some(result) = result.map(ResultCode::pgn) else {
        return Ok(());
    };
    let shown = match position.outcome() {
        Outcome::Known(outcome) => Some(outcome.as_str()),
        Outcome::Unknown => None,
    };
    if let Some(shown) = shown.filter(|shown| *shown != result) {
        return bad(format!(
            "the scoresheet ends with {result}, and its last position with {shown}"
        ));
    }
    let known = pairing.outcome.as_ref().map(|known| known.codes);
    match known.filter(|known| ResultCode::pgn(*known) != result) {
        Some(known) => bad(format!(
            "the scoresheet ends with {result}, and table {table} of round {round} has {}: \
             correct one of them",
            ResultCode::written(known)
        )),
        None => Ok(()),
    }
}

/// Where a player has played.
fn seats_of(event: &Tournament, player: u16) -> Vec<(u16, u16)> {
    let rounds = event.rounds.iter();
    let all = rounds.flat_map(|(round, drawn)| drawn.pairings.iter().map(|p| (*round, p)));
    let his =
        all.filter(|(_, p)| p.has_begun() && [Some(p.white), p.black].contains(&Some(player)));
    his.filter_map(|(round, p)| Some((round, p.table?)))
        .collect()
}

impl Office {
    /// Writes the pages anew that a person's words have changed.
    pub(super) fn renew(&self, done: &[Act], scribe: Scribe) {
        let seat = |act: &Act| match act {
            Act::Result { round, table, .. }
            | Act::Confirm { round, table }
            | Act::Withdraw { round, table, .. }
            | Act::Moves { round, table, .. } => Some((*round, *table)),
            _ => None,
        };
        let mut seats: Vec<(u16, u16)> = done.iter().filter_map(seat).collect();
        for act in done {
            if let Act::Shorten { player, .. } = act {
                seats.extend(seats_of(&self.book().event, *player));
            }
        }
        if seats.is_empty() || tokio::runtime::Handle::try_current().is_err() {
            return;
        }
        let office = self.clone();
        tokio::task::spawn_blocking(move || {
            // Whoever comes second sees at least what the first has seen.
            let _one_at_a_time = office.renewing.lock();
            let event = &office.book().event;
            for (round, table) in seats {
                match page(event, round, table, &office.store) {
                    Ok(text) => scribe.keep(Page::Table { round, table, text }),
                    Err(error) => tracing::error!(round, table, %error, "PGN not written"),
                }
            }
        });
    }
}

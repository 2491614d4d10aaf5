//! The games of a round as PGN: what the boards have seen, what was typed, and what a person has
//! said of the result.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use tournament::{Act, Pairing, Refusal, ResultCode, Tournament, Typed, write};

use super::answered::answer;
use super::file::{decoded, encoded};
use super::overdue::players_in;
use super::{Book, Minors, Office, OfficeError};
use crate::pgn;
use crate::reason::Reason;
use crate::scribe::{Page, Scribe};
use crate::store::{Game, Store, StoreError};

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
    /// Rounds and tables that the report file paired otherwise, and pairs now as they are.
    pub redrawn: Vec<(u16, u16)>,
    /// Players whom the report file did not have.
    pub added: Vec<u16>,
    /// Those of them whose names were longer than their room in it.
    pub cut: Vec<u16>,
    /// Rounds and players of whom the report file had another result.
    pub altered: Vec<(u16, u16)>,
    /// Rounds and tables, up to this round, that a report file has no result of.
    pub open: Vec<(u16, u16)>,
    /// The encoding of the report file, which has no sign for something in it by now: it is in
    /// UTF-8 instead.
    pub recoded: Option<String>,
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
    let page = |table| given_out(event, number, table, store);
    round_of((event, number), form, store, minors, &page)
}

/// The same, with the game at a table as `page` has it.
pub(crate) fn round_of(
    (event, number): (&Tournament, u16),
    form: Form,
    store: &Store,
    minors: &Minors,
    page: &dyn Fn(u16) -> Result<String, OfficeError>,
) -> Result<Given, OfficeError> {
    match form {
        Form::Csv => Ok(Given::whole(write::csv(&minors.public(event), number)?)),
        Form::Pgn => {
            let games = games(event, number, page)?;
            let public = pgn::renamed(&games, &["FideId", "Team"], &|name| minors.short(name));
            Ok(Given::whole(public))
        }
        Form::Trf => {
            // Before the first round there are players.
            let is_beyond = event
                .rounds
                .keys()
                .next_back()
                .is_some_and(|last| *last < number);
            match is_beyond {
                true => Err(Refusal::NoRound(number).into()),
                false => trf(event, number, store),
            }
        }
        Form::Res => {
            let (text, left_out) = write::res(event, number)?;
            Ok(Given {
                left_out,
                ..Given::whole(text)
            })
        }
    }
}

impl Given {
    fn whole(text: String) -> Given {
        Given {
            bytes: text.into_bytes(),
            left_out: Vec::new(),
            redrawn: Vec::new(),
            added: Vec::new(),
            cut: Vec::new(),
            altered: Vec::new(),
            open: Vec::new(),
            recoded: None,
        }
    }
}

/// Every game of a round, in the order of the tables.
fn games(
    event: &Tournament,
    number: u16,
    page: &dyn Fn(u16) -> Result<String, OfficeError>,
) -> Result<String, OfficeError> {
    let refusal = tournament::Refusal::NoRound(number);
    let drawn = event.rounds.get(&number).ok_or(refusal)?;
    let mut all = String::new();
    for table in drawn.pairings.iter().filter_map(|pairing| pairing.table) {
        if !all.is_empty() {
            all.push('\n');
        }
        all += &page(table)?;
    }
    Ok(all)
}

/// The last report file that was loaded for a round, or for one before it, with the results of both
/// and of all between; and the tables that it paired otherwise.
fn trf(event: &Tournament, number: u16, store: &Store) -> Result<Given, OfficeError> {
    let loaded = event.rounds.range(..=number).rev();
    let mut files = loaded.flat_map(|(_, round)| round.files.iter().rev());
    let found = files.find_map(|source| {
        let file = store.file(&source.file).transpose()?;
        let encoding = source.encoding.as_deref();
        let is_report = |file: &Vec<u8>| tournament::load::is_report(&decoded(file, encoding));
        let is_found = file.as_ref().map_or(true, is_report);
        is_found.then(|| file.map(|file| (file, encoding)))
    });
    let none = || {
        let what = "no report file (TRF) was loaded for this round or one before it";
        OfficeError::unfit(Reason::new("no-report-file", what))
    };
    let (file, encoding) = found.ok_or_else(none)??;
    let (mut bytes, mut redrawn) = (decoded(&file, encoding).into_owned(), Vec::new());
    let (mut added, mut cut, mut altered) = (Vec::new(), Vec::new(), Vec::new());
    for (round, _) in event.rounds.range(..=number) {
        let filled = write::trf(event, *round, &bytes);
        let filled = filled.map_err(|e| OfficeError::Bad(e.to_string()))?;
        bytes = filled.bytes;
        added.extend(filled.added);
        cut.extend(filled.cut);
        altered.extend(filled.altered.into_iter().map(|player| (*round, player)));
        redrawn.extend(filled.redrawn.into_iter().map(|table| (*round, table)));
    }
    let (bytes, recoded) = encoded(&file, encoding, bytes);
    Ok(Given {
        bytes,
        recoded,
        left_out: Vec::new(),
        redrawn,
        added,
        cut,
        altered,
        open: event.open_until(number),
    })
}

/// The game at a table as it is given out: a result that nobody has confirmed is none.
fn given_out(
    event: &Tournament,
    round: u16,
    table: u16,
    store: &Store,
) -> Result<String, OfficeError> {
    given_out_with(event, (round, table), store, None)
}

/// The same with this result, if there is one, which a person has given elsewhere.
pub(crate) fn given_out_with(
    event: &Tournament,
    (round, table): (u16, u16),
    store: &Store,
    result: Option<&'static str>,
) -> Result<String, OfficeError> {
    let is_open = event.pairing(round, table)?.settled().is_none();
    let said = Said {
        instead: result,
        otherwise: is_open.then_some("*"),
    };
    page_with(event, round, table, store, said)
}

/// A result that counts instead of what was said at the table, and one where nothing was.
#[derive(Clone, Copy, Default)]
struct Said {
    instead: Option<&'static str>,
    otherwise: Option<&'static str>,
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
    page_with(event, round, table, store, Said::default())
}

/// The same with these results.
fn page_with(
    event: &Tournament,
    round: u16,
    table: u16,
    store: &Store,
    said: Said,
) -> Result<String, OfficeError> {
    let game = event.pairing(round, table)?.game.as_deref();
    let game = game.map(|game| store.game(game)).transpose()?.flatten();
    page_of(event, (round, table), game.as_ref(), said)
}

/// A game as one PGN game, with what people have said of it at its table. `None` when its events
/// hold no setup.
pub(crate) fn of_game(book: &Book, game: &Game) -> Option<String> {
    // One that is damaged says so, and nothing else.
    let seat = book.seat_of(&game.row.id);
    let seat = seat.filter(|_| game.row.damage.is_none());
    let page = seat.and_then(|(number, seat)| {
        let event = book.nth(Some(number)).ok()?;
        page_of(event, seat, Some(game), Said::default()).ok()
    });
    page.or_else(|| game.pgn())
}

/// The same of a game of a store, as people have left it.
///
/// # Errors
/// Where what people have done cannot be read.
pub fn of_game_in(store: &Store, game: &Game) -> Result<Option<String>, StoreError> {
    let book = Book::read(&store.deeds()?, Vec::new());
    Ok(of_game(&book, game))
}

/// The game at a table as far as a board has seen it.
fn page_of(
    event: &Tournament,
    (round, table): (u16, u16),
    game: Option<&Game>,
    said: Said,
) -> Result<String, OfficeError> {
    let pairing = event.pairing(round, table)?;
    let mut tags = tags(event, round, table)?;
    if said
        .instead
        .is_some_and(|instead| tags.result != Some(instead))
    {
        // How it is said here to have ended is not how it has.
        tags.further.retain(|(name, _)| name != "Termination");
    }
    tags.result = said.instead.or(tags.result).or(said.otherwise);
    let Some(game) = game else {
        return Ok(pgn::render_unseen(&tags));
    };
    let is_asked = || {
        let told = game.told().ok().flatten();
        pairing.is_settled() && told.is_some_and(|told| told["result"]["proposed"] == true)
    };
    let kept = pgn::Tags::of(game);
    called(&mut tags, &kept);
    tags = pgn::Tags {
        chess960: kept.chess960,
        date: kept.date,
        ..tags
    };
    let shows = |said: &str| {
        let tag = format!("[Result \"{said}\"]");
        let ending = game.ending.as_ref();
        game.row.result == said && ending.is_some_and(|ending| ending.pgn.contains(&tag))
    };
    if let Some(ending) = &game.ending
        && !is_asked()
        && tags.typed.is_none()
        && tags.result.is_none_or(shows)
    {
        return Ok(pgn::retagged(&ending.pgn, &tags));
    }
    Ok(match game.view() {
        Some(mut view) => {
            answer(pairing, &mut view);
            pgn::render(&tags, &view)
        }
        None => pgn::render_unseen(&tags),
    })
}

/// What is known of a pairing whose game has these tags of its own: whether it is one of Chess960,
/// its day, and of which event it is where the event itself has no name.
pub(crate) fn tags_of(
    event: &Tournament,
    (round, table): (u16, u16),
    own: &pgn::Tags,
) -> Result<pgn::Tags, OfficeError> {
    let mut tags = tags(event, round, table)?;
    (tags.chess960, tags.date) = (own.chess960, own.date.clone());
    called(&mut tags, own);
    Ok(tags)
}

/// Where the event has no name, or no place, that is as the game's own tags have it.
fn called(tags: &mut pgn::Tags, own: &pgn::Tags) {
    for (said, own) in [(&mut tags.event, &own.event), (&mut tags.site, &own.site)] {
        if said.is_empty() {
            said.clone_from(own);
        }
    }
}

/// What is known of a pairing.
fn tags(event: &Tournament, round: u16, table: u16) -> Result<pgn::Tags, OfficeError> {
    let (result, typed) = said_of(event, round, table);
    let mut tags = pgn::Tags {
        result,
        typed,
        ..pgn::Tags::default()
    };
    for (name, value) in write::tags(event, round, table)? {
        match name {
            "Event" => tags.event = value,
            "Site" => tags.site = value,
            "Date" => tags.date = value,
            "Round" => tags.round = value,
            "White" => tags.white = value,
            "Black" => tags.black = value,
            "Result" | "SetUp" => {}
            // How a game ended is told with its result, once somebody has confirmed that.
            "Termination" if tags.result.is_none() => {}
            "Variant" => tags.chess960 = true,
            "FEN" => tags.fen = value,
            _ => tags.further.push((name.to_owned(), value)),
        }
    }
    if tags.date.is_empty() {
        tags.date = started(event, round);
    }
    Ok(tags)
}

/// The day on which a round was started, where nobody has said on which it is played.
fn started(event: &Tournament, round: u16) -> String {
    let drawn = event.rounds.get(&round);
    let at = drawn.and_then(|drawn| drawn.started.parse::<Timestamp>().ok());
    let day = at.map(|at| at.to_zoned(TimeZone::system()).date());
    day.map_or_else(String::new, |day| day.strftime("%Y.%m.%d").to_string())
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

/// Where a player sits, or has sat, and whether his game there has begun.
pub(super) fn seats_of(event: &Tournament, player: u16) -> Vec<((u16, u16), bool)> {
    let rounds = event.rounds.iter();
    let all = rounds.flat_map(|(round, drawn)| drawn.pairings.iter().map(|p| (*round, p)));
    let his = all.filter(|(_, p)| [Some(p.white), p.black].contains(&Some(player)));
    his.filter_map(|(round, p)| Some(((round, p.table?), p.has_begun())))
        .collect()
}

/// Takes the pages of tables away at which a round has no game: it was drawn otherwise, or is none.
pub(super) fn take_away((of_event, event): (usize, &Tournament), round: u16, scribe: &Scribe) {
    for table in scribe.tables(of_event, round) {
        let pairing = event.pairing(round, table);
        let stays = |p: &Pairing| p.has_begun() || p.withdrawn || p.annulled;
        if !pairing.is_ok_and(stays) {
            scribe.keep(Page::Gone {
                of_event,
                round,
                table,
            });
        }
    }
}

/// The table that an act says something of, which stands in the PGN of its game.
pub(super) fn seat_in(act: &Act) -> Option<(u16, u16)> {
    match act {
        Act::Result { round, table, .. }
        | Act::Confirm { round, table }
        | Act::Withdraw { round, table, .. }
        | Act::Annul { round, table }
        | Act::Reinstate { round, table, .. }
        | Act::Moves { round, table, .. } => Some((*round, *table)),
        _ => None,
    }
}

/// A table of a round, and which of the store's events it is of.
pub(super) type Seat = (usize, (u16, u16));

impl Office {
    /// Writes the pages anew that a person's words have changed, and takes away those of tables at
    /// which there is no game any more.
    pub(super) fn renew(&self, done: &[Act], scribe: Scribe) {
        let mut seats: Vec<(u16, u16)> = done.iter().filter_map(seat_in).collect();
        let (book, number) = (self.book(), self.book().number());
        for act in done {
            let (players, drawn) = match act {
                Act::Describe { .. } => (book.event.players.keys().copied().collect(), None),
                Act::Draw { round, .. } | Act::Undraw { round } => (players_in(act), Some(*round)),
                act => (players_in(act), None),
            };
            if let Some(round) = drawn {
                take_away((number, &book.event), round, &scribe);
            }
            let has_page = |(round, table): &(u16, u16)| {
                let written = scribe.written(number, *round, *table);
                written.is_some()
            };
            let theirs = players.into_iter().flat_map(|n| seats_of(&book.event, n));
            seats.extend(
                theirs
                    .filter(|(seat, begun)| *begun || has_page(seat))
                    .map(|(seat, _)| seat),
            );
        }
        seats.sort_unstable();
        seats.dedup();
        self.write_anew(
            seats.into_iter().map(|seat| (number, seat)).collect(),
            scribe,
        );
    }

    pub(super) fn write_anew(&self, seats: Vec<Seat>, scribe: Scribe) {
        if seats.is_empty() || tokio::runtime::Handle::try_current().is_err() {
            return;
        }
        let office = self.clone();
        tokio::task::spawn_blocking(move || {
            // Whoever comes second sees at least what the first has seen.
            let _one_at_a_time = office.renewing.lock();
            let book = office.book();
            for (of_event, (round, table)) in seats {
                let event = book.nth(Some(of_event));
                match event.and_then(|event| page(event, round, table, &office.store)) {
                    Ok(text) => scribe.keep(Page::Table {
                        of_event,
                        round,
                        table,
                        text,
                    }),
                    Err(error) => tracing::error!(round, table, %error, "PGN not written"),
                }
            }
        });
    }
}

//! Pairings are loaded from a pairing program's file.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use sha2::{Digest, Sha256};
use tournament::what;
use tournament::{Place, Plan, Refusal, Sheet, Tournament, Unplanned, load};

use super::{Office, OfficeError};
use crate::journal;
use crate::pgn;
use crate::store::Author;

/// What is to be loaded.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Request {
    /// The file.
    pub file: Vec<u8>,
    /// A report file that has the players, where the file itself has their numbers only.
    pub players: Option<Vec<u8>>,
    /// In which encoding both are; else it is found out.
    pub encoding: Option<String>,
    /// The round; else the file says it.
    pub round: Option<u16>,
    /// The round where neither says it.
    pub or_round: Option<u16>,
    /// Only these tables.
    pub tables: Option<RangeInclusive<u16>>,
    /// Say what would be done, and do nothing.
    pub dry_run: bool,
}

/// What was loaded, or would be.
#[derive(Clone, PartialEq, Debug)]
pub struct Loaded {
    /// What it does.
    pub plan: Plan,
    /// The event with it.
    pub after: Tournament,
    /// Whether the file itself says which round that is.
    pub says_round: bool,
}

/// Why a file was not loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It cannot be understood.
    #[error(transparent)]
    Unreadable(#[from] load::Unreadable),
    /// It cannot be done as the event stands; with the line that asks for it, where one does.
    #[error("{0}")]
    Refused(Refusal, Option<usize>),
    /// It could not be done.
    #[error(transparent)]
    Office(#[from] OfficeError),
}

impl From<Unplanned> for LoadError {
    fn from(error: Unplanned) -> LoadError {
        match error {
            Unplanned::Unreadable(unreadable) => LoadError::Unreadable(unreadable),
            Unplanned::Refused { refusal, line } => LoadError::Refused(refusal, line),
        }
    }
}

impl Office {
    /// Loads a file; its bytes are kept. To load it again changes nothing.
    ///
    /// # Errors
    /// Where it cannot be understood, or cannot be done; nothing is changed then.
    pub async fn load(&self, author: &Author, request: Request) -> Result<Loaded, LoadError> {
        let request = in_known_encoding(request, &self.book().event);
        let (sheet, round) = read(&request)?;
        let held = self.book.clone().lock_owned().await;
        let place = Place {
            round: request.round,
            tables: request.tables,
            file: Some(name(&request.file)),
            players_file: request.players.as_deref().map(name),
            encoding: request.encoding.clone(),
        };
        let before = held.with_boards();
        let plan = Plan::of(&before, &sheet, &place)?;
        let mut after = before;
        let done = plan.acts.iter().try_for_each(|act| after.apply(act));
        done.map_err(|refusal| LoadError::Refused(refusal, None))?;
        if !request.dry_run && !plan.acts.is_empty() {
            let files = request.players.into_iter().chain([request.file]);
            let files = files.map(|bytes| journal::Act::File {
                name: name(&bytes),
                bytes: bytes.into(),
            });
            self.act_in(held, author, &plan.acts, files.collect())
                .await?;
        }
        let says_round = round == Some(plan.round);
        Ok(Loaded {
            plan,
            after,
            says_round,
        })
    }
}

/// The same bytes are in the encoding in which somebody has said before that they are, unless he
/// says another now.
fn in_known_encoding(request: Request, event: &Tournament) -> Request {
    let known = |bytes: &[u8]| {
        let name = name(bytes);
        let files = event.rounds.values().rev().flat_map(|round| &round.files);
        let mut same = files.filter(|source| source.file == name);
        same.next().and_then(|source| source.encoding.clone())
    };
    let said = request.encoding.clone();
    let players = || request.players.as_deref().and_then(known);
    let encoding = said.or_else(|| known(&request.file)).or_else(players);
    Request {
        encoding,
        ..request
    }
}

/// A file with the players of the other, where it has their numbers only; and the round that it
/// says itself.
fn read(request: &Request) -> Result<(Sheet, Option<u16>), load::Unreadable> {
    let text = |bytes: &[u8]| match &request.encoding {
        Some(encoding) => load::in_utf8(bytes, encoding),
        None => Ok(bytes.to_vec()),
    };
    let file = text(&request.file)?;
    let mut sheet = load::read(&file, request.round)?;
    if let Some(players) = &request.players {
        let read = text(players).and_then(|text| load::players(&text));
        sheet.complete(read.map_err(load::Unreadable::of_players)?);
    }
    starts(&sheet)?;
    // Where a round is asked for, that is what is read. A file that cannot be read without that has
    // several, and says so.
    let said = match request.round {
        Some(round) => load::read(&file, None).map_or(Some(round), |sheet| sheet.round),
        None => sheet.round,
    };
    sheet.round = sheet.round.or(request.or_round);
    let byes = sheet.take_byes(request.round.or(sheet.round));
    byes.map_err(load::Unreadable::of_players)?;
    Ok((sheet, said))
}

/// Whether games can be played from where a file says that they start.
///
/// # Errors
/// With the games from whose start none can.
pub fn starts(sheet: &Sheet) -> Result<(), load::Unreadable> {
    let mut wrong = load::Unreadable(Vec::new());
    for game in &sheet.games {
        let Some(start) = game.start.as_ref().filter(|start| !start.fen.is_empty()) else {
            continue;
        };
        if pgn::position(&start.fen, start.chess960).is_none() {
            let what = what!(
                "no-start",
                "no game can start from the position `{found}`",
                found = start.fen
            );
            wrong.add(game.start_line.unwrap_or(game.line), 1, what);
        }
    }
    wrong.unless(())
}

/// A kept file in an encoding that can be found out: as it is, or in UTF-8 where somebody has said
/// in which it is.
pub(super) fn decoded<'b>(bytes: &'b [u8], encoding: Option<&str>) -> Cow<'b, [u8]> {
    let read = encoding.and_then(|encoding| load::in_utf8(bytes, encoding).ok());
    read.map_or(Cow::Borrowed(bytes), Cow::Owned)
}

/// What became of it, in the encoding of the file; in UTF-8, with the name of the encoding, where
/// that has no sign for something in it: of a file in another encoding a program shows some names
/// wrongly, of none it shows nothing.
pub(super) fn encoded(
    file: &[u8],
    encoding: Option<&str>,
    text: Vec<u8>,
) -> (Vec<u8>, Option<String>) {
    let Some(encoding) = encoding else {
        let is_text = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok();
        let is_recoded = !is_text(file) && is_text(&text);
        return (text, is_recoded.then(|| "windows-1252".to_owned()));
    };
    match load::as_in(file, encoding, &text) {
        Ok(bytes) => (bytes, None),
        Err(_) => (text, Some(encoding.to_owned())),
    }
}

/// The SHA-256 of a file in hexadecimal digits: its name in the store.
pub(crate) fn name(bytes: &[u8]) -> String {
    let sum = Sha256::digest(bytes);
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

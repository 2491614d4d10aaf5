//! The games on disk: one SQLite file, `arbiter.sqlite`. The events of a game are the truth, and so
//! are the acts of people; the rest is derived.

mod acts;
mod aside;
mod erase;
mod log;
mod mend;
mod over;
mod read;
mod schema;
mod seal;
mod whose;
mod written;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use arbiter_core::ruling::GameResult;
use arbiter_core::settings::Language;
use arbiter_core::{Arbiter, Event, Input, Time};
use rusqlite::{Connection, OptionalExtension, Row};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use acts::Raw;
pub use acts::{Area, Author, Deed, Deeds};
pub use aside::Erased;
pub use erase::{Erasure, Renamed};
pub use log::{Head, Said};
pub use mend::{Placed, Verdict, back_up, back_up_into, put_back, repair, verify};
pub use read::Damage;
pub use written::WRITTEN;

pub(crate) use acts::enter;
pub(crate) use acts::enter_raw;
pub(crate) use aside::checksums;
pub(crate) use erase::{erase, wipe};
pub(crate) use log::{Kind, begin_mirror, head, mark, note, note_game, open_mirror, renew};
pub(crate) use mend::{create_dir, open_private, open_sound};
pub(crate) use seal::{ENDING, MEMORY, OPENING, PLACE, reseal};
pub(crate) use whose::{MIRRORS, is_no_mirror, may_use};
pub(crate) use written::Written;

use crate::hall::{self, View};
use crate::mating::Follower;
use crate::pgn;

/// The file's name within the store's directory.
pub const FILE: &str = "arbiter.sqlite";

/// What a game is called and who plays it. Empty text means unknown.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Tags {
    /// The tournament or match.
    pub event: String,
    /// The place.
    pub site: String,
    /// The day, as `2026.11.21`.
    pub date: String,
    /// The round.
    pub round: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Of a game of a round, what else is known of it: names and values of PGN tags.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<(String, String)>,
}

/// One game of the store, without its events.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Game")]
pub struct GameRow {
    /// The game's name, such as `2026-11-21-b01-1`.
    pub id: String,
    /// The board it is played on.
    pub board: String,
    /// Names and places.
    #[serde(flatten)]
    pub tags: Tags,
    /// When it was set up, in RFC 3339.
    pub started: String,
    /// When it got its result, in RFC 3339.
    pub ended: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` while there is none.
    #[schemars(with = "GameResult")]
    pub result: String,
    /// Half-moves in the record.
    pub plies: u32,
    /// It was annulled at its table: it counts for nothing, and another is played there.
    pub annulled: bool,
    /// What of the game on disk is not what was written, as far as was looked.
    pub damage: Option<Damage>,
}

impl From<&Tags> for pgn::Tags {
    fn from(tags: &Tags) -> pgn::Tags {
        pgn::Tags {
            event: tags.event.clone(),
            site: tags.site.clone(),
            date: tags.date.clone(),
            round: tags.round.clone(),
            white: tags.white.clone(),
            black: tags.black.clone(),
            further: tags.further.clone(),
            ..pgn::Tags::default()
        }
    }
}

/// What was said of a game that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The version of the program that said it.
    pub version: String,
    /// The game as consoles were shown it, as JSON.
    pub view: String,
    /// The game as PGN.
    pub pgn: String,
}

impl Ending {
    /// What is said of a game by this version of the program.
    pub fn of(tags: &pgn::Tags, view: &View) -> Result<Ending, StoreError> {
        Ok(Ending {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            view: serde_json::to_string(view)?,
            pgn: pgn::render(tags, view),
        })
    }
}

/// One game of the store with everything that was told to the arbiter.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// Its entry.
    pub row: GameRow,
    /// Its events, the setup first; where the game is damaged, those before the damage.
    pub events: Vec<Event>,
    /// When each of them was written down, in milliseconds since 1970.
    pub walls: Vec<i64>,
    /// What was said of it, if it is over.
    pub ending: Option<Ending>,
}

impl Game {
    /// What the arbiter makes of the events.
    pub fn view(&self) -> Option<View> {
        self.view_in(None)
    }

    /// The same with its sentences in a language, whatever the event's is.
    pub fn view_in(&self, language: Option<Language>) -> Option<View> {
        hall::view(self.retold(language, |_, _| {}).arbiter(), None)
    }

    /// Tells the game again, with its sentences in a language; `heard` what the arbiter knew after
    /// each event.
    pub(crate) fn retold(
        &self,
        language: Option<Language>,
        mut heard: impl FnMut(&Event, &Arbiter),
    ) -> Follower {
        let mut follower = Follower::new();
        let mut said = Vec::new();
        for event in &self.events {
            let mut event = Cow::Borrowed(event);
            if let (Some(language), Input::Setup(_)) = (language, &event.input)
                && let Input::Setup(setup) = &mut event.to_mut().input
            {
                setup.options.language = language;
            }
            let _recorded_or_not = follower.handle(&event, &mut said);
            heard(&event, follower.arbiter());
        }
        follower
    }

    /// The game as it is shown: as it was told when it ended, or else as this version of the
    /// program reads it. `None` when its events hold no setup.
    pub fn told(&self) -> Result<Option<Value>, StoreError> {
        Ok(match &self.ending {
            Some(ending) => Some(serde_json::from_str(&ending.view)?),
            None => self.view().as_ref().map(serde_json::to_value).transpose()?,
        })
    }

    /// The game as PGN; `None` when its events hold no setup. One that is damaged says so in a tag.
    pub fn pgn(&self) -> Option<String> {
        if let Some(ending) = &self.ending {
            return Some(ending.pgn.clone());
        }
        let mut tags = pgn::Tags::of(self);
        let damage = self.row.damage.iter();
        let damage = damage.map(|d| ("Damage".to_owned(), d.to_string()));
        tags.further.extend(damage);
        Some(pgn::render(&tags, &self.view()?))
    }

    /// The game as an event script: one JSON object a line. In it time never goes back: the arbiter
    /// took what lay before the event before it as of the same moment.
    pub fn script(&self) -> Result<String, StoreError> {
        let (mut text, mut last) = (String::new(), Time::ZERO);
        for event in &self.events {
            last = last.max(event.at);
            let event = Event {
                at: last,
                ..event.clone()
            };
            text.push_str(&serde_json::to_string(&event)?);
            text.push('\n');
        }
        Ok(text)
    }
}

/// How far a board's evidence is in the journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The board's serial number; empty where it tells none.
    pub serial: String,
    /// The board's run.
    pub boot: u16,
    /// Its first evidence not yet taken.
    pub next: u32,
    /// Added to the clock of that run to get the time of events, in milliseconds.
    pub shift: i64,
}

/// Why the store could not be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite refused.
    #[error("the game store failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A stored line is not what it should be.
    #[error("the game store holds a line that cannot be read: {0}")]
    Line(#[from] serde_json::Error),
    /// There is no store in the directory.
    #[error("there are no games in {0}: name the directory of the daemon's store with --dir")]
    Missing(PathBuf),
    /// The file is of a later version of the program.
    #[error(
        "the game store arbiter.sqlite was written by a newer arbiterd, or its first page is \
         damaged: use that version, a backup, or another directory"
    )]
    TooNew,
    /// The tables could not be brought up to date.
    #[error("the game store could not be brought up to date: {0}")]
    Migration(String),
    /// What was said of a game that is over is not what was written.
    #[error("what was said of it when it ended does not fit its checksum")]
    Ended,
    /// What is known of a board is not what was written.
    #[error("{0} does not fit its checksum")]
    Unsound(&'static str),
    /// The file is damaged, and nothing could be saved of it.
    #[error(
        "{0} is damaged ({1}): `arbiterd verify` says what is whole, `arbiterd repair` saves it"
    )]
    Damaged(PathBuf, String),
    /// The file cannot be looked at now; that says nothing about what is in it.
    #[error("{0} cannot be read or written ({1}): is the disk full, or its owner another?")]
    OutOfReach(PathBuf, rusqlite::Error),
    /// There is something where a store was to be written.
    #[error("there is something at {0}: name a new directory")]
    Occupied(PathBuf),
    /// A copy does not fit on its disk.
    #[error("{0}: there is no room on its disk: make some, or name a file on another disk")]
    Full(PathBuf),
    /// A file that is no copy of a store.
    #[error("{0} is no copy of a game store: name a file that `arbiterd backup` wrote")]
    NoCopy(PathBuf),
    /// The directory cannot be used.
    #[error("{0}: {1}; name a directory that can be written in [store] dir")]
    Directory(PathBuf, std::io::Error),
    /// Another program holds the directory; which, as far as it is known.
    #[error("another arbiterd uses {0}{1}: stop it, or give this one its own [store] dir")]
    InUse(PathBuf, String),
    /// A hub was to use the store of a hall.
    #[error(
        "{0} is a hall's store, with the games of its boards: give the hub a directory of its own \
         in [store] dir"
    )]
    OfHall(PathBuf),
    /// A hall was to use the store of a hub.
    #[error(
        "{0} is a hub's store, with its mirrors of halls: `arbiterd hub` uses it; give the hall a \
         directory of its own in [store] dir"
    )]
    OfHub(PathBuf),
    /// A mirror was to be used as a store of its own.
    #[error(
        "{0} is a hub's mirror of a hall, which the hub alone writes: `arbiterd repair` makes a \
         store of it in a directory of its own"
    )]
    OfMirror(PathBuf),
    /// The work was cut off by the end of the program.
    #[error("the program is ending")]
    Ending,
}

impl StoreError {
    /// Whether what was to be written does not fit what is there: that was changed, or not all of
    /// it is there.
    pub(crate) fn is_misfit(&self) -> bool {
        match self {
            StoreError::Unsound(_)
            | StoreError::Sqlite(
                rusqlite::Error::QueryReturnedNoRows | rusqlite::Error::StatementChangedRows(_),
            ) => true,
            StoreError::Sqlite(error) => {
                error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation)
            }
            _ => false,
        }
    }
}

/// Reads the games of one store; works beside a running daemon.
#[derive(Clone, Debug)]
pub struct Store {
    file: PathBuf,
}

impl Store {
    /// The store in `dir`, which must exist.
    pub fn open(dir: &Path) -> Result<Store, StoreError> {
        let file = dir.join(FILE);
        if file.is_file() {
            Ok(Store { file })
        } else {
            Err(StoreError::Missing(dir.to_owned()))
        }
    }

    /// All games, the newest first.
    pub fn games(&self) -> Result<Vec<GameRow>, StoreError> {
        let db = self.connect()?;
        let columns = read::columns(read::is_sealed(&db)?);
        let mut query = db.prepare(&format!("SELECT {columns} FROM games ORDER BY key DESC"))?;
        let rows = query.query_map([], read::entry)?;
        rows.map(|entry| Ok(entry?.row)).collect()
    }

    /// The games of which the last that was told is a result that is only proposed.
    pub(crate) fn proposed(&self) -> Result<BTreeSet<String>, StoreError> {
        let db = self.connect()?;
        let query = "SELECT id FROM games JOIN endings ON endings.game = games.key
             WHERE json_valid(view) AND json_extract(view, '$.result.proposed')";
        let mut query = db.prepare(query)?;
        let ids = query.query_map([], |r| r.get::<_, String>(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// One game with its events.
    pub fn game(&self, id: &str) -> Result<Option<Game>, StoreError> {
        let db = self.connect()?;
        let is_sealed = read::is_sealed(&db)?;
        let columns = read::columns(is_sealed);
        let query = format!("SELECT {columns} FROM games WHERE id = ?1");
        let found = db.query_row(&query, [id], read::entry).optional()?;
        let game = found.map(|entry| read::game(&db, entry, is_sealed));
        game.transpose()
    }

    /// The last `count` games of a board, the newest first. One whose entry is damaged is of the
    /// board that its setup names.
    pub fn latest(&self, board: &str, count: usize) -> Result<Vec<Game>, StoreError> {
        let db = self.connect()?;
        let is_sealed = read::is_sealed(&db)?;
        let (columns, unsound) = (read::columns(is_sealed), read::unsound(is_sealed));
        let query =
            format!("SELECT {columns} FROM games WHERE board = ?1 OR {unsound} ORDER BY key DESC");
        let mut query = db.prepare(&query)?;
        let mut rows = query.query([board])?;
        let mut games = Vec::new();
        while let (true, Some(row)) = (games.len() < count, rows.next()?) {
            let mut entry = read::entry(row)?;
            if !entry.is_sound {
                entry.row.board = read::owner(&db, &entry).unwrap_or(entry.row.board);
            }
            if entry.row.board == board {
                games.push(read::game(&db, entry, is_sealed)?);
            }
        }
        Ok(games)
    }

    /// The last game of each board, with its number in the store.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub(crate) fn last_of_each_board(&self) -> Result<Vec<(i64, Game)>, StoreError> {
        let db = self.connect()?;
        let is_sealed = read::is_sealed(&db)?;
        let columns = read::columns(is_sealed);
        let query = format!(
            "SELECT {columns} FROM games WHERE key IN (SELECT max(key) FROM games GROUP BY board)
             ORDER BY key"
        );
        let mut query = db.prepare(&query)?;
        let entries = query.query_map([], read::entry)?;
        let entries: Vec<read::Entry> = entries.collect::<Result<_, _>>()?;
        let game = |entry: read::Entry| Ok((entry.key, read::game(&db, entry, is_sealed)?));
        entries.into_iter().map(game).collect()
    }

    /// The games that are over with something left to be ruled on, the oldest first: of these, or
    /// of all.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn unruled(&self, among: Option<&[String]>) -> Result<Vec<Game>, StoreError> {
        // What is said of a game is JSON of our own making; what this finds is looked at again.
        let open = "(instr(view, '\"status\":\"open\"') OR NOT instr(view, '\"doubts\":[]'))";
        self.among(among, open)
    }

    /// The games of which nothing has been said yet that would hold once they are over: those that
    /// boards have at hand when a daemon runs. Of these, or of all; the oldest first.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn at_hand(&self, among: Option<&[String]>) -> Result<Vec<Game>, StoreError> {
        self.among(among, "endings.game IS NULL")
    }

    /// The games of which `condition` holds, of these, or of all; the oldest first.
    fn among(&self, among: Option<&[String]>, condition: &str) -> Result<Vec<Game>, StoreError> {
        let db = self.connect()?;
        let is_sealed = read::is_sealed(&db)?;
        let columns = read::columns(is_sealed);
        let query = format!(
            "SELECT {columns} FROM games LEFT JOIN endings ON endings.game = key
             WHERE (?1 IS NULL OR id IN (SELECT value FROM json_each(?1))) AND {condition}
             ORDER BY key"
        );
        let among = among.map(serde_json::to_string).transpose()?;
        let mut query = db.prepare(&query)?;
        let mut rows = query.query([among])?;
        let mut games = Vec::new();
        while let Some(row) = rows.next()? {
            games.push(read::game(&db, read::entry(row)?, is_sealed)?);
        }
        Ok(games)
    }

    /// When what a game was told by `at` on its board's clock was written down, in milliseconds
    /// since 1970; `None` where it was told nothing by then.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub(crate) fn wall(&self, game: &str, at: u64) -> Result<Option<i64>, StoreError> {
        let query = "SELECT wall FROM events WHERE game = (SELECT key FROM games WHERE id = ?1)
                     AND at <= ?2 ORDER BY seq DESC LIMIT 1";
        let at = i64::try_from(at).unwrap_or(i64::MAX);
        let db = self.connect()?;
        let found = db.query_row(query, rusqlite::params![game, at], |r| r.get(0));
        Ok(found.optional()?)
    }

    /// How far a board's evidence is in the journal; `None` when nothing is.
    pub fn place(&self, board: &str) -> Result<Option<Place>, StoreError> {
        let place = |r: &Row<'_>| {
            Ok(Place {
                serial: r.get(0)?,
                boot: r.get(1)?,
                next: r.get(2)?,
                shift: r.get(3)?,
            })
        };
        let columns = "serial, boot, next, shift";
        self.of_board("places", columns, seal::PLACE, board, place)
    }

    /// What was learned of a board; `None` when nothing was.
    pub fn memory(&self, board: &str) -> Result<Option<String>, StoreError> {
        self.of_board("memories", "text", seal::MEMORY, board, |r| r.get(0))
    }

    /// What `table` has of a board.
    fn of_board<T>(
        &self,
        table: &'static str,
        columns: &str,
        digest: &str,
        board: &str,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        let db = self.connect()?;
        let is_sound = match read::is_sealed(&db)? {
            true => format!("sum IS {digest}"),
            false => "true".to_owned(),
        };
        let query = format!("SELECT {columns}, {is_sound} AS sound FROM {table} WHERE board = ?1");
        let checked = |r: &Row<'_>| match r.get("sound")? {
            true => read(r).map(Some),
            false => Ok(None),
        };
        match db.query_row(&query, [board], checked).optional() {
            Ok(Some(None)) => Err(StoreError::Unsound(table)),
            Ok(found) => Ok(found.flatten()),
            Err(error) if read::is_damage(&error) => Err(StoreError::Unsound(table)),
            Err(error) => Err(error.into()),
        }
    }

    /// An unused name for a game on `board` that starts on the day `date` (`2026-11-21`).
    pub fn unused_id(&self, board: &str, date: &str) -> Result<String, StoreError> {
        let db = self.connect()?;
        let of_that_day =
            "SELECT count(*) FROM games WHERE board = ?1 AND substr(id, 1, length(?2)) = ?2";
        let count: u32 = db.query_row(of_that_day, [board, date], |r| r.get(0))?;
        let mut number = count + 1;
        let mut taken = db.prepare("SELECT 1 FROM games WHERE id = ?1")?;
        // A game whose entry is damaged may be none of the board's, and has its name all the same.
        while taken.exists([format!("{date}-{board}-{number}")])? {
            number += 1;
        }
        Ok(format!("{date}-{board}-{number}"))
    }

    /// Every file that was given to the program, with its name. What is damaged is not among them.
    pub(crate) fn files(&self) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        Ok(acts::files(&self.connect()?)?.0)
    }

    /// Copies of the store as it was before a change of its tables, or when it was damaged.
    pub(crate) fn copies(&self) -> std::io::Result<Vec<PathBuf>> {
        let dir = self.file.parent().unwrap_or(Path::new("."));
        let mut copies = Vec::new();
        for entry in std::fs::read_dir(dir)? {
            let entry = entry?;
            let name = entry.file_name();
            let rest = name.to_str().and_then(|name| name.strip_prefix(FILE));
            let is_copy = |rest: &str| {
                let ends = [".version-", ".damaged"];
                ends.into_iter().any(|end| rest.starts_with(end))
            };
            if rest.is_some_and(is_copy) {
                copies.push(entry.path());
            }
        }
        Ok(copies)
    }

    fn connect(&self) -> Result<Connection, StoreError> {
        mend::reader(&self.file)
    }
}

#[cfg(test)]
mod tests;

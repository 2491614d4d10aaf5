//! The games on disk: one SQLite file, `arbiter.sqlite`. The events of a game are the truth; the
//! rest is derived.

mod schema;

use std::path::{Path, PathBuf};

use arbiter_core::ruling::GameResult;
use arbiter_core::{Event, Input};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, ToSql};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use schema::migrate;

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
    /// Its events, the setup first.
    pub events: Vec<Event>,
    /// What was said of it, if it is over.
    pub ending: Option<Ending>,
}

impl Game {
    /// What the arbiter makes of the events.
    pub fn view(&self) -> Option<View> {
        let mut follower = Follower::new();
        let mut said = Vec::new();
        for event in &self.events {
            let _recorded_or_not = follower.handle(event, &mut said);
        }
        hall::view(follower.arbiter(), None)
    }

    /// The game as it is shown: as it was told when it ended, or else as this version of the
    /// program reads it. `None` when its events hold no setup.
    pub fn told(&self) -> Result<Option<Value>, StoreError> {
        Ok(match &self.ending {
            Some(ending) => Some(serde_json::from_str(&ending.view)?),
            None => self.view().as_ref().map(serde_json::to_value).transpose()?,
        })
    }

    /// The game as PGN; `None` when its events hold no setup.
    pub fn pgn(&self) -> Option<String> {
        if let Some(ending) = &self.ending {
            return Some(ending.pgn.clone());
        }
        let tags = pgn::Tags {
            chess960: self.is_chess960(),
            ..pgn::Tags::from(&self.row.tags)
        };
        Some(pgn::render(&tags, &self.view()?))
    }

    /// Whether castling follows Chess960.
    fn is_chess960(&self) -> bool {
        matches!(
            self.events.first(),
            Some(Event { input: Input::Setup(setup), .. }) if setup.chess960
        )
    }

    /// The game as an event script: one JSON object a line.
    pub fn script(&self) -> Result<String, StoreError> {
        let mut text = String::new();
        for event in &self.events {
            text.push_str(&serde_json::to_string(event)?);
            text.push('\n');
        }
        Ok(text)
    }
}

/// How far a board's evidence is in the journal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
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
        "the game store was written by a newer arbiterd: use that version, or another directory"
    )]
    TooNew,
    /// The tables could not be brought up to date.
    #[error("the game store could not be brought up to date: {0}")]
    Migration(String),
    /// The directory cannot be used.
    #[error("{0}: {1}; name a directory that can be written in [store] dir")]
    Directory(PathBuf, std::io::Error),
    /// Another daemon holds the directory.
    #[error("another arbiterd uses {0}: stop it, or give this one its own [store] dir")]
    InUse(PathBuf),
    /// The work was cut off by the end of the program.
    #[error("the program is ending")]
    Ending,
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
        let mut query = db.prepare(&format!("SELECT {ROW} FROM games ORDER BY key DESC"))?;
        let rows = query.query_map([], row)?;
        rows.map(|r| Ok(r?)).collect()
    }

    /// One game with its events.
    pub fn game(&self, id: &str) -> Result<Option<Game>, StoreError> {
        Ok(self.select("WHERE id = ?1", &[&id])?.pop())
    }

    /// The last `count` games of a board, the newest first.
    pub fn latest(&self, board: &str, count: u32) -> Result<Vec<Game>, StoreError> {
        self.select(
            "WHERE board = ?1 ORDER BY key DESC LIMIT ?2",
            &[&board, &count],
        )
    }

    /// How far a board's evidence is in the journal; `None` when nothing is.
    pub fn place(&self, board: &str) -> Result<Option<Place>, StoreError> {
        let query = "SELECT boot, next, shift FROM places WHERE board = ?1";
        let place = |r: &Row<'_>| {
            Ok(Place {
                boot: r.get(0)?,
                next: r.get(1)?,
                shift: r.get(2)?,
            })
        };
        Ok(self
            .connect()?
            .query_row(query, [board], place)
            .optional()?)
    }

    /// What was learned of a board; `None` when nothing was.
    pub fn memory(&self, board: &str) -> Result<Option<String>, StoreError> {
        let query = "SELECT text FROM memories WHERE board = ?1";
        Ok(self
            .connect()?
            .query_row(query, [board], |r| r.get(0))
            .optional()?)
    }

    /// An unused name for a game on `board` that starts on the day `date` (`2026-11-21`).
    pub fn unused_id(&self, board: &str, date: &str) -> Result<String, StoreError> {
        let of_that_day =
            "SELECT count(*) FROM games WHERE board = ?1 AND substr(id, 1, length(?2)) = ?2";
        let count: u32 = self
            .connect()?
            .query_row(of_that_day, [board, date], |r| r.get(0))?;
        Ok(format!("{date}-{board}-{}", count + 1))
    }

    fn select(&self, condition: &str, values: &[&dyn ToSql]) -> Result<Vec<Game>, StoreError> {
        let db = self.connect()?;
        let mut query = db.prepare(&format!("SELECT {ROW}, key FROM games {condition}"))?;
        let rows = query.query_map(values, |r| Ok((row(r)?, r.get("key")?)))?;
        let games = rows.map(|found| {
            let (row, key) = found?;
            Ok(Game {
                row,
                events: events(&db, key)?,
                ending: ending(&db, key)?,
            })
        });
        games.collect()
    }

    fn connect(&self) -> Result<Connection, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(&self.file, flags)?;
        db.busy_timeout(std::time::Duration::from_secs(5))?;
        Ok(db)
    }
}

const ROW: &str = "id, board, tags, started, ended, result, plies";

fn row(r: &Row<'_>) -> rusqlite::Result<GameRow> {
    let tags: String = r.get("tags")?;
    let tags = serde_json::from_str(&tags).map_err(|e| {
        rusqlite::Error::FromSqlConversionFailure(2, rusqlite::types::Type::Text, Box::new(e))
    })?;
    Ok(GameRow {
        id: r.get("id")?,
        board: r.get("board")?,
        tags,
        started: r.get("started")?,
        ended: r.get("ended")?,
        result: r.get("result")?,
        plies: r.get("plies")?,
    })
}

fn ending(db: &Connection, game: i64) -> Result<Option<Ending>, StoreError> {
    // A reader may come before the daemon has brought the tables up to date.
    let known = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'endings'";
    if db.query_row(known, [], |_| Ok(())).optional()?.is_none() {
        return Ok(None);
    }
    let query = "SELECT version, view, pgn FROM endings WHERE game = ?1";
    let ending = |r: &Row<'_>| {
        Ok(Ending {
            version: r.get(0)?,
            view: r.get(1)?,
            pgn: r.get(2)?,
        })
    };
    Ok(db.query_row(query, [game], ending).optional()?)
}

fn events(db: &Connection, game: i64) -> Result<Vec<Event>, StoreError> {
    let mut query = db.prepare_cached("SELECT line FROM events WHERE game = ?1 ORDER BY seq")?;
    let mut lines = query.query([game])?;
    let mut events = Vec::new();
    while let Some(line) = lines.next()? {
        events.push(serde_json::from_str(
            line.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?,
        )?);
    }
    Ok(events)
}

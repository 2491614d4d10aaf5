//! What was written, in its order: what a mirror of the store is made of.
//!
//! Every act of the journal that a mirror needs is a row of the table `log`, entered in the same
//! transaction. A row names what was written and has no copy of it, so that nothing is kept twice
//! and what is taken away from the store is nowhere else. What is overwritten later, such as the
//! result of a game, is read as it is by then.
//!
//! What does not leave the store: how far boards are, what was learned of them, and network
//! addresses. Accounts and sessions are in a file of their own (`people`).

use std::path::Path;

use replica::{BATCH, Earlier, Place, Row, Why};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::{FILE, Store, StoreError, acts, aside, mend, read, schema};

/// Bytes of the rows of a batch, about; a longer row is a batch of its own.
const BYTES: usize = 256 * 1024;

/// The tables.
pub(super) const LOG: &str = "CREATE TABLE log (
        seq  INTEGER PRIMARY KEY,            -- 1, 2, 3 ... without gaps
        mark INTEGER NOT NULL,               -- of chance: no two stores have the same
        kind INTEGER NOT NULL,
        what ANY NOT NULL                    -- the key of what was written
    ) STRICT;
    CREATE TABLE origin (                    -- one row: which store this is
        key     INTEGER PRIMARY KEY,
        epoch   TEXT NOT NULL,               -- its name, of chance
        earlier TEXT NOT NULL,               -- JSON: its names before
        mirror  INTEGER NOT NULL             -- 1: it is a hub's mirror of another store
    ) STRICT;";

/// What a row of the log is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A game began; its key.
    Game = 1,
    /// An event of a game; its id.
    Event = 2,
    /// What lists show of a game changed; its key.
    Outcome = 3,
    /// A game is over; its key.
    Ended = 4,
    /// It goes on after all; its key.
    Reopened = 5,
    /// Somebody did something; the number of the act.
    Act = 6,
    /// A file; its name.
    File = 7,
    /// In a mirror: what was no longer there to be mirrored.
    Nothing = 0,
}

impl Kind {
    fn of(number: i64) -> Option<Kind> {
        use Kind::{Act, Ended, Event, File, Game, Outcome, Reopened};
        let kinds = [Game, Event, Outcome, Ended, Reopened, Act, File];
        kinds.into_iter().find(|kind| *kind as i64 == number)
    }
}

/// What a row of the log says, as it is sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "row", rename_all = "kebab-case")]
pub enum Said {
    /// A game began.
    Game {
        /// Its number in the store.
        key: i64,
        /// Its name.
        id: String,
        /// Its board.
        board: String,
        /// Names and places, JSON as it was written.
        tags: String,
        /// When, in RFC 3339.
        started: String,
    },
    /// The arbiter was told something.
    Event {
        /// The game.
        game: i64,
        /// 0 for the setup, then 1, 2, 3 ...
        seq: u64,
        /// Milliseconds on the board's clock.
        at: u64,
        /// Milliseconds since 1970.
        wall: i64,
        /// As a line of an event script.
        line: String,
        /// The first 16 hexadecimal digits of its checksum, which covers all events before it.
        sum: String,
    },
    /// What lists show of a game.
    Outcome {
        /// The game.
        game: i64,
        /// When it got its result, in RFC 3339.
        ended: Option<String>,
        /// The result as in PGN.
        result: String,
        /// Half-moves.
        plies: u32,
    },
    /// What was said of a game that is over.
    Ended {
        /// The game.
        game: i64,
        /// The version of the program that said it.
        version: String,
        /// The game as consoles were shown it, as JSON.
        view: String,
        /// The game as PGN.
        pgn: String,
    },
    /// The game goes on after all.
    Reopened {
        /// The game.
        game: i64,
    },
    /// Somebody did something.
    Act(Box<acts::Raw>),
    /// A file that somebody gave.
    File {
        /// The SHA-256 of its bytes, in hexadecimal digits.
        name: String,
        /// All of it, in base64.
        bytes: String,
    },
    /// What was written was taken away or written over; a later row says what is there now.
    Nothing,
}

impl Said {
    fn bytes(&self) -> usize {
        match self {
            Said::Event { line, .. } => line.len(),
            Said::Ended { view, pgn, .. } => view.len() + pgn.len(),
            Said::Act(raw) => raw.bytes(),
            Said::File { bytes, .. } => bytes.len(),
            Said::Game { tags, .. } => tags.len(),
            Said::Outcome { .. } | Said::Reopened { .. } | Said::Nothing => 0,
        }
    }
}

/// Which journal a store has, and how long it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// Its end.
    pub at: Place,
    /// What it was called before.
    pub earlier: Vec<Earlier>,
    /// Whether the store is a hub's mirror.
    pub is_mirror: bool,
}

/// Enters in the log that something was written.
pub(crate) fn note(db: &Connection, kind: Kind, what: impl Into<Value>) -> rusqlite::Result<()> {
    db.prepare_cached("INSERT INTO log (mark, kind, what) VALUES (random(), ?1, ?2)")?
        .execute(params![kind as i64, what.into()])?;
    Ok(())
}

/// Enters that something of a game was written.
pub(crate) fn note_game(db: &Connection, kind: Kind, game: &str) -> rusqlite::Result<()> {
    let query = "SELECT key FROM games WHERE id = ?1";
    let key = db
        .prepare_cached(query)?
        .query_row([game], |r| r.get::<_, i64>(0));
    note(db, kind, key?)
}

/// The log of what a store has already, whatever was in it before.
pub(super) fn fill(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch(
        "DELETE FROM log;
         DELETE FROM origin;
         INSERT INTO origin VALUES (1, lower(hex(randomblob(16))), '[]', 0);",
    )?;
    for (kind, all) in [
        (Kind::Game, "SELECT key FROM games ORDER BY key"),
        (Kind::Event, "SELECT id FROM events ORDER BY id"),
        (Kind::Outcome, "SELECT key FROM games ORDER BY key"),
        (Kind::Ended, "SELECT game FROM endings ORDER BY game"),
        (Kind::File, "SELECT name FROM files ORDER BY name"),
        (Kind::Act, "SELECT number FROM acts ORDER BY number"),
    ] {
        let fill = format!(
            "INSERT INTO log (mark, kind, what) SELECT random(), {}, *",
            kind as i64
        );
        db.execute(&format!("{fill} FROM ({all})"), [])?;
    }
    Ok(())
}

/// Gives the journal another name: it cannot go on where a hub knows it.
pub(crate) fn renew(db: &Connection, why: Why) -> rusqlite::Result<()> {
    let failed = |error: serde_json::Error| rusqlite::Error::ToSqlConversionFailure(error.into());
    let query = "SELECT epoch, earlier FROM origin";
    let (epoch, earlier): (String, String) =
        db.query_row(query, [], |r| Ok((r.get(0)?, r.get(1)?)))?;
    let mut earlier: Vec<Earlier> = serde_json::from_str(&earlier).unwrap_or_default();
    earlier.push(Earlier { epoch, why });
    let earlier = serde_json::to_string(&earlier).map_err(failed)?;
    let write = "UPDATE origin SET epoch = lower(hex(randomblob(16))), earlier = ?1";
    db.execute(write, [earlier]).map(drop)
}

/// Gives the log of a repaired store the names that the damaged one had, where they can be read.
pub(super) fn keep_names(old: &Connection, new: &Connection) -> rusqlite::Result<()> {
    let query = "SELECT epoch, earlier FROM origin";
    let read = |r: &rusqlite::Row<'_>| Ok((r.get::<_, String>(0)?, r.get::<_, String>(1)?));
    let Ok((epoch, earlier)) = old.query_row(query, [], read) else {
        return Ok(());
    };
    new.execute(
        "UPDATE origin SET epoch = ?1, earlier = ?2",
        [epoch, earlier],
    )?;
    renew(new, Why::Other)
}

/// Begins a mirror of the journal `epoch` in `dir`, where no store is.
pub(crate) fn begin_mirror(dir: &Path, epoch: &str) -> Result<Connection, StoreError> {
    mend::create_dir(dir)?;
    let mut db = mend::open_private(&dir.join(FILE))?;
    schema::migrate(&mut db)?;
    db.execute("UPDATE origin SET epoch = ?1, mirror = 1", [epoch])?;
    Ok(db)
}

/// The mirror in `dir`, to be written; `None` where what is there is none, or not whole.
pub(crate) fn open_mirror(dir: &Path) -> Result<Option<Connection>, StoreError> {
    let file = dir.join(FILE);
    let is_whole = match mend::is_whole(&file) {
        Err(StoreError::Sqlite(error)) if read::is_damage(&error) => false,
        looked => looked?,
    };
    if !is_whole || !is_mirror(&mend::reader(&file)?)? {
        return Ok(None);
    }
    let mut db = mend::open_private(&file)?;
    schema::migrate(&mut db)?;
    Ok(Some(db))
}

/// Gives the row that was entered last its mark; `Err` where that is not the row `seq`.
pub(crate) fn mark(db: &Connection, seq: u64, mark: i64) -> Result<(), StoreError> {
    let write = "UPDATE log SET mark = ?2 WHERE seq = ?1 AND seq = (SELECT max(seq) FROM log)";
    let written = db
        .prepare_cached(write)?
        .execute([seq.cast_signed(), mark])?;
    match written {
        1 => Ok(()),
        _ => Err(StoreError::Unsound("the order of the log")),
    }
}

/// Whether this is a hub's mirror. No store of an earlier version is one.
pub(super) fn is_mirror(db: &Connection) -> Result<bool, StoreError> {
    let known = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'origin'";
    if !db.prepare(known)?.exists([])? {
        return Ok(false);
    }
    let is_mirror = db.query_row("SELECT mirror FROM origin", [], |r| r.get(0));
    Ok(is_mirror.optional()?.unwrap_or(false))
}

/// Where the journal of a store ends.
pub(crate) fn head(db: &Connection) -> Result<Head, StoreError> {
    let query = "SELECT epoch, earlier, mirror FROM origin";
    let read =
        |r: &rusqlite::Row<'_>| Ok((r.get::<_, String>(0)?, r.get::<_, String>(1)?, r.get(2)?));
    let (epoch, earlier, is_mirror) = db.query_row(query, [], read)?;
    let last = "SELECT seq, mark FROM log ORDER BY seq DESC LIMIT 1";
    let last = db.query_row(last, [], |r| Ok((r.get::<_, i64>(0)?, r.get(1)?)));
    let (seq, mark) = last.optional()?.unwrap_or((0, 0));
    Ok(Head {
        at: Place {
            epoch,
            seq: seq.cast_unsigned(),
            mark,
        },
        earlier: serde_json::from_str(&earlier)?,
        is_mirror,
    })
}

impl Store {
    /// The first name of the journal: that of the store before any of its copies or repairs.
    ///
    /// # Errors
    /// Where the store cannot be read, or no version that keeps a log has opened it yet.
    pub fn first_name(&self) -> Result<String, StoreError> {
        let Head { at, earlier, .. } = self.head()?;
        let first = earlier.into_iter().next();
        Ok(first.map_or(at.epoch, |earlier| earlier.epoch))
    }

    /// Where the journal ends.
    ///
    /// # Errors
    /// Where the store cannot be read, or no version that keeps a log has opened it yet.
    pub fn head(&self) -> Result<Head, StoreError> {
        head(&self.connect()?)
    }

    /// The next rows after this place; `None` where the journal has no such place.
    ///
    /// # Errors
    /// Where the store cannot be read, or a row of it.
    pub fn rows(&self, after: &Place) -> Result<Option<Vec<Row<Said>>>, StoreError> {
        let db = mend::reader(&self.file)?;
        if !has(&db, after)? {
            return Ok(None);
        }
        let query = "SELECT mark, kind, what FROM log WHERE seq > ?1 ORDER BY seq LIMIT ?2";
        let mut query = db.prepare(query)?;
        let mut found = query.query(params![after.seq.cast_signed(), BATCH as i64])?;
        let (mut rows, mut bytes) = (Vec::new(), 0);
        while let Some(row) = found.next()? {
            let what = said(&db, row.get(1)?, &row.get(2)?)?;
            bytes += what.bytes();
            if bytes > BYTES && !rows.is_empty() {
                break;
            }
            let mark = row.get(0)?;
            rows.push(Row { mark, what });
        }
        Ok(Some(rows))
    }

    /// How many rows the journal has, and when the events up to that one were written, in
    /// milliseconds since 1970; `None` where none was an event.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn written_by(&self, seq: u64) -> Result<Option<i64>, StoreError> {
        let query = "SELECT wall FROM events WHERE id = (SELECT what FROM log
                     WHERE seq <= ?1 AND kind = ?2 ORDER BY seq DESC LIMIT 1)";
        let db = self.connect()?;
        let found = db.query_row(query, [seq.cast_signed(), Kind::Event as i64], |r| r.get(0));
        Ok(found.optional()?)
    }

    /// When the events after that row were written, as many as are asked for: each with its row, in
    /// milliseconds since 1970.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub(crate) fn times(&self, after: u64, most: usize) -> Result<Vec<(u64, i64)>, StoreError> {
        let query = "SELECT log.seq, events.wall FROM log JOIN events ON events.id = log.what
                     WHERE log.seq > ?1 AND log.kind = ?2 ORDER BY log.seq LIMIT ?3";
        let db = self.connect()?;
        let mut query = db.prepare(query)?;
        let asked = params![after.cast_signed(), Kind::Event as i64, most as i64];
        let time = |r: &rusqlite::Row<'_>| Ok((r.get::<_, i64>(0)?.cast_unsigned(), r.get(1)?));
        let times = query.query_map(asked, time)?;
        Ok(times.collect::<Result<_, _>>()?)
    }
}

/// Whether the journal has this place.
fn has(db: &Connection, place: &Place) -> Result<bool, StoreError> {
    let is_epoch = "SELECT 1 FROM origin WHERE epoch = ?1";
    let is_row = "SELECT 1 FROM log WHERE seq = ?1 AND mark = ?2";
    let row = [place.seq.cast_signed(), place.mark];
    Ok(db.prepare(is_epoch)?.exists([&place.epoch])?
        && (place.seq == 0 && place.mark == 0 || db.prepare(is_row)?.exists(row)?))
}

/// What a row says.
fn said(db: &Connection, kind: i64, what: &Value) -> Result<Said, StoreError> {
    let found = match Kind::of(kind) {
        Some(Kind::Game) => game(db, what),
        Some(Kind::Event) => event(db, what),
        Some(Kind::Outcome) => outcome(db, what),
        Some(Kind::Ended) => ended(db, what),
        Some(Kind::Reopened) => match what {
            Value::Integer(game) => Ok(Some(Said::Reopened { game: *game })),
            _ => Ok(None),
        },
        Some(Kind::Act) => return Ok(acts::raw(db, what)?.map_or(Said::Nothing, Said::Act)),
        Some(Kind::File) => file(db, what),
        Some(Kind::Nothing) | None => Ok(None),
    };
    Ok(found?.unwrap_or(Said::Nothing))
}

fn game(db: &Connection, key: &Value) -> rusqlite::Result<Option<Said>> {
    let query = "SELECT key, id, board, tags, started FROM games WHERE key = ?1";
    let mut query = db.prepare_cached(query)?;
    let game = query.query_row([key], |r| {
        Ok(Said::Game {
            key: r.get(0)?,
            id: r.get(1)?,
            board: r.get(2)?,
            tags: r.get(3)?,
            started: r.get(4)?,
        })
    });
    game.optional()
}

fn event(db: &Connection, id: &Value) -> rusqlite::Result<Option<Said>> {
    let query = "SELECT game, seq, at, wall, line, substr(hex(sum), 1, 16) FROM events
                 WHERE id = ?1";
    let mut query = db.prepare_cached(query)?;
    let event = query.query_row([id], |r| {
        Ok(Said::Event {
            game: r.get(0)?,
            seq: r.get::<_, i64>(1)?.cast_unsigned(),
            at: r.get::<_, i64>(2)?.cast_unsigned(),
            wall: r.get(3)?,
            line: r.get(4)?,
            sum: r.get(5)?,
        })
    });
    event.optional()
}

fn outcome(db: &Connection, key: &Value) -> rusqlite::Result<Option<Said>> {
    let query = "SELECT key, ended, result, plies FROM games WHERE key = ?1";
    let mut query = db.prepare_cached(query)?;
    let outcome = query.query_row([key], |r| {
        Ok(Said::Outcome {
            game: r.get(0)?,
            ended: r.get(1)?,
            result: r.get(2)?,
            plies: r.get(3)?,
        })
    });
    outcome.optional()
}

fn ended(db: &Connection, key: &Value) -> rusqlite::Result<Option<Said>> {
    let query = "SELECT game, version, view, pgn FROM endings WHERE game = ?1";
    let mut query = db.prepare_cached(query)?;
    let ended = query.query_row([key], |r| {
        Ok(Said::Ended {
            game: r.get(0)?,
            version: r.get(1)?,
            view: r.get(2)?,
            pgn: r.get(3)?,
        })
    });
    ended.optional()
}

fn file(db: &Connection, name: &Value) -> rusqlite::Result<Option<Said>> {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    let mut query = db.prepare_cached("SELECT name, bytes FROM files WHERE name = ?1")?;
    let file = query.query_row([name], |r| {
        Ok(Said::File {
            name: r.get(0)?,
            bytes: STANDARD.encode(r.get::<_, Vec<u8>>(1)?),
        })
    });
    file.optional()
}

/// What an act says of people, less network addresses.
pub(super) fn beside(db: &Connection, what: &str) -> rusqlite::Result<Vec<[String; 3]>> {
    let mut query = db.prepare_cached("SELECT name, salt, text FROM aside WHERE name = ?1")?;
    let mut all = Vec::new();
    for name in aside::names(what) {
        let row = query.query_row([name], |r| Ok([r.get(0)?, r.get(1)?, r.get(2)?]));
        all.extend(row.optional()?);
    }
    Ok(all)
}

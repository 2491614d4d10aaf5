//! What must be there: beside the journal's file stands how many events of each game are in it, and
//! what the game is called.
//!
//! SQLite takes a log that was lost, or whose last commit is damaged, for one that was never
//! written. Games that were begun in it, and events that were entered in it, would be gone without
//! a word. So what is committed is counted here once more. A record is written after the commit and
//! before anybody hears of it: it never claims what the journal did not have. The system's cache
//! survives the death of the program; for the sake of a power cut a record is forced to the disk
//! when its game begins, and counts written since may be behind.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, params};

use super::read::Damage;
use super::{StoreError, log, read, seal};

/// The file's name within the store's directory.
pub const WRITTEN: &str = "arbiter.written";
/// Bytes of a record; no page of the disk or of the cache has a part of one.
const RECORD: usize = 256;
/// Where its parts begin: the events, the length of the name, the name; the checksum is at the end.
const LENGTH: usize = 8;
const NAME: usize = 9;
const SUM: usize = RECORD - 32;

/// What must be there of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    /// The game's name.
    pub(super) game: String,
    /// Its events.
    pub(super) count: u64,
}

/// Games by their number in the journal, from 1; the record of each has its place in the file.
pub(super) type Marks = BTreeMap<i64, Mark>;

impl Mark {
    /// `None` where the name is longer than any board's id lets it be.
    fn record(&self, key: i64) -> Option<[u8; RECORD]> {
        let mut record = [0; RECORD];
        record[..LENGTH].copy_from_slice(&self.count.to_le_bytes());
        record[LENGTH] = u8::try_from(self.game.len()).ok()?;
        let name = record[NAME..SUM].get_mut(..self.game.len())?;
        name.copy_from_slice(self.game.as_bytes());
        let sum = sum(key, &record);
        record[SUM..].copy_from_slice(&sum);
        Some(record)
    }

    /// `None` where the record is damaged, or was never written.
    fn of(key: i64, record: &[u8]) -> Option<Mark> {
        if sum(key, record)[..] != record[SUM..] {
            return None;
        }
        let name = record[NAME..SUM].get(..usize::from(record[LENGTH]))?;
        Some(Mark {
            game: String::from_utf8(name.to_vec()).ok()?,
            count: u64::from_le_bytes(*record.first_chunk()?),
        })
    }
}

fn sum(key: i64, record: &[u8]) -> seal::Sum {
    seal::digest([ValueRef::Integer(key), ValueRef::Blob(&record[..SUM])])
}

/// What must be in the store in `dir`; nothing where nothing says so. A daemon writes on: whoever
/// compares reads this first, and the store after it.
pub(super) fn marks(dir: &Path) -> Marks {
    let records = fs::read(dir.join(WRITTEN)).unwrap_or_default();
    let records = (1..).zip(records.chunks_exact(RECORD));
    let marks = records.filter_map(|(key, record)| Some((key, Mark::of(key, record)?)));
    marks.collect()
}

/// Marks that are those of the store. Those of another one, whose file was put here, say nothing.
pub(super) fn of_store(db: &Connection, marks: Marks) -> Result<Marks, StoreError> {
    if !read::is_sealed(db)? {
        return Ok(Marks::new());
    }
    let name = format!(
        "SELECT id FROM games WHERE key = ?1 AND seal IS {}",
        seal::SEAL
    );
    let is_other = |(key, mark): (&i64, &Mark)| {
        let found = db.prepare_cached(&name).and_then(|mut name| {
            let found = name.query_row([key], |r| r.get::<_, String>(0));
            found.optional()
        });
        matches!(found, Ok(Some(found)) if found != mark.game)
    };
    if marks.iter().any(is_other) {
        tracing::warn!(file = WRITTEN, "is of another store, and is not used");
        return Ok(Marks::new());
    }
    Ok(marks)
}

/// What a game has lost of which `events` are there; `None` where that is all that must be.
pub(super) fn lost(mark: Option<&Mark>, events: u64) -> Option<Damage> {
    let mark = mark.filter(|mark| mark.count > events)?;
    let what = format!(
        "{} events were written, and the log that had them is lost",
        mark.count
    );
    Some(Damage::new(Some(events), what))
}

/// Says of every game that is not in the store, or not to its last event, that it is damaged. What
/// is wrong with an entry that is not sound is said anyway.
pub(super) fn say_what_is_lost(db: &Connection, marks: &Marks) -> Result<(), StoreError> {
    let query = format!(
        "SELECT count FROM games WHERE key = ?1 AND damage IS NULL AND seal IS {}",
        seal::SEAL
    );
    for (key, mark) in marks {
        begin_again(db, *key, mark)?;
        let count = db.prepare_cached(&query)?.query_row([key], |r| r.get(0));
        let count: Option<i64> = count.optional()?;
        let Some(damage) = count.and_then(|count| lost(Some(mark), count.cast_unsigned())) else {
            continue;
        };
        tracing::error!(game = mark.game, %damage, "the game store was damaged");
        let damage = serde_json::to_string(&damage)?;
        let write = "UPDATE games SET damage = ?2 WHERE key = ?1";
        db.execute(write, params![key, damage])?;
        seal::reseal(db, &mark.game)?;
    }
    Ok(())
}

/// Enters a game anew whose entry is lost.
fn begin_again(db: &Connection, key: i64, mark: &Mark) -> rusqlite::Result<()> {
    let board = read::board_of(&mark.game).unwrap_or_default();
    let begin = format!(
        "INSERT OR IGNORE INTO games (key, id, board, tags, started, head)
         SELECT key, id, board, tags, started, {} FROM (SELECT ?1 AS key, ?2 AS id, ?3 AS board,
            '{{}}' AS tags, '' AS started)",
        seal::OPENING
    );
    match db
        .prepare_cached(&begin)?
        .execute(params![key, mark.game, board])?
    {
        0 => Ok(()),
        _ => {
            seal::reseal(db, &mark.game)?;
            log::note(db, log::Kind::Game, key)
        }
    }
}

/// The file, to be written.
#[derive(Debug)]
pub(crate) struct Written {
    file: File,
    path: PathBuf,
}

impl Written {
    /// Counts what the store in `dir` has, whatever was counted before.
    pub(super) fn anew(db: &Connection, dir: &Path) -> Result<Written, StoreError> {
        let path = dir.join(WRITTEN);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.mode(0o600).open(&path);
        let file = file.map_err(|e| StoreError::Directory(path.clone(), e))?;
        let written = Written { file, path };
        let last = "SELECT ifnull(max(key), 0) FROM games";
        let last: i64 = db.query_row(last, [], |r| r.get(0))?;
        let sound = format!("SELECT id FROM games WHERE seal IS {}", seal::SEAL);
        let mut sound = db.prepare(&sound)?;
        let sound = sound.query_map([], |r| r.get::<_, String>(0))?;
        let sound: Vec<String> = sound.collect::<Result<_, _>>()?;
        written.count(db, sound.iter().map(|game| (&**game, false)));
        let settled = written
            .file
            .set_len(place(last + 1) as u64)
            .and_then(|()| written.file.sync_all())
            .and_then(|()| File::open(dir)?.sync_all());
        written.warn("all", settled);
        Ok(written)
    }

    /// Counts what was just committed of these games. What cannot be counted now, for want of room
    /// on the disk, is when the game goes on.
    pub(crate) fn count<'a>(&self, db: &Connection, games: impl Iterator<Item = (&'a str, bool)>) {
        for (game, begins) in games {
            self.warn(game, self.count_one(db, game, begins));
        }
    }

    fn warn(&self, game: &str, counted: io::Result<()>) {
        if let Err(error) = counted {
            tracing::warn!(game, file = %self.path.display(), %error, "events are not counted");
        }
    }

    fn count_one(&self, db: &Connection, game: &str, begins: bool) -> io::Result<()> {
        let query = "SELECT key, count FROM games WHERE id = ?1";
        let found = db.prepare_cached(query).and_then(|mut query| {
            query.query_row([game], |r| Ok((r.get::<_, i64>(0)?, r.get::<_, i64>(1)?)))
        });
        let (key, count) = found.map_err(io::Error::other)?;
        let mark = Mark {
            game: game.to_owned(),
            count: count.cast_unsigned(),
        };
        let Some(record) = mark.record(key) else {
            return Ok(());
        };
        let at = place(key) as u64;
        let mut stood = [0; RECORD];
        if self.file.read_exact_at(&mut stood, at).is_ok() && stood == record {
            return Ok(());
        }
        self.file.write_all_at(&record, at)?;
        if begins {
            self.file.sync_data()
        } else {
            Ok(())
        }
    }
}

/// Where the record of a game begins.
fn place(key: i64) -> usize {
    RECORD * usize::try_from(key - 1).unwrap_or_default()
}

#[cfg(test)]
mod tests;

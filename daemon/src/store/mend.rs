//! What is whole of a store, and a new store of what is.
//!
//! Checksums ([`seal`](super::seal)) say which game is damaged, and at which event. Damage to
//! SQLite's own pages may make any row unreadable, or hide it; then everything that can be read is
//! copied to a new file, and the damaged one is set aside.

mod backup;
mod file;
mod kept;
mod salvage;

use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};
use serde::Serialize;

pub use backup::{Placed, back_up, back_up_into, put_back};
pub(crate) use file::create_dir;

use super::read::{self, Damage, Entry};
use super::written::{self, Mark, Marks, Written};
use super::{FILE, Game, GameRow, StoreError, Tags, acts, schema, seal};
use crate::office::Book;
use crate::people;
use salvage::salvage;

/// How long to wait for somebody else who uses the file.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(5);
/// Complaints of SQLite about a file that are shown.
const COMPLAINTS: usize = 20;

/// What was found of a game on disk.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Verdict {
    /// The game's name.
    pub game: String,
    /// Its board; empty where that is lost.
    pub board: String,
    /// Its events that are sound: all of them, or those before the damage.
    pub events: usize,
    /// What is wrong. `None` when all is as it was written.
    pub damage: Option<Damage>,
}

impl Verdict {
    fn of(game: &Game) -> Verdict {
        Verdict {
            game: game.row.id.clone(),
            board: game.row.board.clone(),
            events: game.events.len(),
            damage: game.row.damage.clone(),
        }
    }
}

/// Checks the store in `dir`, beside a running daemon too: every game in the order in which they
/// were begun, and a line for whatever else is wrong: with the acts of people, with SQLite's pages.
pub fn verify(dir: &Path) -> Result<(Vec<Verdict>, Vec<String>), StoreError> {
    let store = super::Store::open(dir)?;
    let before = written::marks(dir);
    let db = reader(&store.file)?;
    let marks = written::of_store(&db, before)?;
    let (games, mut wrong) = look_through(&db, &marks)?;
    wrong.extend(kept::complaints(&db)?);
    let deeds = acts::deeds(&db)?;
    if !deeds.is_broken {
        let rights = people::without_acts(dir, &deeds);
        let told = rights.unwrap_or_else(|error| vec![error.to_string()]);
        wrong.extend(
            told.into_iter()
                .map(|what| format!("the file of accounts: {what}")),
        );
    }
    let lost = file::lost_log(&dir.join(FILE));
    // What a daemon was just writing is whole at a second look.
    let again = lost.as_ref().and_then(|_| file::lost_log(&dir.join(FILE)));
    wrong.extend(lost.filter(|lost| again.as_ref() == Some(lost)));
    Ok((games, wrong))
}

/// What is whole of what can be read: every game, and a line for whatever else is wrong.
fn look_through(db: &Connection, marks: &Marks) -> Result<(Vec<Verdict>, Vec<String>), StoreError> {
    let last = last_key(db)?.max(last_of(marks));
    let games = (1..=last).map(|key| Ok(Verdict::of(&by_key(db, marks, key)?)));
    let games = games.collect::<Result<_, StoreError>>()?;
    let mut wrong = complaints(db)?;
    let deeds = acts::deeds(db)?;
    // What they make of an event is worked out again.
    let damage = deeds
        .damage
        .clone()
        .or_else(|| Book::read(&deeds, Vec::new()).damage);
    wrong.extend(damage.map(|what| format!("the acts of people are damaged: {what}")));
    let (sound, damaged) = acts::files(db)?;
    let there =
        |name: &String| damaged.contains(name) || sound.iter().any(|(known, _)| known == name);
    for (round, name) in drawn_from(&deeds) {
        if !there(&name) {
            wrong.push(format!(
                "the file {name}, from which round {round} was drawn, is missing"
            ));
        }
    }
    let damaged = damaged.into_iter();
    wrong.extend(damaged.map(|name| format!("the file {name} is damaged")));
    Ok((games, wrong))
}

/// The files from which rounds were drawn, each with its round. A file that was taken away from the
/// store with what it said of a person is named by no act any more.
fn drawn_from(deeds: &acts::Deeds) -> Vec<(u16, String)> {
    let acts = deeds.of(acts::Area::Event);
    let acts = acts.filter_map(|(_, deed)| serde_json::from_str(&deed.what).ok());
    let drawn = acts.filter_map(|act| match act {
        tournament::Act::Draw {
            round,
            file,
            players_file,
            ..
        } => Some([players_file, file].map(|file| Some((round, file?)))),
        _ => None,
    });
    let drawn = drawn.flatten().flatten();
    drawn.filter(|(_, file)| !file.is_empty()).collect()
}

/// Writes everything that is sound in the store in `from` to a new store in `into`, which must not
/// exist. Says of each game what was kept.
pub fn repair(from: &Path, into: &Path) -> Result<Vec<Verdict>, StoreError> {
    super::Store::open(from)?;
    if into.exists() {
        return Err(StoreError::Occupied(into.to_owned()));
    }
    file::create_dir(into)?;
    let copy = into.join("copy.sqlite");
    file::copy_mended(&from.join(FILE), &copy)?;
    let verdicts = salvage(&copy, written::marks(from), &into.join(FILE))?;
    file::remove(&copy);
    Ok(verdicts)
}

/// The store in `dir` to be written, up to date, with pages that are whole. What SQLite could not
/// read any more is lost in it, and its games say so; the file as it was is kept beside it.
pub(crate) fn open_sound(dir: &Path) -> Result<(Connection, Written), StoreError> {
    let file = dir.join(FILE);
    let marks = written::marks(dir);
    if !file.exists() {
        create_whole(dir)?;
    }
    // Also of a store that somebody copied here.
    file::create(&file)?;
    let lost = file::lost_log(&file);
    if lost.is_some() {
        file::keep_log(&file)?;
    }
    let looked = reader(&file).and_then(|db| complaints(&db));
    let wrong = looked.map_err(|error| match error {
        StoreError::Sqlite(error) if is_out_of_reach(&error) => {
            StoreError::OutOfReach(file.clone(), error)
        }
        error => error,
    })?;
    if let Some(first) = wrong.first() {
        set_aside(dir, first)?;
    }
    let mut db = writer(&file)?;
    backup::keep_before_changes(&db, &file)?;
    schema::migrate(&mut db)?;
    let marks = written::of_store(&db, marks)?;
    written::say_what_is_lost(&db, &marks)?;
    if let Some(lost) = lost {
        doubt_newest(&db, &lost)?;
    }
    let written = Written::anew(&db, dir)?;
    Ok((db, written))
}

/// Creates an empty store in `dir`. It is there as a whole or not at all: what is half made when
/// the power goes would be taken for a damaged one.
fn create_whole(dir: &Path) -> Result<(), StoreError> {
    let fresh = dir.join("new.sqlite");
    file::remove(&fresh);
    file::create(&fresh)?;
    let mut db = writer(&fresh)?;
    schema::migrate(&mut db)?;
    // Takes everything over from its log, and removes that.
    db.close().map_err(|(_, error)| error)?;
    file::rename(&fresh, &dir.join(FILE))
}

/// Says of the newest game of every board, and of the acts of people, that what was written last
/// may be lost.
fn doubt_newest(db: &Connection, lost: &str) -> Result<(), StoreError> {
    tracing::error!(lost, "the game store was damaged");
    if !acts::deeds(db)?.sound.is_empty() {
        acts::doubt(db, lost)?;
    }
    let newest = format!(
        "SELECT id, count FROM games WHERE damage IS NULL AND seal IS {}
         AND key IN (SELECT max(key) FROM games GROUP BY board)",
        seal::SEAL
    );
    let mut newest = db.prepare(&newest)?;
    let game = |r: &Row<'_>| Ok((r.get(0)?, r.get::<_, i64>(1)?));
    let games: Vec<(String, i64)> = newest.query_map([], game)?.collect::<Result<_, _>>()?;
    for (id, count) in games {
        let damage = serde_json::to_string(&Damage::new(Some(count.cast_unsigned()), lost))?;
        let write = "UPDATE games SET damage = ?2 WHERE id = ?1";
        db.execute(write, params![id, damage])?;
        seal::reseal(db, &id)?;
    }
    Ok(())
}

/// Puts a repaired store in the place of a damaged one, which keeps its name with `damaged` and a
/// number.
fn set_aside(dir: &Path, what: &str) -> Result<(), StoreError> {
    let hopeless = |error: StoreError| StoreError::Damaged(dir.join(FILE), error.to_string());
    let mended = dir.join("mended");
    file::remove_dir(&mended)?;
    let verdicts = repair(dir, &mended).map_err(hopeless)?;
    let kept = file::swap(&dir.join(FILE), &mended.join(FILE))?;
    file::remove_dir(&mended)?;
    tracing::error!(what, kept = %kept.display(), "the game store was damaged and is repaired");
    for verdict in verdicts {
        if let Some(damage) = verdict.damage {
            tracing::error!(game = verdict.game, board = verdict.board, "{damage}");
        }
    }
    Ok(())
}

/// Opens a store's file to read it. All that is read is of one moment, whoever writes meanwhile: an
/// entry counts the events that are there.
pub(super) fn reader(file: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(file, flags)?;
    db.busy_timeout(PATIENCE)?;
    seal::register(&db)?;
    db.execute_batch("BEGIN")?;
    Ok(db)
}

/// Opens a store's file to write it: what is committed is on the disk.
fn writer(file: &Path) -> Result<Connection, StoreError> {
    let db = Connection::open(file)?;
    db.busy_timeout(PATIENCE)?;
    db.pragma_update(None, "journal_mode", "WAL")?;
    db.pragma_update(None, "synchronous", "FULL")?;
    db.pragma_update(None, "foreign_keys", true)?;
    // What is deleted is overwritten.
    db.pragma_update(None, "secure_delete", true)?;
    seal::register(&db)?;
    // A kill leaves in the log what was written last, and in the file what was deleted by it: that
    // is overwritten now, unless somebody reads it. Then it is later.
    let _read_by_somebody = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    Ok(db)
}

/// Opens a file beside the store's to write it; only its owner can read it.
pub(crate) fn open_private(file: &Path) -> Result<Connection, StoreError> {
    file::create(file)?;
    writer(file)
}

/// Whether SQLite has nothing to say of the file.
pub(super) fn is_whole(file: &Path) -> Result<bool, StoreError> {
    Ok(complaints(&reader(file)?)?.is_empty())
}

/// What SQLite says of the file's pages; nothing when they are whole. `Err` when they cannot be
/// looked at now: that says nothing about them.
fn complaints(db: &Connection) -> Result<Vec<String>, StoreError> {
    let read = || {
        let mut query = db.prepare(&format!("PRAGMA integrity_check({COMPLAINTS})"))?;
        let rows = query.query_map([], |r| r.get::<_, String>(0))?;
        rows.collect::<Result<Vec<_>, _>>()
    };
    let mut wrong = match read() {
        Err(error) if is_out_of_reach(&error) => return Err(error.into()),
        read => read.unwrap_or_else(|error| vec![error.to_string()]),
    };
    wrong.retain(|line| line != "ok");
    wrong.extend(schema::wrong(db).unwrap_or_else(|error| Some(error.to_string())));
    Ok(wrong)
}

/// Whether something else than the file is wrong: there is no room on the disk for what is needed
/// to read it, somebody has it, it may not be written.
fn is_out_of_reach(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{
        CannotOpen, DatabaseBusy, DatabaseLocked, DiskFull, ReadOnly, SystemIoFailure,
    };
    let code = error.sqlite_error_code();
    code.is_some_and(|code| {
        matches!(
            code,
            CannotOpen | DatabaseBusy | DatabaseLocked | DiskFull | ReadOnly | SystemIoFailure
        )
    })
}

/// The number of the last game. They are numbered from 1 without gaps.
fn last_key(db: &Connection) -> Result<i64, StoreError> {
    let ask = |query| db.query_row(query, [], |r| r.get::<_, Option<i64>>(0));
    let entries = ask("SELECT max(key) FROM games");
    // Where the entries of the last games are lost.
    let events = ask("SELECT max(game) FROM events");
    match (entries, events) {
        // The last page of each is lost: as far as anything leads to the others.
        (Err(error), Err(_)) => last_found(db).ok_or_else(|| error.into()),
        (one, other) => Ok(one.ok().flatten().max(other.ok().flatten()).unwrap_or(0)),
    }
}

/// The highest number of a game that is met on any way through the tables before it breaks off.
fn last_found(db: &Connection) -> Option<i64> {
    let ways = [
        "SELECT key FROM games NOT INDEXED",
        "SELECT key FROM games INDEXED BY games_of_board",
        "SELECT game FROM events NOT INDEXED",
        "SELECT game FROM events INDEXED BY events_of_game",
    ];
    let last = |way: &str| {
        let mut query = db.prepare(way).ok()?;
        let keys = query.query_map([], |r| r.get::<_, i64>(0)).ok()?;
        keys.map_while(Result::ok).max()
    };
    ways.into_iter().filter_map(last).max()
}

/// The game with this number, or what is left of it.
fn by_key(db: &Connection, marks: &Marks, key: i64) -> Result<Game, StoreError> {
    let mark = marks.get(&key);
    let is_sealed = read::is_sealed(db)?;
    let query = format!(
        "SELECT {} FROM games WHERE key = ?1",
        read::columns(is_sealed)
    );
    let mut entry = match db.query_row(&query, [key], read::entry).optional() {
        Ok(Some(entry)) => entry,
        Ok(None) => lost(db, mark, key),
        Err(error) if read::is_damage(&error) => lost(db, mark, key),
        Err(error) => return Err(error.into()),
    };
    if !entry.is_sound {
        entry.row.board = read::owner(db, &entry).unwrap_or(entry.row.board);
    }
    let mut game = read::game(db, entry, is_sealed)?;
    if game
        .row
        .damage
        .as_ref()
        .is_none_or(|damage| damage.event.is_none())
    {
        let cut = written::lost(mark, game.events.len() as u64);
        game.row.damage = cut.or(game.row.damage);
    }
    Ok(game)
}

/// The number of the last game that must be there.
fn last_of(marks: &Marks) -> i64 {
    marks.last_key_value().map_or(0, |(key, _)| *key)
}

/// The entry of a game whose entry is lost.
fn lost(db: &Connection, mark: Option<&Mark>, key: i64) -> Entry {
    let known = mark.map(|mark| mark.game.clone());
    let known = known.or_else(|| read::name(db, key));
    let id = known.unwrap_or_else(|| format!("lost-{key}"));
    Entry::lost(
        key,
        GameRow {
            board: read::board_of(&id).unwrap_or_default().to_owned(),
            id,
            tags: Tags::default(),
            started: String::new(),
            ended: None,
            result: "*".to_owned(),
            plies: 0,
            annulled: false,
            damage: Some(Damage::new(None, "its entry is lost")),
        },
    )
}

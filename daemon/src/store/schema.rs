//! The tables, and how older files become newer ones.

use rusqlite::{Connection, Transaction, params};
use rusqlite_migration::{HookError, M, Migrations};

use super::{StoreError, acts, log, seal};

/// Every change ever made to the tables, in order. Entries are never edited, only added.
fn changes() -> Migrations<'static> {
    let sealed = M::up_with_hook(SUMS, |db: &Transaction<'_>| Ok(seal::seal_all(db)?));
    let named = M::up_with_hook(SERIALS, |db: &Transaction<'_>| Ok(seal::seal_places(db)?));
    Migrations::new(vec![
        M::up(GAMES),
        M::up(MEMORIES),
        M::up(ENDINGS),
        sealed,
        named,
        M::up_with_hook(ACTS, |db: &Transaction<'_>| Ok(acts::begin(db)?)),
        M::up(FILES),
        M::up_with_hook(ASIDE, |db: &Transaction<'_>| {
            acts::put_aside(db).map_err(|error| match error {
                StoreError::Sqlite(error) => error.into(),
                error => HookError::Hook(error.to_string()),
            })
        }),
        M::up_with_hook(log::LOG, |db: &Transaction<'_>| Ok(log::fill(db)?)),
    ])
}

const MEMORIES: &str = "CREATE TABLE memories (              -- what was learned of each board, \
                        such as which tag is in which piece
        board TEXT PRIMARY KEY,
        text  TEXT NOT NULL                  -- as its kind of board writes it
    ) STRICT, WITHOUT ROWID;";

const ENDINGS: &str =
    "CREATE TABLE endings (               -- what was said of the games that are \
                       over, by the version that followed them
        game    INTEGER PRIMARY KEY REFERENCES games (key),
        version TEXT NOT NULL,               -- of the program
        view    TEXT NOT NULL,               -- JSON: the game as consoles were shown it
        pgn     TEXT NOT NULL
    ) STRICT;";

/// Checksums: [`seal`] says what each covers.
const SUMS: &str = "ALTER TABLE games ADD COLUMN count INTEGER NOT NULL DEFAULT 0; -- events
    ALTER TABLE games ADD COLUMN head BLOB NOT NULL DEFAULT x'';  -- checksum of the last event
    ALTER TABLE games ADD COLUMN ending BLOB;                     -- checksum of its ending
    ALTER TABLE games ADD COLUMN damage TEXT;    -- JSON: what was lost when the store was repaired
    ALTER TABLE games ADD COLUMN seal BLOB NOT NULL DEFAULT x'';
    ALTER TABLE events ADD COLUMN sum BLOB NOT NULL DEFAULT x'';
    ALTER TABLE places ADD COLUMN sum BLOB NOT NULL DEFAULT x'';
    ALTER TABLE memories ADD COLUMN sum BLOB NOT NULL DEFAULT x'';";

const SERIALS: &str = "ALTER TABLE places ADD COLUMN serial TEXT NOT NULL DEFAULT ''; \
                       -- of the board; empty where it tells none";

/// The acts of people. An act is never changed, and never taken away.
const ACTS: &str = "CREATE TABLE acts (
        number  INTEGER PRIMARY KEY,         -- 1, 2, 3 ... without gaps
        utc     TEXT NOT NULL,               -- RFC 3339
        who     TEXT NOT NULL,               -- empty: the program by itself
        role    TEXT NOT NULL,
        device  TEXT NOT NULL,
        address TEXT NOT NULL,
        area    TEXT NOT NULL,               -- 'event' or 'people'
        what    TEXT NOT NULL,               -- JSON
        sum     BLOB NOT NULL                -- checksum of this row and of the one before
    ) STRICT;
    CREATE TABLE acts_end (                  -- one row
        key    INTEGER PRIMARY KEY,
        count  INTEGER NOT NULL,
        head   BLOB NOT NULL,                -- checksum of the last act
        damage TEXT,                         -- what was lost when the store was repaired
        sum    BLOB NOT NULL
    ) STRICT;";

const FILES: &str = "CREATE TABLE files (                 -- that people gave, as they gave them
        name  TEXT PRIMARY KEY,              -- SHA-256 of the bytes, in hexadecimal digits
        bytes BLOB NOT NULL
    ) STRICT;";

/// What acts say of people, which can be taken away: [`aside`](super::aside) says how.
const ASIDE: &str = "CREATE TABLE aside (
        name TEXT PRIMARY KEY,               -- checksum of the others: acts have it
        salt TEXT NOT NULL,                  -- a secret of this row
        text TEXT NOT NULL                   -- JSON, or a network address
    ) STRICT, WITHOUT ROWID;";

/// Games, their events, and how far the boards are.
const GAMES: &str = "CREATE TABLE games (
        key     INTEGER PRIMARY KEY,
        id      TEXT NOT NULL UNIQUE,
        board   TEXT NOT NULL,
        tags    TEXT NOT NULL,               -- JSON: event, site, date, round, white, black
        started TEXT NOT NULL,               -- RFC 3339
        -- Derived from the events and kept for lists; rebuilt when a game is taken up again.
        ended   TEXT,                        -- RFC 3339
        result  TEXT NOT NULL DEFAULT '*',
        plies   INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX games_of_board ON games (board, key);
    CREATE TABLE events (
        id   INTEGER PRIMARY KEY,            -- grows over all games: a cursor for whoever \
         follows the journal
        game INTEGER NOT NULL REFERENCES games (key),
        seq  INTEGER NOT NULL,               -- 0 is the setup
        at   INTEGER NOT NULL,               -- ms on the board's clock
        wall INTEGER NOT NULL,               -- ms since 1970, for people
        line TEXT NOT NULL                   -- the event as a line of an event script
    ) STRICT;
    CREATE UNIQUE INDEX events_of_game ON events (game, seq);
    CREATE TABLE places (                    -- how far each board's evidence is in the journal
        board TEXT PRIMARY KEY,
        boot  INTEGER NOT NULL,              -- the board's run
        next  INTEGER NOT NULL,              -- its first evidence not yet taken
        shift INTEGER NOT NULL               -- added to the clock of that run, in ms
    ) STRICT, WITHOUT ROWID;";

/// Brings the file's tables up to date.
pub(crate) fn migrate(db: &mut Connection) -> Result<(), StoreError> {
    changes().to_latest(db).map_err(|error| match error {
        rusqlite_migration::Error::MigrationDefinition(
            rusqlite_migration::MigrationDefinitionError::DatabaseTooFarAhead,
        ) => StoreError::TooNew,
        other => StoreError::Migration(other.to_string()),
    })
}

/// The file's number of changes, where it has tables and this version makes further changes to
/// them.
pub(super) fn is_older(db: &Connection) -> Result<Option<i64>, StoreError> {
    let (latest, version) = (made()?.1, version(db)?);
    Ok(Some(version).filter(|version| (1..latest).contains(version)))
}

/// One entry of SQLite's list of tables: its type, its name, its table and how it was made.
type Described = (String, String, String, Option<String>);

/// The tables as the file describes them.
fn described(db: &Connection) -> rusqlite::Result<Vec<Described>> {
    let mut query = db.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema")?;
    let rows = query.query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?)))?;
    rows.collect()
}

/// The tables as this version makes them, and its number of changes.
fn made() -> Result<(Vec<Described>, i64), StoreError> {
    let mut db = Connection::open_in_memory()?;
    migrate(&mut db)?;
    Ok((described(&db)?, version(&db)?))
}

fn version(db: &Connection) -> rusqlite::Result<i64> {
    db.pragma_query_value(None, "user_version", |r| r.get(0))
}

/// The same in the orders in which they can be: as they were made, or as `VACUUM` leaves them, with
/// the indexes that were made by themselves at the end.
fn orders(made: Vec<Described>) -> [Vec<Described>; 2] {
    let is_index = |entry: &Described| entry.0 == "index" && entry.3.is_some();
    let (indexes, tables): (Vec<_>, Vec<_>) = made.iter().cloned().partition(is_index);
    [made, [tables, indexes].concat()]
}

/// What is wrong with how an up to date file describes its tables; `None` when it does as this
/// version has made them, or is of another version.
pub(super) fn wrong(db: &Connection) -> Result<Option<String>, StoreError> {
    let (made, latest) = made()?;
    let is_same = orders(made).contains(&described(db)?);
    Ok(match (version(db)? == latest, is_same) {
        (true, false) => Some("its tables are not described as they were made".to_owned()),
        _ => None,
    })
}

/// Describes the tables of an up to date file as this version makes them; `db` must be opened anew
/// to see them. Where each begins is left as it is.
pub(super) fn describe(db: &Connection) -> Result<(), StoreError> {
    let ((made, latest), found) = (made()?, described(db)?);
    if version(db)? != latest || made.len() != found.len() {
        return Ok(());
    }
    let fitting = |order: &Vec<Described>| order.iter().zip(&found).filter(|(a, b)| a == b).count();
    let made = orders(made)
        .into_iter()
        .max_by_key(fitting)
        .unwrap_or_default();
    let write = "UPDATE sqlite_schema SET type = ?2, name = ?3, tbl_name = ?4, sql = ?5
                 WHERE rowid = (SELECT rowid FROM sqlite_schema ORDER BY rowid LIMIT 1 OFFSET ?1)";
    for (n, (kind, name, table, sql)) in (0i64..).zip(made) {
        db.execute(write, params![n, kind, name, table, sql])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_applies_to_an_empty_file() {
        changes().validate().unwrap();
    }

    #[test]
    fn a_file_is_known_after_its_pages_were_put_together() {
        let dir = tempfile::tempdir().unwrap();
        let mut db = Connection::open(dir.path().join("a.sqlite")).unwrap();
        migrate(&mut db).unwrap();
        let before = described(&db).unwrap();
        db.execute_batch("VACUUM").unwrap();
        let after = described(&db).unwrap();
        assert_ne!(before, after);
        assert_eq!(wrong(&db).unwrap(), None);
        // A description that is damaged is mended in that order.
        db.pragma_update(None, "writable_schema", true).unwrap();
        let spoil = "UPDATE sqlite_schema SET sql = 'x' WHERE name = 'aside'";
        db.execute(spoil, []).unwrap();
        describe(&db).unwrap();
        assert_eq!(described(&db).unwrap(), after);
    }

    #[test]
    fn a_file_of_a_newer_version_is_refused() {
        let mut db = Connection::open_in_memory().unwrap();
        db.pragma_update(None, "user_version", 99).unwrap();
        assert!(matches!(migrate(&mut db), Err(StoreError::TooNew)));
    }
}

//! The tables, and how older files become newer ones.

use rusqlite::Connection;
use rusqlite_migration::{M, Migrations};

use super::StoreError;

/// Every change ever made to the tables, in order. Entries are never edited, only added.
const CHANGES: &[M<'static>] = &[
    M::up(GAMES),
    M::up(
        "CREATE TABLE memories (              -- what was learned of each board, such as which \
         tag is in which piece
        board TEXT PRIMARY KEY,
        text  TEXT NOT NULL                  -- as its kind of board writes it
    ) STRICT, WITHOUT ROWID;",
    ),
    M::up(
        "CREATE TABLE endings (               -- what was said of the games that are over, by the \
         version that followed them
        game    INTEGER PRIMARY KEY REFERENCES games (key),
        version TEXT NOT NULL,               -- of the program
        view    TEXT NOT NULL,               -- JSON: the game as consoles were shown it
        pgn     TEXT NOT NULL
    ) STRICT;",
    ),
];

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
    Migrations::from_slice(CHANGES)
        .to_latest(db)
        .map_err(|error| match error {
            rusqlite_migration::Error::MigrationDefinition(
                rusqlite_migration::MigrationDefinitionError::DatabaseTooFarAhead,
            ) => StoreError::TooNew,
            other => StoreError::Migration(other.to_string()),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_applies_to_an_empty_file() {
        Migrations::from_slice(CHANGES).validate().unwrap();
    }

    #[test]
    fn a_file_of_a_newer_version_is_refused() {
        let mut db = Connection::open_in_memory().unwrap();
        db.pragma_update(None, "user_version", 99).unwrap();
        assert!(matches!(migrate(&mut db), Err(StoreError::TooNew)));
    }
}

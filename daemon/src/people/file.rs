//! The file of accounts and sessions, `people.sqlite` in the store's directory. It is one of its
//! own, so that what is kept of passwords does not go with games that somebody hands on.

use std::path::Path;

use access::{Digest, Pin, Session, Sessions, Who};
use rusqlite::types::Type;
use rusqlite::{Connection, Row, params};
use rusqlite_migration::{M, Migrations};

use super::{Account, PeopleError};
use crate::store::{self, StoreError};

/// The file's name.
pub(super) const FILE: &str = "people.sqlite";

/// Every change ever made to the tables, in order. Entries are never edited, only added.
const TABLES: &str = "CREATE TABLE accounts (
        name    TEXT PRIMARY KEY,
        role    TEXT NOT NULL,
        tables  TEXT,                        -- such as 1-10
        hash    TEXT NOT NULL,               -- Argon2id, as a PHC string
        made    INTEGER NOT NULL,            -- seconds since 1970, as all times here
        revoked INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sessions (
        id      INTEGER PRIMARY KEY AUTOINCREMENT,
        token   BLOB NOT NULL UNIQUE,        -- SHA-256 of it
        name    TEXT NOT NULL,
        role    TEXT NOT NULL,
        tables  TEXT,
        account INTEGER NOT NULL,            -- 1: stands on an account, 0: on a paired device
        address TEXT NOT NULL,
        browser TEXT NOT NULL,
        opened  INTEGER NOT NULL,
        seen    INTEGER NOT NULL,
        ends    INTEGER NOT NULL,
        proved  INTEGER NOT NULL
    ) STRICT;";

const PINS: &str = "ALTER TABLE sessions ADD COLUMN pin TEXT;  -- Argon2id, as a PHC string
    ALTER TABLE sessions ADD COLUMN pin_tries INTEGER NOT NULL DEFAULT 0; -- since it was right
    ALTER TABLE sessions ADD COLUMN pin_given INTEGER NOT NULL DEFAULT 0;";

/// Something to write.
pub(super) enum Change {
    /// An account is new, or another.
    Account(Account),
    /// A session is new, or another.
    Session(Digest, Session),
    /// Sessions are over.
    Ended(Vec<Digest>),
    /// When sessions were last used, by their number.
    Used(Vec<(u64, i64)>),
}

/// The open file.
#[derive(Debug)]
pub(super) struct Kept(Connection);

impl Kept {
    /// Opens the file in `dir`, and reads what is in it.
    pub(super) fn open(dir: &Path) -> Result<(Kept, Vec<Account>, Sessions), StoreError> {
        let mut db = store::open_private(&dir.join(FILE))?;
        Migrations::new(vec![M::up(TABLES), M::up(PINS)])
            .to_latest(&mut db)
            .map_err(|error| StoreError::Migration(error.to_string()))?;
        let accounts = accounts(&db)?;
        let last = "SELECT seq FROM sqlite_sequence WHERE name = 'sessions'";
        let last: i64 = db.query_row(last, [], |r| r.get(0)).unwrap_or(0);
        let sessions = Sessions::new(sessions(&db)?, last.cast_unsigned());
        Ok((Kept(db), accounts, sessions))
    }

    /// Writes a change.
    pub(super) fn write(&mut self, change: &Change) -> Result<(), PeopleError> {
        let db = self.0.transaction()?;
        match change {
            Change::Account(account) => {
                let Who { name, role, tables } = &account.who;
                db.execute(
                    "INSERT OR REPLACE INTO accounts (name, role, tables, hash, made, revoked)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                    params![
                        name,
                        role.name(),
                        tables.map(|tables| tables.to_string()),
                        account.hash,
                        account.made,
                        account.revoked
                    ],
                )?;
            }
            Change::Session(token, session) => {
                let Who { name, role, tables } = &session.who;
                db.execute(
                    "INSERT OR REPLACE INTO sessions (id, token, name, role, tables, account,
                        address, browser, opened, seen, ends, proved, pin, pin_tries, pin_given)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
                    params![
                        session.id.cast_signed(),
                        token,
                        name,
                        role.name(),
                        tables.map(|tables| tables.to_string()),
                        session.account,
                        session.address,
                        session.browser,
                        session.opened,
                        session.seen,
                        session.ends,
                        session.proved,
                        session.pin.hash,
                        session.pin.tries,
                        session.pin.given
                    ],
                )?;
            }
            Change::Ended(tokens) => {
                let mut end = db.prepare("DELETE FROM sessions WHERE token = ?1")?;
                tokens
                    .iter()
                    .try_for_each(|token| end.execute([token]).map(drop))?;
            }
            Change::Used(used) => {
                let mut write = db.prepare("UPDATE sessions SET seen = ?2 WHERE id = ?1")?;
                for (id, seen) in used {
                    write.execute(params![id.cast_signed(), seen])?;
                }
            }
        }
        Ok(db.commit()?)
    }
}

pub(super) fn accounts(db: &Connection) -> rusqlite::Result<Vec<Account>> {
    let mut query = db.prepare(
        "SELECT name, role, tables, hash, made, revoked FROM accounts ORDER BY made, name",
    )?;
    let account = |r: &Row<'_>| {
        Ok(Account {
            who: who(r)?,
            hash: r.get("hash")?,
            made: r.get("made")?,
            revoked: r.get("revoked")?,
        })
    };
    query.query_map([], account)?.collect()
}

pub(super) fn sessions(db: &Connection) -> rusqlite::Result<Vec<(Digest, Session)>> {
    let mut query = db.prepare("SELECT * FROM sessions ORDER BY id")?;
    let session = |r: &Row<'_>| {
        let session = Session {
            id: r.get::<_, i64>("id")?.cast_unsigned(),
            who: who(r)?,
            account: r.get("account")?,
            address: r.get("address")?,
            browser: r.get("browser")?,
            opened: r.get("opened")?,
            seen: r.get("seen")?,
            ends: r.get("ends")?,
            proved: r.get("proved")?,
            pin: Pin {
                hash: r.get("pin")?,
                tries: r.get("pin_tries")?,
                given: r.get("pin_given")?,
            },
        };
        Ok((r.get("token")?, session))
    };
    query.query_map([], session)?.collect()
}

fn who(r: &Row<'_>) -> rusqlite::Result<Who> {
    let (role, tables): (String, Option<String>) = (r.get("role")?, r.get("tables")?);
    let unread = |error: Box<dyn std::error::Error + Send + Sync>| {
        rusqlite::Error::FromSqlConversionFailure(1, Type::Text, error)
    };
    Ok(Who {
        name: r.get("name")?,
        role: role
            .parse()
            .map_err(|e: access::BadRole| unread(e.into()))?,
        tables: tables
            .map(|tables| {
                tables
                    .parse()
                    .map_err(|e: access::BadTables| unread(e.into()))
            })
            .transpose()?,
    })
}

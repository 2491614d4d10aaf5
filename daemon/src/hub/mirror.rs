//! A mirror of a hall's store: a store itself, written from the rows that the hall sends.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use replica::{Consumer, Greeted, Place, Row, Why};
use rusqlite::{Connection, Transaction, params};

use crate::journal::{Act, apply};
use crate::store::{self, FILE, Kind, OPENING, Said, Store, StoreError};

/// The mirror of one hall.
#[derive(Debug)]
pub(super) struct Mirror {
    dir: PathBuf,
    db: Option<Connection>,
    /// What of it is taken.
    pub(super) consumer: Consumer,
}

impl Mirror {
    /// The mirror in `dir`, if there is one. What is there and is not whole is kept beside it: the
    /// hall has everything.
    pub(super) fn open(dir: PathBuf) -> Result<Mirror, StoreError> {
        let db = match dir.join(FILE).exists() {
            true => store::open_mirror(&dir)?,
            false => None,
        };
        let at = match &db {
            Some(db) => Some(store::head(db)?.at),
            None => {
                set_aside(&dir)?;
                None
            }
        };
        let consumer = Consumer::new(at);
        Ok(Mirror { dir, db, consumer })
    }

    /// The store, to be read; `None` before anything is in it.
    pub(super) fn store(&self) -> Result<Option<Store>, StoreError> {
        self.db.as_ref().map(|_| Store::open(&self.dir)).transpose()
    }

    /// Begins anew, with whatever is there gone or kept beside it.
    pub(super) fn begin(&mut self, at: &Place, instead: Option<Why>) -> Result<(), StoreError> {
        self.db = None;
        match instead {
            Some(Why::Erased) => destroy(&self.dir)?,
            Some(Why::Other) | None => set_aside(&self.dir)?,
        }
        self.db = Some(store::begin_mirror(&self.dir, &at.epoch)?);
        self.consumer.applied(at.clone());
        Ok(())
    }

    /// Writes rows that follow on what is there, as one.
    pub(super) fn take(&mut self, rows: &[Row<Said>]) -> Result<(), StoreError> {
        let (Some(db), Some(at)) = (&mut self.db, self.consumer.at()) else {
            return Err(StoreError::Missing(self.dir.clone()));
        };
        let written = db.transaction()?;
        for (seq, row) in (at.seq + 1..).zip(rows) {
            enter(&written, &row.what)?;
            store::mark(&written, seq, row.mark)?;
        }
        written.commit()?;
        let at = at.after(rows);
        self.consumer.applied(at);
        Ok(())
    }

    /// A person has said that another store of this name is the hall's.
    pub(super) fn forget(&mut self) -> Result<(), StoreError> {
        self.db = None;
        self.consumer = Consumer::new(None);
        set_aside(&self.dir)
    }
}

/// What a hall that introduces itself is to be told.
pub(super) fn greeted(
    mirror: &mut Mirror,
    hello: &replica::Hello,
) -> Result<Option<Place>, StoreError> {
    Ok(match mirror.consumer.greet(hello) {
        Greeted::Welcome(at) => Some(at),
        Greeted::Begin { at, instead } => {
            mirror.begin(&at, instead)?;
            Some(at)
        }
        Greeted::Foreign => None,
    })
}

/// Writes what a row says.
fn enter(db: &Transaction<'_>, said: &Said) -> Result<(), StoreError> {
    let of = |game: &i64| -> rusqlite::Result<std::sync::Arc<str>> {
        let query = "SELECT id FROM games WHERE key = ?1";
        let id: String = db.prepare_cached(query)?.query_row([game], |r| r.get(0))?;
        Ok(id.into())
    };
    let act = match said {
        Said::Game {
            key,
            id,
            board,
            tags,
            started,
        } => return begin(db, (*key, id, board, tags, started)),
        Said::Event {
            game,
            seq,
            at,
            wall,
            line,
            ..
        } => Act::Event {
            game: of(game)?,
            seq: *seq,
            at: *at,
            wall: *wall,
            line: line.clone(),
        },
        Said::Outcome {
            game,
            ended,
            result,
            plies,
        } => return outcome(db, (*game, ended, result, *plies)),
        Said::Ended {
            game,
            version,
            view,
            pgn,
        } => Act::Ended {
            game: of(game)?,
            ending: Box::new(store::Ending {
                version: version.clone(),
                view: view.clone(),
                pgn: pgn.clone(),
            }),
        },
        Said::Reopened { game } => Act::Reopened { game: of(game)? },
        Said::Act(raw) => return store::enter_raw(db, raw),
        Said::File { name, bytes } => {
            let bytes = STANDARD.decode(bytes).ok();
            let whole = bytes.filter(|bytes| crate::office::file_name(bytes) == *name);
            Act::File {
                name: name.clone(),
                bytes: whole.ok_or(StoreError::Unsound("a file"))?.into(),
            }
        }
        Said::Nothing => return Ok(store::note(db, Kind::Nothing, 0)?),
    };
    apply(db, &act)?;
    match said {
        Said::Event { game, sum, .. } => is_same_chain(db, *game, sum),
        _ => Ok(()),
    }
}

/// Names and places as they were written: the checksums are made of that.
fn begin(
    db: &Transaction<'_>,
    (key, id, board, tags, started): (i64, &str, &str, &str, &str),
) -> Result<(), StoreError> {
    let begin = format!(
        "INSERT INTO games (key, id, board, tags, started, head)
         SELECT key, id, board, tags, started, {OPENING}
         FROM (SELECT ?1 AS key, ?2 AS id, ?3 AS board, ?4 AS tags, ?5 AS started)"
    );
    db.prepare_cached(&begin)?
        .execute(params![key, id, board, tags, started])?;
    store::reseal(db, id)?;
    Ok(store::note(db, Kind::Game, key)?)
}

fn outcome(
    db: &Transaction<'_>,
    (game, ended, result, plies): (i64, &Option<String>, &str, u32),
) -> Result<(), StoreError> {
    let write = "UPDATE games SET ended = ?2, result = ?3, plies = ?4 WHERE key = ?1
                 RETURNING id";
    let id: String = db
        .prepare_cached(write)?
        .query_row(params![game, ended, result, plies], |r| r.get(0))?;
    store::reseal(db, &id)?;
    Ok(store::note(db, Kind::Outcome, game)?)
}

/// Whether the events up to the last are those that the hall has: their checksums are a chain.
fn is_same_chain(db: &Transaction<'_>, game: i64, sum: &str) -> Result<(), StoreError> {
    let query = "SELECT substr(hex(head), 1, 16) FROM games WHERE key = ?1";
    let head: String = db.prepare_cached(query)?.query_row([game], |r| r.get(0))?;
    match head == sum {
        true => Ok(()),
        false => Err(StoreError::Unsound("an event")),
    }
}

/// Keeps what is in a directory under another name, if anything is.
fn set_aside(dir: &Path) -> Result<(), StoreError> {
    let failed = |error| StoreError::Directory(dir.to_owned(), error);
    if !dir.join(FILE).exists() {
        return Ok(());
    }
    let mut names = (1..).map(|n| {
        let mut name = dir.as_os_str().to_owned();
        name.push(format!(".earlier-{n}"));
        PathBuf::from(name)
    });
    let unused = names.find(|name| !name.exists()).unwrap_or_default();
    tracing::warn!(kept = %unused.display(), "another mirror is begun; this one is kept");
    fs::rename(dir, unused).map_err(failed)
}

/// Overwrites and removes a mirror and those kept beside it: a hall has erased what is said of
/// people.
fn destroy(dir: &Path) -> Result<(), StoreError> {
    let failed = |error| StoreError::Directory(dir.to_owned(), error);
    let (Some(parent), Some(name)) = (dir.parent(), dir.file_name().and_then(|n| n.to_str()))
    else {
        return Ok(());
    };
    let earlier = format!("{name}.earlier-");
    for entry in fs::read_dir(parent).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let found = entry.file_name();
        let found = found.to_str().unwrap_or_default();
        if found == name || found.starts_with(&earlier) {
            let removed = entry.path();
            tracing::warn!(removed = %removed.display(), "the hall has erased people");
            overwrite(&removed).map_err(failed)?;
            fs::remove_dir_all(entry.path()).map_err(failed)?;
        }
    }
    Ok(())
}

fn overwrite(dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_file() {
            let mut left = fs::metadata(&path)?.len();
            let mut file = fs::OpenOptions::new().write(true).open(&path)?;
            let zeros = [0; 64 * 1024];
            while left > 0 {
                let part = left.min(zeros.len() as u64);
                file.write_all(&zeros[..usize::try_from(part).unwrap_or_default()])?;
                left -= part;
            }
            file.sync_all()?;
        }
    }
    Ok(())
}

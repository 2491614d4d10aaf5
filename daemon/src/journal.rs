//! The journal: what was told to the arbiter, on disk before anybody hears what came of it.
//!
//! One thread writes. It commits whatever has arrived since the last commit as one transaction, so
//! that many boards share the disk's one slow step and a single board waits for nobody.

mod apply;
mod lock;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Instant;

use rusqlite::Connection;
use tokio::sync::{oneshot, watch};

use crate::store::{self, Deed, Ending, Erasure, Place, StoreError, Tags, Written};
pub(crate) use apply::apply;

/// Writes taken into one transaction at most, so that the first of them does not wait without end.
const BATCH: usize = 1024;

/// One thing to write down.
#[derive(Clone, PartialEq, Debug)]
pub enum Act {
    /// A game begins.
    Begin {
        /// Its name.
        game: Arc<str>,
        /// Its board.
        board: Arc<str>,
        /// Names and places.
        tags: Tags,
        /// Now, in RFC 3339.
        started: String,
    },
    /// The arbiter is told something.
    Event {
        /// The game.
        game: Arc<str>,
        /// 0 for the setup, then 1, 2, 3 ...
        seq: u64,
        /// Milliseconds on the board's clock.
        at: u64,
        /// Milliseconds since 1970.
        wall: i64,
        /// The event as a line of an event script.
        line: String,
    },
    /// The board's evidence is taken up to here, so that after a restart it can be asked for what
    /// came later.
    Taken {
        /// The board.
        board: Arc<str>,
        /// The place in its evidence.
        place: Place,
    },
    /// Something was learned of the board that the next run of the program must know.
    Learned {
        /// The board.
        board: Arc<str>,
        /// What, as its kind of board writes it.
        memory: String,
    },
    /// What lists show of the game; it follows from the events.
    Outcome {
        /// The game.
        game: Arc<str>,
        /// When it got its result, in RFC 3339.
        ended: Option<String>,
        /// The result as in PGN.
        result: &'static str,
        /// Half-moves.
        plies: u32,
    },
    /// The game is over: what was said of it stays, whatever a later version of the program would
    /// say.
    Ended {
        /// The game.
        game: Arc<str>,
        /// What was said.
        ending: Box<Ending>,
    },
    /// The game goes on after all.
    Reopened {
        /// The game.
        game: Arc<str>,
    },
    /// Somebody did something that is about no one game.
    Deed(Box<Deed>),
    /// The journal is given another name: it cannot go on where a hub knows it.
    Renew,
    /// What the store says of people is taken away.
    Erase(Box<Erasure>),
    /// A file that somebody gave is kept as it is.
    File {
        /// The SHA-256 of its bytes, in hexadecimal digits.
        name: String,
        /// All of it.
        bytes: Arc<[u8]>,
    },
}

/// Why something was not written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum JournalError {
    /// SQLite refused; nothing of the write was kept.
    #[error("{0}")]
    Refused(String),
    /// It is written; but what it took away may still be found in the bytes of the disk.
    #[error("it is taken away, but may still be found on the disk: {0}; do it again")]
    Unwiped(String),
    /// The writer has ended.
    #[error("the journal is closed")]
    Closed,
}

struct Write {
    acts: Arc<[Act]>,
    sent: Instant,
    done: oneshot::Sender<Result<(), JournalError>>,
}

/// The way to the writer. The writer ends when the last clone is gone.
#[derive(Clone, Debug)]
pub struct Journal {
    writes: Sender<Write>,
    /// Counts the commits.
    commits: Arc<watch::Sender<u64>>,
}

impl Journal {
    /// Opens the journal in `dir`, which is created if need be and belongs to this daemon until the
    /// writer ends.
    pub fn open(dir: &Path) -> Result<(Journal, JoinHandle<()>), StoreError> {
        store::create_dir(dir)?;
        let lock = lock::lock(dir)?;
        store::is_no_mirror(dir)?;
        let (mut db, written) = store::open_sound(dir)?;
        let (writes, inbox) = channel();
        let commits = Arc::new(watch::Sender::new(0));
        let counted = commits.clone();
        let work = move || {
            let _held_until_the_end = lock;
            serve(&mut db, &written, &inbox, &counted);
        };
        let thread = std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(work);
        Ok((
            Journal { writes, commits },
            thread.map_err(|e| StoreError::Directory(dir.to_owned(), e))?,
        ))
    }

    /// Tells when something was written. Ends with the writer's last way, not by itself.
    pub fn commits(&self) -> watch::Receiver<u64> {
        self.commits.subscribe()
    }

    /// A journal in which nothing can be written: that of a store which somebody else writes.
    pub fn closed() -> Journal {
        Journal {
            writes: channel().0,
            commits: Arc::default(),
        }
    }

    /// Writes `acts` as a whole or not at all. Returns when they are safely on disk.
    pub async fn write(&self, acts: Arc<[Act]>) -> Result<(), JournalError> {
        let (done, written) = oneshot::channel();
        let write = Write {
            acts,
            sent: Instant::now(),
            done,
        };
        self.writes.send(write).map_err(|_| JournalError::Closed)?;
        written.await.unwrap_or(Err(JournalError::Closed))
    }
}

fn serve(
    db: &mut Connection,
    written: &Written,
    inbox: &Receiver<Write>,
    commits: &watch::Sender<u64>,
) {
    while let Ok(first) = inbox.recv() {
        let mut batch = vec![first];
        batch.extend(inbox.try_iter().take(BATCH - 1));
        if commit(db, written, &batch).is_ok() {
            commits.send_modify(|count| *count += 1);
            for write in batch {
                let wiped = wiped(db, &write);
                answer(write, wiped);
            }
            continue;
        }
        // One bad write must not take the others with it.
        for write in batch {
            let result = commit(db, written, std::slice::from_ref(&write));
            let result = result.map_err(|e| JournalError::Refused(e.to_string()));
            let result = result.and_then(|()| wiped(db, &write));
            answer(write, result);
        }
        commits.send_modify(|count| *count += 1);
    }
}

/// Overwrites what a write has taken away, where it has.
fn wiped(db: &Connection, write: &Write) -> Result<(), JournalError> {
    match write.acts.iter().any(|act| matches!(act, Act::Erase(_))) {
        true => store::wipe(db).map_err(JournalError::Unwiped),
        false => Ok(()),
    }
}

fn answer(write: Write, result: Result<(), JournalError>) {
    if result.is_ok() {
        let events = write
            .acts
            .iter()
            .filter(|act| matches!(act, Act::Event { .. }))
            .count();
        metrics::counter!("arbiter_journal_events_total").increment(events as u64);
        metrics::histogram!("arbiter_commit_seconds").record(write.sent.elapsed());
    } else {
        metrics::counter!("arbiter_journal_errors_total").increment(1);
    }
    let _session_has_gone = write.done.send(result);
}

fn commit(db: &mut Connection, written: &Written, batch: &[Write]) -> rusqlite::Result<()> {
    let transaction = db.transaction()?;
    let acts = || batch.iter().flat_map(|write| write.acts.iter());
    for act in acts() {
        apply(&transaction, act)?;
    }
    transaction.commit()?;
    let mut games: BTreeMap<&str, bool> = BTreeMap::new();
    for act in acts() {
        match act {
            Act::Begin { game, .. } => *games.entry(game).or_default() = true,
            Act::Event { game, .. } => _ = games.entry(game).or_default(),
            _ => {}
        }
    }
    written.count(db, games.into_iter());
    Ok(())
}

#[cfg(test)]
mod tests;

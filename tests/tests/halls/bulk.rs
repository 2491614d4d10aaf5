//! A hall that writes more than boards do: the journal and the sender of the daemon, in this
//! process.

use std::fs;
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::Duration;

use daemon::hub::{Sender, Sent, Uplink, Wishes};
use daemon::journal::{Act, Journal};
use daemon::store::{Erasure, Renamed, Store, Tags};
use tests::rig::look_until;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use super::hub::{Place, rows_of};

const PATIENCE: Duration = Duration::from_secs(60);
/// Rows of one game.
const GAME: u64 = 400;

/// A hall that writes.
pub(crate) struct Bulk {
    runtime: Runtime,
    journal: Journal,
    uplink: Uplink,
    threads: Vec<JoinHandle<()>>,
    shutdown: CancellationToken,
    written: u64,
    dir: PathBuf,
}

impl Bulk {
    /// Writes in the store of this place.
    pub(crate) fn open(place: &Place) -> Bulk {
        let runtime = daemon::run::runtime().expect("a runtime");
        fs::create_dir_all(place.store()).expect("a directory");
        let (journal, writer) = Journal::open(&place.store()).expect("a journal");
        let store = Store::open(&place.store()).expect("a store");
        let wishes = Wishes {
            name: place.name.clone(),
            address: place.hub.clone(),
            key: place.key.clone(),
            authority: None,
            orders: Vec::new(),
        };
        let shutdown = CancellationToken::new();
        let (uplink, _orders, sender) = Sender::start(
            (&wishes, Default::default()),
            (store, journal.clone()),
            shutdown.clone(),
        )
        .expect("a sender");
        Bulk {
            runtime,
            journal,
            uplink,
            threads: vec![sender, writer],
            shutdown,
            written: rows_of(&place.store())[0].len() as u64,
            dir: place.store(),
        }
    }

    /// Writes so many rows, in commits of `together`.
    pub(crate) fn write(&mut self, rows: u64, together: u64) {
        let mut acts = Vec::new();
        for _ in 0..rows {
            acts.push(act(self.written));
            self.written += 1;
            if acts.len() as u64 == together {
                self.commit(std::mem::take(&mut acts));
            }
        }
        self.commit(acts);
    }

    /// Takes out of the journal who played the first game; it has another name from then on.
    pub(crate) fn erase(&mut self) {
        let erasure = Erasure {
            games: vec![Renamed {
                game: name_of(0),
                tags: Tags::default(),
                pgn: None,
            }],
            ..Erasure::default()
        };
        self.commit(vec![Act::Erase(erasure.into())]);
        self.written = rows_of(&self.dir)[0].len() as u64;
    }

    fn commit(&self, acts: Vec<Act>) {
        let written = self.runtime.block_on(self.journal.write(acts.into()));
        written.expect("a commit");
    }

    /// What it shows of its hub.
    pub(crate) fn shown(&self) -> Sent {
        self.uplink.shown()
    }

    /// Waits until what it shows is as `is_so` wants it.
    #[track_caller]
    pub(crate) fn until(&self, is_so: impl Fn(&Sent) -> bool) {
        let seen = look_until(PATIENCE, || match self.shown() {
            shown if is_so(&shown) => Ok(()),
            shown => Err(shown),
        });
        seen.unwrap_or_else(|shown| panic!("{shown:?}"));
    }

    /// Waits until the hub has everything.
    #[track_caller]
    pub(crate) fn until_complete(&self) {
        let written = self.written;
        self.until(|sent| sent.connected && sent.behind == 0 && sent.rows == written);
    }

    /// It is switched off.
    pub(crate) fn close(self) {
        self.shutdown.cancel();
        drop(self.journal);
        for thread in self.threads {
            thread.join().expect("a thread");
        }
    }
}

fn name_of(game: u64) -> String {
    format!("2026-11-21-b{game:03}-1")
}

/// The row of this number: games, each with its events, in which a piece is lifted and put back.
fn act(number: u64) -> Act {
    let (game, seq) = (number / GAME, number % GAME);
    let id = name_of(game);
    let wall = 1_764_000_000_000 + number.cast_signed();
    let line = match seq {
        0 => {
            return Act::Begin {
                game: id.into(),
                board: format!("b{game:03}").into(),
                tags: Tags::default(),
                started: "2026-11-21T10:00:00Z".to_owned(),
            };
        }
        1 => format!(r#"{{"event":"setup","game":"{id}","sensor":"piece"}}"#),
        _ => {
            let what = if seq.is_multiple_of(2) {
                "lift"
            } else {
                "place"
            };
            format!(r#"{{"event":"{what}","at":{},"square":"e2"}}"#, 1000 * seq)
        }
    };
    Act::Event {
        game: id.into(),
        seq: seq - 1,
        at: 1000 * seq,
        wall,
        line,
    }
}

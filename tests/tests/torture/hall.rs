//! The hall in which all this happens: where its store and its daemon are, and how one is started.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tests::rig::{Arbiterd, get};

use crate::fill_disk::Disk;
use tests::rig::WallClock;

/// The usual number of files, and a file that may not grow is no reason to die of.
const START: &str = "ulimit -S -n 1024; trap '' XFSZ; exec \"$0\" serve --config \"$1\"";

/// The hall.
pub(crate) struct Hall {
    pub(crate) config: PathBuf,
    pub(crate) store: PathBuf,
    pub(crate) disk: Disk,
    pub(crate) clock: WallClock,
    now: Mutex<Now>,
}

/// How it is now.
#[derive(Default)]
struct Now {
    /// The daemon at work, if one serves.
    daemon: Option<(u32, SocketAddr)>,
    /// Half-moves in the journal, by board.
    plies: HashMap<String, usize>,
}

impl Hall {
    pub(crate) fn new(config: PathBuf, store: &Path, clock: WallClock) -> Hall {
        Hall {
            config,
            store: store.to_owned(),
            disk: Disk::of(store),
            clock,
            now: Mutex::default(),
        }
    }

    /// Starts a daemon.
    pub(crate) fn start(&self) -> Arbiterd {
        let limit = self.disk.limit_of_the_next().unwrap_or_default();
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("{limit}{START}")])
            .arg(Arbiterd::program())
            .arg(&self.config);
        self.clock.show(&mut command);
        Arbiterd::start(command)
    }

    /// The daemon at work is this one, or none.
    pub(crate) fn is_served_by(&self, daemon: Option<(u32, SocketAddr)>) {
        self.now().daemon = daemon;
    }

    /// The process of the daemon at work.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.now().daemon.map(|(pid, _)| pid)
    }

    /// Where the daemon at work is.
    pub(crate) fn address(&self) -> Option<SocketAddr> {
        self.now().daemon.map(|(_, address)| address)
    }

    /// The boards as the daemon at work shows them; none where there is none.
    pub(crate) fn boards(&self) -> Vec<Value> {
        let reply = self
            .address()
            .and_then(|address| get(address, "/api/boards").ok());
        reply
            .filter(|reply| reply.status == 200)
            .and_then(|reply| serde_json::from_str(&reply.body).ok())
            .unwrap_or_default()
    }

    /// So many half-moves are in the journal by now.
    pub(crate) fn know(&self, plies: HashMap<String, usize>) {
        self.now().plies = plies;
    }

    /// Half-moves of a board in the journal, at least.
    pub(crate) fn plies(&self, board: &str) -> usize {
        self.now().plies.get(board).copied().unwrap_or(0)
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

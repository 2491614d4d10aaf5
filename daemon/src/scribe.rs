//! Keeps a PGN file of every game, `pgn/GAME.pgn` in the store's directory, while it is played.
//!
//! A file is replaced as a whole or not at all: readers and power cuts never see half a game. One
//! thread does it for all boards, so that no board waits for a disk; the journal stays the truth.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use arbiter_core::view::Phase;

use crate::hall::BoardState;
use crate::pgn::{self, Tags};
use crate::store::{self, StoreError};

/// A game that goes on is written at most this often.
const PAUSE: Duration = Duration::from_millis(500);
/// The directory's name within the store's.
const DIRECTORY: &str = "pgn";

/// A game's file.
#[derive(Clone, Debug)]
pub enum Page {
    /// A game as it stands.
    Board {
        /// Names and places.
        tags: Tags,
        /// The board that holds it.
        board: Arc<BoardState>,
    },
    /// A game that is over, as it was written then.
    Written {
        /// The game's name.
        game: String,
        /// Its PGN.
        text: String,
    },
}

impl Page {
    /// The name of the game, and whether it has ended. `None` where there is no game.
    fn about(&self) -> Option<(String, bool)> {
        match self {
            Page::Board { board, .. } => {
                let view = board.view()?;
                Some((view.game.clone(), view.state == Phase::Ended))
            }
            Page::Written { game, .. } => Some((game.clone(), true)),
        }
    }

    fn text(&self) -> Option<Cow<'_, str>> {
        match self {
            Page::Board { tags, board } => Some(pgn::render(tags, board.view()?).into()),
            Page::Written { text, .. } => Some(text.into()),
        }
    }
}

/// The way to the scribe. He ends when the last clone is gone, with every page written.
#[derive(Clone, Debug)]
pub struct Scribe {
    pages: Sender<Page>,
}

/// What waits to be written.
struct Desk {
    directory: PathBuf,
    /// By game: the page if it is not written yet, and the earliest moment for its next writing.
    pages: HashMap<String, (Option<Page>, Instant)>,
}

impl Scribe {
    /// Starts a scribe for the store in `dir`.
    pub fn start(dir: &Path) -> Result<(Scribe, JoinHandle<()>), StoreError> {
        let directory = dir.join(DIRECTORY);
        store::create_dir(&directory)?;
        let (pages, inbox) = channel();
        let mut desk = Desk {
            directory: directory.clone(),
            pages: HashMap::new(),
        };
        let thread = std::thread::Builder::new()
            .name("scribe".to_owned())
            .spawn(move || desk.serve(&inbox));
        Ok((
            Scribe { pages },
            thread.map_err(|e| StoreError::Directory(directory, e))?,
        ))
    }

    /// Takes a page; it replaces an earlier one of the same game.
    pub fn keep(&self, page: Page) {
        let _ended_with_the_daemon = self.pages.send(page);
    }
}

impl Desk {
    fn serve(&mut self, inbox: &Receiver<Page>) {
        loop {
            let waiting = self
                .pages
                .values()
                .filter(|(page, _)| page.is_some())
                .map(|(_, due)| *due)
                .min();
            let wait = waiting.map_or(PAUSE, |due| due.saturating_duration_since(Instant::now()));
            match inbox.recv_timeout(wait) {
                Ok(page) => self.put(page),
                Err(RecvTimeoutError::Timeout) => self.write_due(Instant::now()),
                Err(RecvTimeoutError::Disconnected) => return self.write_all(),
            }
        }
    }

    fn put(&mut self, page: Page) {
        let Some((game, ended)) = page.about() else {
            return;
        };
        let now = Instant::now();
        let (waiting, due) = self.pages.entry(game).or_insert((None, now));
        *waiting = Some(page);
        if ended {
            *due = now;
        }
        self.write_due(now);
    }

    fn write_due(&mut self, now: Instant) {
        for (game, (page, due)) in &mut self.pages {
            if *due <= now && page.is_some() {
                let written = write_page(&self.directory, game, page);
                *due = now + if written { PAUSE } else { PAUSE * 10 };
            }
        }
        self.pages
            .retain(|_, (page, due)| page.is_some() || *due > now);
    }

    fn write_all(&mut self) {
        for (game, (page, _)) in &mut self.pages {
            write_page(&self.directory, game, page);
        }
    }
}

/// Writes the page and takes it away; a page that could not be written stays.
fn write_page(directory: &Path, game: &str, waiting: &mut Option<Page>) -> bool {
    let Some(text) = waiting.as_ref().and_then(Page::text) else {
        return true;
    };
    let path = directory.join(format!("{game}.pgn"));
    let replaced = replace(&path, text.as_bytes());
    match replaced {
        Ok(()) => {
            *waiting = None;
            true
        }
        Err(error) => {
            metrics::counter!("arbiter_pgn_errors_total").increment(1);
            tracing::error!(file = %path.display(), %error, "PGN not written; is the disk full?");
            false
        }
    }
}

/// Replaces a file so that at every moment, also after a power cut, the old or the new one is there
/// as a whole: the new one is on disk before it takes the name. That the name itself is, nobody
/// waits for. A power cut may bring the old file back; the journal has what it lacks, and the
/// daemon writes a board's last games anew when it starts.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let fresh = path.with_extension("pgn.new");
    let mut file = File::options()
        .create(true)
        .write(true)
        .truncate(true)
        .mode(0o600)
        .open(&fresh)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&fresh, path)
}

#[cfg(test)]
mod tests;

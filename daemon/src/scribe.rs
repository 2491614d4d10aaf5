//! Keeps a PGN file of every game, `pgn/GAME.pgn` in the store's directory, while it is played.
//! The games of a round are `pgn/round-N/table-T.pgn`, and `games.pgn` beside them has all of
//! these; so it is with the store's first event, and of the second it is `pgn/event-2/round-N/`.
//!
//! A file is replaced as a whole or not at all: readers and power cuts never see half a game. One
//! thread does it for all boards, so that no board waits for a disk; the journal stays the truth.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use arbiter_core::view::Phase;

use crate::hall::BoardState;
use crate::office::Minors;
use crate::pgn::{self, Tags};
use crate::store::{self, StoreError};

/// A game that goes on is written at most this often.
const PAUSE: Duration = Duration::from_millis(500);
/// All games of a round are written together at most this often.
const TOGETHER: Duration = Duration::from_secs(2);
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
    /// The game at a table of a round.
    Table {
        /// Which of the store's events, from 1.
        of_event: usize,
        /// The round.
        round: u16,
        /// The table.
        table: u16,
        /// Its PGN.
        text: String,
    },
    /// There is no game at a table of a round.
    Gone {
        /// Which of the store's events, from 1.
        of_event: usize,
        /// The round.
        round: u16,
        /// The table.
        table: u16,
    },
    /// The names of minors are shortened in every file that is there.
    Shortened,
    /// Players are called otherwise in every file that is there.
    Renamed {
        /// Who, and where.
        renaming: Renaming,
        /// How many files were written anew.
        done: Sender<io::Result<usize>>,
    },
}

/// Whether a game is meant, by its head.
type Meant<'a> = &'a dyn Fn(pgn::Head<'_>) -> bool;

/// Players who are called otherwise.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Renaming {
    /// By their names: what they are called.
    pub names: BTreeMap<String, String>,
    /// The same by their names as the public is shown them.
    pub short: BTreeMap<String, String>,
    /// The same where others are called so too: only in games that are surely theirs.
    pub shared: BTreeMap<String, String>,
    /// Their games.
    pub games: BTreeSet<String>,
    /// Event and round of their games that no board has seen, as PGN has them.
    pub seats: BTreeSet<(String, String)>,
    /// In these games only, and in those of these events that no board has seen; `None`: in all.
    pub events: Option<BTreeSet<String>>,
}

impl Renaming {
    fn of(&self, text: &str) -> String {
        let is_theirs = |tag: pgn::Head<'_>| {
            let seat = || Some((tag("Event")?, tag("Round")?));
            match tag("GameId") {
                Some(game) => self.games.contains(&game),
                None => seat().is_some_and(|seat| self.seats.contains(&seat)),
            }
        };
        let is_meant = |tag: pgn::Head<'_>| match (&self.events, tag("GameId")) {
            (None, _) => true,
            (Some(_), Some(game)) => self.games.contains(&game),
            (Some(events), None) => tag("Event").is_some_and(|event| events.contains(&event)),
        };
        let renamed = |text: &str, names: &BTreeMap<String, String>, is_meant: Meant<'_>| {
            let called = |name: &str| names.get(name).cloned();
            pgn::renamed_in(text, &pgn::PERSON, &called, is_meant)
        };
        let text = renamed(text, &self.names, &is_meant);
        let text = renamed(&text, &self.short, &is_meant);
        renamed(&text, &self.shared, &is_theirs)
    }
}

/// A page's place among the others.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Leaf {
    /// A game outside of a round, by its name.
    Game(String),
    /// Round and table.
    Table(Round, u16),
}

/// A round: which of the store's events it is of, from 1, and its number.
type Round = (usize, u16);

impl Leaf {
    /// The round that it belongs to.
    fn round(&self) -> Option<Round> {
        match self {
            Leaf::Game(_) => None,
            Leaf::Table(round, _) => Some(*round),
        }
    }

    fn file(&self, directory: &Path) -> PathBuf {
        match self {
            Leaf::Game(game) => directory.join(format!("{game}.pgn")),
            Leaf::Table(round, table) => {
                folder(directory, *round).join(format!("table-{table}.pgn"))
            }
        }
    }
}

/// The directory of a round.
fn folder(directory: &Path, (event, round): Round) -> PathBuf {
    let round = format!("round-{round}");
    match event {
        0 | 1 => directory.join(round),
        event => directory.join(format!("event-{event}")).join(round),
    }
}

impl Page {
    /// Its place, and whether the game has ended. `None` where there is no game.
    fn about(&self) -> Option<(Leaf, bool)> {
        match self {
            Page::Board { tags, board } => {
                let view = board.view()?;
                let place = match tags.seat() {
                    Some((round, table)) => Leaf::Table((tags.of_event, round), table),
                    None => Leaf::Game(view.game.clone()),
                };
                Some((place, view.state == Phase::Ended))
            }
            Page::Written { game, .. } => Some((Leaf::Game(game.clone()), true)),
            Page::Table {
                of_event,
                round,
                table,
                ..
            } => Some((Leaf::Table((*of_event, *round), *table), true)),
            Page::Gone { .. } | Page::Renamed { .. } | Page::Shortened => None,
        }
    }

    fn text(&self) -> Option<Cow<'_, str>> {
        match self {
            Page::Board { tags, board } => Some(pgn::render(tags, board.view()?).into()),
            Page::Written { text, .. } | Page::Table { text, .. } => Some(text.into()),
            Page::Gone { .. } | Page::Renamed { .. } | Page::Shortened => None,
        }
    }
}

/// The way to the scribe. He ends when the last clone is gone, with every page written.
#[derive(Clone, Debug)]
pub struct Scribe {
    directory: PathBuf,
    pages: Sender<Page>,
}

/// What waits to be written.
struct Desk {
    directory: PathBuf,
    /// Whose names are shortened: these files may go to the public.
    minors: Minors,
    /// By place: the page if it is not written yet, and the earliest moment for its next writing.
    pages: HashMap<Leaf, (Option<Page>, Instant)>,
    /// Rounds of which a page was written since all of it was, and when all of it is to be.
    rounds: BTreeMap<Round, Instant>,
}

impl Scribe {
    /// Starts a scribe for the store in `dir`, who shortens the names of `minors`.
    pub fn start(dir: &Path, minors: Minors) -> Result<(Scribe, JoinHandle<()>), StoreError> {
        let directory = dir.join(DIRECTORY);
        store::create_dir(&directory)?;
        let (pages, inbox) = channel();
        let mut desk = Desk {
            directory: directory.clone(),
            minors,
            pages: HashMap::new(),
            rounds: BTreeMap::new(),
        };
        let thread = std::thread::Builder::new()
            .name("scribe".to_owned())
            .spawn(move || desk.serve(&inbox));
        let thread = thread.map_err(|e| StoreError::Directory(directory.clone(), e))?;
        Ok((Scribe { directory, pages }, thread))
    }

    /// When the page of a table was last written, if it is there.
    pub fn written(&self, of_event: usize, round: u16, table: u16) -> Option<SystemTime> {
        let file = fs::metadata(Leaf::Table((of_event, round), table).file(&self.directory));
        file.and_then(|about| about.modified()).ok()
    }

    /// The tables of a round that have a page.
    pub fn tables(&self, of_event: usize, round: u16) -> BTreeSet<u16> {
        let all = fs::read_dir(folder(&self.directory, (of_event, round)));
        let names = all.into_iter().flatten().flatten();
        names
            .filter_map(|entry| table_of(&entry.file_name()))
            .collect()
    }

    /// The same of a game outside of a round.
    pub fn written_game(&self, game: &str) -> Option<SystemTime> {
        let file = fs::metadata(Leaf::Game(game.to_owned()).file(&self.directory));
        file.and_then(|about| about.modified()).ok()
    }

    /// Takes a page; it replaces an earlier one of the same game.
    pub fn keep(&self, page: Page) {
        let _ended_with_the_daemon = self.pages.send(page);
    }

    /// Players are called otherwise in every file, from what was kept until now on. Returns how
    /// many files were written anew.
    ///
    /// # Errors
    /// Where a file cannot be written.
    pub fn rename(&self, renaming: Renaming) -> io::Result<usize> {
        let (done, written) = channel();
        self.keep(Page::Renamed { renaming, done });
        let ended = || io::Error::other("the program is ending");
        written.recv().map_err(|_| ended())?
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
                .chain(self.rounds.values().copied())
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
        if let Page::Renamed { renaming, done } = page {
            self.write_all();
            let called = |text: &str| renaming.of(text);
            let _nobody_waits = done.send(rename_all(&self.directory, &called));
            return;
        }
        if let Page::Gone {
            of_event,
            round,
            table,
        } = page
        {
            let round = (of_event, round);
            self.pages.remove(&Leaf::Table(round, table));
            let file = Leaf::Table(round, table).file(&self.directory);
            let removed = fs::remove_file(&file);
            let is_gone = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
            done(
                &file,
                removed.or_else(|e| if is_gone(&e) { Ok(()) } else { Err(e) }),
            );
            let soon = Instant::now() + TOGETHER;
            self.rounds.entry(round).or_insert(soon);
            return;
        }
        if matches!(page, Page::Shortened) {
            self.write_all();
            let renamed = rename_all(&self.directory, &|text| shortened(text, &self.minors));
            done(&self.directory, renamed.map(drop));
            return;
        }
        let Some((leaf, ended)) = page.about() else {
            return;
        };
        let now = Instant::now();
        let (waiting, due) = self.pages.entry(leaf).or_insert((None, now));
        *waiting = Some(page);
        if ended {
            *due = now;
        }
        self.write_due(now);
    }

    fn write_due(&mut self, now: Instant) {
        for (leaf, (page, due)) in &mut self.pages {
            if *due <= now && page.is_some() {
                let written = write_page(&self.directory, &self.minors, leaf, page);
                *due = now + if written { PAUSE } else { PAUSE * 10 };
                if let Some(round) = leaf.round().filter(|_| written) {
                    self.rounds.entry(round).or_insert(now + TOGETHER);
                }
            }
        }
        self.pages
            .retain(|_, (page, due)| page.is_some() || *due > now);
        for (round, due) in &mut self.rounds {
            if *due <= now && !write_round(&self.directory, *round) {
                *due = now + TOGETHER;
            }
        }
        self.rounds.retain(|_, due| *due > now);
    }

    fn write_all(&mut self) {
        for (leaf, (page, _)) in &mut self.pages {
            write_page(&self.directory, &self.minors, leaf, page);
            if let Some(round) = leaf.round() {
                self.rounds.insert(round, Instant::now());
            }
        }
        for round in self.rounds.keys() {
            write_round(&self.directory, *round);
        }
    }
}

/// Writes the page and takes it away; a page that could not be written stays.
fn write_page(directory: &Path, minors: &Minors, leaf: &Leaf, waiting: &mut Option<Page>) -> bool {
    let Some(text) = waiting.as_ref().and_then(Page::text) else {
        return true;
    };
    let text = shortened(&text, minors);
    let written = match leaf.round() {
        Some(round) => made(&folder(directory, round)),
        None => Ok(()),
    };
    let path = leaf.file(directory);
    let is_written = done(
        &path,
        written.and_then(|()| replace(&path, text.as_bytes())),
    );
    if is_written {
        *waiting = None;
    }
    is_written
}

/// A page as the public may read it.
fn shortened(text: &str, minors: &Minors) -> String {
    pgn::renamed(text, &["FideId", "Team"], &|name| minors.short(name))
}

/// A directory that only its owner can enter.
pub(crate) fn made(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
}

/// The table of which a page is, by the name of its file.
fn table_of(name: &OsStr) -> Option<u16> {
    let number = name.to_str()?.strip_prefix("table-")?;
    number.strip_suffix(".pgn")?.parse().ok()
}

/// Writes all games of a round into one file, in the order of the tables.
fn write_round(directory: &Path, round: Round) -> bool {
    let folder = folder(directory, round);
    let path = folder.join("games.pgn");
    let read = || {
        let mut tables = BTreeMap::new();
        for entry in fs::read_dir(&folder)? {
            let name = entry?.file_name();
            if let Some(table) = table_of(&name) {
                tables.insert(table, fs::read(folder.join(name))?);
            }
        }
        let all: Vec<Vec<u8>> = tables.into_values().collect();
        replace(&path, &all.join(&b'\n'))
    };
    done(&path, read())
}

/// Calls players otherwise in every file below a directory. What is half written of a run that was
/// killed is removed.
fn rename_all(directory: &Path, called: &dyn Fn(&str) -> String) -> io::Result<usize> {
    let mut count = 0;
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            count += rename_all(&path, called)?;
        } else if path.extension().is_some_and(|end| end == "new") {
            fs::remove_file(&path)?;
        } else if path.extension().is_some_and(|end| end == "pgn") {
            let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
            let renamed = called(&text);
            if renamed != text {
                replace(&path, renamed.as_bytes())?;
                count += 1;
            }
        }
    }
    Ok(count)
}

/// Whether a file was written; it is said if it was not.
fn done(path: &Path, written: io::Result<()>) -> bool {
    if let Err(error) = &written {
        metrics::counter!("arbiter_pgn_errors_total").increment(1);
        tracing::error!(file = %path.display(), %error, "PGN not written; is the disk full?");
    }
    written.is_ok()
}

/// Replaces a file so that at every moment, also after a power cut, the old or the new one is there
/// as a whole: the new one is on disk before it takes the name. That the name itself is, nobody
/// waits for. A power cut may bring the old file back; the journal has what it lacks, and the
/// daemon writes a board's last games anew when it starts.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_for(path, bytes, 0o600)
}

/// The same for whoever may read a file of this mode.
pub(crate) fn replace_for(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(".new");
    let fresh = PathBuf::from(fresh);
    let mut file = File::options()
        .create(true)
        .write(true)
        .truncate(true)
        .mode(mode)
        .open(&fresh)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&fresh, path)
}

#[cfg(test)]
mod tests;

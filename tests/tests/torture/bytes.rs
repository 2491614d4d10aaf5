//! The bytes of a store's files by what they are for
//! (<https://sqlite.org/fileformat2.html>).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use daemon::store::{FILE, Game};
use rusqlite::Connection;

use crate::chance::Chance;

/// Bytes of a page.
pub(crate) const PAGE: usize = 4096;
/// Bytes of the header of the file, of the log, and of each frame of the log before its page.
const HEADER: usize = 100;
const LOG_HEADER: usize = 32;
const FRAME_HEADER: usize = 24;
/// The types of pages of a tree: inner ones, and leaves.
const INNER: [u8; 2] = [2, 5];
const LEAVES: [u8; 2] = [10, 13];
/// Looks for something of a class.
const LOOKS: usize = 200;

/// What a byte is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    Header,
    PageHeader,
    Cell,
    Free,
    Payload,
    Checksum,
    LogHeader,
    FrameHeader,
    FramePage,
}

/// Every class.
pub(crate) const CLASSES: [Class; 9] = [
    Class::Header,
    Class::PageHeader,
    Class::Cell,
    Class::Free,
    Class::Payload,
    Class::Checksum,
    Class::LogHeader,
    Class::FrameHeader,
    Class::FramePage,
];

impl Class {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Class::Header => "header of the file",
            Class::PageHeader => "header of a page",
            Class::Cell => "cell",
            Class::Free => "free space",
            Class::Payload => "event",
            Class::Checksum => "checksum",
            Class::LogHeader => "header of the log",
            Class::FrameHeader => "header of a frame",
            Class::FramePage => "page of a frame",
        }
    }
}

/// The bytes of a store.
pub(crate) struct Files {
    file: Vec<u8>,
    log: Vec<u8>,
}

impl Files {
    pub(crate) fn read(dir: &Path) -> Files {
        Files {
            file: fs::read(dir.join(FILE)).expect("the file"),
            log: fs::read(dir.join(format!("{FILE}-wal"))).unwrap_or_default(),
        }
    }

    /// Writes one of the files with a wrong bit.
    pub(crate) fn flip(&mut self, dir: &Path, is_log: bool, place: usize, bit: usize) {
        let (bytes, name) = match is_log {
            true => (&mut self.log, format!("{FILE}-wal")),
            false => (&mut self.file, FILE.to_owned()),
        };
        bytes[place] ^= 1 << bit;
        fs::write(dir.join(name), bytes).expect("a file");
    }

    /// Whether it is in the log, and where: a byte of this class, if there is one. The store in
    /// `readable` has the same games.
    pub(crate) fn place(
        &self,
        class: Class,
        games: &BTreeMap<String, Game>,
        readable: &Path,
        chance: &mut Chance,
    ) -> Option<(bool, usize)> {
        let in_file = |place| Some((false, place));
        match class {
            Class::Header => in_file(chance.below(HEADER)),
            Class::PageHeader => self.any(chance, Files::page_header).and_then(in_file),
            Class::Cell => self.any(chance, Files::cell).and_then(in_file),
            Class::Free => self.any(chance, Files::free).and_then(in_file),
            Class::Payload => self
                .value("line", games, readable, chance)
                .and_then(in_file),
            Class::Checksum => self.value("sum", games, readable, chance).and_then(in_file),
            Class::LogHeader => {
                let place = chance.below(LOG_HEADER);
                (self.log.len() > place).then_some((true, place))
            }
            Class::FrameHeader => self.frame(0, FRAME_HEADER, chance),
            Class::FramePage => self.frame(FRAME_HEADER, PAGE, chance),
        }
    }

    /// What `look` finds in one of the pages.
    fn any(
        &self,
        chance: &mut Chance,
        look: fn(&Files, usize, &mut Chance) -> Option<usize>,
    ) -> Option<usize> {
        let pages = self.file.len() / PAGE;
        (0..LOOKS).find_map(|_| look(self, chance.below(pages), chance))
    }

    /// Where the header of a page of a tree begins, and its type.
    fn tree(&self, page: usize) -> Option<(usize, u8)> {
        let at = page * PAGE + if page == 0 { HEADER } else { 0 };
        let kind = self.file[at];
        let is_tree = INNER.contains(&kind) || LEAVES.contains(&kind);
        is_tree.then_some((at, kind))
    }

    /// Whether that byte of the file is in a page that says which tables there are and where each
    /// begins: the first one, and those that it points to where the list is too long for it.
    pub(crate) fn describes(&self, place: usize) -> bool {
        let page = place / PAGE;
        let Some((at, kind)) = self.tree(0) else {
            return page == 0;
        };
        if page == 0 || !INNER.contains(&kind) {
            return page == 0;
        }
        let child = |at: usize| self.number(at) << 16 | self.number(at + 2);
        let cells = (0..self.number(at + 3)).map(|n| child(self.number(at + 12 + 2 * n)));
        cells.chain([child(at + 8)]).any(|child| child == page + 1)
    }

    fn page_header(&self, page: usize, chance: &mut Chance) -> Option<usize> {
        let (at, kind) = self.tree(page)?;
        Some(at + chance.below(if INNER.contains(&kind) { 12 } else { 8 }))
    }

    fn number(&self, at: usize) -> usize {
        usize::from(u16::from_be_bytes([self.file[at], self.file[at + 1]]))
    }

    /// How long a row is, its key, or what its columns are.
    fn cell(&self, page: usize, chance: &mut Chance) -> Option<usize> {
        let (at, kind) = self.tree(page)?;
        let cells = self.number(at + 3);
        if cells == 0 || INNER.contains(&kind) {
            return None;
        }
        let cell = self.number(at + 8 + 2 * chance.below(cells));
        Some(page * PAGE + (cell + chance.below(8)).min(PAGE - 1))
    }

    /// Between the list of cells and the first of them.
    fn free(&self, page: usize, chance: &mut Chance) -> Option<usize> {
        let (at, kind) = self.tree(page)?;
        let head = if INNER.contains(&kind) { 12 } else { 8 };
        let from = at + head + 2 * self.number(at + 3);
        let to = page * PAGE + self.number(at + 5);
        (from < to).then(|| from + chance.below(to - from))
    }

    /// A byte of a value of an event, where it stands in the file.
    fn value(
        &self,
        column: &str,
        games: &BTreeMap<String, Game>,
        readable: &Path,
        chance: &mut Chance,
    ) -> Option<usize> {
        let count: usize = games.values().map(|game| game.events.len()).sum();
        let db = Connection::open(readable.join(FILE)).expect("the store");
        let query = format!("SELECT CAST({column} AS BLOB) FROM events LIMIT 1 OFFSET ?1");
        (0..LOOKS).find_map(|_| {
            let row = chance.below(count.max(1)) as i64;
            let value: Vec<u8> = db.query_row(&query, [row], |r| r.get(0)).ok()?;
            let mut windows = self.file.windows(value.len());
            let at = windows.position(|window| window == value)?;
            Some(at + chance.below(value.len()))
        })
    }

    /// A byte of some frame: of `length` from `from` on.
    fn frame(&self, from: usize, length: usize, chance: &mut Chance) -> Option<(bool, usize)> {
        let frames = self.log.len().checked_sub(LOG_HEADER)? / (FRAME_HEADER + PAGE);
        let frame = (frames > 0).then(|| chance.below(frames))?;
        let at = LOG_HEADER + frame * (FRAME_HEADER + PAGE);
        Some((true, at + from + chance.below(length)))
    }
}

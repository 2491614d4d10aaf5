//! Copies of a store: taken while a daemon writes it, looked through, and put back where there is
//! none.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use nix::sys::statvfs::statvfs;
use rusqlite::backup::Backup;
use rusqlite::{Connection, ErrorCode};

use super::{Verdict, file, look_through, reader};
use crate::store::{FILE, Store, StoreError, WRITTEN, schema, written};

/// Pages that are copied at a time, and the rest between two times: whoever writes the store
/// meanwhile need not wait.
const PAGES: i32 = 256;
const REST: Duration = Duration::from_millis(2);

/// What copies in a directory are called: this, the time (UTC), and that.
const PREFIX: &str = "arbiter-";
const SUFFIX: &str = ".sqlite";
/// And one that is being written, with this behind it.
const PART: &str = ".part";
/// A copy that nobody has written to for so long was cut off.
const AT_IT: Duration = Duration::from_secs(3600);
/// Bytes besides the store's that a copy takes on a disk, for the file system.
const SPARE: u64 = 1 << 16;
/// Bytes that are compared at a time.
const PIECE: usize = 1 << 16;

/// Copies the store in `dir` to the file `into`, which must not exist, as it is at one moment; a
/// daemon may write it meanwhile. Says what of the copy is whole: it was looked through after it
/// was written.
///
/// # Errors
/// Where there is no store, something is at `into`, or it cannot be written. Then nothing is left
/// there.
pub fn back_up(dir: &Path, into: &Path) -> Result<(Vec<Verdict>, Vec<String>), StoreError> {
    let store = Store::open(dir)?;
    if into.exists() {
        return Err(StoreError::Occupied(into.to_owned()));
    }
    let part = beside(into);
    file::remove(&part);
    let copied = copy(&store.file, &part).and_then(|()| {
        let looked = look_at(&part)?;
        settle(&part, into)?;
        Ok(looked)
    });
    copied.map_err(|error| {
        file::remove(&part);
        match is_full(&error) {
            true => StoreError::Full(into.to_owned()),
            false => error,
        }
    })
}

/// Whether it was for want of room.
fn is_full(error: &StoreError) -> bool {
    match error {
        StoreError::Sqlite(error) => error.sqlite_error_code() == Some(ErrorCode::DiskFull),
        StoreError::Directory(_, error) => error.kind() == io::ErrorKind::StorageFull,
        _ => false,
    }
}

/// What became of a copy in a directory.
#[derive(Debug)]
pub struct Placed {
    /// The copy, or the one before, where nothing has happened since.
    pub file: PathBuf,
    /// It is the one before.
    pub is_same: bool,
    /// What of it is whole: its games, and what is wrong with the file.
    pub looked: (Vec<Verdict>, Vec<String>),
    /// Copies that were removed for it.
    pub removed: Vec<PathBuf>,
}

/// Copies the store in `dir` to a new file in the directory `place`, named by the time, as
/// `back_up` does. Of the copies there at most `keep` stay, the latest; the new one always does.
/// One in which something is damaged takes no other's place. Where there is no room for the new
/// one, and `keep` allows it, the oldest make room, but never the latest. Files of other names
/// stay, but for what is left of a copy that was cut off.
///
/// # Errors
/// As `back_up`; and where an older copy cannot be removed.
pub fn back_up_into(dir: &Path, place: &Path, keep: Option<usize>) -> Result<Placed, StoreError> {
    let failed = |error| StoreError::Directory(place.to_owned(), error);
    let mut before = copies(place).map_err(failed)?;
    remove_parts(place).map_err(failed)?;
    let now = Timestamp::now().strftime("%Y%m%d-%H%M%S-%3f");
    let file = place.join(format!("{PREFIX}{now}{SUFFIX}"));
    let mut removed = Vec::new();
    let looked = match back_up(dir, &file) {
        Err(StoreError::Full(_)) if keep.is_some() => {
            let needed = fs::metadata(dir.join(FILE)).map_err(failed)?.len();
            removed = make_room(place, &mut before, needed).map_err(failed)?;
            back_up(dir, &file)?
        }
        looked => looked?,
    };
    let last = before.last();
    if let Some(last) = last.filter(|last| is_same(last, &file).unwrap_or(false)) {
        fs::remove_file(&file).map_err(failed)?;
        return Ok(Placed {
            file: last.clone(),
            is_same: true,
            looked,
            removed,
        });
    }
    let too_many = match keep {
        Some(keep) if is_whole(&looked) => (before.len() + 1).saturating_sub(keep.max(1)),
        _ => 0,
    };
    for copy in before.into_iter().take(too_many) {
        fs::remove_file(&copy).map_err(failed)?;
        removed.push(copy);
    }
    Ok(Placed {
        file,
        is_same: false,
        looked,
        removed,
    })
}

/// Removes the oldest of these copies until there is room for as many bytes; none, where there
/// would not be enough without the latest.
fn make_room(place: &Path, copies: &mut Vec<PathBuf>, needed: u64) -> io::Result<Vec<PathBuf>> {
    let disk = statvfs(place)?;
    let mut free = disk.blocks_available() * disk.fragment_size();
    let mut many = 0;
    for copy in copies.iter().take(copies.len().saturating_sub(1)) {
        if free >= needed + SPARE {
            break;
        }
        free += fs::metadata(copy)?.len();
        many += 1;
    }
    if free < needed + SPARE {
        many = 0;
    }
    copies
        .drain(..many)
        .map(|copy| fs::remove_file(&copy).map(|()| copy))
        .collect()
}

/// The copies in a directory, the oldest first.
fn copies(place: &Path) -> io::Result<Vec<PathBuf>> {
    let named = |path: &PathBuf| ending(path) == Some("");
    let mut found: Vec<PathBuf> = entries(place)?.into_iter().filter(named).collect();
    found.sort();
    Ok(found)
}

/// Removes what is left of copies that were cut off, by a stick that was pulled out. One that was
/// written not long ago may be somebody's who is still at it.
fn remove_parts(place: &Path) -> io::Result<()> {
    for path in entries(place)? {
        let part = ending(&path).and_then(|end| end.strip_prefix(PART));
        if part.is_none_or(|end| !["", "-wal", "-shm", "-journal"].contains(&end)) {
            continue;
        }
        let written = fs::metadata(&path)?.modified()?;
        let now = SystemTime::now();
        let apart = now.duration_since(written).unwrap_or_else(|e| e.duration());
        if apart > AT_IT {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

fn entries(place: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(place)?
        .map(|entry| Ok(entry?.path()))
        .collect()
}

/// What follows on the name of a copy: nothing, or what says that it is a part of one. `None` where
/// it is the name of something else.
fn ending(path: &Path) -> Option<&str> {
    let rest = path.file_name()?.to_str()?.strip_prefix(PREFIX)?;
    let (time, end) = rest.split_once(SUFFIX)?;
    let of_time = |c: u8| c.is_ascii_digit() || c == b'-';
    (!time.is_empty() && time.bytes().all(of_time)).then_some(end)
}

/// Whether two files hold the same.
fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    let (mut one, mut other) = (File::open(one)?, File::open(other)?);
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let mut pieces = (vec![0; PIECE], vec![0; PIECE]);
    loop {
        let read = one.read(&mut pieces.0)?;
        if read == 0 {
            return Ok(true);
        }
        other.read_exact(&mut pieces.1[..read])?;
        if pieces.0[..read] != pieces.1[..read] {
            return Ok(false);
        }
    }
}

/// Puts the store that `back_up` wrote to `from` into `dir`, where there must be none. Says what of
/// it is whole; where something is not, nothing is put back unless `damaged` allows it.
///
/// # Errors
/// Where `from` is no store, or one is in `dir`.
pub fn put_back(
    from: &Path,
    dir: &Path,
    damaged: bool,
) -> Result<(Vec<Verdict>, Vec<String>), StoreError> {
    let into = dir.join(FILE);
    if into.exists() {
        return Err(StoreError::Occupied(into));
    }
    if !from.is_file() {
        return Err(StoreError::NoCopy(from.to_owned()));
    }
    let looked = look_at(from)?;
    if is_whole(&looked) || damaged {
        file::create_dir(dir)?;
        let part = beside(&into);
        file::remove(&part);
        copy(from, &part)?;
        // What is left of a store that was here: SQLite would take its log for this one's, and its
        // counts would miss what the copy cannot have.
        file::remove(&into);
        let _none = fs::remove_file(dir.join(WRITTEN));
        settle(&part, &into)?;
    }
    Ok(looked)
}

fn is_whole((games, wrong): &(Vec<Verdict>, Vec<String>)) -> bool {
    wrong.is_empty() && games.iter().all(|game| game.damage.is_none())
}

/// Keeps the file as it is before its tables are changed by this version of the program, beside it.
/// Once: what an earlier start has kept stays.
pub(super) fn keep_before_changes(db: &Connection, store: &Path) -> Result<(), StoreError> {
    let Some(version) = schema::is_older(db)? else {
        return Ok(());
    };
    let kept = store.with_extension(format!("sqlite.version-{version}"));
    if kept.exists() {
        return Ok(());
    }
    let part = beside(&kept);
    file::remove(&part);
    copy(store, &part)?;
    settle(&part, &kept)?;
    let kept = kept.display();
    tracing::info!(%kept, "the game store is brought up to date; it is kept as it was");
    Ok(())
}

/// What is whole of a copy.
fn look_at(copy: &Path) -> Result<(Vec<Verdict>, Vec<String>), StoreError> {
    let db = reader(copy).map_err(|error| no_copy(copy, error))?;
    let marks = written::of_store(&db, written::Marks::default());
    look_through(&db, &marks.map_err(|error| no_copy(copy, error))?)
}

/// A file of which SQLite understands nothing is no copy of a store.
fn no_copy(copy: &Path, error: StoreError) -> StoreError {
    match error {
        StoreError::Sqlite(_) => StoreError::NoCopy(copy.to_owned()),
        other => other,
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    let source = reader(from)?;
    file::create(to)?;
    let mut target = Connection::open(to)?;
    Backup::new(&source, &mut target)?.run_to_completion(PAGES, REST, None)?;
    // One file, also while somebody reads it: whoever writes to the store turns its log on again.
    target.pragma_update(None, "journal_mode", "DELETE")?;
    target.close().map_err(|(_, error)| error)?;
    Ok(())
}

/// Gives a file that is written whole its name: after a power cut it is there whole, or not at all.
fn settle(part: &Path, into: &Path) -> Result<(), StoreError> {
    let written = || {
        File::open(part)?.sync_all()?;
        fs::rename(part, into)?;
        let dir = into.parent().filter(|dir| !dir.as_os_str().is_empty());
        File::open(dir.unwrap_or(Path::new(".")))?.sync_all()
    };
    written().map_err(|error| StoreError::Directory(into.to_owned(), error))
}

fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(PART);
    name.into()
}

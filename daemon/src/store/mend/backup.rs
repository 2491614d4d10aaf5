//! Copies of a store: taken while a daemon writes it, looked through, and put back where there is
//! none.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::backup::Backup;

use super::{Verdict, file, look_through, reader};
use crate::store::{FILE, Store, StoreError, WRITTEN, schema, written};

/// Pages that are copied at a time, and the rest between two times: whoever writes the store
/// meanwhile need not wait.
const PAGES: i32 = 256;
const REST: Duration = Duration::from_millis(2);

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
    let copied = copy(&store.file, &part).and_then(|()| look_at(&part));
    match copied {
        Ok(looked) => {
            settle(&part, into)?;
            Ok(looked)
        }
        Err(error) => {
            file::remove(&part);
            Err(error)
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
    let (games, wrong) = look_at(from)?;
    let whole = wrong.is_empty() && games.iter().all(|game| game.damage.is_none());
    if whole || damaged {
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
    Ok((games, wrong))
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
    name.push(".part");
    name.into()
}

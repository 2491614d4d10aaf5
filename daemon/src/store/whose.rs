//! Whose a store is: a hall's, with games of its boards; a hub's, with mirrors of halls; or such a
//! mirror.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use super::{FILE, StoreError, log, mend};

/// The directory of the mirrors within a hub's store.
pub(crate) const MIRRORS: &str = "halls";

/// What there is, to be read. Of what cannot be read nothing is said: who opens it says it better.
fn reader(dir: &Path) -> Option<Connection> {
    let file = dir.join(FILE);
    file.is_file().then(|| mend::reader(&file).ok())?
}

/// Whether `dir` is not a hub's mirror of a hall.
///
/// # Errors
/// Where it is: the hub alone writes it, from what the hall says.
pub(crate) fn is_no_mirror(dir: &Path) -> Result<(), StoreError> {
    let db = reader(dir);
    match db.is_some_and(|db| log::is_mirror(&db).unwrap_or(false)) {
        true => Err(StoreError::OfMirror(dir.to_owned())),
        false => Ok(()),
    }
}

/// Whether a hub, or else a hall, may go on with what is in `dir`.
///
/// # Errors
/// Where it is another's: what it would write there is nowhere to be found later, and a hub would
/// order other halls what this one plays.
pub(crate) fn may_use(dir: &Path, is_hub: bool) -> Result<(), StoreError> {
    is_no_mirror(dir)?;
    let Some(db) = reader(dir) else {
        return Ok(());
    };
    match is_hub {
        true if is_of_hall(&db).unwrap_or(false) => Err(StoreError::OfHall(dir.to_owned())),
        false if has_mirror(&dir.join(MIRRORS)) => Err(StoreError::OfHub(dir.to_owned())),
        _ => Ok(()),
    }
}

/// Whether games were played on its boards, or a hub has ordered something of it.
fn is_of_hall(db: &Connection) -> rusqlite::Result<bool> {
    let games = "SELECT 1 FROM games";
    let ordered = "SELECT 1 FROM acts WHERE area = 'orders' AND json_valid(what)
                   AND json_extract(what, '$.act') IN ('taken', 'refused', 'answered')";
    Ok(db.prepare(games)?.exists([])? || db.prepare(ordered)?.exists([])?)
}

fn has_mirror(dir: &Path) -> bool {
    let mut halls = fs::read_dir(dir).into_iter().flatten().flatten();
    halls.any(|hall| hall.path().join(FILE).is_file())
}

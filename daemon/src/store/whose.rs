//! Whose a store is: a hall's, with games of its boards; a hub's, with mirrors of halls; or such a
//! mirror.

use std::fs;
use std::path::Path;

use super::{FILE, StoreError, log, mend};

/// The directory of the mirrors within a hub's store.
pub(crate) const MIRRORS: &str = "halls";

/// Whether a hub, or else a hall, may go on with what is in `dir`. Of what cannot be read nothing
/// is said: who opens it says it better.
///
/// # Errors
/// Where it is another's: what it would write there is nowhere to be found later.
pub(crate) fn may_use(dir: &Path, is_hub: bool) -> Result<(), StoreError> {
    let file = dir.join(FILE);
    if !file.is_file() {
        return Ok(());
    }
    let Ok(db) = mend::reader(&file) else {
        return Ok(());
    };
    let dir = || dir.to_owned();
    if log::is_mirror(&db).unwrap_or(false) {
        return Err(StoreError::OfMirror(dir()));
    }
    let has_game = || db.prepare("SELECT 1 FROM games")?.exists([]);
    match is_hub {
        true if has_game().unwrap_or(false) => Err(StoreError::OfHall(dir())),
        false if has_mirror(&dir().join(MIRRORS)) => Err(StoreError::OfHub(dir())),
        _ => Ok(()),
    }
}

fn has_mirror(dir: &Path) -> bool {
    let mut halls = fs::read_dir(dir).into_iter().flatten().flatten();
    halls.any(|hall| hall.path().join(FILE).is_file())
}

//! Two writers would give one game two histories: a store belongs to one program at a time.

use std::fs::{self, File, TryLockError};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::plain;
use crate::store::StoreError;

/// As much of a command as is told.
const LETTERS: usize = 100;

/// Takes the store in `dir`. The directory itself is locked: a file in it could be deleted, and
/// another one locked in its place.
pub(super) fn lock(dir: &Path) -> Result<File, StoreError> {
    let file = File::open(dir).map_err(|e| StoreError::Directory(dir.to_owned(), e))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse(
            dir.to_owned(),
            holder(&file).unwrap_or_default(),
        )),
        Err(TryLockError::Error(e)) => Err(StoreError::Directory(dir.to_owned(), e)),
    }
}

/// Which program has a file locked, as ` (process 812: arbiterd serve)`, where the system says it.
fn holder(file: &File) -> Option<String> {
    let inode = file.metadata().ok()?.ino();
    let process = locked_by(&fs::read_to_string("/proc/locks").ok()?, inode)?;
    let command = fs::read(format!("/proc/{process}/cmdline")).ok()?;
    let command = String::from_utf8_lossy(&command).replace('\0', " ");
    let command: String = command.trim_end().chars().take(LETTERS).collect();
    Some(format!(" (process {process}: {})", plain::shown(&command)))
}

/// The process that has locked a file as a whole (proc(5), `/proc/locks`).
fn locked_by(locks: &str, inode: u64) -> Option<u32> {
    locks.lines().find_map(|line| {
        let mut fields = line.split_whitespace().skip(1);
        let is_whole = fields.next()? == "FLOCK";
        let process = fields.nth(2)?.parse().ok()?;
        let (_, file) = fields.next()?.rsplit_once(':')?;
        (is_whole && file.parse() == Ok(inode)).then_some(process)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_a_store_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let held = lock(dir.path()).unwrap();
        let told = lock(dir.path()).unwrap_err().to_string();
        let me = format!("(process {}: ", std::process::id());
        assert!(told.contains(&me), "{told}");
        drop(held);
        lock(dir.path()).unwrap();
    }

    #[test]
    fn only_locks_of_the_whole_file_count_and_nobody_who_waits() {
        let locks = "1: POSIX  ADVISORY  WRITE 11 08:01:77 0 EOF\n\
                     2: FLOCK  ADVISORY  WRITE 12 08:01:78 0 EOF\n\
                     3: FLOCK  ADVISORY  WRITE 13 00:2f:77 0 EOF\n\
                     3: -> FLOCK  ADVISORY  WRITE 14 00:2f:77 0 EOF\n";
        assert_eq!(locked_by(locks, 77), Some(13));
        assert_eq!(locked_by(locks, 79), None);
        assert_eq!(locked_by("1: FLOCK", 77), None);
    }
}

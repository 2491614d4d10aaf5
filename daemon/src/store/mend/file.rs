//! The files of a store: who may read them, copies, and what SQLite's write-ahead log has lost.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::store::StoreError;

/// Bytes of a page. Stores are always created so.
const PAGE: usize = 4096;
/// Bytes of the header of the log, and of each of its frames before the page
/// (<https://sqlite.org/fileformat2.html#walformat>).
const LOG_HEADER: usize = 32;
const FRAME_HEADER: usize = 24;

/// What never changes in the header of a store's file, with its place
/// (<https://sqlite.org/fileformat2.html#the_database_header>).
const HEADER: [(usize, &[u8]); 8] = [
    (0, b"SQLite format 3\0"),
    // Bytes of a page; written and read with a log; nothing reserved; three fractions.
    (16, &[0x10, 0, 2, 2, 0, 64, 32, 32]),
    // No list of free pages that could be trusted.
    (32, &[0; 8]),
    // The format of the descriptions of tables.
    (44, &[0, 0, 0, 4]),
    (52, &[0; 4]),
    // UTF-8.
    (56, &[0, 0, 0, 1]),
    (64, &[0; 4]),
    (72, &[0; 20]),
];

/// Creates a directory that only its owner can enter. Also those above it that are missing.
pub(crate) fn create_dir(dir: &Path) -> Result<(), StoreError> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(dir);
    made.map_err(|e| StoreError::Directory(dir.to_owned(), e))?;
    // One that somebody else has made may be his to open to others.
    let _not_ours = fs::set_permissions(dir, fs::Permissions::from_mode(0o700));
    Ok(())
}

/// Makes sure that only its owner can read a file of the store, and that it is there. SQLite gives
/// the files beside it the same permissions.
pub(super) fn create(file: &Path) -> Result<(), StoreError> {
    let options = OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(file);
    let private = |file: File| file.set_permissions(fs::Permissions::from_mode(0o600));
    options
        .and_then(private)
        .map_err(|e| StoreError::Directory(file.to_owned(), e))
}

/// Copies a store's file and its log, with a header that SQLite understands.
pub(super) fn copy_mended(from: &Path, to: &Path) -> Result<(), StoreError> {
    let copied = || {
        let mut bytes = fs::read(from)?;
        for (place, constant) in HEADER {
            if let Some(found) = bytes.get_mut(place..place + constant.len()) {
                found.copy_from_slice(constant);
            }
        }
        let pages = u32::try_from(bytes.len() / PAGE).unwrap_or(0);
        if let Some(found) = bytes.get_mut(28..32) {
            found.copy_from_slice(&pages.to_be_bytes());
        }
        fs::write(to, bytes)?;
        let log = beside(from, "-wal");
        if log.exists() {
            fs::copy(log, beside(to, "-wal"))?;
        }
        Ok(())
    };
    copied().map_err(|e| StoreError::Directory(to.to_owned(), e))
}

/// Removes a store's file and those beside it.
pub(super) fn remove(file: &Path) {
    for end in ["", "-wal", "-shm", "-journal"] {
        let _not_there = fs::remove_file(beside(file, end));
    }
}

/// Gives a whole file its name, on the disk too.
pub(super) fn rename(from: &Path, to: &Path) -> Result<(), StoreError> {
    let renamed = || {
        File::open(from)?.sync_all()?;
        fs::rename(from, to)?;
        to.parent()
            .map_or(Ok(()), |dir| File::open(dir)?.sync_all())
    };
    renamed().map_err(|e| StoreError::Directory(to.to_owned(), e))
}

/// Removes a directory, if it is there.
pub(super) fn remove_dir(dir: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(dir) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::Directory(dir.to_owned(), e))
        }
        _ => Ok(()),
    }
}

/// A name beside `file` under which what is damaged is kept.
fn unused(file: &Path) -> PathBuf {
    let mut names = (1..).map(|n| beside(file, &format!(".damaged-{n}")));
    let is_unused = |name: &PathBuf| !name.exists() && !beside(name, "-wal").exists();
    names
        .find(is_unused)
        .unwrap_or_else(|| beside(file, ".damaged"))
}

/// Keeps a copy of the log of a store's file.
pub(super) fn keep_log(file: &Path) -> Result<(), StoreError> {
    let kept = beside(&unused(file), "-wal");
    let copied = fs::copy(beside(file, "-wal"), kept);
    copied.map_or_else(
        |e| Err(StoreError::Directory(file.to_owned(), e)),
        |_| Ok(()),
    )
}

/// Puts `fresh` in the place of `file`, and gives the name under which `file` is kept.
pub(super) fn swap(file: &Path, fresh: &Path) -> Result<PathBuf, StoreError> {
    let kept = unused(file);
    let swapped = || {
        fs::hard_link(file, &kept)?;
        // The log belongs to the file that is kept; it must never meet the new one.
        let log = beside(file, "-wal");
        if log.exists() {
            fs::rename(log, beside(&kept, "-wal"))?;
        }
        let _not_there = fs::remove_file(beside(file, "-shm"));
        fs::rename(fresh, file)
    };
    swapped().map_err(|e| StoreError::Directory(file.to_owned(), e))?;
    Ok(kept)
}

fn beside(file: &Path, end: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// What is lost in the log of a store that was not closed: SQLite ignores everything after the
/// first damaged frame, and does not say so. `None` when nothing was committed after it.
pub(super) fn lost_log(file: &Path) -> Option<String> {
    let log = fs::read(beside(file, "-wal")).ok()?;
    let header: &[u8; LOG_HEADER] = log.first_chunk()?;
    let big = words(&header[..4])[0] & 1 == 1;
    let frames = log[LOG_HEADER..].chunks_exact(FRAME_HEADER + PAGE);
    let frames: Vec<&[u8]> = frames.collect();
    let begins_with = checksum(big, [0, 0], &header[..24]);
    if words(&header[24..]) != begins_with {
        return (!frames.is_empty()).then(|| "the header of its log is damaged".to_owned());
    }
    let is_of_this_log = |frame: &[u8]| frame[8..16] == header[16..24];
    let is_commit = |frame: &[u8]| words(&frame[4..8])[0] != 0;
    let sum_of = |before, frame: &[u8]| {
        let sum = checksum(big, before, &frame[..8]);
        checksum(big, sum, &frame[FRAME_HEADER..])
    };
    let mut sum = begins_with;
    let whole = |frame: &&[u8]| {
        let before = sum;
        sum = sum_of(before, frame);
        is_of_this_log(frame) && words(&frame[16..24]) == sum
    };
    let sound = frames.iter().copied().take_while(whole).count();
    let (broken, after) = frames[sound..].split_first()?;
    // What was written after it goes on from it, be it the page that is damaged or its checksum.
    // Where nothing does, it is of an earlier time: a program that was killed leaves frames that
    // the next one has begun to write over.
    let mut seeds = [said_sum(broken), sum];
    let mut commits = usize::from(is_commit(broken));
    for frame in after {
        let said = said_sum(frame);
        if !is_of_this_log(frame) || !seeds.iter().any(|seed| sum_of(*seed, frame) == said) {
            break;
        }
        commits += usize::from(is_commit(frame));
        seeds = [said; 2];
    }
    // The last commit of a run that was cut off may be half written, and was told to nobody.
    (commits > 1).then(|| {
        let n = sound + 1;
        format!("its log is damaged at frame {n}, and what was written after it is lost")
    })
}

/// The checksum that stands in a frame of the log.
fn said_sum(frame: &[u8]) -> [u32; 2] {
    let said = words(&frame[16..24]);
    [said[0], said[1]]
}

fn words(bytes: &[u8]) -> Vec<u32> {
    let words = bytes.chunks_exact(4);
    words
        .map(|w| u32::from_be_bytes([w[0], w[1], w[2], w[3]]))
        .collect()
}

/// The checksum of the log (<https://sqlite.org/fileformat2.html#checksum_algorithm>).
fn checksum(big: bool, [mut one, mut other]: [u32; 2], bytes: &[u8]) -> [u32; 2] {
    let read = if big {
        u32::from_be_bytes
    } else {
        u32::from_le_bytes
    };
    for pair in bytes.chunks_exact(8) {
        let word = |at: usize| read([pair[at], pair[at + 1], pair[at + 2], pair[at + 3]]);
        one = one.wrapping_add(word(0)).wrapping_add(other);
        other = other.wrapping_add(word(4)).wrapping_add(one);
    }
    [one, other]
}

//! The disk of the store is full, again and again, and there is room again.
//!
//! It is a file system of its own, of memory, which is filled to the last byte. Where none can be
//! mounted the daemon may write no more to any file (`EFBIG`).

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use daemon::store::StoreError;

use crate::hall::Hall;
use crate::meanwhile::Enough;
use crate::own_mounts;
use crate::witness::Witness;

/// Room for the journal of a thousand lives.
const SIZE: &str = "size=192m,mode=700";
/// The log of the journal has some room of its own, which is used up first.
const LONGEST: Duration = Duration::from_secs(20);
/// From the first refusal on it is full for so long.
const FULL: Duration = Duration::from_millis(1_500);
/// Between two looks.
const LOOK: Duration = Duration::from_millis(60);
/// What is full, in the words of whoever cannot write.
const WORDS: [&str; 2] = ["disk is full", "disk I/O error"];

/// The disk that the store is on.
pub(crate) enum Disk {
    /// Of its own.
    Small(PathBuf),
    /// Of everybody; whether the daemon may not write to it.
    Shared(AtomicBool),
}

impl Disk {
    /// A disk for what is in `dir`.
    pub(crate) fn of(dir: &Path) -> Disk {
        std::fs::create_dir_all(dir).expect("a directory");
        // Only where it goes with whoever sees it.
        if own_mounts::are_own() && mount(dir) {
            return Disk::Small(dir.to_owned());
        }
        println!(
            "NO DISK OF ITS OWN can be mounted here: instead of a full disk the daemon meets files \
             that may not grow"
        );
        Disk::Shared(AtomicBool::new(false))
    }

    /// What holds for a daemon that is started now, for `sh`.
    pub(crate) fn limit_of_the_next(&self) -> Option<&'static str> {
        match self {
            Disk::Shared(full) if full.load(Ordering::Relaxed) => Some("ulimit -S -f 0; "),
            _ => None,
        }
    }

    /// There is no room any more, not for a byte.
    pub(crate) fn fill(&self, daemon: Option<u32>) {
        match self {
            Disk::Small(dir) => {
                let filler = File::options()
                    .create(true)
                    .append(true)
                    .open(dir.join("filler"));
                // Whoever replaces a file makes room for a moment.
                let Ok(mut filler) = filler else { return };
                for size in [1 << 20, 1 << 12, 1] {
                    while filler.write_all(&vec![0; size]).is_ok() {}
                }
            }
            Disk::Shared(full) => {
                full.store(true, Ordering::Relaxed);
                limit(daemon, "0");
            }
        }
    }

    /// There is room again.
    pub(crate) fn free(&self, daemon: Option<u32>) {
        match self {
            Disk::Small(dir) => std::fs::remove_file(dir.join("filler")).expect("the filler"),
            Disk::Shared(full) => {
                full.store(false, Ordering::Relaxed);
                limit(daemon, "unlimited");
            }
        }
    }
}

/// Whether it can be mounted.
fn mount(dir: &Path) -> bool {
    let mut mount = Command::new("mount");
    mount.args(["-t", "tmpfs", "-o", SIZE, "tmpfs"]).arg(dir);
    mount.output().is_ok_and(|mounted| mounted.status.success())
}

/// How far files may grow to which a process writes.
fn limit(daemon: Option<u32>, size: &str) {
    let Some(pid) = daemon else { return };
    let _it_may_have_been_killed = Command::new("prlimit")
        .args(["--pid", &pid.to_string(), &format!("--fsize={size}:")])
        .output();
}

/// What was read of a store; `None` where there was no room for what SQLite needs to read it.
pub(crate) fn if_room<T>(read: Result<T, StoreError>) -> Option<T> {
    match read {
        Err(StoreError::Sqlite(error)) if is_want_of_room(&error) => None,
        read => Some(read.expect("a store that can be read")),
    }
}

fn is_want_of_room(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{CannotOpen, DiskFull, SystemIoFailure};
    let code = error.sqlite_error_code();
    code.is_some_and(|code| [CannotOpen, DiskFull, SystemIoFailure].contains(&code))
}

/// How often it was done.
#[derive(Default)]
pub(crate) struct Filled {
    /// The disk was full.
    pub(crate) times: u32,
    /// And somebody could not write, and said so.
    pub(crate) told: u32,
    /// The witness had to keep everything for as long as it was.
    pub(crate) held_back: u32,
}

/// Fills the disk every now and then, until it is enough. The witness plays a move while it is
/// full: he is told that it is kept only if it is.
pub(crate) fn fill_and_free(
    hall: &Hall,
    witness: &mut Witness,
    pause: Duration,
    enough: &Enough,
) -> Filled {
    let mut filled = Filled::default();
    while enough.not_yet(pause) {
        filled.times += 1;
        if is_told(hall, enough) {
            filled.told += 1;
            witness.play();
            let held_back = stays_full(hall, witness);
            filled.held_back += u32::from(held_back);
        }
        hall.disk.free(hall.pid());
        witness.is_believed(enough);
    }
    filled
}

/// Fills the disk; whether somebody says so.
fn is_told(hall: &Hall, enough: &Enough) -> bool {
    let end = Instant::now() + LONGEST;
    while Instant::now() < end {
        hall.disk.fill(hall.pid());
        let boards = hall.boards();
        let mut faults = boards.iter().filter_map(|board| board["fault"].as_str());
        if faults.any(|fault| WORDS.iter().any(|words| fault.contains(words))) {
            return true;
        }
        if !enough.not_yet(LOOK) {
            return false;
        }
    }
    false
}

/// Keeps it full for a while; whether nothing of the witness was acknowledged meanwhile. What is
/// acknowledged is in the journal.
fn stays_full(hall: &Hall, witness: &Witness) -> bool {
    let (end, mut held_back) = (Instant::now() + FULL, true);
    while Instant::now() < end {
        hall.disk.fill(hall.pid());
        held_back &= witness.waits();
        std::thread::sleep(LOOK);
    }
    held_back
}

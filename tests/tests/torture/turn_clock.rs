//! The wall clock of the machine jumps by hours, forwards and back.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::chance::Chance;
use crate::meanwhile::Enough;

/// Between two jumps.
const PAUSE: Duration = Duration::from_millis(2_300);
/// The clock goes wrong by less than so many hours, either way.
const HOURS: usize = 12;
/// Where Debian's package `faketime` puts its library, for programs of several threads.
const LIBRARY: &str = "faketime/libfaketimeMT.so.1";

/// The clock that a daemon sees: the machine's, and something added. Only the wall's: the one that
/// measures how long something takes cannot jump.
pub(crate) struct Clock {
    library: PathBuf,
    /// Holds what is added.
    added: PathBuf,
}

impl Clock {
    /// A clock that goes right; what is wrong with it will be in `added`.
    pub(crate) fn right(added: PathBuf) -> Clock {
        let library = library().expect(
            "the wall clock of a program is turned by libfaketime, which is not here: \
             `apt install faketime` (./ci.sh does it)",
        );
        let clock = Clock { library, added };
        clock.turn(0);
        clock
    }

    /// What `command` starts sees this clock.
    pub(crate) fn show(&self, command: &mut Command) {
        command
            .env("LD_PRELOAD", &self.library)
            .env("FAKETIME_TIMESTAMP_FILE", &self.added)
            .env("FAKETIME_NO_CACHE", "1")
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    }

    fn turn(&self, seconds: i64) {
        let fresh = self.added.with_extension("new");
        std::fs::write(&fresh, format!("{seconds:+}s\n")).expect("a file");
        std::fs::rename(&fresh, &self.added).expect("a file");
    }

    /// Lets it jump until it is enough; how often it did.
    pub(crate) fn jump(&self, seed: u64, enough: &Enough) -> u32 {
        let (mut chance, mut jumps) = (Chance::new(seed ^ 0x0063_6c6f_636b), 0);
        while enough.not_yet(PAUSE) {
            let hours = chance.below(2 * HOURS) as i64 - HOURS as i64;
            self.turn(hours * 3_600 + chance.below(3_600) as i64);
            jumps += 1;
        }
        self.turn(0);
        jumps
    }
}

fn library() -> Option<PathBuf> {
    let mut places = std::fs::read_dir("/usr/lib")
        .ok()?
        .flatten()
        .map(|place| place.path().join(LIBRARY));
    places.find(|library| library.is_file())
}

/// How often the wall clock went more than half an hour wrong between two events of the journal:
/// forwards, and back.
pub(crate) fn jumps_seen(journal: &Path) -> (usize, usize) {
    let db = rusqlite::Connection::open(journal).expect("the journal");
    let mut query = db
        .prepare("SELECT wall FROM events ORDER BY id")
        .expect("events");
    let walls = query.query_map([], |r| r.get::<_, i64>(0)).expect("events");
    let walls: Vec<i64> = walls.map(|wall| wall.expect("a time")).collect();
    let count = |is_jump: fn(i64) -> bool| {
        walls
            .windows(2)
            .filter(|pair| is_jump(pair[1] - pair[0]))
            .count()
    };
    (count(|ms| ms > 1_800_000), count(|ms| ms < -1_800_000))
}

//! The wall clock that a program sees.

use std::path::PathBuf;
use std::process::Command;

/// Where Debian's package `faketime` puts its library, for programs of several threads.
const LIBRARY: &str = "faketime/libfaketimeMT.so.1";

/// The clock that a daemon sees: the machine's, and something added. Only the wall's: the one that
/// measures how long something takes cannot jump.
#[derive(Clone, Debug)]
pub struct WallClock {
    library: PathBuf,
    /// Holds what is added.
    added: PathBuf,
}

impl WallClock {
    /// A clock that goes right; what is wrong with it will be in `added`.
    ///
    /// # Panics
    /// Without libfaketime.
    pub fn right(added: PathBuf) -> WallClock {
        let library = library().expect(
            "the wall clock of a program is turned by libfaketime, which is not here: \
             `apt install faketime` (./ci.sh does it)",
        );
        let clock = WallClock { library, added };
        clock.turn(0);
        clock
    }

    /// What `command` starts sees this clock.
    pub fn show(&self, command: &mut Command) {
        command
            .env("LD_PRELOAD", &self.library)
            .env("FAKETIME_TIMESTAMP_FILE", &self.added)
            .env("FAKETIME_NO_CACHE", "1")
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    }

    /// From now on it is wrong by so many seconds.
    ///
    /// # Panics
    /// Where that cannot be written.
    pub fn turn(&self, seconds: i64) {
        let fresh = self.added.with_extension("new");
        std::fs::write(&fresh, format!("{seconds:+}s\n")).expect("a file");
        std::fs::rename(&fresh, &self.added).expect("a file");
    }
}

fn library() -> Option<PathBuf> {
    let mut places = std::fs::read_dir("/usr/lib")
        .ok()?
        .flatten()
        .map(|place| place.path().join(LIBRARY));
    places.find(|library| library.is_file())
}

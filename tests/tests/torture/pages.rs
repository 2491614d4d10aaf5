//! PGN files are whole at every moment, whoever is killed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(40);

/// Somebody who reads PGN files all the time.
pub(crate) struct Pages {
    enough: Sender<()>,
    thread: JoinHandle<usize>,
}

impl Pages {
    /// Begins to read the files of `directory`.
    pub(crate) fn read(directory: PathBuf) -> Pages {
        let (enough, told) = channel();
        let thread = std::thread::spawn(move || {
            let mut count = 0;
            while told.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                count += check_all(&directory);
            }
            count
        });
        Pages { enough, thread }
    }

    /// How many files were read; fails if one of them was not whole.
    pub(crate) fn end(self) -> usize {
        drop(self.enough);
        let count = self.thread.join().expect("every PGN file was whole");
        assert!(count > 0, "no PGN file was there to be read");
        count
    }
}

/// Every PGN file of `directory` is whole; how many there are.
fn check_all(directory: &Path) -> usize {
    let mut count = 0;
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "pgn") {
            check(&path);
            count += 1;
        }
    }
    count
}

/// It has its seven tags, legal moves, and ends with a result.
fn check(path: &Path) {
    let text = fs::read_to_string(path).expect("a file that stays until its successor is there");
    let last = text.split_whitespace().last();
    let whole = ["*", "1-0", "0-1", "1/2-1/2"]
        .iter()
        .any(|result| last == Some(*result));
    let tags = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
    let complete = whole
        && text.ends_with('\n')
        && tags.iter().all(|tag| text.contains(&format!("[{tag} \"")));
    assert!(complete, "{} is not whole:\n{text}", path.display());
    if let Err(error) = daemon::pgn::read(text.as_bytes()) {
        panic!("{}: {error}\n{text}", path.display());
    }
}

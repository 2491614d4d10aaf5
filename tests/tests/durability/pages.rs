//! PGN files are whole at every moment, whoever is killed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(40);

/// Somebody who reads PGN files all the time.
pub(crate) struct Pages {
    enough: Arc<AtomicBool>,
    thread: JoinHandle<usize>,
}

impl Pages {
    /// Begins to read the files of `directory`.
    pub(crate) fn read(directory: PathBuf) -> Pages {
        let enough = Arc::new(AtomicBool::new(false));
        let told = enough.clone();
        let thread = std::thread::spawn(move || {
            let mut count = 0;
            while !told.load(Ordering::Relaxed) {
                let files = fs::read_dir(&directory)
                    .into_iter()
                    .flatten()
                    .flatten()
                    .map(|entry| entry.path());
                let pages = files.filter(|path| path.extension().is_some_and(|e| e == "pgn"));
                count += pages.map(|path| check(&path)).count();
                std::thread::sleep(PAUSE);
            }
            count
        });
        Pages { enough, thread }
    }

    /// How many files were read; fails if one of them was not whole.
    pub(crate) fn end(self) -> usize {
        self.enough.store(true, Ordering::Relaxed);
        let count = self.thread.join().expect("every PGN file was whole");
        assert!(count > 0, "no PGN file was there to be read");
        count
    }
}

/// It has its seven tags, legal moves, and ends with a result.
fn check(path: &Path) {
    let text = fs::read_to_string(path).expect("a file that stays until its successor is there");
    let whole = ["*", "1-0", "0-1", "1/2-1/2"]
        .iter()
        .any(|result| text.trim_end().ends_with(&format!(" {result}")))
        || text.trim_end().ends_with("\n*");
    let tags = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
    let complete = whole
        && text.ends_with('\n')
        && tags.iter().all(|tag| text.contains(&format!("[{tag} \"")));
    assert!(complete, "{} is not whole:\n{text}", path.display());
    if let Err(error) = daemon::pgn::read(text.as_bytes()) {
        panic!("{}: {error}\n{text}", path.display());
    }
}

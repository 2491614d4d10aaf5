//! What must survive the program: its run number, so that a host knows a new run from the old one,
//! the sensors' zeros, and for a moment what lever and buttons showed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use firmware::report::Controls;
use firmware::scan::Zeros;

/// The longest restart.
const RESTART: Duration = Duration::from_secs(10);

/// How long the board may be calibrated over the network after that was allowed.
pub const LEAVE: Duration = Duration::from_secs(600);

/// A directory of small files, each replaced as a whole.
#[derive(Clone, Debug)]
pub struct Store {
    dir: PathBuf,
}

impl Store {
    /// What is kept in `dir`, which is made when it is needed.
    pub fn new(dir: &Path) -> Store {
        Store {
            dir: dir.to_owned(),
        }
    }

    /// The number of this run: one more than the last one's. Where none can be kept, a number that
    /// is hardly twice the same.
    pub fn next_boot(&self) -> u16 {
        let last = self
            .read("boot")
            .ok()
            .and_then(|text| text.trim().parse::<u16>().ok());
        let next = last.map_or_else(by_the_clock, |last| last.wrapping_add(1));
        if let Err(e) = self.write("boot", &format!("{next}\n")) {
            tracing::warn!(
                "{}: the run's number cannot be kept ({e}); it is drawn from the time",
                self.path("boot")
            );
            return by_the_clock();
        }
        next
    }

    /// The sensors' zeros, if they have been calibrated. A file that cannot be understood counts as
    /// none, and is told.
    pub fn zeros(&self) -> Option<Zeros> {
        let text = self.read("zeros").ok()?;
        let zeros = zeros_of(&text);
        if zeros.is_none() {
            tracing::warn!(
                "{}: not 64 numbers; calibrate the board again",
                self.path("zeros")
            );
        }
        zeros
    }

    /// Keeps the sensors' zeros, if they are not the kept ones.
    ///
    /// # Errors
    /// The system's.
    pub fn keep_zeros(&self, zeros: &Zeros) -> io::Result<()> {
        let ranks = zeros.chunks(8).map(|rank| {
            rank.iter()
                .map(u16::to_string)
                .collect::<Vec<_>>()
                .join(" ")
                + "\n"
        });
        let text = ranks.collect::<String>();
        if self.read("zeros").is_ok_and(|kept| kept == text) {
            return Ok(());
        }
        self.write("zeros", &text)
    }

    /// Allows one calibration over the network, from now on for [`LEAVE`].
    ///
    /// # Errors
    /// The system's.
    pub fn allow_calibration(&self) -> io::Result<()> {
        self.write("calibration-allowed", "once\n")
    }

    /// Whether somebody at this computer has allowed it, and not so long ago.
    pub fn may_calibrate(&self) -> bool {
        let said = fs::metadata(self.dir.join("calibration-allowed")).and_then(|m| m.modified());
        let age = said.map(|said| said.elapsed());
        matches!(age, Ok(Ok(age)) if age < LEAVE)
    }

    /// The calibration that was allowed has been made.
    pub fn end_leave(&self) {
        let _none = fs::remove_file(self.dir.join("calibration-allowed"));
    }

    /// What lever and buttons showed when the last run ended, if that is not long ago: a press
    /// during a restart is then noticed. After a longer time it would be another game's.
    pub fn controls(&self) -> Option<Controls> {
        let age = fs::metadata(self.dir.join("controls"))
            .ok()?
            .modified()
            .ok()?
            .elapsed()
            .ok()?;
        let lines: u64 = self.read("controls").ok()?.trim().parse().ok()?;
        (age < RESTART).then(|| Controls::from_lines(lines))
    }

    /// Keeps what lever and buttons show at the end of a run. Without it, a press during a restart
    /// is lost, no more.
    pub fn keep_controls(&self, controls: Controls) {
        let lines = (0..4u8)
            .filter(|n| controls.has(Controls::from_lines(1 << n)))
            .fold(0u64, |lines, n| lines | 1 << n);
        if let Err(e) = self.write("controls", &format!("{lines}\n")) {
            tracing::debug!("{}: {e}", self.path("controls"));
        }
    }

    /// The full name of a file, for people.
    pub fn path(&self, name: &str) -> String {
        self.dir.join(name).display().to_string()
    }

    fn read(&self, name: &str) -> io::Result<String> {
        fs::read_to_string(self.dir.join(name))
    }

    /// Writes a file beside the old one, and puts it in its place when it is on the disk. Which
    /// file has the name is on the disk only with the directory (fsync(2)): else a run's number
    /// might be told, lost with the power, and told again.
    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        fs::create_dir_all(&self.dir)?;
        let fresh = self.dir.join(format!("{name}.new"));
        let mut file = File::create(&fresh)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&fresh, self.dir.join(name))?;
        File::open(&self.dir)?.sync_all()
    }
}

fn zeros_of(text: &str) -> Option<Zeros> {
    let numbers: Option<Vec<u16>> = text
        .split_whitespace()
        .map(|word| word.parse().ok())
        .collect();
    numbers?.try_into().ok()
}

fn by_the_clock() -> u16 {
    let since = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    (since.as_millis() / 10) as u16
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    #[test]
    fn no_run_has_the_number_of_the_one_before() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::new(&dir.path().join("made/when/needed"));
        let first = store.next_boot();
        assert_eq!(store.next_boot(), first.wrapping_add(1));
        fs::write(dir.path().join("made/when/needed/boot"), "65535").unwrap();
        assert_eq!(store.next_boot(), 0);
        fs::write(dir.path().join("made/when/needed/boot"), "what").unwrap();
        let drawn = store.next_boot();
        assert_eq!(store.next_boot(), drawn.wrapping_add(1));
    }

    #[test]
    fn lever_and_buttons_are_known_over_a_restart_and_forgotten_after_it() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::new(dir.path());
        assert_eq!(store.controls(), None);
        for lines in 0..16 {
            store.keep_controls(Controls::from_lines(lines));
            assert_eq!(store.controls(), Some(Controls::from_lines(lines)));
        }
        let file = File::options()
            .write(true)
            .open(dir.path().join("controls"))
            .unwrap();
        file.set_modified(SystemTime::now() - RESTART).unwrap();
        assert_eq!(store.controls(), None);
    }

    #[test]
    fn zeros_are_read_as_they_were_kept_and_nonsense_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::new(dir.path());
        assert_eq!(store.zeros(), None);
        let zeros = std::array::from_fn(|n| 2000 + n as u16);
        store.keep_zeros(&zeros).unwrap();
        assert_eq!(store.zeros(), Some(zeros));
        // The same again is not written: a file that is written is replaced by another one.
        let file = || fs::metadata(dir.path().join("zeros")).unwrap().ino();
        let kept = file();
        store.keep_zeros(&zeros).unwrap();
        assert_eq!(file(), kept);
        for nonsense in ["", "1 2 3", &"4096 ".repeat(65), &"a ".repeat(64)] {
            fs::write(dir.path().join("zeros"), nonsense).unwrap();
            assert_eq!(store.zeros(), None);
        }
    }
}

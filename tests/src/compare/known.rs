//! What a build that stays as it is has said before: a number for each script and a number for the
//! rulings on it, so that it need not rule on it again.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{OpenOptions, read_to_string};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use std::sync::Mutex;

/// What is known, and the file it is in.
#[derive(Debug, Default)]
pub struct Known {
    file: Option<PathBuf>,
    before: HashMap<u64, u64>,
    learnt: Mutex<HashMap<u64, u64>>,
}

impl Known {
    /// What the file says; nothing where there is none yet. Without a file nothing is known, and
    /// nothing is kept.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn open(file: Option<PathBuf>) -> Result<Known, String> {
        let Some(path) = &file else {
            return Ok(Known::default());
        };
        let text = match read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        let number = |word: &str| u64::from_str_radix(word, 16).ok();
        let pair = |line: &str| {
            let (script, rulings) = line.split_once(' ')?;
            Some((number(script)?, number(rulings)?))
        };
        Ok(Known {
            before: text.lines().filter_map(pair).collect(),
            file,
            ..Known::default()
        })
    }

    /// Whether it is known that the rulings on `script` are these.
    pub fn is(&self, script: &str, rulings: &str) -> bool {
        self.before.get(&number(script)) == Some(&number(rulings))
    }

    /// The rulings on `script` are these.
    pub fn learn(&self, script: &str, rulings: &str) {
        let mut learnt = self.learnt.lock().expect("no thread panics");
        learnt.insert(number(script), number(rulings));
    }

    /// Adds what was learnt to the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self) -> Result<(), String> {
        let Some(path) = &self.file else {
            return Ok(());
        };
        let mut text = String::new();
        for (script, rulings) in self.learnt.lock().expect("no thread panics").drain() {
            let _memory = writeln!(text, "{script:016x} {rulings:016x}");
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path);
        file.as_mut()
            .map_or_else(
                |error| Err(error.to_string()),
                |file| {
                    file.write_all(text.as_bytes())
                        .map_err(|error| error.to_string())
                },
            )
            .map_err(|error| format!("{}: {error}", path.display()))
    }
}

/// The same text has the same number in every build of the same compiler; with another, what was
/// known is asked again.
fn number(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learnt_is_known_the_next_time() {
        let dir = tempfile::tempdir().unwrap();
        let open = || Known::open(Some(dir.path().join("known"))).unwrap();
        let first = open();
        assert!(!first.is("script", "rulings"));
        first.learn("script", "rulings");
        first.save().unwrap();
        let second = open();
        assert!(second.is("script", "rulings"));
        assert!(!second.is("script", "others"));
        assert!(!second.is("another", "rulings"));
    }
}

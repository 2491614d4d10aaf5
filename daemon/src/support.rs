//! What a report of a fault needs, without anybody's name: the program and its machine, the
//! configuration, what is whole of the store, games as event scripts, the log.

mod configuration;
mod line;
#[cfg(test)]
mod tests;
mod veil;

use std::io::{Seek, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::store::{Game, Store, StoreError, verify};
pub use veil::Veil;

/// What stands in the bundle first.
const ABOUT: &str = "\
What is in here
  machine.json         the program, the system and the machine
  configuration.toml   the configuration, names taken out
  store.json           every game of the store: how long, and whether it is whole
  games/*.jsonl        games as event scripts: `arbiterd replay` rules on them as the daemon did
  log.txt              the end of the daemon's log
Names of players, accounts, places and events stand nowhere in it, nor do addresses: Person-1 is the
same person everywhere. Look through it before you give it away.
";

/// What is asked for.
#[derive(Debug)]
pub struct Wanted {
    /// The daemon's store.
    pub dir: PathBuf,
    /// The configuration's text, if it could be read.
    pub configuration: Option<String>,
    /// Only games of these boards; of all where none is named.
    pub boards: Vec<String>,
    /// So many games of each, the newest.
    pub games: usize,
    /// The log's text, if there is one.
    pub log: Option<String>,
}

/// Why no bundle was made.
#[derive(Debug, thiserror::Error)]
pub enum SupportError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The bundle cannot be written.
    #[error("the bundle cannot be written: {0}")]
    Write(#[from] std::io::Error),
    /// The same.
    #[error("the bundle cannot be written: {0}")]
    Zip(#[from] zip::result::ZipError),
}

/// Writes the bundle, and gives the names of what is in it.
///
/// # Errors
/// Where there is no store, or where the bundle cannot be written.
pub fn bundle(wanted: &Wanted, to: impl Write + Seek) -> Result<Vec<String>, SupportError> {
    let store = Store::open(&wanted.dir)?;
    let mut scripts = Vec::new();
    for game in chosen(&store, wanted)? {
        scripts.push((game.row.id.clone(), game.script()?));
    }
    let veil = Veil::of(&store, scripts.iter().map(|(_, script)| script.as_str()))?;
    let mut zip = Bundle {
        zip: ZipWriter::new(to),
        names: Vec::new(),
    };
    zip.add("README.txt", ABOUT)?;
    zip.add("machine.json", &pretty(&machine()))?;
    if let Some(text) = &wanted.configuration {
        zip.add("configuration.toml", &veil.over_configuration(text))?;
    }
    let (games, wrong) = verify(&wanted.dir)?;
    let whole = json!({"games": games, "file": wrong});
    zip.add("store.json", &veil.over(&pretty(&whole)))?;
    for (id, script) in &scripts {
        zip.add(&format!("games/{id}.jsonl"), &veil.over_script(script))?;
    }
    if let Some(log) = &wanted.log {
        zip.add("log.txt", &veil.over(log))?;
    }
    zip.zip.finish()?.flush()?;
    Ok(zip.names)
}

/// A bundle that is being written.
struct Bundle<W: Write + Seek> {
    zip: ZipWriter<W>,
    names: Vec<String>,
}

impl<W: Write + Seek> Bundle<W> {
    fn add(&mut self, name: &str, text: &str) -> Result<(), SupportError> {
        self.zip.start_file(name, SimpleFileOptions::default())?;
        self.zip.write_all(text.as_bytes())?;
        self.names.push(name.to_owned());
        Ok(())
    }
}

/// The games that are asked for.
fn chosen(store: &Store, wanted: &Wanted) -> Result<Vec<Game>, StoreError> {
    let mut boards = wanted.boards.clone();
    if boards.is_empty() {
        boards = store.games()?.into_iter().map(|row| row.board).collect();
        boards.sort_unstable();
        boards.dedup();
    }
    let mut games = Vec::new();
    for board in boards {
        games.extend(store.latest(&board, wanted.games)?);
    }
    Ok(games)
}

/// What the program runs on.
fn machine() -> Value {
    let read = |file: &str| std::fs::read_to_string(Path::new(file)).unwrap_or_default();
    let of = |text: &str, key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key));
        line.map(|rest| rest.trim_matches(['=', ':', '"', ' ', '\t']).to_owned())
    };
    json!({
        "arbiterd": env!("ARBITERD_VERSION"),
        "system": of(&read("/etc/os-release"), "PRETTY_NAME"),
        "kernel": read("/proc/sys/kernel/osrelease").trim(),
        "architecture": std::env::consts::ARCH,
        "cores": std::thread::available_parallelism().ok().map(usize::from),
        "memory": of(&read("/proc/meminfo"), "MemTotal"),
        "machine": read("/sys/firmware/devicetree/base/model").trim_matches(['\0', '\n']),
    })
}

fn pretty(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

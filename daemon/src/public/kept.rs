//! What is kept of each game's way to the public, `public/GAME.json` in the store's directory: it
//! is on the disk before the public is shown anything. Names of players are not in it: they are the
//! event's, and whoever is erased there is nowhere else.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::line::Line;
use crate::scribe::{made, replace};
use crate::store::StoreError;

/// The directory's name within the store's.
const DIRECTORY: &str = "public";

/// The files.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    directory: PathBuf,
}

impl Kept {
    /// Those of the store in `dir`, with what is in them. A file that cannot be read is left out,
    /// and said: its game is released anew, as late as a game that has just begun.
    pub(crate) fn open(dir: &Path) -> Result<(Kept, BTreeMap<String, Line>), StoreError> {
        let directory = dir.join(DIRECTORY);
        let refused = |error| StoreError::Directory(directory.clone(), error);
        made(&directory).map_err(refused)?;
        let mut lines = BTreeMap::new();
        for entry in fs::read_dir(&directory).map_err(refused)? {
            let path = entry.map_err(refused)?.path();
            let game = path.file_stem().and_then(|name| name.to_str());
            let is_ours = path.extension().is_some_and(|end| end == "json");
            let (Some(game), true) = (game, is_ours) else {
                continue;
            };
            let read = fs::read(&path)
                .map_err(|error| error.to_string())
                .and_then(|bytes| serde_json::from_slice(&bytes).map_err(|e| e.to_string()));
            match read {
                Ok(line) => _ = lines.insert(game.to_owned(), line),
                Err(error) => {
                    let file = path.display();
                    tracing::error!(%file, error, "what was public of a game cannot be read");
                }
            }
        }
        Ok((Kept { directory }, lines))
    }

    /// Writes how far games are.
    pub(crate) fn write(&self, lines: &[(String, Line)]) -> io::Result<()> {
        for (game, line) in lines {
            let mut line = line.clone();
            if let Some(shown) = &mut line.shown {
                (shown.white, shown.black) = Default::default();
            }
            let bytes = serde_json::to_vec(&line).map_err(io::Error::other)?;
            replace(&self.directory.join(format!("{game}.json")), &bytes)?;
        }
        Ok(())
    }
}

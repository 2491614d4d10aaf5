//! Everything public as files in a folder, for programs that watch one. A file is there as a whole
//! or not at all.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder};
use std::future::ready;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::gate::Gate;
use super::page::{Language, Part};
use super::shown::{Outlet, Round};
use super::tree::{Leaf, Place};
use crate::scribe::replace_for;

/// The files are written at most this often.
const PAUSE: Duration = Duration::from_secs(1);
/// What could not be written is tried again so often.
const AGAIN: Duration = Duration::from_secs(10);

/// A folder.
#[derive(Debug)]
pub(crate) struct Folder {
    root: PathBuf,
    /// What stands in each file; `None` before it was looked what stands there.
    written: Option<BTreeMap<Place, String>>,
    /// What was last not written or not taken away, and why.
    problem: Option<String>,
}

impl Folder {
    pub(crate) fn new(root: PathBuf) -> Folder {
        Folder {
            root,
            written: None,
            problem: None,
        }
    }

    /// Writes what passes the gate until the shutdown. The event is to be announced already: what
    /// is not in it is taken away.
    pub(crate) async fn follow(mut self, gate: Gate, shutdown: CancellationToken) {
        let (mut changes, out) = (gate.changes(), gate.clone());
        let place = self.root.display().to_string();
        out.outlets().open(Outlet::Folder, place);
        loop {
            let change = *changes.borrow_and_update();
            let (gate, mut folder) = (gate.clone(), self);
            let work = move || (folder.write(&gate), folder);
            let Ok((is_whole, folder)) = tokio::task::spawn_blocking(work).await else {
                return;
            };
            self = folder;
            if is_whole {
                out.arrives(Outlet::Folder, change, |_, _, _| true);
            }
            out.outlets().tell(Outlet::Folder, self.problem.clone());
            let failing = if is_whole { 0.0 } else { 1.0 };
            metrics::gauge!("arbiter_public_folder_failing").set(failing);
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = sleep(if is_whole { PAUSE } else { AGAIN }) => {}
            }
            tokio::select! {
                () = shutdown.cancelled() => return,
                Ok(()) = changes.changed(), if is_whole => {}
                () = ready(()), if !is_whole => {}
            }
        }
    }

    /// Writes what is public otherwise than it stands there, and takes away what is public no more.
    /// Whether all of it succeeded.
    fn write(&mut self, gate: &Gate) -> bool {
        let places = places(gate);
        self.problem = None;
        let known = self.written.take();
        let before: Vec<Place> = match &known {
            Some(known) => known.keys().copied().collect(),
            None => found(&self.root),
        };
        let (mut written, mut is_whole) = (BTreeMap::new(), true);
        // Who watches the folder is not told of a file anew that an earlier run wrote just so.
        let is_first = known.is_none();
        let mut known = known.unwrap_or_default();
        for place in &places {
            let Some(text) = place.text(gate) else {
                continue;
            };
            let path = self.root.join(place.path());
            let before = match is_first {
                true => fs::read_to_string(&path).ok(),
                false => known.remove(place),
            };
            // Somebody may have taken it away.
            if before.as_ref() == Some(&text) && path.is_file() {
                written.insert(*place, text);
                continue;
            }
            match put(&path, &text) {
                Ok(()) => _ = written.insert(*place, text),
                Err(error) => {
                    is_whole = false;
                    self.problem = Some(format!("{}: {error}", path.display()));
                    // It stands there as it was, and is not to be forgotten.
                    written.insert(*place, before.unwrap_or_default());
                    tracing::error!(file = %path.display(), %error, "not written for the public");
                }
            }
        }
        for place in before {
            if written.contains_key(&place) {
                continue;
            }
            let path = self.root.join(place.path());
            let gone = match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
            if let Err(error) = gone {
                is_whole = false;
                self.problem = Some(format!("{}: {error}", path.display()));
                written.insert(place, String::new());
                tracing::error!(file = %path.display(), %error, "still there for the public");
            }
        }
        self.written = Some(written);
        is_whole
    }
}

/// Files that an earlier run has written: those that are called as ours are, and no others.
fn found(root: &Path) -> Vec<Place> {
    let mut paths = Vec::new();
    let mut folders = vec![(String::new(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let entries = fs::read_dir(root.join(&folder)).into_iter().flatten();
        for entry in entries.flatten() {
            let path = format!("{folder}{}", entry.file_name().to_string_lossy());
            // An event's folder, a round's in it, its files.
            if depth < 2 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push((format!("{path}/"), depth + 1));
            }
            paths.push(path);
        }
    }
    let place = |path: String| Place::at(&path).filter(|place| place.path() == path);
    paths.into_iter().filter_map(place).collect()
}

/// Every file of the tree, in the order in which readers come to know of them: games before what
/// lists them.
fn places(gate: &Gate) -> Vec<Place> {
    let of = |event: usize| move |leaf| Place { event, leaf };
    let mut places: Vec<Place> = Part::ALL.into_iter().map(Leaf::Part).map(of(1)).collect();
    let programmes = gate.programmes();
    for programme in &programmes {
        let rounds = programme.rounds.iter().flat_map(leaves);
        let leaves = rounds.chain([Leaf::Event]);
        places.extend(leaves.map(of(programme.number)));
    }
    places.push(of(1)(Leaf::Start));
    places
}

/// The files of a round.
fn leaves(round: &Round) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    for table in round.tables.iter().map(|seats| seats.table) {
        leaves.extend([
            Leaf::Game(round.number, table),
            Leaf::Pgn(round.number, table),
            Leaf::Moves(round.number, table),
        ]);
    }
    leaves.extend([Leaf::Games(round.number), Leaf::Index(round.number)]);
    leaves.push(Leaf::Live(round.number));
    leaves.extend(Language::ALL.map(|language| Leaf::Page(round.number, language)));
    leaves
}

fn put(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        DirBuilder::new()
            .recursive(true)
            .mode(0o755)
            .create(folder)?;
    }
    replace_for(path, text.as_bytes(), 0o644)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::gate::Change;
    use super::super::shown::{Late, Person, Programme, Round, Seats, Shown};
    use super::*;

    fn show(gate: &Gate, tables: &[(u16, &str)]) {
        let seats = |(table, name): &(u16, &str)| Seats {
            table: *table,
            white: Person {
                name: (*name).to_owned(),
                ..Person::default()
            },
            black: Person::default(),
            result: "*".to_owned(),
            game: Some(format!("g{table}")),
            paired: true,
            start: None,
        };
        let seats: Vec<Seats> = tables.iter().map(seats).collect();
        let change = |seats: &Seats| Change {
            game: Arc::new(Shown {
                game: format!("g{}", seats.table),
                round: Some(1),
                table: Some(seats.table),
                white: seats.white.clone(),
                ..Shown::empty()
            }),
            kept: 0,
            corrections: Vec::new(),
        };
        gate.show(seats.iter().map(change).collect());
        gate.announce(Programme {
            rounds: vec![Round {
                number: 1,
                date: None,
                live: true,
                late: Late::default(),
                tables: seats,
            }],
            number: 1,
            ..Programme::default()
        });
    }

    /// Everything below a folder.
    fn all(root: &Path) -> String {
        let round = fs::read_dir(root.join("round-1")).unwrap().flatten();
        let mut files: Vec<PathBuf> = round.map(|entry| entry.path()).collect();
        files.sort();
        let text = |file: &PathBuf| {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            format!("{name}\n{}", fs::read_to_string(file).unwrap())
        };
        files.iter().map(text).collect()
    }

    #[test]
    fn what_is_public_no_more_goes_also_after_a_restart_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let (gate, mut folder) = (Gate::default(), Folder::new(dir.path().to_owned()));
        show(&gate, &[(1, "Berg, Anna"), (2, "Cole, Ben")]);
        assert!(folder.write(&gate));
        fs::write(dir.path().join("round-1/notes.txt"), "of the club").unwrap();
        fs::write(dir.path().join("round-1/round.json"), "of the club").unwrap();
        assert!(all(dir.path()).contains("game-2.pgn"));
        // One is erased, the other's game is gone.
        show(&gate, &[(1, "Player 1")]);
        assert!(folder.write(&gate));
        let left = all(dir.path());
        assert!(left.contains("Player 1") && !left.contains("Berg") && !left.contains("Cole"));
        assert!(
            !left.contains("game-2") && !left.contains("moves-2"),
            "{left}"
        );
        // And while nobody ran.
        show(&gate, &[(1, "Player 1"), (3, "Dorn, Eva")]);
        assert!(folder.write(&gate));
        show(&gate, &[(1, "Player 1")]);
        let mut folder = Folder::new(dir.path().to_owned());
        assert!(folder.write(&gate));
        let left = all(dir.path());
        assert!(!left.contains("game-3") && !left.contains("Dorn"), "{left}");
        assert!(
            left.contains("notes.txt") && left.contains("round.json"),
            "{left}"
        );
    }

    #[test]
    fn what_stands_there_already_is_not_written_again() {
        let dir = tempfile::tempdir().unwrap();
        let gate = Gate::default();
        show(&gate, &[(1, "Berg, Anna")]);
        assert!(Folder::new(dir.path().to_owned()).write(&gate));
        let written = |name: &str| {
            let file = fs::metadata(dir.path().join(name)).unwrap();
            std::os::unix::fs::MetadataExt::ino(&file)
        };
        let names = ["round-1/game-1.pgn", "page/live.js", "round-1/games.pgn"];
        let before = names.map(written);
        fs::write(dir.path().join("round-1/games.pgn"), "of another").unwrap();
        assert!(Folder::new(dir.path().to_owned()).write(&gate));
        let after = names.map(written);
        assert_eq!(before[..2], after[..2]);
        assert_ne!(before[2], after[2], "it was another");
    }

    #[test]
    fn what_could_not_be_written_is_tried_again() {
        let dir = tempfile::tempdir().unwrap();
        let (gate, mut folder) = (Gate::default(), Folder::new(dir.path().join("out")));
        show(&gate, &[(1, "Berg, Anna")]);
        fs::create_dir_all(dir.path().join("out/round-1/game-1.pgn")).unwrap();
        assert!(!folder.write(&gate));
        fs::remove_dir(dir.path().join("out/round-1/game-1.pgn")).unwrap();
        assert!(folder.write(&gate));
        assert!(all(&dir.path().join("out")).contains("game-1.pgn"));
    }
}

//! One bit of a copy of the store is wrong, as its daemon left it that was killed: of every class
//! of bytes in turn. Another daemon takes the copy up. Every game is whole, or it is said which one
//! is damaged from which event on; and the others go on.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use arbiter_core::{Event, Input};
use daemon::journal::Journal;
use daemon::store::{FILE, Game, Store, WRITTEN};
use tests::rig::{Arbiterd, configuration, post, section};

use crate::bytes::{CLASSES, Class, Files};
use crate::chance::Chance;
use crate::life::ORDER;

/// No daemon takes longer to start. It repairs a store on the way, on a machine that may be busy.
const PATIENCE: Duration = Duration::from_secs(240);
/// What the log says of a store that is not what it was.
const DAMAGED: &str = "the game store was damaged";

/// How often it was done, and what came of it.
#[derive(Default)]
pub(crate) struct Flipped {
    /// By class of bytes.
    pub(crate) times: BTreeMap<&'static str, u32>,
    /// Everything was whole all the same.
    pub(crate) harmless: u32,
    /// It was said of a game, or of the newest of each board.
    pub(crate) told: u32,
    /// Nothing could be read any more, and no daemon started.
    pub(crate) refused: u32,
    /// Orders that were taken for games that are whole.
    pub(crate) goes_on: u32,
}

/// Keeps the store as it is now.
pub(crate) fn keep(store: &Path, into: &Path) {
    fs::create_dir(into).expect("a directory");
    for name in [FILE.to_owned(), format!("{FILE}-wal"), WRITTEN.to_owned()] {
        if store.join(&name).exists() {
            fs::copy(store.join(&name), into.join(name)).expect("a copy");
        }
    }
}

/// Flips a bit of each store that comes. Boards in play are those of `boards`.
pub(crate) fn flip(seed: u64, boards: &[String], kept: Receiver<PathBuf>) -> Flipped {
    let (mut chance, mut flipped) = (Chance::new(seed ^ 0x666c_6970), Flipped::default());
    for (n, dir) in kept.into_iter().enumerate() {
        let class = CLASSES[n % CLASSES.len()];
        let whole = whole(&dir);
        if let Some(victim) = Victim::of(&dir, class, &whole, &mut chance) {
            *flipped.times.entry(class.name()).or_default() += 1;
            victim.check(&whole, boards, &mut flipped);
        }
        fs::remove_dir_all(dir).expect("a directory");
    }
    flipped
}

/// The games of a store that nothing was done to, by name.
fn whole(dir: &Path) -> BTreeMap<String, Game> {
    let whole = dir.join("whole");
    keep(dir, &whole);
    let (journal, thread) = Journal::open(&whole).expect("a store that is whole");
    drop(journal);
    thread.join().expect("it ends");
    games(&whole)
}

fn games(dir: &Path) -> BTreeMap<String, Game> {
    let store = Store::open(dir).expect("a store");
    let rows = store.games().expect("games").into_iter();
    rows.map(|row| {
        let game = store.game(&row.id).expect("events").expect("the game");
        (row.id, game)
    })
    .collect()
}

/// A store with one wrong bit.
struct Victim {
    dir: PathBuf,
    class: Class,
    /// What was done, in words.
    what: String,
    /// Whether the bit is in a page that says where all others are.
    describes: bool,
}

impl Victim {
    /// `None` where there are no bytes of this class.
    fn of(
        dir: &Path,
        class: Class,
        whole: &BTreeMap<String, Game>,
        chance: &mut Chance,
    ) -> Option<Victim> {
        let victim = dir.join("victim");
        keep(dir, &victim);
        let mut files = Files::read(&victim);
        let (is_log, place) = files.place(class, whole, &dir.join("whole"), chance)?;
        let bit = chance.below(8);
        let describes = !is_log && files.describes(place);
        files.flip(&victim, is_log, place, bit);
        let file = match is_log {
            true => "the log",
            false => "the file",
        };
        Some(Victim {
            dir: victim,
            class,
            what: format!("{}: bit {bit} of byte {place} of {file}", class.name()),
            describes,
        })
    }

    fn check(&self, whole: &BTreeMap<String, Game>, boards: &[String], flipped: &mut Flipped) {
        let daemon = self.daemon(whole);
        let Some(address) = daemon.address(Instant::now() + PATIENCE) else {
            let (log, what) = (daemon.log(), &self.what);
            let is_said = log.contains(FILE);
            assert!(is_said && self.describes, "{what}: no daemon:\n{log}");
            flipped.refused += 1;
            return;
        };
        let found = games(&self.dir);
        let damaged: Vec<&Game> = found
            .values()
            .filter(|game| game.row.damage.is_some())
            .collect();
        let is_said = !damaged.is_empty() || daemon.log().contains(DAMAGED);
        for (id, game) in whole {
            self.compare(game, found.get(id), is_said);
        }
        if matches!(self.class, Class::Payload | Class::Checksum) {
            assert!(damaged.len() <= 1, "{}: {damaged:?}", self.what);
        }
        match is_said {
            true => flipped.told += 1,
            false => flipped.harmless += 1,
        }
        let whole = |board: &&String| {
            let newest = found.values().filter(|game| game.row.board == **board);
            let newest = newest.max_by_key(|game| game.row.started.clone());
            newest.is_some_and(|game| game.row.damage.is_none())
        };
        for board in boards.iter().filter(whole) {
            let reply = post(address, &format!("/api/boards/{board}/orders"), ORDER);
            let taken = reply.as_ref().is_ok_and(|reply| reply.status == 200);
            assert!(taken, "{}: {board} goes on: {reply:?}", self.what);
            flipped.goes_on += 1;
        }
    }

    /// A daemon that takes the store up; its boards are not there.
    fn daemon(&self, whole: &BTreeMap<String, Game>) -> Arbiterd {
        let mut boards: Vec<&str> = whole.values().map(|game| game.row.board.as_str()).collect();
        boards.sort_unstable();
        boards.dedup();
        let sections = boards.iter().map(|id| {
            section(
                id,
                &self.dir.join(format!("no-{id}")),
                "kind = \"native\"\n",
            )
        });
        let file = self.dir.join("hall.toml");
        fs::write(&file, configuration(&self.dir, sections)).expect("a configuration");
        Arbiterd::serve(&file)
    }

    /// What is found of a game is what was written, or it is said that it is not.
    fn compare(&self, game: &Game, found: Option<&Game>, is_said: bool) {
        let (id, what) = (&game.row.id, &self.what);
        let Some(found) = found else {
            assert!(is_said, "{what}: {id} has vanished");
            return;
        };
        match &found.row.damage {
            None => {
                let before = found.events.get(..game.events.len());
                let mut since = found.events.iter().skip(game.events.len());
                let is_its_own =
                    |event: &Event| matches!(event.input, Input::Tick | Input::Mating { .. });
                // In this daemon time passes too, and it looks for mates anew.
                let is_whole = before == Some(&game.events[..]) && since.all(is_its_own);
                assert!(
                    is_whole,
                    "{what}: {id} is another one: {} events were there, {} are",
                    game.events.len(),
                    found.events.len()
                );
            }
            Some(damage) => {
                let before = found.events.len();
                let is_prefix = game.events.get(..before) == Some(&found.events[..]);
                assert!(
                    is_prefix,
                    "{what}: {id} {damage}: before it is something else"
                );
                if let Some(event) = damage.event {
                    assert_eq!(event as usize, before, "{what}: {id} {damage}");
                }
            }
        }
    }
}

//! Everything that can happen to a daemon, its disk, its lines and its boards, at once: it is
//! killed again and again in mid-game, and so are boards; the disk is full, the wall clock jumps,
//! bits turn over in copies of the store; lines damage what they carry, pause and are cut; boards
//! are exchanged, lose their power, babble; and a crowd stands at the door.
//! Whatever the daemon had shown, sent, answered or acknowledged is there afterwards, no ply is
//! wrong, and nobody is accused.
//!
//! Most boards play on in a process that survives the kills. `TORTURE_SEED` repeats the moments of
//! the kills and of what else is done, `TORTURE_KILLS` is how many kills there are. Program and
//! test must be of one build: what the daemon said is compared with what the journal makes the same
//! arbiter say.

mod at_once;
mod babble;
mod bytes;
mod chance;
mod count;
mod crowd;
mod fill_disk;
mod flip_bits;
mod games;
mod hall;
mod journal;
mod kill_boards;
mod life;
mod meanwhile;
mod own_mounts;
mod pages;
mod replay;
mod starts;
mod torment;
mod truth;
mod turn_clock;
mod verify;
mod witness;

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use daemon::store::FILE;
use tests::evening::{Evening, House, Table};

use at_once::{Others, live};
use chance::Chance;
use games::plays;
use hall::Hall;
use journal::Journal;
use pages::Pages;
use starts::START;
use tests::rig::WallClock;

/// How often the daemon is killed, unless the caller says otherwise.
const KILLS: u32 = 50;
/// A daemon lives this long on average.
const LIFE: Duration = Duration::from_millis(1_700);
/// How long the games go on after the last kill.
const AFTERWARDS: Duration = Duration::from_secs(5);
/// How long the last daemon may take until every game is as it was played.
const PATIENCE: Duration = Duration::from_secs(60);
/// Boards whose games are recorded whole, five of each class of sensors.
const WHOLE: usize = 15;
/// Boards that lose their power besides, and with it what they have not sent: their records may
/// have a gap.
const POWERLESS: usize = 3;
/// Of this part of the kills at least a daemon that serves must be struck, and not one that is just
/// starting.
const IN_SERVICE: u32 = 2;

/// A number that the caller may ask for.
fn asked(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{name} is a number, and not {text:?}")))
}

/// The seed asked for, else one of its own for every run.
fn seed() -> u64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    asked("TORTURE_SEED").unwrap_or(now.as_nanos() as u64 % 1_000_000)
}

/// Moments of kills since the start, one in each stretch of [`LIFE`]; every fifth or so comes while
/// a daemon starts.
fn moments(seed: u64, kills: u32) -> Vec<Duration> {
    let (mut chance, mut last) = (Chance::new(seed), Duration::ZERO);
    let mut moment = |n| {
        let starting = chance.below(5) == 0;
        let (soon, some_time) = (
            last + START.mul_f64(chance.part()),
            LIFE.mul_f64(f64::from(n) + chance.part()),
        );
        last = if starting { soon } else { some_time };
        last
    };
    (0..kills).map(&mut moment).collect()
}

#[test]
fn nothing_is_lost_and_nothing_is_made_up() {
    if own_mounts::run("nothing_is_lost_and_nothing_is_made_up") {
        return;
    }
    crowd::make_room();
    let seed = seed();
    let kills = asked("TORTURE_KILLS").map_or(KILLS, |kills| kills as u32);
    println!("TORTURE_SEED={seed} TORTURE_KILLS={kills}");
    let mut kept = Kept(Evening::begin(plays(
        (WHOLE + POWERLESS) as u64,
        LIFE * kills + AFTERWARDS,
    )));
    let evening = &mut kept.0;
    let store = evening.store();
    let hall = Hall::new(
        evening.path("arbiter.toml"),
        &store,
        WallClock::right(evening.path("clock")),
    );
    let mut others = Others::sit(evening, seed);
    std::fs::write(&hall.config, others.configuration(evening)).expect("a configuration");

    let pages = Pages::read(store.join("pgn"));
    let single = evening.tables.iter().map(|table| table.id.clone());
    let single = single.chain([witness::ID.to_owned()]);
    let mut journal = Journal::new(&store, single, babble::ID);
    let start = Instant::now();
    let mut count = live(evening, &hall, &mut journal, &mut others, seed, kills);
    let plies = journal.plies();
    let is_over = |table: &&Table| {
        let recorded = plies.get(&table.id);
        recorded.is_some_and(|plies| *plies >= table.truth().len())
    };
    assert!(
        evening.tables.iter().filter(is_over).count() < evening.tables.len() / 2,
        "most games were over before the last kill; let them last longer"
    );
    assert!(
        count.in_service >= kills / IN_SERVICE,
        "only {} of {kills} kills struck a daemon in service",
        count.in_service
    );

    let whole = &evening.tables[..WHOLE];
    let last = House::of(hall.start());
    evening.play_to_the_end(PATIENCE);
    let boards = last.until(PATIENCE, |boards| {
        let mut left = truth::unfinished(whole, boards);
        left.extend(others.witness.differs(&boards[evening.tables.len()]));
        left
    });
    truth::check_blame(&evening.tables, whole.len(), &boards);
    last.close();
    assert!(journal.check(), "the journal can be read");
    journal.check_no_order_came_twice();
    journal.check_integrity();
    let read = pages.end();
    truth::check_pages(&store, whole);
    let begun = others.processes.iter();
    let begun: usize = begun
        .map(|process| truth::check_begun(&store, process))
        .sum();
    count.jumps_seen = turn_clock::jumps_seen(&store.join(FILE));
    println!(
        "{count}\n{} rulings and {} board states shown, {} orders answered, {} events in the \
         journal, {begun} half-moves on boards that were killed, {read} PGN files read meanwhile; \
         {:?}",
        journal.rulings,
        journal.states,
        journal.answered(),
        journal.events(),
        start.elapsed()
    );
    if kills >= KILLS {
        count.check();
    }
}

/// An evening whose files stay behind when the test fails, for whoever looks into them.
struct Kept(Evening);

impl Drop for Kept {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // The store may be on a disk that goes with this program.
            let (from, to) = (self.0.store(), self.0.path("store-at-the-end"));
            let _said_below = std::process::Command::new("cp")
                .arg("-r")
                .args([from, to])
                .status();
            println!("journal and PGN files are in {}", self.0.keep().display());
        }
    }
}

//! Everything that can happen to a daemon and its boards, at once: it is killed again and again in
//! mid-game, while lines damage what they carry, pause and are cut, boards lose their power, and
//! crowds of connections stand at its door.
//! Whatever the daemon had shown, sent or answered is there afterwards, no ply is wrong, and nobody
//! is accused.
//!
//! Boards play on in a process that survives the kills. `TORTURE_SEED` repeats the moments of the
//! kills and cuts, `TORTURE_KILLS` is how many kills there are. Program and test must be of one
//! build: what the daemon said is compared with what the journal makes the same arbiter say.

mod babble;
mod bytes;
mod chance;
mod count;
mod crowd;
mod fill_disk;
mod flip_bits;
mod hall;
mod journal;
mod kill_boards;
mod life;
mod meanwhile;
mod own_mounts;
mod pages;
mod torment;
mod truth;
mod turn_clock;
mod verify;
mod witness;

use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use arbiter_core::SensorClass;
use board_driver::hand::Style;
use board_driver::sim::LineNoise;
use daemon::store::FILE;
use serde_json::Value;
use tests::accuracy::Cell;
use tests::evening::{Evening, House, Play, Table};
use tests::rig::{Arbiterd, configuration, section, until};

use babble::Babbler;
use chance::Chance;
use count::Count;
use hall::Hall;
use journal::Journal;
use kill_boards::Process;
use life::Life;
use meanwhile::Meanwhile;
use pages::Pages;
use torment::Torment;
use turn_clock::Clock;
use witness::Witness;

/// How often the daemon is killed, unless the caller says otherwise.
const KILLS: u32 = 50;
/// A daemon lives this long on average.
const LIFE: Duration = Duration::from_millis(1_700);
/// A daemon that starts is killed within this time.
const START: Duration = Duration::from_millis(80);
/// Daemons that are killed at the very first start.
const BEGINNINGS: u32 = 160;
/// How long the games go on after the last kill.
const AFTERWARDS: Duration = Duration::from_secs(5);
/// How long the last daemon may take until every game is as it was played.
const PATIENCE: Duration = Duration::from_secs(60);
/// Boards whose games are recorded whole, five of each class of sensors.
const WHOLE: usize = 15;
/// Boards that lose their power besides, and with it what they have not sent: their records may
/// have a gap.
const POWERLESS: usize = 3;
/// Boards that are processes and are killed.
const PROCESSES: u64 = 2;
/// How often a board babbles at least.
const BABBLES: u32 = 4;
/// The disk has room for so long before it is full again.
const BETWEEN_FILLS: Duration = Duration::from_secs(11);
/// Lives from one copy of the store in which a bit is wrong to the next.
const BETWEEN_FLIPS: u32 = 5;
/// Of this part of the kills at least a daemon that serves must be struck, and not one that is just
/// starting.
const IN_SERVICE: u32 = 2;

/// What lines do to every frame: in twenty of them one suffers, and now and then nothing comes
/// through for a while.
const LINE: LineNoise = LineNoise {
    seed: 0,
    drop: 0.02,
    corrupt: 0.02,
    cut: 0.01,
    pause: 0.004,
};

/// Games on every class of sensors, by tidy hands and by human ones.
fn plays(length: Duration) -> Vec<Play> {
    let classes = [
        SensorClass::Piece,
        SensorClass::Colour,
        SensorClass::Occupancy,
    ];
    let play = |n: u64| {
        let style = if n.is_multiple_of(2) {
            Style::Tidy
        } else {
            Style::Human
        };
        let cell = Cell {
            sensor: classes[(n % 3) as usize],
            style,
            noise: 1,
            clock: true,
        };
        let line = LineNoise { seed: n, ..LINE };
        let game = Play::new(cell, 29 * n as usize, 100 + n);
        Play { line, ..game }.lasting(length)
    };
    (0..(WHOLE + POWERLESS) as u64).map(play).collect()
}

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
    let mut kept = Kept(Evening::begin(plays(LIFE * kills + AFTERWARDS)));
    let evening = &mut kept.0;
    let store = evening.store();
    let hall = Hall::new(
        evening.path("arbiter.toml"),
        &store,
        Clock::right(evening.path("clock")),
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
    journal.check();
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
    count.check();
}

/// Boards besides those at which the evening's games are played.
struct Others {
    witness: Witness,
    processes: Vec<Process>,
    babbler: Babbler,
}

impl Others {
    fn sit(evening: &Evening, seed: u64) -> Others {
        let dir = evening.path("");
        Others {
            witness: Witness::sit(&evening.path(witness::ID), &evening.store(), seed),
            processes: (1..=PROCESSES).map(|n| Process::start(&dir, n)).collect(),
            babbler: Babbler::at(&evening.path(babble::ID)),
        }
    }

    /// The configuration of everything.
    fn configuration(&self, evening: &Evening) -> String {
        let processes: String = self.processes.iter().map(Process::section).collect();
        let (witness, babbler) = (self.witness.section(), self.babbler.section());
        format!("{}{witness}{babbler}{processes}", evening.configuration())
    }
}

/// Everything happens at once, and the daemon is killed `kills` times.
fn live(
    evening: &Evening,
    hall: &Hall,
    journal: &mut Journal,
    others: &mut Others,
    seed: u64,
    kills: u32,
) -> Count {
    let (start, mut count) = (Instant::now(), Count::default());
    let Others {
        witness,
        processes,
        babbler,
    } = others;
    let (whole, powerless) = evening.tables.split_at(WHOLE);
    let in_play: Vec<String> = whole.iter().map(|table| table.id.clone()).collect();
    let (copies, kept) = sync_channel(1);
    thread::scope(|scope| {
        let torment = Torment::new(seed, hall, whole, powerless);
        let torn = Meanwhile::begin(scope, |enough| torment.go_on(enough));
        let filled = Meanwhile::begin(scope, |enough| {
            fill_disk::fill_and_free(hall, witness, BETWEEN_FILLS, enough)
        });
        let killed = Meanwhile::begin(scope, |enough| {
            kill_boards::kill_and_restart(processes, seed, LIFE, enough)
        });
        let times = BABBLES + kills / 100;
        let babbled = Meanwhile::begin(scope, move |enough| {
            babbler.babble(hall, times, LIFE * kills / (times + 2), enough)
        });
        let looks = Meanwhile::begin(scope, |enough| verify::look(&hall.store, enough));
        let jumps = Meanwhile::begin(scope, |enough| hall.clock.jump(seed, enough));
        let flipped = scope.spawn(move || flip_bits::flip(seed, &in_play, kept));
        for (number, moment) in (1..).zip(moments(seed, kills)) {
            let life = Life::until(hall, start + moment, &evening.tables, journal);
            count.life(&life);
            journal.witness(life, number);
            hall.know(journal.plies());
            if number % BETWEEN_FLIPS == 0 {
                let copy = evening.path(&format!("copy-{number}"));
                flip_bits::keep(&hall.store, &copy);
                // Whoever is still busy with the last one has enough.
                if copies.try_send(copy.clone()).is_err() {
                    std::fs::remove_dir_all(copy).expect("a directory");
                }
            }
        }
        drop(copies);
        (count.torn, count.filled) = (torn.end(), filled.end());
        (count.boards_killed, count.babbles) = (killed.end(), babbled.end());
        (count.jumps, count.looks) = (jumps.end(), looks.end());
        count.flipped = flipped.join().expect("every bit is told");
    });
    count
}

#[test]
fn a_daemon_that_is_killed_while_it_creates_its_store_starts_again() {
    for life in (0..BEGINNINGS).map(|n| START * n / BEGINNINGS) {
        let dir = tempfile::tempdir().expect("a directory");
        let (file, store) = (dir.path().join("arbiter.toml"), dir.path().join("store"));
        let board = section("b1", &dir.path().join("no-board"), "");
        let text = configuration(&store, [board]);
        std::fs::write(&file, &text).expect("a configuration");
        let mut daemon = Arbiterd::serve(&file);
        std::thread::sleep(life);
        daemon.kill();
        House::open(&file, &text).close();
    }
}

#[test]
fn a_daemon_that_is_started_on_a_full_disk_says_so_and_goes_on_when_there_is_room() {
    if own_mounts::run(
        "a_daemon_that_is_started_on_a_full_disk_says_so_and_goes_on_when_there_is_room",
    ) {
        return;
    }
    let dir = tempfile::tempdir().expect("a directory");
    let path = |name: &str| dir.path().join(name);
    let (store, clock) = (path("store"), Clock::right(path("clock")));
    let hall = Hall::new(path("arbiter.toml"), &store, clock);
    let mut witness = Witness::sit(&path(witness::ID), &store, 1);
    let text = configuration(&store, [witness.section()]);
    std::fs::write(&hall.config, text).expect("a configuration");
    let played = |boards: &[Value], witness: &Witness| witness.differs(&boards[0]);

    let house = House::of(hall.start());
    house.until(PATIENCE, |boards| played(boards, &witness));
    witness.play();
    house.until(PATIENCE, |boards| played(boards, &witness));
    house.close();
    let files = || std::fs::read_dir(&store).expect("the store").count();
    let before = files();

    hall.disk.fill(None);
    let mut daemon = hall.start();
    assert_eq!(daemon.address(Instant::now() + PATIENCE), None);
    until("its end", PATIENCE, || !daemon.runs());
    assert!(
        daemon.log().contains("is the disk full"),
        "{}",
        daemon.log()
    );
    witness.play();
    hall.disk.free(None);
    let house = House::of(hall.start());
    house.until(PATIENCE, |boards| played(boards, &witness));
    house.close();
    assert_eq!(files(), before);
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

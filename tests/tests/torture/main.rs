//! Everything that can happen to a daemon and its boards, at once: it is killed again and again in
//! mid-game, while lines damage what they carry, pause and are cut, boards lose their power, and
//! crowds of connections stand at its door.
//! Whatever the daemon had shown, sent or answered is there afterwards, no ply is wrong, and nobody
//! is accused.
//!
//! Boards play on in a process that survives the kills. `TORTURE_SEED` repeats the moments of the
//! kills and cuts, `TORTURE_KILLS` is how many kills there are. Program and test must be of one
//! build: what the daemon said is compared with what the journal makes the same arbiter say.

mod chance;
mod crowd;
mod journal;
mod life;
mod pages;
mod torment;
mod truth;

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use arbiter_core::SensorClass;
use board_driver::hand::Style;
use board_driver::sim::LineNoise;
use tests::accuracy::Cell;
use tests::evening::{Evening, House, Play, Table};
use tests::rig::{Arbiterd, configuration, section};

use chance::Chance;
use journal::Journal;
use life::Life;
use pages::Pages;
use torment::{Torment, Torn};

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
/// Boards of each class of sensors.
const BOARDS: u64 = 5;
/// Boards that lose their power besides, and with it what they have not sent: their records may
/// have a gap.
const POWERLESS: u64 = 3;
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
    (0..3 * BOARDS + POWERLESS).map(play).collect()
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
    let seed = seed();
    let kills = asked("TORTURE_KILLS").map_or(KILLS, |kills| kills as u32);
    println!("TORTURE_SEED={seed} TORTURE_KILLS={kills}");
    let kept = Kept(Evening::begin(plays(LIFE * kills + AFTERWARDS)));
    let evening = &kept.0;
    let store = evening.store();
    let config = evening.path("arbiter.toml");
    std::fs::write(&config, evening.configuration()).expect("a configuration");

    let pages = Pages::read(store.join("pgn"));
    let mut journal = Journal::new(&store);
    let start = Instant::now();
    let (whole, powerless) = evening.tables.split_at(3 * BOARDS as usize);
    let (mut in_service, mut largest, mut crowd) = (0, 0, 0);
    let torn = Torment::during(seed, whole, powerless, || {
        for (number, moment) in (1..).zip(moments(seed, kills)) {
            let life = Life::until(&config, start + moment, &evening.tables, &mut journal);
            in_service += u32::from(life.served);
            largest = largest.max(life.memory);
            crowd += life.crowd;
            journal.witness(life, number);
        }
    });
    let games = journal.games();
    let is_over = |table: &&Table| {
        let recorded = games.get(&table.id);
        recorded.is_some_and(|plies| *plies >= table.truth().len())
    };
    assert!(
        evening.tables.iter().filter(is_over).count() < evening.tables.len() / 2,
        "most games were over before the last kill; let them last longer"
    );
    assert!(
        in_service >= kills / IN_SERVICE,
        "only {in_service} of {kills} kills struck a daemon in service"
    );

    let last = evening.serve();
    evening.play_to_the_end(PATIENCE);
    let boards = last.until(PATIENCE, |boards| truth::unfinished(whole, boards));
    truth::check_blame(&evening.tables, whole.len(), &boards);
    last.close();
    journal.check();
    journal.check_no_order_came_twice();
    journal.check_integrity();
    let read = pages.end();
    truth::check_pages(&store, whole, evening.tables.len());
    let Torn { cuts, reboots } = torn;
    println!(
        "{kills} kills, {in_service} of them in service, {cuts} plugs pulled, {reboots} boards \
         without power, {crowd} idle connections; {} rulings and {} board states shown, {} \
         orders answered, {} events in \
         the journal, {read} PGN files read meanwhile; {largest} kB at most; {:?}",
        journal.rulings,
        journal.states,
        journal.answered(),
        journal.events(),
        start.elapsed()
    );
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

/// An evening whose files stay behind when the test fails, for whoever looks into them.
struct Kept(Evening);

impl Drop for Kept {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("journal and PGN files are in {}", self.0.keep().display());
        }
    }
}

//! The daemon is killed again and again in mid-game, and whatever it had shown, sent or answered is
//! there afterwards.
//!
//! Boards play on in a process that survives the kills. `DURABILITY_SEED` repeats the moments of
//! the kills. Program and test must be of one build: what the daemon said is compared with what the
//! journal makes the same arbiter say.

mod chance;
mod journal;
mod life;
mod pages;
mod truth;

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use arbiter_core::SensorClass;
use board_driver::hand::Style;
use tests::accuracy::Cell;
use tests::evening::{Evening, Play, Table};

use chance::Chance;
use journal::Journal;
use life::Life;
use pages::Pages;

/// How often the daemon is killed.
const KILLS: u32 = 50;
/// A daemon lives this long on average.
const LIFE: Duration = Duration::from_millis(1_700);
/// A daemon that starts is killed within this time.
const START: Duration = Duration::from_millis(80);
/// How long the games take: beyond the last kill.
const GAMES: Duration = Duration::from_secs(90);
/// How long the last daemon may take until every game is as it was played.
const PATIENCE: Duration = Duration::from_secs(45);
/// Boards of each class of sensors.
const BOARDS: u64 = 5;
/// Kills that must strike a daemon that serves, and not one that is just starting.
const IN_SERVICE: usize = 25;

/// Games on every class of sensors, by tidy hands and by human ones.
fn plays() -> Vec<Play> {
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
        Play::new(cell, 29 * n as usize, 100 + n).lasting(GAMES)
    };
    (0..3 * BOARDS).map(play).collect()
}

/// The seed asked for, else one of its own for every run.
fn seed() -> u64 {
    let wish = std::env::var("DURABILITY_SEED")
        .ok()
        .map(|text| text.parse().expect("DURABILITY_SEED is a number"));
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    wish.unwrap_or(now.as_nanos() as u64 % 1_000_000)
}

/// Moments of kills since the start, one in each stretch of [`LIFE`]; every fifth or so comes while
/// a daemon starts.
fn moments(seed: u64) -> Vec<Duration> {
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
    (0..KILLS).map(&mut moment).collect()
}

#[test]
fn fifty_kills_lose_nothing_and_every_game_comes_to_its_end() {
    let seed = seed();
    println!("DURABILITY_SEED={seed}");
    let kept = Kept(Evening::begin(plays()));
    let evening = &kept.0;
    let store = evening.store();
    let config = evening.path("arbiter.toml");
    std::fs::write(&config, evening.configuration()).expect("a configuration");

    let pages = Pages::read(store.join("pgn"));
    let mut journal = Journal::new(&store);
    let start = Instant::now();
    let mut in_service = 0;
    for (number, moment) in (1..).zip(moments(seed)) {
        let life = Life::until(&config, start + moment, &evening.tables, &mut journal);
        in_service += usize::from(life.served);
        journal.witness(life, number);
    }
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
        in_service >= IN_SERVICE,
        "only {in_service} of {KILLS} kills struck a daemon in service"
    );

    let last = evening.serve();
    last.until(PATIENCE, evening.unfinished());
    last.close();
    journal.check();
    journal.check_no_order_came_twice();
    journal.check_integrity();
    let read = pages.end();
    truth::check_pages(&store, &evening.tables);
    println!(
        "{KILLS} kills, {in_service} of them in service; {} rulings and {} board states shown, \
         {} orders answered, {} events in the journal, {read} PGN files read meanwhile; {:?}",
        journal.rulings,
        journal.states,
        journal.answered(),
        journal.events(),
        start.elapsed()
    );
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

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
use tests::rig::{Arbiterd, Fleet, Seat};

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
fn seats() -> Vec<Seat> {
    let classes = [
        SensorClass::Piece,
        SensorClass::Colour,
        SensorClass::Occupancy,
    ];
    let seat = |n: u64| {
        let style = if n.is_multiple_of(2) {
            Style::Tidy
        } else {
            Style::Human
        };
        Seat {
            sensor: classes[(n % 3) as usize],
            style,
            noise: 1,
            seed: 100 + n,
            length: GAMES,
        }
    };
    (0..3 * BOARDS).map(seat).collect()
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
    let dir = Kept(tempfile::tempdir().expect("a directory"));
    let dir = &dir.0;
    let fleet = Fleet::play(dir.path(), &seats());
    let store = dir.path().join("store");
    let config = dir.path().join("arbiter.toml");
    std::fs::write(&config, fleet.configuration(&store)).expect("a configuration");

    let pages = Pages::read(store.join("pgn"));
    let mut journal = Journal::new(&store);
    let start = Instant::now();
    let mut in_service = 0;
    for (number, moment) in (1..).zip(moments(seed)) {
        let life = Life::until(&config, start + moment, &fleet.players, &mut journal);
        in_service += usize::from(life.served);
        journal.witness(life, number);
    }
    let games = journal.games();
    let over = fleet.players.iter().filter(|player| {
        games
            .get(&player.id)
            .is_some_and(|n| *n >= player.truth.len())
    });
    assert!(
        over.count() < fleet.players.len() / 2,
        "most games were over before the last kill; let them last longer"
    );
    assert!(
        in_service >= IN_SERVICE,
        "only {in_service} of {KILLS} kills struck a daemon in service"
    );

    let mut last = Arbiterd::serve(&config);
    let ended = truth::await_ends(&last, &fleet.players, PATIENCE);
    if let Err(why) = &ended {
        panic!("DURABILITY_SEED={seed}\n{why}\n{}", last.log());
    }
    let status = last.stop(Duration::from_secs(10));
    assert!(
        status.is_some_and(|status| status.success()),
        "it ends in order: {status:?}\n{}",
        last.log()
    );
    journal.check();
    journal.check_no_order_came_twice();
    journal.check_integrity();
    let read = pages.end();
    truth::check_pages(&store, &fleet.players);
    println!(
        "{KILLS} kills, {in_service} of them in service; {} rulings and {} board states shown, {} orders answered, \
         {} events in the journal, {read} PGN files read meanwhile; {:?}",
        journal.rulings,
        journal.states,
        journal.answered(),
        journal.events(),
        start.elapsed()
    );
}

/// A directory that stays behind when the test fails, for whoever looks into it.
struct Kept(tempfile::TempDir);

impl Drop for Kept {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!(
                "journal and PGN files are kept in {}",
                self.0.path().display()
            );
            self.0.disable_cleanup(true);
        }
    }
}

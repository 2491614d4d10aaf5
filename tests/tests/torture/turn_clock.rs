//! The wall clock of the machine jumps by hours, forwards and back.

use std::path::Path;
use std::time::Duration;

use tests::rig::WallClock;

use crate::chance::Chance;
use crate::meanwhile::Enough;

/// Between two jumps.
const PAUSE: Duration = Duration::from_millis(2_300);
/// The clock goes wrong by less than so many hours, either way.
const HOURS: usize = 12;
/// Lets a clock jump until it is enough; how often it did.
pub(crate) fn jump(clock: &WallClock, seed: u64, enough: &Enough) -> u32 {
    let (mut chance, mut jumps) = (Chance::new(seed ^ 0x0063_6c6f_636b), 0);
    while enough.not_yet(PAUSE) {
        let hours = chance.below(2 * HOURS) as i64 - HOURS as i64;
        clock.turn(hours * 3_600 + chance.below(3_600) as i64);
        jumps += 1;
    }
    clock.turn(0);
    jumps
}

/// How often the wall clock went more than half an hour wrong between two events of the journal:
/// forwards, and back.
pub(crate) fn jumps_seen(journal: &Path) -> (usize, usize) {
    let db = rusqlite::Connection::open(journal).expect("the journal");
    let mut query = db
        .prepare("SELECT wall FROM events ORDER BY id")
        .expect("events");
    let walls = query.query_map([], |r| r.get::<_, i64>(0)).expect("events");
    let walls: Vec<i64> = walls.map(|wall| wall.expect("a time")).collect();
    let count = |is_jump: fn(i64) -> bool| {
        walls
            .windows(2)
            .filter(|pair| is_jump(pair[1] - pair[0]))
            .count()
    };
    (count(|ms| ms > 1_800_000), count(|ms| ms < -1_800_000))
}

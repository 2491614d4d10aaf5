//! How much a hub takes: halls of many boards, and a long day. The quick forms see that it works;
//! the long ones, of `ci-long.sh`, measure.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use daemon::store::FILE;
use rusqlite::Connection;

use super::bulk::{Bulk, Played};
use super::hub::{Hub, Place, Way};
use super::nats::number;

over_both! {
    four_halls_of_many_boards_are_at_the_hub_within_a_second
    a_day_is_mirrored_row_for_row_and_verified
}

const HALLS: [&str; 4] = ["main", "juniors", "seniors", "open"];

/// Each board of four halls tells something 0.4 times a second, as boards that are played on do.
/// The hub has written it, and shows it, before it says that it has it.
fn four_halls_of_many_boards_are_at_the_hub_within_a_second(way: Way) {
    let (boards, seconds) = (number("HALLS_BOARDS", 25), number("HALLS_SECONDS", 4));
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &HALLS);
    let places = HALLS.map(|name| Place::new(&hub, name));
    let mut halls = places.each_ref().map(|place| {
        let mut hall = Bulk::with_boards(place, boards);
        hall.write(2 * boards, 2 * boards);
        hall
    });
    let pace = Duration::from_millis(2_500) / u32::try_from(boards).expect("a few");
    let rows = seconds * 1_000 / u64::try_from(pace.as_millis()).expect("a few");
    let (away, _) = play(&mut halls, (rows, pace), false);
    hub.start();
    halls.iter().for_each(Bulk::until_complete);
    let (there, late) = play(&mut halls, (rows, pace), true);
    println!("hub: {} MB", hub.memory() >> 20);
    // Beside everything else on two cores it is not measured.
    let most = if seconds < 30 { 10 } else { 1 };
    assert!(late < Duration::from_secs(most), "{late:?}");
    assert!(
        there < 2 * away + Duration::from_millis(most * 30),
        "{away:?}, {there:?}"
    );
    for (hall, place) in halls.into_iter().zip(&places) {
        hall.until_complete();
        same_sums(&hub, place);
        hall.close();
    }
    hub.close();
}

/// Lets all play at once, each so many rows at this pace. Gives what 99 of 100 commits took at
/// most, and how late as many rows were at the hub, where that is there.
fn play(
    halls: &mut [Bulk; 4],
    (rows, pace): (u64, Duration),
    is_there: bool,
) -> (Duration, Duration) {
    let played: Vec<Played> = thread::scope(|scope| {
        let halls = halls.iter_mut();
        let threads: Vec<_> = halls
            .map(|hall| scope.spawn(move || hall.play_on(rows, pace, is_there)))
            .collect();
        let ended = threads.into_iter().map(|thread| thread.join());
        ended.map(|played| played.expect("a hall")).collect()
    });
    let part = |of: fn(&Played) -> &Vec<Duration>, part: usize| {
        let mut all: Vec<Duration> = played.iter().flat_map(of).copied().collect();
        all.sort();
        all.get(all.len() * part / 100).copied().unwrap_or_default()
    };
    let commit = |p| part(|played| &played.commits, p);
    let late = |p| part(|played| &played.late, p);
    println!(
        "hub {}: a commit p50 {:?}, p99 {:?}; at the hub p50 {:?}, p99 {:?}",
        if is_there { "there" } else { "away" },
        commit(50),
        commit(99),
        late(50),
        late(99)
    );
    (commit(99), late(99))
}

/// The rows of a day, sent to a hub that was away.
fn a_day_is_mirrored_row_for_row_and_verified(way: Way) {
    let rows = number("HALLS_DAY", 20_000);
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main"]);
    let place = Place::new(&hub, "main");
    let mut hall = Bulk::with_boards(&place, 250);
    let begun = Instant::now();
    hall.write(rows, 1_000);
    let written = begun.elapsed();
    hub.start();
    let begun = Instant::now();
    hall.until_complete_within(Duration::from_secs(60 + rows / 2_000));
    let took = begun.elapsed();
    let of_hub = size(&hub.dir().join("halls/main"));
    let memory = hub.memory();
    hall.close();
    let begun = Instant::now();
    assert_eq!(hub.mirror_is_sound("main"), "");
    println!(
        "{rows} rows: written in {written:?}, at the hub in {took:?}, verified in {:?}; {} MB on \
         the disk of the hall, {} MB of the hub; {} MB of memory of the hub",
        begun.elapsed(),
        size(&place.store()) >> 20,
        of_hub >> 20,
        memory >> 20
    );
    same_sums(&hub, &place);
    hub.close();
}

/// Its name, how many events it has, and their checksum.
type Game = (String, i64, Vec<u8>);

/// Whether both have the same games and marks: the checksum of a game is that of all its events.
fn same_sums(hub: &Hub, place: &Place) {
    let of = |dir: &Path| -> (Vec<Game>, (i64, i64)) {
        let db = Connection::open(dir.join(FILE)).expect("a store");
        let mut games = db.prepare("SELECT id, count, head FROM games ORDER BY key");
        let games = games.as_mut().expect("games");
        let row = |r: &rusqlite::Row<'_>| Ok((r.get(0)?, r.get(1)?, r.get(2)?));
        let games = games.query_map([], row).expect("games");
        let marks = "SELECT count(*), sum(mark % 1000003) FROM log";
        let marks = db.query_row(marks, [], |r| Ok((r.get(0)?, r.get(1)?)));
        let games: Result<_, _> = games.collect();
        (games.expect("games"), marks.expect("a log"))
    };
    let (mirror, store) = (
        of(&hub.dir().join("halls").join(&place.name)),
        of(&place.store()),
    );
    assert!(mirror == store, "{:?}, {:?}", mirror.1, store.1);
}

fn size(dir: &Path) -> u64 {
    let entries = fs::read_dir(dir).expect("a directory").flatten();
    entries
        .map(|entry| entry.metadata().map_or(0, |data| data.len()))
        .sum()
}

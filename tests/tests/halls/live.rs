//! Halls as programs, with boards that are played on: how much later than a hall's own console the
//! hub's shows what happened, and whether a hall is slower for it.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tests::rig::{self, Latencies, Race, listen_at, look_until, measure_with};

use super::hub::{Hub, Place, Way};
use super::nats::number;

over_both! {
    a_hub_that_is_gone_for_a_whole_round_is_noticed_by_no_board
    halls_of_live_boards_are_shown_at_the_hub_within_a_second_and_are_no_slower_for_it
}

const HALLS: [&str; 4] = ["main", "juniors", "seniors", "open"];
/// Until the hub serves a hall that has just begun.
const PATIENCE: Duration = Duration::from_secs(60);

/// What was shown so shortly before its hall ended may not have left it.
const ON_ITS_WAY: Duration = Duration::from_secs(2);

/// When each completed move was shown first, by board and half-move.
type Shown = Arc<Mutex<HashMap<(String, u64), Instant>>>;

/// The round is played three times: by a hall that knows of no hub, by one whose hub is nowhere,
/// and by one that has it. Each ruling takes as long.
fn a_hub_that_is_gone_for_a_whole_round_is_noticed_by_no_board(way: Way) {
    let seconds = number("HALLS_SECONDS", 4);
    let race = Race {
        boards: usize::try_from(number("HALLS_BOARDS", 8)).expect("a few"),
        pace: pace(),
        length: Duration::from_secs(seconds),
        round: true,
        tls: false,
    };
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &["main"]);
    let place = Place::new(&hub, "main");
    let play = |name: &str, section: &str| {
        let dir = dir.path().join(name);
        std::fs::create_dir_all(&dir).expect("a directory");
        let latencies = measure_with(&dir, race, section, |_| {});
        println!("{name}: {latencies}");
        assert_eq!(latencies.missing, 0, "{name}");
        latencies.part(0.99)
    };
    let alone = play("no hub", "");
    let gone = play("its hub is gone", &place.section());
    hub.start();
    let there = play("its hub is there", &place.section());
    // Beside everything else on two cores it is not measured.
    let most = Duration::from_millis(if seconds < 30 { 300 } else { 5 });
    for (name, part) in [("gone", gone), ("there", there)] {
        assert!(part < 2 * alone + most, "{name}: {alone:?}, {part:?}");
    }
    hub.close();
}

/// Each board is simulated, with its line, and moves as hands do.
fn halls_of_live_boards_are_shown_at_the_hub_within_a_second_and_are_no_slower_for_it(way: Way) {
    let boards = usize::try_from(number("HALLS_BOARDS", 5)).expect("a few");
    let seconds = number("HALLS_SECONDS", 5);
    let race = Race {
        boards,
        pace: pace(),
        length: Duration::from_secs(seconds),
        round: false,
        tls: false,
    };
    let dir = tempfile::tempdir().expect("a directory");
    let mut hub = Hub::new(way, dir.path(), &HALLS);
    hub.give_way();
    let places = HALLS.map(|name| Place::new(&hub, name));
    let away = play(&places, race, &dir.path().join("away"), None).0;
    hub.start();
    let there = dir.path().join("there");
    let (there, mut late) = play(&places, race, &there, Some(hub.address()));
    late.sort();
    let part = |n: usize| late[(late.len() * n / 100).min(late.len() - 1)];
    println!(
        "4 halls of {boards} boards: the hub shows {} moves later than their halls by p50 {:?}, \
         p99 {:?}, at most {:?}; hub: {} MB",
        late.len(),
        part(50),
        part(99),
        part(100),
        hub.memory() >> 20
    );
    // Beside everything else on two cores it is not measured.
    let most = if seconds < 30 { 10 } else { 1 };
    assert!(part(99) < Duration::from_secs(most), "{:?}", part(99));
    for ((away, there), name) in away.iter().zip(&there).zip(HALLS) {
        println!("{name}: without the hub {away}\n{name}: with the hub {there}");
        assert_eq!((away.missing, there.missing), (0, 0), "{name}");
        let (away, there) = (away.part(0.99), there.part(0.99));
        assert!(
            there < 2 * away + Duration::from_millis(most * 30),
            "{name}: {away:?}, {there:?}"
        );
    }
    hub.close();
}

/// How fast hands play, of 1 for a half-move of each board in five seconds: what a thousand boards
/// of one machine are to do, beside four halls and a hub, is asked for.
fn pace() -> f32 {
    let asked = std::env::var("HALLS_PACE");
    asked.map_or(8.0, |text| text.parse().expect("a number"))
}

/// Lets all halls play at once. Gives how long their rulings took, and how much later the hub
/// showed each move.
fn play(
    places: &[Place; 4],
    race: Race,
    dir: &Path,
    hub: Option<SocketAddr>,
) -> (Vec<Latencies>, Vec<Duration>) {
    thread::scope(|scope| {
        let halls = places.each_ref().map(|place| {
            let dir = dir.join(&place.name);
            std::fs::create_dir_all(&dir).expect("a directory");
            scope.spawn(move || one(place, race, &dir, hub))
        });
        let (mut all, mut late) = (Vec::new(), Vec::new());
        for hall in halls {
            let (latencies, of_hall) = hall.join().expect("a hall");
            all.push(latencies);
            late.extend(of_hall);
        }
        (all, late)
    })
}

fn one(
    place: &Place,
    race: Race,
    dir: &Path,
    hub: Option<SocketAddr>,
) -> (Latencies, Vec<Duration>) {
    let (in_hall, at_hub) = (Shown::default(), Shown::default());
    let name = place.name.clone();
    let beside = {
        let (in_hall, at_hub) = (in_hall.clone(), at_hub.clone());
        move |hall: rig::Place| {
            // They end with the programs that they listen to. The hall has its console open either
            // way.
            if let Some(hub) = hub {
                let path = format!("/halls/{name}");
                serves(hub, &path, race.boards);
                thread::spawn(move || hear(hub.into(), &format!("{path}/api/live"), &at_hub));
            }
            thread::spawn(move || hear(hall, "/api/live", &in_hall));
        }
    };
    let latencies = measure_with(dir, race, &place.section(), beside);
    let (in_hall, at_hub) = (
        in_hall.lock().expect("moves"),
        at_hub.lock().expect("moves"),
    );
    // What is on its way when the hall ends is there when it is seen again, later.
    let both = in_hall.iter().filter_map(|(which, shown)| {
        let there = at_hub.get(which)?;
        Some(there.saturating_duration_since(*shown))
    });
    let late: Vec<Duration> = both.collect();
    if hub.is_some() {
        // Of what was shown before somebody listened at the hub, nothing is heard there.
        let begun = at_hub.values().min().expect("moves at the hub");
        let end = in_hall.values().max().expect("moves");
        let before = in_hall
            .iter()
            .filter(|(_, shown)| *begun < **shown && **shown + ON_ITS_WAY < *end);
        let (seen, missing): (Vec<_>, Vec<_>) =
            before.partition(|(which, _)| at_hub.contains_key(*which));
        let (seen, missing) = (seen.len(), missing.len());
        assert!(seen > 9 * missing, "{missing} moves and not {seen}");
    }
    (latencies, late)
}

/// Waits until the hub shows all boards of a hall.
fn serves(hub: SocketAddr, path: &str, boards: usize) {
    let seen = look_until(PATIENCE, || {
        let reply = rig::get(hub, &format!("{path}/api/boards")).map_err(|e| e.to_string())?;
        let shown: Value = serde_json::from_str(&reply.body).map_err(|e| e.to_string())?;
        let shown = shown.as_array().map_or(0, Vec::len);
        match shown == boards {
            true => Ok(()),
            false => Err(format!("{shown} boards")),
        }
    });
    seen.unwrap_or_else(|seen| panic!("{path}: {seen}"));
}

/// Notes when each move was shown.
fn hear(place: rig::Place, path: &str, shown: &Shown) {
    listen_at(place, path, |text| {
        let now = Instant::now();
        if text.contains("\"ruling\":\"move\"") && text.contains("\"state\":\"completed\"") {
            let ruling: Value = serde_json::from_str(text).expect("a ruling");
            let board = ruling["board"].as_str().expect("a board").to_owned();
            let ply = ruling["ply"].as_u64().expect("a half-move");
            let mut shown = shown.lock().expect("moves");
            shown.entry((board, ply)).or_insert(now);
        }
    });
}

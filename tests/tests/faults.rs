//! Bad lines, pulled plugs, boards that lose their power, a daemon that was away: games come to
//! their right end, or the record says where it does not know. Nothing wrong is recorded, and
//! nobody is accused.

use std::time::{Duration, Instant};

use arbiter_core::SensorClass;
use board_driver::hand::Style;
use board_driver::sim::{Control, LineNoise};
use serde_json::Value;
use tests::accuracy::Cell;
use tests::evening::{Evening, House, Play, Table};

const CLASSES: [SensorClass; 3] = [
    SensorClass::Piece,
    SensorClass::Colour,
    SensorClass::Occupancy,
];

/// No wait takes longer.
const PATIENCE: Duration = Duration::from_secs(45);

/// Half-moves of the games.
const PLIES: usize = 40;

/// How many times faster than the world the boards' clocks run.
const PACE: f32 = 20.0;

/// One board of each class.
fn plays(pace: f32, line: LineNoise) -> Vec<Play> {
    let play = |(n, sensor)| {
        let cell = Cell {
            sensor,
            style: Style::Human,
            noise: 1,
            clock: true,
        };
        Play {
            plies: PLIES,
            pace,
            line: LineNoise { seed: n, ..line },
            ..Play::new(cell, 10 * n as usize, 500 + n)
        }
    };
    (1..).zip(CLASSES).map(play).collect()
}

/// Games that are not whole.
fn unfinished(evening: &Evening) -> impl Fn(&[Value]) -> Vec<String> + '_ {
    |boards| {
        evening
            .tables
            .iter()
            .zip(boards)
            .filter_map(|(table, board)| table.differs(board))
            .collect()
    }
}

/// Waits for whole games; then no fault is left, and nobody is accused.
fn finish(evening: &Evening, house: House) {
    let boards = house
        .until(PATIENCE, unfinished(evening))
        .unwrap_or_else(|left| panic!("{left}"));
    for (table, board) in evening.tables.iter().zip(&boards) {
        assert_eq!(table.accused(board), None);
        assert_eq!(
            (&board["fault"], &board["connected"]),
            (&Value::Null, &Value::Bool(true)),
            "{}",
            table.id
        );
    }
    house.close();
}

/// Waits until every board has `count` plies in its record.
fn plies(house: &House, count: usize) {
    let short = |boards: &[Value]| -> Vec<String> {
        let is_short = |board: &&Value| board["ply"].as_u64().is_none_or(|ply| ply < count as u64);
        boards
            .iter()
            .filter(is_short)
            .map(|board| format!("{} has {} plies", board["id"], board["ply"]))
            .collect()
    };
    house
        .until(PATIENCE, short)
        .unwrap_or_else(|left| panic!("{left}"));
}

/// Waits until every board shows a fault with `words` in it, or none if there are no words.
fn fault(house: &House, words: &str) {
    let others = |boards: &[Value]| -> Vec<String> {
        let is_so = |board: &&Value| match board["fault"].as_str() {
            Some(fault) => !words.is_empty() && fault.contains(words) && !fault.contains('\n'),
            None => words.is_empty(),
        };
        boards
            .iter()
            .filter(|board| !is_so(board))
            .map(|board| format!("{}: {}", board["id"], board["fault"]))
            .collect()
    };
    house
        .until(PATIENCE, others)
        .unwrap_or_else(|left| panic!("waiting for `{words}`: {left}"));
}

fn order(evening: &Evening, control: Control) {
    evening.tables.iter().for_each(|table| table.order(control));
}

#[test]
fn damaged_cut_and_lost_frames_cost_nothing() {
    let noise = LineNoise {
        seed: 0,
        drop: 0.04,
        corrupt: 0.08,
        cut: 0.04,
    };
    let evening = Evening::begin(plays(PACE, noise));
    let house = evening.serve();
    finish(&evening, house);
}

#[test]
fn a_line_that_carries_garbage_for_a_while_is_a_fault_that_passes() {
    let evening = Evening::begin(plays(PACE, LineNoise::default()));
    let house = evening.serve();
    plies(&house, 6);
    order(
        &evening,
        Control::Noise(LineNoise {
            seed: 7,
            drop: 0.0,
            corrupt: 1.0,
            cut: 0.0,
        }),
    );
    let faulty = |boards: &[Value]| -> Vec<String> {
        let well = boards.iter().filter(|board| board["fault"].is_null());
        well.map(|board| format!("{} shows no fault", board["id"]))
            .collect()
    };
    house
        .until(PATIENCE, faulty)
        .unwrap_or_else(|left| panic!("{left}"));
    order(&evening, Control::Noise(LineNoise::default()));
    fault(&house, "");
    finish(&evening, house);
}

#[test]
fn plugs_that_are_pulled_and_put_in_again_cost_nothing() {
    let evening = Evening::begin(plays(PACE, LineNoise::all(0, 0.01)));
    let house = evening.serve();
    for count in [4, 14] {
        plies(&house, count);
        order(&evening, Control::Unplug);
        fault(&house, "plug");
        // Play goes on meanwhile.
        std::thread::sleep(Duration::from_millis(700));
        order(&evening, Control::Replug);
        fault(&house, "");
    }
    finish(&evening, house);
}

/// Waits until the games are over, whole or not.
fn after_a_gap(evening: &Evening, house: House, pace: f32) {
    let last = evening
        .tables
        .iter()
        .filter_map(|table| table.played.acts.last())
        .map(|act| act.at.0)
        .max();
    let length = Duration::from_secs_f32(last.unwrap_or(0) as f32 / pace / 1_000.0);
    // A game that is whole is over; one that is not gets the time it takes, and some for every
    // silence to speak.
    let _whole_or_not = house.until(length + Duration::from_secs(2), unfinished(evening));
    let boards = house.boards();
    let complaints: Vec<String> = evening
        .tables
        .iter()
        .zip(&boards)
        .filter_map(|(table, board)| table.dishonest(board))
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(
        boards
            .iter()
            .all(|board| board["fault"].is_null() && board["connected"] == true)
    );
    house.close();
}

#[test]
fn boards_that_lose_their_power_for_a_moment_go_on() {
    // What is on the line in that moment is lost: on a fast board that would be much.
    let pace = 4.0;
    let mut plays = plays(pace, LineNoise::default());
    plays.iter_mut().for_each(|play| play.plies = 12);
    let evening = Evening::begin(plays);
    let house = evening.serve();
    for count in [2, 5, 9] {
        plies(&house, count);
        order(&evening, Control::Reboot);
    }
    after_a_gap(&evening, house, pace);
}

#[test]
fn evidence_lost_with_the_power_is_never_made_up() {
    let evening = Evening::begin(plays(PACE, LineNoise::default()));
    let house = evening.serve();
    plies(&house, 10);
    order(&evening, Control::Unplug);
    fault(&house, "plug");
    std::thread::sleep(Duration::from_millis(600));
    order(&evening, Control::Reboot);
    order(&evening, Control::Replug);
    fault(&house, "");
    after_a_gap(&evening, house, PACE);
}

#[test]
fn evidence_lost_while_the_daemon_was_away_is_never_made_up() {
    let evening = Evening::begin(plays(PACE, LineNoise::default()));
    let house = evening.serve();
    plies(&house, 10);
    house.close();
    std::thread::sleep(Duration::from_millis(600));
    order(&evening, Control::Reboot);
    let house = evening.serve();
    fault(&house, "");
    after_a_gap(&evening, house, PACE);
}

#[test]
fn a_daemon_that_was_away_hears_what_it_missed() {
    let evening = Evening::begin(plays(PACE, LineNoise::all(0, 0.01)));
    let house = evening.serve();
    plies(&house, 8);
    house.close();
    std::thread::sleep(Duration::from_secs(1));
    let house = evening.serve();
    finish(&evening, house);
}

#[test]
fn a_port_that_is_not_there_yet_is_a_fault_in_words() {
    let evening = Evening::begin(plays(PACE, LineNoise::default()));
    order(&evening, Control::Unplug);
    let gone = |table: &Table| std::fs::symlink_metadata(&table.port).is_err();
    let end = Instant::now() + PATIENCE;
    while !evening.tables.iter().all(gone) {
        assert!(Instant::now() < end, "the ports stay");
        std::thread::sleep(Duration::from_millis(20));
    }
    let house = evening.serve();
    fault(&house, "no such port");
    order(&evening, Control::Replug);
    finish(&evening, house);
}

#[test]
fn one_port_is_one_board() {
    let cell = Cell {
        sensor: SensorClass::Piece,
        style: Style::Tidy,
        noise: 0,
        clock: true,
    };
    let evening = Evening::begin(vec![Play {
        plies: PLIES,
        ..Play::new(cell, 3, 3)
    }]);
    let table = &evening.tables[0];
    let alias = evening.path("alias");
    std::os::unix::fs::symlink(std::fs::canonicalize(&table.port).expect("a port"), &alias)
        .expect("a link");
    let configuration = |second: &std::path::Path| {
        format!(
            "[http]\nlisten = \"127.0.0.1:0\"\n[store]\ndir = \"{}\"\n\
             [[board]]\nid = \"a\"\nport = \"{}\"\n[[board]]\nid = \"b\"\nport = \"{}\"\n",
            evening.store().display(),
            table.port.display(),
            second.display()
        )
    };
    // Under one name it is an error of the configuration.
    let file = evening.path("twice.toml");
    std::fs::write(&file, configuration(&table.port)).expect("a file");
    let check = std::process::Command::new(tests::rig::Arbiterd::program())
        .arg("check-config")
        .arg(&file)
        .output();
    let check = check.expect("arbiterd runs");
    let said = String::from_utf8_lossy(&check.stderr) + String::from_utf8_lossy(&check.stdout);
    assert!(
        check.status.code() == Some(2)
            && said.contains("twice.toml:10")
            && said.contains("already used"),
        "{said}"
    );
    // Under two names one of them gets it, and the other says why not.
    let house = House::open(&file, &configuration(&alias));
    let unsettled = |boards: &[Value]| {
        let busy = boards.iter().filter(|b| {
            b["fault"]
                .as_str()
                .is_some_and(|f| f.contains("in use by another program"))
        });
        let whole = boards
            .iter()
            .filter(|board| table.differs(board).is_none() && board["fault"].is_null());
        let settled = busy.count() == 1 && whole.count() == 1;
        (!settled).then(|| {
            boards
                .iter()
                .map(|b| format!("{}: {} {}\n", b["id"], b["fault"], b["ply"]))
                .collect::<String>()
        })
    };
    house
        .until(PATIENCE, unsettled)
        .unwrap_or_else(|left| panic!("{left}"));
    house.close();
}

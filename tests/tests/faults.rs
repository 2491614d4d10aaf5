//! Bad lines, pulled plugs, boards that lose their power, a daemon that was away: games come to
//! their right end, or the record says where it does not know. Nothing wrong is recorded, and
//! nobody is accused.

use std::path::Path;
use std::time::Duration;

use arbiter_core::SensorClass;
use board_driver::hand::Style;
use board_driver::sim::{Control, LineNoise};
use serde_json::Value;
use tests::accuracy::Cell;
use tests::evening::{Evening, House, Play, Table};
use tests::rig::{configuration, section, until};

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

/// So much happens on a board in some two moves.
const MEANWHILE: usize = 6;

/// When nothing more happens, the arbiter has said everything after this time.
const SILENCE: Duration = Duration::from_secs(2);

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

/// Waits for whole games; then no fault is left, and nobody is accused.
fn finish(evening: &Evening, house: House) {
    let boards = evening.finish(&house, PATIENCE);
    for (table, board) in evening.tables.iter().zip(&boards) {
        table.assert_blameless(board);
    }
    house.close();
}

/// Waits until every board has `count` plies in its record.
fn plies(evening: &Evening, house: &House, count: u64) {
    let short = |_: &Table, board: &Value| {
        let is_short = board["ply"].as_u64().is_none_or(|ply| ply < count);
        is_short.then(|| format!("{} has {} plies", board["id"], board["ply"]))
    };
    house.until(PATIENCE, evening.all(short));
}

/// Waits until every board shows a fault with `words` in it, or none if there are no words.
fn fault(evening: &Evening, house: &House, words: &str) {
    let other = |_: &Table, board: &Value| {
        let is_so = match board["fault"].as_str() {
            Some(fault) => !words.is_empty() && fault.contains(words) && !fault.contains('\n'),
            None => words.is_empty(),
        };
        let (id, fault) = (&board["id"], &board["fault"]);
        (!is_so).then(|| format!("{id}: {fault} and not `{words}`"))
    };
    house.until(PATIENCE, evening.all(other));
}

#[test]
fn damaged_cut_and_lost_frames_cost_nothing() {
    let noise = LineNoise {
        seed: 0,
        drop: 0.04,
        corrupt: 0.08,
        cut: 0.04,
        ..LineNoise::default()
    };
    let evening = Evening::begin(plays(PACE, noise));
    let house = evening.serve();
    finish(&evening, house);
}

#[test]
fn a_line_that_pauses_and_loses_nothing_costs_nothing() {
    let noise = LineNoise {
        pause: 0.03,
        ..LineNoise::default()
    };
    let mut plays = plays(PACE, noise);
    let clockless = plays.clone().into_iter().map(|mut play| {
        play.cell.clock = false;
        play
    });
    let clockless: Vec<Play> = clockless.collect();
    plays.extend(clockless);
    let evening = Evening::begin(plays);
    let house = evening.serve();
    finish(&evening, house);
}

#[test]
fn a_line_that_carries_garbage_for_a_while_is_a_fault_that_passes() {
    let evening = Evening::begin(plays(PACE, LineNoise::default()));
    let house = evening.serve();
    plies(&evening, &house, 6);
    evening.order(Control::Noise(LineNoise {
        seed: 7,
        drop: 0.0,
        corrupt: 1.0,
        cut: 0.0,
        ..LineNoise::default()
    }));
    let well = |table: &Table, board: &Value| {
        let is_well = board["fault"].is_null();
        is_well.then(|| format!("{} shows no fault", table.id))
    };
    house.until(PATIENCE, evening.all(well));
    evening.order(Control::Noise(LineNoise::default()));
    fault(&evening, &house, "");
    finish(&evening, house);
}

#[test]
fn plugs_that_are_pulled_and_put_in_again_cost_nothing() {
    let evening = Evening::begin(plays(PACE, LineNoise::all(0, 0.01)));
    let house = evening.serve();
    for count in [4, 14] {
        plies(&evening, &house, count);
        evening.order(Control::Unplug);
        fault(&evening, &house, "plug");
        evening.play_on(MEANWHILE, PATIENCE);
        evening.order(Control::Replug);
        fault(&evening, &house, "");
    }
    finish(&evening, house);
}

/// Waits until the games are over, whole or not; then every record is honest.
fn after_a_gap(evening: &Evening, house: House) {
    evening.play_to_the_end(PATIENCE);
    let _whole_or_not = house.try_until(SILENCE, evening.unfinished());
    let boards = house.until(PATIENCE, evening.all(Table::ails));
    for (table, board) in evening.tables.iter().zip(&boards) {
        assert_eq!(table.dishonest(board), None);
    }
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
        plies(&evening, &house, count);
        evening.order(Control::Reboot);
    }
    after_a_gap(&evening, house);
}

#[test]
fn evidence_lost_with_the_power_is_never_made_up() {
    let evening = Evening::begin(plays(PACE, LineNoise::default()));
    let house = evening.serve();
    plies(&evening, &house, 10);
    evening.order(Control::Unplug);
    fault(&evening, &house, "plug");
    evening.play_on(MEANWHILE, PATIENCE);
    evening.order(Control::Reboot);
    evening.order(Control::Replug);
    fault(&evening, &house, "");
    after_a_gap(&evening, house);
}

#[test]
fn evidence_lost_while_the_daemon_was_away_is_never_made_up() {
    let evening = Evening::begin(plays(PACE, LineNoise::default()));
    let house = evening.serve();
    plies(&evening, &house, 10);
    house.close();
    evening.play_on(MEANWHILE, PATIENCE);
    evening.order(Control::Reboot);
    let house = evening.serve();
    fault(&evening, &house, "");
    after_a_gap(&evening, house);
}

#[test]
fn a_daemon_that_was_away_hears_what_it_missed() {
    let evening = Evening::begin(plays(PACE, LineNoise::all(0, 0.01)));
    let house = evening.serve();
    plies(&evening, &house, 8);
    house.close();
    evening.play_on(MEANWHILE, PATIENCE);
    let house = evening.serve();
    finish(&evening, house);
}

#[test]
fn a_port_that_is_not_there_yet_is_a_fault_in_words() {
    let evening = Evening::begin(plays(PACE, LineNoise::default()));
    evening.order(Control::Unplug);
    let gone = |table: &Table| std::fs::symlink_metadata(&table.port).is_err();
    until("the ports to vanish", PATIENCE, || {
        evening.tables.iter().all(gone)
    });
    let house = evening.serve();
    fault(&evening, &house, "no such port");
    evening.order(Control::Replug);
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
    let both = |second: &Path| {
        let sections = [("a", &*table.port), ("b", second)].map(|(id, port)| section(id, port, ""));
        configuration(&evening.store(), sections)
    };
    // Under one name it is an error of the configuration.
    let file = evening.path("twice.toml");
    std::fs::write(&file, both(&table.port)).expect("a file");
    let check = std::process::Command::new(tests::rig::Arbiterd::program())
        .arg("check-config")
        .arg(&file)
        .output();
    let check = check.expect("arbiterd runs");
    let said = String::from_utf8_lossy(&check.stderr) + String::from_utf8_lossy(&check.stdout);
    assert!(
        check.status.code() == Some(2)
            && said.contains("twice.toml:13")
            && said.contains("already used"),
        "{said}"
    );
    // Under two names one of them gets it, and the other says why not.
    let house = House::open(&file, &both(&alias));
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
    house.until(PATIENCE, unsettled);
    house.close();
}

//! What somebody tries at a board while the doctor looks on.

use arbiter_core::shakmaty::{Color, Square};
use arbiter_core::{Reading, Time};
use board_driver::{BoardEvent, Condition, Report, SimConfig, Trouble, TroubleCode};

use crate::bench::{Bench, wrong};
use crate::child::ended;
use crate::script::{adjust, press, walk};
use crate::terminal::Terminal;

#[test]
fn the_walk_and_the_controls_end_by_themselves_when_all_was_tried() {
    let mut script = walk(Square::ALL, 600);
    script.extend([press(40_000, Color::White), press(40_100, Color::Black)]);
    script.extend([adjust(40_200, Color::White), adjust(40_300, Color::Black)]);
    let fast = |config: &mut SimConfig| (config.squares, config.pace) = (Reading::EMPTY, 20.0);
    let bench = Bench::new(fast, script.clone());
    let (summary, status) =
        bench.examine(&["--walk", "--controls", "--for", "60", "--board", "native"]);
    assert_eq!((status, wrong(&summary)), (0, vec![]), "{summary}");
    assert_eq!(summary["not_walked"], serde_json::json!([]));
    // With a hole in it, and nobody at the black button.
    script.retain(
        |event| !matches!(&event.report, Report::Changes(changes) if changes[0].0 == Square::C6),
    );
    script.pop();
    let (summary, status) = Bench::new(fast, script).examine(&[
        "--walk",
        "--controls",
        "--for",
        "8",
        "--board",
        "native",
    ]);
    let expected = [
        "c6 never seen both full and empty",
        "Black never pressed the adjust button",
    ];
    assert_eq!(
        (status, wrong(&summary)),
        (1, expected.to_vec()),
        "{summary}"
    );
}

#[test]
fn the_lamps_are_lit_and_put_out() {
    let bench = Bench::new(|_| {}, vec![]);
    let (summary, status) = bench.examine(&["--lamps", "--for", "60", "--board", "native"]);
    assert_eq!((status, wrong(&summary)), (0, vec![]), "{summary}");
    assert_eq!(bench.switch_off().lamps, 0, "all of them were put out");
    let bench = Bench::new(|_| {}, vec![]);
    let mut terminal = Terminal::new(bench.doctor(&["--lamps", "--board", "native"]), 30, 90);
    // What is shown is on its way to the board; what was shown before it has arrived.
    terminal.shows(&["rank 2 is lit"]);
    assert_ne!(
        bench.switch_off().lamps,
        0,
        "some of them are lit in the course of it"
    );
    terminal.press("q");
    terminal.shows(&["wrong   the lamps were not all lit"]);
    assert_eq!(ended(terminal.child), 1);
    let (summary, status) = Bench::new(|config| config.lamps = false, vec![])
        .examine(&["--lamps", "--for", "3", "--board", "native"]);
    assert_eq!(
        (status, wrong(&summary)),
        (1, vec!["the board has no lamps"])
    );
}

#[test]
fn analogue_sensors_are_calibrated_on_an_empty_board_only() {
    let analogue = |config: &mut SimConfig| config.levels = true;
    let (summary, status) =
        Bench::new(analogue, vec![]).examine(&["--calibrate", "--for", "4", "--board", "native"]);
    assert_eq!(status, 1);
    assert!(
        wrong(&summary)[0]
            .starts_with("not calibrated: rank 1, rank 2, rank 7 and rank 8 read occupied"),
        "{summary}"
    );
    let levels = summary["levels"].as_array().expect("levels");
    assert_eq!(
        (levels.len(), &levels[0]["square"], &levels[0]["zero"]),
        (64, &"a1".into(), &2048.into())
    );
    assert!(
        levels[0]["now"].as_i64() > levels[0]["on"].as_i64(),
        "{summary}"
    );

    let empty = |config: &mut SimConfig| (config.levels, config.squares) = (true, Reading::EMPTY);
    let trouble = Trouble::new(TroubleCode::NOT_CALIBRATED, 0);
    let uncalibrated = BoardEvent {
        at: Time(10),
        report: Report::Condition(Condition {
            trouble,
            ..Condition::default()
        }),
    };
    let mut levels = board_driver::RankLevels {
        rank: 2,
        on: 200,
        off: 120,
        ..Default::default()
    };
    levels.squares = [board_driver::Level {
        zero: 2048,
        now: 180,
        noise: 6,
    }; 8];
    let off_zero = BoardEvent {
        at: Time(11),
        report: Report::Levels(levels),
    };
    let bench = Bench::new(empty, vec![uncalibrated, off_zero]);
    let (summary, status) = bench.examine(&["--for", "4", "--board", "native"]);
    assert_eq!(status, 1, "{summary}");
    let wrong_before = wrong(&summary).join("; ");
    assert!(
        wrong_before.contains("zero levels of the sensors are not known"),
        "{summary}"
    );
    assert!(
        wrong_before.contains("rank 3 read neither a piece nor an empty square"),
        "{summary}"
    );
    let (summary, status) = bench.examine(&["--calibrate", "--for", "60", "--board", "native"]);
    assert_eq!((status, wrong(&summary)), (0, vec![]), "{summary}");
    assert!(
        summary["levels"]
            .as_array()
            .is_some_and(|levels| levels.iter().all(|level| level["now"] == 0))
    );
}

//! What is wrong with a board.

use arbiter_core::shakmaty::{Bitboard, Board, Color, Rank, Square};
use arbiter_core::{SensorClass, Time};
use board_driver::noise::Defects;
use board_driver::{BoardEvent, Condition, Report, Trouble, TroubleCode};

use crate::bench::{Bench, wrong};
use crate::script::{change, press};

#[test]
fn a_healthy_board_is_healthy() {
    let script = vec![
        change(100, Square::E2, '.'),
        change(300, Square::E4, '?'),
        press(500, Color::White),
    ];
    let bench = Bench::new(|_| {}, script);
    let (summary, status) = bench.examine(&["--for", "3"]);
    assert_eq!((status, wrong(&summary)), (0, vec![]), "{summary}");
    assert_eq!(summary["board"]["kind"], "native");
    assert_eq!(summary["board"]["serial"], "T-1");
    assert_eq!(
        (&summary["changes"], &summary["presses"]["white"]),
        (&2.into(), &1.into())
    );
    assert_eq!(summary["squares"]["e2"]["changes"], 1);
    assert!(
        summary["bytes"].as_u64() > Some(100) && summary["signs_of_life"].as_u64() > Some(0),
        "{summary}"
    );
    assert_eq!(
        (&summary["lost"], &summary["damaged"]),
        (&0.into(), &0.into())
    );
}

#[test]
fn bad_sensors_are_named() {
    let stuck = Bitboard::from(Rank::Fifth) | Rank::Sixth;
    let trouble = Trouble::new(TroubleCode::NO_ANSWER, 0x22);
    let condition = Condition {
        stuck,
        unsteady: Square::E2.into(),
        failed_scans: 3,
        trouble,
    };
    let bench = Bench::new(
        |_| {},
        vec![BoardEvent {
            at: Time(10),
            report: Report::Condition(condition),
        }],
    );
    let (summary, status) = bench.examine(&["--for", "4", "--board", "native"]);
    let wrong = wrong(&summary);
    assert_eq!(status, 1);
    for words in [
        "rank 5 and rank 6 cannot be read",
        "e2 flickers",
        "0x22 does not answer",
    ] {
        assert!(
            wrong.iter().any(|text| text.contains(words)),
            "{words}: {wrong:?}"
        );
    }
    assert_eq!(
        (
            summary["stuck"].as_array().map(Vec::len),
            &summary["unsteady"][0]
        ),
        (Some(16), &"e2".into())
    );
}

#[test]
fn a_square_that_flickers_is_seen_though_the_board_says_nothing() {
    let class = SensorClass::Occupancy;
    let start = class.reads(&Board::new());
    let defects = Defects {
        stuck: Bitboard::EMPTY,
        flicker: Square::D5.into(),
        told: false,
    };
    let script = defects.spoil(
        class,
        &start,
        vec![change(0, Square::E2, '.'), change(2_000, Square::E4, '?')],
    );
    let (summary, status) =
        Bench::new(|_| {}, script).examine(&["--for", "3", "--board", "native"]);
    assert_eq!(
        (status, &summary["chattered"]),
        (1, &serde_json::json!(["d5"])),
        "{summary}"
    );
    assert!(
        wrong(&summary)[0].starts_with("d5 changed up to"),
        "{summary}"
    );
}

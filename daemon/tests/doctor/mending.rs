//! A board whose lines were exchanged when it was wired, and one that tries its own parts.

use arbiter_core::Reading;
use arbiter_core::shakmaty::Square;
use board_driver::sim::Fittings;
use board_driver::{BoardEvent, Part, SimConfig, SquareMap, Tested, Verdict};

use crate::bench::{Bench, wrong};
use crate::script::walk;

/// The lines of a1 and b1 exchanged, and the h-file upside down.
fn exchanged() -> SquareMap {
    let mut squares = *SquareMap::IDENTITY.squares();
    squares.swap(0, 1);
    for rank in 0..4 {
        squares.swap(8 * rank + 7, 8 * (7 - rank) + 7);
    }
    SquareMap::new(squares).expect("a map")
}

/// Board milliseconds until somebody who looks at the board knows it: two seconds of the world.
const LOOKS: u64 = 40_000;

/// What happens, so much later.
fn later(mut script: Vec<BoardEvent>, ms: u64) -> Vec<BoardEvent> {
    script.iter_mut().for_each(|event| event.at.0 += ms);
    script
}

fn empty_with(fittings: Fittings) -> impl FnOnce(&mut SimConfig) {
    move |config| {
        (config.squares, config.pace) = (Reading::EMPTY, 20.0);
        config.bench = Some(fittings);
    }
}

#[test]
fn lines_that_were_exchanged_are_mended_by_touching_every_square() {
    let fittings = Fittings {
        wiring: exchanged(),
        ..Fittings::default()
    };
    let mut script = later(walk(Square::ALL, 600), LOOKS);
    // When it is mended, and looked at again.
    let again = walk([Square::A1, Square::H1, Square::B1], 600);
    script.extend(later(again, 4 * LOOKS));
    let bench = Bench::new(empty_with(fittings), script);
    let output = bench
        .doctor(&["--mend", "--for", "60", "--board", "native", "--plain"])
        .output()
        .expect("it runs");
    let lines = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{lines}");
    for words in [
        "put one piece on a1 and lift it (1 of 64)",
        "put one piece on h8 and lift it (64 of 64)",
        "mended: 10 lines read another square",
        "healthy",
    ] {
        assert!(lines.contains(words), "{words}: {lines}");
    }
    let (child, after) = bench.begin(&["--board", "native", "--plain"]);
    after.wait_for("changes     a1:?");
    after.wait_for("changes     h1:?");
    after.wait_for("changes     b1:?");
    crate::child::signal(&child, nix::sys::signal::Signal::SIGINT);
    crate::child::ended(child);
}

#[test]
fn a_board_whose_lines_are_right_is_left_as_it_is() {
    let script = later(walk(Square::ALL, 600), LOOKS);
    let bench = Bench::new(empty_with(Fittings::default()), script);
    let (child, lines) = bench.begin(&["--mend", "--for", "60", "--board", "native", "--json"]);
    lines.wait_for("every line reads its own square");
    lines.wait_for("\"healthy\":true");
    assert_eq!(crate::child::ended(child), 0);
}

#[test]
fn a_board_without_a_map_or_with_pieces_on_it_cannot_be_mended() {
    let (summary, status) =
        Bench::new(|_| {}, vec![]).examine(&["--mend", "--for", "2", "--board", "native"]);
    let words = "the board has no map of its squares: lines that were exchanged have to be \
                 soldered anew";
    assert_eq!((status, wrong(&summary)), (1, vec![words]), "{summary}");
    let full = |config: &mut SimConfig| config.bench = Some(Fittings::default());
    let (summary, status) =
        Bench::new(full, vec![]).examine(&["--mend", "--for", "2", "--board", "native"]);
    assert_eq!(status, 1);
    assert!(
        wrong(&summary)[0].ends_with("read occupied; take all pieces off"),
        "{summary}"
    );
}

#[test]
fn what_a_board_found_out_about_its_parts_is_told() {
    let tested = vec![
        Tested::new(Part::SUPPLY, Verdict::PASSED, [4_990, 0]),
        Tested::new(Part::LINES, Verdict::FAILED, [1 << 3, 0]),
        Tested::new(Part::LEVER, Verdict::UNTRIED, [0, 0]),
    ];
    let found = |config: &mut SimConfig| {
        config.bench = Some(Fittings {
            tested,
            ..Fittings::default()
        });
    };
    let bench = Bench::new(found, vec![]);
    let (summary, status) = bench.examine(&["--self-test", "--for", "30", "--board", "native"]);
    assert_eq!(
        (status, wrong(&summary)),
        (
            1,
            vec!["lines of the matrix: the line of rank 4 cannot be set"]
        ),
        "{summary}"
    );
    let parts = summary["self_test"].as_array().expect("parts");
    assert_eq!(parts.len(), 3);
    assert_eq!(
        parts[0],
        serde_json::json!({
            "part": "supply", "verdict": "passed", "found": [4990, 0], "text": "4.99 V",
        })
    );
    let output = bench
        .doctor(&["--self-test", "--for", "30", "--board", "native", "--plain"])
        .output()
        .expect("it runs");
    let lines = String::from_utf8_lossy(&output.stdout);
    assert!(
        lines.contains("tested      supply passed: 4.99 V"),
        "{lines}"
    );
    assert!(
        lines.contains("notice  lever: neither end is down"),
        "{lines}"
    );

    let (summary, status) =
        Bench::new(|_| {}, vec![]).examine(&["--self-test", "--for", "2", "--board", "native"]);
    let words = "the board cannot try its own parts";
    assert_eq!((status, wrong(&summary)), (1, vec![words]));
}

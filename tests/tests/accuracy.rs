//! The bench `accuracy` in small: games of each class of sensors as they were, as many with a
//! breach in each, as many played on from an illegal move. What has been reached must not be lost.

use tests::accuracy::bench::{Row, play};
use tests::accuracy::cases::Kind;
use tests::accuracy::options::Options;
use tests::accuracy::progress::Progress;
use tests::accuracy::source::Source;
use tests::accuracy::{reached, report};
use tests::form;

/// Games a class of each kind; the long form has all 500.
fn games() -> usize {
    500 / form::every(4)
}

fn rows() -> Vec<Row> {
    let options = Options::default();
    let tasks = reached::quick(&options, games()).expect("cases");
    play(&Source::carried(), &tasks, &options, &Progress::new(1))
}

#[test]
fn goals_that_were_met_are_met() {
    let rows = rows();
    let missed: Vec<String> = rows.iter().flat_map(reached::missed).collect();
    let shown: Vec<String> = rows
        .iter()
        .flat_map(|row| report::failures(row, 3))
        .collect();
    assert!(
        missed.is_empty(),
        "{}\n\n{}",
        missed.join("\n"),
        shown.join("\n")
    );
    let played = rows.iter().filter(|row| row.case.kind == Kind::Play);
    let played: u64 = played.map(|row| row.tally.games).sum();
    let injected: u64 = rows.iter().map(|row| row.tally.told().injected).sum();
    let games = games() as u64;
    assert_eq!(played, 3 * games);
    assert!(injected > 3 * games * 4 / 5);
}

//! The short form of the bench `accuracy`: 500 games of each class of sensors as they were, 500
//! with a breach in each, 500 played on from an illegal move. What has been reached must not be
//! lost.

use tests::accuracy::bench::{Row, play};
use tests::accuracy::cases::Kind;
use tests::accuracy::options::Options;
use tests::accuracy::progress::Progress;
use tests::accuracy::source::Source;
use tests::accuracy::{reached, report};

fn rows() -> Vec<Row> {
    let options = Options::default();
    let tasks = reached::quick(&options).expect("cases");
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
    let games: u64 = rows
        .iter()
        .filter(|row| row.case.kind == Kind::Play)
        .map(|row| row.tally.games)
        .sum();
    assert_eq!(games, 3 * 500);
    assert!(
        rows.iter()
            .map(|row| row.tally.told().injected)
            .sum::<u64>()
            > 3 * 400
    );
}

//! A ruling reaches the console soon after the press, on whatever machine runs the tests.
//! `benches/latency.rs` measures.

use std::time::Duration;

use tests::rig::{Race, measure};

#[test]
fn a_ruling_is_at_the_client_at_once() {
    let dir = tempfile::tempdir().expect("a directory");
    let measured = measure(
        dir.path(),
        Race {
            boards: 8,
            pace: 10.0,
            length: Duration::from_secs(8),
            round: true,
        },
    );
    println!("{measured}");
    assert!(
        measured.sorted.len() >= 40,
        "too little was played: {measured}"
    );
    assert_eq!(measured.missing, 0, "{measured}");
    assert!(
        measured.part(0.99) < Duration::from_millis(200),
        "{measured}"
    );
}

//! A hall of a thousand boards.

use serde_json::json;

use super::super::since;
use super::super::state::Kept;
use super::{Case, Row, case, finding};

/// What is looked at is what has changed, however many boards there are.
#[test]
fn a_thousand_boards_that_do_not_change_cost_nothing() {
    let mut kept = Kept::default();
    let game = |n: usize, ply: u32| Case {
        board: format!("b{n}"),
        game: format!("g{n}"),
        ..case(vec![finding(1, ply, "likely")])
    };
    for n in 0..1000 {
        kept.take(format!("g{n}"), game(n, 9));
    }
    assert_eq!(kept.settle(&Row, 0).0.len(), 1000);
    // Something else may run beside it for a while.
    let mut each = std::time::Duration::MAX;
    for batch in 0..10 {
        let begun = std::time::Instant::now();
        for round in 20 * batch..20 * (batch + 1) {
            let (key, case) = (format!("g{round}"), game(round, 11));
            kept.leave(&case.board, &key);
            kept.take(key, case);
            assert_eq!(kept.settle(&Row, 1).0.len(), 2, "one goes, another comes");
        }
        each = each.min(begun.elapsed() / 20);
    }
    assert!(
        each.as_micros() < 5_000,
        "{each:?} for one board of a thousand"
    );
}

/// Moves are played while something waits: what was told of it is not told again.
#[test]
fn what_is_as_it_was_told_is_not_told_again() {
    let mut kept = Kept::default();
    let (key, found) = ("g1".to_owned(), case(vec![finding(1, 9, "likely")]));
    kept.take(key.clone(), found.clone());
    assert_eq!(kept.settle(&Row, 0).0.len(), 1);
    let played = Case {
        plies: found.plies + 1,
        clocks: [Some(1_000), None],
        ..found
    };
    kept.take(key, played);
    assert_eq!(kept.settle(&Row, 1).0, []);
}

/// Of what changes only that is told.
#[test]
fn only_what_is_another_is_told_of_what_was_told_before() {
    let (was, is) = (
        json!({ "id": "g1.9", "state": "new", "findings": [1, 2], "going": null }),
        json!({ "id": "g1.9", "state": "going", "findings": [1, 2], "going": { "who": "Ada" } }),
    );
    let changed = json!({ "id": "g1.9", "state": "going", "going": { "who": "Ada" } });
    assert_eq!(since(&is, &was), json!({ "changed": changed }));
}

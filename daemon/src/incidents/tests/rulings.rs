use serde_json::{Value, json};

use super::super::case::{Case, Found};
use super::{case, finding, with};

fn upheld(id: u32, at: u64, by: &str) -> Value {
    let upheld = with(finding(id, id, "certain"), "status", json!("upheld"));
    with(with(upheld, "at", json!(at)), "by", json!(by))
}

fn report(at: u64, by: &str, order: &str) -> Value {
    json!({
        "event": "arbiter", "action": "report", "at": at, "code": "illegal-move", "by": by,
        "order": order, "author": order,
    })
}

fn uphold(at: u64, id: u32, order: &str) -> Value {
    json!({
        "event": "arbiter", "action": "uphold", "at": at, "id": id, "order": order,
        "author": order,
    })
}

fn orders(game: &Case) -> Vec<String> {
    let found = game.findings.iter().filter_map(Found::of);
    let ruled = found.map(|found| game.ruled_by(&found).unwrap_or_default().0);
    ruled.collect()
}

/// Two illegal moves of one game: one was reported, the other found and upheld.
#[test]
fn a_ruling_is_that_on_its_own_finding() {
    let game = Case {
        orders: vec![report(1000, "white", "Ada"), uphold(3000, 2, "Ben")],
        ..case(vec![upheld(1, 1000, "white"), upheld(2, 2900, "black")])
    };
    assert_eq!(orders(&game), ["Ada", "Ben"]);
    // The other way round.
    let game = Case {
        orders: vec![uphold(1100, 1, "Ben"), report(3000, "white", "Ada")],
        ..case(vec![upheld(1, 1000, "white"), upheld(2, 3000, "white")])
    };
    assert_eq!(orders(&game), ["Ben", "Ada"]);
}

/// A report upholds what waits of its turn, or makes a finding of its own.
#[test]
fn a_report_is_that_of_one_finding() {
    let game = Case {
        orders: vec![report(2000, "white", "Ada"), report(3000, "white", "Ben")],
        ..case(vec![upheld(1, 2900, "white"), upheld(2, 2000, "white")])
    };
    assert_eq!(orders(&game), ["Ben", "Ada"]);
    // Of the other side it is none, and none of what came later.
    let game = Case {
        orders: vec![report(2000, "black", "Ada"), report(2500, "white", "Ben")],
        ..case(vec![upheld(1, 1000, "white"), upheld(2, 2600, "white")])
    };
    assert_eq!(orders(&game), ["Ben", ""]);
}

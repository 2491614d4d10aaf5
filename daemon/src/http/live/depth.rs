//! How much of a board is told.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// How much of a board is told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(in crate::http) enum Depth {
    /// What waits for somebody, and who plays.
    Needs,
    /// The position, the clocks and the last move (`last`) besides.
    Card,
    /// Everything.
    Whole,
}

/// The moves once more: the plies have them.
const TWICE: &str = "moves";
/// What changes with every move and is not on a card.
const NOT_ON_CARDS: [&str; 5] = ["plies", "plies_from", "obligation", "orders", "ordered"];
/// Is told while a position is to be put back: how much is left to do.
const PUT_BACK: &str = "differs";
/// Is on a card while the pieces are set up, not in play.
const IN_PLAY: &str = "reading";
/// What is on a card and changes with every move.
const OF_MOVES: [&str; 11] = [
    "clock_at",
    "fen",
    "turn",
    "running",
    "white_ms",
    "black_ms",
    "clock_told",
    "clock_stands",
    "ply",
    "last",
    "reading",
];
/// What a card says of the last half-move.
const OF_LAST: [&str; 2] = ["uci", "san"];
/// What a card does not say of a finding.
const NOT_OF_FINDINGS: [&str; 4] = ["evidence", "text", "required", "squares"];
/// How a game stands in which nobody is needed: a hand is at the board, or none is.
const IN_ORDER: [&str; 4] = ["rest", "in-hand", "placed", "made"];
/// Whether a field is told at all.
pub(super) fn is_told(name: &str, depth: Depth) -> bool {
    match depth {
        _ if name == TWICE => false,
        Depth::Whole => name != "last",
        Depth::Card => !NOT_ON_CARDS.contains(&name),
        Depth::Needs => !NOT_ON_CARDS.contains(&name) && !OF_MOVES.contains(&name),
    }
}

/// Leaves out what is on no card, but for what its name does not tell.
pub(super) fn shorten_to_card(fields: &mut Map<String, Value>, mut last: Value) {
    if let Some(last) = last.as_object_mut() {
        last.retain(|name, _| OF_LAST.contains(&name.as_str()));
    }
    fields.insert("last".to_owned(), last);
    let is_over = fields.get("state").is_some_and(|state| state == "ended");
    if fields.get("ply") != Some(&0.into()) && !is_over {
        fields.remove(IN_PLAY);
    }
    shorten_findings(fields);
}

/// Leaves out that pieces are moved.
pub(super) fn shorten_to_needs(fields: &mut Map<String, Value>, known: &Map<String, Value>) {
    let is_in_order = |fields: &Map<String, Value>| {
        let state = fields.get("state").and_then(Value::as_str);
        state.is_some_and(|state| IN_ORDER.contains(&state))
    };
    if is_in_order(fields) && is_in_order(known) {
        fields.remove("state");
    }
    shorten_findings(fields);
}

/// Leaves those findings that wait for somebody, in short, and what differs from a position that
/// is to be put back.
fn shorten_findings(fields: &mut Map<String, Value>) {
    if fields.get("restore").is_none_or(Value::is_null) {
        fields.remove(PUT_BACK);
    }
    let findings = fields.get_mut("findings").and_then(Value::as_array_mut);
    let Some(findings) = findings else {
        return;
    };
    findings.retain(|finding| finding["status"] == "open");
    for finding in findings.iter_mut().filter_map(Value::as_object_mut) {
        finding.retain(|name, _| !NOT_OF_FINDINGS.contains(&name.as_str()));
    }
}

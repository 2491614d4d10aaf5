//! What is said over the WebSocket.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::seen::{Clock, Seen, State};

/// The longest name of a call or a feed that a client may choose, where that is a text.
const LONGEST_ID: usize = 64;

/// What a client asks.
#[derive(Debug, Deserialize)]
pub(super) struct Request {
    #[serde(default)]
    pub(super) id: Value,
    pub(super) call: String,
    #[serde(default)]
    pub(super) param: Value,
}

/// A board, as it is listed.
#[derive(Debug, Serialize)]
pub(super) struct EBoard<'a> {
    serialnr: &'a str,
    source: Option<&'a str>,
    state: Option<State>,
    battery: Option<String>,
    comment: Option<&'a str>,
    board: Option<&'a str>,
    flipped: bool,
    clock: Option<Clock>,
}

impl<'a> From<&'a Seen> for EBoard<'a> {
    fn from(seen: &'a Seen) -> EBoard<'a> {
        let is_there = seen.state == Some(State::Active);
        EBoard {
            serialnr: &seen.serial,
            source: is_there.then_some(seen.id.as_str()),
            state: seen.state,
            battery: None,
            comment: (!seen.name.is_empty()).then_some(seen.name.as_str()),
            board: seen.board.as_deref(),
            flipped: false,
            clock: seen.clock,
        }
    }
}

/// What happens on a board. What is `None` is left out: it is as before.
#[derive(Debug, Default, Serialize)]
pub(super) struct EBoardEvent<'a> {
    pub(super) serialnr: &'a str,
    pub(super) flipped: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) board: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clock: Option<Option<Clock>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) san: Option<Vec<String>>,
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub(super) matches: Option<bool>,
}

/// Whether a client may choose this to name a call or a feed.
pub(super) fn is_id(id: &Value) -> bool {
    match id {
        Value::Number(_) => true,
        Value::String(text) => text.len() <= LONGEST_ID,
        _ => false,
    }
}

/// The answer to a call.
pub(super) fn answer(id: &Value, param: &impl Serialize, now: i64) -> String {
    json!({ "response": "call", "id": id, "param": param, "time": now }).to_string()
}

/// That a call was not understood, or cannot be answered.
pub(super) fn error(id: &Value, message: &str, now: i64) -> String {
    let param = json!({ "message": message });
    json!({ "response": "error", "id": id, "param": param, "time": now }).to_string()
}

/// Something of a feed.
pub(super) fn feed(id: &Value, param: &impl Serialize, now: i64) -> String {
    json!({ "response": "feed", "id": id, "param": param, "time": now }).to_string()
}

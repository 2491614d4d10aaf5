//! What is said over the WebSocket.

use serde::Serialize;
use serde_json::{Value, json};

use super::seen::{Clock, Seen, State};

/// The longest name of a call or a feed that a client may choose, where that is a text.
const LONGEST_ID: usize = 64;

/// What a client asks.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) id: Value,
    pub(super) call: String,
    pub(super) param: Value,
}

impl Request {
    /// Reads what a client has sent, or says in words what is amiss.
    pub(super) fn read(text: &str) -> Result<Request, String> {
        let read = serde_json::from_str::<Value>(text);
        let read = read.map_err(|_| "not understood: a message is to be JSON".to_owned())?;
        let Value::Object(mut fields) = read else {
            let what = "not understood: a message is to be one JSON object, such as \
                {\"id\": 1, \"call\": \"eboards\"}";
            return Err(what.to_owned());
        };
        let mut take = |name: &str| fields.remove(name).unwrap_or_default();
        let Value::String(call) = take("call") else {
            return Err("not understood: `call` is to be a text".to_owned());
        };
        Ok(Request {
            id: take("id"),
            call,
            param: take("param"),
        })
    }
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
    pub(super) san: Option<&'a [String]>,
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
    let said = Said {
        response: "feed",
        id,
        param,
        time: now,
    };
    // Nothing in it can fail to be written.
    serde_json::to_string(&said).unwrap_or_default()
}

/// What is said, written without a copy of it: moves are said again with each that comes.
#[derive(Serialize)]
struct Said<'a, P> {
    response: &'a str,
    id: &'a Value,
    param: &'a P,
    time: i64,
}

//! Commands that ask the service of a store: the program that runs on it, or the store itself.

use std::io::{self, Write};
use std::path::PathBuf;

use axum::http::{Method, StatusCode};
use clap::Args;
use daemon::http::{Answer, AskError};
use daemon::plain;
use daemon::store::{Store, StoreError};
use serde_json::{Value, json};

use super::failure::Failure;
use super::terminal::Screen;

/// Where to ask, and how to answer.
#[derive(Args, Debug)]
pub(super) struct Where {
    /// The daemon's store; the daemon that runs on it is asked, else the store itself
    #[arg(long, default_value = "arbiter-data")]
    dir: PathBuf,
    /// Write one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// Of which event of the store.
#[derive(Args, Debug)]
pub(super) struct Of {
    /// Of another event of the store than the one at hand: its number, as `event list` shows it
    #[arg(long, value_name = "N")]
    event: Option<usize>,
}

impl Of {
    /// As a part of an address, behind this sign.
    pub(super) fn query(&self, sign: char) -> String {
        let number = self.event.map(|number| format!("{sign}event={number}"));
        number.unwrap_or_default()
    }
}

impl Where {
    /// Whether there is a store to be asked.
    pub(super) fn is_there(&self) -> bool {
        !matches!(Store::open(&self.dir), Err(StoreError::Missing(_)))
    }

    /// Asks for something.
    pub(super) fn get(&self, path: &str) -> Result<Value, Failure> {
        good_value(&self.ask(Method::GET, path, &Value::Null, false)?)
    }

    /// Asks for a file.
    pub(super) fn file(&self, path: &str) -> Result<Answer, Failure> {
        let answer = self.ask(Method::GET, path, &Value::Null, false)?;
        good(&answer)?;
        Ok(answer)
    }

    /// Orders something.
    pub(super) fn post(&self, path: &str, order: &Value) -> Result<Value, Failure> {
        good_value(&self.ask(Method::POST, path, order, false)?)
    }

    /// Orders something; the store need not be there yet.
    pub(super) fn begin(&self, path: &str, order: &Value) -> Result<Value, Failure> {
        good_value(&self.ask(Method::POST, path, order, true)?)
    }

    /// Asks, and gives the answer whatever it is.
    pub(super) fn ask(
        &self,
        method: Method,
        path: &str,
        order: &Value,
        creates: bool,
    ) -> Result<Answer, Failure> {
        let body = match order {
            Value::Null => json!({}).to_string(),
            order => order.to_string(),
        };
        let asking = daemon::http::ask(&self.dir, method, path, body, creates);
        let asked = super::runtime()?.block_on(asking);
        if let Ok(Answer {
            damage: Some(damage),
            ..
        }) = &asked
        {
            eprintln!(
                "arbiterd: the acts of people are damaged ({damage}): this is what was before. \
                 `arbiterd verify` says more, `arbiterd repair` keeps what is sound"
            );
        }
        asked.map_err(|error| match error {
            AskError::Store(StoreError::Missing(dir)) => Failure::bad_input(format_args!(
                "there is no store in {}: name the daemon's with --dir, or begin with `arbiterd \
                 event new`",
                dir.display()
            )),
            other => Failure::failed(other),
        })
    }

    /// Writes an answer: as JSON, or as `people` read it.
    pub(super) fn say(
        &self,
        answer: &Value,
        people: impl FnOnce(&Value) -> String,
    ) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        if self.json {
            writeln!(out, "{answer}")?;
        } else {
            out.write_all(people(answer).as_bytes())?;
        }
        Ok(out.flush()?)
    }
}

/// What a good answer says; else why it is none.
pub(super) fn good_value(answer: &Answer) -> Result<Value, Failure> {
    serde_json::from_slice(&good(answer)?.body).map_err(Failure::failed)
}

/// An answer that is one; else why not.
fn good(answer: &Answer) -> Result<&Answer, Failure> {
    if answer.status.is_success() {
        return Ok(answer);
    }
    let said = serde_json::from_slice::<Value>(&answer.body).unwrap_or_default();
    let error = said["error"]
        .as_str()
        .unwrap_or("no reason was given")
        .to_owned();
    Err(match answer.status {
        StatusCode::UNPROCESSABLE_ENTITY | StatusCode::BAD_REQUEST => Failure::BadInput(error),
        _ => Failure::Failed(error),
    })
}

/// A name as a part of an address.
pub(super) fn escaped(name: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    name.bytes()
        .map(|byte| match plain(&byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}

/// A player at a table, for people.
pub(super) fn player(seated: &Value) -> String {
    if seated.is_null() {
        return "bye".to_owned();
    }
    let rating = seated["rating"].as_u64().map(|rating| rating.to_string());
    let parts = [
        seated["title"].as_str(),
        seated["name"].as_str(),
        rating.as_deref(),
    ];
    let parts: Vec<&str> = parts
        .into_iter()
        .flatten()
        .filter(|p| !p.is_empty())
        .collect();
    plain::shown(&parts.join(" "))
}

/// The pairings of a round, for people; of which these tables' games are stopped.
pub(super) fn pairings(pairings: &Value, stopped: &Value) -> String {
    let is_stopped = |pairing: &Value| {
        let mut stopped = stopped.as_array().into_iter().flatten();
        pairing["table"].is_u64() && stopped.any(|table| *table == pairing["table"])
    };
    let text = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let state = |pairing: &Value| match (&pairing["result"], &pairing["confirmed"]) {
        (Value::Null, _) if pairing["postponed"] == true => "postponed".to_owned(),
        (Value::Null, _) if is_stopped(pairing) => "stopped".to_owned(),
        (Value::Null, _) if pairing["game"].is_string() => "playing".to_owned(),
        (Value::Null, _) => String::new(),
        (_, Value::Bool(true)) => "confirmed".to_owned(),
        _ => "proposed".to_owned(),
    };
    let row = |pairing: &Value| {
        vec![
            text(&pairing["table"]),
            text(&pairing["board"]),
            player(&pairing["white"]),
            player(&pairing["black"]),
            text(&pairing["result"]),
            if pairing["black"].is_null() {
                String::new()
            } else {
                state(pairing)
            },
        ]
    };
    let rows = pairings.as_array().into_iter().flatten().map(row);
    let headings = ["TABLE", "BOARD", "WHITE", "BLACK", "RESULT", "STATE"];
    Screen::stdout().table(&headings, &rows.collect::<Vec<_>>())
}

/// Numbers, for people.
pub(super) fn numbers(list: &Value) -> String {
    let numbers = list.as_array().into_iter().flatten().map(Value::to_string);
    numbers.collect::<Vec<_>>().join(", ")
}

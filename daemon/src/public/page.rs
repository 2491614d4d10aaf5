//! The page that everybody may read: what its script asks for, its words without a script, and the
//! files that belong to it. It needs no server of its own: in a folder it works just so.

mod html;
mod words;

use serde_json::{Value, json};

use super::gate::Gate;
use super::pgn;
use super::shown::{Person, Programme, Round, Seats, Shown};

pub(super) use html::{POLICY, round as html, start};
pub(super) use words::Language;

/// A file that is the same in every tournament.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Part {
    Style,
    Script,
    Board,
    Words,
    Start,
}

impl Part {
    pub(super) const ALL: [Part; 5] = [
        Part::Style,
        Part::Script,
        Part::Board,
        Part::Words,
        Part::Start,
    ];

    /// Its name in the folder `page`.
    pub(super) fn file(self) -> &'static str {
        match self {
            Part::Style => "live.css",
            Part::Script => "live.js",
            Part::Board => "board.js",
            Part::Words => "words.js",
            Part::Start => "start.js",
        }
    }

    pub(super) fn kind(self) -> &'static str {
        match self {
            Part::Style => "text/css; charset=utf-8",
            _ => "text/javascript; charset=utf-8",
        }
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Part::Style => include_str!("../../public/live.css"),
            Part::Script => include_str!("../../public/live.js"),
            Part::Board => include_str!("../../public/board.js"),
            Part::Words => include_str!("../../public/words.js"),
            Part::Start => include_str!("../../public/start.js"),
        }
    }
}

/// A round at a glance: `live.json`. Moves are in files of their own, so that this stays small.
pub(super) fn live(gate: &Gate, programme: &Programme, round: &Round) -> Value {
    let corrected = gate.corrected();
    let table = |seats: &Seats| {
        let shown = seats.game.as_deref().and_then(|game| gate.game(game));
        let mut row = json!({
            "table": seats.table,
            "white": player(&seats.white),
            "black": player(&seats.black),
            "result": written(&seats.result),
        });
        if corrected.contains(&(programme.number, round.number, seats.table)) {
            row["corrected"] = json!(true);
        }
        if let Some(shown) = shown {
            row["fen"] = json!(shown.fen);
            row["plies"] = json!(shown.plies.len());
            if let Some(last) = shown.plies.last() {
                row["san"] = json!(last.san);
                row["uci"] = json!(last.uci);
            }
            row["clock"] = json!([
                seconds(shown.clocks.white_ms),
                seconds(shown.clocks.black_ms)
            ]);
            row["run"] = json!(shown.clocks.running);
            if shown.stopped {
                row["stopped"] = json!(true);
            }
        }
        row
    };
    json!({
        "event": programme.name,
        "round": round.number,
        "live": round.live,
        "tables": round.tables.iter().map(table).collect::<Vec<_>>(),
    })
}

/// The moves of a game: `moves-M.json`. Each is what is written, where from and to, the seconds
/// left after it and the seconds it took.
pub(super) fn moves(shown: &Shown) -> Value {
    let ply = |ply: &super::shown::Ply| {
        json!([
            ply.san,
            ply.uci,
            seconds(ply.clock_ms),
            seconds(ply.used_ms)
        ])
    };
    json!({
        "start": shown.start_fen,
        "usual": pgn::start(shown).is_none(),
        "moves": shown.plies.iter().map(ply).collect::<Vec<_>>(),
    })
}

/// A result as people read it: `½–½`.
fn written(result: &str) -> String {
    match result.contains('/') && !result.contains("1/2") {
        // By forfeit.
        true => result.to_owned(),
        false => result.replace("1/2", "½").replace('-', "–"),
    }
}

fn seconds(ms: Option<u64>) -> Option<u64> {
    ms.map(|ms| ms / 1000)
}

/// The name first, then what is known besides.
fn player(person: &Person) -> Value {
    let rating = person.rating.map(|rating| rating.to_string());
    let more = [
        &person.title,
        &rating.unwrap_or_default(),
        &person.federation,
    ];
    let more: Vec<&str> = more.into_iter().map(String::as_str).collect();
    let more: Vec<&str> = more.into_iter().filter(|text| !text.is_empty()).collect();
    json!([person.name, more.join(" ")])
}

#[cfg(test)]
mod tests;

//! Says in plain words why a line is no event. It only explains: whether a line is one is decided
//! by reading it.

use arbiter_core::input::{Edition, StartFen};
use arbiter_core::irregularity::Code;
use arbiter_core::orientation::Orientation;
use arbiter_core::settings::Settings;
use arbiter_core::shakmaty::{Square, fen::Fen, uci::UciMove};
use arbiter_core::{Reading, Symbol};
use serde_json::{Map, Value};

/// What is wrong with `line`, which could not be read because of `error`.
pub(super) fn explain(line: &[u8], error: &serde_json::Error) -> String {
    if std::str::from_utf8(line).is_err() {
        return "the line is not UTF-8".to_owned();
    }
    match serde_json::from_slice::<Value>(line) {
        Err(error) => not_json(&error),
        Ok(Value::Object(fields)) => event(&fields).unwrap_or_else(|| plain(error)),
        Ok(_) => "the line is not a JSON object; an event looks like {\"event\":\"tick\",\"at\":0}"
            .to_owned(),
    }
}

/// A reader's message without its position: every message names the line already.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

fn not_json(error: &serde_json::Error) -> String {
    let column = error.column();
    match plain(error) {
        _ if error.is_eof() => {
            "the line ends inside its JSON object; an event takes exactly one line".to_owned()
        }
        text if text.starts_with("trailing characters") => {
            format!("more than one JSON object on the line (column {column})")
        }
        text => format!("not JSON: {text} (column {column})"),
    }
}

/// What a field holds.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Flag,
    /// A whole number from 0: milliseconds, or a finding's number.
    Number,
    /// A turn of the board.
    Degrees,
    Edition,
    Square,
    Squares,
    /// Exactly these.
    OneOf(&'static [&'static str]),
    Symbol,
    Board,
    Fen,
    /// A FEN; `unknown` is none.
    Position,
    Move,
    Code,
    Options,
}

struct Field {
    name: &'static str,
    kind: Kind,
    required: bool,
}

const fn must(name: &'static str, kind: Kind) -> Field {
    Field {
        name,
        kind,
        required: true,
    }
}

const fn may(name: &'static str, kind: Kind) -> Field {
    Field {
        name,
        kind,
        required: false,
    }
}

const BY: Field = must("by", Kind::OneOf(&["white", "black"]));
const MATING: Kind = Kind::OneOf(&["can", "cannot", "unknown"]);
const ACTIONS: &[&str] = &[
    "uphold",
    "dismiss",
    "promotion",
    "reading",
    "set-position",
    "let-stand",
    "board-turned",
    "pause",
    "resume",
    "result",
    "report",
];

/// Every event with its fields.
const EVENTS: &[(&str, &[Field])] = &[
    (
        "setup",
        &[
            may("game", Kind::Text),
            must("sensor", Kind::OneOf(&["occupancy", "colour", "piece"])),
            may("laws", Kind::Edition),
            may("class", Kind::OneOf(&["standard", "rapid", "blitz"])),
            may("supervised", Kind::Flag),
            may("clock", Kind::Flag),
            may("polled", Kind::Flag),
            may("fen", Kind::Fen),
            may("chess960", Kind::Flag),
            may("turned", Kind::Degrees),
            may("answers", Kind::OneOf(&["reader", "recorded"])),
            may("options", Kind::Options),
        ],
    ),
    ("lift", &[must("square", Kind::Square)]),
    (
        "place",
        &[must("square", Kind::Square), may("seen", Kind::Symbol)],
    ),
    ("snapshot", &[must("board", Kind::Board)]),
    (
        "press",
        &[
            BY,
            may("white_ms", Kind::Number),
            may("black_ms", Kind::Number),
        ],
    ),
    ("adjust", &[BY]),
    ("flag-fall", &[BY]),
    ("stop", &[BY]),
    (
        "claim",
        &[
            BY,
            must(
                "kind",
                Kind::OneOf(&[
                    "threefold",
                    "fifty-moves",
                    "touch-move",
                    "illegal-move",
                    "flag-fall",
                ]),
            ),
            may("move", Kind::Move),
            may("square", Kind::Square),
        ],
    ),
    (
        "draw",
        &[
            BY,
            must("step", Kind::OneOf(&["offer", "accept", "decline"])),
        ],
    ),
    ("resign", &[BY]),
    ("arbiter", &[must("action", Kind::OneOf(ACTIONS))]),
    (
        "mating",
        &[
            must("fen", Kind::Position),
            must("white", MATING),
            must("black", MATING),
            may("quick", Kind::Flag),
        ],
    ),
    ("suspect", &[must("squares", Kind::Squares)]),
    ("tick", &[]),
];

/// What the arbiter's actions need besides.
const ACTION_FIELDS: &[(&str, &[Field])] = &[
    ("uphold", &[must("id", Kind::Number)]),
    ("dismiss", &[must("id", Kind::Number)]),
    (
        "promotion",
        &[
            must("square", Kind::Square),
            must("piece", Kind::OneOf(&["q", "r", "b", "n"])),
        ],
    ),
    (
        "reading",
        &[must("ply", Kind::Number), must("move", Kind::Move)],
    ),
    ("set-position", &[must("fen", Kind::Fen)]),
    ("board-turned", &[must("turned", Kind::Degrees)]),
    (
        "result",
        &[must("result", Kind::OneOf(&["1-0", "0-1", "1/2-1/2", "*"]))],
    ),
    (
        "report",
        &[
            must("code", Kind::Code),
            may("by", Kind::OneOf(&["white", "black"])),
            may("square", Kind::Square),
        ],
    ),
];

/// What is wrong with an event's fields, as far as the tables know.
fn event(fields: &Map<String, Value>) -> Option<String> {
    let names: Vec<&str> = EVENTS.iter().map(|(name, _)| *name).collect();
    let name = match fields.get("event") {
        None => {
            return Some(format!(
                "`event` is missing; it is one of {}",
                names.join(", ")
            ));
        }
        Some(Value::String(name)) => name.as_str(),
        Some(other) => {
            return Some(format!(
                "`event` is {other}; it is one of {}",
                names.join(", ")
            ));
        }
    };
    let Some((_, list)) = EVENTS.iter().find(|(known, _)| *known == name) else {
        return Some(format!(
            "`{name}` is not an event; it is one of {}",
            names.join(", ")
        ));
    };
    let action = fields
        .get("action")
        .and_then(Value::as_str)
        .filter(|_| name == "arbiter");
    let more = ACTION_FIELDS
        .iter()
        .find(|(known, _)| Some(*known) == action)
        .map_or(&[][..], |(_, list)| list);
    let what = action.unwrap_or(name);
    let at = [may("at", Kind::Number)];
    at.iter()
        .chain(*list)
        .chain(more)
        .find_map(|field| wrong(field, fields.get(field.name), what))
}

/// What is wrong with the value of one field of the event `what`.
fn wrong(field: &Field, value: Option<&Value>, what: &str) -> Option<String> {
    let name = field.name;
    match value {
        None if field.required => Some(format!(
            "`{name}` is missing in `{what}`; it is {}",
            expected(field.kind)
        )),
        None => None,
        Some(Value::Null) if !field.required => None,
        Some(value) => check(field.kind, value)
            .err()
            .map(|why| format!("`{name}`: {why}")),
    }
}

fn check(kind: Kind, value: &Value) -> Result<(), String> {
    let text = value.as_str();
    let fits = match (kind, text) {
        (Kind::Text, _) => value.is_string(),
        (Kind::Flag, _) => value.is_boolean(),
        (Kind::Number, _) => value.is_u64(),
        (Kind::Degrees, _) => value
            .as_i64()
            .is_some_and(|degrees| Orientation::from_degrees(degrees).is_some()),
        (Kind::Edition, _) => serde_json::from_value::<Edition>(value.clone()).is_ok(),
        (Kind::OneOf(names), Some(text)) => names.contains(&text),
        (Kind::Code, Some(text)) => Code::ALL.into_iter().any(|code| code.name() == text),
        (Kind::Square, Some(text)) => text.parse::<Square>().is_ok(),
        (Kind::Symbol, Some(text)) => {
            text.chars().count() == 1 && text.chars().all(|c| Symbol::from_char(c).is_some())
        }
        (Kind::Move, Some(text)) => text.parse::<UciMove>().is_ok(),
        (Kind::Board, Some(text)) => return Reading::parse(text).map(drop).map_err(str::to_owned),
        (Kind::Fen, Some(text)) => return StartFen::parse(text).map(drop),
        (Kind::Position, Some(text)) => text.parse::<Fen>().is_ok(),
        (Kind::Squares, _) => {
            let is_square = |one: &Value| {
                one.as_str()
                    .is_some_and(|name| name.parse::<Square>().is_ok())
            };
            value
                .as_array()
                .is_some_and(|list| list.iter().all(is_square))
        }
        (Kind::Options, _) if value.is_object() => {
            return serde_json::from_value::<Settings>(value.clone())
                .map(drop)
                .map_err(|e| plain(&e));
        }
        _ => false,
    };
    if fits {
        Ok(())
    } else {
        Err(format!("{value} is not {}", expected(kind)))
    }
}

fn expected(kind: Kind) -> String {
    match kind {
        Kind::Text => "a text in quotes".to_owned(),
        Kind::Flag => "true or false".to_owned(),
        Kind::Number => "a whole number, 0 or more".to_owned(),
        Kind::Degrees => "0, 90, 180 or 270".to_owned(),
        Kind::Square => "a square, a1 to h8".to_owned(),
        Kind::Squares => "a list of squares, such as [\"e2\"]".to_owned(),
        Kind::Edition => "an edition of the Laws, fide-1974 to fide-2023".to_owned(),
        Kind::OneOf(names) => format!("one of {}", names.join(", ")),
        Kind::Code => "the name of an irregularity, such as two-hands".to_owned(),
        Kind::Symbol => "one symbol: ? L D PNBRQK pnbrqk".to_owned(),
        Kind::Board => "64 symbols, a8 to h1".to_owned(),
        Kind::Fen => "a FEN or `unknown`".to_owned(),
        Kind::Position => "a FEN".to_owned(),
        Kind::Move => "a move in UCI form, such as e2e4".to_owned(),
        Kind::Options => "an object in braces".to_owned(),
    }
}

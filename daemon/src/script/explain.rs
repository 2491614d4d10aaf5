//! Says in plain words why a line is no event. It only explains: whether a line is one is decided
//! by reading it. What events there are, their fields and what these hold it knows from the schema
//! of [`Event`].

use std::sync::LazyLock;

use arbiter_core::input::StartFen;
use arbiter_core::shakmaty::{Square, fen::Fen, uci::UciMove};
use arbiter_core::{Event, Reading, Symbol};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// What an event may be.
pub(super) static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    settings
        .into_generator()
        .into_root_schema_for::<Event>()
        .to_value()
});

/// What is wrong with `line`, which could not be read because of `error`.
pub(super) fn explain(line: &[u8], error: &serde_json::Error) -> String {
    if std::str::from_utf8(line).is_err() {
        return "the line is not UTF-8".to_owned();
    }
    match serde_json::from_slice::<Value>(line) {
        Err(error) => not_json(&error),
        Ok(Value::Object(fields)) => event(&fields)
            .map(|what| what.replace(UNKNOWN, &plain(error)))
            .unwrap_or_else(|| plain(error)),
        Ok(_) => "the line is not a JSON object; an event looks like {\"event\":\"tick\",\"at\":0}"
            .to_owned(),
    }
}

/// Stands for what the reader says of a field that it does not know.
const UNKNOWN: &str = "\0";

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

/// What is wrong with an event's fields, as far as the schema tells.
fn event(given: &Map<String, Value>) -> Option<String> {
    wrong_fields(&SCHEMA, given, "event")
}

/// What is wrong with the fields of an object of that schema; `what` names the object.
fn wrong_fields(schema: &Value, given: &Map<String, Value>, what: &str) -> Option<String> {
    let schema = resolved(schema);
    let required = list(&schema["required"]).iter().filter_map(Value::as_str);
    let is_required = |name: &str| list(&schema["required"]).iter().any(|one| one == name);
    let fields = schema["properties"].as_object();
    let others = fields.into_iter().flat_map(Map::keys).map(String::as_str);
    let own = required
        .chain(others.filter(|name| !is_required(name)))
        .find_map(|name| {
            let field = &schema["properties"][name];
            // That it is there, and right, was seen where it led to this schema.
            let seen = field.get("const").is_some();
            let wrong = || wrong(name, field, is_required(name), given.get(name), what);
            if seen { None } else { wrong() }
        });
    own.or_else(|| referred(schema).and_then(|more| wrong_fields(more, given, what)))
        .or_else(|| chosen(schema, given, what))
}

/// What is wrong with the fields that depend on another one, such as those of an event on `event`.
fn chosen(schema: &Value, given: &Map<String, Value>, what: &str) -> Option<String> {
    let kinds = list(&schema["oneOf"]);
    let (tag, _) = kinds.iter().find_map(tag_of)?;
    let names = kinds.iter().filter_map(|kind| Some(tag_of(kind)?.1));
    let names = names.collect::<Vec<_>>().join(", ");
    let value = match (given.get(tag), tag) {
        (Some(Value::String(value)), _) => value,
        (Some(other), "event") => return Some(format!("`event` is {other}; it is one of {names}")),
        (Some(other), _) => return Some(format!("`{tag}`: {other} is not one of {names}")),
        (None, "event") => return Some(format!("`event` is missing; it is one of {names}")),
        (None, _) => {
            return Some(format!(
                "`{tag}` is missing in `{what}`; it is one of {names}"
            ));
        }
    };
    match (
        kinds
            .iter()
            .find(|kind| tag_of(kind).is_some_and(|tag| tag.1 == value)),
        tag,
    ) {
        (Some(kind), _) => wrong_fields(kind, given, value),
        (None, "event") => Some(format!("`{value}` is not an event; it is one of {names}")),
        (None, _) => Some(format!("`{tag}`: \"{value}\" is not one of {names}")),
    }
}

/// The field that tells one kind from the others, and what it holds in this one.
fn tag_of(kind: &Value) -> Option<(&str, &str)> {
    let fields = kind["properties"].as_object()?;
    fields
        .iter()
        .find_map(|(name, field)| Some((name.as_str(), field["const"].as_str()?)))
}

/// What is wrong with the value of one field of the object `what`.
fn wrong(
    name: &str,
    field: &Value,
    required: bool,
    value: Option<&Value>,
    what: &str,
) -> Option<String> {
    match value {
        None if required => {
            let expected = expected(field);
            Some(format!("`{name}` is missing in `{what}`; it is {expected}"))
        }
        None => None,
        Some(Value::Null) if !required => None,
        Some(value) => check(field, value)
            .err()
            .map(|why| format!("`{name}`: {why}")),
    }
}

fn check(schema: &Value, value: &Value) -> Result<(), String> {
    let schema = resolved(schema);
    let names = names(schema);
    let fits = match (kind(schema), schema["format"].as_str(), value) {
        _ if !names.is_empty() => names.contains(&value),
        (_, Some("reading"), Value::String(text)) => {
            return Reading::parse(text).map(drop).map_err(str::to_owned);
        }
        (_, Some("start-fen"), Value::String(text)) => return StartFen::parse(text).map(drop),
        (Some("string"), Some(format), Value::String(text)) => is_written_so(format, text),
        (Some("integer"), ..) => value.is_u64(),
        (Some("array"), _, Value::Array(items)) => items
            .iter()
            .all(|item| check(&schema["items"], item).is_ok()),
        (Some("object"), _, Value::Object(given)) => return check_object(schema, given),
        (Some("string"), _, Value::String(_)) | (Some("boolean"), _, Value::Bool(_)) => true,
        _ => false,
    };
    if fits {
        Ok(())
    } else {
        Err(format!("{value} is not {}", expected(schema)))
    }
}

/// An object within an event. Unlike the event itself it may know no other fields.
fn check_object(schema: &Value, given: &Map<String, Value>) -> Result<(), String> {
    let fields = &schema["properties"];
    for (name, value) in given {
        match fields.get(name) {
            Some(field) => check(field, value).map_err(|why| format!("`{name}`: {why}"))?,
            None if schema["additionalProperties"] == false => return Err(UNKNOWN.to_owned()),
            None => {}
        }
    }
    Ok(())
}

/// Whether `text` is of a `format` of the schema.
pub(super) fn is_written_so(format: &str, text: &str) -> bool {
    match format {
        "square" => text.parse::<Square>().is_ok(),
        "uci" => text.parse::<UciMove>().is_ok(),
        "fen" => text.parse::<Fen>().is_ok(),
        "start-fen" => StartFen::parse(text).is_ok(),
        "reading" => Reading::parse(text).is_ok(),
        "symbol" => {
            let mut symbols = text.chars().map(Symbol::from_char);
            matches!((symbols.next(), symbols.next()), (Some(Some(_)), None))
        }
        _ => false,
    }
}

/// What a field of that schema holds, as it reads after "it is" and "is not".
fn expected(schema: &Value) -> String {
    let schema = resolved(schema);
    let names = names(schema);
    match (kind(schema), schema["description"].as_str()) {
        _ if !names.is_empty() => {
            let plain = |name: &&Value| {
                name.as_str()
                    .map_or_else(|| name.to_string(), str::to_owned)
            };
            let names: Vec<String> = names.iter().map(plain).collect();
            format!("one of {}", names.join(", "))
        }
        (Some("string"), Some(about)) if schema.get("format").is_some() => about.to_owned(),
        (Some("string"), _) => "a text in quotes".to_owned(),
        (Some("boolean"), _) => "true or false".to_owned(),
        (Some("integer"), _) => "a whole number, 0 or more".to_owned(),
        (Some("array"), _) => format!("a list, each {}", expected(&schema["items"])),
        _ => "an object in braces".to_owned(),
    }
}

/// The type of what a field holds, if it holds something.
fn kind(schema: &Value) -> Option<&str> {
    let alone = schema["type"].as_str();
    let kinds = list(&schema["type"]).iter().filter_map(Value::as_str);
    alone.or_else(|| kinds.into_iter().find(|kind| *kind != "null"))
}

/// The values of which a field holds one; none where that is not so.
fn names(schema: &Value) -> Vec<&Value> {
    let alternatives = list(&schema["oneOf"])
        .iter()
        .filter_map(|one| one.get("const"));
    list(&schema["enum"]).iter().chain(alternatives).collect()
}

/// The schema that says what a field holds: the one referred to, and of a field that may be `null`
/// the one that is not.
fn resolved(schema: &Value) -> &Value {
    let alternatives = list(&schema["anyOf"]);
    let held = alternatives.iter().find(|one| one["type"] != "null");
    match (referred(schema), held) {
        (Some(known), _) if schema.get("properties").is_none() => resolved(known),
        (_, Some(held)) => resolved(held),
        _ => schema,
    }
}

/// The schema that this one refers to.
fn referred(schema: &Value) -> Option<&Value> {
    let name = schema["$ref"].as_str()?.strip_prefix('#')?;
    SCHEMA.pointer(name)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

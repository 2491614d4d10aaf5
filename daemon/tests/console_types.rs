//! The types against which the console's modules are checked are those of the interface:
//! `daemon/types/api.d.ts` says in TypeScript what the schemas say. This test writes them down; it
//! fails when what is kept is something else.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Map, Value};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/types/api.d.ts");
const AGAIN: &str = "WRITE_TYPES=1 cargo test -p daemon --test console_types";

#[test]
fn the_consoles_types_are_those_of_the_interface() {
    let document = daemon::http::document();
    let schemas = document["components"]["schemas"]
        .as_object()
        .expect("schemas");
    let types = declarations(schemas);
    if std::env::var_os("WRITE_TYPES").is_some() {
        std::fs::write(FILE, &types).expect("types written");
    }
    let kept = std::fs::read_to_string(Path::new(FILE)).unwrap_or_default();
    assert!(
        kept == types,
        "{FILE} is not what the interface says; write it anew: {AGAIN}"
    );
}

/// Every schema as an exported type.
fn declarations(schemas: &Map<String, Value>) -> String {
    let mut out = format!(
        "// What the daemon's interface says, in TypeScript. Made of its schemas; write it anew \
         with\n\
         // {AGAIN}\n"
    );
    for (name, schema) in schemas {
        out.push('\n');
        comment(&mut out, "", schema);
        let is_plain = schema["properties"].is_object()
            && ["oneOf", "anyOf", "$ref"]
                .iter()
                .all(|key| schema.get(key).is_none());
        let written = match is_plain {
            true => writeln!(out, "export interface {name} {}", fields(schema, "")),
            false => writeln!(out, "export type {name} = {};", type_of(schema, "")),
        };
        written.expect("a string takes everything");
    }
    out
}

fn comment(out: &mut String, indent: &str, schema: &Value) {
    if let Some(about) = schema["description"].as_str() {
        let about = about.replace('\n', " ").replace("*/", "* /");
        writeln!(out, "{indent}/** {about} */").expect("a string takes everything");
    }
}

/// The type that a schema describes; its further lines are indented.
fn type_of(schema: &Value, indent: &str) -> String {
    let alternatives = |list: &Value| -> Option<String> {
        let list = list.as_array()?.iter().map(|one| type_of(one, indent));
        Some(list.collect::<Vec<_>>().join(" | "))
    };
    let parts = [
        schema["$ref"]
            .as_str()
            .map(|name| name.rsplit('/').next().unwrap_or_default().to_owned()),
        schema["properties"]
            .is_object()
            .then(|| fields(schema, indent)),
        alternatives(&schema["oneOf"]),
        alternatives(&schema["anyOf"]),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    match &parts[..] {
        [] => simple(schema, indent),
        [one] => one.clone(),
        // Of an `&` of unions, each stands in brackets.
        many => many
            .iter()
            .map(|part| format!("({part})"))
            .collect::<Vec<_>>()
            .join(" & "),
    }
}

/// A type without named parts.
fn simple(schema: &Value, indent: &str) -> String {
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    if let Some(values) = schema["enum"].as_array() {
        return values
            .iter()
            .map(Value::to_string)
            .collect::<Vec<_>>()
            .join(" | ");
    }
    let named = |kind: &Value| match kind.as_str() {
        Some("integer" | "number") => "number".to_owned(),
        Some("array") => match type_of(&schema["items"], indent) {
            word if word
                .chars()
                .all(|c| c.is_alphanumeric() || "[]".contains(c)) =>
            {
                word + "[]"
            }
            long => format!("({long})[]"),
        },
        Some("object") => match schema.get("additionalProperties") {
            Some(held) if held.is_object() => format!("Record<string, {}>", type_of(held, indent)),
            _ => "Record<string, unknown>".to_owned(),
        },
        Some(same) => same.to_owned(),
        None => "unknown".to_owned(),
    };
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().map(named).collect::<Vec<_>>().join(" | "),
        kind => named(kind),
    }
}

/// The fields of an object, in braces.
fn fields(schema: &Value, indent: &str) -> String {
    let inner = format!("{indent}  ");
    let is_required = |name: &str| {
        let required = schema["required"].as_array().into_iter().flatten();
        required.into_iter().any(|one| one == name)
    };
    let mut out = "{\n".to_owned();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        comment(&mut out, &inner, field);
        let mark = if is_required(name) { "" } else { "?" };
        let name = match name.contains('-') {
            true => format!("\"{name}\""),
            false => name.clone(),
        };
        let held = type_of(field, &inner);
        writeln!(out, "{inner}{name}{mark}: {held};").expect("a string takes everything");
    }
    out + indent + "}"
}

//! `docs/access.md` says who may do what in tables that are made of the rules themselves; every
//! address and every field that the interface describes has a rule.

use std::fmt::Write;

use access::{FIELDS, Need, RIGHTS, ROUTES, Reach, Right, Role};
use serde_json::Value;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/access.md");
const AGAIN: &str = "WRITE_ACCESS=1 cargo test -p daemon --test access_doc";

/// What is shown as which kind, by the name of its schema.
const KINDS: [&str; 4] = ["Board", "PlyRecord", "Game", "HallOfHub"];

fn words(right: Right) -> &'static str {
    RIGHTS
        .iter()
        .find(|(named, ..)| *named == right)
        .map_or("", |(_, words, _)| words)
}

fn rights() -> String {
    let mut out = "| right |".to_owned();
    for role in Role::ALL {
        write!(out, " {role} |").unwrap();
    }
    out += "\n|---|---|---|---|---|---|\n";
    for (_, words, reach) in RIGHTS {
        write!(out, "| {words} |").unwrap();
        for reach in reach {
            let cell = match reach {
                Reach::None => "-",
                Reach::Own => "own tables",
                Reach::All => "all",
            };
            write!(out, " {cell} |").unwrap();
        }
        out.push('\n');
    }
    out
}

fn routes() -> String {
    let mut out = "| method | address | asks for |\n|---|---|---|\n".to_owned();
    for (method, path, need) in ROUTES {
        let need = match need {
            Need::Open => "nothing".to_owned(),
            Need::Somebody => "to be logged in".to_owned(),
            Need::Right(right) => words(*right).to_owned(),
            Need::Order => "what is ordered: to rule, to stop clocks, to begin a game".to_owned(),
            Need::Proved(right) => format!("{}; the password within ten minutes", words(*right)),
        };
        writeln!(out, "| {} | `{path}` | {need} |", method.to_uppercase()).unwrap();
    }
    out
}

fn fields() -> String {
    let mut out = "| of | asks for | fields |\n|---|---|---|\n".to_owned();
    for kind in KINDS {
        for (right, words, _) in RIGHTS {
            let own = FIELDS
                .iter()
                .filter(|field| field.0 == kind && field.2 == right);
            let names: Vec<String> = own.map(|field| format!("`{}`", field.1)).collect();
            if !names.is_empty() {
                writeln!(out, "| {kind} | {words} | {} |", names.join(", ")).unwrap();
            }
        }
    }
    out
}

/// The document with its tables made anew.
fn renewed(document: &str) -> String {
    let mut text = document.to_owned();
    for (name, table) in [
        ("rights", rights()),
        ("routes", routes()),
        ("fields", fields()),
    ] {
        let (begin, end) = (
            format!("<!-- {name} -->\n"),
            format!("<!-- end of {name} -->"),
        );
        let (before, rest) = text.split_once(&begin).expect("a mark");
        let (_, after) = rest.split_once(&end).expect("its end");
        text = format!("{before}{begin}{table}{end}{after}");
    }
    text
}

#[test]
fn the_document_says_what_the_rules_say() {
    let document = std::fs::read_to_string(FILE).expect("docs/access.md");
    let renewed = renewed(&document);
    if std::env::var_os("WRITE_ACCESS").is_some() {
        std::fs::write(FILE, &renewed).expect("written");
    } else {
        assert!(
            document == renewed,
            "{FILE} is not what the rules say; write it anew: {AGAIN}"
        );
    }
}

#[test]
fn every_address_and_every_field_has_a_rule() {
    let document = daemon::http::document();
    let mut described = Vec::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for method in methods.as_object().expect("methods").keys() {
            assert!(
                access::need(method, path).is_some(),
                "{method} {path} has no rule"
            );
            described.push((method.clone(), path.clone()));
        }
    }
    for (method, path, _) in ROUTES {
        let is_there = described
            .iter()
            .any(|(m, p)| (m.as_str(), p.as_str()) == (*method, *path));
        assert!(is_there, "{method} {path} has a rule and is not there");
    }
    let schemas = &document["components"]["schemas"];
    for kind in KINDS {
        let mut names = Vec::new();
        properties(&schemas[kind], schemas, &mut names);
        assert!(names.len() > 5, "{kind}: {names:?}");
        for name in &names {
            assert!(
                access::field(kind, name).is_some(),
                "{kind}.{name} has no rule"
            );
        }
        for (_, name, _) in FIELDS.iter().filter(|field| field.0 == kind) {
            assert!(
                names.iter().any(|n| n == name),
                "{kind}.{name} has a rule and is not there"
            );
        }
    }
}

/// The names of the fields of a schema, with those of what it is made of.
fn properties(schema: &Value, schemas: &Value, names: &mut Vec<String>) {
    let own = schema["properties"].as_object().into_iter().flatten();
    names.extend(own.map(|(name, _)| name.clone()));
    if let Some(of) = schema["$ref"].as_str() {
        let name = of.rsplit('/').next().unwrap_or_default();
        properties(&schemas[name], schemas, names);
    }
    for list in ["allOf", "anyOf", "oneOf"] {
        for part in schema[list].as_array().into_iter().flatten() {
            properties(part, schemas, names);
        }
    }
}

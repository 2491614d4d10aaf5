//! A configuration without names, as it is written otherwise.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Keys that name people, places and events; and a secret, which stands there by mistake.
const NAMING: [&str; 6] = ["name", "site", "white", "black", "names", "token"];
/// What stands for their values.
const INSTEAD: &str = "\"taken out\"";

/// `text` without the values of keys that name somebody, wherever TOML has them: in tables, inline
/// ones, arrays over several lines; and, in comments and where it is no TOML, in lines of their
/// own.
pub(super) fn without_names(text: &str) -> String {
    let mut spans = Vec::new();
    let (root, _errors) = DeTable::parse_recoverable(text);
    within("", root.get_ref(), &mut spans);
    spans.sort_by_key(|span| span.start);
    let (mut bare, mut at) = (String::new(), 0);
    for span in spans.into_iter().filter(|span| !span.is_empty()) {
        if span.start < at {
            continue; // a part of what is gone already
        }
        bare.push_str(&text[at..span.start]);
        bare.push_str(INSTEAD);
        at = span.end;
    }
    bare.push_str(&text[at..]);
    bare.lines().map(|line| without_name(line) + "\n").collect()
}

/// Finds the values in a table that is called `name`.
fn within(name: &str, table: &DeTable<'_>, spans: &mut Vec<Range<usize>>) {
    for (key, value) in table {
        let key = key.get_ref().as_ref();
        // A round's address at Lichess says which event it is.
        if NAMING.contains(&key) || (name == "round" && key == "id") {
            spans.push(value.span());
        } else {
            within_value(key, value, spans);
        }
    }
}

fn within_value(key: &str, value: &Spanned<DeValue<'_>>, spans: &mut Vec<Range<usize>>) {
    match value.get_ref() {
        DeValue::Table(table) => within(key, table, spans),
        DeValue::Array(values) => values
            .iter()
            .for_each(|value| within_value(key, value, spans)),
        _ => {}
    }
}

/// The same of a line that begins with a key, be it a comment.
fn without_name(line: &str) -> String {
    let key = line.split('=').next().unwrap_or_default();
    let bare = key.trim().trim_start_matches('#').trim();
    match line.len() > key.len() && NAMING.contains(&bare) {
        true => format!("{}= {INSTEAD}", key),
        false => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_taken_out_however_it_is_written() {
        for text in [
            "event.name = \"Elm\"",
            "event = { name = \"Elm\", round = 3 }",
            "[event]\n\"name\" = 'Elm'",
            "[http]\nnames = [\n  \"a.lan\", # first\n  \"Elm\",\n]",
            "[event]\nsite = \"\"\"\nin\nElm\"\"\"",
            "board = [{ id = \"b01\", white = \"Elm\" }]",
            "[[lichess.round]]\nround = 3\nid = \"Elm\"",
            "#white = \"Elm\"",
            "[event\nname = \"Elm\"",
        ] {
            let veiled = without_names(text);
            assert!(!veiled.contains("Elm"), "{text}\nis told as\n{veiled}");
            assert!(veiled.contains("taken out"), "{veiled}");
        }
    }

    #[test]
    fn everything_else_stays_as_it_is_written() {
        let text = "# name and address\n[[board]]\nid = \"b01\" # first\nport = \"/dev/ttyUSB0\"\n";
        assert_eq!(without_names(text), text);
    }
}

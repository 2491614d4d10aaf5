//! Names, and what stands for them where nobody is to be known.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{configuration, line};
use crate::store::{Store, StoreError};

/// Names shorter than this are too much like other words to be looked for in running text.
const SHORTEST: usize = 3;
/// Fields of acts that name people, places and events.
const NAMING: [&str; 12] = [
    "name",
    "site",
    "white",
    "black",
    "names",
    "account",
    "club",
    "who",
    "place",
    "organiser",
    "chief_arbiter",
    "fide_id",
];

/// Who is known to a store, and what he is called instead.
#[derive(Clone, Debug, Default)]
pub struct Veil {
    /// Longest first: a part of a name is no name of its own.
    names: Vec<(String, String)>,
}

impl Veil {
    /// Everybody who stands in a store: players, who did something, and who gave orders in these
    /// scripts. Of a name that has several parts each part stands for the whole.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn of<'s>(
        store: &Store,
        scripts: impl Iterator<Item = &'s str>,
    ) -> Result<Veil, StoreError> {
        let mut people = BTreeSet::new();
        for row in store.games()? {
            people.extend([
                row.tags.white,
                row.tags.black,
                row.tags.event,
                row.tags.site,
            ]);
        }
        for deed in store.deeds()?.sound {
            let what = serde_json::from_str(&deed.what).unwrap_or_default();
            named_in(&what, &mut people);
            people.insert(deed.author.who);
        }
        let orders = scripts
            .flat_map(str::lines)
            .filter(|line| line.contains("\"author\""));
        for line in orders {
            let order: Value = serde_json::from_str(line).unwrap_or_default();
            people.extend(order["author"].as_str().map(str::to_owned));
        }
        Ok(Veil::new(people))
    }

    fn new(people: BTreeSet<String>) -> Veil {
        let people = people
            .into_iter()
            .filter(|name| name.chars().count() >= SHORTEST);
        let mut names = Vec::new();
        for (n, name) in people.enumerate() {
            let instead = format!("Person-{}", n + 1);
            if let Some((family, given)) = name.split_once(", ") {
                names.push((format!("{given} {family}"), instead.clone()));
            }
            let parts = name.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '\''));
            let parts = parts.filter(|part| part.chars().count() >= SHORTEST);
            names.extend(parts.map(|part| (part.to_owned(), instead.clone())));
            names.push((name, instead));
        }
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        names.dedup_by(|a, b| a.0 == b.0);
        Veil { names }
    }

    /// Running text without names and addresses.
    pub fn over(&self, text: &str) -> String {
        let mut veiled = text.to_owned();
        for (name, instead) in &self.names {
            veiled = replaced(&veiled, name, instead);
        }
        line::without_places(&veiled)
    }

    /// An event script: who gave an order is the only name in it.
    pub fn over_script(&self, script: &str) -> String {
        let mut text = String::new();
        for line in script.lines() {
            let mut event: Value = serde_json::from_str(line).unwrap_or_default();
            if let Some(author) = event.get_mut("author") {
                *author = self.instead_of(author.as_str().unwrap_or_default()).into();
                text.push_str(&event.to_string());
            } else {
                text.push_str(line);
            }
            text.push('\n');
        }
        text
    }

    /// A configuration: what names people and places goes, everything else stays as it is written.
    pub fn over_configuration(&self, text: &str) -> String {
        let mut veiled = String::new();
        for line in configuration::without_names(text).lines() {
            veiled.push_str(&self.over(line));
            veiled.push('\n');
        }
        veiled
    }

    fn instead_of(&self, name: &str) -> &str {
        let known = self.names.iter().find(|(known, _)| known == name);
        known.map_or("Person", |(_, instead)| instead)
    }
}

/// The names in an act, wherever they stand.
fn named_in(what: &Value, people: &mut BTreeSet<String>) {
    match what {
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(text) if NAMING.contains(&key.as_str()) => {
                        people.insert(text.clone());
                    }
                    Value::Number(number) if key == "fide_id" => {
                        people.insert(number.to_string());
                    }
                    value => named_in(value, people),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| named_in(value, people)),
        _ => {}
    }
}

/// `text` with `instead` for every `name` that is a word of its own, or several.
fn replaced(text: &str, name: &str, instead: &str) -> String {
    let (mut done, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let part_of_word =
            before.ends_with(char::is_alphanumeric) || after.starts_with(char::is_alphanumeric);
        done.push_str(before);
        done.push_str(if part_of_word { name } else { instead });
        rest = after;
    }
    done.push_str(rest);
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    fn veil() -> Veil {
        let people = ["Carlsen, Magnus", "Ann", "Ada", "Lee", "Bo, Xi"];
        Veil::new(people.map(str::to_owned).into())
    }

    #[test]
    fn nobody_is_named_in_a_log() {
        let log = "12:30:05.120 b01: Carlsen, Magnus pressed; Magnus looked. \
                   Annotated by Ann (10.0.0.7:51234, fe80::1), asked by Xi Bo";
        assert_eq!(
            veil().over(log),
            "12:30:05.120 b01: Person-4 pressed; Person-4 looked. \
             Annotated by Person-2 (ADDRESS:51234, ADDRESS), asked by Person-3"
        );
        assert_eq!(
            veil().over("console at http://127.0.0.1:8080/"),
            "console at http://127.0.0.1:8080/"
        );
    }

    #[test]
    fn acts_tell_who_is_not_to_be_named() {
        let what = serde_json::json!({
            "act": "open",
            "details": {"name": "Elm Open", "chief_arbiter": "Vale, Umberto", "start": "2026"},
            "players": [{"name": "Ek, Freja", "fide_id": 24_654_444, "number": 4}],
        });
        let mut people = BTreeSet::new();
        named_in(&what, &mut people);
        assert_eq!(
            Vec::from_iter(people),
            ["24654444", "Ek, Freja", "Elm Open", "Vale, Umberto"]
        );
    }

    #[test]
    fn a_script_keeps_all_but_who_gave_the_order() {
        let script = "{\"event\":\"press\",\"at\":5,\"by\":\"white\"}\n\
                      {\"event\":\"arbiter\",\"at\":9,\"action\":\"pause\",\"author\":\"Ada\"}\n";
        let veiled = veil().over_script(script);
        assert!(veiled.starts_with("{\"event\":\"press\",\"at\":5,\"by\":\"white\"}\n"));
        assert!(
            veiled.contains("\"author\":\"Person-1\"") && !veiled.contains("Ada"),
            "{veiled}"
        );
    }

    #[test]
    fn a_configuration_keeps_all_but_names() {
        let text = "[event]\nname = \"Club\"\nround = 3\n\
                    [[board]]\nid = \"b01\"\nwhite = \"Lee\"\n# Lee's board\n";
        let veiled = veil().over_configuration(text);
        assert_eq!(
            veiled,
            "[event]\nname = \"taken out\"\nround = 3\n\
             [[board]]\nid = \"b01\"\nwhite = \"taken out\"\n# Person-5's board\n"
        );
    }
}

//! A TOML text that is read key by key, so that everything wrong with it is said at once.

use std::fmt;
use std::ops::Range;

use serde::de::{DeserializeOwned, IntoDeserializer};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One thing that is wrong with a configuration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Problem {
    /// The line, counted from 1; 0 when it is about the file.
    pub line: usize,
    /// The key, such as `board.port`; empty when it is about the text as such.
    pub key: String,
    /// What is wrong and what to do.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.key.is_empty() {
            f.write_str(&self.what)
        } else {
            write!(f, "`{}`: {}", self.key, self.what)
        }
    }
}

/// The text, and what was found wrong with it so far.
pub(super) struct Sheet<'t> {
    text: &'t str,
    pub(super) problems: Vec<Problem>,
}

/// A value and the line it stands on.
pub(super) struct Found<T> {
    pub(super) value: T,
    pub(super) line: usize,
}

/// One table of the sheet, whose keys are taken out one by one.
pub(super) struct Section<'t> {
    name: &'static str,
    /// The line of its heading.
    pub(super) line: usize,
    left: DeTable<'t>,
    known: Vec<&'static str>,
}

impl<'t> Sheet<'t> {
    /// Reads the text as TOML. `None` when it is none; the problems say where.
    pub(super) fn open(text: &'t str) -> (Sheet<'t>, Option<Section<'t>>) {
        let mut sheet = Sheet {
            text,
            problems: Vec::new(),
        };
        let (root, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            let line = sheet.line(error.span().unwrap_or_default());
            sheet.blame(line, String::new(), one_line(error.message()));
        }
        let root = errors.is_empty().then(|| Section {
            name: "",
            line: 1,
            left: root.into_inner(),
            known: Vec::new(),
        });
        (sheet, root)
    }

    /// Notes a problem.
    pub(super) fn blame(&mut self, line: usize, key: impl Into<String>, what: impl Into<String>) {
        self.problems.push(Problem {
            line,
            key: key.into(),
            what: what.into(),
        });
    }

    fn line(&self, span: Range<usize>) -> usize {
        let before = self.text.as_bytes().get(..span.start).unwrap_or_default();
        before.iter().filter(|byte| **byte == b'\n').count() + 1
    }

    /// The table `key` of `parent`, if it is there.
    pub(super) fn section(
        &mut self,
        parent: &mut Section<'t>,
        key: &'static str,
    ) -> Option<Section<'t>> {
        let value = parent.remove(key)?;
        self.as_section(key, value)
    }

    /// Every table of the array of tables `key`.
    pub(super) fn sections(
        &mut self,
        parent: &mut Section<'t>,
        key: &'static str,
    ) -> Vec<Section<'t>> {
        let Some(value) = parent.remove(key) else {
            return Vec::new();
        };
        let line = self.line(value.span());
        let DeValue::Array(array) = value.into_inner() else {
            self.blame(
                line,
                key,
                format!("write `[[{key}]]` with two brackets, once for each {key}"),
            );
            return Vec::new();
        };
        array
            .into_iter()
            .filter_map(|value| self.as_section(key, value))
            .collect()
    }

    fn as_section(
        &mut self,
        name: &'static str,
        value: Spanned<DeValue<'t>>,
    ) -> Option<Section<'t>> {
        let line = self.line(value.span());
        match value.into_inner() {
            DeValue::Table(left) => Some(Section {
                name,
                line,
                left,
                known: Vec::new(),
            }),
            other => {
                self.blame(
                    line,
                    name,
                    format!("expected a table, `[{name}]`, found {}", other.type_str()),
                );
                None
            }
        }
    }

    /// The value of `key`, if it is there and is what it should be.
    pub(super) fn take<T: DeserializeOwned>(
        &mut self,
        section: &mut Section<'t>,
        key: &'static str,
    ) -> Option<Found<T>> {
        let value = section.remove(key)?;
        let line = self.line(value.span());
        match T::deserialize(value.into_deserializer()) {
            Ok(value) => Some(Found { value, line }),
            Err(error) => {
                let line = error.span().map_or(line, |span| self.line(span));
                self.blame(line, section.path(key), one_line(error.message()));
                None
            }
        }
    }

    /// The value of `key`, or `default`.
    pub(super) fn take_or<T: DeserializeOwned>(
        &mut self,
        section: &mut Section<'t>,
        key: &'static str,
        default: T,
    ) -> T {
        self.take(section, key).map_or(default, |found| found.value)
    }

    /// Complains of the keys that nobody took.
    pub(super) fn close(&mut self, section: Section<'t>) {
        for key in section.left.keys() {
            let line = self.line(key.span());
            let path = section.path(key.get_ref());
            self.blame(
                line,
                path,
                format!("no such key; known here: {}", section.known.join(", ")),
            );
        }
    }
}

impl<'t> Section<'t> {
    /// The full name of a key.
    pub(super) fn path(&self, key: &str) -> String {
        if self.name.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.name)
        }
    }

    fn remove(&mut self, key: &'static str) -> Option<Spanned<DeValue<'t>>> {
        self.known.push(key);
        self.left.remove(key)
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

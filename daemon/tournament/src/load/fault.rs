//! What is wrong with a file, and where.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// How many faults of a file are told; a file of garbage has one in every line.
const TOLD: usize = 200;

/// What is wrong, as an English sentence, and as data for other languages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct What {
    kind: &'static str,
    with: BTreeMap<&'static str, String>,
    text: String,
}

impl What {
    /// A kind, its sentence, and what stands in that.
    pub fn new<const N: usize>(
        kind: &'static str,
        text: String,
        with: [(&'static str, String); N],
    ) -> What {
        let with = BTreeMap::from(with);
        What { kind, with, text }
    }

    /// With what stands in its sentence.
    pub(crate) fn with(mut self, with: &[(&'static str, String)]) -> What {
        self.with.extend(with.iter().cloned());
        self
    }

    /// The same in other words, and as another kind: its own stands there as `what`.
    pub(super) fn within(
        mut self,
        kind: &'static str,
        with: &[(&'static str, String)],
        text: String,
    ) -> What {
        self.with.insert("what", self.kind.to_owned());
        What { kind, text, ..self }.with(with)
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What is wrong with a file: its kind, by a name that stays, its sentence, and each value that
/// stands in that, by its name.
#[macro_export]
macro_rules! what {
    ($kind:literal, $text:literal $(, $name:ident = $value:expr)* $(,)?) => {{
        $(let $name = ($value).to_string();)*
        let text = format!($text);
        $crate::load::What::new($kind, text, [$((stringify!($name), $name)),*])
    }};
}

/// One thing that cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Fault {
    /// It is in the file that has the players, beside that with the pairings.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub of_players: bool,
    /// The sheet of a workbook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// The line or row, from 1.
    pub line: usize,
    /// The column, from 1: of characters, in tables of fields.
    pub column: usize,
    /// What is wrong, in English.
    pub text: String,
    /// The same for whoever says it in another language: by a name that stays, such as `no-number`.
    pub kind: String,
    /// What stands in its sentence, each by its name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub with: BTreeMap<String, String>,
}

impl Fault {
    /// The same of a round before the one that is read, of which it changes nothing.
    pub(super) fn of_round_before(mut self, round: u16) -> Fault {
        let text = format!("round {round}: {}; nothing is made of it", self.text);
        self.with.insert("in-round".to_owned(), round.to_string());
        self.within("of-round-before", text)
    }

    /// The same in other words, and as another kind: its own stands there as `what`.
    fn within(mut self, kind: &str, text: String) -> Fault {
        self.with.insert("what".to_owned(), self.kind);
        (self.kind, self.text) = (kind.to_owned(), text);
        self
    }

    /// Something that is wrong at a line and a column.
    pub fn new(line: usize, column: usize, what: What) -> Fault {
        let What { kind, with, text } = what;
        let with = with.into_iter();
        Fault {
            of_players: false,
            sheet: None,
            line,
            column,
            text,
            kind: kind.to_owned(),
            with: with.map(|(name, value)| (name.to_owned(), value)).collect(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault {
            of_players,
            sheet,
            line,
            column,
            text,
            ..
        } = self;
        if *of_players {
            write!(f, "the file of the players, ")?;
        }
        match sheet {
            Some(sheet) => write!(f, "sheet {sheet}, row {line}, column {column}: {text}"),
            None => write!(f, "line {line}, column {column}: {text}"),
        }
    }
}

/// A file that cannot be used, and what is wrong with it: all of it, or the first 200 faults.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, thiserror::Error)]
pub struct Unreadable(pub Vec<Fault>);

impl Unreadable {
    pub(crate) fn one(line: usize, column: usize, what: What) -> Unreadable {
        let mut wrong = Unreadable(Vec::new());
        wrong.add(line, column, what);
        wrong
    }

    /// The value, where nothing is wrong.
    ///
    /// # Errors
    /// Where something is.
    pub fn unless<T>(self, value: T) -> Result<T, Unreadable> {
        if self.0.is_empty() {
            Ok(value)
        } else {
            Err(self)
        }
    }

    /// Tells something that is wrong at a line and a column.
    pub fn add(&mut self, line: usize, column: usize, what: What) {
        if self.0.len() < TOLD {
            self.0.push(Fault::new(line, column, what));
        }
    }

    /// The same of the file that has the players.
    #[must_use]
    pub fn of_players(mut self) -> Unreadable {
        self.0.iter_mut().for_each(|fault| fault.of_players = true);
        self
    }

    /// The same of a sheet of a workbook.
    pub(super) fn of_sheet(mut self, name: &str) -> Unreadable {
        for fault in &mut self.0 {
            fault.sheet = Some(name.to_owned());
        }
        self
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, fault) in self.0.iter().enumerate() {
            let end = if n == 0 { "" } else { "\n" };
            write!(f, "{end}{fault}")?;
        }
        Ok(())
    }
}

//! What is wrong with a file, and where.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// How many faults of a file are told; a file of garbage has one in every line.
const TOLD: usize = 200;

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
    /// What is wrong.
    pub text: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault {
            of_players,
            sheet,
            line,
            column,
            text,
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
    pub(crate) fn one(line: usize, column: usize, text: impl Into<String>) -> Unreadable {
        let mut wrong = Unreadable(Vec::new());
        wrong.add(line, column, text);
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
    pub fn add(&mut self, line: usize, column: usize, text: impl Into<String>) {
        if self.0.len() < TOLD {
            self.0.push(Fault {
                of_players: false,
                sheet: None,
                line,
                column,
                text: text.into(),
            });
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

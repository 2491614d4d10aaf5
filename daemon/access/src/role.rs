//! Roles, the tables they are for, and who somebody is.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rights::{Reach, Right, reach};

/// What somebody is in the tournament.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The chief arbiter.
    Chief,
    /// An arbiter of some tables.
    Sector,
    /// Looks after boards and the broadcast.
    Operator,
    /// Somebody who watches.
    Viewer,
    /// A screen on the wall or at a table.
    Display,
}

impl Role {
    /// All, the one with most rights first.
    pub const ALL: [Role; 5] = [
        Role::Chief,
        Role::Sector,
        Role::Operator,
        Role::Viewer,
        Role::Display,
    ];

    /// Its name in files, commands and the interface.
    pub fn name(self) -> &'static str {
        match self {
            Role::Chief => "chief",
            Role::Sector => "sector",
            Role::Operator => "operator",
            Role::Viewer => "viewer",
            Role::Display => "display",
        }
    }

    /// The same with its article, for sentences.
    pub fn one(self) -> &'static str {
        match self {
            Role::Chief => "a chief",
            Role::Sector => "a sector",
            Role::Operator => "an operator",
            Role::Viewer => "a viewer",
            Role::Display => "a display",
        }
    }

    /// Whether it may only watch, so that a device may be let in without being looked at.
    pub fn only_watches(self) -> bool {
        matches!(self, Role::Viewer | Role::Display)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// There is no such role.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no role: chief, sector, operator, viewer or display")]
pub struct BadRole(String);

impl FromStr for Role {
    type Err = BadRole;

    fn from_str(name: &str) -> Result<Role, BadRole> {
        let role = Role::ALL.into_iter().find(|role| role.name() == name);
        role.ok_or_else(|| BadRole(name.to_owned()))
    }
}

/// Tables that follow each other, such as `1-10`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(into = "String", try_from = "String")]
#[schemars(with = "String")]
pub struct Tables {
    first: u32,
    last: u32,
}

impl Tables {
    /// Whether this is one of them.
    pub fn include(self, table: u32) -> bool {
        (self.first..=self.last).contains(&table)
    }

    /// Whether one of them is one of those.
    pub fn meet(self, other: Tables) -> bool {
        self.first <= other.last && other.first <= self.last
    }
}

impl fmt::Display for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.first, self.last)
    }
}

/// That names no tables.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` names no tables: write the first and the last, such as 1-10")]
pub struct BadTables(String);

impl FromStr for Tables {
    type Err = BadTables;

    fn from_str(text: &str) -> Result<Tables, BadTables> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let number = |text: &str| text.trim().parse::<u32>().ok().filter(|number| *number > 0);
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => Ok(Tables { first, last }),
            _ => Err(BadTables(text.to_owned())),
        }
    }
}

impl TryFrom<String> for Tables {
    type Error = BadTables;

    fn try_from(text: String) -> Result<Tables, BadTables> {
        text.parse()
    }
}

impl From<Tables> for String {
    fn from(tables: Tables) -> String {
        tables.to_string()
    }
}

/// Somebody, as far as rights go.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Who {
    /// The name of the account, or of the device.
    pub name: String,
    /// What he is.
    pub role: Role,
    /// The tables he is for; `null`: all, or none where the role rules at some only.
    pub tables: Option<Tables>,
}

impl Who {
    /// Whether he has this right at `table`; at any table at all where that is `None`.
    pub fn may(&self, right: Right, table: Option<u32>) -> bool {
        match reach(self.role, right) {
            Reach::None => false,
            Reach::All => true,
            Reach::Own => match (self.tables, table) {
                (Some(tables), Some(table)) => tables.include(table),
                (Some(_), None) => true,
                // A screen that was given no tables shows them all; whoever rules has his own.
                (None, _) => self.role.only_watches(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_as_they_are_written() {
        for text in ["1-10", "7-7"] {
            assert_eq!(text.parse::<Tables>().unwrap().to_string(), text);
        }
        assert_eq!("7".parse::<Tables>().unwrap().to_string(), "7-7");
        for bad in ["", "-", "0-3", "5-4", "a-b", "1-2-3", "-3"] {
            assert!(bad.parse::<Tables>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_sector_arbiter_rules_in_his_sector_only() {
        let who = Who {
            name: "Ada".to_owned(),
            role: Role::Sector,
            tables: "3-5".parse().ok(),
        };
        let ruled: Vec<u32> = (1..=7).filter(|t| who.may(Right::Rule, Some(*t))).collect();
        assert_eq!(ruled, [3, 4, 5]);
        let nowhere = Who {
            tables: None,
            ..who.clone()
        };
        assert!(!nowhere.may(Right::Rule, Some(3)) && !nowhere.may(Right::Rule, None));
        assert!(nowhere.may(Right::Findings, Some(9)));
    }

    #[test]
    fn a_screen_without_tables_shows_them_all() {
        let screen = |tables: &str| Who {
            name: "door".to_owned(),
            role: Role::Display,
            tables: tables.parse().ok(),
        };
        let shown = |who: Who| [1, 9].map(|table| who.may(Right::Boards, Some(table)));
        assert_eq!(shown(screen("1-4")), [true, false]);
        assert_eq!(shown(screen("")), [true, true]);
        assert!(!screen("").may(Right::Findings, Some(1)) && !screen("").may(Right::Games, None));
    }
}

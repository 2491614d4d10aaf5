//! The file: what a scenario states, and which end applies to which variant.

use std::collections::BTreeMap;
use std::path::Path;

use arbiter_core::SensorClass;
use arbiter_core::input::{Edition, TimeClass};
use arbiter_core::settings::Settings;
use serde::Deserialize;

use super::condition::{Condition, Span};
use super::variant::Variant;

/// One scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// One line.
    pub title: String,
    /// The article it is about, as numbered in 2023; also the name of its directory.
    pub article: String,
    /// The ruled cases of `cases.toml` that it decides.
    #[serde(default)]
    pub case: OneOrMore<String>,
    /// Why the ruling is right, in our own words.
    pub why: String,
    /// The editions of the Laws it is run for; the newest when absent.
    #[serde(default)]
    pub laws: Laws,
    /// The sensor classes it is run for.
    pub sensor: Vec<SensorClass>,
    /// With a clock (default), without, or both.
    #[serde(default = "only_yes")]
    pub clock: OneOrMore<bool>,
    /// The classes of play; standard when absent.
    #[serde(default = "only_standard")]
    pub class: OneOrMore<TimeClass>,
    /// Whether play is adequately supervised (default), is not, or each in turn. Standard play
    /// always is.
    #[serde(default = "only_yes")]
    pub supervised: OneOrMore<bool>,
    /// Castling as in Chess960.
    #[serde(default)]
    pub chess960: bool,
    /// Whether the board is read by whole states.
    #[serde(default)]
    pub polled: bool,
    /// The position the arbiter is given; the initial one when absent.
    pub fen: Option<String>,
    /// What really stands on the board, when that is not `fen`.
    pub stands: Option<String>,
    /// Settings that differ from the default.
    #[serde(default)]
    pub options: Settings,
    /// `false`: never mirrored left to right.
    #[serde(default = "yes")]
    pub mirror: bool,
    /// What happens, line by line.
    pub play: String,
    /// What the record holds at the end.
    pub end: Ends,
}

fn yes() -> bool {
    true
}

fn only_yes() -> OneOrMore<bool> {
    OneOrMore::One(true)
}

fn only_standard() -> OneOrMore<TimeClass> {
    OneOrMore::One(TimeClass::Standard)
}

/// A value, or a list to run one after the other.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum OneOrMore<T> {
    /// Only this.
    One(T),
    /// Each of these.
    Each(Vec<T>),
}

impl<T> Default for OneOrMore<T> {
    fn default() -> OneOrMore<T> {
        OneOrMore::Each(Vec::new())
    }
}

impl<T: Clone> OneOrMore<T> {
    /// The values in order.
    pub fn each(&self) -> Vec<T> {
        match self {
            OneOrMore::One(value) => vec![value.clone()],
            OneOrMore::Each(values) => values.clone(),
        }
    }
}

/// Editions: `"all"`, `"2014+"`, `"1997-2009"`, or a list of such.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "OneOrMore<String>")]
pub struct Laws(Vec<Span>);

impl TryFrom<OneOrMore<String>> for Laws {
    type Error = String;

    fn try_from(written: OneOrMore<String>) -> Result<Laws, String> {
        written
            .each()
            .iter()
            .map(|text| Span::parse(text))
            .collect::<Result<_, _>>()
            .map(Laws)
    }
}

impl Default for Laws {
    fn default() -> Laws {
        Laws(vec![Span::parse("2023").expect("2023 is an edition")])
    }
}

impl Laws {
    /// The editions, oldest first.
    pub fn editions(&self) -> Vec<Edition> {
        Edition::ALL
            .into_iter()
            .filter(|e| self.0.iter().any(|span| span.contains(*e)))
            .collect()
    }
}

/// The `[end]` table and its overrides, such as `[end.occupancy]` or `[end.1997-2009-clockless]`.
#[derive(Clone, Debug, Deserialize)]
pub struct Ends {
    /// What holds for every variant.
    #[serde(flatten)]
    parts: BTreeMap<String, toml::Value>,
}

/// One table of expectations; what it leaves out is taken from the table above it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// The whole record, UCI moves separated by blanks; ` | ` between records that are equally
    /// right.
    pub moves: Option<String>,
    /// `*`, or result and reason, as `1-0 checkmate`, with `proposed` when a human must confirm it.
    pub result: Option<String>,
    /// The last position; only the fields given are compared; ` | ` as in `moves`.
    pub fen: Option<String>,
    /// Every irregularity that was not withdrawn: `CODE by COLOUR CERTAINTY`.
    pub irregularities: Option<Vec<String>>,
    /// Every doubt that was told: `KIND PLY`, or `KIND` where its ply is a matter of taste.
    pub doubts: Option<Vec<String>>,
    /// Plies still in doubt.
    pub unresolved: Option<Vec<u64>>,
    /// Irregularities told and withdrawn again, by code.
    pub withdrawn: Option<Vec<String>>,
    /// Irregularities and doubts that may be told and need not be: the Laws leave them to taste.
    /// `withdrawn CODE`: told and withdrawn again.
    pub may: Option<Vec<String>>,
}

impl Ends {
    /// The end that applies to `variant`: the common table, overridden by those whose every
    /// condition holds.
    pub fn of(&self, variant: Variant) -> Result<End, String> {
        let (tables, common): (Vec<_>, Vec<_>) = self.parts.iter().partition(|(_, v)| v.is_table());
        let common: toml::Table = common
            .into_iter()
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect();
        let mut end = read("end", common.into())?;
        let mut overrides = Vec::new();
        for (key, value) in tables {
            let name = format!("end.{key}");
            let condition = Condition::parse(key).map_err(|e| format!("[{name}]: {e}"))?;
            let part = read(&name, value.clone())?;
            if condition.admits(variant) {
                overrides.push((condition.words(), part));
            }
        }
        overrides.sort_by_key(|(words, _)| *words);
        for (_, part) in overrides {
            end = part.over(end);
        }
        Ok(end)
    }
}

fn read(name: &str, value: toml::Value) -> Result<End, String> {
    value.try_into().map_err(|e| format!("[{name}]: {e}"))
}

impl End {
    fn over(self, below: End) -> End {
        End {
            moves: self.moves.or(below.moves),
            result: self.result.or(below.result),
            fen: self.fen.or(below.fen),
            irregularities: self.irregularities.or(below.irregularities),
            doubts: self.doubts.or(below.doubts),
            unresolved: self.unresolved.or(below.unresolved),
            withdrawn: self.withdrawn.or(below.withdrawn),
            may: self.may.or(below.may),
        }
    }
}

impl Scenario {
    /// Reads a file; `Err` names it and says what is wrong.
    pub fn load(path: &Path) -> Result<Scenario, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let scenario: Scenario =
            toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        let directory = path
            .parent()
            .and_then(Path::file_name)
            .and_then(|n| n.to_str());
        if directory != Some(scenario.article.as_str()) {
            return Err(format!(
                "{}: article `{}` is not its directory's name",
                path.display(),
                scenario.article
            ));
        }
        Ok(scenario)
    }

    /// The classes of play, each with its supervision.
    pub fn manners(&self) -> Vec<(TimeClass, bool)> {
        let mut manners = Vec::new();
        for class in self.class.each() {
            let supervised = if class == TimeClass::Standard {
                vec![true]
            } else {
                self.supervised.each()
            };
            manners.extend(supervised.into_iter().map(|s| (class, s)));
        }
        manners
    }

    /// Whether castling has a part in it: such a scenario has no left-right mirror image.
    pub fn involves_castling(&self) -> bool {
        if self.chess960 {
            return true;
        }
        if self.article == "3.8.2" || self.article.starts_with("4.4.") && self.article != "4.4.4" {
            return true;
        }
        const CASTLING: [&str; 4] = ["e1g1", "e1c1", "e8g8", "e8c8"];
        let ends = self
            .end
            .parts
            .values()
            .map(toml::Value::to_string)
            .collect::<String>();
        CASTLING
            .iter()
            .any(|m| self.play.contains(m) || ends.contains(m))
    }
}

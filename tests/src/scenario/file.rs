//! The file: what a scenario states, and which end applies to which variant.

use std::collections::BTreeMap;
use std::path::Path;

use arbiter_core::SensorClass;
use arbiter_core::input::TimeClass;
use arbiter_core::settings::Settings;
use serde::Deserialize;

use super::variant::Variant;

/// One scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// One line.
    pub title: String,
    /// The article it is about; also the name of its directory.
    pub article: String,
    /// Why the ruling is right, in our own words.
    pub why: String,
    /// The sensor classes it is run for.
    pub sensor: Vec<SensorClass>,
    /// With a clock (default), without, or both.
    #[serde(default)]
    pub clock: Clock,
    /// The class of play.
    #[serde(default)]
    pub class: TimeClass,
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

/// Whether a clock is connected: one answer or both.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Clock {
    /// Only so.
    One(bool),
    /// Each of these.
    Each(Vec<bool>),
}

impl Default for Clock {
    fn default() -> Clock {
        Clock::One(true)
    }
}

impl Clock {
    /// The answers to run.
    pub fn answers(&self) -> Vec<bool> {
        match self {
            Clock::One(answer) => vec![*answer],
            Clock::Each(answers) => answers.clone(),
        }
    }
}

/// The `[end]` table and its overrides, such as `[end.occupancy]` or `[end.piece-clockless]`.
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
    /// The whole record, UCI moves separated by blanks; ` | ` between records that are equally right.
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
    pub may: Option<Vec<String>>,
}

const CONDITIONS: [&str; 5] = ["occupancy", "colour", "piece", "clock", "clockless"];

impl Ends {
    /// The end that applies to `variant`: the common table, overridden by those whose every condition holds.
    pub fn of(&self, variant: Variant) -> Result<End, String> {
        let (tables, common): (Vec<_>, Vec<_>) = self.parts.iter().partition(|(_, v)| v.is_table());
        let common: toml::Table = common.into_iter().map(|(k, v)| (k.clone(), v.clone())).collect();
        let mut end = read("end", common.into())?;
        let mut overrides = Vec::new();
        for (key, value) in tables {
            let conditions: Vec<&str> = key.split('-').collect();
            if let Some(unknown) = conditions.iter().find(|c| !CONDITIONS.contains(c)) {
                return Err(format!("[end.{key}]: `{unknown}` is not one of {}", CONDITIONS.join(", ")));
            }
            let part = read(&format!("end.{key}"), value.clone())?;
            if conditions.iter().all(|c| variant.is(c)) {
                overrides.push((conditions.len(), part));
            }
        }
        overrides.sort_by_key(|(conditions, _)| *conditions);
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
        let scenario: Scenario = toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        let directory = path.parent().and_then(Path::file_name).and_then(|n| n.to_str());
        if directory != Some(scenario.article.as_str()) {
            return Err(format!("{}: article `{}` is not its directory's name", path.display(), scenario.article));
        }
        Ok(scenario)
    }

    /// Whether castling has a part in it: such a scenario has no left-right mirror image.
    pub fn involves_castling(&self) -> bool {
        if self.article == "3.8.2" || self.article.starts_with("4.4.") && self.article != "4.4.4" {
            return true;
        }
        const CASTLING: [&str; 4] = ["e1g1", "e1c1", "e8g8", "e8c8"];
        let ends = self.end.parts.values().map(toml::Value::to_string).collect::<String>();
        CASTLING.iter().any(|m| self.play.contains(m) || ends.contains(m))
    }
}

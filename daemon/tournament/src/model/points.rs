//! What results are worth.

use std::borrow::Cow;
use std::fmt;

use chess_trf::{MatchScoring, Scoring, Tenths};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::code::ResultCode;

/// Points, written as `2.5`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Points(pub Tenths);

impl Points {
    pub(super) fn plus(self, other: Points) -> Points {
        Points(Tenths(self.0.0.saturating_add(other.0.0)))
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl JsonSchema for Points {
    fn schema_name() -> Cow<'static, str> {
        "Points".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Points, with one decimal",
            "type": "string",
            "pattern": "^[0-9]+\\.[0-9]$",
        })
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Points, D::Error> {
        let text = String::deserialize(deserializer)?;
        let points = Tenths::parse(&text).map(Points);
        points.ok_or_else(|| de::Error::custom(format!("`{text}` are no points, such as 2.5")))
    }
}

/// What a game is worth, and a match of teams. FIDE's values where nobody says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Worth {
    /// A game won, over the board or by forfeit; a full-point bye.
    pub win: Points,
    /// A game drawn; a half-point bye.
    pub draw: Points,
    /// A game lost over the board.
    pub loss: Points,
    /// Absence, announced or not.
    pub absence: Points,
    /// The bye that the pairing gives.
    pub bye: Points,
    /// Match points for a match won,
    pub match_won: Points,
    /// for one drawn,
    pub match_drawn: Points,
    /// and for one lost.
    pub match_lost: Points,
}

impl Default for Worth {
    fn default() -> Worth {
        Worth::of(&Scoring::default(), &MatchScoring::default())
    }
}

impl Worth {
    /// As a report file says.
    pub(crate) fn of(games: &Scoring, matches: &MatchScoring) -> Worth {
        Worth {
            win: Points(games.win),
            draw: Points(games.draw),
            loss: Points(games.loss),
            absence: Points(games.absence),
            bye: Points(games.pairing_bye.unwrap_or(games.win)),
            match_won: Points(matches.win),
            match_drawn: Points(matches.draw),
            match_lost: Points(matches.loss),
        }
    }

    /// What one side's result is worth.
    pub fn points(&self, code: ResultCode) -> Points {
        let scoring = Scoring {
            win: self.win.0,
            draw: self.draw.0,
            loss: self.loss.0,
            absence: self.absence.0,
            pairing_bye: Some(self.bye.0),
        };
        Points(scoring.of(code.0))
    }
}

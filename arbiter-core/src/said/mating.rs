//! Who can mate: the answer to a question of the arbiter's.

use serde::{Deserialize, Serialize};

/// Whether a player can mate by some series of legal moves of both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Mating {
    /// There is such a series.
    Can,
    /// It is proven that there is none.
    Cannot,
    /// Neither was found within the limits of the search.
    #[default]
    Unknown,
}

//! What a hall and its hub say to each other: JSON.

use access::Role;
use replica::{Batch, Hello, Word};
use serde::{Deserialize, Serialize};

use super::order::Order;
use crate::public::Rules;
use crate::store::Said;

/// How a hall shows its games to viewers: so its hub does.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Late {
    /// As the public sees them.
    pub rules: Rules,
    /// At least so late, in milliseconds.
    pub least: u64,
    /// With the names shortened of whoever is younger, in years.
    #[serde(default)]
    pub minors_under: Option<u8>,
}

/// What a hall says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FromHall {
    /// It introduces itself.
    Hello {
        /// Its journal.
        hello: Hello,
        /// The version of its program.
        version: String,
        /// From whom it takes orders.
        #[serde(default)]
        orders: Vec<Role>,
        /// How late its viewers see its games. Of a hall that has not said it viewers are shown
        /// nothing.
        #[serde(default)]
        late: Option<Late>,
    },
    /// Rows of its journal.
    Rows(Batch<Said>),
    /// It is there, every few seconds.
    Beat {
        /// Its clock, in milliseconds since 1970.
        utc: i64,
        /// The rows of its journal.
        head: u64,
    },
    /// What came of an order, in full. That it is so is in the journal.
    Answer {
        /// The order's name.
        order: String,
        /// A status of HTTP.
        status: u16,
        /// What the hall's interface said: JSON.
        body: String,
    },
}

/// Rows as a carrier keeps them for a hub that is away, with what the hall would say of itself.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Kept {
    /// Its journal.
    pub hello: Hello,
    /// The version of its program.
    pub version: String,
    /// The rows.
    pub rows: Batch<Said>,
}

/// The same, to be written.
#[derive(Serialize)]
pub(super) struct ToKeep<'a> {
    pub(super) hello: &'a Hello,
    pub(super) version: &'a str,
    pub(super) rows: &'a Batch<Said>,
}

/// What a hub says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToHall {
    /// About the journal.
    Word(Word),
    /// Somebody orders something.
    Order(Order),
}

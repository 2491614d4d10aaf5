//! How a hall's journal gets to a hub: the protocol, without IO. Time and whatever arrives are
//! arguments; what is to be done comes back.
//!
//! The journal of a hall is a list of rows. Its [`Publisher`] sends them in order, in batches, each
//! with the [`Place`] that it follows on. The hub's [`Consumer`] takes what follows on what it has,
//! and nothing else: rows it has are left out, and where some are missing it names its place and
//! the publisher goes there, back or forth. A place is named by the number of a row *and* by a mark
//! of chance that the row was given when it was written, so that two histories that have one number
//! in common are not taken for one.
//!
//! A carrier may keep what it is given, as a log that the hub reads when it likes. Then the hall
//! sends on while the hub is away, and a [`Chain`] sees to it that the log is in order.
//!
//! Only one thing is a promise: [`Word::Applied`], what the hub has committed on its own disk. What
//! a carrier between them says of delivery counts for nothing. It may lose, repeat, reorder and
//! forget; both sides may end and come back at any moment. In the end the hub has every row once.

mod chain;
mod consumer;
mod publisher;

use serde::{Deserialize, Serialize};

pub use chain::{Chain, Link, line_of, place_of};
pub use consumer::{Consumer, Greeted, Verdict};
pub use publisher::{BATCH, Input, Millis, Publisher, Todo};

/// A place in a journal: right after one of its rows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// Which journal: a name of chance that a store is given when it is made, and when it can no
    /// longer go on where a hub knows it.
    pub epoch: String,
    /// The number of the row, from 1; 0 is the place before the first.
    pub seq: u64,
    /// The mark of the row; 0 before the first.
    pub mark: i64,
}

impl Place {
    /// The place before the first row of a journal.
    pub fn start(epoch: &str) -> Place {
        Place {
            epoch: epoch.to_owned(),
            seq: 0,
            mark: 0,
        }
    }

    /// The place after the first `count` of these rows, which follow on this one.
    pub fn after<R>(&self, rows: &[Row<R>]) -> Place {
        Place {
            epoch: self.epoch.clone(),
            seq: self.seq + rows.len() as u64,
            mark: rows.last().map_or(self.mark, |row| row.mark),
        }
    }
}

/// A row of a journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Row<R> {
    /// Its mark.
    pub mark: i64,
    /// What it says.
    #[serde(flatten)]
    pub what: R,
}

/// Rows that follow on each other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Batch<R> {
    /// What the first of them follows on.
    pub after: Place,
    /// The rows.
    pub rows: Vec<Row<R>>,
}

/// How a hall introduces itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Hello {
    /// Its journal.
    pub epoch: String,
    /// What it was called before, the oldest name first.
    pub earlier: Vec<Earlier>,
    /// Its rows.
    pub head: u64,
}

/// What a journal was called before it was given another name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Earlier {
    /// The name.
    pub epoch: String,
    /// Why it was given another.
    pub why: Why,
}

/// Why a journal was given another name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// It was taken out of it what is said of people: no mirror may have that any longer.
    Erased,
    /// The store was repaired, or is an older copy: a mirror may have what it has not.
    Other,
}

/// What a hub says to a hall.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Word {
    /// The answer to a [`Hello`]: go on from here.
    Welcome(Place),
    /// Everything up to here is on the hub's disk.
    Applied(Place),
    /// What came does not follow on this, which is all that the hub has.
    Resend(Place),
    /// Nothing is taken of this journal.
    Refused {
        /// The journal.
        epoch: String,
        /// Why, in words.
        why: String,
    },
}

//! What is shown of halls and of their hub.

use access::Role;
use schemars::JsonSchema;
use serde::Serialize;

use super::message::Late;
use super::order::Dealt;

/// What a hall knows of its hub.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "HubOfHall")]
pub struct Sent {
    /// What this hall is called there.
    pub name: String,
    /// Where the hub is.
    pub address: String,
    /// There is a line to it.
    pub connected: bool,
    /// Why there is none, or why the hub takes nothing.
    pub fault: Option<String>,
    /// Rows of this hall's journal.
    pub rows: u64,
    /// Of these, what the hub has not yet said to have on its disk.
    pub behind: u64,
    /// The hub has everything up to then, in RFC 3339; `null` before it has said so.
    pub complete_to: Option<String>,
}

/// A hall as its hub shows it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "HallOfHub")]
pub struct HallShown {
    /// What it is called.
    pub name: String,
    /// There is a line to it.
    pub connected: bool,
    /// When it last said anything, in milliseconds since 1970.
    pub heard: Option<i64>,
    /// The version of its program.
    pub version: Option<String>,
    /// Rows of its journal on the hub's disk.
    pub rows: u64,
    /// Rows that it has written and the hub has not, as far as it has said so.
    pub behind: u64,
    /// When the last event that the hub has was written down in the hall, in milliseconds since
    /// 1970.
    pub written: Option<i64>,
    /// How much the hall's clock is before the hub's, in milliseconds, with the time of the line.
    pub clock_offset: Option<i64>,
    /// Why nothing is taken of it, in words.
    pub fault: Option<String>,
    /// The name of another store that calls itself by this hall's name: it can be accepted in the
    /// place of the one that is mirrored.
    pub stranger: Option<String>,
    /// What of the hub's event is not so in the hall, in words.
    pub event: Option<String>,
    /// How late its viewers see its games, if it has said so.
    #[serde(skip)]
    pub late: Option<Late>,
    /// Upon which decision of the hub it was ordered something last.
    #[serde(skip)]
    pub dealt: Dealt,
    /// Whose orders the hall takes from here.
    pub orders: Vec<Role>,
    /// Boards that have had a game.
    pub boards: usize,
    /// Games on these boards that go on.
    pub playing: usize,
    /// Findings on these boards that wait for an arbiter.
    pub open: usize,
}

impl HallShown {
    /// Whether the hub has all that the hall has written. While its mirror is filled anew, results
    /// and tables seem to be gone.
    pub(super) fn is_whole(&self) -> bool {
        self.behind == 0 && self.stranger.is_none()
    }
}

//! What the host's end of a language begins with.

use std::time::Instant;

use crate::orientation::Orientation;

use arbiter_core::Reading;

use crate::event::Mark;

/// What the host's end of a language begins with.
#[derive(Clone, PartialEq, Debug)]
pub struct Start {
    /// The moment.
    pub now: Instant,
    /// The evidence up to there is known from an earlier run of the program.
    pub resume: Option<Mark>,
    /// The serial number of the board whose evidence that is; empty where it is not known.
    pub serial: String,
    /// What every square read there.
    pub stood: Option<Reading>,
    /// Board milliseconds that pass in one of the world, for boards that cannot say it: 1 unless
    /// they are simulated.
    pub pace: f32,
    /// What was learned of the board in earlier runs of the program, as [`super::Learning::Done`]
    /// gave it.
    pub memory: Option<String>,
    /// How the board is said to lie.
    pub turned: Orientation,
}

impl Start {
    /// A board that nobody has heard before, in real time.
    pub fn new(now: Instant) -> Start {
        Start {
            now,
            resume: None,
            serial: String::new(),
            stood: None,
            pace: 1.0,
            memory: None,
            turned: Orientation::Upright,
        }
    }
}

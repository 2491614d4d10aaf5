//! A tournament beside its boards: who plays, who plays whom at which table, and how it ended.
//!
//! A [`Tournament`] is what a list of [`Act`]s makes of an empty one: whoever keeps the acts can
//! build it again. An act that cannot be is refused ([`Refusal`]) and changes nothing.
//!
//! [`load`] reads what pairing programs write into a [`Sheet`]; [`Plan`] says what would become of
//! it, before anything does; [`mod@write`] gives the results back.

mod act;
mod code;
mod details;
pub mod load;
mod model;
mod plan;
mod refusal;
pub mod write;

pub use act::Act;
pub use code::ResultCode;
pub use details::{birth, is_time_control, pgn_day};
pub use load::{Format, Sheet, Unreadable};
pub use model::{
    Break, ByeScore, ClockOf, Details, GivenTime, Halt, Halted, How, Lateness, Match, MatchScore,
    Note, Observed, Outcome, Pairing, Penalty, PenaltyTime, Player, Points, Publication, Round,
    Scope, Source, Stage, Start, Team, TeamBye, Tournament, Typed, Worth, rows,
};
pub use plan::{Change, MOST_ROUNDS, Oddity, Place, Plan, Unplanned, is_one_name, stood, told};
pub use refusal::Refusal;

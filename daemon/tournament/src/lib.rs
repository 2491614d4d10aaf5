//! A tournament beside its boards: who plays, who plays whom at which table, and how it ended.
//!
//! A [`Tournament`] is what a list of [`Act`]s makes of an empty one: whoever keeps the acts can
//! build it again. An act that cannot be is refused ([`Refusal`]) and changes nothing.
//!
//! [`load`] reads what pairing programs write into a [`Sheet`]; [`Plan`] says what would become of
//! it, before anything does; [`mod@write`] gives the results back.

mod act;
mod code;
pub mod load;
mod model;
mod plan;
mod refusal;
pub mod write;

pub use act::Act;
pub use code::ResultCode;
pub use load::{Format, Sheet, Unreadable};
pub use model::{
    Details, How, Match, MatchScore, Outcome, Pairing, Penalty, Player, Points, Round, Stage, Team,
    Tournament, Typed, Worth,
};
pub use plan::{Change, Oddity, Place, Plan};
pub use refusal::Refusal;

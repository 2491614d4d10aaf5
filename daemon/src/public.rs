//! What the public is shown, everywhere: one gate through which all of it passes.
//!
//! Arbiters see the hall as it is. Everybody else sees what the [`Gate`] lets through: moves as
//! late as the event wants them, nothing that is in doubt, no result that nobody has confirmed, and
//! nothing of what was found, of devices, or of a moment that the public has not come to yet.
//! Every outlet (files in a folder, addresses for those who fetch, a page, a service of its own)
//! stands on [`Shown`] and on nothing else.

mod candidate;
mod counts;
mod elsewhere;
mod folder;
mod follow;
mod gate;
mod kept;
mod line;
mod outlets;
mod page;
pub(crate) mod pgn;
mod programme;
mod rules;
mod said;
mod shown;
mod spot;
mod tree;
mod unseen;
mod used;

pub(crate) use candidate::held;
pub(crate) use counts::Counts;
pub(crate) use elsewhere::{Elsewhere, GameAt, There};
pub(crate) use follow::{Keeper, LOOK};
pub(crate) use pgn::WITH_ARBITER;
pub(crate) use spot::Spot;
pub(crate) use tree::{Leaf, Place, result};

pub use gate::{Change, Gate};
pub use outlets::OutletState;
pub use rules::{At, Delay, DelayPart, Hold, Results, Rules};
pub use shown::{Arrival, Correction, Kind, Outlet};
pub use shown::{Clocks, Late, Person, Ply, Programme, Round, Seats, Shown};

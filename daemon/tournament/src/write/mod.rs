//! Results, given back in the form that pairing programs read. What is not settled is left blank.

mod csv;
mod pgn;
mod res;
mod tags;
mod teams;
mod trf;

pub use csv::csv;
pub(crate) use csv::is_formula;
pub use pgn::pgn;
pub use res::res;
pub use tags::tags;
pub use trf::{Filled, TrfError, trf};

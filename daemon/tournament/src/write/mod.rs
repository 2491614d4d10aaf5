//! Results, given back in the form that pairing programs read. What is not settled is left blank.

mod csv;
mod tags;
mod trf;

pub use csv::csv;
pub use tags::tags;
pub use trf::{TrfError, trf};

//! Results, given back in the form that pairing programs read. What is not settled is left blank.

mod csv;
mod tags;
mod trf;

pub use csv::csv;
pub use tags::tags;
pub use trf::{TrfError, trf};

use crate::code::ResultCode;
use crate::model::Pairing;

/// How a pairing ended, if a person has said so, or the file did.
fn settled(pairing: &Pairing) -> Option<[ResultCode; 2]> {
    let outcome = pairing.outcome.as_ref();
    let counts = outcome.filter(|o| o.confirmed || o.how == crate::How::File);
    counts.map(|outcome| outcome.codes)
}

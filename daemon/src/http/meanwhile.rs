//! What was decided upon one result is not done where another stands by now: an order may have
//! waited for its line.

use std::collections::BTreeMap;

use crate::office::{Book, OfficeError};
use crate::reason::Reason;

/// What stood at tables when something was decided, as a round shows it; empty where nothing did.
pub(super) type Upon = BTreeMap<u16, String>;

/// Whether it stands so at all of them.
pub(super) fn is_upon(book: &Book, round: u16, upon: &Upon) -> Result<(), OfficeError> {
    for (table, stood) in upon {
        let stands = book.event.pairing(round, *table)?.written();
        let stands = stands.unwrap_or_default();
        if stands != *stood {
            return Err(OfficeError::unfit(other(*table, &stands)));
        }
    }
    Ok(())
}

fn other(table: u16, stands: &str) -> Reason {
    if stands.is_empty() {
        let text = format!("table {table} has no result any more; look at it again");
        return Reason::new("result-gone-meanwhile", text).with("table", table);
    }
    let text = format!("table {table} has the result {stands} by now; look at it again");
    let reason = Reason::new("result-meanwhile", text).with("table", table);
    reason.with("result", stands)
}

//! What was decided upon one result is not done where another stands by now, or one was entered and
//! taken back: an order may have waited for its line.

use std::collections::BTreeMap;

use crate::office::{Book, OfficeError, SaidWhat};
use crate::reason::Reason;

/// What stood at tables when something was decided, as a round shows it (`upon`).
pub(super) type Upon = BTreeMap<u16, String>;

/// What stands at a table with this result: that, and how often people have said something of it.
pub(super) fn stands(book: &Book, event: usize, seat: (u16, u16), result: Option<&str>) -> String {
    let (round, table) = seat;
    let said = book.results_said(event, round).iter();
    // That it is played later, or now, says nothing of how it ended.
    let is_of_result = |what| !matches!(what, SaidWhat::Postponed | SaidWhat::Resumed);
    let its = said.filter(|said| said.table == table && is_of_result(said.what));
    let count = its.count();
    format!("{}#{count}", result.unwrap_or_default())
}

/// Whether it stands so at all of them.
pub(super) fn is_upon(book: &Book, round: u16, upon: &Upon) -> Result<(), OfficeError> {
    // Whoever was shown nothing of what stands says nothing of it.
    let said = upon.iter().filter(|(_, stood)| !stood.is_empty());
    for (table, stood) in said {
        let result = book.event.pairing(round, *table)?.written();
        let now = stands(book, book.number(), (round, *table), result.as_deref());
        if now != *stood {
            return Err(OfficeError::unfit(other(*table, result, stood)));
        }
    }
    Ok(())
}

fn other(table: u16, result: Option<String>, stood: &str) -> Reason {
    let was = stood.rsplit_once('#').map_or(stood, |(was, _)| was);
    let reason = match &result {
        result if result.as_deref().unwrap_or_default() == was => {
            let text = format!(
                "the result of table {table} was entered or taken back meanwhile; look at it again"
            );
            Reason::new("result-said-meanwhile", text)
        }
        None => {
            let text = format!("table {table} has no result any more; look at it again");
            Reason::new("result-gone-meanwhile", text)
        }
        Some(stands) => {
            let text = format!("table {table} has the result {stands} by now; look at it again");
            Reason::new("result-meanwhile", text).with("result", stands.as_str())
        }
    };
    reason.with("table", table)
}

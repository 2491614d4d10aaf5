//! Boards that send what every square reads become boards that report changes.

use arbiter_core::shakmaty::Square;
use arbiter_core::{Reading, Symbol};

use crate::event::Report;

/// The squares that read differently in `after`, and how: one scan, so without an order.
pub fn diff(before: &Reading, after: &Reading) -> Vec<(Square, Symbol)> {
    let changed = |sq: &Square| before.at(*sq) != after.at(*sq);
    Square::ALL
        .into_iter()
        .filter(changed)
        .map(|sq| (sq, after.at(sq)))
        .collect()
}

/// What a board's squares read when it last told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Squares {
    known: Option<Reading>,
}

impl Squares {
    /// As they were last told; `None` in a new connection.
    pub fn known(&self) -> Option<&Reading> {
        self.known.as_ref()
    }

    /// The line was opened: whatever was known may have changed.
    pub fn forget(&mut self) {
        self.known = None;
    }

    /// All squares were told: a `Snapshot` the first time in a connection, then the `Changes`, if
    /// there are any.
    pub fn told(&mut self, reading: Reading) -> Option<Report> {
        let Some(before) = self.known.replace(reading) else {
            return Some(Report::Snapshot(reading));
        };
        let changes = diff(&before, &reading);
        (!changes.is_empty()).then_some(Report::Changes(changes))
    }

    /// Single squares were told: the `Changes`, if they read differently from before. Nothing
    /// before the first state.
    pub fn changed(
        &mut self,
        changes: impl IntoIterator<Item = (Square, Symbol)>,
    ) -> Option<Report> {
        let before = self.known?;
        let mut reading = before;
        changes
            .into_iter()
            .for_each(|(square, symbol)| reading.set(square, symbol));
        self.told(reading)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_state_is_a_snapshot_and_then_changes() {
        let mut squares = Squares::default();
        let mut reading = Reading::EMPTY;
        assert_eq!(squares.changed([(Square::E4, Symbol::Something)]), None);
        assert_eq!(squares.told(reading), Some(Report::Snapshot(reading)));
        assert_eq!(squares.told(reading), None);
        reading.set(Square::E4, Symbol::Something);
        let change = vec![(Square::E4, Symbol::Something)];
        assert_eq!(squares.told(reading), Some(Report::Changes(change.clone())));
        assert_eq!(squares.changed(change), None, "told before");
        squares.forget();
        assert_eq!(squares.told(reading), Some(Report::Snapshot(reading)));
    }
}

//! Since when pairings wait for their games.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use tournament::{Act, Pairing, Stage};

use super::{Book, Office};
use crate::store::{Area, Deeds};

impl Office {
    /// Since when the pairing has waited that waits for its game on a board, as the acts had it
    /// when this was first asked.
    pub fn awaited_since(&self, board: &str) -> Option<Timestamp> {
        let table = self.book().table_of(board)?;
        let all = || {
            self.store
                .deeds()
                .map_or_else(|_| BTreeMap::new(), |d| since(&d))
        };
        self.awaited.get_or_init(all).get(&table).copied()
    }
}

/// By the tables at which pairings wait.
fn since(deeds: &Deeds) -> BTreeMap<u16, Timestamp> {
    let (mut since, mut book) = (BTreeMap::new(), Book::default());
    for (_, deed) in deeds.of(Area::Event) {
        let act = serde_json::from_str::<Act>(&deed.what);
        let (Ok(act), Ok(at)) = (act, deed.utc.parse::<Timestamp>()) else {
            break;
        };
        if book.apply(&act).is_err() {
            break;
        }
        let waiting = waiting(&book);
        since.retain(|table, _| waiting.contains(table));
        for table in waiting {
            since.entry(table).or_insert(at);
        }
    }
    since
}

/// The tables at which a pairing waits, be it in the round that is to be started next.
fn waiting(book: &Book) -> BTreeSet<u16> {
    let event = &book.event;
    let next = event.under_way().or_else(|| event.to_be_started());
    let next = next.into_iter().flat_map(|(_, round)| &round.pairings);
    let closed = event.rounds.values();
    let closed = closed.filter(|round| round.stage == Stage::Closed);
    let all = next.chain(closed.flat_map(|round| &round.pairings));
    let waiting = all.filter(|pairing| Pairing::waits(pairing));
    waiting.filter_map(|pairing| pairing.table).collect()
}

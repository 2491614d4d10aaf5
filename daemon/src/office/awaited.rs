//! Since when pairings wait for their games.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use tournament::{Act, Pairing, Stage};

use super::{Book, Office};
use crate::store::{Area, Deeds};

/// A pairing that waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Awaited {
    since: Timestamp,
    /// When it was last said since then of what was played in its place that it was none.
    annulled: Option<Timestamp>,
}

impl Office {
    /// Since when the pairing has waited that waits for its game on a board, as the acts had it
    /// when this was first asked.
    pub fn awaited_since(&self, board: &str) -> Option<Timestamp> {
        Some(self.awaited_on(board)?.since)
    }

    /// When it was last said that what was played on a board was none, while its pairing has
    /// waited: as the acts had it when this was first asked.
    pub fn annulled_on(&self, board: &str) -> Option<Timestamp> {
        self.awaited_on(board)?.annulled
    }

    fn awaited_on(&self, board: &str) -> Option<Awaited> {
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
fn since(deeds: &Deeds) -> BTreeMap<u16, Awaited> {
    let (mut since, mut book) = (BTreeMap::<u16, Awaited>::new(), Book::default());
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
            let annulled = None;
            since.entry(table).or_insert(Awaited {
                since: at,
                annulled,
            });
        }
        if let Act::Annul { table, .. } = act
            && let Some(awaited) = since.get_mut(&table)
        {
            awaited.annulled = Some(at);
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

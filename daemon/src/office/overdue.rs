//! Files of games that are older than what was said since of what stands in them: by commands while
//! no program ran on the store, or just before one was killed.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use jiff::Timestamp;
use tournament::{Act, Tournament};

use super::pages::{Seat, of_game, seat_in, seats_of, take_away};
use super::{Book, Office};
use crate::scribe::{Page, Scribe};
use crate::store::{Area, Deed, Deeds, Erased, StoreError};

/// When something that stands in files of games was last said.
#[derive(Debug, Default)]
struct LastSaid {
    tables: BTreeMap<Seat, SystemTime>,
    /// By the event, and the number in it.
    players: BTreeMap<(usize, u16), SystemTime>,
    events: BTreeMap<usize, SystemTime>,
    /// Somebody was erased. Who it was nobody knows any more: he may have been anybody.
    erased: Option<SystemTime>,
}

impl LastSaid {
    fn of(deeds: &Deeds) -> LastSaid {
        let (mut said, mut event, mut is_over) = (LastSaid::default(), 1, false);
        for (_, deed) in deeds.of(Area::Event) {
            let Ok(act) = serde_json::from_str::<Act>(&deed.what) else {
                continue;
            };
            match &act {
                Act::Open { .. } if is_over => (event, is_over) = (event + 1, false),
                Act::Close => is_over = true,
                Act::Undraw { round } => {
                    let is_undone = |(of, (at, _)): &Seat| (of, at) == (&event, round);
                    said.tables.retain(|seat, _| !is_undone(seat));
                }
                _ => {}
            }
            if let Some(at) = time_of(deed) {
                said.take(event, &act, at);
            }
        }
        let people = deeds.of(Area::People).filter(|(_, deed)| {
            let taken = serde_json::from_str::<Erased>(&deed.what);
            matches!(taken, Ok(Erased::Erased { .. }))
        });
        said.erased = people.filter_map(|(_, deed)| time_of(deed)).max();
        said
    }

    fn take(&mut self, event: usize, act: &Act, at: SystemTime) {
        self.tables
            .extend(seat_in(act).map(|seat| ((event, seat), at)));
        let named = players_in(act).into_iter();
        self.players
            .extend(named.map(|number| ((event, number), at)));
        if matches!(act, Act::Describe { .. }) {
            self.events.insert(event, at);
        }
    }

    /// When something was last said of what stands in the file of a table of the `n`th event.
    fn at(&self, n: usize, event: &Tournament, (round, table): (u16, u16)) -> Option<SystemTime> {
        let pairing = event.pairing(round, table).ok();
        let players = pairing.into_iter().flat_map(|pairing| pairing.players());
        let players = players.filter_map(|number| self.players.get(&(n, number)));
        let of_table = self.tables.get(&(n, (round, table)));
        let all = players.chain(of_table).chain(self.events.get(&n));
        all.copied().chain(self.erased).max()
    }
}

fn time_of(deed: &Deed) -> Option<SystemTime> {
    let at = deed.utc.parse::<Timestamp>();
    at.ok().map(SystemTime::from)
}

/// The players of whom an act says how they are called, or how old they are.
pub(super) fn players_in(act: &Act) -> Vec<u16> {
    match act {
        Act::Shorten { player, .. } => vec![*player],
        Act::Draw { players, .. } => players.iter().map(|player| player.number).collect(),
        _ => Vec::new(),
    }
}

impl Office {
    /// Writes the files anew that are older than what was said of what stands in them, and shortens
    /// the names in all others: whose they are, the configuration says, and that may have changed.
    pub(super) fn write_overdue(&self, deeds: &Deeds, scribe: Scribe) -> Result<(), StoreError> {
        let (said, book) = (LastSaid::of(deeds), self.book());
        let events = book.past.iter().chain([&book.event]).zip(1..);
        let seats = events.flat_map(|(event, n)| overdue(&said, (n, event), &scribe));
        let seats: Vec<Seat> = seats.collect();
        for (event, n) in book.past.iter().chain([&book.event]).zip(1..) {
            for round in event.rounds.keys().chain(&event.undrawn) {
                take_away((n, event), *round, &scribe);
            }
        }
        self.write_outside(&book, said.erased, &scribe)?;
        scribe.keep(Page::Shortened);
        self.write_anew(seats, scribe);
        Ok(())
    }

    /// The same of games outside of a round.
    fn write_outside(
        &self,
        book: &Book,
        erased: Option<SystemTime>,
        scribe: &Scribe,
    ) -> Result<(), StoreError> {
        let Some(erased) = erased else { return Ok(()) };
        for row in self.store.games()? {
            let written = scribe.written_game(&row.id);
            if book.seat_of(&row.id).is_some() || written.is_none_or(|at| at >= erased) {
                continue;
            }
            let game = self.store.game(&row.id)?;
            if let Some(text) = game.and_then(|game| of_game(book, &game)) {
                let game = row.id;
                scribe.keep(Page::Written { game, text });
            }
        }
        Ok(())
    }
}

/// The tables of an event whose files are older than what was said.
fn overdue(said: &LastSaid, (n, event): (usize, &Tournament), scribe: &Scribe) -> BTreeSet<Seat> {
    let of_tables = said.tables.keys().filter(|(of, _)| *of == n);
    let begun = event.players.keys();
    let begun = begun.flat_map(|number| seats_of(event, *number));
    let has_page = |(round, table): (u16, u16)| scribe.written(n, round, table).is_some();
    let begun = begun.filter(|(seat, begun)| *begun || has_page(*seat));
    let begun = begun.map(|(seat, _)| seat);
    let seats: BTreeSet<Seat> = begun
        .map(|seat| (n, seat))
        .chain(of_tables.copied())
        .collect();
    let is_older = |(_, (round, table)): &Seat| {
        let written = scribe.written(n, *round, *table);
        // What nobody has said anything of at the table, its board writes.
        match (written, said.at(n, event, (*round, *table))) {
            (Some(written), Some(said)) => written < said,
            (None, _) => said.tables.contains_key(&(n, (*round, *table))),
            (Some(_), None) => false,
        }
    };
    seats.into_iter().filter(is_older).collect()
}

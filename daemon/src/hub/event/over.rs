//! Results that hub and halls have otherwise, and that nobody changes any more once the event is
//! closed.

use std::collections::BTreeMap;
use std::sync::{MutexGuard, PoisonError};

use tournament::{Outcome, Pairing, ResultCode, Round, Stage, Tournament};

use super::gather::Seat;
use super::{Event, Stays, deal};
use crate::office::Book;

/// So many tables of an event are named.
const NAMED: usize = 3;

impl Event {
    /// Whether the event may be closed: all halls that play in it are heard, have begun no round
    /// that is only drawn here, and have the results that are here.
    ///
    /// # Errors
    /// The first hall of which that is not known, the first such round, and the first table with
    /// another result.
    pub(crate) fn may_close(&self) -> Result<(), Stays> {
        let event = self.event();
        if event.closed {
            // That is said by whoever closes it.
            return Ok(());
        }
        let (known, moved, unsure) = (self.known(), self.moved(), self.unsure());
        let connected = self.connected();
        for hall in &known {
            let mut games = event.rounds.values().flat_map(|round| &round.pairings);
            let is_its = |table| deal::was_of(table, &hall.name, &known, &moved);
            if !games.any(|game| game.table.is_some_and(is_its)) {
                continue;
            }
            if !connected.contains(&hall.name) || unsure.contains(&hall.name) {
                return Err(Stays::Unheard(hall.name.clone()));
            }
            let begun = self.begun_in(&hall.name, &event);
            let begun = begun.first().map(|(round, _)| *round);
            let begun = begun.or_else(|| self.unknown_in(&hall.name, &event).first().copied());
            if let Some(round) = begun {
                return Err(Stays::Elsewhere(round, hall.name.clone()));
            }
            let otherwise = self.otherwise_now().get(&hall.name).cloned();
            if let Some((round, table)) = otherwise.unwrap_or_default().first().copied() {
                return Err(Stays::Differs(table, round, hall.name.clone()));
            }
            let said = self.said_by(&hall.name, &event).unwrap_or_default();
            let counts = |one: &Differs| self.is_lacking(&hall.name, one);
            if let Some(first) = differing(&event, &said).find(counts) {
                return Err(Stays::Differs(first.table, first.round, hall.name.clone()));
            }
        }
        Ok(())
    }

    /// Rounds that have begun in a hall and are not drawn here, nor were taken back here.
    pub(super) fn unknown_in(&self, hall: &str, event: &Tournament) -> Vec<u16> {
        let said = self.said_by(hall, event).unwrap_or_default();
        let is_known = |number: &u16| event.rounds.contains_key(number);
        let unknown = said.rounds.iter().filter(|(number, there)| {
            let is_strange = !is_known(number) && !event.undrawn.contains(number);
            is_strange && there.stage != Stage::Drawn
        });
        unknown.map(|(number, _)| *number).collect()
    }

    /// Whether it is for this hall to have it: what it lacks of a table that is another's by now it
    /// need not have.
    fn is_lacking(&self, hall: &str, one: &Differs) -> bool {
        let (known, moved) = (self.known(), self.moved());
        !one.is_lacking || deal::hall_of(one.table, &known, &moved) == Some(hall)
    }

    /// What keeps an event open in a hall that is over here: a round that was only drawn here.
    pub(super) fn left_open(&self, hall: &str) -> Option<String> {
        let event = self.event();
        let last = || self.part_in(hall, &event).filter(|_| event.closed);
        let said = self.past_in(hall).map(|(_, said)| said).or_else(last)?;
        let (round, _) = said.under_way()?;
        let name = &said.details.name;
        let what = format!("the event `{name}` is over here, and round {round} is under way there");
        Some(format!("{what}: close it there"))
    }

    /// What a hall has otherwise of events that are over here.
    pub(super) fn otherwise(&self, hall: &str) -> Vec<String> {
        let book = self.office.book();
        let past = book.past.iter().enumerate();
        let past = past.map(|(n, past)| self.called(past, n + 1));
        let last = book.event.closed.then(|| self.event());
        let over = past.chain(last);
        over.filter_map(|event| {
            let said = self.said_by(hall, &event)?;
            let all = differing(&event, &said);
            let all: Vec<Differs> = all.filter(|one| self.is_lacking(hall, one)).collect();
            let more = match all.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            let named: Vec<String> = all.iter().take(NAMED).map(Differs::told).collect();
            let name = &event.details.name;
            (!named.is_empty()).then(|| {
                format!(
                    "the event `{name}` is closed, and {}{more}: neither is changed any more",
                    named.join(", ")
                )
            })
        })
        .collect()
    }

    /// The tables of an event that a hall has otherwise, each in words.
    pub(super) fn differing(&self, event: &Tournament, there: &Tournament) -> Vec<(Seat, String)> {
        let all = differing(event, there);
        let given = all.filter(|one| one.there.is_some() && (one.here.is_some() || one.is_unknown));
        given
            .map(|one| ((one.round, one.table), one.told()))
            .collect()
    }

    /// The tables that a hall has otherwise, as was last seen.
    fn otherwise_now(&self) -> MutexGuard<'_, BTreeMap<String, Vec<Seat>>> {
        let seen = self.otherwise.lock();
        seen.unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn note_otherwise(&self, hall: &str, seats: Vec<Seat>) {
        self.otherwise_now().insert(hall.to_owned(), seats);
    }

    /// All that a hall says of an event of the hub: its part, and of the tables that are not in
    /// that what those say that it has closed.
    pub(super) fn said_by(&self, hall: &str, event: &Tournament) -> Option<Tournament> {
        let book = self.halls.room(hall)??.office.book();
        let mut told = self.told_in(event, &book);
        let (_, mut all) = told.next().map(|(number, said)| (number, said.clone()))?;
        for (number, closed) in told.flat_map(|(_, said)| &said.rounds) {
            let round = all.rounds.entry(*number).or_insert_with(|| Round {
                pairings: Vec::new(),
                ..closed.clone()
            });
            let is_new = |theirs: &&Pairing| {
                let mut known = round.pairings.iter();
                !known.any(|known| known.table == theirs.table)
            };
            let more: Vec<Pairing> = closed.pairings.iter().filter(is_new).cloned().collect();
            round.pairings.extend(more);
        }
        Some(all)
    }

    /// What a hall says of an event of the hub: its part, and those that it has closed, each with
    /// its number there.
    pub(super) fn told_in<'a>(
        &self,
        event: &Tournament,
        there: &'a Book,
    ) -> impl Iterator<Item = (usize, &'a Tournament)> + use<'a> {
        let part = self.part(event, there);
        let part = part.map(|part| (there.number(), part));
        let closed = deal::all_told(event, there).filter(|(_, said)| said.closed);
        part.into_iter().chain(closed)
    }
}

/// A table with two results.
struct Differs {
    round: u16,
    table: u16,
    here: Option<[ResultCode; 2]>,
    there: Option<[ResultCode; 2]>,
    /// The hall has said nothing of it.
    is_lacking: bool,
    /// There is no such table here.
    is_unknown: bool,
}

impl Differs {
    fn told(&self) -> String {
        let text = |codes: Option<_>| codes.map_or("no result".to_owned(), ResultCode::told);
        let (here, there) = (text(self.here), text(self.there));
        let (round, table) = (self.round, self.table);
        format!("table {round}.{table} has {there} there and {here} here")
    }
}

/// The tables of which a hall has confirmed another result, has taken it back, or lacks the one
/// that was given at the hub once their round was closed.
fn differing<'a>(
    event: &'a Tournament,
    said: &'a Tournament,
) -> impl Iterator<Item = Differs> + 'a {
    let codes = |pairing: &Pairing| {
        let outcome: Option<&Outcome> = pairing.outcome.as_ref();
        Some(outcome.filter(|outcome| outcome.confirmed)?.codes)
    };
    let rounds = said.rounds.iter();
    let all = rounds.flat_map(|(round, drawn)| drawn.pairings.iter().map(move |p| (*round, p)));
    all.filter_map(move |(round, theirs)| {
        let table = theirs.table?;
        let ours = event.pairing(round, table).ok();
        let drawn = event.rounds.get(&round);
        let of_hub = event.closed || drawn.is_some_and(|drawn| drawn.stage == Stage::Closed);
        // A table that is not there in what is over here has no result here.
        let is_known = of_hub && !event.undrawn.contains(&round);
        let is_its = ours.map_or(is_known, |ours| ours.is_same(theirs));
        let (here, there) = (ours.and_then(codes), codes(theirs));
        let is_said = there.is_some() || theirs.withdrawn;
        let is_given = is_said || of_hub && here.is_some();
        (is_its && is_given && here != there).then_some(Differs {
            round,
            table,
            here,
            there,
            is_lacking: !is_said,
            is_unknown: ours.is_none(),
        })
    })
}

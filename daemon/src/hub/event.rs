//! One event that is played in several halls: the hub has it, every hall is ordered to play its
//! tables, and what the halls say of results is taken over.
//!
//! Nothing is remembered of what was ordered. What a hall has is seen in its mirror; what it lacks
//! is ordered, and ordered again where that came to nothing. So it does not matter who was killed
//! in between.

mod changes;
mod deal;
mod decided;
mod gates;
mod gather;
mod histories;
mod keeper;
mod over;
mod pages;
mod stood;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep};
use tournament::{Stage, Tournament};

pub(crate) use deal::{Part, Placed, are_two, had};
pub(crate) use pages::InHall;

use super::order::OrderAct;
use super::{Halls, Known};
use crate::journal::{self, Journal};
use crate::office::{Book, Office};
use crate::store::{Area, Author, Deed, StoreError};
use deal::Moved;

/// How often it is looked whether anything has changed.
const LOOK: Duration = Duration::from_millis(250);
/// So long a person waits for what is on its way.
const MOMENT: Duration = Duration::from_secs(2);
/// After so long a hall is ordered again what it did not do.
const AGAIN: Duration = Duration::from_secs(5);

/// The event of a hub. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Event {
    halls: Halls,
    office: Office,
    journal: Journal,
    moved: Arc<Mutex<Moved>>,
    /// Halls that were ordered something of which nobody knows whether it was done.
    asked: Arc<Mutex<BTreeSet<String>>>,
    /// The tables that each hall has otherwise, as the keeper has seen them last.
    otherwise: Arc<Mutex<BTreeMap<String, Vec<gather::Seat>>>>,
    /// What the keeper has looked at last: what it lacks is ordered by then.
    looked: Arc<Mutex<Option<Seen>>>,
    /// How often people have said that what this hub has stands.
    stood: Arc<AtomicU64>,
    /// How this hub's store is called, and all its copies.
    origin: Arc<str>,
}

/// What was last seen of hub and halls: where that is the same, nothing is to be done.
type Seen = (u64, u64, Moved, Vec<(bool, bool, u64)>);

/// Why a table stays where it is, and as it is.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Stays {
    #[error("there is no hall `{0}`")]
    NoHall(String),
    #[error("tables are counted from 1")]
    Zero,
    #[error("table {0} of round {1} has begun in hall `{2}`: it stays as it is")]
    Begun(u16, u16, String),
    #[error(
        "table {0} of round {1} is of hall `{2}`, and it is not known what that has of it: there \
         is no line to the hall, or not everything has come from there yet"
    )]
    Away(u16, u16, String),
    #[error(
        "table {0} of round {1} is drawn otherwise in hall `{2}`, where it has begun: draw it here \
         as it is there"
    )]
    Other(u16, u16, String),
    #[error("round {0} was taken back, and is not yet in hall `{1}`: draw it again in a moment")]
    Still(u16, String),
    #[error("the result of table {0} of round {1} is that of hall `{2}`: withdraw it there")]
    Result(u16, u16, String),
    #[error(
        "round {0} has begun in hall `{1}` and not here: draw it here as it is there, where it is \
         not, and start it first"
    )]
    Elsewhere(u16, String),
    #[error(
        "there is no line to hall `{0}`, or not everything has come from there yet: what it has is \
         never taken over once the event is closed (`arbiterd event close --anyway` closes it all \
         the same)"
    )]
    Unheard(String),
    #[error(
        "table {0} of round {1} has another result in hall `{2}` than here, or none, and neither \
         is changed \
         once the event is closed: put one right (`arbiterd event close --anyway` closes it all \
         the same)"
    )]
    Differs(u16, u16, String),
    #[error("hall `{1}` has closed round {0}: it takes no table more of it")]
    Over(u16, String),
    #[error("the halls were ordered nothing that this hub does not know of")]
    Newest,
    #[error("it could not be written down: {0}")]
    Unwritten(String),
}

impl Event {
    /// The event of a hub, as its store has it.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn open(halls: Halls, office: Office, journal: Journal) -> Result<Event, StoreError> {
        let deeds = office.store().deeds()?;
        let (mut moved, mut stood) = (Moved::new(), 0);
        for act in OrderAct::all(&deeds) {
            match act {
                OrderAct::TableMoved { table, hall } => moved.entry(table).or_default().push(hall),
                OrderAct::Stands { .. } => stood += 1,
                _ => {}
            }
        }
        Ok(Event {
            origin: office.store().first_name()?.into(),
            halls,
            office,
            journal,
            moved: Arc::new(Mutex::new(moved)),
            asked: Arc::default(),
            looked: Arc::default(),
            otherwise: Arc::default(),
            stood: Arc::new(AtomicU64::new(stood)),
        })
    }

    /// The event at hand, as halls know it.
    fn event(&self) -> Tournament {
        let book = self.office.book();
        self.called(&book.event, book.number())
    }

    /// The event of this number, as halls know it.
    fn called(&self, event: &Tournament, number: usize) -> Tournament {
        Tournament {
            part_of: Some(self.name_of(number)),
            details: event.described(),
            ..event.clone()
        }
    }

    /// How halls know the event of this number. When it was opened is part of that: a hub that was
    /// put back to an older copy gives the same number to another one.
    fn name_of(&self, number: usize) -> String {
        let origin = &self.origin;
        match self.office.book().opened(number) {
            Some(at) => format!("{origin}-{number}.{at:x}"),
            None => format!("{origin}-{number}"),
        }
    }

    /// An event of this hub, be it over, as halls know it.
    fn known_as(&self, event: &Tournament) -> Tournament {
        let book = self.office.book();
        let mut past = book.past.iter();
        match past.position(|past| past == event) {
            Some(n) => self.called(event, n + 1),
            None => self.called(event, book.number()),
        }
    }

    /// The event of which a hall has a part that it has not closed, where that is over here; and
    /// the part.
    fn past_in(&self, hall: &str) -> Option<(Tournament, Tournament)> {
        let said = self.halls.room(hall)??.office.book().event.clone();
        let name = said.part_of.as_ref().filter(|_| !said.closed)?;
        let number = self.number_of(name)?;
        let past = self.office.book().past.get(number - 1)?.clone();
        Some((self.called(&past, number), said))
    }

    /// What is said of a hall that has a part of an event of this hub of which that knows nothing:
    /// its store was put back to a copy from before.
    fn newer_in(&self, hall: &str) -> Option<String> {
        let said = self.halls.room(hall)??.office.book().event.clone();
        let name = said.part_of.as_deref()?;
        let is_dealt = name.strip_prefix(&*self.origin)?.starts_with('-');
        let is_unknown =
            self.number_of(name).is_none() && self.part_in(hall, &self.event()).is_none();
        (is_dealt && !said.closed && is_unknown).then(|| {
            format!(
                "the event `{}` is open there, which this hub has dealt out and knows nothing of \
                 (was a copy put back?): open it here anew, by that name, or close it there",
                said.details.name
            )
        })
    }

    /// Rounds that have begun in a hall and were not started here, as this hub knows.
    fn begun_in(&self, hall: &str, event: &Tournament) -> Vec<(u16, Stage)> {
        let said = self.said_by(hall, event).unwrap_or_default();
        let begun = said.rounds.iter().filter(|(number, there)| {
            let here = event.rounds.get(number).map(|here| here.stage);
            there.stage != Stage::Drawn && here == Some(Stage::Drawn)
        });
        begun
            .map(|(number, there)| (*number, there.stage))
            .collect()
    }

    /// A round of this table that is not over here, and is in a hall: it takes no table more of it.
    fn over_in(&self, hall: &str, table: u16, event: &Tournament) -> Option<u16> {
        let said = self.part_in(hall, event)?;
        let mut open = event.rounds.iter().filter(|(number, drawn)| {
            drawn.stage != Stage::Closed && event.pairing(**number, table).is_ok()
        });
        let is_over = |number: &u16| {
            let there = said.rounds.get(number);
            there.is_some_and(|there| there.stage == Stage::Closed)
        };
        open.find(|(number, _)| is_over(number))
            .map(|(number, _)| *number)
    }

    /// Whether a hall has closed its part of an event by itself, and has no other one yet.
    fn has_closed(&self, hall: &str, event: &Tournament) -> bool {
        self.part_in(hall, event).is_none() && !self.closed_in(hall, event).is_empty()
    }

    /// The parts of an event of the hub that a hall has closed.
    fn closed_in(&self, hall: &str, event: &Tournament) -> Vec<Tournament> {
        let Some(room) = self.halls.room(hall).flatten() else {
            return Vec::new();
        };
        let book = room.office.book();
        let closed = deal::all_told(event, &book).filter(|(_, said)| said.closed);
        closed.map(|(_, said)| said.clone()).collect()
    }

    fn asked(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn moved(&self) -> Moved {
        let moved = self.moved.lock().unwrap_or_else(PoisonError::into_inner);
        moved.clone()
    }

    /// A table is played in this hall from now on, and whenever it has not begun elsewhere.
    pub(crate) async fn move_table(
        &self,
        author: Author,
        table: u16,
        hall: &str,
    ) -> Result<(), Stays> {
        if table == 0 {
            return Err(Stays::Zero);
        }
        if !self.halls.known().any(|known| known.name == hall) {
            return Err(Stays::NoHall(hall.to_owned()));
        }
        let event = self.event();
        let (known, moved) = (self.known(), self.moved());
        let from = deal::hall_of(table, &known, &moved);
        let unsure = self.unsure();
        for shown in self.halls.shown().into_iter().filter(|s| s.name != hall) {
            let is_sure = shown.connected && !unsure.contains(&shown.name);
            let is_from = from == Some(&*shown.name);
            let said = self.said_by(&shown.name, &event);
            let open = event
                .rounds
                .iter()
                .filter(|(_, drawn)| drawn.stage != Stage::Closed);
            for (round, _) in open {
                let there = said.as_ref();
                let there = there.and_then(|said| said.pairing(*round, table).ok());
                if there.is_some_and(tournament::Pairing::has_begun) {
                    return Err(Stays::Begun(table, *round, shown.name));
                }
                // What it took before the line broke is not seen here.
                let may_have = is_from && event.pairing(*round, table).is_ok();
                if !is_sure && (there.is_some() || may_have) {
                    return Err(Stays::Away(table, *round, shown.name));
                }
            }
        }
        if let Some(round) = self.over_in(hall, table, &event) {
            return Err(Stays::Over(round, hall.to_owned()));
        }
        let hall = hall.to_owned();
        let act = OrderAct::TableMoved {
            table,
            hall: hall.clone(),
        };
        self.write(author, &act).await?;
        let mut moved = self.moved.lock().unwrap_or_else(PoisonError::into_inner);
        moved.entry(table).or_default().push(hall);
        Ok(())
    }

    async fn write(&self, author: Author, act: &OrderAct) -> Result<(), Stays> {
        let unwritten = |error: &dyn ToString| Stays::Unwritten(error.to_string());
        let deed = Deed::now(author, Area::Orders, act).map_err(|e| unwritten(&e))?;
        let written = self
            .journal
            .write([journal::Act::Deed(Box::new(deed))].into());
        written.await.map_err(|e| unwritten(&e))
    }

    /// The tables of a round that have begun in a hall, as far as the hub has it.
    pub(crate) fn begun(&self, round: u16) -> BTreeSet<u16> {
        let event = self.event();
        let mut begun = BTreeSet::new();
        for known in self.halls.known() {
            let said = self.said_by(&known.name, &event);
            let there = said.as_ref().and_then(|said| said.rounds.get(&round));
            let there = there.into_iter().flat_map(|round| &round.pairings);
            let tables = there.filter(|pairing| pairing.has_begun());
            begun.extend(tables.filter_map(|pairing| pairing.table));
        }
        begun
    }

    /// What is said of a table that has begun in a hall and is another's here.
    fn strays(&self, hall: &str) -> Option<String> {
        let event = self.event();
        let said = self.part_in(hall, &event)?;
        let (known, moved) = (self.known(), self.moved());
        let (round, table) = deal::strays(&event, (hall, &said), &known, &moved).min()?;
        Some(format!(
            "table {round}.{table} has begun there, and is not that hall's here: nothing of it is \
             taken over. Give it to the hall (`arbiterd hub move-table {table} --to {hall}`)"
        ))
    }

    /// An event of the hub in a hall that has not closed it, as far as the hub has it.
    fn part_in(&self, hall: &str, event: &Tournament) -> Option<Tournament> {
        let room = self.halls.room(hall)??;
        self.part(event, &room.office.book()).cloned()
    }

    /// An event of the hub, where it is the one at hand in a hall. Where either had another of that
    /// name before, one that the hall has opened itself may be that.
    fn part<'a>(&self, event: &Tournament, there: &'a Book) -> Option<&'a Tournament> {
        let said = deal::same(event, &there.event)?;
        let is_it = said.part_of == event.part_of;
        (is_it || !self.has_others(event) && !deal::had(there, event.part_of.as_deref()))
            .then_some(said)
    }

    /// Whether another event of that name was over here before this one.
    fn has_others(&self, event: &Tournament) -> bool {
        let before = event
            .part_of
            .as_deref()
            .and_then(|name| self.number_of(name));
        let book = self.office.book();
        let before = before.map_or(book.past.len(), |number| number - 1);
        let mut past = book.past.iter().take(before);
        past.any(|past| past.details.name == event.details.name)
    }

    /// Which event of this hub has this name in the halls.
    fn number_of(&self, name: &str) -> Option<usize> {
        let mut numbers = 1..=self.office.book().number();
        numbers.find(|number| self.name_of(*number) == name)
    }
}

impl Event {
    fn seen(&self) -> Seen {
        let halls = self.halls.shown().into_iter();
        let halls = halls.map(|hall| (hall.connected, hall.is_whole(), self.acts_of(&hall.name)));
        let stood = self.stood.load(Ordering::Relaxed);
        (
            self.office.book().acts,
            stood,
            self.moved(),
            halls.collect(),
        )
    }

    fn acts_of(&self, hall: &str) -> u64 {
        let room = self.halls.room(hall).flatten();
        room.map_or(0, |room| room.office.book().acts)
    }

    /// The halls that can be ordered something.
    fn connected(&self) -> Vec<String> {
        let halls = self.halls.shown().into_iter();
        halls
            .filter(|hall| hall.connected && hall.is_whole())
            .map(|hall| hall.name)
            .collect()
    }

    fn known(&self) -> Vec<Known> {
        self.halls.known().cloned().collect()
    }

    /// In which hall a table is to be played.
    pub(crate) fn hall_of(&self, table: u16) -> Option<String> {
        deal::hall_of(table, &self.known(), &self.moved()).map(str::to_owned)
    }

    /// Whether any table of it is played in a hall.
    pub(crate) fn is_dealt(&self) -> bool {
        let mut known = self.halls.known();
        known.any(|known| !known.tables.is_empty()) || !self.moved().is_empty()
    }

    /// Waits a moment for what is on its way between here and the halls: whoever decides something
    /// right after something else is not refused for want of patience.
    pub(crate) async fn settled(&self) {
        let is_on_its_way = || {
            let halls = self.halls.shown();
            let mut there = halls.iter().filter(|hall| hall.connected);
            let looked = self.looked.lock();
            let looked = looked.unwrap_or_else(PoisonError::into_inner).clone();
            looked != Some(self.seen())
                || !self.asked().is_empty()
                || there.any(|hall| !hall.is_whole())
        };
        let end = Instant::now() + MOMENT;
        while is_on_its_way() && Instant::now() < end {
            sleep(LOOK / 5).await;
        }
    }

    /// Halls that may have what the hub does not see.
    fn unsure(&self) -> BTreeSet<String> {
        let shown = self.halls.shown().into_iter();
        let behind = shown.filter(|hall| !hall.is_whole()).map(|hall| hall.name);
        behind.chain(self.asked().iter().cloned()).collect()
    }
}

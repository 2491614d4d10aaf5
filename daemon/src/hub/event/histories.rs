//! How the tables of the event stood in each hall and at the hub, one after the other: read from
//! their acts where that is needed, and kept until there are more.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tournament::{Outcome, Tournament};

use super::Event;
use super::gather::Seat;
use super::stood::{Stood, stood};
use crate::office::Office;

/// Of all tables.
type All = Arc<BTreeMap<Seat, Stood>>;

/// Upon how many acts that was read, and of which event.
type Upon = (u64, Option<String>);

#[derive(Debug, Default)]
pub(super) struct Histories(Mutex<HashMap<Option<String>, (Upon, All)>>);

impl Histories {
    fn known(&self) -> MutexGuard<'_, HashMap<Option<String>, (Upon, All)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The store of a hall may be another when it is back, with as many acts.
    pub(super) fn forget(&self, hall: &str) {
        self.known().remove(&Some(hall.to_owned()));
    }

    /// In a hall; nothing where the hub has nothing of that.
    pub(super) fn there(&self, hub: &Event, hall: &str, event: &Tournament) -> All {
        match hub.halls.room(hall).flatten() {
            Some(room) => self.read(Some(hall), &room.office, event),
            None => All::default(),
        }
    }

    /// At the hub.
    pub(super) fn here(&self, hub: &Event, event: &Tournament) -> All {
        self.read(None, &hub.office, event)
    }

    /// Whether a hall has had the result of a table that the hub has, and has taken it back.
    pub(super) fn is_taken_back(
        &self,
        (hub, event): (&Event, &Tournament),
        hall: &str,
        (seat, outcome): (Seat, &Outcome),
    ) -> bool {
        let here = self.here(hub, event);
        let Some(stood) = here.get(&seat).filter(|stood| stood.ends_with(outcome)) else {
            return false;
        };
        let there = self.there(hub, hall, event);
        let taken_back = stood.taken_back();
        there.get(&seat).is_some_and(|all| all.has(&taken_back))
    }

    fn read(&self, hall: Option<&str>, office: &Office, event: &Tournament) -> All {
        let (hall, upon) = (
            hall.map(str::to_owned),
            (office.book().acts, event.part_of.clone()),
        );
        if let Some((_, all)) = self.known().get(&hall).filter(|(known, _)| *known == upon) {
            return all.clone();
        }
        let deeds = office.store().deeds().unwrap_or_default();
        let all = Arc::new(stood(&deeds, event));
        self.known().insert(hall, (upon, all.clone()));
        all
    }
}

//! How the tables of the event stood in each hall and at the hub, one after the other: read from
//! their acts where that is needed, and kept until there are more.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tournament::{Outcome, Tournament};

use super::Event;
use super::gather::{self, Seat};
use super::stood::{History, Stood, stood};
use crate::hub::order::AT_HUB;
use crate::office::Office;

/// Of all tables.
type All = Arc<BTreeMap<Seat, History>>;

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

    /// Whether a hall has heard what people at the hub have said last of a table, and has said this
    /// after it.
    pub(super) fn answers(
        &self,
        (hub, event): (&Event, &Tournament),
        hall: &str,
        (seat, then): (Seat, &Stood),
    ) -> bool {
        let [here, there] = [self.here(hub, event), self.there(hub, hall, event)];
        let both = here.get(&seat).zip(there.get(&seat));
        both.is_some_and(|(here, there)| there.answers(here, then))
    }

    /// Whether a hall has had the result of a table from the hub, and has taken it back.
    pub(super) fn is_taken_back(
        &self,
        (hub, event): (&Event, &Tournament),
        hall: &str,
        (seat, outcome): (Seat, &Outcome),
    ) -> bool {
        let results = vec![None];
        let then = Stood {
            results,
            ..Stood::default()
        };
        let here = self.here(hub, event);
        let is_now = here
            .get(&seat)
            .is_some_and(|stood| stood.ends_with(outcome));
        is_now && self.answers((hub, event), hall, (seat, &then))
    }

    fn read(&self, hall: Option<&str>, office: &Office, event: &Tournament) -> All {
        let (name, upon) = (
            hall.map(str::to_owned),
            (office.book().acts, event.part_of.clone()),
        );
        if let Some((_, all)) = self.known().get(&name).filter(|(known, _)| *known == upon) {
            return all.clone();
        }
        let deeds = office.store().deeds().unwrap_or_default();
        let by_hub = |device: &str| match hall {
            Some(_) => device == AT_HUB,
            None => gather::is_of_hub(device),
        };
        let all = Arc::new(stood(&deeds, event, by_hub));
        self.known().insert(name, (upon, all.clone()));
        all
    }
}

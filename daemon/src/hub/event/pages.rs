//! The games of the hub's event as PGN: each as its hall has it.

use tournament::{Pairing, Tournament};

use super::{Event, deal};
use crate::office::{OfficeError, given_out_with, said_of};

impl Event {
    /// The game at a table as it is given out, of the hall in which it has begun; as the hub has it
    /// where it has begun in none.
    ///
    /// # Errors
    /// Where there is no such pairing, or a store cannot be read.
    pub(crate) fn page(
        &self,
        event: &Tournament,
        (round, table): (u16, u16),
    ) -> Result<String, OfficeError> {
        let (ours, _) = said_of(event, round, table);
        let has_begun = |pairing: &Pairing| pairing.has_begun() || pairing.typed.is_some();
        let (known, moved) = (self.known(), self.moved());
        let its = known.iter();
        for hall in its.filter(|hall| deal::was_of(table, &hall.name, &known, &moved)) {
            let Some(room) = self.halls.room(&hall.name).flatten() else {
                continue;
            };
            let book = room.office.book();
            let there = deal::same(event, &book.event);
            let is_there = there.and_then(|said| said.pairing(round, table).ok());
            if let (Some(said), true) = (there, is_there.is_some_and(has_begun)) {
                let store = room.office.store();
                return given_out_with(said, (round, table), store, ours);
            }
        }
        given_out_with(event, (round, table), self.office.store(), None)
    }
}

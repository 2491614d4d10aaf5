//! What may still be changed at the hub of a round that is played in the halls.

use tournament::{Pairing, Stage, Tournament};

use super::{Event, Stays, deal};

impl Event {
    /// Whether a round that is under way may become as it is in `after`: a game that has begun in
    /// its hall keeps its pairing, and so does one of which that is not known.
    ///
    /// # Errors
    /// The first table that stays as it is.
    pub(crate) fn may_become(&self, after: &Tournament) -> Result<(), Stays> {
        let event = self.office.book().event.clone();
        let (known, moved, unsure) = (self.known(), self.moved(), self.unsure());
        let connected = self.connected();
        for (round, pairing) in under_way(&event) {
            let Some(table) = pairing.table else { continue };
            let new = after.pairing(round, table).ok();
            if new.is_some_and(|new| (new.white, new.black) == (pairing.white, pairing.black)) {
                continue;
            }
            let of_table = |hall: &&super::Known| deal::was_of(table, &hall.name, &known, &moved);
            for hall in known.iter().filter(of_table) {
                let said = self.said_by(&hall.name);
                let said = said.as_ref().and_then(|said| deal::same(&event, said));
                let there = said.and_then(|said| said.pairing(round, table).ok());
                let name = hall.name.clone();
                if there.is_some_and(Pairing::has_begun) {
                    return Err(Stays::Begun(table, round, name));
                }
                if !connected.contains(&name) || unsure.contains(&name) {
                    return Err(Stays::Away(table, round, name));
                }
            }
        }
        Ok(())
    }
}

/// The games of rounds that were started and are not closed.
fn under_way(event: &Tournament) -> impl Iterator<Item = (u16, &Pairing)> {
    let rounds = event.rounds.iter();
    let rounds = rounds.filter(|(_, round)| round.stage == Stage::UnderWay);
    let games = rounds.flat_map(|(number, round)| round.pairings.iter().map(|p| (*number, p)));
    games.filter(|(_, pairing)| pairing.black.is_some())
}

//! What may still be changed at the hub of a round that is played in the halls.

use tournament::{Act, Pairing, Stage, Tournament};

use super::{Event, Stays, deal};

impl Event {
    /// Whether a round may become as it is in `after`: a game that has begun in its hall, or has a
    /// result there, keeps its pairing and where it started; and so does one of a round under way
    /// of which that is not known. Drawn as it has begun there it may be.
    ///
    /// # Errors
    /// The first table that stays as it is.
    pub(crate) fn may_become(&self, after: &Tournament) -> Result<(), Stays> {
        let event = self.event();
        let (known, moved, unsure) = (self.known(), self.moved(), self.unsure());
        let connected = self.connected();
        self.is_let_go(&event, after)?;
        // What is not drawn here, and has begun in a hall, is drawn as it is there.
        for hall in &known {
            let said = self.said_by(&hall.name, &event).unwrap_or_default();
            let unknown = self.unknown_in(&hall.name, &event).into_iter();
            for round in unknown.filter(|round| after.rounds.contains_key(round)) {
                self.is_as_begun(&said, (&hall.name, round), after)?;
            }
        }
        for (round, stage, pairing) in not_closed(&event) {
            let Some(table) = pairing.table else { continue };
            let new = after.pairing(round, table).ok();
            let stays = |new: &Pairing| new.is_same(pairing) && new.start == pairing.start;
            if new.is_some_and(stays) {
                continue;
            }
            let of_table = |hall: &&super::Known| deal::was_of(table, &hall.name, &known, &moved);
            for hall in known.iter().filter(of_table) {
                let said = self.said_by(&hall.name, &event);
                let there = said
                    .as_ref()
                    .and_then(|said| said.pairing(round, table).ok());
                let name = hall.name.clone();
                if let Some(there) = there.filter(|there| there.has_begun()) {
                    // Of another pair it is known by now who plays, and not from where.
                    let is_as_there = |new: &Pairing| {
                        new.is_same(there) && (!new.is_same(pairing) || new.start == there.start)
                    };
                    if new.is_some_and(is_as_there) {
                        break;
                    }
                    return Err(Stays::Begun(table, round, name));
                }
                let is_known = connected.contains(&name) && !unsure.contains(&name);
                if stage == Stage::UnderWay && !is_known {
                    return Err(Stays::Away(table, round, name));
                }
            }
        }
        Ok(())
    }

    /// Whether no hall still plays a round that was taken back here and is drawn again. What a hall
    /// has begun before it heard of that it never lets go: drawn as it has begun there it may be.
    fn is_let_go(&self, event: &Tournament, after: &Tournament) -> Result<(), Stays> {
        let again = |round: &&u16| after.rounds.contains_key(round);
        for round in event.undrawn.iter().filter(again) {
            for hall in self.known() {
                let Some(said) = self.said_by(&hall.name, event) else {
                    continue;
                };
                let there = said.rounds.get(round).map(|there| there.stage);
                let undraw = Act::Undraw { round: *round };
                if said.clone().apply(&undraw).is_err() {
                    self.is_as_begun(&said, (&hall.name, *round), after)?;
                } else if there == Some(Stage::UnderWay) {
                    return Err(Stays::Still(*round, hall.name));
                }
            }
        }
        Ok(())
    }

    /// Whether all that has begun of a round in a hall is drawn so.
    fn is_as_begun(
        &self,
        said: &Tournament,
        (hall, round): (&str, u16),
        drawn: &Tournament,
    ) -> Result<(), Stays> {
        let (known, moved) = (self.known(), self.moved());
        let there = said.rounds.get(&round).into_iter();
        for theirs in there.flat_map(|there| &there.pairings) {
            let Some(table) = theirs.table.filter(|_| theirs.has_begun()) else {
                continue;
            };
            let ours = drawn.pairing(round, table);
            let is_its = deal::was_of(table, hall, &known, &moved);
            if is_its && !ours.is_ok_and(|ours| ours.is_same(theirs)) {
                return Err(Stays::Other(table, round, hall.to_owned()));
            }
        }
        Ok(())
    }

    /// Whether a round may be taken back: not one of which a hall has begun a table, or may have.
    /// A hall that is away may have started what it was dealt.
    ///
    /// # Errors
    /// The first such table.
    pub(crate) fn may_be_undrawn(&self, round: u16) -> Result<(), Stays> {
        let event = self.event();
        let mut after = event.clone();
        after.rounds.remove(&round);
        self.may_become(&after)?;
        let (connected, unsure) = (self.connected(), self.unsure());
        let (known, moved) = (self.known(), self.moved());
        for hall in self.known().into_iter().map(|hall| hall.name) {
            let said = self.part_in(&hall, &event).unwrap_or_default();
            let mut there = said.rounds.get(&round).into_iter();
            let table = there.find_map(|there| there.pairings.first()?.table);
            let is_known = connected.contains(&hall) && !unsure.contains(&hall);
            // What it took before the line broke is not seen here.
            let drawn = event.rounds.get(&round).into_iter();
            let mut tables = drawn
                .flat_map(|drawn| &drawn.pairings)
                .filter_map(|p| p.table);
            let its = |table: &u16| deal::hall_of(*table, &known, &moved) == Some(&hall);
            let may_have = || tables.find(its).filter(|_| unsure.contains(&hall));
            if let Some(table) = table.or_else(may_have).filter(|_| !is_known) {
                return Err(Stays::Away(table, round, hall));
            }
        }
        Ok(())
    }

    /// Whether a round may begin here: as it is played where it has begun, and no other has begun
    /// in a hall that was not started here.
    ///
    /// # Errors
    /// The first table, or hall, where it is otherwise.
    pub(crate) fn may_start(&self, round: u16) -> Result<(), Stays> {
        let event = self.event();
        let halls = self.known().into_iter();
        let begun: Vec<(u16, String)> = halls
            .flat_map(|hall| {
                let begun = self.begun_in(&hall.name, &event).into_iter();
                begun.map(move |(other, _)| (other, hall.name.clone()))
            })
            .collect();
        // Where several have begun, they begin here one after the other.
        let first = begun.into_iter().min();
        if let Some((other, hall)) = first.filter(|(other, _)| *other != round) {
            return Err(Stays::Elsewhere(other, hall));
        }
        self.is_as_played(round)
    }

    /// Whether every table of a round that has begun in a hall has begun there as it is drawn here.
    /// It may have begun in the moment in which it was drawn otherwise.
    ///
    /// # Errors
    /// The first table that has not.
    pub(crate) fn is_as_played(&self, round: u16) -> Result<(), Stays> {
        let event = self.event();
        for hall in self.known() {
            if let Some(said) = self.said_by(&hall.name, &event) {
                self.is_as_begun(&said, (&hall.name, round), &event)?;
            }
        }
        Ok(())
    }

    /// Whether the results of these tables are not those of a hall: those are taken back there.
    ///
    /// # Errors
    /// The first table whose is.
    pub(crate) fn are_results_of_hub(&self, round: u16, tables: &[u16]) -> Result<(), Stays> {
        let event = self.event();
        let (known, moved) = (self.known(), self.moved());
        for hall in &known {
            let said = self.said_by(&hall.name, &event);
            for table in tables {
                let [ours, theirs] =
                    [Some(&event), said.as_ref()].map(|event| event?.pairing(round, *table).ok());
                let codes = |pairing: Option<&Pairing>| {
                    let outcome = pairing.and_then(|pairing| pairing.outcome.as_ref());
                    outcome.map(|outcome| outcome.codes)
                };
                let is_its = deal::was_of(*table, &hall.name, &known, &moved);
                if is_its && codes(theirs).is_some() && codes(ours) == codes(theirs) {
                    return Err(Stays::Result(*table, round, hall.name.clone()));
                }
            }
        }
        Ok(())
    }
}

/// The games of rounds that are not closed.
fn not_closed(event: &Tournament) -> impl Iterator<Item = (u16, Stage, &Pairing)> {
    let rounds = event.rounds.iter();
    let rounds = rounds.filter(|(_, round)| round.stage != Stage::Closed);
    let games = rounds.flat_map(|(number, round)| {
        let pairings = round.pairings.iter();
        pairings.map(|pairing| (*number, round.stage, pairing))
    });
    games.filter(|(.., pairing)| pairing.black.is_some())
}

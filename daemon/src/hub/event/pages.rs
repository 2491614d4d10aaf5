//! The games of the hub's event: where each is played, and as PGN as its hall has it.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;
use tournament::{Pairing, Tournament};

use super::{Event, deal};
use crate::hall::Hall;
use crate::hub::Known;
use crate::office::{Book, OfficeError, given_out_with, said_of};

/// Where a game of the hub's event is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(crate) struct InHall {
    /// The hall: its pages are at `/halls/NAME/`.
    hall: String,
    /// Its number there; `null` where it was typed.
    game: Option<String>,
    /// Those of this table that were annulled there, in their order.
    annulled_games: Vec<String>,
}

/// Two halls may have a game of one number: it gets the hall's name before it.
fn of_hall(page: &str, hall: &str) -> String {
    page.replacen("\n[GameId \"", &format!("\n[GameId \"{hall}/"), 1)
}

impl Event {
    /// In which hall each table of a round of an event has begun, as far as the hub has it; else in
    /// which its game was annulled, and is to be played anew.
    pub(crate) fn in_halls(&self, event: &Tournament, round: u16) -> BTreeMap<u16, InHall> {
        let event = &self.known_as(event);
        let drawn = event.rounds.get(&round).into_iter();
        let tables = drawn.flat_map(|drawn| &drawn.pairings);
        let found = tables.filter_map(|pairing| {
            let table = pairing.table?;
            let halls = self.halls_of(table);
            let is_in = |counts: fn(&Pairing) -> bool| {
                halls.iter().find_map(|hall| {
                    let book = self.halls.room(hall)??.office.book();
                    let (_, pairing) = self.paired(event, &book, (round, table), counts)?;
                    Some(InHall {
                        hall: hall.clone(),
                        game: pairing.game.clone(),
                        annulled_games: pairing.annulled_games.clone(),
                    })
                })
            };
            let was_none = |pairing: &Pairing| !pairing.annulled_games.is_empty();
            Some((
                table,
                is_in(Pairing::has_begun).or_else(|| is_in(was_none))?,
            ))
        });
        found.collect()
    }

    /// The games of a round of the event at hand that have begun in a hall, by table, each with the
    /// hall as its mirror shows it.
    pub(crate) fn games(&self, round: u16) -> BTreeMap<u16, (Hall, String)> {
        let places = self.in_halls(&self.office.book().event, round);
        let games = places.into_iter().filter_map(|(table, place)| {
            let room = self.halls.room(&place.hall)??;
            Some((table, (room.hall, place.game?)))
        });
        games.collect()
    }

    /// All halls, those first that have a table, or had it: what was configured of tables may have
    /// changed since the game.
    fn halls_of(&self, table: u16) -> Vec<String> {
        let (known, moved) = (self.known(), self.moved());
        let had = |hall: &Known| deal::was_of(table, &hall.name, &known, &moved);
        let (its, others): (Vec<&Known>, Vec<&Known>) = known.iter().partition(|hall| had(hall));
        let all = its.into_iter().chain(others);
        all.map(|hall| hall.name.clone()).collect()
    }

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
        let as_known = self.known_as(event);
        for hall in self.halls_of(table) {
            let Some(room) = self.halls.room(&hall).flatten() else {
                continue;
            };
            let book = room.office.book();
            if let Some((said, _)) =
                self.paired(&as_known, &book, (round, table), Pairing::has_begun)
            {
                let store = room.office.store();
                let page = given_out_with(said, (round, table), store, ours)?;
                return Ok(of_hall(&page, &hall));
            }
        }
        given_out_with(event, (round, table), self.office.store(), None)
    }

    /// The pairing of the hub as a hall has it in which it `counts`, such as that it has begun
    /// there, and the event there, which may be over. One that the hall has opened itself is the
    /// hub's only where it could be dealt there, and the same two are called the same.
    fn paired<'a>(
        &self,
        event: &Tournament,
        there: &'a Book,
        (round, table): (u16, u16),
        counts: fn(&Pairing) -> bool,
    ) -> Option<(&'a Tournament, &'a Pairing)> {
        let ours = event.pairing(round, table).ok()?;
        self.told_in(event, there).find_map(|(_, said)| {
            let theirs = said.pairing(round, table).ok()?;
            let is_its = said.part_of == event.part_of || names(event, ours) == names(said, theirs);
            (is_its && theirs.is_same(ours) && counts(theirs)).then_some((said, theirs))
        })
    }
}

/// What the players of a pairing are called.
fn names<'a>(event: &'a Tournament, pairing: &Pairing) -> BTreeSet<Option<&'a String>> {
    let name = |number: u16| event.players.get(&number).map(|player| &player.name);
    pairing.players().map(name).collect()
}

//! Of which games the events say something else than before.

use std::borrow::Cow;
use std::collections::HashMap;

use tournament::{Pairing, Player, Tournament};

use super::unseen;
use crate::office::Book;

/// What the events of a store say of games.
pub(super) struct Said<'e> {
    events: Vec<&'e Tournament>,
    seats: HashMap<Cow<'e, str>, (&'e Tournament, u16, &'e Pairing)>,
}

impl<'e> Said<'e> {
    pub(super) fn of(book: &'e Book) -> Said<'e> {
        let events: Vec<&Tournament> = book.past.iter().chain([&book.event]).collect();
        let numbered = (1..).zip(&events);
        let rounds = numbered.flat_map(|(number, event)| {
            let rounds = event.rounds.iter();
            rounds.map(move |(round, of)| (number, *event, *round, of))
        });
        let seats = rounds.flat_map(|(number, event, round, of)| {
            let pairings = of.pairings.iter();
            pairings.filter_map(move |pairing| {
                let game = match &pairing.game {
                    Some(game) => Cow::Borrowed(game.as_str()),
                    None => Cow::Owned(unseen::name(number, round, pairing.table?)),
                };
                Some((game, (event, round, pairing)))
            })
        });
        Said {
            seats: seats.collect(),
            events,
        }
    }

    /// Whether something is otherwise that is said of all games.
    pub(super) fn is_other(&self, other: &Said<'_>) -> bool {
        let dates = |event: &Tournament| -> Vec<String> {
            event.rounds.values().map(|r| r.date.clone()).collect()
        };
        let is_other = |(one, other): (&&Tournament, &&Tournament)| {
            one.details != other.details
                || one.publication != other.publication
                || one.shortened != other.shortened
                || dates(one) != dates(other)
        };
        self.events.len() != other.events.len()
            || self.events.iter().zip(&other.events).any(is_other)
    }

    /// Where a game is played, what is said of it there, and by whom it is played.
    pub(super) fn game(&self, game: &str) -> Option<(u16, &'e Pairing, [Option<&'e Player>; 2])> {
        let (event, round, pairing) = *self.seats.get(game)?;
        let player = |number: u16| event.players.get(&number);
        let both = [player(pairing.white), pairing.black.and_then(player)];
        Some((round, pairing, both))
    }
}

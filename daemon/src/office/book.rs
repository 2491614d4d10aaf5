//! The events of a store as the acts of people have made them.

use std::collections::BTreeMap;

use tournament::{Act, Pairing, Refusal, Tournament};

use crate::store::{Area, Deeds};

/// The events of a store: the one at hand, and those that are over.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Book {
    /// Events that are over, the oldest first.
    pub past: Vec<Tournament>,
    /// The event at hand; empty before anybody has said anything of one.
    pub event: Tournament,
    /// How many acts have made all that.
    pub acts: u64,
    /// What is wrong with the acts in the store; nothing can be done then.
    pub damage: Option<String>,
    /// The boards of the configuration, in its order.
    boards: Vec<String>,
}

impl Book {
    /// What the acts of a store make, as far as they are sound and can be done one after the other.
    pub fn read(deeds: &Deeds, boards: Vec<String>) -> Book {
        let mut book = Book {
            boards,
            ..Book::default()
        };
        for (number, deed) in deeds.of(Area::Event) {
            let act = serde_json::from_str::<Act>(&deed.what).map_err(|error| error.to_string());
            let done = act.and_then(|act| book.apply(&act).map_err(|refusal| refusal.to_string()));
            if let Err(what) = done {
                book.damage = Some(format!("act {number} cannot be: {what}"));
                return book;
            }
        }
        if deeds.is_broken {
            book.damage.clone_from(&deeds.damage);
        }
        book
    }

    /// The same boards with what these acts make.
    pub(super) fn again(&self, deeds: &Deeds) -> Book {
        Book::read(deeds, self.boards.clone())
    }

    /// Does what an act says. After an event is closed, another can be opened.
    ///
    /// # Errors
    /// Where that cannot be; nothing is changed then.
    pub fn apply(&mut self, act: &Act) -> Result<(), Refusal> {
        if self.event.closed && matches!(act, Act::Open { .. }) {
            self.past.push(std::mem::take(&mut self.event));
        }
        self.event.apply(act)?;
        self.acts += 1;
        Ok(())
    }

    /// An act with all that it means: whoever says where one board stands leaves the others where
    /// they stood by themselves.
    pub(super) fn in_full(&self, act: &Act) -> Vec<Act> {
        let is_first = !self.event.bound && matches!(act, Act::Bind { .. } | Act::Unbind { .. });
        let stand = self.standing().filter(|_| is_first);
        let stand = stand.map(|(table, board)| Act::Bind { table, board });
        stand.chain([act.clone()]).collect()
    }

    /// Where the boards stand by themselves.
    fn standing(&self) -> impl Iterator<Item = (u16, String)> {
        (1..).zip(self.boards.iter().cloned())
    }

    /// The board on each table that has one.
    pub fn tables(&self) -> BTreeMap<u16, String> {
        match self.event.bound {
            true => self.event.boards.clone(),
            false => self.standing().collect(),
        }
    }

    /// The board on a table.
    pub fn board_of(&self, table: u16) -> Option<&str> {
        match self.event.bound {
            true => self.event.boards.get(&table).map(String::as_str),
            false => {
                let index = usize::from(table).checked_sub(1)?;
                self.boards.get(index).map(String::as_str)
            }
        }
    }

    /// The table on which a board stands.
    pub fn table_of(&self, board: &str) -> Option<u16> {
        match self.event.bound {
            true => self.event.table_of(board),
            false => {
                let place = self.boards.iter().position(|id| id == board)?;
                u16::try_from(place + 1).ok()
            }
        }
    }

    /// What is played on a board when a game begins there now: round, table and pairing.
    pub fn next_on(&self, board: &str) -> Option<(u16, u16, &Pairing)> {
        let table = self.table_of(board)?;
        let (round, pairing) = self.event.next_at(table)?;
        Some((round, table, pairing))
    }

    /// The game of the round under way at the table on which a board stands.
    pub fn game_on(&self, board: &str) -> Option<&str> {
        let (round, _) = self.event.under_way()?;
        let pairing = self.event.pairing(round, self.table_of(board)?).ok()?;
        pairing.game.as_deref()
    }

    /// The board on the table of a game of the round under way.
    pub fn board_of_game(&self, game: &str) -> Option<&str> {
        let (round, table) = self.event.seat_of(game)?;
        let (under_way, _) = self.event.under_way()?;
        self.board_of(table).filter(|_| round == under_way)
    }

    /// Whether a board plays in a round: it begins the games of its pairings, and no others by
    /// itself.
    pub fn is_played_on(&self, board: &str) -> bool {
        let is_open = !self.event.closed && !self.event.rounds.is_empty();
        is_open && self.table_of(board).is_some()
    }

    /// The event with the boards where they stand, whoever said so.
    pub fn with_boards(&self) -> Tournament {
        Tournament {
            boards: self.tables(),
            ..self.event.clone()
        }
    }
}

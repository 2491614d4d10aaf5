//! A game takes its place in the event when it begins.

use arbiter_core::Setup;
use arbiter_core::input::StartFen;
use serde::de::DeserializeOwned;
use tokio::sync::OwnedMutexGuard;
use tournament::{Act, Start, write};

use super::{Book, Office, of_board};
use crate::journal;
use crate::store::{Area, Deed, StoreError, Tags};

/// The place of a game that is about to begin. The event is held until it is taken, or dropped.
#[derive(Debug)]
pub struct Seat {
    office: Office,
    held: OwnedMutexGuard<Book>,
    board: String,
    round: u16,
    table: u16,
    act: Option<Act>,
}

impl Office {
    /// The place of the game that begins on a board now. `None` where no round is under way, the
    /// board stands on no table of it, or the game there has begun.
    pub async fn seat(&self, board: &str) -> Option<Seat> {
        // Most boards that stand apart need not wait for anybody.
        self.book().next_on(board)?;
        let held = self.book.clone().lock_owned().await;
        if held.damage.is_some() {
            return None;
        }
        let (round, table) = held
            .next_on(board)
            .map(|(round, table, _)| (round, table))?;
        Some(Seat {
            office: self.clone(),
            held,
            board: board.to_owned(),
            round,
            table,
            act: None,
        })
    }
}

impl Seat {
    /// What a PGN of the game says; where nobody has told the day, it is `today`.
    pub fn tags(&self, today: &str) -> Tags {
        let mut tags = Tags {
            date: today.to_owned(),
            ..Tags::default()
        };
        let said = write::tags(&self.held.event, self.round, self.table);
        for (name, value) in said.unwrap_or_default() {
            match name {
                "Event" => tags.event = value,
                "Site" => tags.site = value,
                "Date" => tags.date = value,
                "Round" => tags.round = value,
                "White" => tags.white = value,
                "Black" => tags.black = value,
                "Result" | "Termination" | "Variant" | "SetUp" | "FEN" => {}
                _ => tags.further.push((name.to_owned(), value)),
            }
        }
        tags
    }

    /// Sets a game up as the event is played.
    pub fn set_up(&self, setup: &mut Setup) {
        let details = &self.held.event.details;
        setup.class = named(&details.class).unwrap_or(setup.class);
        setup.laws = named(&details.laws).unwrap_or(setup.laws);
        setup.supervised = details.supervised.unwrap_or(setup.supervised);
        let pairing = self.held.event.pairing(self.round, self.table);
        if let Some(start) = pairing.ok().and_then(|pairing| pairing.start.as_ref()) {
            setup.chess960 = start.chess960;
            setup.fen = start_fen(start).or_else(|| setup.fen.take());
        }
    }

    /// What is to be written down together with the game's beginning.
    ///
    /// # Errors
    /// Where it cannot be written as text.
    pub fn deed(&mut self, game: &str) -> Result<journal::Act, StoreError> {
        let act = Act::Begin {
            round: self.round,
            table: self.table,
            game: game.to_owned(),
        };
        let deed = Deed::now(of_board(&self.board), Area::Event, &act)?;
        self.act = Some(act);
        Ok(journal::Act::Deed(Box::new(deed)))
    }

    /// It is written down: the game has its place.
    pub fn taken(mut self) {
        let Some(act) = self.act.take() else { return };
        if let Err(refusal) = self.held.apply(&act) {
            // What was free while the event was held cannot be refused.
            tracing::error!(board = self.board, %refusal, "the game has no place in the event");
            return;
        }
        self.office.show(self.held, &[act]);
    }
}

/// The position of a start that has one. It was looked at when it was loaded.
pub(crate) fn start_fen(start: &Start) -> Option<StartFen> {
    let said = Some(&start.fen).filter(|fen| !fen.is_empty());
    said.and_then(|fen| StartFen::parse(fen).ok())
}

/// What a name means, if it means anything.
pub(super) fn named<T: DeserializeOwned>(name: &str) -> Option<T> {
    serde_json::from_value(name.into()).ok()
}

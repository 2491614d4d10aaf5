//! The game at hand as part of the event: what the event is told of it, and what a person has said
//! of it there.

use arbiter_core::view::Phase;
use arbiter_core::{Reading, Setup, Time};
use board_driver::Report;

use super::next_game::{Start, start};
use super::record::Record;
use super::{Session, faults};
use crate::hall::{self, Next, View};
use crate::office::{self, OfficeError, Shown, start_fen, tags_of};
use crate::pgn;
use crate::scribe::Page;
use crate::store::{Ending, Game, Tags};

impl Session {
    /// Whether games on this board are those of a round: they begin with the first touch, and where
    /// no pairing waits for one none begins by itself.
    pub(super) fn is_of_a_round(&self) -> bool {
        let book = self.parts.office.book();
        book.is_played_on(&self.parts.board.id)
    }

    /// Whether a game begins with a report at `at`: the pieces were set up for it, or they stand as
    /// at its beginning, and its pairing waits.
    pub(super) fn is_begun_by(&mut self, report: &Report, at: Time) -> bool {
        let touches = match report {
            Report::Changes(_) | Report::Press { .. } => true,
            Report::Snapshot(reads) => self.reading().is_some_and(|known| known != *reads),
            _ => false,
        };
        match self.next_game.begins_at(at) {
            true if self.is_of_a_round() => touches && self.is_waited_for(),
            true => true,
            false => {
                let is_begun = match report {
                    Report::Snapshot(reads) if !self.is_read => self.shows_a_first_move(reads),
                    _ => touches && self.stands_untouched(),
                };
                is_begun && self.is_waited_for()
            }
        }
    }

    /// Whether a board that was never seen shows that White has moved already.
    fn shows_a_first_move(&self, reads: &Reading) -> bool {
        // Where it is stopped, what stands there was set up for another.
        let is_stopped = self.arbiter.state() == Some(Phase::Paused);
        let record = self.record.as_ref().filter(|_| !is_stopped);
        let is_first = record.is_some_and(|record| record.count() <= 1);
        let reads = self.lies().reading(reads);
        is_first
            && self
                .next_start()
                .is_some_and(|start| start.is_moved(&reads))
    }

    /// Whether the game at hand is stopped, and nobody plays on in it before the next one: as soon
    /// as the pieces are set up for that, it begins. A game of no pairing waits for that of its
    /// table, and in an event for any where nothing was played in it, or its board is on no table;
    /// one that is played on after its round waits for that of its table; a game that has its
    /// result, or is postponed, for any.
    pub(super) fn gives_way(&self) -> bool {
        let is_stopped = self.arbiter.state() == Some(Phase::Paused);
        let Some(record) = self.record.as_ref().filter(|_| is_stopped) else {
            return false;
        };
        let book = self.parts.office.book();
        let next = book.next_on(&self.parts.board.id);
        let next = next.map(|(round, ..)| round);
        match pgn::Tags::from(&record.tags).seat() {
            None if book.is_apart() => false,
            None if next.is_some() || book.table_of(&self.parts.board.id).is_none() => true,
            None => hall::view(&self.arbiter, None).is_some_and(|view| view.plies.is_empty()),
            Some(_) if book.has_answer(&record.game) => true,
            Some(_) => next.is_some() && next == book.event.under_way().map(|(round, _)| round),
        }
    }

    /// Whether the board's sensors tell less than those of the game at hand, which is over, or in
    /// which nobody has played: it holds up nobody's next game.
    pub(super) fn is_held_up(&mut self) -> bool {
        let game = self.arbiter.setup().map(|setup| setup.sensor);
        let is_poorer = self
            .info
            .as_ref()
            .zip(game)
            .is_some_and(|(info, game)| !faults::is_finer(info.sensor, game));
        if !is_poorer {
            return false;
        }
        let Some(record) = &self.record else {
            return false;
        };
        let is_seated = pgn::Tags::from(&record.tags).seat().is_some();
        let is_unnamed = record.tags.white.is_empty() && record.tags.black.is_empty();
        let has_answer = self.parts.office.book().has_answer(&record.game);
        let may_be_idle = !is_seated && is_unnamed && self.is_of_a_round();
        let gives_way = self.gives_way();
        self.view().is_some_and(|view| {
            let is_over = view.state == Phase::Ended && !view.result.is_some_and(|r| r.proposed);
            has_answer || gives_way || is_over || (may_be_idle && view.plies.is_empty())
        })
    }

    /// Whether the game of a pairing is to begin at this table.
    pub(super) fn is_waited_for(&self) -> bool {
        let book = self.parts.office.book();
        book.next_on(&self.parts.board.id).is_some()
    }

    /// The names of the pairing that waits for its game at this table.
    pub(super) fn waiting(&self) -> Option<[String; 3]> {
        let book = self.parts.office.book();
        let (round, table, pairing) = book.next_on(&self.parts.board.id)?;
        let name = |number: u16| {
            let player = book.event.players.get(&number);
            player.map(|player| player.name.clone()).unwrap_or_default()
        };
        let black = pairing.black.map(name).unwrap_or_default();
        Some([name(pairing.white), black, format!("{round}.{table}")])
    }

    /// What the start of the next game reads: of the pairing that waits at this table, or else of
    /// the game at hand.
    pub(super) fn next_start(&self) -> Option<Start> {
        start(&self.next_setup()?)
    }

    /// How that game is set up, as far as its start is concerned.
    pub(super) fn next_setup(&self) -> Option<Setup> {
        let setup = self.arbiter.setup()?;
        let book = self.parts.office.book();
        let Some((_, _, pairing)) = book.next_on(&self.parts.board.id) else {
            return Some(setup.clone());
        };
        let said = pairing.start.as_ref().and_then(start_fen);
        Some(Setup {
            fen: said.or_else(|| self.parts.board.fen.clone()),
            ..setup.clone()
        })
    }

    /// Whether nothing was played in the game at hand, which is of no pairing, or has its result,
    /// or is postponed, and its starting position stands.
    fn stands_untouched(&mut self) -> bool {
        let Some(record) = &self.record else {
            return false;
        };
        let is_seated = pgn::Tags::from(&record.tags).seat().is_some();
        if is_seated && !self.parts.office.book().has_answer(&record.game) {
            return false;
        }
        let Some(view) = self.view() else {
            return false;
        };
        let reading = self.reading().map(|board| view.turned.reading(&board));
        let start = self.next_start();
        view.plies.is_empty()
            && view.result.is_none()
            && start
                .zip(reading)
                .is_some_and(|(start, reading)| start.is_set_up(&reading))
    }

    /// White, Black and the round as they are shown: of the pairing that waits, where nothing of
    /// any other was played yet.
    pub(super) fn shown_names(&self, view: Option<&View>) -> [String; 3] {
        let tags = self.record.as_ref().map(|record| &record.tags);
        let is_seated = tags.is_some_and(|tags| pgn::Tags::from(tags).seat().is_some());
        let is_meant = !is_seated && (is_untouched(view) || self.is_played_unset(tags));
        if let Some(names) = self.waiting().filter(|_| is_meant) {
            return names;
        }
        match tags {
            Some(tags) => {
                let game = self.record.as_ref().filter(|_| is_seated);
                let said = game.and_then(|record| self.parts.office.book().names_in(&record.game));
                let own = || [tags.white.clone(), tags.black.clone()];
                let [white, black] = said.unwrap_or_else(own);
                [white, black, tags.round.clone()]
            }
            None => {
                let (board, event) = (&self.parts.board, &self.parts.event);
                [
                    board.white.clone(),
                    board.black.clone(),
                    event.round.clone(),
                ]
            }
        }
    }

    /// Whether what is played is meant for the game of the pairing that waits, and did not begin as
    /// that for want of its start: nobody has ordered it by name.
    fn is_played_unset(&self, tags: Option<&Tags>) -> bool {
        let board = &self.parts.board;
        let is_unnamed = tags.is_none_or(|tags| {
            let names = [&tags.white, &tags.black];
            names == [&board.white, &board.black] || names.iter().all(|name| name.is_empty())
        });
        is_unnamed && self.early.is_unset() && !self.next_game.is_touched()
    }

    /// The pairing that waits in the round under way, where the board still shows another game.
    pub(super) fn next_names(&self, view: Option<&View>) -> Option<Next> {
        let [white, black, round] = self.waiting()?;
        let (is_other, book) = (self.shown_names(view)[2] != round, self.parts.office.book());
        let (.., pairing) = book.next_on(&self.parts.board.id).filter(|_| is_other)?;
        let start = pairing.start.as_ref().map(|start| start.fen.clone());
        Some(Next {
            white,
            black,
            round,
            start: start.filter(|fen| !fen.is_empty()),
        })
    }

    /// Tells the event how the game at hand stands, where that is news.
    pub(super) async fn inform(&mut self, view: Option<&View>) {
        let (Some(record), Some(view)) = (&self.record, view) else {
            return;
        };
        let shown = Shown::of(view);
        if view.game != *record.game || self.heard.as_ref() == Some(&shown) {
            return;
        }
        if pgn::Tags::from(&record.tags).seat().is_none() {
            return self.inform_apart(shown).await;
        }
        let game = record.game.clone();
        self.tell_who_undid(&game, &shown).await;
        let board = &self.parts.board.id;
        match self.parts.office.hear(board, &game, &shown).await {
            Ok(()) => self.heard = Some(shown),
            // The journal itself has the game; it is told again when something else happens.
            Err(OfficeError::Journal(error)) => {
                tracing::error!(board, %error, "the result is not in the event yet");
            }
            // A person has said otherwise, or the event is damaged: he knows.
            Err(error) => {
                tracing::warn!(board, %error, "the event does not take the result");
                self.heard = Some(shown);
            }
        }
    }

    /// Tells the event of a game of no pairing that is annulled while its table's waits: it was
    /// played there in its place.
    async fn inform_apart(&mut self, shown: Shown) {
        let is_annulled = |shown: &Shown| matches!(shown, Shown::Annulled(_));
        let was_none = self.heard.as_ref().is_none_or(is_annulled);
        let (board, book) = (&self.parts.board.id, self.parts.office.book());
        if is_annulled(&shown) && !was_none && book.awaits(board) {
            // Before the round is started nothing is said of its games.
            if book.next_on(board).is_none() {
                return;
            }
            match self.parts.office.hear_apart(board, &shown).await {
                Ok(()) => {}
                // It is told when something else happens, or the program begins again.
                Err(OfficeError::Journal(error)) => {
                    tracing::error!(board, %error, "the event does not know of it yet");
                    return;
                }
                Err(error) => tracing::warn!(board, %error, "the event does not take it"),
            }
        }
        self.heard = Some(shown);
    }

    /// What a PGN says of a game besides its moves.
    pub(super) fn tags(&self, record: &Record) -> pgn::Tags {
        let tags = pgn::Tags {
            chess960: self.arbiter.setup().is_some_and(|setup| setup.chess960),
            ..pgn::Tags::from(&record.tags)
        };
        self.with_said(tags, &record.game)
    }

    /// With what is said of a game in the event by now, where it is one of it.
    pub(super) fn with_said(&self, mut tags: pgn::Tags, game: &str) -> pgn::Tags {
        if let Some(seat) = tags.seat() {
            let book = self.parts.office.book();
            if let Some((number, found)) = book.seat_of(game) {
                tags.of_event = number;
                let event = book.nth(Some(number)).ok().filter(|_| found == seat);
                if let Some(said) = event.and_then(|event| tags_of(event, seat, &tags).ok()) {
                    tags = pgn::Tags {
                        of_event: number,
                        ..said
                    };
                }
            }
        }
        tags
    }

    /// Which of the store's events a game belongs to; 0: none.
    pub(super) fn event_of(&self, game: &str) -> usize {
        let found = self.parts.office.book().seat_of(game);
        found.map_or(0, |(number, _)| number)
    }

    /// The page of a game as its event has it by now.
    fn said_in(&self, game: &Game) -> Option<String> {
        let office = &self.parts.office;
        let book = office.book();
        let (number, (round, table)) = book.seat_of(&game.row.id)?;
        let event = book.nth(Some(number)).ok()?;
        office::page(event, round, table, office.store()).ok()
    }

    /// Whether a game is the one of its table: none that was annulled there, or was another's.
    pub(super) fn is_of_its_table(&self, tags: &pgn::Tags, game: &str) -> bool {
        let book = self.parts.office.book();
        let Some((round, table)) = tags.seat() else {
            return true;
        };
        let mut events = book.past.iter().chain([&book.event]);
        book.seat_of(game).is_some() || events.all(|event| event.pairing(round, table).is_err())
    }

    /// The page of a game as it was written when it ended.
    pub(super) fn written(&self, game: &Game, ending: &Ending) -> Page {
        let text = self.said_in(game).unwrap_or_else(|| ending.pgn.clone());
        match pgn::Tags::of(game).seat() {
            Some((round, table)) => Page::Table {
                of_event: self.event_of(&game.row.id),
                round,
                table,
                text,
            },
            None => Page::Written {
                game: game.row.id.clone(),
                text,
            },
        }
    }
}

/// Whether nothing was played yet in what is shown.
fn is_untouched(view: Option<&View>) -> bool {
    view.is_none_or(|view| view.plies.is_empty() && view.result.is_none())
}

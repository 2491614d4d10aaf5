//! Play in the game of a pairing that is not followed as that: before its round was started.

use std::sync::Arc;

use arbiter_core::input::ArbiterAction;
use arbiter_core::view::Phase;
use arbiter_core::{Arbiter, Event, Input, Reading, Time};

use super::next_game::{NextGame, Waits, start};
use super::{Parts, Session};
use crate::hall::{self, Running};
use crate::mating::Follower;
use crate::office::Shown;
use crate::pgn;
use crate::store::Game;

/// A game of no pairing that is at hand while its table's waits, be it over by now.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Early {
    game: Option<Arc<str>>,
    /// Half-moves that it had when the pairing began to wait.
    before: usize,
    /// And when it was first seen that the round is under way; `None` before.
    at_start: Option<usize>,
    /// Half-moves that it has.
    now: usize,
}

/// Since when the pairing waits that waits for its game on a board, in milliseconds since 1970.
pub(super) fn since(parts: &Parts) -> Option<i64> {
    let (office, board) = (&parts.office, &parts.board.id);
    let is_awaited = office.book().awaits(board);
    let since = is_awaited.then(|| office.awaited_since(board))??;
    Some(since.as_millisecond())
}

/// When the round under way was started, in milliseconds since 1970, where somebody has said so.
pub(super) fn started(parts: &Parts) -> Option<i64> {
    let book = parts.office.book();
    let (_, round) = book.event.under_way()?;
    let started = round.started.parse::<jiff::Timestamp>().ok();
    // Of one that nobody can tell it is as if it had been started last.
    Some(started.map_or(i64::MAX, |started| started.as_millisecond()))
}

/// What a board read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    at: Time,
    /// When that was written down, in milliseconds since 1970.
    wall: i64,
    reading: Option<Reading>,
    /// The game at hand was over, or stopped: the next one may have been set up.
    may_be_next: bool,
}

impl Seen {
    fn is_same(&self, other: &Seen) -> bool {
        (self.reading, self.may_be_next) == (other.reading, other.may_be_next)
    }
}

/// Tells a game out of the store. Gives what stood on the board at that moment and what it has read
/// since, and since when its clock runs.
pub(super) fn follow(
    follower: &mut Follower,
    game: Option<&Game>,
    since: Option<i64>,
) -> (Vec<Seen>, Running) {
    let (mut seen, mut running) = (Vec::<Seen>::new(), Running::default());
    let written = game.into_iter().flat_map(|g| g.events.iter().zip(&g.walls));
    for (event, wall) in written {
        let _said_before = follower.handle(event, &mut Vec::new());
        running.heard(&event.input, follower.arbiter().state(), *wall);
        let Some(since) = since else { continue };
        let now = Seen {
            at: event.at,
            wall: *wall,
            reading: follower.arbiter().reading(),
            may_be_next: matches!(
                follower.arbiter().state(),
                Some(Phase::Ended | Phase::Paused)
            ),
        };
        match seen.last_mut() {
            Some(stands) if *wall <= since && stands.is_same(&now) => {}
            Some(stands) if *wall <= since => *stands = now,
            _ => seen.push(now),
        }
    }
    (seen, running)
}

/// What the event was told of a game of no pairing before the program ended, where that was
/// annulled since its table's waits, in milliseconds since 1970, and the event does not know that.
pub(super) fn heard(parts: &Parts, game: &Game, since: i64) -> Option<Shown> {
    if pgn::Tags::of(game).seat().is_some() {
        return None;
    }
    let annuls = |event: &Event| {
        let plain = event.input.plain();
        matches!(plain, Input::Arbiter(ArbiterAction::Annul { .. }))
    };
    let mut written = game.events.iter().zip(&game.walls).rev();
    let (_, annulled) = written.find(|(event, _)| annuls(event))?;
    let told = parts.office.annulled_on(&parts.board.id);
    let is_told = told.is_some_and(|told| *annulled <= told.as_millisecond());
    (since < *annulled && !is_told).then_some(Shown::Open)
}

impl Early {
    /// As it was when the program ended, of the game that is at hand on a board: what was played
    /// since its table's waits stands in the journal, with its moments.
    pub(super) fn kept(
        game: &Game,
        arbiter: &Arbiter,
        (since, started): (i64, Option<i64>),
    ) -> Option<Early> {
        if pgn::Tags::of(game).seat().is_some() {
            return None;
        }
        let view = hall::view(arbiter, None)?;
        let played_by = |since: i64| {
            let written = game.events.iter().zip(&game.walls);
            let before = written.take_while(|(_, wall)| **wall <= since);
            let last = before.last().map_or(Time::ZERO, |(event, _)| event.at);
            view.plies.iter().filter(|ply| ply.at <= last).count()
        };
        Some(Early {
            game: Some(game.row.id.as_str().into()),
            before: played_by(since),
            at_start: started.map(|started| played_by(started.max(since))),
            now: view.plies.len(),
        })
    }

    /// Whether somebody has played on in it since.
    pub(super) fn is_played(&self) -> bool {
        self.now > self.before
    }

    /// Whether nobody has played on in it but since the round was started: no pieces stood as at
    /// the beginning of the pairing's game.
    pub(super) fn is_unset(&self) -> bool {
        self.is_played() && self.at_start.is_some_and(|start| start <= self.before)
    }
}

impl Session {
    /// Looks at what was seen before the program began again, whether somebody plays.
    pub(super) fn look_back(&mut self, seen: &[Seen]) {
        if self.arbiter.state() != Some(Phase::Ended) && !self.gives_way() {
            return;
        }
        let Some(view) = self.view() else { return };
        let before = self.arbiter.setup().and_then(start);
        let (now, begun) = (self.next_start(), self.begun());
        // Each is judged as it was when it was read: only what was read while a pairing waited was
        // kept.
        let is_begun = |seen: &Seen| begun.is_some_and(|begun| begun < seen.wall);
        let mut watch = self.next_game;
        let mut look = |seen: &Seen, is_begun: bool| {
            let waits = match is_begun {
                true => (now.as_ref(), Waits::ToBegin),
                false => (before.as_ref(), Waits::ForStart),
            };
            let reading = seen.reading.map(|board| view.turned.reading(&board));
            match seen.may_be_next {
                true => watch.look(&view, reading, waits, seen.at),
                false => watch = NextGame::default(),
            }
        };
        let mut stood: Option<&Seen> = None;
        for seen in seen {
            // When the round was started, what stood there was looked at once more.
            let at_start = stood.filter(|stood| is_begun(seen) && !is_begun(stood));
            at_start.into_iter().for_each(|stood| look(stood, true));
            look(seen, is_begun(seen));
            stood = Some(seen);
        }
        self.next_game = watch;
        self.next_game = self.next_game.interrupted();
    }

    /// Since when the game of the pairing that waits here may begin, in milliseconds since 1970;
    /// `None` where it may not.
    fn begun(&self) -> Option<i64> {
        let book = self.parts.office.book();
        let (round, ..) = book.next_on(&self.parts.board.id)?;
        let under_way = book.event.under_way().map(|(under_way, _)| under_way);
        match under_way == Some(round) {
            true => started(&self.parts),
            // That of a round that is over was resumed: it waits to begin as long as it waits.
            false => Some(i64::MIN),
        }
    }

    /// Looks whether somebody plays before he should. Whether a pairing waits for its game here.
    pub(super) fn look_for_early_play(&mut self) -> bool {
        let book = self.parts.office.book();
        let is_awaited = book.awaits(&self.parts.board.id);
        // A result that was entered without a game may be taken back: what was played stays known.
        let is_paired = book.is_paired_on(&self.parts.board.id);
        let record = self.record.as_ref().filter(|_| is_paired);
        let apart = record.filter(|record| pgn::Tags::from(&record.tags).seat().is_none());
        let game = apart.map(|record| record.game.clone());
        let view = game.as_ref().and_then(|_| self.view());
        let now = view.map_or(0, |view| view.plies.len());
        let (before, at_start) = match self.early.game == game {
            true => (
                self.early.before.min(now),
                self.early.at_start.map(|plies| plies.min(now)),
            ),
            false => (now, None),
        };
        let is_started = book.event.under_way().is_some();
        self.early = Early {
            game,
            before,
            at_start: is_started.then(|| at_start.unwrap_or(now)),
            now,
        };
        is_awaited
    }
}

//! A game goes on on another board: two sessions exchange what they hold of their games. Each keeps
//! its board, with its line, its clock and its place in the evidence.

use std::mem::take;
use std::sync::Arc;
use std::time::Instant;

use arbiter_core::input::ArbiterAction;
use arbiter_core::view::Phase;
use arbiter_core::{Arbiter, Event, Input, Reading, SensorClass, Time};
use board_driver::{Command, Fault};
use jiff::Timestamp;
use tokio::sync::oneshot;
use tournament::Act;

use super::Session;
use super::earlier::{self, Earlier};
use super::next_game::NextGame;
use super::record::Record;
use super::search::Search;
use super::{evidence, faults};
use crate::hall::{self, Told, View};
use crate::office::{Book, Office, Shown};
use crate::store::{Area, Game, Store, StoreError};

/// What a session holds of its game.
#[derive(Debug)]
pub(crate) struct Cargo {
    arbiter: Arbiter,
    search: Search,
    record: Option<Record>,
    earlier: Option<Box<Earlier>>,
    recalled: Option<Told>,
    ended: Option<Arc<View>>,
    heard: Option<Shown>,
    ticked: Option<Time>,
    damage: Option<Fault>,
    /// The time of its last event, and what its clock shows now.
    last: Time,
    now: Time,
}

impl Cargo {
    /// A game out of the store. `None` where it does not begin with a setup.
    pub(super) fn of(game: &Game) -> Option<Cargo> {
        let (arbiter, running) = earlier::followed(game);
        let record = Record::resume(game, running)?;
        let ended = game
            .ending
            .as_ref()
            .and_then(|_| hall::view(&arbiter, None));
        let last = game.events.last().map_or(Time::ZERO, |event| event.at);
        Some(Cargo {
            arbiter,
            search: Search::default(),
            record: Some(record),
            earlier: None,
            recalled: None,
            ended: ended.map(Arc::new),
            heard: None,
            ticked: None,
            damage: None,
            last,
            now: last,
        })
    }
}

/// One end of an exchange.
#[derive(Debug)]
pub(crate) struct Exchange {
    ready: oneshot::Sender<()>,
    other_is_ready: oneshot::Receiver<()>,
    give: oneshot::Sender<Box<Cargo>>,
    take: oneshot::Receiver<Box<Cargo>>,
    done: oneshot::Sender<()>,
}

/// Both ends of an exchange, and what tells that each has done its part.
pub(crate) fn exchange() -> ([Exchange; 2], [oneshot::Receiver<()>; 2]) {
    let (ready_one, is_ready_one) = oneshot::channel();
    let (ready_other, is_ready_other) = oneshot::channel();
    let (give_one, take_one) = oneshot::channel();
    let (give_other, take_other) = oneshot::channel();
    let (done_one, is_done_one) = oneshot::channel();
    let (done_other, is_done_other) = oneshot::channel();
    let one = Exchange {
        ready: ready_one,
        other_is_ready: is_ready_other,
        give: give_one,
        take: take_other,
        done: done_one,
    };
    let other = Exchange {
        ready: ready_other,
        other_is_ready: is_ready_one,
        give: give_other,
        take: take_one,
        done: done_other,
    };
    ([one, other], [is_done_one, is_done_other])
}

impl Session {
    /// Takes part in an exchange. Nothing changes where the other session has ended.
    pub(super) async fn exchange(&mut self, exchange: Exchange) {
        // What was told of the game is in the journal up to here.
        self.commit().await;
        let Exchange {
            ready,
            other_is_ready,
            give,
            take,
            done,
        } = exchange;
        if ready.send(()).is_err() || other_is_ready.await.is_err() {
            return;
        }
        let reads = self.stands();
        let game = Box::new(self.unload());
        match give.send(game) {
            Err(back) => self.load(*back),
            Ok(()) => match take.await {
                Ok(game) => {
                    self.load(*game);
                    self.stop_while_set_up(reads);
                }
                Err(_) => tracing::error!(board = self.parts.board.id, "the game is gone"),
            },
        }
        self.commit().await;
        let _nobody_waits = done.send(());
    }

    fn unload(&mut self) -> Cargo {
        Cargo {
            arbiter: take(&mut self.arbiter),
            search: take(&mut self.search),
            record: self.record.take(),
            earlier: self.earlier.take(),
            recalled: self.recalled.take(),
            ended: self.ended.take(),
            heard: self.heard.take(),
            ticked: self.ticked.take(),
            damage: self.faults.game.take(),
            last: self.timeline.last(),
            now: self.timeline.now(Instant::now()),
        }
    }

    /// Goes on with a game from another board, at the game's time. What stands on this board is
    /// asked for.
    pub(super) fn load(&mut self, game: Cargo) {
        let board = &self.parts.board.id;
        let name = game.record.as_ref().map(|record| &*record.game);
        tracing::info!(board, game = name, "the game goes on on this board");
        self.timeline.go_on(game.last, game.now, Instant::now());
        (self.arbiter, self.search) = (game.arbiter, game.search);
        (self.record, self.earlier) = (game.record, game.earlier);
        (self.recalled, self.ended) = (game.recalled, game.ended);
        (self.heard, self.ticked) = (game.heard, game.ticked);
        self.faults.game = game.damage;
        (self.view, self.is_told, self.is_read) = (None, true, false);
        // From now on the place on the board is of this game's time.
        self.kept = None;
        self.next_game = NextGame::default();
        let _asked_already = self.commands.try_send(Command::RequestSnapshot);
        self.distrust(self.timeline.last());
        self.check_sensors();
    }
}

impl Session {
    /// What stands on this board, in the symbols of its game at hand.
    pub(super) fn stands(&self) -> Option<(Reading, SensorClass)> {
        self.reading()
            .zip(self.arbiter.setup().map(|setup| setup.sensor))
    }

    /// Pieces are set up on this board, where this stands as far as that is known, as they stood on
    /// the other: until the arbiter lets the game go on, what is handled is nobody's move. Where
    /// nothing was played yet and the pieces stand for it, there is nothing to set up.
    pub(super) fn stop_while_set_up(&mut self, stands: Option<(Reading, SensorClass)>) {
        let Some(view) = self.view() else { return };
        let is_set_up = stands.is_none_or(|(reads, _)| self.stands_on(&reads));
        if !view.plies.is_empty() || !is_set_up {
            self.stop();
        }
        // A board says what it reads when that is news, and to it this is none.
        let class = self.class_listened_to();
        if let Some(((reads, of), class)) = stands.zip(class)
            && faults::is_finer(of, class)
        {
            let board = evidence::coarsened(&reads, class).into();
            self.tell(Event {
                at: self.timeline.last(),
                input: Input::Snapshot { board },
            });
        }
    }

    /// What is handled is nobody's move from here on.
    pub(super) fn stop(&mut self) {
        self.stays_stopped();
        let state = self.arbiter.state();
        if !matches!(state, None | Some(Phase::Paused | Phase::Ended)) {
            self.tell(Event {
                at: self.timeline.last(),
                input: Input::Arbiter(ArbiterAction::Pause),
            });
        }
    }
}

/// The last games of a board.
#[derive(Debug, Default)]
pub(super) struct Latest {
    /// The newest first.
    pub(super) games: Vec<Game>,
    /// The last one went on on another board, and nothing has begun here since: whatever stands
    /// here is of no game.
    pub(super) is_vacated: bool,
}

/// The last games of a board, the newest first: those that went on on another are that one's. One
/// whose table was given another board while nobody followed it is still where its pieces stand;
/// the usher brings it over.
pub(super) fn latest(
    store: &Store,
    office: &Office,
    board: &str,
    count: usize,
) -> Result<Latest, StoreError> {
    let book = office.book();
    let (mut games, mut is_vacated) = (Vec::new(), false);
    for game in store.latest(board, count)? {
        let now = book.board_of_game(&game.row.id);
        if now.is_none_or(|now| now == board) || is_left_behind(store, &book, &game)? {
            games.push(game);
        } else {
            is_vacated |= games.is_empty();
        }
    }
    let comes = book.game_on(board);
    let place = games.iter().position(|game| Some(&*game.row.id) == comes);
    match (comes, place) {
        (Some(name), None) => {
            let mut comes = store.game(name)?;
            if let Some(game) = &comes
                && is_left_behind(store, &book, game)?
            {
                comes = None;
            }
            let since = came_at(store, board)?;
            let newer = games.iter().take_while(|game| is_begun_after(game, since));
            // One that goes on after all is brought here again by the usher.
            let newer = newer.count();
            is_vacated &= comes.is_none();
            games.splice(newer..newer, comes).for_each(drop);
        }
        // It was gone on with after the ones since: the board's time is of it.
        (_, Some(place)) => {
            let heard = games[place].walls.last();
            let gave_way = |game: &Game| {
                let is_apart = book.seat_of(&game.row.id).is_none();
                book.has_answer(&game.row.id) || is_apart && game.walls.last() < heard
            };
            if games[..place].iter().all(gave_way) {
                games[..=place].rotate_right(1);
            }
        }
        _ => {}
    }
    Ok(Latest { games, is_vacated })
}

/// Whether the table of a game that goes on has another board since its last event: nobody has
/// stopped it there.
fn is_left_behind(store: &Store, book: &Book, game: &Game) -> Result<bool, StoreError> {
    let Some(board) = book.board_of_game(&game.row.id) else {
        return Ok(false);
    };
    if game.ending.is_some() || book.has_answer(&game.row.id) || game.row.board == board {
        return Ok(false);
    }
    let came = came_at(store, board)?.map(Timestamp::as_millisecond);
    Ok(came
        .zip(game.walls.last())
        .is_some_and(|(came, last)| *last < came))
}

/// When a board was last put on a table, as far as somebody has said so.
fn came_at(store: &Store, board: &str) -> Result<Option<Timestamp>, StoreError> {
    let deeds = store.deeds()?;
    let mut latest = deeds.sound.iter().rev().filter(|deed| {
        let act = (deed.area == Area::Event).then(|| serde_json::from_str::<Act>(&deed.what));
        matches!(act, Some(Ok(Act::Bind { board: bound, .. })) if bound == board)
    });
    Ok(latest.next().and_then(|deed| deed.utc.parse().ok()))
}

/// Whether a game was begun on its board after the table's came to it: it is the one at hand.
fn is_begun_after(game: &Game, since: Option<Timestamp>) -> bool {
    let started = game.row.started.parse::<Timestamp>().ok();
    started
        .zip(since)
        .is_some_and(|(started, since)| started > since)
}

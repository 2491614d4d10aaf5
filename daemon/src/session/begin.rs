//! How a game begins.

use arbiter_core::input::{Answers, StartFen};
use arbiter_core::{Event, Input, Reading, Time};
use board_driver::Command;

use super::next_game::NextGame;
use super::record::Record;
use super::{Parts, Session};
use crate::hall::OrderError;
use crate::office::Seat;
use crate::reason::Reason;
use crate::store::Tags;

/// The names that were ordered together with a game. Without any it is the game of its table's
/// pairing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Named {
    pub(super) white: Option<String>,
    pub(super) black: Option<String>,
    pub(super) round: Option<String>,
}

/// With what a game begins, where that is not what is configured, or paired.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Begun {
    /// The position.
    pub(super) fen: Option<StartFen>,
    /// What the board read then, as it names its squares; else what it reads now.
    pub(super) read: Option<Reading>,
}

impl Session {
    /// Refuses a game that would take the place of the table's own on the board, while that is to
    /// be played or has no result. One without names is the table's own where that waits; a game
    /// that is to be played anew is annulled first, and then waits.
    pub(super) fn may_begin(&self, named: &Named) -> Result<(), OrderError> {
        let book = self.parts.office.book();
        let Some((round, table, pairing)) = book.open_on(&self.parts.board.id) else {
            return Ok(());
        };
        let next = book.next_on(&self.parts.board.id);
        let is_next = next.is_some_and(|next| (next.0, next.1) == (round, table));
        if is_next && *named == Named::default() {
            return Ok(());
        }
        // What is damaged is followed no more, and annulled by nobody.
        let mut of_damage = self.faults.game.iter().flat_map(|fault| &fault.with);
        let is_damaged = of_damage.any(|(name, value)| {
            *name == "game" && pairing.game.as_deref() == Some(value.as_str())
        });
        if is_damaged {
            return Ok(());
        }
        let reason = match is_next {
            false => {
                let game = pairing.game.as_deref();
                let game = game.map(|game| format!(" {game}")).unwrap_or_default();
                let what = format!(
                    "table {table} plays round {round} on this board, and its game{game} has no \
                     confirmed result: where it is to be played anew, annul it first"
                );
                Reason::new("round-game-open", what)
            }
            true => {
                let what = format!(
                    "table {table} plays round {round} on this board: its game begins by itself \
                     once the pieces are set up, and another would be of no round"
                );
                Reason::new("round-game-waits", what)
            }
        };
        let reason = reason.with("round", round);
        Err(OrderError::refused(reason.with("table", table)))
    }

    /// Begins a game on the board: that of its table's pairing; or one of these names; or the first
    /// one as it is configured, and any other without names.
    pub(super) async fn begin(&mut self, at: Time, named: Named) {
        self.begin_from(at, named, Begun::default()).await;
    }

    pub(super) async fn begin_from(&mut self, at: Time, named: Named, begun: Begun) {
        self.commit().await;
        let seat = match named == Named::default() {
            true => self.parts.office.seat(&self.parts.board.id).await,
            false => None,
        };
        self.begin_with(at, named, (seat, begun)).await;
    }

    /// Begins a game of no pairing: nobody has touched the board yet, and the one of its table
    /// begins when somebody does.
    pub(super) async fn begin_apart(&mut self, at: Time) {
        self.begin_with(at, Named::default(), (None, Begun::default()))
            .await;
    }

    async fn begin_with(
        &mut self,
        at: Time,
        named: Named,
        (mut seat, begun): (Option<Seat>, Begun),
    ) {
        let today = jiff::Zoned::now().strftime("%Y-%m-%d").to_string();
        let Some(game) = self.unused_id(&today).await else {
            return;
        };
        let Parts { board, event, .. } = &self.parts;
        let known = self.info.as_ref().map(|info| info.sensor);
        let Some(sensor) = known.or(self.arbiter.setup().map(|setup| setup.sensor)) else {
            return;
        };
        let mut setup = board.setup(event, &game, sensor);
        if let Some(info) = &self.info {
            setup.clock = board.clock.unwrap_or(info.clock);
            setup.polled = info.polled;
            setup.options = info.windows(setup.options);
        }
        setup.turned = self.lies();
        // The journal holds every answer, at the moment it came.
        setup.answers = Answers::Recorded;
        // The next game is begun here, under a name that the store does not know yet.
        setup.next_game = arbiter_core::input::NextGame::Asked;
        let day = event.date.clone().unwrap_or(today.replace('-', "."));
        let tags = match &seat {
            Some(seat) => {
                seat.set_up(&mut setup);
                let (own, mut tags) = (event.tags("", "", &day), seat.tags(&day));
                for (said, own) in [(&mut tags.event, own.event), (&mut tags.site, own.site)] {
                    if said.is_empty() {
                        *said = own;
                    }
                }
                tags
            }
            None => self.names(named, &day),
        };
        setup.fen = begun.fen.or(setup.fen);
        tracing::info!(board = self.parts.board.id, game, "game begins");
        let read = begun.read.or_else(|| self.reading());
        let before = self.arbiter.setup().map(|before| before.sensor);
        if before.is_some_and(|before| before != sensor) {
            // What was read in another class's symbols is of no use. A request too many on its way
            // does the same.
            self.is_read = false;
            let _asked_already = self.commands.try_send(Command::RequestSnapshot);
        }
        let (record, act) = Record::begin(self.parts.station.id(), tags, &setup.game);
        self.earlier = self.asked_about();
        // The game before is over, be it without a result.
        let before = self.ended.take().is_none().then(|| self.view()).flatten();
        let over = before.and_then(|before| self.over(&before));
        self.acts.extend(over);
        (self.record, self.heard) = (Some(record), None);
        (self.faults.game, self.faults.forgotten) = (None, None);
        self.acts.push(act);
        match seat.as_mut().map(|seat| seat.deed(&setup.game)) {
            Some(Ok(deed)) => self.acts.push(deed),
            Some(Err(error)) => {
                tracing::error!(board = self.parts.board.id, %error, "act not written");
                seat = None;
            }
            None => {}
        }
        self.next_game = NextGame::default();
        self.tell(Event {
            at,
            input: Input::Setup(setup.into()),
        });
        if let Some(board) = read.filter(|_| self.is_read) {
            self.tell(Event {
                at,
                input: Input::Snapshot {
                    board: board.into(),
                },
            });
        }
        self.distrust(at);
        self.check_sensors();
        if seat.is_some() {
            self.seat = seat;
            // Nobody else changes the event until then.
            self.commit().await;
        }
    }

    /// What a game that belongs to no pairing is called. The names of the configuration are those
    /// of one game, unless somebody orders another: no game that begins by itself has the names of
    /// the one before, after a restart of the program either.
    fn names(&mut self, named: Named, today: &str) -> Tags {
        let is_ordered = named != Named::default();
        let board = &self.parts.board;
        let last = self.record.as_ref().map(|record| &record.tags);
        let had =
            last.is_some_and(|last| (&last.white, &last.black) == (&board.white, &board.black));
        let (white, black) = match is_ordered || !(had || self.named) {
            true => (board.white.clone(), board.black.clone()),
            false => Default::default(),
        };
        self.named = true;
        let (white, black) = (named.white.unwrap_or(white), named.black.unwrap_or(black));
        let mut tags = self.parts.event.tags(&white, &black, today);
        tags.round = named.round.unwrap_or(tags.round);
        tags
    }

    /// A name for the next game. `None` when the session ends before the store answers.
    async fn unused_id(&mut self, today: &str) -> Option<String> {
        loop {
            match self.parts.store.unused_id(&self.parts.board.id, today) {
                Ok(id) => return Some(id),
                Err(error) => self.hold_back(error.to_string()).await?,
            }
        }
    }
}

//! One task a board: what the board reports and what people order goes to the arbiter and into the
//! journal; what the arbiter says goes to the hall once the journal has it.
//!
//! Nothing leaves a session before what it rests on is on disk, so whatever anybody has heard
//! survives a crash.

mod adjourned;
mod babble;
mod begin;
mod calibrate;
mod earlier;
mod early;
mod event;
mod evidence;
mod faults;
mod for_record;
mod moved;
mod next_game;
mod orders;
mod past;
mod port;
mod record;
mod rests;
mod search;
mod settled;
mod show;
mod stranger;
mod timeline;
pub(crate) mod trial;
mod unseen;
mod unset;
mod waking;

use std::sync::Arc;
use std::time::Instant;

use arbiter_core::{Announcement, Arbiter, Event, Input, Reading, Ruling, SensorClass, Time};
use board_driver::{
    BoardClock, BoardEvent, BoardInfo, BoardKind, Command, Condition, Learning, LinkConfig,
    LinkEvent, Mark, Report,
};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use babble::Babble;
use begin::Named;
use earlier::Earlier;
use early::Early;
use faults::Faults;
use moved::Latest;
pub(crate) use moved::{Exchange, exchange};
use next_game::NextGame;
use record::Record;
use search::Search;
pub(crate) use settled::is_settled;
use stranger::{Stranger, number};
use timeline::Timeline;
use waking::sleep_until;

use crate::config::{BoardConfig, EventConfig};
use crate::hall::{self, BoardState, Demand, Station, Told, View};
use crate::journal::{Act, Journal};
use crate::mating::{Follower, Solver};
use crate::meters;
use crate::office::{Office, Seat, Shown};
use crate::pgn;
use crate::scribe::{Page, Scribe};
use crate::store::{Game, Store, StoreError};

/// Reports of one board that may wait for its session; a board whose reports wait longer repeats
/// them.
pub(crate) const REPORTS: usize = 256;
/// Reports taken together at most, before what came of them is shown.
const BATCH: usize = 64;
/// Games of a board whose PGN is written anew at the start: the last one, and the one whose end a
/// crash may have cut.
const RENEWED: usize = 2;

/// What a session is made of.
#[derive(Debug)]
pub struct Parts {
    /// The board.
    pub board: BoardConfig,
    /// The event as it is configured.
    pub event: EventConfig,
    /// The hall's end.
    pub station: Station,
    /// The event that its games belong to.
    pub office: Office,
    /// Where it is written down.
    pub journal: Journal,
    /// What was written down before.
    pub store: Store,
    /// Who writes PGN files.
    pub scribe: Scribe,
    /// Who finds out whether a player can still mate.
    pub solver: Solver,
    /// Ends the session.
    pub shutdown: CancellationToken,
}

/// One board and its game.
#[derive(Debug)]
pub struct Session {
    parts: Parts,
    arbiter: Arbiter,
    search: Search,
    record: Option<Record>,
    timeline: Timeline,
    info: Option<BoardInfo>,
    /// The serial number of the board that the game is played on; empty where it is not known.
    serial: String,
    /// What its firmware calls itself, once it has said that.
    firmware: Option<String>,
    /// Another board that is on the line instead.
    stranger: Option<Stranger>,
    faults: Faults,
    /// How much the board says.
    babble: Babble,
    /// The board has told what it reads: [`Arbiter::reading`] is no guess.
    is_read: bool,
    /// Its game went on on another board: what stands here is of no game.
    is_vacated: bool,
    next_game: NextGame,
    early: Early,
    /// A game has had the names of the configuration, in this run of the program.
    named: bool,
    /// The place in the event of the game that begins, until that is in the journal.
    seat: Option<Seat>,
    /// What the event was last told of the game at hand.
    heard: Option<Shown>,
    /// Who has taken an order back since.
    undone_by: Option<Arc<str>>,
    /// The game before, while it is not known whether it has ended.
    earlier: Option<Box<Earlier>>,
    /// The game as it was last looked at.
    view: Option<Arc<View>>,
    /// The game as it was told when it ended, until something else is ordered, where this version
    /// of the program reads it otherwise.
    recalled: Option<Told>,
    /// The game at hand as the journal knows that it ended.
    ended: Option<Arc<View>>,
    /// The arbiter was told something since.
    is_told: bool,
    /// The wake-up already answered with a tick; without this a deadline that stays would tick
    /// without end.
    ticked: Option<Time>,
    /// The board's evidence is taken up to here.
    mark: Option<Mark>,
    /// And in the journal up to here.
    kept: Option<Mark>,
    /// What the board was last told of that.
    acknowledged: Option<Mark>,
    /// Told to the arbiter and not in the journal yet.
    acts: Vec<Act>,
    /// Pages of games that are not at hand, to be written once the journal has what they rest on.
    pages: Vec<Page>,
    /// Said by the arbiter and not shown yet.
    said: Vec<Announcement>,
    /// What was learned of the board.
    memory: Option<String>,
    /// What was last learned, in words.
    note: Option<String>,
    lamps: u64,
    commands: mpsc::Sender<Command>,
    to_board: Option<mpsc::Receiver<Command>>,
}

impl Session {
    /// Takes up the board's last game where the journal ends, or waits for the board to begin the
    /// first.
    pub fn open(parts: Parts) -> Result<Session, StoreError> {
        let Latest { games, is_vacated } =
            moved::latest(&parts.store, &parts.office, &parts.board.id, RENEWED)?;
        let mut faults = Faults::default();
        let place = faults.known(parts.store.place(&parts.board.id))?;
        let memory = faults.known(parts.store.memory(&parts.board.id))?;
        let mut follower = Follower::new();
        let at_hand = match is_vacated {
            true => games.len(),
            false => earlier::at_hand(&games),
        };
        faults.game = games.get(at_hand).and_then(faults::damage);
        let current = games.get(at_hand).filter(|game| game.row.damage.is_none());
        let since = early::since(&parts);
        let (seen, running) = early::follow(&mut follower, current, since);
        let mut events = current.iter().flat_map(|game| &game.events);
        let is_read = events.any(|event| matches!(event.input, Input::Snapshot { .. }));
        let last = current
            .and_then(|game| game.events.last())
            .map_or(Time::ZERO, |event| event.at);
        let mark = place.as_ref().map(|p| Mark {
            boot: p.boot,
            next: p.next,
        });
        let (serial, shift) = place.map_or_else(Default::default, |p| (p.serial, p.shift));
        parts.station.claim(&serial, false);
        let (commands, to_board) = mpsc::channel(4);
        let arbiter = follower.into_arbiter();
        let started = early::started(&parts);
        let early = current.and_then(|game| Early::kept(game, &arbiter, (since?, started)));
        let heard = current.and_then(|game| early::heard(&parts, game, since?));
        let ending = current.and_then(|game| game.ending.as_ref());
        let ended = ending
            .and_then(|_| hall::view(&arbiter, None))
            .map(Arc::new);
        let recalled = ending.and_then(|ending| Told::new(&ending.view));
        let recalled =
            recalled.filter(|told| ended.as_ref().is_some_and(|now| !told.is_said_of(now)));
        let mut session = Session {
            arbiter,
            recalled,
            ended,
            search: Search::default(),
            record: current.and_then(|game| Record::resume(game, running)),
            timeline: Timeline::after(last, mark.map(|mark| mark.boot), shift),
            info: None,
            faults,
            babble: Babble::default(),
            serial,
            firmware: None,
            stranger: None,
            is_read,
            is_vacated,
            next_game: NextGame::default(),
            early: early.unwrap_or_default(),
            named: false,
            seat: None,
            heard,
            undone_by: None,
            earlier: games
                .get(at_hand + 1)
                .filter(|game| game.row.damage.is_none())
                .and_then(Earlier::resume)
                .map(Box::new),
            view: None,
            is_told: true,
            ticked: None,
            mark,
            kept: mark,
            acknowledged: None,
            acts: Vec::new(),
            pages: Vec::new(),
            said: Vec::new(),
            memory,
            note: None,
            lamps: 0,
            commands,
            to_board: Some(to_board),
            parts,
        };
        session.renew_pages(&games, at_hand);
        session.look_back(&seen);
        Ok(session)
    }

    /// Writes anew what a crash may have cut. A game that is over stays as it was written; the one
    /// at hand is written when it is shown.
    fn renew_pages(&self, games: &[Game], at_hand: usize) {
        let whole = |(_, game): &(usize, &Game)| {
            let is_its = self.is_of_its_table(&pgn::Tags::of(game), &game.row.id);
            game.row.damage.is_none() && is_its
        };
        for (n, game) in games.iter().enumerate().filter(whole) {
            let page = match &game.ending {
                Some(ending) if n != at_hand || self.recalled.is_some() => {
                    Some(self.written(game, ending))
                }
                None if n != at_hand => game.view().map(|view| {
                    let tags = self.with_said(pgn::Tags::of(game), &game.row.id);
                    self.page(tags, self.as_settled(Arc::new(view)))
                }),
                _ => None,
            };
            page.into_iter()
                .for_each(|page| self.parts.scribe.keep(page));
        }
    }

    /// The page of a game that is not the one at hand.
    fn page(&self, tags: pgn::Tags, view: Arc<View>) -> Page {
        let mut board = BoardState::new(&self.parts.board.id, None);
        board.show(view, crate::hall::Running::default());
        let board = Arc::new(board);
        Page::Board { tags, board }
    }

    /// The board's id.
    pub fn board(&self) -> &str {
        &self.parts.board.id
    }

    /// How to reach the board, and the way of the program's wishes to it. For
    /// [`board_driver::Link::run`]; once.
    pub fn link(&mut self) -> Option<(LinkConfig, mpsc::Receiver<Command>)> {
        let board = &self.parts.board;
        let &BoardConfig {
            kind,
            baud,
            pace,
            address,
            ..
        } = board;
        let (port, memory, turned) = (board.port.clone(), self.memory.clone(), board.turn);
        let config = LinkConfig {
            port,
            kind,
            baud,
            resume: self.mark,
            serial: self.serial.clone(),
            stood: self.reading(),
            pace,
            address,
            memory,
            turned,
        };
        Some((config, self.to_board.take()?))
    }

    /// Follows the board until the session is shut down.
    pub async fn follow(mut self, mut line: mpsc::Receiver<LinkEvent>) {
        let shutdown = self.parts.shutdown.clone();
        self.follow_the_event();
        self.look(self.timeline.last());
        self.search.ask(self.arbiter.question(), &self.parts.solver);
        self.commit().await;
        let mut heard = Vec::with_capacity(BATCH);
        let mut draws = self.parts.office.draws();
        let mut books = self.parts.office.books();
        loop {
            let wake = self.wake_at();
            tokio::select! {
                biased;
                () = shutdown.cancelled() => return,
                count = line.recv_many(&mut heard, BATCH) => {
                    if count == 0 {
                        return;
                    }
                    for event in heard.drain(..) {
                        self.listen(event).await;
                        // One board that says a lot must not keep all others waiting.
                        tokio::task::yield_now().await;
                    }
                    self.babble.rest().await;
                }
                Some(answer) = self.search.answer() => {
                    self.tell(Event { at: self.timeline.last(), input: answer });
                }
                Some(order) = self.parts.station.orders.recv(), if self.obeys() => {
                    let result = match order.demand {
                        Demand::Connect(board) => self.go_over(*board, &mut line).await,
                        demand => self.obey(demand).await,
                    };
                    let _no_longer_waited_for = order.answer.send(result);
                }
                Some(exchange) = self.parts.station.exchanges.recv() => {
                    self.exchange(exchange).await;
                }
                // Its table's pairing is shown.
                Ok(()) = draws.changed() => {
                    self.follow_the_event();
                    self.look(self.timeline.last());
                }
                Ok(()) = books.changed() => {
                    self.follow_the_event();
                    if self.acts.is_empty() && !self.shows_what_is_settled() {
                        continue;
                    }
                }
                () = sleep_until(wake) => {
                    // After a stall of the program, reports are waiting as well: the line is read
                    // first.
                    tokio::task::yield_now().await;
                    tokio::task::yield_now().await;
                    if line.is_empty() {
                        self.wake().await;
                    }
                }
            }
            self.search.ask(self.arbiter.question(), &self.parts.solver);
            self.commit().await;
        }
    }

    async fn hear(&mut self, event: LinkEvent) {
        let event = match (self.stranger.take(), event) {
            (Some(stranger), LinkEvent::Board { event, clock, mark }) => {
                return self.overhear(stranger, event, clock, mark).await;
            }
            (stranger, event) => {
                self.stranger = stranger;
                event
            }
        };
        match event {
            LinkEvent::Up {
                kind,
                info,
                clock,
                mark,
            } => {
                self.stranger = None;
                self.greet(kind, info, clock, mark).await;
            }
            LinkEvent::Board { event, clock, mark } => match event.report {
                Report::Condition(condition) => self.become_so(condition),
                Report::Firmware(firmware) => {
                    tracing::info!(board = self.parts.board.id, firmware, "board's firmware");
                    self.firmware = Some(firmware);
                }
                Report::Levels(_) => {}
                _ => {
                    self.timeline.heard(clock, Instant::now());
                    self.report(event).await;
                    self.mark = mark.or(self.mark);
                }
            },
            LinkEvent::Trouble(trouble) => {
                meters::line(&trouble);
                if trouble.damaged > 0 || trouble.repeats > 0 {
                    // Something is on its way that may break the silence.
                    self.timeline.stop();
                }
            }
            LinkEvent::Learning(learning) => self.learn(learning),
            LinkEvent::Down(reason) => {
                tracing::warn!(board = self.parts.board.id, %reason, "board lost");
                metrics::counter!("arbiter_faults_total").increment(1);
                (self.faults.line, self.faults.unlearned) = (Some(reason.fault()), None);
                self.stranger = None;
                self.parts.station.claim(&self.serial, false);
                self.timeline.stop();
            }
        }
    }

    async fn up(
        &mut self,
        kind: BoardKind,
        info: BoardInfo,
        clock: BoardClock,
        mark: Option<Mark>,
    ) {
        let now = Instant::now();
        tracing::info!(
            board = self.parts.board.id,
            %kind,
            serial = info.serial,
            sensor = ?info.sensor,
            "board answers"
        );
        metrics::counter!("arbiter_connections_total").increment(1);
        self.timeline.up(info.boot, clock, now);
        (self.faults.line, self.faults.sensors) = (None, Condition::default());
        self.lamps = 0;
        number(kind, &info).clone_into(&mut self.serial);
        // A game that begins now is known from here on, whatever happens next.
        self.mark = self.mark.or(mark);
        self.firmware = None;
        self.parts.station.claim(&self.serial, true);
        self.info = Some(info);
        // After a damaged game only somebody who has seen it begins the next one.
        let is_new = self.record.is_none() && self.faults.game.is_none();
        if is_new || self.is_held_up() {
            // Not now: the board dates what it says first before that.
            self.begin_apart(self.timeline.last()).await;
            if std::mem::take(&mut self.is_vacated) {
                self.stop();
            }
        }
        self.distrust(self.timeline.last());
        self.check_sensors();
    }

    /// What is learned goes into the journal together with the first report that rests on it, or
    /// before.
    fn learn(&mut self, learning: Learning) {
        let board = &self.parts.board.id;
        match learning {
            Learning::Wanted(fault) => {
                tracing::warn!(board, words = fault.text, "board has to be told");
                self.faults.unlearned = Some(fault);
            }
            Learning::Done { memory, words } => {
                tracing::info!(board, words, "learned of the board");
                self.faults.unlearned = None;
                self.acts.push(Act::Learned {
                    board: self.parts.station.id().clone(),
                    memory: memory.clone(),
                });
                (self.memory, self.note) = (Some(memory), Some(words));
            }
        }
    }

    async fn report(&mut self, event: BoardEvent) {
        if let Report::Lost { count } = event.report {
            tracing::warn!(board = self.parts.board.id, count, "reports lost");
            metrics::counter!("arbiter_reports_lost_total").increment(u64::from(count));
            self.faults.lost += u64::from(count);
        }
        if self.is_held_up() {
            let at = self.timeline.event(event.at);
            self.begin_apart(at).await;
        }
        let Some(class) = self.class_listened_to() else {
            return;
        };
        if let Report::ClockRuns(runs) = event.report {
            tracing::info!(
                board = self.parts.board.id,
                runs,
                "clock started or stopped"
            );
            if let Some(record) = &mut self.record {
                record.clock_runs(runs);
            }
        }
        match event.report {
            Report::Alive => return self.timeline.assured(event.at),
            Report::ClockRuns(_) | Report::Lost { .. } => {
                self.timeline.report(event.at);
                return;
            }
            _ => {}
        }
        let at = self.timeline.event(event.at);
        self.pass(at);
        if self.is_begun_by(&event.report, at) {
            self.begin(self.next_game.begins(at), Named::default())
                .await;
        }
        for input in evidence::inputs(&event, class) {
            self.tell(Event { at, input });
        }
        if matches!(event.report, Report::Snapshot(_)) {
            self.faults.lost = 0;
        }
        self.look_for_unseen(&event.report).await;
    }

    /// The class of sensors the game was set up for, unless the board's can tell less: its silence
    /// would mislead.
    fn class_listened_to(&self) -> Option<SensorClass> {
        let game = self.arbiter.setup()?.sensor;
        self.info
            .as_ref()
            .filter(|info| faults::is_finer(info.sensor, game))
            .map(|_| game)
    }

    /// Tells the arbiter something and notes it for the journal. A tick that moves nobody to speech
    /// is not noted.
    fn tell(&mut self, event: Event) {
        let before = self.said.len();
        self.arbiter.handle(&event, &mut self.said);
        self.is_told = true;
        match &event.input {
            Input::Setup(_) => (self.view, self.recalled) = (None, None),
            Input::Snapshot { .. } => self.is_read = true,
            _ => {}
        }
        let new = &self.said[before..];
        let is_refused = |said: &Announcement| matches!(said.ruling, Ruling::Refused { .. });
        if event.input.order().is_some() && !new.iter().any(is_refused) {
            self.recalled = None;
        }
        if !matches!(event.input, Input::Tick) || !new.is_empty() {
            self.note(&event);
        }
        self.look(event.at);
    }

    /// Notes for the journal what the arbiter was told.
    fn note(&mut self, event: &Event) {
        metrics::counter!("arbiter_events_total").increment(1);
        self.ticked = None;
        let phase = self.arbiter.state();
        let record = self.record.as_mut();
        match record.map(|record| record.enter(event, phase)) {
            Some(Ok(act)) => self.acts.push(act),
            Some(Err(error)) => {
                tracing::error!(board = self.parts.board.id, %error, "event not written")
            }
            None => {}
        }
    }

    /// What the board reads, as it names its squares, if it has told.
    fn reading(&self) -> Option<Reading> {
        self.arbiter.reading().filter(|_| self.is_read)
    }
}

#[cfg(test)]
mod tests;

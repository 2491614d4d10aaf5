//! Looks at the boards whenever they change, and at games that are over when something is ruled.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;

use super::case::Case;
use super::faults::Place;
use super::given::given_since;
use super::mark::{By, Mark};
use super::noticed::Noticed;
use super::state::Tables;
use super::swapped::swapped;
use super::{IncidentError, Incidents};
use crate::hall::BoardState;
use crate::office::Book;
use crate::store::{Author, Game, StoreError};

/// How long changes of boards are gathered before they are looked at together.
const GATHERED: Duration = Duration::from_millis(50);
/// How often what waits until a time is looked at.
const SECOND: Duration = Duration::from_secs(1);
/// When every board has told what is on it, after the start.
const KNOWN: Duration = Duration::from_mins(1);

/// Where games are played, as the event says now.
pub(super) struct Seats(Arc<Book>);

impl Tables for Seats {
    fn table(&self, game: &str, board: &str) -> Option<u16> {
        let seat = self.0.event.seat_of(game);
        let own = seat.map(|(_, table)| table);
        own.or_else(|| self.0.table_of(board))
    }

    fn round(&self, game: &str) -> Option<u16> {
        let event = &self.0.event;
        let seat = event.seat_of(game).or_else(|| event.annulled_seat_of(game));
        seat.map(|(round, _)| round)
    }

    fn has_answer(&self, game: &str) -> bool {
        self.0.has_answer(game)
    }

    fn has_result(&self, game: &str) -> bool {
        self.0.has_result(game)
    }

    fn is_postponed(&self, game: &str) -> bool {
        self.0.is_postponed(game)
    }
}

impl Incidents {
    /// Looks at everything until the program ends.
    pub async fn watch(self, shutdown: CancellationToken) {
        let (mut feed, mut news) = (self.0.hall.subscribe(), self.0.office.news());
        self.look_back().await;
        let mut is_stale = self.0.is_mirror;
        let mut dirty: BTreeSet<Arc<str>> = self.everywhere();
        let (mut soon, mut second) = (interval(GATHERED), interval(SECOND));
        soon.set_missed_tick_behavior(MissedTickBehavior::Delay);
        second.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut known = pin!(sleep(KNOWN));
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                heard = feed.recv() => match heard {
                    Ok(live) => _ = dirty.insert(live.board),
                    Err(RecvError::Lagged(_)) => dirty = self.everywhere(),
                    Err(RecvError::Closed) => return,
                },
                heard = news.recv() => match heard {
                    Ok(_) | Err(RecvError::Lagged(_)) => {
                        self.kept().doubt_tables();
                        dirty = self.everywhere();
                        is_stale = self.0.is_mirror;
                    }
                    Err(RecvError::Closed) => return,
                },
                () = &mut known, if !known.is_elapsed() && !self.0.is_mirror => {
                    let closed = self.kept().forget_unborne();
                    self.close_all(closed).await;
                }
                _ = soon.tick(), if !dirty.is_empty() => {
                    self.look(std::mem::take(&mut dirty)).await;
                }
                _ = second.tick() => {
                    if std::mem::take(&mut is_stale) {
                        self.hear_again().await;
                        self.look_back().await;
                    }
                    self.settle().await;
                    self.keep_faults().await;
                }
            }
        }
    }

    /// Keeps what is wrong with boards, and that it is no more.
    async fn keep_faults(&self) {
        if self.0.is_mirror {
            return;
        }
        let now = jiff::Timestamp::now().as_millisecond();
        let book = self.0.office.book();
        let at = Place {
            event: book.number(),
            round: book.event.under_way().map(|(round, _)| round),
            table: None,
        };
        let marks = self.kept().faulty(&self.tables(), at, now);
        for mark in marks {
            let who = String::new();
            self.kept().apply(&mark, By { who, at: now });
            self.keep(&Author::default(), &mark).await;
        }
    }

    fn everywhere(&self) -> BTreeSet<Arc<str>> {
        let boards = self.0.hall.boards();
        boards
            .iter()
            .map(|board| board.id.as_str().into())
            .collect()
    }

    /// What was said where a mirrored game is played: its rows have come.
    async fn hear_again(&self) {
        let store = self.0.office.store().clone();
        let read = tokio::task::spawn_blocking(move || store.deeds()).await;
        match read.unwrap_or(Err(StoreError::Ending)) {
            Ok(deeds) => {
                let _alone = self.0.looking.lock().await;
                self.kept().say_again(&deeds);
            }
            Err(error) => tracing::error!(%error, "what was said of incidents cannot be read"),
        }
    }

    /// Games that are over and wait for somebody.
    async fn look_back(&self) {
        let store = self.0.office.store().clone();
        let read = tokio::task::spawn_blocking(move || store.unruled(None)).await;
        match read.unwrap_or(Err(StoreError::Ending)) {
            Ok(games) => {
                if self.0.is_mirror {
                    let past = games.iter().map(|game| game.row.id.clone()).collect();
                    self.kept().only_past(&past);
                }
                for game in games {
                    self.take_past(game).await;
                }
            }
            Err(error) => tracing::error!(%error, "games that are over could not be looked at"),
        }
        self.settle().await;
    }

    /// A game was ruled on: it is looked at again, be it at hand or over.
    pub async fn reread(&self, game: &str, board: &str) {
        self.look([Arc::from(board)].into()).await;
        if self
            .0
            .hall
            .boards()
            .iter()
            .any(|board| is_at_hand(board, game))
        {
            return;
        }
        {
            let _alone = self.0.looking.lock().await;
            self.take_kept(game).await;
        }
        self.settle().await;
    }

    async fn take_past(&self, game: Game) {
        let boards = self.0.hall.boards();
        if boards.iter().any(|board| is_at_hand(board, &game.row.id)) {
            return;
        }
        // It may have to be judged anew from its events: not on the thread that the boards share.
        let read = tokio::task::spawn_blocking(move || case_of(game)).await;
        if let Ok(Some(case)) = read {
            self.take(case.game.clone(), case).await;
        }
    }

    /// Looks at boards that have changed.
    async fn look(&self, boards: BTreeSet<Arc<str>>) {
        let _alone = self.0.looking.lock().await;
        let mut answered = Vec::new();
        let all = self.0.hall.boards();
        // Of two that have changed places the other has not changed itself.
        let others = boards
            .iter()
            .filter_map(|id| swapped(&*self.0.hall.board(id)?, &all));
        let others: Vec<Arc<str>> = others.map(|id| id.as_str().into()).collect();
        for id in boards.into_iter().chain(others).collect::<BTreeSet<_>>() {
            let Some(board) = self.0.hall.board(&id) else {
                continue;
            };
            // What is wrong with a mirrored board its own hall tells.
            if !self.0.is_mirror {
                let asked = self.kept().asked_at(&id);
                let case = Case::of_board(&board);
                self.take(format!("board:{id}"), case).await;
                answered.extend(asked.filter(|game| {
                    let still = self.kept().asked_at(&id);
                    still.as_ref() != Some(game)
                }));
            }
            let now = jiff::Timestamp::now().as_millisecond();
            let game = Case::of_game(&board, self.given_since_told(&board), now);
            let swapped = game.as_ref().and_then(|_| swapped(&board, &all));
            let game = game.map(|game| Case { swapped, ..game });
            let name = game.as_ref().map_or("", |game| &game.game).to_owned();
            self.kept().leave(&id, &name);
            if let Some(case) = game {
                self.take(name, case).await;
            }
        }
        // What the game itself asked is answered with it.
        for game in answered {
            self.take_kept(&game).await;
        }
        self.settle().await;
    }

    /// By how much the clocks of a board's game were set otherwise since they were told last,
    /// White's and Black's, in milliseconds.
    fn given_since_told(&self, board: &BoardState) -> [i64; 2] {
        let game = board.view().map_or("", |view| &view.game);
        let book = self.0.office.book();
        let seat = book.event.seat_of(game).zip(board.clock_at);
        seat.map_or([0; 2], |(seat, told)| given_since(&book.event, seat, told))
    }

    /// Takes a game as the store has it, unless it is at hand.
    async fn take_kept(&self, game: &str) {
        match self.0.hall.game(game).await {
            Ok(Some(kept)) => self.take_past(kept).await,
            Ok(None) => {}
            Err(error) => tracing::error!(game, %error, "the game could not be looked at"),
        }
    }

    async fn take(&self, key: String, case: Case) {
        let is_first = !case.game.is_empty() && !self.kept().knows(&key);
        let game = case.game.clone();
        let ats: BTreeMap<u32, u64> = match is_first {
            true => case
                .found()
                .map(|(found, _)| (found.ply, found.at))
                .collect(),
            false => BTreeMap::new(),
        };
        let noticed = self.kept().take(key, case);
        let own = noticed.into_iter().filter(|_| !self.0.is_mirror);
        for (mark, who) in own {
            self.note((mark, who)).await;
        }
        if is_first && !ats.is_empty() {
            self.date(game, ats).await;
        }
    }

    /// What was found before this program ran began when the journal says.
    async fn date(&self, game: String, ats: BTreeMap<u32, u64>) {
        let store = self.0.office.store().clone();
        let dated = tokio::task::spawn_blocking(move || {
            let of = |(ply, at)| Some((format!("{game}.{ply}"), store.wall(&game, at).ok()??));
            ats.into_iter().filter_map(of).collect::<Vec<_>>()
        });
        for (id, at) in dated.await.unwrap_or_default() {
            self.kept().began(&id, at);
        }
    }

    /// Writes down what the board showed to be ruled.
    async fn note(&self, (mark, who): Noticed) {
        let author = Author {
            who: who.clone(),
            ..Author::default()
        };
        let at = jiff::Timestamp::now().as_millisecond();
        self.kept().apply(&mark, By { who, at });
        self.keep(&author, &mark).await;
    }

    async fn keep(&self, author: &Author, mark: &Mark) {
        match self.write(author, mark).await {
            Ok(()) | Err(IncidentError::Journal(_)) => {}
            Err(error) => tracing::error!(%error, "what was said of an incident is not kept"),
        }
    }

    /// Tells what has changed, and forgets what was said of what is not any more.
    pub(super) async fn settle(&self) {
        let now = jiff::Timestamp::now().as_millisecond();
        let (changes, closed) = self.kept().settle(&self.tables(), now);
        self.tell(&changes);
        self.close_all(closed).await;
    }

    async fn close_all(&self, closed: Vec<Mark>) {
        for mark in closed.into_iter().filter(|_| !self.0.is_mirror) {
            self.keep(&Author::default(), &mark).await;
        }
    }

    pub(super) fn tables(&self) -> Seats {
        Seats(self.0.office.book())
    }
}

fn case_of(game: Game) -> Option<Case> {
    let view = game.told().ok()??;
    let tags = game.row.tags;
    let names = [tags.white, tags.black];
    Some(Case::of_past(&game.row.id, &game.row.board, names, &view))
}

fn is_at_hand(board: &BoardState, game: &str) -> bool {
    board.view().is_some_and(|view| view.game == game)
}

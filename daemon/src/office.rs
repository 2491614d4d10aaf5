//! The event of the store: what people do to it is checked, written down, and only then so.
//!
//! Whoever changes the event holds it until the change is on the disk, so that the acts are in the
//! store in the order in which they were checked, and can be done again in that order. Whoever
//! looks at it sees it as it was last written down, and waits for nobody.

mod answered;
mod awaited;
mod book;
mod erase;
mod file;
mod minors;
mod moved;
mod news;
mod overdue;
mod pages;
mod people;
mod person;
mod published;
mod register;
mod retention;
mod said;
mod scoresheet;
mod seat;
mod sheet;
mod shown;
mod spoken;
#[cfg(test)]
mod tests;
mod typing;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, MutexGuard, OnceLock, PoisonError};

use arbiter_core::input::{Edition, TimeClass};
use jiff::Timestamp;
use tokio::sync::{Mutex, OwnedMutexGuard, broadcast, watch};
use tournament::{Act, Details, MOST_ROUNDS, Note, Refusal, is_time_control};

pub use book::{Book, Since};
pub use erase::Erased;
pub(crate) use file::name as file_name;
pub use file::{LoadError, Loaded, Request, starts};
pub use minors::Minors;
pub use moved::BoardMove;
pub use news::News;
pub use pages::{Form, Given, of_game_in as page_of_game_in, page, round};
pub(crate) use pages::{given_out_with, of_game as page_of_game, round_of, said_of, tags_of};
pub use person::{Known, Whom};
pub use scoresheet::Scoresheet;
pub use seat::Seat;
pub(crate) use seat::start_fen;
pub use sheet::{check, played};
pub use shown::Shown;
pub use spoken::{ResultSaid, SaidWhat};
pub use typing::{Place, Wanted, place};

use crate::journal::{self, Journal, JournalError};
use crate::plain;
use crate::reason::Reason;
use crate::scribe::Scribe;
use crate::store::{Area, Author, Deed, Store, StoreError};

/// Why something was not done to the event.
#[derive(Debug, thiserror::Error)]
pub enum OfficeError {
    /// It cannot be, as the event stands.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It is not there.
    #[error("{0}")]
    Missing(String),
    /// What was said of the event is wrong in itself.
    #[error("{0}")]
    Bad(String),
    /// The same, for a reason that is said in every language.
    #[error("{0}")]
    Unfit(Box<Reason>),
    /// What was done before is damaged: nothing may be added to it.
    #[error("the acts of the event are damaged: {0}; `arbiterd repair` keeps what is sound")]
    Damaged(String),
    /// It could not be written down.
    #[error("it could not be written down: {0}")]
    Journal(#[from] JournalError),
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl OfficeError {
    /// What was said is wrong in itself, for this reason.
    pub fn unfit(reason: Reason) -> OfficeError {
        OfficeError::Unfit(Box::new(reason))
    }
}

/// The event, for whoever looks at it or changes it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Office {
    book: Arc<Mutex<Book>>,
    shown: Arc<watch::Sender<Arc<Book>>>,
    /// Counts what may give a board another game to play.
    drawn: Arc<watch::Sender<u64>>,
    /// Counts what was taken away.
    erasures: Arc<AtomicU64>,
    /// Whose names the public is shown shortened.
    minors: Minors,
    /// Since when pairings wait at their tables, once that was asked.
    awaited: Arc<OnceLock<BTreeMap<u16, awaited::Awaited>>>,
    /// Tells what was done.
    news: broadcast::Sender<News>,
    /// Pages are written anew one after the other.
    renewing: Arc<std::sync::Mutex<()>>,
    store: Store,
    ways: Arc<std::sync::Mutex<Option<Ways>>>,
}

/// Where the event is written down. `None` once the program ends.
#[derive(Clone, Debug)]
struct Ways {
    journal: Journal,
    scribe: Option<Scribe>,
}

impl Office {
    /// Takes up the event of a store. `boards` are the boards of the configuration: as long as
    /// nobody has said where a board stands, the first stands on table 1, and so on.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn open(
        store: Store,
        journal: Journal,
        boards: Vec<String>,
        scribe: Option<Scribe>,
    ) -> Result<Office, StoreError> {
        let book = Book::read(&store.deeds()?, boards);
        if let Some(damage) = &book.damage {
            tracing::error!(damage, "the acts of the event are damaged");
        }
        let minors = Minors::default();
        minors.learn(&book);
        let (shown, _) = watch::channel(Arc::new(book.clone()));
        Ok(Office {
            book: Arc::new(Mutex::new(book)),
            shown: Arc::new(shown),
            drawn: Arc::default(),
            erasures: Arc::default(),
            minors,
            awaited: Arc::default(),
            news: broadcast::channel(news::FEED).0,
            renewing: Arc::default(),
            store,
            ways: Arc::new(std::sync::Mutex::new(Some(Ways { journal, scribe }))),
        })
    }

    /// The same, with what is known of whose names are shortened kept up to date.
    #[must_use]
    pub fn with_minors(self, minors: Minors) -> Office {
        minors.learn(&self.book());
        Office { minors, ..self }
    }

    /// The same of an event that is called so, at this place, where no file of pairings and nobody
    /// says otherwise.
    #[must_use]
    pub fn with_configured(self, name: &str, site: &str) -> Office {
        let mut book = Book::clone(&self.book());
        book.event.configured = [name, site].map(str::to_owned);
        self.shown.send_replace(Arc::new(book.clone()));
        Office {
            book: Arc::new(Mutex::new(book)),
            ..self
        }
    }

    /// Writes the files of games anew that were written before what people have said of them.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn catch_up(&self) -> Result<(), StoreError> {
        let scribe = self.ways().as_ref().and_then(|ways| ways.scribe.clone());
        if let Some(scribe) = scribe {
            self.write_overdue(&self.store.deeds()?, scribe)?;
        }
        Ok(())
    }

    /// Whose names the public is shown shortened.
    pub fn minors(&self) -> &Minors {
        &self.minors
    }

    /// Nothing is done any more: the program ends.
    pub fn close(&self) {
        self.ways().take();
    }

    fn ways(&self) -> MutexGuard<'_, Option<Ways>> {
        self.ways.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The event as it was last written down.
    pub fn book(&self) -> Arc<Book> {
        self.shown.borrow().clone()
    }

    /// The event, each time that something of it changes.
    pub fn books(&self) -> watch::Receiver<Arc<Book>> {
        self.shown.subscribe()
    }

    /// Tells whenever a board may have another game to play than before.
    pub fn draws(&self) -> watch::Receiver<u64> {
        self.drawn.subscribe()
    }

    /// Tells what is done from now on. Who has fallen behind reads the event anew.
    pub fn news(&self) -> broadcast::Receiver<News> {
        self.news.subscribe()
    }

    /// Reads the event anew: somebody else has written to its store. The boards are those that are
    /// known by now. Not within a runtime.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub(crate) fn look_again(&self, boards: Vec<String>) -> Result<(), StoreError> {
        let book = Book::read(&self.store.deeds()?, boards);
        self.minors.learn(&book);
        let acts = book.acts;
        *self.book.blocking_lock() = book.clone();
        self.shown.send_replace(Arc::new(book));
        let everything = News {
            acts,
            ..News::default()
        };
        let _nobody_listens = self.news.send(everything);
        Ok(())
    }

    /// Where its games are.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Does something, all of it or nothing. Returns when it is on the disk.
    ///
    /// # Errors
    /// Where it cannot be; nothing is changed then.
    pub async fn act(&self, author: &Author, acts: &[Act]) -> Result<(), OfficeError> {
        self.act_if(author, acts, |_| Ok(())).await
    }

    /// The same, if it may be: asked of the event as it is, while nobody else does anything to it.
    ///
    /// # Errors
    /// The same, and why it may not.
    pub async fn act_if(
        &self,
        author: &Author,
        acts: &[Act],
        may: impl FnOnce(&Book) -> Result<(), OfficeError>,
    ) -> Result<(), OfficeError> {
        let held = self.book.clone().lock_owned().await;
        may(&held)?;
        self.act_in(held, author, acts, Vec::new()).await
    }

    async fn act_in(
        &self,
        mut held: OwnedMutexGuard<Book>,
        author: &Author,
        acts: &[Act],
        mut with: Vec<journal::Act>,
    ) -> Result<(), OfficeError> {
        let mut book = held.clone();
        let (mut done, now) = (Vec::new(), Timestamp::now());
        let by = (&*author.who, now.as_millisecond());
        for act in acts {
            let before = book.event.is_observed().then(|| book.event.clone());
            let acts = book.in_full(act);
            acts.iter().try_for_each(|act| book.apply_of(by, act))?;
            done.extend(acts);
            let at = now.to_string();
            for act in book.event.not_observed_since(before.as_ref(), &at) {
                book.apply(&act)?;
                done.push(act);
            }
        }
        if let Some(damage) = &book.damage {
            return Err(OfficeError::Damaged(damage.clone()));
        }
        for act in &done {
            let deed = Deed {
                utc: now.to_string(),
                ..Deed::now(author.clone(), Area::Event, act)?
            };
            with.push(journal::Act::Deed(Box::new(deed)));
        }
        if with.is_empty() {
            return Ok(());
        }
        let ways = self.ways().clone().ok_or(JournalError::Closed)?;
        ways.journal.write(with.into()).await?;
        *held = book;
        self.show(held, &done);
        Ok(())
    }

    /// Shows what is written down.
    fn show(&self, held: OwnedMutexGuard<Book>, done: &[Act]) {
        let book = Arc::new(held.clone());
        self.minors.learn(&book);
        let acts = book.acts;
        self.shown.send_replace(book);
        drop(held);
        for news in news::of(done, acts) {
            let _nobody_listens = self.news.send(news);
        }
        let is_about_games = |act: &Act| {
            !matches!(
                act,
                Act::Propose { .. }
                    | Act::Result { .. }
                    | Act::Confirm { .. }
                    | Act::Begin { .. }
                    | Act::Penalise { .. }
                    | Act::TakePenaltyBack { .. }
                    | Act::Publish { .. }
                    | Act::Delay { .. }
                    | Act::LayOut { .. }
                    | Act::Note(_)
                    | Act::Halt(_)
                    | Act::GiveTime(_)
                    | Act::TakeTimeBack { .. }
                    | Act::Leave { .. }
                    | Act::ComeBack { .. }
                    | Act::TakeBreakBack { .. }
                    | Act::Observe { .. }
                    | Act::StopObserving { .. }
            )
        };
        if done.iter().any(is_about_games) {
            self.drawn.send_modify(|count| *count += 1);
        }
        let scribe = self.ways().as_ref().and_then(|ways| ways.scribe.clone());
        if let Some(scribe) = scribe {
            self.renew(done, scribe);
        }
    }

    /// Writes a note down, with the bytes of its picture. Returns when it is on the disk.
    ///
    /// # Errors
    /// Where it is about nothing that is there; nothing is changed then.
    pub async fn note(
        &self,
        author: &Author,
        note: Note,
        photo: Option<Vec<u8>>,
    ) -> Result<(), OfficeError> {
        let held = self.book.clone().lock_owned().await;
        let photo = photo.map(|bytes| journal::Act::File {
            name: file_name(&bytes),
            bytes: bytes.into(),
        });
        let with = photo.into_iter().collect();
        self.act_in(held, author, &[Act::Note(note)], with).await
    }

    /// What a board shows of a game that belongs to a pairing: how it ended, that it has not, or
    /// that it was none. A result that a person has confirmed stays as it is.
    ///
    /// # Errors
    /// Where it could not be written down.
    pub async fn hear(&self, board: &str, game: &str, shows: &Shown) -> Result<(), OfficeError> {
        let held = self.book.clone().lock_owned().await;
        let acts = shows.acts(&held.event, game);
        if acts.is_empty() {
            return Ok(());
        }
        let author = shows.author(board);
        self.act_in(held, &author, &acts, Vec::new()).await
    }

    /// Hears that a game which was annulled counts again, and who has taken that back. What it
    /// shows besides is heard as always.
    ///
    /// # Errors
    /// As for what is heard.
    pub async fn hear_undone(
        &self,
        board: &str,
        game: &str,
        shows: &Shown,
        who: &str,
    ) -> Result<(), OfficeError> {
        let held = self.book.clone().lock_owned().await;
        let acts = shows.acts(&held.event, game);
        let Some(act @ Act::Reinstate { .. }) = acts.into_iter().next() else {
            return Ok(());
        };
        let author = Author {
            who: who.to_owned(),
            ..of_board(board)
        };
        self.act_in(held, &author, &[act], Vec::new()).await
    }

    /// Hears that a game of no pairing was none, which was played on a board where one waits.
    ///
    /// # Errors
    /// Where it cannot be written down.
    pub async fn hear_apart(&self, board: &str, shows: &Shown) -> Result<(), OfficeError> {
        let held = self.book.clone().lock_owned().await;
        let waiting = held.next_on(board).map(|(round, table, _)| (round, table));
        let Some((round, table)) = waiting else {
            return Ok(());
        };
        let act = Act::Annul { round, table };
        self.act_in(held, &shows.author(board), &[act], Vec::new())
            .await
    }
}

/// Whether what is said of an event means something.
///
/// # Errors
/// Where it does not.
pub fn check_details(details: &Details) -> Result<(), OfficeError> {
    let Details { class, laws, .. } = details;
    if !class.is_empty() && seat::named::<TimeClass>(class).is_none() {
        let what = format!("`{class}` is no class of play; write standard, rapid or blitz");
        return Err(OfficeError::Bad(what));
    }
    if !laws.is_empty() && seat::named::<Edition>(laws).is_none() {
        let what = format!("`{laws}` is no edition of the Laws; write for example fide-2023");
        return Err(OfficeError::Bad(what));
    }
    let time_control = &details.time_control;
    if !time_control.is_empty() && !is_time_control(time_control) {
        let what = format!(
            "`{time_control}` is no time control as PGN writes it: seconds and increment, such as \
             5400+30, or periods such as 40/6000+30:900+30"
        );
        return Err(OfficeError::Bad(what));
    }
    for day in [&details.start, &details.end] {
        let parsed = day.replace(['.', '/'], "-").parse::<jiff::civil::Date>();
        if !day.is_empty() && parsed.is_err() {
            let what = format!("`{day}` is no day; write for example 2026-11-24");
            return Err(OfficeError::Bad(what));
        }
    }
    let [start, end] = [&details.start, &details.end].map(|day| {
        let day = day.replace(['.', '/'], "-");
        day.parse::<jiff::civil::Date>().ok()
    });
    if start.zip(end).is_some_and(|(start, end)| end < start) {
        let what = format!(
            "the event ends on {}, before it starts on {}",
            details.end, details.start
        );
        return Err(OfficeError::Bad(what));
    }
    if details.rounds == Some(0) {
        return Err(OfficeError::Bad("an event has a round at least".to_owned()));
    }
    if details.rounds.is_some_and(|rounds| rounds > MOST_ROUNDS) {
        let what = format!("no event has more than {MOST_ROUNDS} rounds");
        return Err(OfficeError::Bad(what));
    }
    let federation = &details.federation;
    let is_federation =
        federation.len() == 3 && federation.bytes().all(|b| b.is_ascii_alphabetic());
    if !federation.is_empty() && !is_federation {
        let what = format!("`{federation}` is no federation: three letters, such as GER");
        return Err(OfficeError::Bad(what));
    }
    legible(&[
        ("the name", &*details.name),
        ("the place", &*details.site),
        ("the arbiter", &*details.chief_arbiter),
    ])
}

/// Whether texts can be shown on a line; else which cannot.
///
/// # Errors
/// Where one cannot.
pub fn legible(texts: &[(&str, &str)]) -> Result<(), OfficeError> {
    let mut texts = texts.iter();
    let wrong = texts.find_map(|(what, text)| Some((what, plain::complaint(text)?)));
    wrong.map_or(Ok(()), |(what, complaint)| {
        let text = format!("{what} {complaint}");
        Err(OfficeError::unfit(Reason::new("text-unfit", text)))
    })
}

/// The program itself, for a board.
fn of_board(board: &str) -> Author {
    Author {
        role: "program".to_owned(),
        device: board.to_owned(),
        ..Author::default()
    }
}

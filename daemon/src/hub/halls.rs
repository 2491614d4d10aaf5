//! The hub's side: the halls that it knows, each with its mirror on a thread of its own.

mod guest;
mod room;

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use jiff::Timestamp;
use replica::{Batch, Greeted, Hello, Place, Verdict, Word};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

pub use guest::Guest;
pub(super) use guest::Reader;
pub(crate) use room::Room;

use super::message::Late;
use super::message::{FromHall, Kept, ToHall};
use super::mirror::{Mirror, greeted};
use super::order::{Order, Reply};
use super::picture::Picture;
use super::posted::{Answer, Posted, Undone};
use super::status::HallShown;
use super::{Known, fingerprint, order};
use crate::incidents::Incidents;
use crate::store::{Said, StoreError};
use room::Lookout;

/// The directory of the mirrors within the hub's store.
const DIR: &str = "halls";
/// Words of a hall that may wait.
const INBOX: usize = 16;
/// How long a hall may take to answer an order: longer than it would carry one out.
const PATIENCE: Duration = Duration::from_millis(order::STALE.unsigned_abs() + 2_000);

/// The halls of a hub. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Halls(Arc<Vec<Post>>);

#[derive(Debug)]
struct Post {
    known: Known,
    inbox: mpsc::Sender<Letter>,
    shown: watch::Receiver<HallShown>,
    room: Arc<OnceLock<Room>>,
    /// Somebody with the hall's key is on the line.
    is_taken: Arc<AtomicBool>,
    note: Mutex<Option<String>>,
}

impl Post {
    fn note(&self) -> MutexGuard<'_, Option<String>> {
        self.note.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Letter {
    Words(FromHall, UnboundedSender<ToHall>),
    /// Where the hub has everything is asked.
    Where(oneshot::Sender<Option<Place>>),
    /// What a carrier has kept.
    Kept(Box<Kept>, oneshot::Sender<Option<Word>>),
    Gone,
    Accept(String, oneshot::Sender<Result<(), String>>),
    Order(Box<Order>, Answer),
    /// What the journal has of an order.
    Recall(String, Answer),
    End,
}

/// Why somebody who calls himself a hall is not let in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unwelcome {
    /// No hall has that key.
    #[error(
        "no hall of this hub has this key: `arbiterd hub key FILE` prints what `[[hall]]` of the \
         hub's configuration needs"
    )]
    Unknown,
    /// The hall is on the line already.
    #[error("a hall with this key is on the line already: does another machine have a copy of it?")]
    Twice,
}

impl Halls {
    /// Opens the mirrors below `dir`, and waits for the halls, until the shutdown.
    ///
    /// # Errors
    /// Where a mirror cannot be used.
    ///
    /// # Panics
    /// Outside a runtime of tokio.
    pub fn open(
        dir: &Path,
        known: &[Known],
        shutdown: &CancellationToken,
    ) -> Result<(Halls, Vec<JoinHandle<()>>), StoreError> {
        let (mut posts, mut threads) = (Vec::new(), Vec::new());
        for known in known {
            let lookout = Lookout {
                runtime: Handle::current(),
                shutdown: shutdown.clone(),
            };
            let (post, thread) = Keeper::start(&dir.join(DIR), known, lookout)?;
            posts.push(post);
            threads.push(thread);
        }
        Ok((Halls(Arc::new(posts)), threads))
    }

    /// Every hall, in the order of the configuration.
    pub fn shown(&self) -> Vec<HallShown> {
        let shown = self.0.iter().map(|post| HallShown {
            event: post.note().clone(),
            ..post.shown.borrow().clone()
        });
        shown.collect()
    }

    /// What is configured of the halls.
    pub(super) fn known(&self) -> impl Iterator<Item = &Known> {
        self.0.iter().map(|post| &post.known)
    }

    /// Notes in words what of the event is not so in a hall.
    pub(super) fn note(&self, name: &str, note: Option<String>) {
        if let Some(post) = self.post(name) {
            *post.note() = note;
        }
    }

    /// What was noted last.
    pub(super) fn noted(&self, name: &str) -> Option<String> {
        self.post(name)?.note().clone()
    }

    /// What waits in all halls of which anything was heard, with their names.
    pub(crate) fn incidents(&self) -> impl Iterator<Item = (&str, &Incidents)> {
        let rooms = self.0.iter();
        rooms.filter_map(|post| Some((&*post.known.name, &post.room.get()?.incidents)))
    }

    /// A hall in detail; `None` where there is none, `Some(None)` where nothing was heard of it
    /// yet.
    pub(crate) fn room(&self, name: &str) -> Option<Option<Room>> {
        let post = self.post(name)?;
        Some(post.room.get().cloned())
    }

    /// How late a hall's viewers see its games; `None` where it has not said so.
    pub(crate) fn late(&self, name: &str) -> Option<Late> {
        self.post(name)?.shown.borrow().late.clone()
    }

    fn post(&self, name: &str) -> Option<&Post> {
        self.0.iter().find(|post| post.known.name == name)
    }

    /// Lets a hall in that shows its key.
    ///
    /// # Errors
    /// Where it is not let in.
    pub fn guest(&self, key: &str) -> Result<Guest, Unwelcome> {
        let fingerprint = fingerprint(key);
        let mut posts = self.0.iter();
        let post = posts.find(|post| post.known.key == fingerprint);
        Halls::let_in(post.ok_or(Unwelcome::Unknown)?)
    }

    /// Lets a hall in whose key somebody else has looked at.
    ///
    /// # Errors
    /// Where it is not let in.
    pub(super) fn guest_named(&self, name: &str) -> Result<Guest, Unwelcome> {
        Halls::let_in(self.post(name).ok_or(Unwelcome::Unknown)?)
    }

    fn let_in(post: &Post) -> Result<Guest, Unwelcome> {
        if post.is_taken.swap(true, Ordering::AcqRel) {
            return Err(Unwelcome::Twice);
        }
        Ok(Guest {
            inbox: post.inbox.clone(),
            is_taken: post.is_taken.clone(),
        })
    }

    /// The halls that may come over NATS, and who takes what was kept of each.
    pub(super) fn readers(&self) -> impl Iterator<Item = (&str, Reader)> {
        let posts = self.0.iter().filter(|post| post.known.nkey.is_some());
        posts.map(|post| (&*post.known.name, Reader(post.inbox.clone())))
    }

    /// From now on the store `epoch` is the one of this hall; the mirror of the other is kept
    /// beside it.
    ///
    /// # Errors
    /// In words, where no such store has called.
    pub async fn accept(&self, name: &str, epoch: &str) -> Result<(), String> {
        let ended = || "the program is ending".to_owned();
        let post = self.post(name);
        let post = post.ok_or_else(|| format!("there is no hall `{name}`"))?;
        let (answer, answered) = oneshot::channel();
        let letter = Letter::Accept(epoch.to_owned(), answer);
        post.inbox.send(letter).await.map_err(|_| ended())?;
        answered.await.unwrap_or_else(|_| Err(ended()))
    }

    /// Orders something of a hall, which is asked for it at once, and answers once its journal has
    /// the answer. One that came before has the answer that it had.
    pub(crate) async fn order(&self, name: &str, order: Order) -> Result<Reply, Undone> {
        let hall = || name.to_owned();
        let post = self.post(name).ok_or_else(|| Undone::NoHall(hall()))?;
        let id = order.id.clone();
        let (answer, answered) = oneshot::channel();
        let letter = Letter::Order(Box::new(order), answer);
        let sent = post.inbox.send(letter).await;
        sent.map_err(|_| Undone::Away(hall()))?;
        if let Ok(Ok(answered)) = timeout(PATIENCE, answered).await {
            return answered;
        }
        // What the hall said may be lost; what it has written down comes.
        let (answer, answered) = oneshot::channel();
        let sent = post.inbox.send(Letter::Recall(id, answer)).await;
        sent.map_err(|_| Undone::Away(hall()))?;
        answered.await.map_err(|_| Undone::Silent(hall()))?
    }

    /// Nothing is taken any more: the program ends.
    pub async fn close(&self) {
        for post in &*self.0 {
            let _ended = post.inbox.send(Letter::End).await;
        }
    }
}

/// Who keeps the mirror of one hall.
struct Keeper {
    mirror: Mirror,
    picture: Option<Picture>,
    posted: Posted,
    shown: watch::Sender<HallShown>,
    room: Arc<OnceLock<Room>>,
    lookout: Lookout,
}

impl Keeper {
    fn start(
        dir: &Path,
        known: &Known,
        lookout: Lookout,
    ) -> Result<(Post, JoinHandle<()>), StoreError> {
        crate::store::create_dir(dir)?;
        let dir = dir.join(&known.name);
        let mirror = Mirror::open(dir.clone())?;
        let (shown, seen) = watch::channel(HallShown {
            name: known.name.clone(),
            ..HallShown::default()
        });
        let room = Arc::new(OnceLock::new());
        let keeper = Keeper {
            mirror,
            picture: None,
            posted: Posted::default(),
            shown,
            room: room.clone(),
            lookout,
        };
        let (inbox, letters) = mpsc::channel(INBOX);
        let work = move || keeper.serve(letters);
        let thread = std::thread::Builder::new().name("mirror".to_owned());
        let thread: io::Result<JoinHandle<()>> = thread.spawn(work);
        let thread = thread.map_err(|error| StoreError::Directory(dir, error))?;
        let post = Post {
            known: known.clone(),
            inbox,
            shown: seen,
            room,
            is_taken: Arc::default(),
            note: Mutex::default(),
        };
        Ok((post, thread))
    }

    /// Draws the picture of the mirror, anew where there was one.
    fn draw(&mut self) -> Result<(), StoreError> {
        let Some(store) = self.mirror.store()? else {
            return Ok(());
        };
        match &mut self.picture {
            Some(picture) => picture.read(&store)?,
            None => {
                let picture = Picture::open(&store)?;
                let (hall, office) = (picture.hall.clone(), picture.office.clone());
                let _first = self.room.set(self.lookout.room(hall, office));
                self.picture = Some(picture);
            }
        }
        self.posted.read(&store.deeds()?);
        let at = self.mirror.consumer.at().map_or(0, |at| at.seq);
        let written = store.written_by(at)?;
        self.shown.send_modify(|shown| shown.written = written);
        Ok(())
    }

    fn serve(mut self, mut letters: mpsc::Receiver<Letter>) {
        if let Err(error) = self.draw() {
            self.refuse(
                String::new(),
                format!("the mirror cannot be shown: {error}"),
            );
        }
        self.count();
        while let Some(letter) = letters.blocking_recv() {
            match letter {
                Letter::End => return,
                Letter::Gone => {
                    self.posted.connect(None);
                    self.connect(false);
                }
                Letter::Order(order, answer) => {
                    let shown = self.shown.borrow();
                    let ahead = shown.clock_offset;
                    self.posted.post(&shown.name, *order, ahead, answer);
                    continue;
                }
                Letter::Accept(epoch, answer) => {
                    let _gone = answer.send(self.accept(&epoch));
                }
                Letter::Recall(order, answer) => {
                    let name = &self.shown.borrow().name;
                    let _gone = answer.send(self.posted.recall(name, &order));
                    continue;
                }
                Letter::Where(answer) => {
                    let _gone = answer.send(self.mirror.consumer.at().cloned());
                }
                Letter::Words(words, answers) => {
                    self.posted.connect(Some(answers.clone()));
                    let epoch = epoch_of(&words);
                    let word = self.hear(words);
                    if let Some(word) = self.or_refused(epoch, word) {
                        let _gone = answers.send(ToHall::Word(word));
                    }
                }
                Letter::Kept(kept, answer) => {
                    let epoch = kept.hello.epoch.clone();
                    let word = self.read(*kept);
                    let _gone = answer.send(self.or_refused(epoch, word));
                }
            }
            self.count();
        }
    }

    fn or_refused(&self, epoch: String, word: Result<Option<Word>, StoreError>) -> Option<Word> {
        word.unwrap_or_else(|error| {
            tracing::error!(hall = self.shown.borrow().name, %error, "not mirrored");
            let why = format!("the hub could not take it: {error}");
            Some(self.refuse(epoch, why))
        })
    }

    fn connect(&mut self, is_connected: bool) {
        self.shown.send_modify(|shown| {
            shown.connected = is_connected;
            if is_connected {
                shown.heard = Some(Timestamp::now().as_millisecond());
            }
        });
        if let Some(picture) = &mut self.picture {
            picture.connect(is_connected);
        }
    }

    /// Takes what a hall says; gives what it is to be told.
    fn hear(&mut self, words: FromHall) -> Result<Option<Word>, StoreError> {
        // Of a hall that introduces itself it is first seen what is missing.
        if !matches!(words, FromHall::Hello { .. }) {
            self.connect(true);
        }
        match words {
            FromHall::Beat { utc, head } => {
                let offset = utc - Timestamp::now().as_millisecond();
                self.heard_of(head);
                let shown = |shown: &mut HallShown| shown.clock_offset = Some(offset);
                self.shown.send_modify(shown);
                Ok(self.mirror.consumer.at().cloned().map(Word::Applied))
            }
            FromHall::Hello {
                hello,
                version,
                orders,
                late,
            } => {
                self.posted.taken.clone_from(&orders);
                let shown = |shown: &mut HallShown| {
                    (shown.version, shown.orders) = (Some(version), orders);
                    shown.late = late;
                };
                self.shown.send_modify(shown);
                let word = self.greet(&hello);
                self.connect(true);
                word.map(Some)
            }
            FromHall::Answer {
                order,
                status,
                body,
            } => {
                self.posted.hear(&order, Reply { status, body });
                Ok(None)
            }
            FromHall::Rows(batch) => self.rows(batch),
        }
    }

    /// Takes what a carrier has kept. What is of another store than the mirror is passed over: it
    /// is of the past, or of one that is told so when it introduces itself.
    fn read(&mut self, kept: Kept) -> Result<Option<Word>, StoreError> {
        match self.mirror.consumer.greet(&kept.hello) {
            Greeted::Foreign => return Ok(None),
            Greeted::Welcome(_) => {}
            Greeted::Begin { .. } => drop(self.greet(&kept.hello)?),
        }
        let shown = |shown: &mut HallShown| shown.version = Some(kept.version);
        self.shown.send_modify(shown);
        self.rows(kept.rows)
    }

    fn heard_of(&self, head: u64) {
        let rows = self.mirror.consumer.at().map_or(0, |at| at.seq);
        let behind = head.saturating_sub(rows);
        self.shown.send_modify(|shown| shown.behind = behind);
    }

    fn greet(&mut self, hello: &Hello) -> Result<Word, StoreError> {
        let before = self.mirror.consumer.at().cloned();
        let found = greeted(&mut self.mirror, hello)?;
        // Before a mirror that was begun anew is shown.
        self.heard_of(hello.head);
        let Some(at) = found else {
            let stranger = Some(hello.epoch.clone());
            self.shown.send_modify(|shown| shown.stranger = stranger);
            let name = self.shown.borrow().name.clone();
            let epoch = &hello.epoch;
            let why = format!(
                "the hub has another store of hall `{name}`: are there two of this name, or was \
                 the store made anew? At the hub, `arbiterd hub accept {name} {epoch}` takes this \
                 one, and keeps the other"
            );
            return Ok(self.refuse(epoch.clone(), why));
        };
        self.shown.send_modify(|shown| {
            (shown.stranger, shown.fault) = (None, None);
        });
        if before.as_ref().map(|at| &at.epoch) != Some(&at.epoch) {
            self.draw()?;
            let is_connected = self.shown.borrow().connected;
            self.connect(is_connected);
        }
        Ok(Word::Welcome(at))
    }

    fn rows(&mut self, batch: Batch<Said>) -> Result<Option<Word>, StoreError> {
        let at = self.mirror.consumer.at().cloned();
        match (self.mirror.consumer.judge(&batch), at) {
            (Verdict::Take(which), _) => {
                let rows = &batch.rows[which];
                self.mirror.take(rows)?;

                if let Some(picture) = &mut self.picture {
                    picture.follow(rows.iter().map(|row| &row.what))?;
                }
                for row in rows {
                    if let Said::Act(raw) = &row.what {
                        self.posted.follow(raw);
                    }
                }
                let walls = rows.iter().rev().find_map(|row| match row.what {
                    Said::Event { wall, .. } => Some(wall),
                    _ => None,
                });
                self.shown.send_modify(|shown| {
                    shown.fault = None;
                    shown.written = walls.or(shown.written);
                    shown.behind = shown.behind.saturating_sub(rows.len() as u64);
                });
                Ok(self.mirror.consumer.at().cloned().map(Word::Applied))
            }
            (Verdict::Known, Some(at)) => Ok(Some(Word::Applied(at))),
            (Verdict::Gap, Some(at)) => Ok(Some(Word::Resend(at))),
            // Of a store that is not mirrored: it was told so when it introduced itself.
            (Verdict::Foreign, _) | (_, None) => Ok(None),
        }
    }

    fn refuse(&self, epoch: String, why: String) -> Word {
        let fault = Some(why.clone());
        self.shown.send_modify(|shown| shown.fault = fault);
        Word::Refused { epoch, why }
    }

    fn accept(&mut self, epoch: &str) -> Result<(), String> {
        let stranger = self.shown.borrow().stranger.clone();
        if stranger.as_deref() != Some(epoch) {
            return Err(format!("no store `{epoch}` has called as this hall"));
        }
        self.mirror.forget().map_err(|error| error.to_string())?;
        self.shown.send_modify(|shown| {
            (shown.stranger, shown.fault) = (None, None);
            // Until it says how many rows it has.
            shown.behind = shown.behind.max(1);
        });
        Ok(())
    }

    fn count(&self) {
        let counted = self.picture.as_ref().map(Picture::counted);
        let counted = counted.unwrap_or_default();
        let rows = self.mirror.consumer.at().map_or(0, |at| at.seq);
        self.shown.send_modify(|shown| {
            shown.rows = rows;
            shown.boards = counted.boards;
            shown.playing = counted.playing;
            shown.open = counted.open;
        });
    }
}

/// The journal of which it is said.
fn epoch_of(words: &FromHall) -> String {
    match words {
        FromHall::Hello { hello, .. } => hello.epoch.clone(),
        FromHall::Rows(batch) => batch.after.epoch.clone(),
        FromHall::Beat { .. } | FromHall::Answer { .. } => String::new(),
    }
}

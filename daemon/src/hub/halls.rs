//! The hub's side: the halls that it knows, each with its mirror on a thread of its own.

mod guest;
mod keeper;
mod room;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use replica::{Place, Word};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

pub use guest::Guest;
pub(super) use guest::Reader;
pub(crate) use room::Room;

use super::message::{FromHall, Kept, Late, ToHall};
use super::order::{Order, Reply};
use super::posted::{Answer, Undone};
use super::status::HallShown;
use super::{Known, fingerprint, order};
use crate::incidents::Incidents;
use crate::store::{MIRRORS, StoreError};
use keeper::Keeper;
use room::Lookout;

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
    /// That hall is called otherwise.
    #[error(
        "the hub knows this key by another name: `[hub] name` of a hall is the `name` of its \
         `[[hall]]` at the hub"
    )]
    Misnamed,
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
            let (post, thread) = Keeper::start(&dir.join(MIRRORS), known, lookout)?;
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

    /// Whether the hub has all that a hall has written.
    pub(super) fn is_whole(&self, name: &str) -> bool {
        let post = self.post(name);
        post.is_some_and(|post| post.shown.borrow().is_whole())
    }

    fn post(&self, name: &str) -> Option<&Post> {
        self.0.iter().find(|post| post.known.name == name)
    }

    /// Lets a hall in that shows its key and may say what it is called.
    ///
    /// # Errors
    /// Where it is not let in.
    pub fn guest(&self, key: &str, name: Option<&str>) -> Result<Guest, Unwelcome> {
        let fingerprint = fingerprint(key);
        let mut posts = self.0.iter();
        let post = posts.find(|post| post.known.key == fingerprint);
        let post = post.ok_or(Unwelcome::Unknown)?;
        match name.is_none_or(|name| name == post.known.name) {
            true => Halls::let_in(post),
            false => Err(Unwelcome::Misnamed),
        }
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
        // Its answer would come through a journal that is not taken.
        if post.shown.borrow().stranger.is_some() {
            return Err(Undone::Stranger(hall()));
        }
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

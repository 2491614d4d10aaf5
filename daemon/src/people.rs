//! The people of an event: accounts, sessions, devices that are let in, and what is written of all
//! that. The rules are those of [`access`]; here they meet the clock, the disk and the journal.
//!
//! Everything is in memory and answered from there. A change is written down before it counts,
//! except an end, which counts at once.

mod account;
mod assigned;
mod device;
mod error;
mod file;
mod limits;
mod names;
mod noted;
mod pin;
mod seal;
mod setup;
mod told;

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use access::{Digest, Pairing, Right, Seconds, Session, Sessions, Who};
use jiff::Timestamp;
use tokio::sync::{Semaphore, watch};

pub use account::{Account, Fresh, NewAccount};
pub use assigned::{Assignment, Stand};
pub use device::Collected;
pub use error::PeopleError;
pub use noted::Noted;
pub use pin::PinAsked;
pub(crate) use told::without_acts;

use crate::journal::{Act, Journal, JournalError};
use crate::store::{Area, Author, Deed, Store, StoreError};
use file::{Change, Kept};
use limits::Limits;
use setup::Setup;

/// How often sessions that are over are forgotten, and uses of the others written down.
const UPKEEP: Duration = Duration::from_secs(600);

/// Whoever makes a request: who it is, and by what.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// Who.
    pub who: Who,
    /// His session; `None` for whoever has the files of the store, or needs none.
    pub session: Option<(u64, Digest)>,
    /// Whether accounts and devices may be changed: the password was given lately.
    pub proved: bool,
    /// He is a device that was let in by a code: it has no password.
    pub device: bool,
    /// What is asked of his device before anything else.
    pub pin: Option<PinAsked>,
    /// Where from.
    pub address: String,
    /// What his browser calls itself.
    pub browser: String,
}

impl Visitor {
    /// Somebody who may do everything, with no session: whoever is at the machine itself.
    pub fn local(name: &str) -> Visitor {
        Visitor {
            who: Who {
                name: name.to_owned(),
                role: access::Role::Chief,
                tables: None,
            },
            session: None,
            proved: true,
            device: false,
            pin: None,
            address: String::new(),
            browser: String::new(),
        }
    }

    /// Whether he has this right at a table; at any at all where that is `None`.
    pub fn may(&self, right: Right, table: Option<u32>) -> bool {
        self.who.may(right, table)
    }

    /// As the list of acts names him.
    pub fn author(&self) -> Author {
        let device = match &self.session {
            Some((id, _)) => format!("session {id}"),
            None => String::new(),
        };
        Author {
            who: self.who.name.clone(),
            role: self.who.role.name().to_owned(),
            device,
            address: self.address.clone(),
        }
    }
}

/// A session that was opened, with its token: that is told once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opened {
    /// To be kept by the browser.
    pub token: String,
    /// What it stands for.
    pub session: Session,
}

/// The people of an event. Cheap to clone.
#[derive(Clone, Debug)]
pub struct People {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    state: Mutex<State>,
    kept: Arc<Mutex<Kept>>,
    /// `None` once the program ends: the journal ends with the last who could write.
    journal: Mutex<Option<Journal>>,
    /// Somebody's session has ended.
    ended: watch::Sender<()>,
    /// One password at a time is hashed: each takes 19 MiB.
    hashing: Semaphore,
    /// One at a time: somebody has to be left where accounts are closed, and no name is given
    /// twice.
    changing: tokio::sync::Mutex<()>,
    limits: Limits,
    /// After how long without an order devices are asked for their PIN; not set: they have none.
    pins: OnceLock<Seconds>,
    /// What anybody would try as a password here.
    words: Words,
}

/// What tells which words anybody would try as a password: names of the event and of its players.
struct Words(Box<dyn Fn() -> Vec<String> + Send + Sync>);

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Words")
    }
}

#[derive(Debug, Default)]
struct State {
    accounts: Vec<Account>,
    sessions: Sessions,
    pairing: Pairing,
    setup: Setup,
    /// There was a chief arbiter once, by the acts: no link makes another.
    had_chief: bool,
}

impl People {
    /// Those of the store in `dir`, whose acts go to `journal`. `words` tells those that
    /// anybody would try as a password, such as the name of the event.
    ///
    /// # Errors
    /// Where their file cannot be used.
    pub fn open(
        dir: &Path,
        journal: Journal,
        words: impl Fn() -> Vec<String> + Send + Sync + 'static,
    ) -> Result<People, StoreError> {
        let (kept, accounts, sessions) = Kept::open(dir)?;
        let setup = Setup::new(dir);
        let state = State {
            accounts,
            sessions,
            setup,
            had_chief: told::had_chief(&Store::open(dir)?.deeds()?),
            ..State::default()
        };
        Ok(People {
            inner: Arc::new(Inner {
                state: Mutex::new(state),
                kept: Arc::new(Mutex::new(kept)),
                journal: Mutex::new(Some(journal)),
                ended: watch::Sender::new(()),
                hashing: Semaphore::new(1),
                changing: tokio::sync::Mutex::default(),
                limits: Limits::default(),
                pins: OnceLock::new(),
                words: Words(Box::new(words)),
            }),
        })
    }

    /// The session of a token, which is used now.
    pub fn visitor(&self, token: &str, address: &str, browser: &str) -> Option<Visitor> {
        let now = now();
        let mut state = self.state();
        let (digest, session) = state.sessions.find(token, now)?;
        let visitor = Visitor {
            who: session.who.clone(),
            session: Some((session.id, digest)),
            proved: session.is_proved(now),
            device: !session.account,
            pin: self.pin_asked(session, now),
            address: address.to_owned(),
            browser: browser.to_owned(),
        };
        if let Some(session) = state.sessions.get_mut(&digest) {
            session.seen = now;
        }
        Some(visitor)
    }

    /// Whether a session still counts, and nothing is asked of it first. It is used now: somebody
    /// looks on.
    pub fn is_alive(&self, session: &Digest) -> bool {
        let now = now();
        let mut state = self.state();
        let session = state.sessions.get_mut(session);
        let alive = session
            .filter(|session| session.is_alive(now) && self.pin_asked(session, now).is_none());
        alive.map(|session| session.seen = now).is_some()
    }

    /// Tells whenever some session ends before its time.
    pub fn ends(&self) -> watch::Receiver<()> {
        self.inner.ended.subscribe()
    }

    /// Nothing more is written from now on, so that the journal can end.
    pub fn close(&self) {
        self.state().setup.close();
        *self.journal() = None;
    }

    fn journal(&self) -> MutexGuard<'_, Option<Journal>> {
        let journal = self.inner.journal.lock();
        journal.unwrap_or_else(PoisonError::into_inner)
    }

    /// Every session that counts.
    pub fn sessions(&self) -> Vec<Session> {
        self.state().sessions.alive(now())
    }

    /// Opens a session and writes it down: as an act first, so that no session is kept of which
    /// no act says anything.
    async fn admit(&self, session: Session) -> Result<Opened, PeopleError> {
        let (token, digest, session) = self.state().sessions.open(session)?;
        let written = async {
            let seal = &*seal::session(&digest, &session);
            let (id, role) = (session.id, session.who.role);
            let mut author = Author {
                address: session.address.clone(),
                ..Author::default()
            };
            let noted = match session.account {
                true => {
                    author.who.clone_from(&session.who.name);
                    role.name().clone_into(&mut author.role);
                    Noted::LoggedIn { session: id, seal }
                }
                false => Noted::Paired {
                    session: id,
                    device: &session.who.name,
                    role,
                    seal,
                },
            };
            self.note(author, &noted).await?;
            self.keep(Change::Session(digest, session.clone())).await
        };
        if let Err(error) = written.await {
            self.state().sessions.end(|other| other.id == session.id);
            return Err(error);
        }
        Ok(Opened { token, session })
    }

    /// Ends those sessions of which it is so; live feeds end with them.
    async fn end(&self, is_so: impl Fn(&Session) -> bool) -> Result<Vec<Session>, PeopleError> {
        let ended = self.state().sessions.end(is_so);
        if ended.is_empty() {
            return Ok(Vec::new());
        }
        self.inner.ended.send_replace(());
        let (digests, sessions) = ended.into_iter().unzip();
        self.keep(Change::Ended(digests)).await?;
        Ok(sessions)
    }

    /// Ends one session, whoever's.
    ///
    /// # Errors
    /// Where there is none of that number.
    pub async fn revoke_session(&self, by: &Visitor, id: u64) -> Result<(), PeopleError> {
        let ended = self.end(|session| session.id == id).await?;
        let session = ended.first().ok_or(PeopleError::NoSession(id))?;
        let name = &session.who.name;
        self.state().pairing.withdraw(name);
        self.note(by.author(), &Noted::SessionRevoked { session: id, name })
            .await
    }

    /// Whoever asks leaves.
    ///
    /// # Errors
    /// Where it cannot be written down; he has left all the same.
    pub async fn log_out(&self, visitor: &Visitor) -> Result<(), PeopleError> {
        let Some((id, _)) = visitor.session else {
            return Ok(());
        };
        self.end(|session| session.id == id).await?;
        self.note(visitor.author(), &Noted::LoggedOut).await
    }

    /// The machine's clock has jumped by so many seconds: nobody is out for that.
    ///
    /// # Errors
    /// Where it cannot be written down.
    pub async fn clock_jumped(&self, by: Seconds) -> Result<(), PeopleError> {
        let shifted = self.state().sessions.shift(by);
        for (digest, session) in shifted {
            self.keep(Change::Session(digest, session)).await?;
        }
        Ok(())
    }

    /// Whether it is written down that a session was refused something: so many times a minute.
    pub(crate) fn notes_refusal(&self, session: u64) -> bool {
        self.inner.limits.refusal(session)
    }

    /// Writes an act down.
    ///
    /// # Errors
    /// Where the journal refuses.
    pub async fn note(&self, author: Author, what: &Noted<'_>) -> Result<(), PeopleError> {
        let failed = |error: &dyn std::fmt::Display| PeopleError::Store(error.to_string());
        let deed = Deed::now(author, Area::People, what).map_err(|e| failed(&e))?;
        let journal = self.journal().clone();
        let journal = journal.ok_or_else(|| failed(&JournalError::Closed))?;
        let written = journal.write([Act::Deed(Box::new(deed))].into()).await;
        written.map_err(|e| failed(&e))
    }

    /// Writes a change of accounts or sessions to their file.
    async fn keep(&self, change: Change) -> Result<(), PeopleError> {
        let kept = self.inner.kept.clone();
        let work = move || {
            kept.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .write(&change)
        };
        let done = tokio::task::spawn_blocking(work).await;
        done.map_err(|_| PeopleError::Store("the program is ending".to_owned()))?
    }

    /// Forgets sessions that are over, and writes down when the others were used, until the end of
    /// the program.
    pub async fn keep_house(self) {
        let mut upkeep = tokio::time::interval(UPKEEP);
        let mut written = 0;
        loop {
            upkeep.tick().await;
            let now = now();
            let over = self.end(|session| !session.is_alive(now)).await;
            let used = self.sessions().into_iter().filter(|s| s.seen > written);
            let used = used.map(|s| (s.id, s.seen)).collect();
            for kept in [over.map(drop), self.keep(Change::Used(used)).await] {
                if let Err(error) = kept {
                    tracing::warn!(%error, "sessions could not be written down");
                }
            }
            written = now;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.inner
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Seconds since 1970.
fn now() -> Seconds {
    Timestamp::now().as_second()
}

//! Who keeps the mirror of one hall: takes what arrives, says what the hall is to be told, and has
//! it shown.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::JoinHandle;

use jiff::Timestamp;
use replica::{Batch, Greeted, Hello, Place, Verdict, Why, Word};
use tokio::sync::{mpsc, watch};

use super::room::{Lookout, Room};
use super::{INBOX, Letter, Post};
use crate::hub::Known;
use crate::hub::message::{FromHall, Kept, ToHall};
use crate::hub::mirror::{Mirror, greeted};
use crate::hub::order::Reply;
use crate::hub::picture::Picture;
use crate::hub::posted::Posted;
use crate::hub::status::HallShown;
use crate::store::{Said, StoreError};

/// Who keeps the mirror of one hall.
pub(super) struct Keeper {
    mirror: Mirror,
    picture: Option<Picture>,
    posted: Posted,
    /// After the rows that last did not fit what the mirror had.
    misfit: Option<Place>,
    shown: watch::Sender<HallShown>,
    room: Arc<OnceLock<Room>>,
    lookout: Lookout,
}

impl Keeper {
    /// Begins, on a thread of its own.
    pub(super) fn start(
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
            misfit: None,
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
        self.shorten();
        self.posted.read(&store.deeds()?);
        let at = self.mirror.consumer.at().map_or(0, |at| at.seq);
        let written = store.written_by(at)?;
        self.shown.send_modify(|shown| shown.written = written);
        Ok(())
    }

    /// Viewers are shown names here as in the hall.
    fn shorten(&self) {
        let shown = self.shown.borrow();
        let under = shown.late.as_ref().and_then(|late| late.minors_under);
        if let Some(picture) = &self.picture {
            let office = &picture.office;
            office.minors().younger_than(under, &office.book());
        }
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
                self.shorten();
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
            (Verdict::Take(which), at) => {
                let rows = &batch.rows[which];
                if let Err(error) = self.mirror.take(rows) {
                    return self.begin_anew(error, at.map(|at| (at.after(rows), at)));
                }
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

    /// Begins the mirror anew where rows of the hall, up to `end`, do not fit what is there: the
    /// hall has everything. Where a new mirror came no further, it is the hall's rows that do not
    /// fit.
    fn begin_anew(
        &mut self,
        error: StoreError,
        places: Option<(Place, Place)>,
    ) -> Result<Option<Word>, StoreError> {
        let last = self.misfit.as_ref();
        let is_news =
            |at: &Place| last.is_none_or(|last| last.epoch != at.epoch || last.seq <= at.seq);
        let places = places.filter(|(_, at)| at.seq > 0 && is_news(at) && error.is_misfit());
        let Some((end, at)) = places else {
            return Err(error);
        };
        let hall = self.shown.borrow().name.clone();
        tracing::error!(hall, %error, "its rows do not fit its mirror, which is begun anew");
        let start = Place::start(&at.epoch);
        self.misfit = Some(end);
        self.mirror.begin(&start, Some(Why::Other))?;
        self.shown.send_modify(|shown| shown.behind += shown.rows);
        self.draw()?;
        Ok(Some(Word::Resend(start)))
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
            shown.dealt.clone_from(self.posted.dealt());
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

//! The hall's side: what is sent, and when again.

use crate::{Batch, Earlier, Hello, Place, Row, Word};

/// Milliseconds of a clock that never goes back.
pub type Millis = u64;

/// Rows of a batch at most.
pub const BATCH: usize = 256;
/// Batches that are sent at most before the hub has said that it has them.
const WINDOW: u64 = 4;
/// How long the hub may say nothing new while something is on its way to it: at least, and at most
/// on a line that was seen to be slower.
const PATIENCE: Millis = 5_000;
const LONGEST: Millis = 120_000;
/// Rows of the first batches on a line, of which it is not known how slow it is.
const FIRST: usize = 8;
/// How long a batch is to take at most: whoever waits at the other end of a narrow line is to hear
/// something now and then, and an order its answer.
const LONG: Millis = 1_000;
/// How long a hall waits before it asks again after it was refused.
const PAUSE: Millis = 5_000;

/// What the publisher is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input<R> {
    /// There is a line to the hub, or none any more.
    Line(bool),
    /// The journal is this one, with so many rows.
    Journal {
        /// Its name.
        epoch: String,
        /// What it was called before.
        earlier: Vec<Earlier>,
        /// Its rows.
        head: u64,
    },
    /// What [`Todo::Read`] has found after this place; `None`: the journal has no such place.
    Read(Place, Option<Vec<Row<R>>>),
    /// The hub has said something.
    Heard(Word),
    /// The hub asks who is there.
    Called,
    /// The carrier keeps what was sent, up to here.
    Kept(Place),
    /// The carrier keeps a log, whose last row is this; `None`: there is no row in it. What was
    /// sent since, and does not follow on that, is not in it.
    Torn(Option<Place>),
    /// The carrier keeps a log and takes nothing at the moment; what was sent since it last kept
    /// something is not in it.
    Stuck,
    /// Nothing happened; it is later.
    Tick,
}

/// What is to be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Todo<R> {
    /// Introduce this hall.
    Greet(Hello),
    /// Read the rows after this place, [`BATCH`] of them at most, and tell them.
    Read(Place),
    /// Send these.
    Send(Batch<R>),
    /// The hub has what this journal has not: give the journal another name, and tell it.
    Renew,
}

/// Where a hall stands with its hub.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
enum State {
    /// There is no line.
    #[default]
    Off,
    /// It has introduced itself, or does so again at `again`.
    Greeting { again: Millis },
    /// It sends.
    Sending {
        /// After the last row that was sent.
        sent: Place,
        /// Rows are being read.
        reading: bool,
        /// Where it last went back to.
        sought: Option<Place>,
        /// When it goes back to what the hub has.
        again: Option<Millis>,
        /// Since when it waits for news: what it waited for before tells how slow the line is.
        since: Millis,
        /// Up to where it had sent before it went back because nothing was heard: that may still
        /// be on its way.
        reached: Option<Place>,
    },
}

/// What becomes of what is sent.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
enum Carrier {
    /// It gets to the hub or is lost.
    #[default]
    Passes,
    /// It is kept for the hub, up to this place of the journal.
    Keeps(Option<Place>),
}

/// What a hall sends to its hub.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Publisher {
    epoch: String,
    earlier: Vec<Earlier>,
    head: u64,
    state: State,
    carrier: Carrier,
    applied: Option<Place>,
    refused: Option<String>,
    /// When the hub is asked how far it is, where the carrier keeps what it has not.
    ask: Option<Millis>,
    /// How long it waits for news on this line, where that is more than usual: what is on its way
    /// already is not sent again and again, which would fill a narrow line with nothing else.
    slow: Millis,
    /// Rows of a batch at most, on this line.
    most: usize,
}

impl Publisher {
    /// One that knows of no journal and has no line yet.
    pub fn new() -> Publisher {
        Publisher::default()
    }

    /// Up to where the hub has everything, as it last said.
    pub fn applied(&self) -> Option<&Place> {
        self.applied.as_ref()
    }

    /// Why the hub takes nothing.
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// Rows that the hub has not yet said to have.
    pub fn behind(&self) -> u64 {
        self.head
            .saturating_sub(self.applied.as_ref().map_or(0, |at| at.seq))
    }

    /// When something is to be done though nothing happens.
    pub fn next_wake(&self) -> Option<Millis> {
        let of_state = self.state_wakes();
        of_state.into_iter().chain(self.ask).min()
    }

    fn state_wakes(&self) -> Option<Millis> {
        match &self.state {
            State::Off => None,
            State::Greeting { again } => Some(*again),
            State::Sending { again, .. } => *again,
        }
    }

    /// Takes what happened.
    pub fn handle<R>(&mut self, now: Millis, input: Input<R>, todo: &mut Vec<Todo<R>>) {
        match input {
            Input::Line(false) => {
                (self.state, self.carrier, self.ask) = (State::Off, Carrier::Passes, None);
            }
            Input::Line(true) => {
                (self.slow, self.most) = (0, FIRST);
                self.greet(now, todo);
            }
            Input::Journal {
                epoch,
                earlier,
                head,
            } => self.journal(now, (epoch, earlier, head), todo),
            Input::Read(after, found) => self.read(now, (after, found), todo),
            Input::Heard(word) => self.hear(now, word, todo),
            Input::Called => self.introduce(todo),
            Input::Kept(at) => self.has_kept(now, at),
            Input::Torn(last) => self.torn(now, last, todo),
            Input::Stuck => self.stuck(now),
            Input::Tick => {}
        }
        if self.state_wakes().is_some_and(|wake| wake <= now) {
            self.wake(now, todo);
        }
        self.go_on(now, todo);
        self.ask(now, todo);
    }

    fn introduce<R>(&self, todo: &mut Vec<Todo<R>>) {
        todo.push(Todo::Greet(Hello {
            epoch: self.epoch.clone(),
            earlier: self.earlier.clone(),
            head: self.head,
        }));
    }

    fn greet<R>(&mut self, now: Millis, todo: &mut Vec<Todo<R>>) {
        self.state = State::Greeting {
            again: now + PATIENCE,
        };
        self.introduce(todo);
    }

    fn journal<R>(
        &mut self,
        now: Millis,
        (epoch, earlier, head): (String, Vec<Earlier>, u64),
        todo: &mut Vec<Todo<R>>,
    ) {
        let is_other = epoch != self.epoch;
        (self.epoch, self.earlier, self.head) = (epoch, earlier, head);
        if is_other {
            self.applied = None;
            if let Carrier::Keeps(kept) = &mut self.carrier {
                *kept = None;
            }
            if self.state != State::Off {
                self.greet(now, todo);
            }
        }
    }

    fn hear<R>(&mut self, now: Millis, word: Word, todo: &mut Vec<Todo<R>>) {
        match word {
            Word::Refused { epoch, .. } if epoch != self.epoch => {}
            Word::Refused { why, .. } => {
                (self.refused, self.applied) = (Some(why), None);
                if self.state != State::Off {
                    let again = now + PAUSE;
                    self.state = State::Greeting { again };
                }
            }
            // What is said of a journal that has another name by now.
            Word::Welcome(at) | Word::Applied(at) | Word::Resend(at) if at.epoch != self.epoch => {}
            Word::Welcome(at) => {
                self.refused = None;
                if self.state != State::Off {
                    self.applied = Some(at.clone());
                    self.welcomed(now, at, todo);
                }
            }
            Word::Applied(at) => self.has_applied(now, at, todo),
            // Where the carrier keeps a log, it says of all that is on its way what becomes of it:
            // what the hub does not have of that yet is not lost.
            Word::Resend(at)
                if matches!(self.carrier, Carrier::Keeps(_)) && self.done().seq <= at.seq =>
            {
                self.has_applied(now, at, todo);
            }
            Word::Resend(at) => {
                let State::Sending { sought, sent, .. } = &self.state else {
                    return;
                };
                // Every batch that was on its way says the same.
                if sought.as_ref() != Some(&at) && *sent != at {
                    self.applied = Some(at.clone());
                    if let Carrier::Keeps(kept) = &mut self.carrier {
                        *kept = Some(at.clone());
                    }
                    self.seek(now, at, todo);
                }
            }
        }
    }

    /// Goes on from what the hub has; where the carrier keeps what it has not, after that.
    fn welcomed<R>(&mut self, now: Millis, at: Place, todo: &mut Vec<Todo<R>>) {
        self.ask = None;
        match (&self.carrier, &self.state) {
            (Carrier::Passes, _) => self.seek(now, at, todo),
            (Carrier::Keeps(_), State::Sending { .. }) => {}
            (Carrier::Keeps(_), _) => self.seek(now, self.done(), todo),
        }
    }

    /// Up to where nothing need be sent, as far as is known.
    fn done(&self) -> Place {
        let kept = match &self.carrier {
            Carrier::Passes => None,
            Carrier::Keeps(kept) => kept.as_ref(),
        };
        let furthest = self.applied.iter().chain(kept).max_by_key(|at| at.seq);
        furthest.map_or_else(|| Place::start(&self.epoch), Place::clone)
    }

    fn has_kept(&mut self, now: Millis, at: Place) {
        let Carrier::Keeps(kept) = &mut self.carrier else {
            return;
        };
        let is_news = kept.as_ref().is_none_or(|kept| kept.seq < at.seq);
        if at.epoch != self.epoch || !is_news {
            return;
        }
        let before = kept.as_ref().map_or(0, |kept| kept.seq);
        let seq = at.seq;
        *kept = Some(at);
        self.has_news(now, (seq, seq - before));
    }

    /// What was sent has come so far: what else is on its way may take as long.
    fn has_news(&mut self, now: Millis, (seq, rows): (u64, u64)) {
        let State::Sending {
            sent,
            again,
            since,
            reached,
            ..
        } = &mut self.state
        else {
            return;
        };
        if let Some(reached) = reached.take().filter(|reached| reached.seq > sent.seq) {
            *sent = reached;
        }
        if again.is_some() {
            let took = now.saturating_sub(*since);
            self.slow = (2 * took).min(LONGEST);
            let in_time = (rows * LONG).checked_div(took).unwrap_or(u64::MAX);
            let in_time = usize::try_from(in_time).unwrap_or(usize::MAX);
            // A few rows that were all there was say nothing of how many would have been too many.
            if in_time > self.most || 2 * rows >= self.most as u64 {
                self.most = in_time.min(2 * self.most).clamp(FIRST, BATCH);
            }
        }
        *since = now;
        *again = (sent.seq > seq).then_some(now + self.slow.max(PATIENCE));
    }

    fn torn<R>(&mut self, now: Millis, last: Option<Place>, todo: &mut Vec<Todo<R>>) {
        let before = match &self.carrier {
            Carrier::Passes => None,
            Carrier::Keeps(kept) => kept.clone(),
        };
        self.carrier = Carrier::Keeps(match last {
            Some(last) if last.epoch == self.epoch => Some(last),
            // Somebody else has written to it, after what was written before.
            Some(_) => before,
            None => None,
        });
        if matches!(self.state, State::Sending { .. }) {
            self.seek(now, self.done(), todo);
        }
    }

    fn stuck(&mut self, now: Millis) {
        if matches!(self.state, State::Sending { .. }) {
            let again = now + PATIENCE;
            self.state = State::Greeting { again };
        }
    }

    /// Asks the hub how far it is, where it does not say so by itself.
    fn ask<R>(&mut self, now: Millis, todo: &mut Vec<Todo<R>>) {
        let is_sending = matches!(self.state, State::Sending { .. });
        let applied = self.applied.as_ref().map_or(0, |at| at.seq);
        match &self.carrier {
            Carrier::Keeps(Some(kept)) if is_sending && applied < kept.seq => {
                if self.ask.is_some_and(|ask| ask <= now) {
                    self.introduce(todo);
                    self.ask = Some(now + PAUSE);
                }
                self.ask.get_or_insert(now + PATIENCE);
            }
            _ => self.ask = None,
        }
    }

    fn has_applied<R>(&mut self, now: Millis, at: Place, todo: &mut Vec<Todo<R>>) {
        let is_news = self.applied.as_ref().is_none_or(|known| known.seq < at.seq);
        if !is_news {
            return;
        }
        let before = self.applied.as_ref().map_or(0, |known| known.seq);
        let seq = at.seq;
        self.applied = Some(at.clone());
        self.ask = None;
        if let State::Sending { sought, .. } = &mut self.state {
            *sought = None;
        }
        if self.carrier == Carrier::Passes {
            self.has_news(now, (seq, seq - before));
        }
        if matches!(&self.state, State::Sending { sent, .. } if seq > sent.seq) {
            self.seek(now, at, todo);
        }
    }

    /// Goes on from what the hub has.
    fn seek<R>(&mut self, now: Millis, at: Place, todo: &mut Vec<Todo<R>>) {
        // That the journal has the place is seen by reading on from it, even where nothing earlier.
        if !matches!(self.state, State::Sending { reading: true, .. }) {
            todo.push(Todo::Read(at.clone()));
        }
        // Where it goes back because nothing was heard, it still waits for what it sent before.
        let since = match self.state {
            State::Sending {
                since,
                again: Some(_),
                ..
            } => since,
            _ => now,
        };
        self.state = State::Sending {
            reading: true,
            sought: Some(at.clone()),
            sent: at,
            again: Some(now + self.slow.max(PATIENCE)),
            since,
            reached: None,
        };
    }

    fn read<R>(
        &mut self,
        now: Millis,
        (after, found): (Place, Option<Vec<Row<R>>>),
        todo: &mut Vec<Todo<R>>,
    ) {
        let State::Sending {
            sent,
            reading,
            again,
            ..
        } = &mut self.state
        else {
            return;
        };
        if after != *sent {
            // It went elsewhere meanwhile; what it asked for before a cut is nothing to it.
            if *reading {
                todo.push(Todo::Read(sent.clone()));
            }
            return;
        }
        *reading = false;
        match found {
            // It introduces itself with the other name; or anew, where it is not given one.
            None => {
                let again = now + PATIENCE;
                self.state = State::Greeting { again };
                todo.push(Todo::Renew);
            }
            Some(rows) if rows.is_empty() => {
                *again = None;
            }
            Some(mut rows) => {
                rows.truncate(self.most);
                *sent = after.after(&rows);
                todo.push(Todo::Send(Batch { after, rows }));
            }
        }
    }

    fn wake<R>(&mut self, now: Millis, todo: &mut Vec<Todo<R>>) {
        let keeps = matches!(self.carrier, Carrier::Keeps(_));
        let furthest = match &self.state {
            State::Sending { sent, reached, .. } => {
                self.slow = (2 * self.slow.max(PATIENCE)).min(LONGEST);
                reached
                    .iter()
                    .chain([sent])
                    .max_by_key(|at| at.seq)
                    .cloned()
            }
            State::Off | State::Greeting { .. } => None,
        };
        match (&self.state, self.applied.clone()) {
            (State::Off, _) => {}
            (State::Sending { .. }, _) if keeps => self.seek(now, self.done(), todo),
            (State::Sending { .. }, Some(at)) => self.seek(now, at, todo),
            // The hub says nothing: it will read what is kept when it is back.
            (State::Greeting { .. }, _) if keeps && self.refused.is_none() => {
                self.introduce(todo);
                self.seek(now, self.done(), todo);
            }
            (State::Greeting { .. }, _) | (State::Sending { .. }, None) => self.greet(now, todo),
        }
        if let State::Sending { reached, .. } = &mut self.state {
            *reached = furthest;
        }
    }

    /// Reads on, where there is more and the hub is not too far behind.
    fn go_on<R>(&mut self, now: Millis, todo: &mut Vec<Todo<R>>) {
        let there = self.done().seq;
        let State::Sending {
            sent,
            reading,
            again,
            since,
            ..
        } = &mut self.state
        else {
            return;
        };
        let window = WINDOW * self.most as u64;
        let is_far = sent.seq.saturating_sub(there) >= window;
        if !*reading && sent.seq < self.head && !is_far {
            *reading = true;
            todo.push(Todo::Read(sent.clone()));
        }
        if sent.seq > there && again.is_none() {
            *since = now;
            *again = Some(now + self.slow.max(PATIENCE));
        }
    }
}

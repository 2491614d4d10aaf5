//! Boards that are asked what stands on them, and tell their changes between two questions: the
//! host's end, but for the words.

mod exchange;

use std::fmt::Debug;
use std::time::Instant;

use arbiter_core::shakmaty::Bitboard;

use super::{Command, Outbox, Protocol, Start};

pub(crate) use exchange::{Exchange, POLL};

/// The words of such a board.
pub(crate) trait Dialect: Send + Debug {
    /// What the board says at a time, or that it was damaged.
    type Message;

    /// Written when a line is opened: ends whatever half message the board has received before.
    const OPENING: &'static [u8] = b"";

    /// The stream begins anew.
    fn reset(&mut self);

    /// The next byte: the message that it completes.
    fn feed(&mut self, byte: u8) -> Option<Self::Message>;

    /// What a message means. Says what is to be asked then.
    fn take(
        &mut self,
        now: Instant,
        message: Self::Message,
        exchange: &mut Exchange,
        out: &mut Outbox,
    ) -> Ask;

    /// The whole board is to be asked for from the beginning, where that takes many questions.
    fn begin(&mut self) {}

    /// The next question.
    fn question(&mut self) -> Vec<u8>;

    /// Lights these squares and no others.
    fn lamps(&self, squares: Bitboard) -> String;

    /// When [`Dialect::wake`] is to be called, before anything is asked.
    fn due(&self) -> Option<Instant> {
        None
    }

    /// A moment named by [`Dialect::due`] may have come.
    fn wake(&mut self, _now: Instant, _talk: &mut Exchange, _out: &mut Outbox) {}
}

/// What is to be asked after a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ask {
    /// Nothing before its time.
    Nothing,
    /// The next question.
    Next,
    /// The whole board, from the beginning.
    Anew,
}

impl Ask {
    /// The next question, if it is to be asked.
    pub(crate) fn next_if(asks: bool) -> Ask {
        if asks { Ask::Next } else { Ask::Nothing }
    }
}

/// The host's end of a board that is asked.
#[derive(Debug)]
pub(crate) struct Polling<D> {
    dialect: D,
    exchange: Exchange,
}

impl<D: Dialect> Polling<D> {
    /// A host that has not heard the board yet, that asks as `exchange` has it.
    pub(crate) fn with(dialect: D, exchange: Exchange) -> Polling<D> {
        Polling { dialect, exchange }
    }

    fn ask(&mut self, now: Instant, out: &mut Outbox) {
        self.exchange.asked(now);
        out.send.extend(self.dialect.question());
    }

    fn ask_anew(&mut self, now: Instant, out: &mut Outbox) {
        self.dialect.begin();
        self.ask(now, out);
    }
}

impl<D: Dialect + Default> Polling<D> {
    /// A host that has not heard the board yet.
    pub(crate) fn new(start: &Start) -> Polling<D> {
        Polling::with(D::default(), Exchange::new(start, POLL))
    }
}

impl<D: Dialect> Protocol for Polling<D> {
    fn open(&mut self, now: Instant, out: &mut Outbox) {
        self.dialect.reset();
        self.exchange.open(now);
        out.send.extend(D::OPENING);
        self.ask_anew(now, out);
    }

    fn receive(&mut self, now: Instant, bytes: &[u8], out: &mut Outbox) {
        for byte in bytes {
            let Some(message) = self.dialect.feed(*byte) else {
                continue;
            };
            match self.dialect.take(now, message, &mut self.exchange, out) {
                Ask::Nothing => {}
                Ask::Next => self.ask(now, out),
                Ask::Anew => self.ask_anew(now, out),
            }
        }
    }

    fn next_wake(&self) -> Option<Instant> {
        self.dialect.due().or(Some(self.exchange.next_wake()))
    }

    fn wake(&mut self, now: Instant, out: &mut Outbox) {
        self.dialect.wake(now, &mut self.exchange, out);
        if self.exchange.wake(now, out) {
            self.ask(now, out);
        }
    }

    fn command(&mut self, now: Instant, command: Command, out: &mut Outbox) {
        match command {
            Command::SetLamps(squares) => {
                out.send
                    .extend(self.dialect.lamps(Bitboard(squares)).into_bytes());
            }
            Command::RequestSnapshot => self.ask_anew(now, out),
            Command::RequestLevels
            | Command::Calibrate
            | Command::Bench(_)
            | Command::Acknowledge(_) => {}
        }
    }
}

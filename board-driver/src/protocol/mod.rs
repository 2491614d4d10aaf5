//! What boards speak, without any I/O: bytes in, reports out. Time is passed in.

pub mod native;

use std::time::Instant;

use arbiter_core::Time;

use crate::event::{BoardEvent, LineTrouble, Mark};
use crate::fault::FaultReason;

pub use native::Native;

/// One kind of board's language. A state machine: it does no I/O and reads no clock.
///
/// Between two calls of [`Protocol::open`] the line is the same connection. What was learned in one connection may be
/// kept for the next, so that a board that can repeat itself loses nothing by being unplugged.
pub trait Protocol: Send {
    /// A line to the board was opened. Ask it who it is.
    fn open(&mut self, now: Instant, out: &mut Outbox);
    /// Bytes came from the board.
    fn receive(&mut self, now: Instant, bytes: &[u8], out: &mut Outbox);
    /// When [`Protocol::wake`] is to be called if nothing comes until then.
    fn next_wake(&self) -> Option<Instant>;
    /// A moment named by [`Protocol::next_wake`] has come.
    fn wake(&mut self, now: Instant, out: &mut Outbox);
    /// The program wants something of the board. A board that cannot do it does nothing.
    fn command(&mut self, now: Instant, command: Command, out: &mut Outbox);
}

/// The kinds of boards this program speaks to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum BoardKind {
    /// Boards that speak this project's own protocol.
    #[default]
    Native,
}

impl BoardKind {
    /// Every kind.
    pub const ALL: [BoardKind; 1] = [BoardKind::Native];

    /// As written in configuration files.
    pub fn name(self) -> &'static str {
        match self {
            BoardKind::Native => "native",
        }
    }

    /// The speed its port is opened with, in bits a second.
    pub fn baud(self) -> u32 {
        match self {
            BoardKind::Native => 115_200,
        }
    }

    /// A host's end of its language. `resume`: the evidence up to there is known from an earlier run of the program.
    pub fn protocol(self, now: Instant, resume: Option<Mark>) -> Box<dyn Protocol> {
        match self {
            BoardKind::Native => Box::new(Native::new(now, resume)),
        }
    }
}

impl std::str::FromStr for BoardKind {
    type Err = String;

    fn from_str(text: &str) -> Result<BoardKind, String> {
        let known = BoardKind::ALL.into_iter().find(|kind| kind.name() == text);
        known.ok_or_else(|| format!("`{text}` is no kind of board (native)"))
    }
}

/// What the program may want of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// Light these squares and no others: bit 0 is a1, bit 63 is h8.
    SetLamps(u64),
    /// Tell what every square reads.
    RequestSnapshot,
}

/// What came of a call to a [`Protocol`].
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    /// Reports, in the order in which they happened, each exactly once.
    pub reports: Vec<Delivery>,
    /// Bytes for the board.
    pub send: Vec<u8>,
    /// The latest moment the board's clock was seen to show, if a frame said one.
    pub heard: Option<Time>,
    /// What went wrong on the line, if anything did.
    pub trouble: LineTrouble,
    /// The connection is of no use any more.
    pub fault: Option<FaultReason>,
}

/// A report, and where it stands in the board's evidence.
#[derive(Clone, PartialEq, Debug)]
pub struct Delivery {
    /// What was reported.
    pub event: BoardEvent,
    /// Where the evidence after it begins, for boards that can send it again.
    pub mark: Option<Mark>,
}

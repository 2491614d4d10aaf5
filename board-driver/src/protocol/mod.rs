//! What boards speak, without any I/O: bytes in, reports out. Time is passed in.

pub mod affelino;
mod burst;
pub mod certabo;
pub mod chesslink;
pub mod chessnut;
pub mod dgt;
pub mod echess;
mod host_clock;
pub mod native;
mod polling;
pub mod squareoff;
mod squares;
mod start;
pub(crate) mod states;
pub mod text;
pub mod tokens;

use std::time::Instant;

use arbiter_core::Time;
use board_wire::SquareMap;

use crate::event::{BoardEvent, LineTrouble, Mark};
use crate::fault::{Fault, FaultReason};

pub(crate) use burst::Bursts;
pub(crate) use certabo::{Certabo, Sentio};
pub use chesslink::ChessLink;
pub use chessnut::Chessnut;
pub use dgt::{BusMaster, Dgt, HIGHEST_ADDRESS, SharedDgt};
pub use host_clock::HostClock;
pub use native::Native;
pub use squares::{Squares, diff};
pub use start::Start;

/// One kind of board's language. A state machine: it does no I/O and reads no clock.
///
/// Between two calls of [`Protocol::open`] the line is the same connection. What was learned in one
/// connection may be kept for the next, so that a board that can repeat itself loses nothing by
/// being unplugged.
pub trait Protocol: Send {
    /// A line to the board was opened. Ask it who it is.
    fn open(&mut self, now: Instant, out: &mut Outbox);
    /// Bytes came from the board.
    fn receive(&mut self, now: Instant, bytes: &[u8], out: &mut Outbox);
    /// When [`Protocol::wake`] is to be called if nothing comes until then.
    fn next_wake(&self) -> Option<Instant>;
    /// A moment named by [`Protocol::next_wake`] has come.
    fn wake(&mut self, now: Instant, out: &mut Outbox);
    /// A recording is played: this was written to the board when it was made, and what the board
    /// says may answer it.
    fn overhear(&mut self, bytes: &[u8]) {
        let _ = bytes;
    }
    /// The program wants something of the board. A board that cannot do it does nothing.
    fn command(&mut self, now: Instant, command: Command, out: &mut Outbox);
}

/// What the program may want of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// Light these squares and no others: bit 0 is a1, bit 63 is h8.
    SetLamps(u64),
    /// Tell what every square reads.
    RequestSnapshot,
    /// Tell what the analogue sensors read.
    RequestLevels,
    /// Take what the analogue sensors read now as their zero levels, and tell them. Every square
    /// must be empty.
    Calibrate,
    /// What is wanted of a board at the bench only.
    Bench(BenchOrder),
    /// All evidence before this mark is kept for good, so a board that can repeat itself need not
    /// keep it any longer. Never more than that: what a program holds in its memory only is lost
    /// with it.
    Acknowledge(Mark),
}

/// What somebody who builds or mends a board wants of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BenchOrder {
    /// Tell the map by which the squares are read.
    RequestMap,
    /// Read the squares by this map from now on, keep it, and tell it.
    SetMap(SquareMap),
    /// Try all parts, and tell what was found.
    SelfTest,
}

/// What came of a call to a [`Protocol`].
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    /// Reports, in the order in which they happened, each exactly once. What is no evidence of play
    /// (`Condition`, `Levels`) is not kept back for evidence that is still to come.
    pub reports: Vec<Delivery>,
    /// Bytes for the board.
    pub send: Vec<u8>,
    /// The latest moment the board's clock was seen to show, if a frame said one.
    pub heard: Option<Time>,
    /// What went wrong on the line, if anything did.
    pub trouble: LineTrouble,
    /// What was learned of the board, or has to be.
    pub learning: Option<Learning>,
    /// The connection is of no use any more.
    pub fault: Option<FaultReason>,
}

/// What the host's end of a board has to learn of it, such as which tag is in which piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Learning {
    /// Something has to be done by hand: what, and why.
    Wanted(Fault),
    /// It was learned. What is reported after this rests on it.
    Done {
        /// To be kept, and given to the next run of the program as [`Start::memory`].
        memory: String,
        /// What was learned, in words for the arbiter.
        words: String,
    },
}

impl Learning {
    /// What is to be done or was learned, in English words for the arbiter.
    pub fn words(&self) -> &str {
        match self {
            Learning::Wanted(fault) => &fault.text,
            Learning::Done { words, .. } => words,
        }
    }
}

/// A report, and where it stands in the board's evidence.
#[derive(Clone, PartialEq, Debug)]
pub struct Delivery {
    /// What was reported.
    pub event: BoardEvent,
    /// Where the evidence after it begins, for boards that can send it again.
    pub mark: Option<Mark>,
}

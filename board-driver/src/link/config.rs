//! Which board a link keeps, and what it tells of it.

use std::time::Instant;

use arbiter_core::Reading;

use crate::clock::BoardClock;
use crate::event::{BoardEvent, BoardInfo, LineTrouble, Mark};
use crate::fault::FaultReason;
use crate::kinds::BoardKind;
use crate::orientation::Orientation;
use crate::protocol::{Learning, Start};
use crate::transport::PortSpec;

/// Which board, and how to reach it.
#[derive(Clone, PartialEq, Debug)]
pub struct LinkConfig {
    /// Its port.
    pub port: PortSpec,
    /// Its language; `None`: whatever answers.
    pub kind: Option<BoardKind>,
    /// The port's speed in bits a second; `None` is the kind's usual one.
    pub baud: Option<u32>,
    /// The mark of the last report that was taken before the program was stopped. What happened
    /// since is sent again, if the board still keeps it.
    pub resume: Option<Mark>,
    /// The serial number of the board whose evidence that is; empty where it is not known.
    pub serial: String,
    /// What every square read at that mark, be it in less detail than the board's. When the board
    /// was started anew meanwhile, what happened on it counts from where it read the same.
    pub stood: Option<Reading>,
    /// Board milliseconds that pass in one of the world, for simulated boards that cannot say it
    /// themselves. Real boards: 1.
    pub pace: f32,
    /// Its address, where many boards share the port: see [`super::BusLink`].
    pub address: Option<u16>,
    /// What was learned of the board in earlier runs of the program.
    pub memory: Option<String>,
    /// How the board is said to lie.
    pub turned: Orientation,
}

impl LinkConfig {
    /// A native board on `port`.
    pub fn native(port: PortSpec) -> LinkConfig {
        LinkConfig {
            port,
            kind: Some(BoardKind::Native),
            baud: None,
            resume: None,
            serial: String::new(),
            stood: None,
            pace: 1.0,
            address: None,
            memory: None,
            turned: Orientation::Upright,
        }
    }

    /// What the host's end of its language begins with.
    pub(super) fn start(&self, now: Instant) -> Start {
        let &LinkConfig {
            resume,
            stood,
            pace,
            turned,
            ..
        } = self;
        Start {
            now,
            resume,
            stood,
            pace,
            serial: self.serial.clone(),
            memory: self.memory.clone(),
            turned,
        }
    }
}

/// What a link tells.
#[derive(Clone, PartialEq, Debug)]
pub enum LinkEvent {
    /// The board has said who it is: the line was opened, or the board was started anew (`boot`
    /// differs). A snapshot follows, after what happened meanwhile where the board can tell it.
    Up {
        /// What it speaks.
        kind: BoardKind,
        /// Who it is.
        info: BoardInfo,
        /// The board's clock.
        clock: BoardClock,
        /// Where its evidence begins, where that is known: to be kept as that of its reports is, if
        /// none of them has been.
        mark: Option<Mark>,
    },
    /// The board reported something. Never a `Hello`: that is `Up`.
    Board {
        /// What.
        event: BoardEvent,
        /// The board's clock, as estimated when this was received: `clock.at(Instant::now())` is
        /// the board's now.
        clock: BoardClock,
        /// Keep it with the event: [`LinkConfig::resume`] of the next run of the program.
        mark: Option<Mark>,
    },
    /// The line is not as it should be: damaged frames, repetitions. What was damaged comes again
    /// by itself; until the board's next report its silence means nothing.
    Trouble(LineTrouble),
    /// Something was learned of the board, or has to be. What the board reports after it rests on
    /// it.
    Learning(Learning),
    /// The board cannot be heard. The link goes on trying; this is told once for each new reason.
    Down(FaultReason),
}

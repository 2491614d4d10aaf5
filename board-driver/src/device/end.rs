//! What every simulated board is behind its port, whatever it speaks.

use std::fmt::Debug;
use std::time::Instant;

use arbiter_core::Reading;

use crate::event::Report;

/// A board whose clock jumps goes no further ahead of its host than this: it must be able to repeat
/// itself.
pub(crate) const AHEAD: u32 = 100;

/// What the squares hold after something happened on the board.
pub(super) fn apply(report: &Report, squares: &mut Reading) {
    match report {
        Report::Changes(changes) => {
            for (square, symbol) in changes {
                squares.set(*square, *symbol);
            }
        }
        Report::Snapshot(reading) => *squares = *reading,
        _ => {}
    }
}

/// One moment, on two clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The world's.
    pub now: Instant,
    /// The board's, in milliseconds. It runs as fast as the board plays.
    pub ms: u32,
}

/// A board's end of its language, without any I/O: what happens on its squares and what the host
/// writes goes in, frames come out. Script, clock, pseudo-terminal and noise are around it.
pub trait Device: Send + Debug {
    /// Something happened on the board. `Alive` is a moment at which nothing did; what the board
    /// cannot see or say (an adjustment without a button, a press without a clock) it ignores.
    fn happen(&mut self, at: Moment, report: &Report);
    /// Bytes came from the host.
    fn receive(&mut self, at: Moment, bytes: &[u8]);
    /// What is to be sent next, one frame of the language: noise harms frames.
    fn next_frame(&mut self, at: Moment) -> Option<Vec<u8>>;
    /// When [`Device::wake`] is to be called: a heartbeat is due, or a scan of a board that streams
    /// its state.
    fn next_wake(&self) -> Option<Instant>;
    /// A moment named by [`Device::next_wake`] has come.
    fn wake(&mut self, at: Moment);
    /// Whether a host has heard what stands on the board, so that the game can begin.
    fn is_ready(&self) -> bool;
    /// Whether everything that happened has been handed out by [`Device::next_frame`].
    fn is_drained(&self) -> bool;
    /// How many reports the host has not confirmed, where hosts confirm.
    fn unacknowledged(&self) -> u32 {
        0
    }
    /// It lost its power for a moment: everything is forgotten but what stands on the squares.
    fn reboot(&mut self, at: Moment);
    /// Whether it has gone into its boot loader, and is no board any more.
    fn is_in_loader(&self) -> bool {
        false
    }
    /// An image was given to its boot loader: it starts anew, with the firmware that calls itself
    /// so. Boards without a boot loader do nothing.
    fn flash(&mut self, at: Moment, firmware: &'static str) {
        let _ = (at, firmware);
    }
    /// The squares the host wants lit: bit 0 is a1.
    fn lamps(&self) -> u64 {
        0
    }
}

//! The order of stages, and nothing else: settle, touch, turn, game.

use alloc::vec::Vec;

use crate::input::{Event, Setup};
use crate::ruling::Announcement;
use crate::time::Time;
use crate::view::View;

/// Receives what the arbiter says.
pub trait Sink {
    /// Takes one announcement.
    fn announce(&mut self, announcement: Announcement);
}

impl Sink for Vec<Announcement> {
    fn announce(&mut self, announcement: Announcement) {
        self.push(announcement);
    }
}

/// Follows one board. One game at a time; a `setup` starts the next.
#[derive(Clone, Debug, Default)]
pub struct Arbiter {
    _setup: Option<Setup>,
}

impl Arbiter {
    /// An arbiter that waits for a `setup`.
    pub fn new() -> Arbiter {
        Arbiter::default()
    }

    /// Takes one event. Deadlines that lie before it are ruled on first, at their own times.
    pub fn handle(&mut self, _event: &Event, _sink: &mut impl Sink) {}

    /// Ends the game at hand and sums it up: the last line of a script.
    pub fn finish(&mut self, _sink: &mut impl Sink) {}

    /// The next moment at which silence itself would mean something. Call [`Arbiter::handle`] with a `tick` later
    /// than that; nothing is decided before a call comes whose time is later than the moment.
    pub fn next_wake(&self) -> Option<Time> {
        None
    }

    /// The board's state for consoles. `None` before the first `setup`.
    pub fn view(&self) -> Option<View> {
        None
    }
}

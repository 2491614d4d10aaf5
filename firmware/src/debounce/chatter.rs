//! Which squares misbehave: hardware findings, never laid at a player's door.

use super::counters::Counters;
use super::difference;

/// Finds lines that flicker: too many raw edges within one window of scans.
///
/// A square that is used makes a few edges for each lift or place. One that makes dozens in a
/// second has a loose magnet, a cracked reed or a threshold in the wrong place. A
/// [`Board`](crate::board::Board) keeps what it read before, and tells the host not to trust it.
#[derive(Clone, Debug)]
pub struct Chatter<const PLANES: usize> {
    last: [u64; PLANES],
    /// Edges of each line within the window at hand. Five planes reach 31.
    edges: Counters<5>,
    limit: u8,
    window: u16,
    scans: u16,
    chattering: u64,
}

impl<const PLANES: usize> Chatter<PLANES> {
    /// The most edges that can be asked for.
    pub const MAX_LIMIT: u8 = 31;

    /// Watches for `limit` edges or more within `window` scans. `limit` is held within 1 to
    /// [`Chatter::MAX_LIMIT`], `window` to one or more.
    ///
    /// At a kilohertz, 31 edges in 1,000 scans is a good start: an exchange in blitz makes some ten
    /// on one square.
    pub fn new(limit: u8, window: u16, first: [u64; PLANES]) -> Self {
        Chatter {
            last: first,
            edges: Counters::new(),
            limit: limit.clamp(1, Self::MAX_LIMIT),
            window: window.max(1),
            scans: 0,
            chattering: 0,
        }
    }

    /// Takes one raw scan, an edge being a change in whatever plane, and returns the lines that
    /// chatter: those of the last full window, and those already over the limit in this one.
    pub fn update(&mut self, raw: [u64; PLANES]) -> u64 {
        self.edges.increment(difference(&raw, &self.last));
        self.last = raw;
        self.scans += 1;
        let over = self.edges.reached(self.limit);
        let now = self.chattering | over;
        if self.scans == self.window {
            self.chattering = over;
            self.edges.clear(!0);
            self.scans = 0;
        }
        now
    }
}

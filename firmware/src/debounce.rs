//! Electrical noise out, debounced readings on: counted in scans, square by square.
//!
//! A reed switch bounces for a millisecond or two when a magnet comes near, and a Hall sensor
//! flickers at its threshold. A square counts as changed when it has read differently for [`Depth`]
//! scans in a row. Every square has its own count: with a shared one, a bouncing h8 would hold up a
//! quiet a1.
//!
//! What a *player* does with a piece within a tenth of a second is not noise. This filter must stay
//! far below that; human scale is the arbiter's business.

mod chatter;
mod counters;

pub use chatter::Chatter;
use counters::Counters;

/// After how many equal scans a square counts as changed: 1 to 15.
///
/// The delay it adds is the same for every line, so feed clock lever and buttons through a
/// [`Debouncer`] of the same depth: then a piece that landed before the press is also reported
/// before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Depth(u8);

impl Depth {
    /// The least: every scan is believed.
    pub const MIN: Depth = Depth(1);
    /// The most that four counter planes can count.
    pub const MAX: Depth = Depth(15);

    /// A depth of `scans`; `None` outside 1 to 15.
    pub const fn new(scans: u8) -> Option<Depth> {
        if scans >= Depth::MIN.0 && scans <= Depth::MAX.0 {
            Some(Depth(scans))
        } else {
            None
        }
    }

    /// The depth in scans.
    pub const fn scans(self) -> u8 {
        self.0
    }
}

impl Default for Depth {
    /// Four scans: 4 ms at a kilohertz, twice the bounce of a usual reed switch.
    fn default() -> Depth {
        Depth(4)
    }
}

/// Debounces 64 lines at once, in a handful of word operations a scan.
///
/// A line reads one bit in each of `PLANES` words: one word for switches, two for sensors that tell
/// colours (occupied, dark). It changes when it has read *the same* new state for [`Depth`] scans
/// in a row, in all planes together: a dark magnet that comes near may read light on its way, and
/// is never reported so.
#[derive(Clone, Debug)]
pub struct Debouncer<const PLANES: usize> {
    debounced: [u64; PLANES],
    /// The scan before.
    last: [u64; PLANES],
    /// For each line, how many scans in a row it has read as in `last`, if that is not as in
    /// `debounced`. Four planes reach 15.
    differing: Counters<4>,
    depth: Depth,
}

impl<const PLANES: usize> Debouncer<PLANES> {
    /// A debouncer that takes its first scan as debounced. A line that bounced just then corrects
    /// itself as a change.
    pub fn new(depth: Depth, first: [u64; PLANES]) -> Self {
        Debouncer {
            debounced: first,
            last: first,
            differing: Counters::new(),
            depth,
        }
    }

    /// Takes one scan and returns the lines that changed with it.
    pub fn update(&mut self, raw: [u64; PLANES]) -> u64 {
        self.update_except(raw, 0)
    }

    /// Takes one scan of which the lines in `frozen` are not to be believed: they keep their
    /// debounced state, and when they thaw they are counted from the start.
    pub fn update_except(&mut self, raw: [u64; PLANES], frozen: u64) -> u64 {
        let differs = difference(&raw, &self.debounced) & !frozen;
        let steady = !difference(&raw, &self.last);
        self.last = raw;
        self.differing.clear(!(differs & steady));
        self.differing.increment(differs);
        let changed = self.differing.reached(self.depth.scans());
        for (debounced, raw) in self.debounced.iter_mut().zip(raw) {
            *debounced ^= (*debounced ^ raw) & changed;
        }
        self.differing.clear(changed);
        changed
    }

    /// What the lines read, noise removed.
    pub fn debounced(&self) -> [u64; PLANES] {
        self.debounced
    }

    /// The lines that read differently now and have not done so for long enough.
    pub fn pending(&self) -> u64 {
        self.differing.any()
    }
}

/// The lines that read differently in `a` and `b`, in whatever plane.
fn difference<const PLANES: usize>(a: &[u64; PLANES], b: &[u64; PLANES]) -> u64 {
    a.iter().zip(b).fold(0, |any, (a, b)| any | (a ^ b))
}

#[cfg(test)]
mod tests;

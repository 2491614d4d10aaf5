//! One square at a time looked at for a while: how noisy it is, and where its mean lies.

/// For how many scans each square is watched: a round of 64 squares takes two seconds at a
/// kilohertz.
const WINDOW: u16 = 32;

/// Watches the squares in turn.
#[derive(Clone, Debug)]
pub(super) struct Sampler {
    square: usize,
    scans: u16,
    sum: u32,
    lowest: u16,
    highest: u16,
    /// Whether the square changed, or could not be read, meanwhile.
    moved: bool,
}

/// What a square read while nothing moved on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Statistics {
    pub(super) square: usize,
    pub(super) mean: u16,
    /// The highest less the lowest reading.
    pub(super) noise: u16,
}

impl Sampler {
    pub(super) const fn of(square: usize) -> Sampler {
        Sampler {
            square,
            scans: 0,
            sum: 0,
            lowest: u16::MAX,
            highest: 0,
            moved: false,
        }
    }

    /// Takes one scan, in which the squares `moved` changed or could not be read. At the end of a
    /// square's turn, says what was seen and goes on to the next; nothing if the square was not
    /// left alone.
    pub(super) fn take(&mut self, levels: &[u16; 64], moved: u64) -> Option<Statistics> {
        let level = levels[self.square];
        self.scans += 1;
        self.sum += u32::from(level);
        self.lowest = self.lowest.min(level);
        self.highest = self.highest.max(level);
        self.moved |= moved >> self.square & 1 == 1;
        if self.scans < WINDOW {
            return None;
        }
        let Sampler {
            square,
            sum,
            lowest,
            highest,
            moved,
            ..
        } = *self;
        *self = Sampler::of((square + 1) % 64);
        let mean = (sum / u32::from(WINDOW)) as u16;
        (!moved).then_some(Statistics {
            square,
            mean,
            noise: highest - lowest,
        })
    }
}

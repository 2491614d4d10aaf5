//! A line that damages what it carries, with seeded chance.

/// How likely each frame is to suffer; each between 0 and 1. The default harms nothing.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LineNoise {
    /// Decides which frames suffer.
    pub seed: u64,
    /// The frame vanishes.
    pub drop: f64,
    /// One to three of its bytes change.
    pub corrupt: f64,
    /// Its end vanishes, zero byte included.
    pub cut: f64,
}

impl LineNoise {
    /// Every kind of harm, each as likely as `chance`.
    pub fn all(seed: u64, chance: f64) -> LineNoise {
        LineNoise { seed, drop: chance, corrupt: chance, cut: chance }
    }
}

/// A noisy line at work.
#[derive(Clone, Debug)]
pub struct NoisyLine {
    noise: LineNoise,
    state: u64,
    harmed: u64,
}

impl NoisyLine {
    /// A line with this noise.
    pub fn new(noise: LineNoise) -> NoisyLine {
        NoisyLine { noise, state: noise.seed, harmed: 0 }
    }

    /// How many frames were harmed.
    pub fn harmed(&self) -> u64 {
        self.harmed
    }

    /// The line gets better or worse.
    pub fn change(&mut self, noise: LineNoise) {
        (self.noise, self.state) = (noise, noise.seed);
    }

    /// Carries a frame: appends what is left of it.
    pub fn carry(&mut self, frame: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        let dice = self.chance();
        let LineNoise { drop, corrupt, cut, .. } = self.noise;
        if dice < drop {
        } else if dice < drop + corrupt {
            out.extend_from_slice(frame);
            for _ in 0..=self.below(3) {
                let at = start + self.below(frame.len());
                out[at] ^= 1 << self.below(8);
            }
        } else if dice < drop + corrupt + cut {
            out.extend_from_slice(&frame[..self.below(frame.len())]);
        } else {
            out.extend_from_slice(frame);
            return;
        }
        self.harmed += 1;
    }

    /// Between 0 and 1.
    fn chance(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// A Weyl sequence through two rounds of mixing: plenty for dice.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        mixed ^ (mixed >> 32)
    }
}

//! A line that damages what it carries, with seeded chance.

use std::time::Duration;

use crate::random::Random;

/// How long a line that pauses lets nothing through, in milliseconds.
const PAUSE: (u64, u64) = (500, 2_500);

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
    /// Nothing comes through for 0.5 to 2.5 s after it; then everything, dated as it happened.
    pub pause: f64,
}

impl LineNoise {
    /// Every kind of harm to frames, each as likely as `chance`.
    pub fn all(seed: u64, chance: f64) -> LineNoise {
        LineNoise {
            seed,
            drop: chance,
            corrupt: chance,
            cut: chance,
            ..LineNoise::default()
        }
    }
}

/// A noisy line at work.
#[derive(Clone, Debug)]
pub struct NoisyLine {
    noise: LineNoise,
    random: Random,
    harmed: u64,
}

impl NoisyLine {
    /// A line with this noise.
    pub fn new(noise: LineNoise) -> NoisyLine {
        NoisyLine {
            noise,
            random: dice(noise),
            harmed: 0,
        }
    }

    /// How many frames were harmed.
    pub fn harmed(&self) -> u64 {
        self.harmed
    }

    /// For how long nothing comes through now, if it does not.
    pub fn pause(&mut self) -> Option<Duration> {
        let pauses = self.noise.pause > 0.0
            && (self.random.below(1_000_000) as f64) < self.noise.pause * 1e6;
        pauses.then(|| Duration::from_millis(self.random.span(PAUSE)))
    }

    /// The line gets better or worse.
    pub fn change(&mut self, noise: LineNoise) {
        (self.noise, self.random) = (noise, dice(noise));
    }

    /// Carries a frame: appends what is left of it.
    pub fn carry(&mut self, frame: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        let dice = self.random.below(1_000_000) as f64 / 1e6;
        let LineNoise {
            drop, corrupt, cut, ..
        } = self.noise;
        if dice < drop {
        } else if dice < drop + corrupt {
            out.extend_from_slice(frame);
            for _ in 0..=self.random.below(3) {
                let at = start + self.random.below(frame.len());
                out[at] ^= 1 << self.random.below(8);
            }
        } else if dice < drop + corrupt + cut {
            out.extend_from_slice(&frame[..self.random.below(frame.len())]);
        } else {
            out.extend_from_slice(frame);
            return;
        }
        self.harmed += 1;
    }
}

/// The line's own stream of chance.
fn dice(noise: LineNoise) -> Random {
    Random::new(noise.seed, 0x6c69_6e65)
}

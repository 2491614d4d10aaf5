//! What 64 analogue readings mean: pieces, their colours, and sensors that cannot be right.

use board_wire::{Level, RankLevels, Trouble, TroubleCode};

use super::super::{Reading, Refusal};
use super::sampler::{Sampler, Statistics};
use super::settings::{HallSettings, Polarity, Zeros};

/// Detects pieces, scan after scan, by thresholds with hysteresis. Everything is in counts; nothing
/// here touches hardware.
#[derive(Clone, Debug)]
pub(super) struct Detector {
    settings: HallSettings,
    full_scale: u16,
    /// As calibrated.
    calibrated: Option<Zeros>,
    /// The same, with the drift since.
    zeros: Zeros,
    /// Squares whose calibrated zero no empty square of a working sensor has.
    implausible: u64,
    levels: [u16; 64],
    occupied: u64,
    dark: u64,
    noise: [u16; 64],
    sampler: Sampler,
}

impl Detector {
    /// A detector that knows these zeros. `settings` are within the scale.
    pub(super) fn new(settings: HallSettings, full_scale: u16, zeros: Option<Zeros>) -> Detector {
        let middle = [full_scale / 2; 64];
        let mut detector = Detector {
            settings,
            full_scale,
            calibrated: None,
            zeros: middle,
            implausible: 0,
            levels: middle,
            occupied: 0,
            dark: 0,
            noise: [0; 64],
            sampler: Sampler::of(0),
        };
        if let Some(zeros) = zeros {
            detector.set(zeros);
        }
        detector
    }

    pub(super) fn zeros(&self) -> Option<&Zeros> {
        self.calibrated.as_ref()
    }

    /// These are what the empty squares read, it is said: taken if they can be.
    ///
    /// A square that reads `off` or more from its zero is not empty, or not as it was: the host is
    /// told just that by the levels that stay. A square whose zero was implausible has none to
    /// compare with. A sensor at its lower rail is broken, piece or not: it stays stuck, and keeps
    /// nobody from calibrating the others.
    ///
    /// # Errors
    /// What is in the way. The zeros stay as they were.
    pub(super) fn calibrate(&mut self, zeros: Zeros) -> Result<(), Refusal> {
        let HallSettings { off, rail, .. } = self.settings;
        let broken = squares(|n| zeros[n] <= rail);
        if self.calibrated.is_some() {
            let far = squares(|n| zeros[n].abs_diff(self.zeros[n]) >= off);
            match far & !self.implausible & !broken {
                0 => {}
                occupied => return Err(Refusal::Occupied(occupied)),
            }
        }
        match self.implausible_of(&zeros) & !broken {
            0 => self.set(zeros),
            implausible => return Err(Refusal::Implausible(implausible)),
        }
        Ok(())
    }

    /// Squares whose zero no empty square of a working sensor has.
    fn implausible_of(&self, zeros: &Zeros) -> u64 {
        let middle = self.full_scale / 2;
        squares(|n| zeros[n].abs_diff(middle) > self.settings.zero_tolerance)
    }

    fn set(&mut self, zeros: Zeros) {
        self.calibrated = Some(zeros);
        self.zeros = zeros;
        self.implausible = self.implausible_of(&zeros);
        (self.occupied, self.dark) = (0, 0);
        self.sampler = Sampler::of(0);
    }

    /// Takes one scan. `None` while the zeros are not known.
    pub(super) fn take(&mut self, levels: &[u16; 64]) -> Option<Reading> {
        self.levels = *levels;
        self.calibrated?;
        let (was_occupied, was_dark) = (self.occupied, self.dark);
        let pulled_down = self.read_squares();
        let stuck = pulled_down | self.implausible;
        let moved = (self.occupied ^ was_occupied) | (self.dark ^ was_dark) | stuck;
        if let Some(statistics) = self.sampler.take(levels, moved) {
            self.noise[statistics.square] = statistics.noise;
            self.follow_drift(statistics);
        }
        let trouble = if self.implausible == 0 {
            Trouble::NONE
        } else {
            Trouble::new(TroubleCode::NOT_CALIBRATED, 0)
        };
        Some(Reading {
            occupied: self.occupied & !stuck,
            dark: self.dark & !stuck,
            stuck,
            trouble,
        })
    }

    /// Brings `occupied` and `dark` up to date and returns the squares that are pulled down, or
    /// read more than there is; they stay what they were.
    fn read_squares(&mut self) -> u64 {
        let HallSettings {
            on,
            off,
            rail,
            dark,
            ..
        } = self.settings;
        let (mut occupied, mut darks, mut rails) = ([0u8; 8], [0u8; 8], [0u8; 8]);
        let (was_occupied, was_dark) = (self.occupied.to_le_bytes(), self.dark.to_le_bytes());
        for (n, (&level, &zero)) in self.levels.iter().zip(&self.zeros).enumerate() {
            let (rank, bit) = (n / 8, 1 << (n % 8));
            let (full_before, dark_before) =
                (was_occupied[rank] & bit != 0, was_dark[rank] & bit != 0);
            let distance = level.abs_diff(zero);
            let dark_now = (level > zero) == (dark == Polarity::Raises);
            let (full, is_dark) = if level <= rail || level > self.full_scale {
                rails[rank] |= bit;
                (full_before, dark_before)
            } else {
                (
                    distance >= on || (full_before && distance >= off && dark_now == dark_before),
                    dark_now,
                )
            };
            occupied[rank] |= if full { bit } else { 0 };
            darks[rank] |= if full && is_dark { bit } else { 0 };
        }
        (self.occupied, self.dark) = (u64::from_le_bytes(occupied), u64::from_le_bytes(darks));
        u64::from_le_bytes(rails)
    }

    /// Moves the zero of an empty square by one count towards its mean, once a round.
    ///
    /// A standing piece is never learned: the zero of an occupied square stays; a reading farther
    /// than half of `off` from where the square was calibrated is no drift; and no zero goes
    /// farther from there than `drift`, however long something weak lies there.
    fn follow_drift(&mut self, Statistics { square, mean, .. }: Statistics) {
        let Some(calibrated) = &self.calibrated else {
            return;
        };
        let (zero, calibrated) = (self.zeros[square], calibrated[square]);
        if self.occupied >> square & 1 == 1 || mean.abs_diff(calibrated) > self.settings.off / 2 {
            return;
        }
        let step = if mean > zero {
            zero + 1
        } else {
            zero - u16::from(mean < zero)
        };
        if step.abs_diff(calibrated) <= self.settings.drift {
            self.zeros[square] = step;
        }
    }

    /// The levels of a rank (0 to 7) as the host is told them: light pieces above zero, dark ones
    /// below.
    pub(super) fn rank(&self, rank: u8) -> RankLevels {
        let squares = core::array::from_fn(|file| {
            let n = usize::from(rank & 7) * 8 + file;
            let (zero, level) = (i32::from(self.zeros[n]), i32::from(self.levels[n]));
            let light = if self.settings.dark == Polarity::Raises {
                zero - level
            } else {
                level - zero
            };
            let now = light.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16;
            Level {
                zero: self.zeros[n],
                now,
                noise: self.noise[n],
            }
        });
        RankLevels {
            rank: rank & 7,
            on: self.settings.on,
            off: self.settings.off,
            squares,
        }
    }
}

/// The squares of which `is` says so.
fn squares(mut is: impl FnMut(usize) -> bool) -> u64 {
    (0..64).fold(0, |word, n| word | u64::from(is(n)) << n)
}

#[cfg(test)]
mod tests;

//! Where a Hall sensor's reading becomes a piece, in counts of the converter.

/// What each square reads without a magnet, in counts; a1 first.
pub type Zeros = [u16; 64];

/// What a dark piece's magnet does to a sensor's output. With a DRV5055, a south pole at the marked
/// face raises it (SBAS640, "Magnetic Flux Direction").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Polarity {
    /// It reads more than without a magnet.
    Raises,
    /// It reads less.
    Lowers,
}

/// How readings are judged. Distances are counted from each square's zero.
///
/// Between `on` and `off` a square stays what it was, as long as the magnet's pole does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HallSettings {
    /// What dark pieces do; light ones do the other thing.
    pub dark: Polarity,
    /// From this distance on a square is occupied.
    pub on: u16,
    /// Below this distance it is empty again; less than `on`.
    pub off: u16,
    /// How far a zero follows its sensor's drift, at most, from where it was calibrated; less than
    /// half of `off`.
    pub drift: u16,
    /// So near to nothing no working sensor reads: it is disconnected, and its line pulled down, or
    /// shorted. The other end of the scale is a strong piece's: an output that is driven as far as
    /// it goes ends there (SBAS640, "Linear Magnetic Range").
    pub rail: u16,
    /// So far from the middle of the scale a zero may be. One farther away is a broken sensor, or a
    /// piece stood there during the calibration.
    pub zero_tolerance: u16,
    /// How long the multiplexers settle before each reading, in microseconds.
    pub settle_us: u32,
}

impl HallSettings {
    /// For a converter with this highest count, and sensors that give a sixteenth of the scale or
    /// more for a piece: see `docs/hardware.md` for how to choose magnets, and the levels that a
    /// board tells for how well they were chosen.
    pub const fn for_full_scale(full_scale: u16) -> HallSettings {
        let on = full_scale / 16;
        HallSettings {
            dark: Polarity::Lowers,
            on,
            off: on / 3 * 2,
            drift: on / 6,
            rail: full_scale / 64,
            zero_tolerance: full_scale / 16,
            settle_us: 5,
        }
    }

    /// The same, with every number held within what makes sense on this scale.
    pub(super) fn within(self, full_scale: u16) -> HallSettings {
        let on = self.on.clamp(4, (full_scale / 2).max(4));
        let off = self.off.clamp(2, on - 1);
        HallSettings {
            on,
            off,
            drift: self.drift.min((off - 1) / 2),
            rail: self.rail.min(full_scale / 4),
            zero_tolerance: self.zero_tolerance.min(full_scale / 2),
            ..self
        }
    }
}

//! How much simulated sensors misbehave. No public measurement of real boards exists: the figures are assumptions.

/// Rates are in a thousand, times in microseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Model {
    /// From one scan of the board to the next; each board keeps its own.
    pub period_us: (u64, u64),
    /// Contacts that bounce, for 2 to 30 ms.
    pub bounce: u16,
    /// Squares that read a piece up to 100 ms late.
    pub weak: u16,
    /// Contacts that show on an empty neighbour too, for less than 50 ms.
    pub bleed: u16,
    /// Pieces put down that are read only 0.2 to 2 s later.
    pub lost_places: u16,
    /// Squares left that read as occupied for 0.2 to 1 s longer.
    pub lost_lifts: u16,
}

impl Model {
    /// Level 0 is ideal but still scanned, 1 is healthy, 2 and above is poor.
    pub fn level(level: u8) -> Model {
        let ideal = Model { period_us: (5_000, 25_000), bounce: 0, weak: 0, bleed: 0, lost_places: 0, lost_lifts: 0 };
        match level {
            0 => ideal,
            1 => Model { bounce: 400, ..ideal },
            _ => Model { bounce: 400, weak: 120, bleed: 15, lost_places: 3, lost_lifts: 1, ..ideal },
        }
    }
}

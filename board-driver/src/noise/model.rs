//! How much simulated sensors misbehave. No public measurement of real boards exists: the figures
//! are assumptions.

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
    pub crosstalk: u16,
    /// Pieces put down that are read only after `found_us`.
    pub lost_places: u16,
    /// After how long they are.
    pub found_us: (u64, u64),
    /// Squares left that read as occupied until `cleared_us` later.
    pub lost_lifts: u16,
    /// Until how much later they do.
    pub cleared_us: (u64, u64),
    /// Whether what was lost is read while the square is as it should have been read; else a piece
    /// that moves on before leaves no trace there.
    pub found_in_time: bool,
    /// Pieces still read for 5 to 40 ms after they left: they show on two squares at once when they
    /// are slid.
    pub linger: u16,
    /// Exchanges of two pieces within 150 ms during which the square never reads empty.
    pub blind: u16,
    /// Captures in which the victim's square never reads empty, however long the hands take, up to
    /// two seconds.
    pub overwritten: u16,
    /// Captured pieces that show on an empty neighbour while they are swept off the board.
    pub swept: u16,
    /// For how long they do.
    pub swept_us: (u64, u64),
    /// Whether the squares are read all at one moment, not row after row: then a piece that moves
    /// is never on two of them.
    pub at_once: bool,
    /// Pieces put down that no change tells: the next snapshot shows them, if they still stand
    /// there.
    pub untold: u16,
    /// From one snapshot to the next; `(0, 0)`: the board sends none by itself.
    pub snapshot_us: (u64, u64),
}

/// The names of the levels of noise, from level 0 on.
pub const LEVELS: [&str; 7] = [
    "ideal", "healthy", "poor", "lossy", "sticky", "gappy", "untold",
];

impl Model {
    /// Sensors of boards that send whole states: what happens is known to the millisecond, and the
    /// board looks when it looks.
    pub fn states(level: u8) -> Model {
        Model {
            period_us: (1_000, 1_000),
            bounce: 0,
            ..Model::level(level)
        }
    }

    /// Sensors of boards that scan slowly and tell single changes.
    pub fn slow(level: u8) -> Model {
        Model {
            period_us: (40_000, 60_000),
            ..Model::level(level)
        }
    }

    /// Coils that know their pieces, as DGT boards have them: nothing bounces, and the squares are
    /// looked at four to five times a second.
    ///
    /// Level 1 is as three recordings of real boards are (github.com/arnsholt/dgtdriver, 199
    /// half-moves): 25 of 36 captures overwrite the victim, 5 victims show on a neighbour, and no
    /// piece is misread or on two squares at once. Level 2 is what the maker's description warns of
    /// besides: squares that are looked at one after the other, so slowly that a piece may be seen
    /// on two of them.
    pub fn coils(level: u8) -> Model {
        let ideal = Model {
            period_us: (200_000, 250_000),
            bounce: 0,
            at_once: true,
            ..Model::level(0)
        };
        match level {
            0 => ideal,
            1 => Model {
                blind: 1_000,
                // With those that fall between two looks, 694 in a thousand.
                overwritten: 650,
                swept: 139,
                ..ideal
            },
            _ => Model {
                at_once: false,
                blind: 1_000,
                linger: 250,
                crosstalk: 15,
                lost_places: 3,
                lost_lifts: 1,
                ..ideal
            },
        }
    }

    /// Sensors of a level of noise.
    ///
    /// | level | name | sensors |
    /// |---|---|---|
    /// | 0 | ideal | scanned row by row, and nothing else |
    /// | 1 | healthy | contacts bounce |
    /// | 2 | poor | they bounce, some are weak, crosstalk, now and then a reading is lost |
    /// | 3 | lossy | they bounce, and 1 % of all readings are lost and read again within 2 s |
    /// | 4 | sticky | they bounce and linger; a quick exchange never reads empty |
    /// | 5 | gappy | as lossy, but what has changed again before is never read |
    /// | 6 | untold | healthy, but 0.5 % of landings are told by no change, only by the next
    /// snapshot, 2 to 8 s after the one before |
    ///
    /// Levels above are as the last.
    pub fn level(level: u8) -> Model {
        let ideal = Model {
            period_us: (5_000, 25_000),
            bounce: 0,
            weak: 0,
            crosstalk: 0,
            lost_places: 0,
            found_us: (200_000, 2_000_000),
            lost_lifts: 0,
            cleared_us: (200_000, 1_000_000),
            found_in_time: false,
            linger: 0,
            blind: 0,
            overwritten: 0,
            swept: 0,
            // One look or two of a board that looks four times a second.
            swept_us: (250_000, 450_000),
            at_once: false,
            untold: 0,
            snapshot_us: (0, 0),
        };
        let healthy = Model {
            bounce: 400,
            ..ideal
        };
        let lossy = Model {
            lost_places: 10,
            lost_lifts: 10,
            cleared_us: (200_000, 2_000_000),
            ..healthy
        };
        match level {
            0 => ideal,
            1 => healthy,
            2 => Model {
                weak: 120,
                crosstalk: 15,
                lost_places: 3,
                lost_lifts: 1,
                ..healthy
            },
            3 => Model {
                found_in_time: true,
                ..lossy
            },
            4 => Model {
                linger: 250,
                blind: 1_000,
                ..healthy
            },
            5 => lossy,
            _ => Model {
                untold: 5,
                snapshot_us: (2_000_000, 8_000_000),
                ..healthy
            },
        }
    }
}

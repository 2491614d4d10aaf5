//! What analogue sensors read: is every square calibrated, quiet, and far from where it would be
//! read wrongly?

use arbiter_core::shakmaty::{Bitboard, Square};
use board_driver::{Level, RankLevels};

use super::finding::{Finding, notice, wrong};

/// The levels of all squares, as far as they were told.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    ranks: [Option<RankLevels>; 8],
    /// The zeros as they were first told.
    first: [Option<[Level; 8]>; 8],
}

/// One square's level, and where its rank is occupied and empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SquareLevel {
    /// Which.
    pub square: Square,
    /// What it reads.
    pub level: Level,
    /// Occupied from this distance from zero on.
    pub on: u16,
    /// Empty below this one.
    pub off: u16,
    /// How far the zero has moved since it was first told.
    pub drift: u16,
}

impl Levels {
    pub(super) fn hear(&mut self, levels: &RankLevels) {
        let rank = usize::from(levels.rank).min(7);
        self.ranks[rank] = Some(*levels);
        self.first[rank].get_or_insert(levels.squares);
    }

    /// Drift is counted from now on.
    pub(super) fn again(&mut self) {
        self.first = self.ranks.map(|rank| rank.map(|rank| rank.squares));
    }

    /// What was told is of no use any more: other zeros are being taken.
    pub fn forget(&mut self) {
        *self = Levels::default();
    }

    /// Whether all ranks were told.
    pub fn is_known(&self) -> bool {
        self.ranks.iter().all(Option::is_some)
    }

    /// Whether no square that was told reads a piece.
    pub fn is_empty(&self) -> bool {
        self.squares().all(|square| square.distance() < square.off)
    }

    /// Every square that was told.
    pub fn squares(&self) -> impl Iterator<Item = SquareLevel> + '_ {
        Square::ALL.into_iter().filter_map(|square| {
            let (rank, file) = (usize::from(square.rank()), usize::from(square.file()));
            let told = self.ranks[rank]?;
            let level = told.squares[file];
            let drift = self.first[rank].map_or(0, |first| level.zero.abs_diff(first[file].zero));
            Some(SquareLevel {
                square,
                level,
                on: told.on,
                off: told.off,
                drift,
            })
        })
    }

    /// The widest noise of any square.
    pub fn noise(&self) -> u16 {
        self.squares()
            .map(|square| square.level.noise)
            .max()
            .unwrap_or(0)
    }

    /// The farthest that a zero has moved.
    pub fn drift(&self) -> u16 {
        self.squares().map(|square| square.drift).max().unwrap_or(0)
    }

    /// The piece that is read most weakly.
    pub fn weakest(&self) -> Option<SquareLevel> {
        self.pieces().min_by_key(SquareLevel::distance)
    }

    /// The piece that is read most strongly: one at the end of the scale is too near to its sensor.
    pub fn strongest(&self) -> Option<SquareLevel> {
        self.pieces().max_by_key(SquareLevel::distance)
    }

    fn pieces(&self) -> impl Iterator<Item = SquareLevel> {
        self.squares().filter(SquareLevel::is_occupied)
    }

    /// What is wrong with the calibration.
    pub(super) fn findings(&self) -> impl Iterator<Item = Finding> {
        let set = |is: fn(&SquareLevel) -> bool| {
            self.squares()
                .filter(is)
                .map(|s| s.square)
                .collect::<Bitboard>()
        };
        let noise = self.noise();
        [
            wrong(set(SquareLevel::is_noisy), |squares| {
                format!(
                    "the noise of {squares} (up to {noise} counts) hides where a piece begins: \
                         check the supply, its smoothing and the wires"
                )
            }),
            wrong(set(SquareLevel::is_between), |squares| {
                format!(
                    "{squares} read neither a piece nor an empty square: set the piece \
                         straight, give it a stronger magnet, or calibrate again"
                )
            }),
            notice(set(SquareLevel::is_weak), |squares| {
                format!(
                    "the pieces on {squares} are read weakly: set them straight or give them \
                         stronger magnets"
                )
            }),
            notice(set(SquareLevel::is_off_zero), |squares| {
                format!(
                    "{squares} read far from zero without a piece: calibrate again, with \
                         nothing magnetic near the board"
                )
            }),
            notice(set(SquareLevel::has_drifted), |squares| {
                format!(
                    "the zeros of {squares} move: let the board get warm, and keep magnets \
                         away from it"
                )
            }),
        ]
        .into_iter()
        .flatten()
    }
}

impl SquareLevel {
    fn distance(&self) -> u16 {
        self.level.now.unsigned_abs()
    }

    fn is_occupied(&self) -> bool {
        self.distance() >= self.on
    }

    fn is_between(&self) -> bool {
        self.distance() >= self.off && !self.is_occupied()
    }

    /// Between occupied and empty there must be room for more than noise.
    fn is_noisy(&self) -> bool {
        self.level.noise >= self.on.saturating_sub(self.off).max(1)
    }

    /// Occupied, with less than a quarter to spare.
    fn is_weak(&self) -> bool {
        self.is_occupied() && u32::from(self.distance()) * 4 < u32::from(self.on) * 5
    }

    /// Empty, and half the way to being read otherwise.
    fn is_off_zero(&self) -> bool {
        self.distance() < self.off && self.distance() * 2 > self.off
    }

    /// About as far as a board follows its sensors.
    fn has_drifted(&self) -> bool {
        self.drift > self.off / 5
    }
}

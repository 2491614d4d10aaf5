//! Tabutronic Sentio: frames of eight numbers, one for each rank from the eighth down; bit 7 is the
//! a-file.

use std::time::Instant;

use arbiter_core::shakmaty::{File, Rank, Square};
use arbiter_core::{Reading, SensorClass, Symbol};

use super::frame::RANK_NUMBERS;
use super::host::{Host, Sensing, announcement};
use crate::fault::FaultReason;
use crate::protocol::states::States;
use crate::protocol::{Outbox, Start};

/// The host's end of a Sentio board's line.
pub(crate) type Sentio = Host<Occupancy>;

/// Squares that are seen to be occupied or empty: nothing has to be known of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occupancy;

impl Sentio {
    /// A host that has never heard of the board. `other`: what is wrong where the frames are a
    /// Certabo board's.
    pub(crate) fn new(start: &Start, other: FaultReason) -> Sentio {
        Host::with(Occupancy, start, other)
    }
}

/// What the numbers of a frame say. `None` when a number is no byte.
pub fn read(numbers: &[u16]) -> Option<Reading> {
    let mut reading = Reading::EMPTY;
    for (number, rank) in numbers.iter().zip(Rank::ALL.into_iter().rev()) {
        let byte = u8::try_from(*number).ok()?;
        for file in File::ALL
            .into_iter()
            .filter(|file| byte & (0x80 >> u32::from(*file)) != 0)
        {
            reading.set(Square::from_coords(file, rank), Symbol::Something);
        }
    }
    (numbers.len() == RANK_NUMBERS).then_some(reading)
}

/// The numbers of a frame for what stands on the squares.
pub fn write(reading: &Reading) -> Vec<u16> {
    let bit = |file: File, rank| match reading.at(Square::from_coords(file, rank)) {
        Symbol::Empty => 0,
        _ => 0x80 >> u32::from(file),
    };
    Rank::ALL
        .into_iter()
        .rev()
        .map(|rank| File::ALL.into_iter().map(|file| bit(file, rank)).sum())
        .collect()
}

impl Sensing for Occupancy {
    type Frame = Reading;

    const NUMBERS: usize = RANK_NUMBERS;

    /// A board that reads tags sends one whole frame of this length in each of its own.
    const SURE: u8 = 2;

    fn read(numbers: &[u16]) -> Option<Reading> {
        read(numbers)
    }

    fn others(before: u8, count: Option<usize>) -> u8 {
        let is_longer = count.is_some_and(|count| count > RANK_NUMBERS);
        before.saturating_add(u8::from(is_longer))
    }

    fn take(&mut self, now: Instant, reading: Reading, states: &mut States, out: &mut Outbox) {
        states.message(now, out);
        states.greet(now, announcement(SensorClass::Occupancy), out);
        states.unchecked(now, reading, out);
    }
}

#[cfg(test)]
mod tests {
    use arbiter_core::shakmaty::Board;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_start_position_and_an_empty_h1() {
        let start = SensorClass::Occupancy.reads(&Board::new());
        assert_eq!(read(&[255, 255, 0, 0, 0, 0, 255, 255]), Some(start));
        let mut without = start;
        without.set(Square::H1, Symbol::Empty);
        assert_eq!(read(&[255, 255, 0, 0, 0, 0, 255, 254]), Some(without));
        assert_eq!(read(&[255, 255, 0, 0, 0, 0, 255, 256]), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn what_is_written_is_read(numbers in prop::collection::vec(0..256u16, 8)) {
            prop_assert_eq!(write(&read(&numbers).unwrap()), numbers);
        }
    }
}

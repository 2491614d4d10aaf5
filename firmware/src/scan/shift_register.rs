//! Eight 74HC165 parallel-in shift registers in a chain: one pulse latches all squares, one
//! transfer reads them.
//!
//! Source: Nexperia 74HC165 data sheet, functional description and table 3. While PL is low the
//! register follows its inputs; on PL high it holds them and Q7 shows input D7 at once, the others
//! with each rising clock edge. Hence SPI mode 0, most significant bit first, and all squares of
//! one scan from one moment.

use core::fmt;

use board_wire::{Sensor, Trouble, TroubleCode};
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::OutputPin;
use embedded_hal::spi::SpiDevice;

use super::{Active, Reading, Scan, ScanError};

/// What the free serial input (DS) of the last chip is connected to. What it reads arrives behind
/// the 64 squares, so a broken chain or a stuck data line is noticed.
///
/// A level is the same a clock earlier or later. A pattern is not: fed by the controller, it tells
/// as well when a spark or a reflection on the clock line has moved all chips on once more than the
/// controller meant, or once less. A pulse before or at the very first clock, when none of it is in
/// the chain, is not told by it, and one that only some of the chips see may not be: it moves
/// squares in one scan, which no debouncing believes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tail {
    /// Ground, where an open data line reads high.
    Low,
    /// The supply, where an open data line reads low: the controller's pin has a pull-down
    /// resistor, as on a Raspberry Pi and a Pico.
    High,
    /// The controller's data output.
    Fed,
}

/// What the controller feeds. No beginning of it is also its end, so that it never looks alike when
/// it comes up to seven clocks earlier or later, whatever is before and behind it. Its first two
/// bits differ, so that it matters which of them is fed twice or not at all.
const PATTERN: u8 = 0b0100_1111;

impl Tail {
    /// What has to arrive behind the squares.
    fn expected(self) -> u8 {
        match self {
            Tail::Low => 0x00,
            Tail::High => 0xff,
            Tail::Fed => PATTERN,
        }
    }
}

/// Why a chain could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChainError<Bus, Pin> {
    /// The SPI transfer failed.
    Bus(Bus),
    /// The latch pin failed.
    Latch(Pin),
    /// This arrived in place of the tail: the chain is broken, or its clock is disturbed.
    Broken(u8),
}

impl<Bus: fmt::Debug, Pin: fmt::Debug> fmt::Display for ChainError<Bus, Pin> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChainError::Bus(e) => write!(f, "the shift registers' bus failed: {e:?}"),
            ChainError::Latch(e) => write!(f, "the shift registers' latch pin failed: {e:?}"),
            ChainError::Broken(tail) => {
                write!(
                    f,
                    "the shift register chain is broken, or its clock disturbed (tail {tail:#04x})"
                )
            }
        }
    }
}

impl<Bus: fmt::Debug, Pin: fmt::Debug> core::error::Error for ChainError<Bus, Pin> {}

impl<Bus: fmt::Debug, Pin: fmt::Debug> ScanError for ChainError<Bus, Pin> {
    fn trouble(&self) -> Trouble {
        match self {
            ChainError::Bus(_) => Trouble::new(TroubleCode::BUS, 0),
            ChainError::Latch(_) => Trouble::new(TroubleCode::PIN, 0),
            ChainError::Broken(tail) => Trouble::new(TroubleCode::BROKEN_CHAIN, *tail),
        }
    }
}

/// Scans a chain of eight 74HC165. The chip nearest to the controller reads rank 1; input D0 is the
/// a-file.
#[derive(Debug)]
pub struct ShiftRegisters<Spi, Latch, Delay> {
    spi: Spi,
    latch: Latch,
    delay: Delay,
    active: Active,
    tail: Option<Tail>,
}

impl<Spi: SpiDevice, Latch: OutputPin, Delay: DelayNs> ShiftRegisters<Spi, Latch, Delay> {
    /// A chain on `spi` (mode 0) with its PL inputs on `latch`, squares occupied at the `active`
    /// level, and the last chip's serial input connected as `tail` says; `None` leaves the chain
    /// unchecked.
    ///
    /// # Errors
    /// The latch pin's own, when it cannot be set to its resting level.
    pub fn new(
        spi: Spi,
        mut latch: Latch,
        delay: Delay,
        active: Active,
        tail: Option<Tail>,
    ) -> Result<Self, Latch::Error> {
        latch.set_high()?;
        Ok(ShiftRegisters {
            spi,
            latch,
            delay,
            active,
            tail,
        })
    }

    /// Latches all inputs. The data sheet asks for 100 ns at 2 V and 20 ns at 4.5 V.
    fn latch(&mut self) -> Result<(), Latch::Error> {
        self.latch.set_low()?;
        self.delay.delay_ns(100);
        self.latch.set_high()
    }
}

impl<Spi: SpiDevice, Latch: OutputPin, Delay: DelayNs> Scan for ShiftRegisters<Spi, Latch, Delay> {
    type Error = ChainError<Spi::Error, Latch::Error>;

    const SENSOR: Sensor = Sensor::Occupancy;

    fn scan(&mut self) -> Result<Reading, Self::Error> {
        self.latch().map_err(ChainError::Latch)?;
        let mut bytes = [0; 9];
        // The first byte that goes in comes out behind the squares.
        bytes[0] = PATTERN;
        let wanted = if self.tail.is_some() { 9 } else { 8 };
        self.spi
            .transfer_in_place(&mut bytes[..wanted])
            .map_err(ChainError::Bus)?;
        let [ranks @ .., tail] = bytes;
        match self.tail {
            Some(wanted) if wanted.expected() != tail => Err(ChainError::Broken(tail)),
            _ => Ok(Reading::of(self.active.apply(u64::from_le_bytes(ranks)))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use embedded_hal_mock::eh1::delay::{CheckedDelay, Transaction as Wait};
    use embedded_hal_mock::eh1::digital::{Mock as Pin, State, Transaction as Level};
    use embedded_hal_mock::eh1::spi::{Mock as Spi, Transaction};

    use super::*;

    type Chain = ShiftRegisters<Spi<u8>, Pin, CheckedDelay>;

    /// One scan of a chain that answers `bytes`.
    fn scan(
        bytes: Vec<u8>,
        active: Active,
        tail: Option<Tail>,
    ) -> Result<Reading, <Chain as Scan>::Error> {
        let mut sent = vec![0; bytes.len()];
        sent[0] = PATTERN;
        let spi = Spi::new(&[
            Transaction::transaction_start(),
            Transaction::transfer_in_place(sent, bytes),
            Transaction::transaction_end(),
        ]);
        let latch = Pin::new(&[State::High, State::Low, State::High].map(Level::set));
        let delay = CheckedDelay::new(&[Wait::delay_ns(100)]);
        let mut chain = ShiftRegisters::new(spi, latch, delay, active, tail).unwrap();
        let result = chain.scan();
        chain.spi.done();
        chain.latch.done();
        chain.delay.done();
        result
    }

    #[test]
    fn the_nearest_chip_is_rank_one_and_d0_the_a_file() {
        let bytes = vec![0x01, 0, 0, 0x10, 0, 0, 0, 0x80];
        let squares = 1 | 1 << 28 | 1 << 63;
        assert_eq!(
            scan(bytes.clone(), Active::High, None),
            Ok(Reading::of(squares))
        );
        assert_eq!(scan(bytes, Active::Low, None), Ok(Reading::of(!squares)));
    }

    #[test]
    fn the_tail_tells_an_empty_board_from_a_broken_chain() {
        let answer = |squares: u8, tail: u8| [vec![squares; 8], vec![tail]].concat();
        assert_eq!(
            scan(answer(0x00, 0xff), Active::High, Some(Tail::High)),
            Ok(Reading::of(0))
        );
        assert_eq!(
            scan(answer(0x00, 0x00), Active::High, Some(Tail::High)),
            Err(ChainError::Broken(0x00))
        );
        assert_eq!(
            scan(answer(0xff, 0x00), Active::Low, Some(Tail::Low)),
            Ok(Reading::of(0))
        );
        assert_eq!(
            scan(answer(0xff, 0xff), Active::Low, Some(Tail::Low)),
            Err(ChainError::Broken(0xff))
        );
        // One bit lost on the way is no valid tail either.
        assert_eq!(
            scan(answer(0x00, 0x7f), Active::High, Some(Tail::High)),
            Err(ChainError::Broken(0x7f))
        );
        assert_eq!(
            scan(answer(0xff, PATTERN), Active::Low, Some(Tail::Fed)),
            Ok(Reading::of(0))
        );
        for broken in [0x00, 0xff, PATTERN >> 1, PATTERN << 1] {
            assert_eq!(
                scan(answer(0x00, broken), Active::Low, Some(Tail::Fed)),
                Err(ChainError::Broken(broken))
            );
        }
    }

    #[test]
    fn the_pattern_is_not_like_itself_earlier_or_later() {
        for clocks in 1..8 {
            let later = PATTERN >> clocks;
            let earlier = PATTERN << clocks;
            assert_ne!(PATTERN & (0xff >> clocks), later, "{clocks} later");
            assert_ne!(PATTERN & (0xff << clocks), earlier, "{clocks} earlier");
        }
    }
}

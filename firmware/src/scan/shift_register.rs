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

/// What the free serial input (DS) of the last chip is tied to. The level arrives behind the 64
/// squares, so a broken chain or a stuck data line is noticed. Tie it to the level that an open
/// line does not read: where the controller's pin has a pull-down resistor, as on a Raspberry Pi
/// and a Pico, to the supply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tail {
    /// Tied to ground.
    Low,
    /// Tied to the supply.
    High,
}

/// Why a chain could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChainError<Bus, Pin> {
    /// The SPI transfer failed.
    Bus(Bus),
    /// The latch pin failed.
    Latch(Pin),
    /// This arrived where the tied level of the last chip should have: the chain is broken.
    Broken(u8),
}

impl<Bus: fmt::Debug, Pin: fmt::Debug> fmt::Display for ChainError<Bus, Pin> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChainError::Bus(e) => write!(f, "the shift registers' bus failed: {e:?}"),
            ChainError::Latch(e) => write!(f, "the shift registers' latch pin failed: {e:?}"),
            ChainError::Broken(tail) => {
                write!(f, "the shift register chain is broken (tail {tail:#04x})")
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
    /// level, and the last chip's serial input tied as `tail` says; `None` leaves the chain
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
        let wanted = if self.tail.is_some() { 9 } else { 8 };
        self.spi
            .read(&mut bytes[..wanted])
            .map_err(ChainError::Bus)?;
        let [ranks @ .., tail] = bytes;
        match (self.tail, tail) {
            (None, _) | (Some(Tail::Low), 0x00) | (Some(Tail::High), 0xff) => {
                Ok(Reading::of(self.active.apply(u64::from_le_bytes(ranks))))
            }
            (Some(_), tail) => Err(ChainError::Broken(tail)),
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
        let spi = Spi::new(&[
            Transaction::transaction_start(),
            Transaction::read_vec(bytes),
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
    }
}

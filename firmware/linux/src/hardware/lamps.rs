//! Lamps on a chain of eight 74HC595: one output, one square.
//!
//! Source: Nexperia 74HC595 data sheet, functional description. Data are shifted in with each
//! rising edge of SHCP (mode 0) and appear at the outputs with the rising edge of STCP; with STCP
//! on the bus's chip select, which rises at the end, a transfer lights what it carried. The first
//! byte travels farthest: to the last chip. Bits travel most significant first, to Q7.

use std::time::{Duration, Instant};

use embedded_hal::spi::SpiDevice;
use firmware::scan::Active;

/// Lamps are written again so often, for a spark may have put one out; and tried again so often
/// when the bus has failed.
const AGAIN: Duration = Duration::from_secs(1);

/// The lamps. The chip nearest to the controller lights rank 1; its output Q0 the a-file.
#[derive(Debug)]
pub struct Lamps<Spi> {
    spi: Spi,
    active: Active,
    shown: Option<u64>,
    again_at: Instant,
}

impl<Spi: SpiDevice> Lamps<Spi> {
    /// Lamps on `spi` (mode 0) that are lit at the `active` level.
    pub fn new(spi: Spi, active: Active) -> Lamps<Spi> {
        Lamps {
            spi,
            active,
            shown: None,
            again_at: Instant::now(),
        }
    }

    /// Lights these squares and no others: bit 0 is a1. Costs nothing while they stay the same.
    ///
    /// # Errors
    /// The bus's; then the lamps are tried again later.
    pub fn show(&mut self, lamps: u64) -> Result<(), Spi::Error> {
        let now = Instant::now();
        let is_new = self.shown.is_some_and(|shown| shown != lamps);
        if !is_new && now < self.again_at {
            return Ok(());
        }
        self.again_at = now + AGAIN;
        self.shown = None;
        let levels = match self.active {
            Active::High => lamps,
            Active::Low => !lamps,
        };
        self.spi.write(&levels.to_be_bytes())?;
        self.shown = Some(lamps);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use embedded_hal_mock::eh1::spi::{Mock, Transaction};

    use super::*;

    fn write(bytes: [u8; 8]) -> [Transaction<u8>; 3] {
        [
            Transaction::transaction_start(),
            Transaction::write_vec(bytes.to_vec()),
            Transaction::transaction_end(),
        ]
    }

    #[test]
    fn the_last_rank_goes_first_and_what_stays_is_not_sent_again_at_once() {
        let expected = [write([0x80, 0, 0, 0, 0, 0, 0, 0x02]), write([0; 8])].concat();
        let mut lamps = Lamps::new(Mock::new(&expected), Active::High);
        for shown in [1 << 63 | 1 << 1, 1 << 63 | 1 << 1, 0, 0] {
            lamps.show(shown).unwrap();
        }
        lamps.spi.done();
    }

    #[test]
    fn lamps_to_the_supply_are_lit_by_a_low_level() {
        let mut lamps = Lamps::new(
            Mock::new(&write([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe])),
            Active::Low,
        );
        lamps.show(1).unwrap();
        lamps.spi.done();
    }
}

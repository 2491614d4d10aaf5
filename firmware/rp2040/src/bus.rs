//! SPI to chains of shift registers, slow enough for half a metre of ribbon cable.

use embedded_hal::spi::MODE_0;
use fugit::HertzU32;
use rp2040_hal::pac;
use rp2040_hal::spi::{Enabled, Spi, SpiDevice, ValidSpiPinout};

use crate::clocks::SPEED;

/// A chain of 72 bits takes 36 microseconds.
const CLOCK: HertzU32 = HertzU32::MHz(2);

/// Mode 0, most significant bit first.
pub(crate) fn start<D: SpiDevice, P: ValidSpiPinout<D>>(
    device: D,
    pins: P,
    resets: &mut pac::RESETS,
) -> Spi<Enabled, D, P> {
    Spi::new(device, pins).init(resets, SPEED, CLOCK, MODE_0)
}

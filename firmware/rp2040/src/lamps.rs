//! A lamp on every square: a chain of eight 74HC595, clock on GP18, data on GP19 (SPI0), storage
//! clock (STCP) on GP22.
//!
//! Source: Nexperia 74HC595 data sheet, functional description: outputs show what was shifted in
//! when STCP rises, so the bus's chip select, which rises at the end of a transfer, is STCP. The
//! first byte travels farthest: the chip nearest to the controller lights rank 1, its output Q0 the
//! a-file.

use embedded_hal::spi::SpiDevice;
use embedded_hal_bus::spi::ExclusiveDevice;
use rp2040_hal::gpio::bank0::{Gpio18, Gpio19, Gpio22};
use rp2040_hal::gpio::{FunctionNull, FunctionSpi, Pin, PullDown};
use rp2040_hal::pac;

use crate::bus;

/// Shown again so often although nothing changed, in milliseconds: a spark may have put a lamp out.
const AGAIN_MS: u32 = 1_000;

type Free<I> = Pin<I, FunctionNull, PullDown>;

/// The chain on these pins.
pub(crate) fn chain(
    spi: pac::SPI0,
    (clock, data, storage): (Free<Gpio18>, Free<Gpio19>, Free<Gpio22>),
    resets: &mut pac::RESETS,
) -> Option<Lamps<impl SpiDevice + use<>>> {
    let pins = (
        data.into_function::<FunctionSpi>(),
        clock.into_function::<FunctionSpi>(),
    );
    let spi = ExclusiveDevice::new_no_delay(
        bus::start(spi, pins, resets),
        storage.into_push_pull_output(),
    )
    .ok()?;
    Some(Lamps { spi, shown: None })
}

/// The lamps.
pub(crate) struct Lamps<Spi> {
    spi: Spi,
    /// Which, and when.
    shown: Option<(u64, u32)>,
}

impl<Spi: SpiDevice> Lamps<Spi> {
    /// Lights these squares and no others: bit 0 is a1.
    pub(crate) fn show(&mut self, ms: u32, lamps: u64) {
        let stays = |(shown, at): (u64, u32)| shown == lamps && ms.wrapping_sub(at) < AGAIN_MS;
        if !self.shown.is_some_and(stays) {
            // A bus of the controller's own cannot fail.
            self.shown = self
                .spi
                .write(&lamps.to_be_bytes())
                .ok()
                .map(|()| (lamps, ms));
        }
    }
}

//! A chain of eight 74HC165: clock on GP10, data on GP12 (SPI1), latch (PL) on GP13. The chips' CE
//! is tied to ground, the last one's DS is on GP11, which feeds it a pattern.
//!
//! GP9 belongs to the bus and is not connected.

use board_wire::{Part, Tested, Verdict};
use embedded_hal::spi::SpiDevice;
use embedded_hal_bus::spi::ExclusiveDevice;
use firmware::scan::{Active, Scan, ShiftRegisters, Tail};
use rp2040_hal::gpio::bank0::{Gpio9, Gpio10, Gpio11, Gpio12, Gpio13};
use rp2040_hal::gpio::{FunctionNull, FunctionSioOutput, FunctionSpi, Pin, PullDown};
use rp2040_hal::pac;

use crate::pause::Pause;
use crate::{Sensors, bus};

type Free<I> = Pin<I, FunctionNull, PullDown>;

/// The chain on its bus.
pub(crate) type Chain<Spi> = ShiftRegisters<Spi, Pin<Gpio13, FunctionSioOutput, PullDown>, Pause>;

/// How often the pattern is sent through the chain for a test.
const TRIES: u32 = 8;

/// The pins of the chain.
pub(crate) type Lines = (
    Free<Gpio9>,
    Free<Gpio10>,
    Free<Gpio11>,
    Free<Gpio12>,
    Free<Gpio13>,
);

/// The squares on this chain. A reed pulls its input to ground, so an occupied square reads low,
/// and so would a broken chain: hence the tail.
pub(crate) fn scanner(
    spi: pac::SPI1,
    lines: Lines,
    resets: &mut pac::RESETS,
) -> Option<Chain<impl SpiDevice + use<>>> {
    let (select, clock, tail, data, latch) = lines;
    let pins = (
        tail.into_function::<FunctionSpi>(),
        data.into_function::<FunctionSpi>(),
        clock.into_function::<FunctionSpi>(),
    );
    let device = ExclusiveDevice::new_no_delay(
        bus::start(spi, pins, resets),
        select.into_push_pull_output(),
    )
    .ok()?;
    ShiftRegisters::new(
        device,
        latch.into_push_pull_output(),
        Pause,
        Active::Low,
        Some(Tail::Fed),
    )
    .ok()
}

impl<Spi: SpiDevice> Sensors for Chain<Spi> {
    fn test(&mut self) -> Tested {
        let failed = (0..TRIES).filter(|_| self.scan().is_err()).count() as u32;
        Tested::new(Part::CHAIN, Verdict::of(failed == 0), [TRIES, failed])
    }
}

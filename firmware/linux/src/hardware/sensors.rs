//! The squares' scanners over Linux's devices.

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::OutputPin;
use embedded_hal::i2c::I2c;
use embedded_hal::spi::SpiDevice;
use firmware::scan::{self, AdcRead, Mcp3208, Scan, Zeros};
use linux_embedded_hal::{CdevPin, SpidevDevice};

use super::Wait;
use super::i2c::Bus;
use super::open::{Direction, OpenError, open_pin, open_spi, probe_i2c};
use crate::config::{ExpandersConfig, Gpio, HallConfig, ShiftRegistersConfig};

/// Scanners that this program drives.
pub trait Squares: Scan {
    /// The zeros as they were calibrated, of analogue sensors that have been.
    fn zeros(&self) -> Option<Zeros> {
        None
    }
}

impl<Spi: SpiDevice, Latch: OutputPin, Delay: DelayNs> Squares
    for scan::ShiftRegisters<Spi, Latch, Delay>
{
}

impl<Bus: I2c, const CHIPS: usize> Squares for scan::Expanders<Bus, CHIPS> {}

impl<Adc: AdcRead, Line: OutputPin, Delay: DelayNs> Squares for scan::Hall<Adc, Line, Delay> {
    fn zeros(&self) -> Option<Zeros> {
        scan::Hall::zeros(self).copied()
    }
}

/// Eight 74HC165 on SPI.
pub type ShiftRegisters = scan::ShiftRegisters<SpidevDevice, CdevPin, Wait>;

/// Opens a chain of shift registers.
///
/// # Errors
/// Why a device cannot be used.
pub fn open_shift_registers(
    config: &ShiftRegistersConfig,
    gpio: &Gpio,
) -> Result<ShiftRegisters, OpenError> {
    let spi = open_spi("shift-registers", &config.device, config.speed)?;
    let latch = open_pin("shift-registers", gpio, config.latch, Direction::OutHigh)?;
    ShiftRegisters::new(spi, latch, Wait, config.active, config.tail).map_err(|e| OpenError {
        device: format!(
            "[shift-registers] line {} of {}",
            config.latch,
            gpio.chip.display()
        ),
        what: format!("cannot be set: {e}"),
        advice: "choose another line for `latch`".to_owned(),
    })
}

/// Four or five MCP23017 on I2C.
pub type Expanders<const CHIPS: usize> = scan::Expanders<Bus, CHIPS>;

/// Opens the bus of port expanders. Whether they answer is told by the first scan.
///
/// # Errors
/// Why the bus cannot be used.
pub fn open_expanders<const CHIPS: usize>(
    config: &ExpandersConfig,
    addresses: [u8; CHIPS],
) -> Result<Expanders<CHIPS>, OpenError> {
    probe_i2c("expanders", &config.device)?;
    Ok(Expanders::new(
        Bus::new(&config.device),
        addresses,
        config.active,
    ))
}

/// Linear Hall sensors behind multiplexers and an MCP3208.
pub type Hall = scan::Hall<Mcp3208<SpidevDevice>, CdevPin, Wait>;

/// Opens the converter and the multiplexers' address lines.
///
/// # Errors
/// Why a device cannot be used.
pub fn open_hall(
    config: &HallConfig,
    gpio: &Gpio,
    zeros: Option<Zeros>,
) -> Result<Hall, OpenError> {
    let adc = Mcp3208::new(open_spi("hall", &config.device, config.speed)?);
    let line = |number| open_pin("hall", gpio, number, Direction::OutLow);
    let [s0, s1, s2, s3] = config.select;
    let select = [line(s0)?, line(s1)?, line(s2)?, line(s3)?];
    Ok(Hall::new(adc, select, Wait, config.settings(), zeros))
}

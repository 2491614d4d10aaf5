//! 64 linear Hall sensors behind four 16:1 multiplexers (CD74HC4067) and an analogue converter:
//! squares that tell colours.
//!
//! A linear Hall sensor puts out half of its supply without a magnet, and more or less with one, as
//! its pole is: light pieces carry their magnets one way up, dark pieces the other. Sources: Texas
//! Instruments DRV5055 data sheet, SBAS640 (half of the supply at rest; the output stays 0.2 V and
//! more away from both rails in its linear range); Honeywell SS39ET/SS49E/SS59ET data sheet. Their
//! outputs are in proportion to the supply: take the converter's reference from the same supply,
//! and its changes cancel out.
//!
//! Multiplexer `n` reads ranks `2n + 1` (channels 0 to 7, the a-file first) and `2n + 2` (channels
//! 8 to 15), and its common pin is channel `n` of the converter. All four share the address lines.
//! Source: Texas Instruments CD74HC4067 data sheet, SCHS209: S0 is the lowest bit of the channel's
//! number; from address to output it takes less than half a microsecond.

mod detector;
mod sampler;
mod settings;

use core::fmt;

use board_wire::{RankLevels, Sensor, Trouble, TroubleCode};
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{OutputPin, PinState};

use super::{AdcRead, Reading, Refusal, Scan, ScanError};
use detector::Detector;
pub use settings::{HallSettings, Polarity, Zeros};

/// How many scans a calibration takes the mean of.
const CALIBRATION_SCANS: u16 = 16;

/// Why Hall sensors could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HallError<Adc, Pin> {
    /// The converter failed.
    Converter {
        /// On this channel.
        channel: u8,
        /// Its own error.
        error: Adc,
    },
    /// An address line of the multiplexers failed.
    Address(Pin),
    /// The zeros are not known: all sensors were read, but nothing can be said. Clear the board and
    /// calibrate it.
    NotCalibrated,
}

impl<Adc: fmt::Debug, Pin: fmt::Debug> fmt::Display for HallError<Adc, Pin> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HallError::Converter { channel, error } => {
                write!(f, "the converter failed on channel {channel}: {error:?}")
            }
            HallError::Address(e) => write!(f, "an address line of the multiplexers failed: {e:?}"),
            HallError::NotCalibrated => f.write_str("the Hall sensors are not calibrated"),
        }
    }
}

impl<Adc: fmt::Debug, Pin: fmt::Debug> core::error::Error for HallError<Adc, Pin> {}

impl<Adc: fmt::Debug, Pin: fmt::Debug> ScanError for HallError<Adc, Pin> {
    fn trouble(&self) -> Trouble {
        match self {
            HallError::Converter { channel, .. } => Trouble::new(TroubleCode::CONVERTER, *channel),
            HallError::Address(_) => Trouble::new(TroubleCode::PIN, 0),
            HallError::NotCalibrated => Trouble::new(TroubleCode::NOT_CALIBRATED, 0),
        }
    }
}

/// Scans linear Hall sensors.
#[derive(Debug)]
pub struct Hall<Adc, Line, Delay> {
    adc: Adc,
    address: [Line; 4],
    delay: Delay,
    settle_us: u32,
    /// Whether the address lines stand at channel 0, where each pass begins.
    addressed: bool,
    detector: Detector,
}

impl<Adc: AdcRead, Line: OutputPin, Delay: DelayNs> Hall<Adc, Line, Delay> {
    /// Sensors behind multiplexers with their address lines S0 to S3 on `address`. `zeros` are
    /// those of an earlier calibration, if the board has kept them: without, it must be calibrated
    /// before it reads anything. Nothing is read before the first scan.
    pub fn new(
        adc: Adc,
        address: [Line; 4],
        delay: Delay,
        settings: HallSettings,
        zeros: Option<Zeros>,
    ) -> Self {
        let detector = Detector::new(settings.within(adc.full_scale()), adc.full_scale(), zeros);
        Hall {
            adc,
            address,
            delay,
            settle_us: settings.settle_us,
            addressed: false,
            detector,
        }
    }

    /// The zeros as they were calibrated, to be kept over a restart; `None` on a board that is not
    /// calibrated.
    pub fn zeros(&self) -> Option<&Zeros> {
        self.detector.zeros()
    }

    /// Squares whose sensor reads what none does, with or without a piece: nearer to the one or the
    /// other end of the scale than a sixteenth of it, which is 0.2 V of 3.3 V.
    ///
    /// # Errors
    /// The converter's or an address line's.
    pub fn test(&mut self) -> Result<u64, HallError<Adc::Error, Line::Error>> {
        let full = self.adc.full_scale();
        let levels = self.read()?;
        let is_far = |level: u16| (full / 16..=full - full / 16).contains(&level);
        let bits = levels.iter().zip(0..64);
        Ok(bits.fold(0, |squares, (level, n)| {
            squares | u64::from(!is_far(*level)) << n
        }))
    }

    /// Reads every sensor. The addresses go round in a Gray code: one line changes at a time.
    fn read(&mut self) -> Result<[u16; 64], HallError<Adc::Error, Line::Error>> {
        if !self.addressed {
            self.address
                .iter_mut()
                .try_for_each(OutputPin::set_low)
                .map_err(HallError::Address)?;
        }
        self.addressed = false;
        let mut levels = [0; 64];
        for step in 0..16u8 {
            let channel = step ^ step >> 1;
            if step > 0 {
                self.set_line(step.trailing_zeros(), channel)?;
            }
            self.delay.delay_us(self.settle_us);
            for multiplexer in 0..4 {
                let counts = self.adc.read(multiplexer);
                levels[usize::from(16 * multiplexer + channel)] =
                    counts.map_err(|error| HallError::Converter {
                        channel: multiplexer,
                        error,
                    })?;
            }
        }
        self.set_line(3, 0)?;
        self.addressed = true;
        Ok(levels)
    }

    fn set_line(
        &mut self,
        line: u32,
        channel: u8,
    ) -> Result<(), HallError<Adc::Error, Line::Error>> {
        let state = PinState::from(channel >> line & 1 == 1);
        self.address[line as usize]
            .set_state(state)
            .map_err(HallError::Address)
    }
}

impl<Adc: AdcRead, Line: OutputPin, Delay: DelayNs> Scan for Hall<Adc, Line, Delay> {
    type Error = HallError<Adc::Error, Line::Error>;
    const SENSOR: Sensor = Sensor::Colour;

    fn scan(&mut self) -> Result<Reading, Self::Error> {
        let levels = self.read()?;
        self.detector.take(&levels).ok_or(HallError::NotCalibrated)
    }

    fn levels(&self, rank: u8) -> Option<RankLevels> {
        Some(self.detector.rank(rank))
    }

    /// Takes the mean of a few scans, some milliseconds long.
    fn calibrate(&mut self) -> Result<(), Refusal> {
        let mut sums = [0u32; 64];
        for _ in 0..CALIBRATION_SCANS {
            let levels = self.read().map_err(|_| Refusal::Unread)?;
            sums.iter_mut()
                .zip(levels)
                .for_each(|(sum, level)| *sum += u32::from(level));
        }
        self.detector
            .calibrate(sums.map(|sum| (sum / u32::from(CALIBRATION_SCANS)) as u16))
    }
}

#[cfg(test)]
mod tests;

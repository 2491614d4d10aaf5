//! Opens what Linux shows of the hardware: SPI devices, I2C buses, GPIO lines. Whatever cannot be
//! opened is named, with what to do.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use linux_embedded_hal::gpio_cdev::{Chip, LineRequestFlags};
use linux_embedded_hal::spidev::{SpiModeFlags, Spidev, SpidevOptions};
use linux_embedded_hal::{CdevPin, SpidevDevice};

use super::{Lamps, Lines};
use crate::config::{ControlsConfig, Gpio, LampsConfig};
use firmware::scan::Active;

/// Why a device cannot be used.
#[derive(thiserror::Error, PartialEq, Eq, Debug)]
#[error("{device}: {what}; {advice}")]
pub struct OpenError {
    /// The part of the configuration and the device.
    pub device: String,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub advice: String,
}

/// The group that may open a kind of device, and what makes the device appear on a Raspberry Pi.
struct Kind {
    group: &'static str,
    appear: &'static str,
}

const SPI: Kind = Kind {
    group: "spi",
    appear: "switch SPI on: `dtparam=spi=on` in config.txt and a restart",
};
const I2C: Kind = Kind {
    group: "i2c",
    appear: "switch I2C on: `dtparam=i2c_arm=on` in config.txt and a restart",
};
const GPIO: Kind = Kind {
    group: "gpio",
    appear: "`gpiodetect` lists the chips; name one in [gpio] `chip`",
};

impl Kind {
    fn error(
        &self,
        part: &str,
        path: &Path,
        error: &dyn std::error::Error,
        io: Option<ErrorKind>,
    ) -> OpenError {
        let advice = match io {
            Some(ErrorKind::NotFound) => self.appear.to_owned(),
            Some(ErrorKind::PermissionDenied) => {
                format!("add this program's user to the group `{}`", self.group)
            }
            _ => "check that the path names the right device".to_owned(),
        };
        OpenError {
            device: format!("[{part}] {}", path.display()),
            what: error.to_string(),
            advice,
        }
    }

    /// Whether the device is there and may be opened.
    fn probe(&self, part: &str, path: &Path) -> Result<(), OpenError> {
        match File::options().read(true).write(true).open(path) {
            Ok(_) => Ok(()),
            Err(e) => Err(self.error(part, path, &e, Some(e.kind()))),
        }
    }
}

/// An SPI device at `speed` bits a second, mode 0.
///
/// # Errors
/// Why it cannot be used.
pub(super) fn open_spi(part: &str, path: &Path, speed: u32) -> Result<SpidevDevice, OpenError> {
    let error = |e: io::Error| SPI.error(part, path, &e, Some(e.kind()));
    let mut spi = Spidev::open(path).map_err(error)?;
    let options = SpidevOptions::new()
        .bits_per_word(8)
        .max_speed_hz(speed)
        .mode(SpiModeFlags::SPI_MODE_0)
        .build();
    spi.configure(&options).map_err(error)?;
    Ok(SpidevDevice(spi))
}

/// Whether an I2C bus is there and may be opened.
///
/// # Errors
/// Why it cannot be used.
pub(super) fn probe_i2c(part: &str, path: &Path) -> Result<(), OpenError> {
    I2C.probe(part, path)
}

/// What a GPIO line is to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    /// Read.
    In,
    /// Driven, high at first.
    OutHigh,
    /// Driven, low at first.
    OutLow,
}

/// One GPIO line.
///
/// # Errors
/// Why it cannot be used.
pub(super) fn open_pin(
    part: &str,
    gpio: &Gpio,
    line: u32,
    direction: Direction,
) -> Result<CdevPin, OpenError> {
    GPIO.probe(part, &gpio.chip)?;
    let (flags, level) = match direction {
        Direction::In => (LineRequestFlags::INPUT, 0),
        Direction::OutHigh => (LineRequestFlags::OUTPUT, 1),
        Direction::OutLow => (LineRequestFlags::OUTPUT, 0),
    };
    let request = || {
        CdevPin::new(Chip::new(&gpio.chip)?.get_line(line)?.request(
            flags,
            level,
            "sensor-board",
        )?)
    };
    request().map_err(|e| OpenError {
        device: format!("[{part}] line {line} of {}", gpio.chip.display()),
        what: e.to_string(),
        advice: "another program or a driver may hold it: `gpioinfo` tells".to_owned(),
    })
}

/// Lever and buttons.
///
/// # Errors
/// Why a line cannot be used.
pub fn open_controls(
    gpio: &Gpio,
    controls: Option<&ControlsConfig>,
) -> Result<Lines<CdevPin>, OpenError> {
    let mut pins = [const { None }; 4];
    let Some(controls) = controls else {
        return Ok(Lines::new(pins, Active::Low));
    };
    for (pin, line) in pins.iter_mut().zip(controls.lines()) {
        *pin = line
            .map(|line| open_pin("controls", gpio, line, Direction::In))
            .transpose()?;
    }
    Ok(Lines::new(pins, controls.active))
}

/// Lamps.
///
/// # Errors
/// Why their device cannot be used.
pub fn open_lamps(lamps: Option<&LampsConfig>) -> Result<Option<Lamps<SpidevDevice>>, OpenError> {
    let open = |lamps: &LampsConfig| {
        Ok(Lamps::new(
            open_spi("lamps", &lamps.device, lamps.speed)?,
            lamps.active,
        ))
    };
    lamps.map(open).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_is_not_there_is_named_with_what_to_do() {
        let nowhere = Path::new("/nowhere/spidev0.0");
        let spi = open_spi("lamps", nowhere, 1_000_000)
            .err()
            .map(|e| e.to_string());
        let told = "[lamps] /nowhere/spidev0.0: No such file or directory (os error 2); \
                    switch SPI on: `dtparam=spi=on` in config.txt and a restart";
        assert_eq!(spi.as_deref(), Some(told));
        let i2c = probe_i2c("expanders", nowhere).err().map(|e| e.advice);
        assert_eq!(i2c.as_deref(), Some(I2C.appear));
        let pin = open_pin(
            "controls",
            &Gpio {
                chip: nowhere.into(),
            },
            5,
            Direction::In,
        )
        .err()
        .map(|e| e.advice);
        assert_eq!(pin.as_deref(), Some(GPIO.appear));
    }

    #[test]
    fn a_file_that_is_no_such_device_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let spi = open_spi("lamps", file.path(), 1_000_000).err().unwrap();
        assert_eq!(spi.advice, "check that the path names the right device");
        let chip = Gpio {
            chip: file.path().into(),
        };
        let pin = open_pin("controls", &chip, 5, Direction::In)
            .err()
            .unwrap()
            .to_string();
        assert!(pin.starts_with("[controls] line 5 of /"), "{pin}");
    }
}

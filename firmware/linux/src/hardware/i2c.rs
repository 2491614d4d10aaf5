//! I2C by Linux's `i2c-dev`, several chips on one bus.

use std::path::{Path, PathBuf};

use embedded_hal::i2c::{Error, ErrorKind, ErrorType, I2c, NoAcknowledgeSource, Operation};
use linux_embedded_hal::i2cdev::linux::LinuxI2CError;
use linux_embedded_hal::{I2CError, I2cdev};

/// `EREMOTEIO`: what the Raspberry Pi's bus driver says when nobody acknowledges (the kernel's
/// `i2c-bcm2835.c`); the kernel's list of fault codes has `ENXIO` for it, which other drivers use.
const REMOTE_IO: i32 = 121;

/// A bus. An open device speaks to one address; each chip has its own, for opening one takes as
/// long as a transfer.
pub struct Bus {
    path: PathBuf,
    chips: Vec<(u8, I2cdev)>,
}

impl Bus {
    /// A bus whose chips are opened when they are first spoken to.
    pub fn new(path: &Path) -> Bus {
        Bus {
            path: path.to_owned(),
            chips: Vec::new(),
        }
    }

    fn chip(&mut self, address: u8) -> Result<&mut I2cdev, I2CError> {
        let known = self.chips.iter().position(|(known, _)| *known == address);
        let index = match known {
            Some(index) => index,
            None => {
                self.chips.push((address, I2cdev::new(&self.path)?));
                self.chips.len() - 1
            }
        };
        Ok(&mut self.chips[index].1)
    }
}

/// Why a transfer failed.
#[derive(thiserror::Error, Debug)]
#[error("{0}")]
pub struct BusError(I2CError);

impl Error for BusError {
    fn kind(&self) -> ErrorKind {
        match errno(self.0.inner()) {
            Some(REMOTE_IO) => ErrorKind::NoAcknowledge(NoAcknowledgeSource::Unknown),
            _ => self.0.kind(),
        }
    }
}

fn errno(error: &LinuxI2CError) -> Option<i32> {
    match error {
        LinuxI2CError::Errno(number) => Some(*number),
        LinuxI2CError::Io(error) => error.raw_os_error(),
    }
}

impl ErrorType for Bus {
    type Error = BusError;
}

impl I2c for Bus {
    fn transaction(
        &mut self,
        address: u8,
        operations: &mut [Operation<'_>],
    ) -> Result<(), BusError> {
        self.chip(address)
            .and_then(|chip| I2c::<u8>::transaction(chip, address, operations))
            .map_err(BusError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_answering_is_told_apart_from_a_bus_that_fails() {
        let kind = |number| BusError(I2CError::from(LinuxI2CError::Errno(number))).kind();
        assert_eq!(
            kind(REMOTE_IO),
            ErrorKind::NoAcknowledge(NoAcknowledgeSource::Unknown)
        );
        assert!(matches!(kind(6), ErrorKind::NoAcknowledge(_)), "ENXIO");
        assert_eq!(kind(5), ErrorKind::Bus, "EIO");
    }

    #[test]
    fn a_bus_that_has_gone_is_an_error() {
        let mut bus = Bus::new(Path::new("/nowhere/i2c-1"));
        assert!(
            bus.read(0x20, &mut [0])
                .unwrap_err()
                .to_string()
                .contains("No such file")
        );
    }
}

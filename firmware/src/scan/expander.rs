//! MCP23017 port expanders on one I2C bus: sixteen squares a chip, or fourteen where a chip's
//! eighth pins are left alone.
//!
//! Source: Microchip MCP23017/MCP23S17 data sheet, DS20001952, section 3 (register map and the
//! address counter, tables 3-1 to 3-5). Since revision D (2022) the data sheet has pins GPA7 and
//! GPB7 of the MCP23017 for outputs only: an input that changes there while its bit is on the bus
//! can spoil SDA. Hence two wirings:
//!
//! * **four chips**, two ranks each: chip `n` reads rank `2n + 1` on port A and `2n + 2` on port B,
//!   pin 0 the a-file. The h-file is on the eighth pins. What they spoil is a transfer: it fails
//!   and is repeated, or it differs for one scan, which is less than any depth of debouncing.
//! * **five chips**, as the data sheet wants it: the first four as above without the h-file, the
//!   fifth reads h1 to h7 on GPA0 to GPA6 and h8 on GPB0. The eighth pins are outputs at ground:
//!   leave them open.

use core::fmt;

use board_wire::{Sensor, Trouble, TroubleCode};
use embedded_hal::i2c::{Error as _, ErrorKind, I2c};

use super::{Active, Reading, Scan, ScanError};

/// IOCON where the registers of a port lie together (BANK = 1), as a chip may have been left. In
/// the other arrangement this is GPINTENB, which is to be zero as well.
const IOCON_OF_BANK_1: u8 = 0x05;
/// IOCON where the registers of both ports alternate (BANK = 0), as after power-up and as used
/// here.
const IOCON: u8 = 0x0a;
/// The first of the registers that are written: IODIRA.
const FIRST: u8 = 0x00;
/// Pull-up resistors, port A.
const GPPUA: u8 = 0x0c;
/// The pins, port A; port B follows.
const GPIOA: u8 = 0x12;
/// The longest that a failing chip is left alone, in scans.
const LONGEST_PAUSE: u8 = 127;

/// After how many scans each chip has been asked for its pull-ups.
const TURNS: usize = 4;

/// What is wrong with a chip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpanderError {
    /// It does not answer.
    Silent {
        /// Its address on the bus.
        address: u8,
    },
    /// It answers, but does not hold what is written to it: another device has this address, or the
    /// chip was just reset.
    Forgetful {
        /// Its address on the bus.
        address: u8,
    },
    /// The transfer failed otherwise.
    Bus {
        /// The chip's address on the bus.
        address: u8,
        /// How.
        kind: ErrorKind,
    },
}

impl fmt::Display for ExpanderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExpanderError::Silent { address } => {
                write!(f, "the port expander at {address:#04x} does not answer")
            }
            ExpanderError::Forgetful { address } => {
                write!(
                    f,
                    "what answers at {address:#04x} does not behave like an MCP23017, or was reset"
                )
            }
            ExpanderError::Bus { address, kind } => {
                write!(
                    f,
                    "a transfer with the port expander at {address:#04x} failed: {kind}"
                )
            }
        }
    }
}

impl core::error::Error for ExpanderError {}

impl ScanError for ExpanderError {
    fn trouble(&self) -> Trouble {
        match *self {
            ExpanderError::Silent { address } => Trouble::new(TroubleCode::NO_ANSWER, address),
            ExpanderError::Forgetful { address } => {
                Trouble::new(TroubleCode::WRONG_DEVICE, address)
            }
            ExpanderError::Bus { address, .. } => Trouble::new(TroubleCode::BUS, address),
        }
    }
}

/// One chip as its driver knows it.
#[derive(Clone, Copy, Debug)]
struct Chip {
    address: u8,
    /// Whether it holds its configuration, as far as is known.
    configured: bool,
    /// What went wrong last, while it is left alone for `pause` scans.
    failure: Option<ExpanderError>,
    pause: u8,
    next_pause: u8,
}

/// Scans four or five MCP23017. A chip that fails makes its own squares stuck and no others; it is
/// configured anew, soon at first and then every 128 scans, until it answers.
///
/// A chip that lost its configuration, as by a dip of its supply, has no pull-ups and reads
/// anything. Every chip is asked for its pull-ups together with its pins in every fourth scan, so
/// such readings last for three scans at most: with a [`Depth`](crate::debounce::Depth) of four
/// scans or more, none of them is believed.
#[derive(Debug)]
pub struct Expanders<Bus, const CHIPS: usize> {
    bus: Bus,
    chips: [Chip; CHIPS],
    active: Active,
    /// The chips that are asked for their pull-ups in the next scan: this one, and every fourth
    /// from there.
    asked: usize,
}

impl<Bus: I2c, const CHIPS: usize> Expanders<Bus, CHIPS> {
    /// Chips at these addresses (0x20 to 0x27, by their pins A0 to A2), in the order of the ranks,
    /// whose squares are occupied at the `active` level. Their pull-ups of 100 kilohms are on.
    /// `CHIPS` is 4 or 5: see the module's text. Nothing is transferred before the first scan.
    pub fn new(bus: Bus, addresses: [u8; CHIPS], active: Active) -> Self {
        const {
            assert!(
                CHIPS == 4 || CHIPS == 5,
                "a board has four or five MCP23017"
            )
        };
        let chips = addresses.map(|address| Chip {
            address,
            configured: false,
            failure: None,
            pause: 0,
            next_pause: 0,
        });
        Expanders {
            bus,
            chips,
            active,
            asked: 0,
        }
    }

    /// The pins of a port that are inputs.
    const INPUTS: u8 = if CHIPS == 4 { 0xff } else { 0x7f };

    /// IODIR, IPOL, GPINTEN, DEFVAL, INTCON, IOCON and GPPU of both ports, from [`FIRST`] on.
    const CONFIGURATION: [u8; 14] = [
        Self::INPUTS,
        Self::INPUTS,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        Self::INPUTS,
        Self::INPUTS,
    ];

    /// Where the pins of a chip are on the board.
    fn squares(chip: usize, ports: [u8; 2]) -> u64 {
        let [a, b] = ports.map(|port| u64::from(port & Self::INPUTS));
        if chip < 4 {
            return (a | b << 8) << (16 * chip);
        }
        let ranks = a | (b & 1) << 7;
        (0..8).fold(0, |squares, rank| {
            squares | (ranks >> rank & 1) << (8 * rank + 7)
        })
    }

    /// The levels at the pins of a chip, ports A and B.
    fn read(&mut self, chip: usize) -> Result<[u8; 2], ExpanderError> {
        let Chip {
            address,
            configured,
            failure,
            pause,
            next_pause,
        } = self.chips[chip];
        if let (Some(failure), 1..) = (failure, pause) {
            self.chips[chip].pause -= 1;
            return Err(failure);
        }
        let result = if configured {
            Ok(())
        } else {
            self.configure(address)
        };
        let result = result.and_then(|()| self.transfer(address, chip % TURNS == self.asked));
        self.chips[chip] = match result {
            Ok(_) => Chip {
                address,
                configured: true,
                failure: None,
                pause: 0,
                next_pause: 0,
            },
            Err(failure) => Chip {
                address,
                configured: false,
                failure: Some(failure),
                pause: next_pause,
                next_pause: (2 * u16::from(next_pause) + 1).min(u16::from(LONGEST_PAUSE)) as u8,
            },
        };
        result
    }

    /// Reads the pins; when `asked`, also whether the pull-ups are still on, in the same transfer.
    fn transfer(&mut self, address: u8, asked: bool) -> Result<[u8; 2], ExpanderError> {
        let failed = |e: Bus::Error| failure(address, e.kind());
        if !asked {
            let mut ports = [0; 2];
            return self
                .bus
                .write_read(address, &[GPIOA], &mut ports)
                .map(|()| ports)
                .map_err(failed);
        }
        // GPPU, INTF, INTCAP and GPIO of both ports.
        let mut registers = [0; 8];
        self.bus
            .write_read(address, &[GPPUA], &mut registers)
            .map_err(failed)?;
        let [pull_up_a, pull_up_b, _, _, _, _, a, b] = registers;
        let holds = [pull_up_a, pull_up_b] == [Self::INPUTS; 2];
        if holds {
            Ok([a, b])
        } else {
            Err(ExpanderError::Forgetful { address })
        }
    }

    /// Writes the configuration, whatever the chip was left in, and reads it back.
    fn configure(&mut self, address: u8) -> Result<(), ExpanderError> {
        let failed = |e: Bus::Error| failure(address, e.kind());
        self.bus
            .write(address, &[IOCON_OF_BANK_1, 0])
            .map_err(failed)?;
        self.bus.write(address, &[IOCON, 0]).map_err(failed)?;
        let mut written = [FIRST; 15];
        written[1..].copy_from_slice(&Self::CONFIGURATION);
        self.bus.write(address, &written).map_err(failed)?;
        let mut held = [0; 14];
        self.bus
            .write_read(address, &[FIRST], &mut held)
            .map_err(failed)?;
        if held == Self::CONFIGURATION {
            Ok(())
        } else {
            Err(ExpanderError::Forgetful { address })
        }
    }
}

fn failure(address: u8, kind: ErrorKind) -> ExpanderError {
    match kind {
        ErrorKind::NoAcknowledge(_) => ExpanderError::Silent { address },
        kind => ExpanderError::Bus { address, kind },
    }
}

impl<Bus: I2c, const CHIPS: usize> Scan for Expanders<Bus, CHIPS> {
    type Error = ExpanderError;
    const SENSOR: Sensor = Sensor::Occupancy;

    fn scan(&mut self) -> Result<Reading, ExpanderError> {
        let (mut levels, mut stuck, mut first_failure) = (0, 0, None);
        for chip in 0..CHIPS {
            match self.read(chip) {
                Ok(ports) => levels |= Self::squares(chip, ports),
                Err(failure) => {
                    stuck |= Self::squares(chip, [0xff; 2]);
                    first_failure.get_or_insert(failure);
                }
            }
        }
        self.asked = (self.asked + 1) % TURNS;
        match first_failure {
            Some(failure) if stuck == !0 => Err(failure),
            _ => {
                let trouble = first_failure.map_or(Trouble::NONE, |failure| failure.trouble());
                Ok(Reading {
                    occupied: self.active.apply(levels) & !stuck,
                    dark: 0,
                    stuck,
                    trouble,
                })
            }
        }
    }
}

#[cfg(test)]
mod tests;

//! Chips under a board, as their data sheets describe them, with switches that hands close and
//! faults that tests order.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard};

use embedded_hal::digital::{self, InputPin, OutputPin};
use embedded_hal::i2c::{self, I2c, NoAcknowledgeSource, Operation};
use embedded_hal::spi::{self, SpiDevice};
use tests::rig::until;

use crate::PATIENCE;

/// What is wrong with the hardware.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Fault {
    /// Nothing.
    #[default]
    None,
    /// The chip at this address has lost its power.
    Silent(u8),
    /// A clock chip sits at this address, and keeps nothing but its first eight registers.
    Other(u8),
    /// SDA is held low.
    Bus,
    /// The device has gone, and cannot be opened.
    Missing,
    /// The wire between the second and the third shift register is broken.
    Broken,
}

/// The copper of a board: every square's switch, lever and buttons.
#[derive(Clone, Default, Debug)]
pub(crate) struct Copper(Arc<Mutex<State>>);

#[derive(Default, Debug)]
struct State {
    occupied: u64,
    lever: u64,
    lit: u64,
    fault: Fault,
    /// The registers of four MCP23017 (BANK = 0), and where each one's address counter stands.
    registers: [[u8; 0x16]; 4],
    counters: [u8; 4],
    /// What the shift registers hold.
    held: u64,
    /// How often lever and squares have been read.
    scans: u64,
    /// The address lines of the multiplexers.
    address: u8,
    /// Squares whose piece is dark.
    dark: u64,
    /// Squares whose piece carries a weak magnet.
    weak: u64,
    /// Conversions so far: noise comes from somewhere.
    conversions: u16,
}

impl Copper {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no chip panics")
    }

    pub(crate) fn set(&self, square: u32, occupied: bool) {
        let mut state = self.state();
        state.occupied = state.occupied & !(1 << square) | u64::from(occupied) << square;
    }

    pub(crate) fn set_colours(&self, light: u64, dark: u64) {
        let mut state = self.state();
        (state.occupied, state.dark) = (light | dark, dark);
    }

    /// Puts a piece with a weak magnet on a square.
    pub(crate) fn set_weak(&self, square: u32) {
        self.state().weak |= 1 << square;
        self.set(square, true);
    }

    pub(crate) fn set_up(&self, occupied: u64) {
        self.state().occupied = occupied;
    }

    /// Presses one end of the lever; the other one comes up.
    pub(crate) fn press(&self, by_white: bool) {
        self.state().lever = if by_white { 1 } else { 2 };
    }

    pub(crate) fn fault(&self, fault: Fault) {
        self.state().fault = fault;
        if let Fault::Silent(address) | Fault::Other(address) = fault {
            // Without power a chip forgets, and another one never knew; after power-up all pins are
            // inputs without pull-ups (table 3-1).
            let registers = &mut self.state().registers[usize::from(address - 0x20)];
            *registers = [0; 0x16];
            registers[..2].fill(0xff);
        }
    }

    pub(crate) fn is_missing(&self) -> bool {
        self.state().fault == Fault::Missing
    }

    /// Waits until the board has been read so often: on a busy machine, the program may stand still
    /// for a while.
    pub(crate) fn wait_for_scans(&self, count: u64) {
        let enough = self.state().scans + count;
        until("the board to be read", PATIENCE, || {
            self.state().scans >= enough
        });
    }

    /// The lamps as the last transfer left them.
    pub(crate) fn lit(&self) -> u64 {
        self.state().lit
    }
}

/// Four MCP23017 at 0x20 to 0x23, switches to ground.
#[derive(Debug)]
pub(crate) struct Expanders(pub(crate) Copper);

impl State {
    /// Reads a register and moves on (data sheet, section 3.2.1: the address counter).
    fn read(&mut self, chip: usize) -> u8 {
        let register = self.counters[chip];
        self.counters[chip] = (register + 1) % 0x16;
        let registers = &self.registers[chip];
        match register {
            // An input without its pull-up floats: here to ground, the worst it can do.
            0x12 | 0x13 => {
                let port = usize::from(register - 0x12);
                let closed = (self.occupied >> (16 * chip + 8 * port)) as u8;
                !closed & registers[0x0c + port]
            }
            _ => registers[usize::from(register)],
        }
    }

    fn write(&mut self, chip: usize, bytes: &[u8]) {
        let [first, data @ ..] = bytes else { return };
        self.counters[chip] = *first;
        for byte in data {
            let register = self.counters[chip];
            if self.fault != Fault::Other(0x20 + chip as u8) || register < 8 {
                self.registers[chip][usize::from(register)] = *byte;
            }
            self.counters[chip] = (register + 1) % 0x16;
        }
    }
}

impl i2c::ErrorType for Expanders {
    type Error = i2c::ErrorKind;
}

impl I2c for Expanders {
    fn transaction(
        &mut self,
        address: u8,
        operations: &mut [Operation<'_>],
    ) -> Result<(), i2c::ErrorKind> {
        let mut state = self.0.state();
        let silent = i2c::ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address);
        match state.fault {
            Fault::Bus | Fault::Missing => return Err(i2c::ErrorKind::Bus),
            Fault::Silent(which) if which == address => return Err(silent),
            _ => {}
        }
        let chip = usize::from(
            address
                .checked_sub(0x20)
                .filter(|chip| *chip < 4)
                .ok_or(silent)?,
        );
        for operation in operations {
            match operation {
                Operation::Write(bytes) => state.write(chip, bytes),
                Operation::Read(bytes) => {
                    bytes.iter_mut().for_each(|byte| *byte = state.read(chip))
                }
            }
        }
        Ok(())
    }
}

/// Eight 74HC165 with switches to ground, the last one's serial input at ground too.
#[derive(Debug)]
pub(crate) struct Chain(pub(crate) Copper);

/// PL of the chain.
#[derive(Debug)]
pub(crate) struct Latch(pub(crate) Copper);

impl spi::ErrorType for Chain {
    type Error = Infallible;
}

impl SpiDevice for Chain {
    fn transaction(&mut self, operations: &mut [spi::Operation<'_, u8>]) -> Result<(), Infallible> {
        let state = self.0.state();
        // Chip by chip; behind the break, the line stands where its pull-up takes it.
        let mut bytes = state
            .held
            .to_le_bytes()
            .into_iter()
            .chain([0x00])
            .collect::<Vec<u8>>();
        if state.fault == Fault::Broken {
            bytes[2..].fill(0xff);
        }
        let mut bytes = bytes.into_iter();
        for operation in operations {
            let spi::Operation::TransferInPlace(into) = operation else {
                panic!("a chain is read and fed at once")
            };
            into.iter_mut()
                .for_each(|byte| *byte = bytes.next().unwrap_or(0));
        }
        Ok(())
    }
}

impl digital::ErrorType for Latch {
    type Error = Infallible;
}

impl OutputPin for Latch {
    fn set_low(&mut self) -> Result<(), Infallible> {
        let mut state = self.0.state();
        state.held = !state.occupied;
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// An MCP3208 whose channels 0 to 3 are the common pins of four CD74HC4067, with linear Hall
/// sensors behind them: each has its own zero and a little noise.
#[derive(Debug)]
pub(crate) struct Converter(pub(crate) Copper);

impl State {
    fn convert(&mut self, multiplexer: u8) -> u16 {
        self.conversions = self.conversions.wrapping_add(1);
        let square = 16 * multiplexer + self.address;
        let zero = 2030 + u16::from(square) % 7 * 6 + self.conversions % 3;
        let piece = if self.weak >> square & 1 == 1 {
            280
        } else {
            900
        };
        match (self.occupied >> square & 1, self.dark >> square & 1) {
            (0, _) => zero,
            (_, 0) => zero + piece,
            _ => zero - piece,
        }
    }
}

impl spi::ErrorType for Converter {
    type Error = Infallible;
}

impl SpiDevice for Converter {
    fn transaction(&mut self, operations: &mut [spi::Operation<'_, u8>]) -> Result<(), Infallible> {
        for operation in operations {
            let spi::Operation::TransferInPlace(bytes) = operation else {
                panic!("a question and its answer at once")
            };
            // A start bit, single-ended, and three bits of channel (data sheet DS21298, figure
            // 6-1).
            assert_eq!(bytes[0] & 0b1111_1110, 0b110);
            let counts = self.0.state().convert((bytes[0] & 1) << 2 | bytes[1] >> 6);
            bytes.copy_from_slice(&[0, (counts >> 8) as u8, counts as u8]);
        }
        Ok(())
    }
}

/// One address line of the multiplexers.
#[derive(Debug)]
pub(crate) struct Address(pub(crate) Copper, pub(crate) u32);

impl digital::ErrorType for Address {
    type Error = Infallible;
}

impl OutputPin for Address {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.state().address &= !(1 << self.1);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.state().address |= 1 << self.1;
        Ok(())
    }
}

/// One end of the lever, closed to ground: 0 White's, 1 Black's.
#[derive(Debug)]
pub(crate) struct Lever(pub(crate) Copper, pub(crate) u32);

impl digital::ErrorType for Lever {
    type Error = Infallible;
}

impl InputPin for Lever {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        self.is_low().map(|low| !low)
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        let mut state = self.0.state();
        // Every scan begins with White's end.
        state.scans += u64::from(self.1 == 0);
        Ok(state.lever >> self.1 & 1 == 1)
    }
}

/// Eight 74HC595 with lamps to ground: the last byte stays in the nearest one.
#[derive(Debug)]
pub(crate) struct Lamps(pub(crate) Copper);

impl spi::ErrorType for Lamps {
    type Error = Infallible;
}

impl SpiDevice for Lamps {
    fn transaction(&mut self, operations: &mut [spi::Operation<'_, u8>]) -> Result<(), Infallible> {
        let mut state = self.0.state();
        for operation in operations {
            let spi::Operation::Write(bytes) = operation else {
                panic!("lamps are only written")
            };
            state.lit = bytes
                .iter()
                .fold(state.lit, |lit, byte| lit << 8 | u64::from(*byte));
        }
        Ok(())
    }
}

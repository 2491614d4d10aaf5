//! The UARTs of the LM3S6965: PL011 by ARM (technical reference manual DDI 0183), with FIFOs of 16
//! bytes.

/// Offsets of the registers, in bytes; in brackets their names in the data sheet of the LM3S6965.
mod register {
    pub(super) const DATA: usize = 0x00;
    pub(super) const FLAGS: usize = 0x18;
    pub(super) const BAUD_WHOLE: usize = 0x24;
    pub(super) const BAUD_PART: usize = 0x28;
    pub(super) const LINE: usize = 0x2c;
    pub(super) const CONTROL: usize = 0x30;
    pub(super) const INTERRUPTS: usize = 0x38;
}

/// Nothing to be read.
const RECEIVE_EMPTY: u32 = 0x10;
/// No room to write.
const TRANSMIT_FULL: u32 = 0x20;
/// Eight bits, FIFOs on.
const EIGHT_BITS: u32 = 0x70;
/// Receive, transmit, on.
const ENABLED: u32 = 0x301;
/// Something has come: half a FIFO of it, or less and then a pause.
const RECEIVED: u32 = 0x50;
/// Divisor for 115,200 bit/s from the 12.5 MHz the chip starts with, in 64ths: 12.5 MHz / 16 /
/// 115,200 = 6.78.
const DIVISOR: u32 = 434;

/// One UART. It asks for an interrupt when something has come.
#[derive(Debug)]
pub(crate) struct Uart {
    base: *mut u32,
}

impl Uart {
    /// UART0, set up.
    pub(crate) fn host() -> Uart {
        Uart {
            base: 0x4000_c000 as *mut u32,
        }
        .set_up()
    }

    /// UART1, set up.
    pub(crate) fn array() -> Uart {
        Uart {
            base: 0x4000_d000 as *mut u32,
        }
        .set_up()
    }

    fn set_up(self) -> Uart {
        self.write(register::CONTROL, 0);
        self.write(register::BAUD_WHOLE, DIVISOR / 64);
        self.write(register::BAUD_PART, DIVISOR % 64);
        self.write(register::LINE, EIGHT_BITS);
        self.write(register::INTERRUPTS, RECEIVED);
        self.write(register::CONTROL, ENABLED);
        self
    }

    /// The next byte that came.
    pub(crate) fn receive(&self) -> Option<u8> {
        (self.read(register::FLAGS) & RECEIVE_EMPTY == 0).then(|| self.read(register::DATA) as u8)
    }

    /// Sends as many of `bytes` as there is room for, and says how many.
    pub(crate) fn send(&self, bytes: &[u8]) -> usize {
        let has_room = |_: &&u8| self.read(register::FLAGS) & TRANSMIT_FULL == 0;
        bytes
            .iter()
            .take_while(has_room)
            .map(|byte| self.write(register::DATA, u32::from(*byte)))
            .count()
    }

    #[expect(
        unsafe_code,
        reason = "a register of the chip, at the address its data sheet gives"
    )]
    fn read(&self, register: usize) -> u32 {
        unsafe { self.base.byte_add(register).read_volatile() }
    }

    #[expect(
        unsafe_code,
        reason = "a register of the chip, at the address its data sheet gives"
    )]
    fn write(&self, register: usize, value: u32) {
        unsafe { self.base.byte_add(register).write_volatile(value) }
    }
}

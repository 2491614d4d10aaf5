//! The MCP3208: eight channels of twelve bits over SPI, for computers without analogue inputs.
//!
//! Source: Microchip MCP3204/3208 data sheet, DS21298, sections 5 and 6.1 (figures 5-1 and 6-1).
//! After the chip select the device takes a start bit, SGL/DIFF and three bits of channel, samples
//! for a clock and a half, sends a null bit and then twelve bits, the highest first. Filled up with
//! leading zeros this is three bytes:
//!
//! ```text
//! sent      0 0 0 0 0 1 S 2 | 1 0 - - - - - - | - - - - - - - -
//! received  ? ? ? ? ? ? ? ? | ? ? ? 0 b a 9 8 | 7 6 5 4 3 2 1 0
//! ```
//!
//! Sent are the start bit, S for single-ended and the channel's bits 2 to 0; received are the null
//! bit and the count, bits b (11) to 0.
//!
//! SPI mode 0 or 3, at most 1 MHz on 2.7 V and 2 MHz on 5 V: at the limits, 64 squares take 1.5 and
//! 0.8 ms.

use core::fmt;

use embedded_hal::spi::SpiDevice;

use super::AdcRead;

/// Why an MCP3208 could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mcp3208Error<Bus> {
    /// The SPI transfer failed.
    Bus(Bus),
    /// No null bit came before the count: there is no such converter on this line.
    Silent,
}

impl<Bus: fmt::Debug> fmt::Display for Mcp3208Error<Bus> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mcp3208Error::Bus(e) => write!(f, "the transfer with the MCP3208 failed: {e:?}"),
            Mcp3208Error::Silent => f.write_str("no MCP3208 answers"),
        }
    }
}

impl<Bus: fmt::Debug> core::error::Error for Mcp3208Error<Bus> {}

/// An MCP3208 (or, with channels 0 to 3, an MCP3204) whose inputs are all single-ended.
#[derive(Debug)]
pub struct Mcp3208<Spi> {
    spi: Spi,
}

impl<Spi: SpiDevice> Mcp3208<Spi> {
    /// The converter on `spi`, which is its alone and in mode 0 or 3. Its DOUT floats between
    /// transfers: a pull-up resistor on the line makes a missing converter known; without one it
    /// may read as anything.
    pub const fn new(spi: Spi) -> Self {
        Mcp3208 { spi }
    }
}

impl<Spi: SpiDevice> AdcRead for Mcp3208<Spi> {
    type Error = Mcp3208Error<Spi::Error>;

    fn full_scale(&self) -> u16 {
        0xfff
    }

    /// Channels 0 to 7; higher bits are ignored.
    fn read(&mut self, channel: u8) -> Result<u16, Self::Error> {
        let mut bytes = [0b0000_0110 | (channel >> 2 & 1), channel << 6, 0];
        self.spi
            .transfer_in_place(&mut bytes)
            .map_err(Mcp3208Error::Bus)?;
        let [_, high, low] = bytes;
        if high & 0b1_0000 != 0 {
            return Err(Mcp3208Error::Silent);
        }
        Ok(u16::from_be_bytes([high & 0b1111, low]))
    }
}

#[cfg(test)]
mod tests {
    use embedded_hal::spi::{ErrorKind, Operation};
    use embedded_hal_mock::eh1::spi::{Mock, Transaction};

    use super::*;

    fn read(channel: u8, sent: [u8; 3], received: [u8; 3]) -> Result<u16, Mcp3208Error<ErrorKind>> {
        let spi = Mock::new(&[
            Transaction::transaction_start(),
            Transaction::transfer_in_place(sent.to_vec(), received.to_vec()),
            Transaction::transaction_end(),
        ]);
        let mut adc = Mcp3208::new(spi);
        let result = adc.read(channel);
        adc.spi.done();
        result
    }

    /// Figure 6-1 of the data sheet.
    #[test]
    fn asks_and_takes_as_the_data_sheet_draws_it() {
        assert_eq!(read(0, [0x06, 0x00, 0], [0xff, 0xe0, 0x00]), Ok(0));
        assert_eq!(read(3, [0x06, 0xc0, 0], [0x00, 0x08, 0x01]), Ok(0x801));
        assert_eq!(read(4, [0x07, 0x00, 0], [0xff, 0xef, 0xff]), Ok(0xfff));
        assert_eq!(read(7, [0x07, 0xc0, 0], [0x00, 0x0a, 0xbc]), Ok(0xabc));
    }

    #[test]
    fn a_line_that_is_pulled_up_is_no_converter() {
        assert_eq!(
            read(0, [0x06, 0x00, 0], [0xff; 3]),
            Err(Mcp3208Error::Silent)
        );
    }

    struct Broken;

    impl embedded_hal::spi::ErrorType for Broken {
        type Error = ErrorKind;
    }

    impl SpiDevice for Broken {
        fn transaction(&mut self, _operations: &mut [Operation<'_, u8>]) -> Result<(), ErrorKind> {
            Err(ErrorKind::ModeFault)
        }
    }

    #[test]
    fn a_transfer_that_fails_is_told() {
        assert_eq!(
            Mcp3208::new(Broken).read(1),
            Err(Mcp3208Error::Bus(ErrorKind::ModeFault))
        );
    }
}

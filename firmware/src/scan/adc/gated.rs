//! Four multiplexers on one input of a converter, told apart by their enable pins: for controllers
//! with few analogue inputs, as the Raspberry Pi Pico with its three.
//!
//! Source: Texas Instruments CD74HC4067 data sheet, SCHS209, truth table: with E high every switch
//! is open, so the common pins of several multiplexers may be joined as long as one at most has E
//! low.

use core::fmt;

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::OutputPin;

use super::AdcRead;

/// Why a gated channel could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GatedError<Adc, Pin> {
    /// The converter's own.
    Adc(Adc),
    /// An enable pin failed.
    Enable(Pin),
}

impl<Adc: fmt::Debug, Pin: fmt::Debug> fmt::Display for GatedError<Adc, Pin> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GatedError::Adc(e) => write!(f, "the converter failed: {e:?}"),
            GatedError::Enable(e) => write!(f, "an enable pin failed: {e:?}"),
        }
    }
}

impl<Adc: fmt::Debug, Pin: fmt::Debug> core::error::Error for GatedError<Adc, Pin> {}

/// Four channels that share one input of `Adc`.
#[derive(Debug)]
pub struct Gated<Adc, Enable, Delay> {
    adc: Adc,
    input: u8,
    enables: [Enable; 4],
    delay: Delay,
    settle_us: u32,
}

impl<Adc: AdcRead, Enable: OutputPin, Delay: DelayNs> Gated<Adc, Enable, Delay> {
    /// Channel `n` is the multiplexer whose E pin is on `enables[n]`; all share `input` of `adc`.
    /// `settle_us` microseconds pass between enabling one and reading it.
    ///
    /// # Errors
    /// An enable pin's own, when the multiplexers cannot be switched off.
    pub fn new(
        adc: Adc,
        input: u8,
        mut enables: [Enable; 4],
        delay: Delay,
        settle_us: u32,
    ) -> Result<Self, Enable::Error> {
        enables.iter_mut().try_for_each(OutputPin::set_high)?;
        Ok(Gated {
            adc,
            input,
            enables,
            delay,
            settle_us,
        })
    }
}

impl<Adc: AdcRead, Enable: OutputPin, Delay: DelayNs> AdcRead for Gated<Adc, Enable, Delay> {
    type Error = GatedError<Adc::Error, Enable::Error>;

    fn full_scale(&self) -> u16 {
        self.adc.full_scale()
    }

    /// # Panics
    /// If there is no such channel: they are 0 to 3.
    fn read(&mut self, channel: u8) -> Result<u16, Self::Error> {
        let enable = &mut self.enables[usize::from(channel)];
        enable.set_low().map_err(GatedError::Enable)?;
        self.delay.delay_us(self.settle_us);
        let counts = self.adc.read(self.input);
        // Switched off even when reading failed: two that are on would read as their mean.
        enable.set_high().map_err(GatedError::Enable)?;
        counts.map_err(GatedError::Adc)
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use embedded_hal_mock::eh1::delay::{CheckedDelay, Transaction as Wait};
    use embedded_hal_mock::eh1::digital::{Mock, State, Transaction};

    use super::super::AdcFn;
    use super::*;

    fn pin(states: &[State]) -> Mock {
        Mock::new(
            &states
                .iter()
                .map(|state| Transaction::set(*state))
                .collect::<Vec<_>>(),
        )
    }

    #[test]
    fn one_multiplexer_is_on_while_it_is_read_and_off_again_after_an_error() {
        let enables = [
            pin(&[State::High]),
            pin(&[State::High, State::Low, State::High]),
            pin(&[State::High]),
            pin(&[State::High, State::Low, State::High]),
        ];
        let delay = CheckedDelay::new(&[(); 2].map(|()| Wait::delay_us(2)));
        let mut answers = [Ok(2047), Err("broken")].into_iter();
        let adc = AdcFn::new(4095, |input| {
            assert_eq!(input, 5);
            answers.next().unwrap()
        });
        let mut gated = Gated::new(adc, 5, enables, delay, 2).unwrap();
        assert_eq!(gated.full_scale(), 4095);
        assert_eq!(gated.read(3), Ok(2047));
        assert_eq!(gated.read(1), Err(GatedError::Adc("broken")));
        gated.enables.iter_mut().for_each(Mock::done);
        gated.delay.done();
    }
}

//! Analogue converters. `embedded-hal` 1.0 has no trait for them, so here is a small one, with
//! adapters.
//!
//! A microcontroller's own converter fits through [`AdcFn`], whatever its driver looks like:
//!
//! ```
//! use firmware::scan::{AdcFn, AdcRead};
//!
//! # struct Driver;
//! # impl Driver { fn convert(&mut self, input: u8) -> u16 { 2048 + u16::from(input) } }
//! # let mut driver = Driver;
//! # use core::convert::Infallible;
//! let mut adc = AdcFn::new(4095, |channel| {
//!     Ok::<u16, Infallible>(driver.convert(26 + channel))
//! });
//! assert_eq!(adc.read(2), Ok(2076));
//! ```

mod gated;
mod mcp3208;

use core::fmt::Debug;

pub use gated::{Gated, GatedError};
pub use mcp3208::{Mcp3208, Mcp3208Error};

/// Reads analogue channels.
pub trait AdcRead {
    /// What can go wrong with a conversion.
    type Error: Debug;

    /// The highest count: what a channel at the reference voltage reads.
    fn full_scale(&self) -> u16;

    /// Converts one channel, in counts from 0 to [`full_scale`](AdcRead::full_scale).
    ///
    /// # Errors
    /// The converter's own.
    fn read(&mut self, channel: u8) -> Result<u16, Self::Error>;
}

impl<A: AdcRead + ?Sized> AdcRead for &mut A {
    type Error = A::Error;

    fn full_scale(&self) -> u16 {
        (**self).full_scale()
    }

    fn read(&mut self, channel: u8) -> Result<u16, A::Error> {
        (**self).read(channel)
    }
}

/// A converter made of a function from channel to counts.
#[derive(Clone, Debug)]
pub struct AdcFn<F> {
    full_scale: u16,
    convert: F,
}

impl<E: Debug, F: FnMut(u8) -> Result<u16, E>> AdcFn<F> {
    /// `convert` gives counts from 0 to `full_scale`.
    pub const fn new(full_scale: u16, convert: F) -> Self {
        AdcFn {
            full_scale,
            convert,
        }
    }
}

impl<E: Debug, F: FnMut(u8) -> Result<u16, E>> AdcRead for AdcFn<F> {
    type Error = E;

    fn full_scale(&self) -> u16 {
        self.full_scale
    }

    fn read(&mut self, channel: u8) -> Result<u16, E> {
        (self.convert)(channel)
    }
}

//! Waiting for a microsecond or two.

use cortex_m::asm;
use embedded_hal::delay::DelayNs;

/// A turn of the loop in `asm::delay` takes three cycles on this processor.
const TURNS_IN_A_MICROSECOND: u32 = 60 / 3;

/// Counts cycles at 60 MHz: the timer's microseconds are too coarse, and reading them takes half of
/// one.
#[derive(Clone, Copy)]
pub(crate) struct Pause;

impl DelayNs for Pause {
    fn delay_ns(&mut self, ns: u32) {
        self.delay_us(ns.div_ceil(1_000));
    }

    fn delay_us(&mut self, us: u32) {
        asm::delay(us * TURNS_IN_A_MICROSECOND);
    }
}

//! Linear Hall sensors behind four CD74HC4067: address lines S0 to S3 on GP2 to GP5, enables (E) of
//! multiplexers 1 to 4 on GP6 to GP9, all four common pins on GP26. The zeros of a calibration are
//! kept in flash.
//!
//! Sensors and multiplexers run on the Pico's 3.3 V, which is also its converter's reference.

use firmware::scan::{AdcFn, AdcRead, Gated, Hall, HallSettings};
use firmware_rp2040::kept;
use rp2040_hal::adc::{Adc, AdcPin};
use rp2040_hal::gpio::bank0::Gpio26;
use rp2040_hal::gpio::{DynPinId, FunctionNull, FunctionSioOutput, Pin, PullDown};
use rp2040_hal::pac;

use crate::pause::Pause;
use crate::{Kept, flash};

/// An address line or an enable.
pub(crate) type Output = Pin<DynPinId, FunctionSioOutput, PullDown>;

/// The converter has 12 bits (RP2040 data sheet, section 4.9).
const FULL_SCALE: u16 = 4095;

/// How long the common line takes to follow a multiplexer that was switched on, in microseconds.
const SETTLE_US: u32 = 1;

/// The squares behind these lines, with the zeros of the last calibration, if there was one.
pub(crate) fn scanner(
    address: [Output; 4],
    enables: [Output; 4],
    common: Pin<Gpio26, FunctionNull, PullDown>,
    adc: pac::ADC,
    resets: &mut pac::RESETS,
) -> Option<Hall<impl AdcRead + use<>, Output, Pause>> {
    let mut adc = Adc::new(adc, resets);
    let mut common = AdcPin::new(common).ok()?;
    let input = AdcFn::new(FULL_SCALE, move |_| adc.read(&mut common));
    let gated = Gated::new(input, 0, enables, Pause, SETTLE_US).ok()?;
    let zeros = kept::zeros(&flash::kept());
    Some(Hall::new(
        gated,
        address,
        Pause,
        HallSettings::for_full_scale(FULL_SCALE),
        zeros,
    ))
}

impl<A: AdcRead> Kept for Hall<A, Output, Pause> {
    fn keep(&self) {
        let next = self
            .zeros()
            .and_then(|zeros| kept::next(&flash::kept(), zeros));
        if let Some((sector, page)) = next {
            flash::keep(sector, &page);
        }
    }
}

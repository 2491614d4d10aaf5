//! Linear Hall sensors behind four CD74HC4067: address lines S0 to S3 on GP2 to GP5, enables (E) of
//! multiplexers 1 to 4 on GP6 to GP9, all four common pins on GP26. The zeros of a calibration are
//! kept in flash.
//!
//! Sensors and multiplexers run on the Pico's 3.3 V, which is also its converter's reference.

use board_wire::{Part, Tested, Verdict};
use firmware::scan::{AdcFn, AdcRead, Gated, Hall, HallSettings};
use firmware_rp2040::kept;
use rp2040_hal::adc::AdcPin;
use rp2040_hal::gpio::bank0::Gpio26;
use rp2040_hal::gpio::{DynPinId, FunctionNull, FunctionSioOutput, Pin, PullDown};

use crate::pause::Pause;
use crate::rails::SharedAdc;
use crate::{Sensors, flash};

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
    adc: SharedAdc,
) -> Option<Hall<impl AdcRead + use<>, Output, Pause>> {
    let mut common = AdcPin::new(common).ok()?;
    let input = AdcFn::new(FULL_SCALE, move |_| adc.borrow_mut().read(&mut common));
    let gated = Gated::new(input, 0, enables, Pause, SETTLE_US).ok()?;
    let zeros = kept::zeros(&flash::CALIBRATION.pages());
    Some(Hall::new(
        gated,
        address,
        Pause,
        HallSettings::for_full_scale(FULL_SCALE),
        zeros,
    ))
}

impl<A: AdcRead> Sensors for Hall<A, Output, Pause> {
    fn keep(&self) {
        let next = self
            .zeros()
            .and_then(|zeros| kept::next_zeros(&flash::CALIBRATION.pages(), zeros));
        if let Some((sector, page)) = next {
            flash::CALIBRATION.write(sector, &page);
        }
    }

    fn test(&mut self) -> Tested {
        let squares = self.test().unwrap_or(u64::MAX);
        let halves = [squares as u32, (squares >> 32) as u32];
        Tested::new(Part::SENSORS, Verdict::of(squares == 0), halves)
    }
}

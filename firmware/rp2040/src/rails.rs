//! What the chip's own converter tells of its supply and of itself: for the self-test, and nothing
//! else looks at it.

use core::cell::RefCell;

use board_wire::{Part, Tested, Verdict};
use rp2040_hal::adc::{Adc, AdcPin, TempSense};
use rp2040_hal::gpio::bank0::Gpio29;
use rp2040_hal::gpio::{FunctionNull, Pin, PullDown};

/// The converter has 12 bits, and its reference is the 3.3 V that everything runs on (RP2040 data
/// sheet, section 4.9).
const FULL_SCALE: u32 = 4095;
const REFERENCE_UV: u32 = 3_300_000;

/// A third of VSYS is on GP29 (Raspberry Pi Pico data sheet, section 4.4). From USB it is 5 V less
/// a diode; the regulator takes at most 5.5 V.
const SUPPLY_DIVIDED: u32 = 3;
const SUPPLY_MV: core::ops::RangeInclusive<u32> = 4_000..=5_500;

/// The thermometer reads 0.706 V at 27 degrees, and 1.721 mV less for each more (RP2040 data sheet,
/// section 4.9.5). In tenths of a degree; a chip that is no more than warm.
const AT_27_UV: i32 = 706_000;
const UV_PER_DEGREE: i32 = 1_721;
const PLAUSIBLE: core::ops::RangeInclusive<i32> = -200..=850;

/// A converter that sensors may use as well.
pub(crate) type SharedAdc = &'static RefCell<Adc>;

/// The inputs that are looked at.
pub(crate) struct Rails {
    adc: SharedAdc,
    supply: AdcPin<Pin<Gpio29, FunctionNull, PullDown>>,
    thermometer: TempSense,
}

impl Rails {
    /// The rails of a Pico. `None` when somebody has taken the thermometer.
    pub(crate) fn new(
        adc: SharedAdc,
        supply: Pin<Gpio29, FunctionNull, PullDown>,
    ) -> Option<Rails> {
        Some(Rails {
            adc,
            supply: AdcPin::new(supply).ok()?,
            thermometer: adc.borrow_mut().take_temp_sensor()?,
        })
    }

    /// The supply, and the converter by its thermometer.
    pub(crate) fn test(&mut self) -> [Tested; 2] {
        let mut adc = self.adc.borrow_mut();
        let tested = |part, found: Option<u32>, is_well: fn(u32) -> bool| {
            let verdict = Verdict::of(found.is_some_and(is_well));
            Tested::new(part, verdict, [found.unwrap_or(0), 0])
        };
        let supply = adc.read(&mut self.supply).ok().map(supply);
        let degrees = adc.read(&mut self.thermometer).ok().map(degrees);
        [
            tested(Part::SUPPLY, supply, |mv| SUPPLY_MV.contains(&mv)),
            tested(Part::CONVERTER, degrees, |tenths| {
                PLAUSIBLE.contains(&(tenths as i32))
            }),
        ]
    }
}

fn microvolts(counts: u16) -> u32 {
    u32::from(counts) * (REFERENCE_UV / 100) / FULL_SCALE * 100
}

/// In millivolts.
fn supply(counts: u16) -> u32 {
    microvolts(counts) * SUPPLY_DIVIDED / 1_000
}

/// In tenths of a degree, as a signed number.
fn degrees(counts: u16) -> u32 {
    let above = microvolts(counts) as i32 - AT_27_UV;
    (270 - above * 10 / UV_PER_DEGREE) as u32
}

//! The clock's lever and the adjust buttons: four lines at most.

use embedded_hal::digital::InputPin;
use firmware::scan::Active;

/// The lines, in the order of `firmware::report::Controls`: White's press, Black's press, White's
/// adjust, Black's adjust.
#[derive(Debug)]
pub struct Lines<Pin> {
    pins: [Option<Pin>; 4],
    active: Active,
}

impl<Pin: InputPin> Lines<Pin> {
    /// These lines; a missing one is never down.
    pub fn new(pins: [Option<Pin>; 4], active: Active) -> Lines<Pin> {
        Lines { pins, active }
    }

    /// Which of them has been wired.
    pub fn present(&self) -> [bool; 4] {
        self.pins.each_ref().map(Option::is_some)
    }

    /// Reads them, one bit each.
    ///
    /// # Errors
    /// The first pin's that cannot be read.
    pub fn read(&mut self) -> Result<u64, Pin::Error> {
        let mut lines = 0;
        for (n, pin) in self.pins.iter_mut().enumerate() {
            let Some(pin) = pin else { continue };
            let down = match self.active {
                Active::High => pin.is_high()?,
                Active::Low => pin.is_low()?,
            };
            lines |= u64::from(down) << n;
        }
        Ok(lines)
    }
}

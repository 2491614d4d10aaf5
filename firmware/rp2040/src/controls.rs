//! The clock's lever and the adjust buttons: four switches to ground.

use embedded_hal::digital::InputPin;
use rp2040_hal::gpio::{DynPinId, FunctionSioInput, Pin, PullUp};

/// A switch to ground.
pub(crate) type Switch = Pin<DynPinId, FunctionSioInput, PullUp>;

/// Which ends are down: White's lever end, Black's, White's button, Black's, as
/// `firmware::report::Controls::from_lines` takes them.
pub(crate) fn read(switches: &mut [Switch; 4]) -> u64 {
    let down = |(n, switch): (usize, &mut Switch)| u64::from(switch.is_low().unwrap_or(false)) << n;
    switches.iter_mut().enumerate().map(down).sum()
}

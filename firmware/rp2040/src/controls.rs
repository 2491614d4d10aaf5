//! The clock's lever and the adjust buttons: switches to ground, or a clock that tells of its
//! lever.

use embedded_hal::digital::InputPin;
use firmware::report;
use rp2040_hal::gpio::{DynPinId, FunctionSioInput, Pin, PullUp};

/// A switch to ground.
pub(crate) type Switch = Pin<DynPinId, FunctionSioInput, PullUp>;

/// What players press.
pub(crate) struct Controls {
    /// White's end of the lever, Black's.
    #[cfg(not(feature = "dgt3000"))]
    pub(crate) lever: [Switch; 2],
    /// In place of the lever's lines.
    #[cfg(feature = "dgt3000")]
    pub(crate) clock: crate::clock::Clock,
    /// White's adjust button, Black's.
    pub(crate) buttons: [Switch; 2],
    /// What the host of the run before was told last, if this is a restart.
    pub(crate) told: Option<report::Controls>,
}

impl Controls {
    /// Which switches are closed, as `firmware::report::Controls::from_lines` takes them.
    pub(crate) fn read(&mut self) -> u64 {
        #[cfg(not(feature = "dgt3000"))]
        let lever = closed(&mut self.lever);
        #[cfg(feature = "dgt3000")]
        let lever = 0;
        lever | closed(&mut self.buttons) << 2
    }
}

fn closed(switches: &mut [Switch; 2]) -> u64 {
    let down = |(n, switch): (usize, &mut Switch)| u64::from(switch.is_low().unwrap_or(false)) << n;
    switches.iter_mut().enumerate().map(down).sum()
}

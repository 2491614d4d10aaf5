//! The clock's lever and the adjust buttons: switches to ground, or a clock that tells of its
//! lever.

use board_wire::{Part, Tested, Verdict};
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

impl Controls {
    /// The lever or the clock, and the buttons.
    pub(crate) fn test(&mut self) -> [Tested; 2] {
        #[cfg(not(feature = "dgt3000"))]
        let lever = {
            let down = closed(&mut self.lever) as u32;
            let verdict = match down {
                0 => Verdict::UNTRIED,
                down => Verdict::of(down != 3),
            };
            Tested::new(Part::LEVER, verdict, [down, 0])
        };
        #[cfg(feature = "dgt3000")]
        let lever = {
            let heard = self.clock.is_heard();
            let verdict = if heard {
                Verdict::PASSED
            } else {
                Verdict::UNTRIED
            };
            Tested::new(Part::CLOCK, verdict, [u32::from(heard), 0])
        };
        let pressed = closed(&mut self.buttons) as u32;
        let buttons = Tested::new(Part::BUTTONS, Verdict::of(pressed == 0), [pressed, 0]);
        [lever, buttons]
    }
}

fn closed(switches: &mut [Switch; 2]) -> u64 {
    let down = |(n, switch): (usize, &mut Switch)| u64::from(switch.is_low().unwrap_or(false)) << n;
    switches.iter_mut().enumerate().map(down).sum()
}

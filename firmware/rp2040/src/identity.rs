//! Which board this is, which run of it, and what its host was told last.
//!
//! The number of a run outlives a loss of power in flash. What the host was told is for a restart
//! only: the watchdog's scratch registers keep what they hold over a restart, as by the watchdog or
//! the debugger, and lose it with the power (RP2040 data sheet, section 4.7.4).

use board_wire::Serial;
use firmware::report::Controls;
use firmware_rp2040::runs;
use rp2040_hal::rosc::RingOscillator;
use rp2040_hal::watchdog::ScratchRegister;
use rp2040_hal::{Watchdog, pac};

use crate::flash;

/// A number for this run that differs from the last one's, and is kept in flash before anybody is
/// told, and whether it is. Where flash does not take it, it is one of chance. Not part of its
/// caller: the page that it writes would stay on the stack.
#[inline(never)]
pub(crate) fn boot_number(rosc: pac::ROSC) -> (u16, bool) {
    let chance = chance(rosc);
    let run = runs::next(flash::runs(), chance);
    flash::note(&run);
    let is_kept = flash::runs().nth(run.place) == Some(run.record());
    (if is_kept { run.number } else { chance }, is_kept)
}

/// Sixteen bits of the ring oscillator (RP2040 data sheet, section 2.17.7); each is read some time
/// after the one before, or they would be alike. It is left running: the watchdog starts everything
/// anew but the oscillators, and the chip begins on this one. With it off, it would never begin.
fn chance(rosc: pac::ROSC) -> u16 {
    let ring = RingOscillator::new(rosc).initialize();
    let mut chance = 0u16;
    for _ in 0..16 {
        cortex_m::asm::delay(1_000);
        chance = chance << 1 | u16::from(ring.get_random_bit());
    }
    chance
}

/// The controls that the host of the run before was told of last, if this is a restart. A lever
/// that went over meanwhile is a press.
pub(crate) fn told(watchdog: &Watchdog) -> Option<Controls> {
    let word = watchdog.read_scratch(ScratchRegister::Scratch1);
    (word & !LINES == TOLD).then(|| Controls::from_lines(u64::from(word & LINES)))
}

/// The host was told of these controls.
pub(crate) fn tell(watchdog: &mut Watchdog, controls: Controls) {
    watchdog.write_scratch(ScratchRegister::Scratch1, TOLD | controls.lines() as u32);
}

/// What the host was told counts no more: this is no restart, but the end of a firmware.
pub(crate) fn forget(watchdog: &mut Watchdog) {
    watchdog.write_scratch(ScratchRegister::Scratch1, 0);
}

const TOLD: u32 = 0x1e4e_5ee0;
const LINES: u32 = 15;

/// The flash chip's number in hexadecimal digits.
pub(crate) struct Name([u8; 16]);

impl Name {
    /// The name of a board with this chip.
    pub(crate) fn new(unique_id: [u8; 8]) -> Name {
        let digit =
            |n: usize| b"0123456789abcdef"[usize::from(unique_id[n / 2] >> (4 * (1 - n % 2)) & 15)];
        Name(core::array::from_fn(digit))
    }

    /// As the native protocol and USB say it.
    pub(crate) fn as_str(&self) -> &str {
        core::str::from_utf8(&self.0).unwrap_or_default()
    }

    pub(crate) fn serial(&self) -> Option<Serial> {
        Serial::new(&self.0)
    }
}

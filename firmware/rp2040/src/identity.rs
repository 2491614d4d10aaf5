//! Which board this is, which run of it, and what its host was told last.
//!
//! The watchdog's scratch registers keep what they hold over a restart, as by the watchdog or the
//! debugger, and lose it with the power (RP2040 data sheet, section 4.7.4).

use board_wire::Serial;
use firmware::report::Controls;
use rp2040_hal::rosc::RingOscillator;
use rp2040_hal::watchdog::ScratchRegister;
use rp2040_hal::{Watchdog, pac};

/// A number for this run that differs from the last one's.
///
/// Sixteen bits of the ring oscillator (RP2040 data sheet, section 2.17.7); each is read some time
/// after the one before, or they would be alike. A scratch register of the watchdog survives a
/// restart and rules out that the same number comes twice in a row.
pub(crate) fn boot_number(rosc: pac::ROSC, watchdog: &mut Watchdog) -> u16 {
    let ring = RingOscillator::new(rosc).initialize();
    let mut boot = 0u16;
    for _ in 0..16 {
        cortex_m::asm::delay(1_000);
        boot = boot << 1 | u16::from(ring.get_random_bit());
    }
    ring.disable();
    let last = watchdog.read_scratch(ScratchRegister::Scratch0);
    // The upper half tells a number that was kept from what the register holds after power-up.
    if last == KEPT | u32::from(boot) {
        boot = boot.wrapping_add(1);
    }
    watchdog.write_scratch(ScratchRegister::Scratch0, KEPT | u32::from(boot));
    boot
}

const KEPT: u32 = 0xb007_0000;

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

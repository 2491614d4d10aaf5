//! The boot loader in the chip's ROM: the board vanishes, and a drive named `RPI-RP2` is there in
//! its place, until an image was copied onto it or power goes.

use rp2040_hal::{Watchdog, rom_data};

use crate::identity;

/// As with BOOTSEL held at power-up: no lamp shows that it is busy, and both of its ways to be
/// written are open (RP2040 data sheet, section 2.8.3.1.6).
pub(crate) fn start(watchdog: &mut Watchdog) -> ! {
    identity::forget(watchdog);
    // The ROM starts the chip anew by the watchdog; ours must not bite while an image is copied.
    watchdog.disable();
    rom_data::reset_to_usb_boot(0, 0)
}

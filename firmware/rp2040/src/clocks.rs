//! 60 MHz for the processor and its pins, 48 MHz for USB and the converter, each from a PLL.
//!
//! USB and the converter need exactly 48 MHz (RP2040 data sheet, sections 2.15 and 4.9). The
//! processor has to be a tenth faster than USB, or it misses some of what USB tells it (erratum
//! RP2040-E16); a scan needs a fraction of what it does in a millisecond at that speed.

use fugit::HertzU32;
use rp2040_hal::clocks::{Clock, ClockSource, ClocksManager};
use rp2040_hal::pll::common_configs::PLL_USB_48MHZ;
use rp2040_hal::pll::{PLLConfig, setup_pll_blocking};
use rp2040_hal::xosc::setup_xosc_blocking;
use rp2040_hal::{Watchdog, pac};

/// The crystal of a Pico.
const CRYSTAL: HertzU32 = HertzU32::MHz(12);

/// What the processor and its pins run at.
pub(crate) const SPEED: HertzU32 = HertzU32::MHz(60);

/// As the one of USB, divided by 20 and not by 25.
const PLL_SYS: PLLConfig = PLLConfig {
    post_div2: 4,
    ..PLL_USB_48MHZ
};

/// Makes the watchdog's tick, which is also the timer's, a microsecond as soon as the crystal runs.
pub(crate) fn tick(watchdog: &mut Watchdog) {
    watchdog.enable_tick_generation((CRYSTAL.to_Hz() / 1_000_000) as u8);
}

/// Starts crystal and PLLs, and runs every clock from them. `None` when the crystal or a PLL cannot
/// be set up so, which their constants rule out.
pub(crate) fn start(
    xosc: pac::XOSC,
    clocks: pac::CLOCKS,
    (pll_sys, pll_usb): (pac::PLL_SYS, pac::PLL_USB),
    resets: &mut pac::RESETS,
) -> Option<ClocksManager> {
    let crystal = setup_xosc_blocking(xosc, CRYSTAL).ok()?;
    let mut clocks = ClocksManager::new(clocks);
    let fast = setup_pll_blocking(pll_sys, CRYSTAL, PLL_SYS, &mut clocks, resets).ok()?;
    let exact = setup_pll_blocking(pll_usb, CRYSTAL, PLL_USB_48MHZ, &mut clocks, resets).ok()?;
    clocks
        .reference_clock
        .configure_clock(&crystal, crystal.get_freq())
        .ok()?;
    clocks
        .system_clock
        .configure_clock(&fast, fast.get_freq())
        .ok()?;
    clocks
        .usb_clock
        .configure_clock(&exact, exact.get_freq())
        .ok()?;
    clocks
        .adc_clock
        .configure_clock(&exact, exact.get_freq())
        .ok()?;
    clocks
        .peripheral_clock
        .configure_clock(&clocks.system_clock, SPEED)
        .ok()?;
    Some(clocks)
}

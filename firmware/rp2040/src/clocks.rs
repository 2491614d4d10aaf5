//! 48 MHz for everything, from one PLL.
//!
//! USB and the converter need exactly 48 MHz (RP2040 data sheet, sections 2.15 and 4.9); a scan
//! needs a fraction of what the processor does in a millisecond at that speed. So the second PLL
//! stays off.

use fugit::HertzU32;
use rp2040_hal::clocks::{Clock, ClockSource, ClocksManager};
use rp2040_hal::pll::common_configs::PLL_USB_48MHZ;
use rp2040_hal::pll::setup_pll_blocking;
use rp2040_hal::xosc::setup_xosc_blocking;
use rp2040_hal::{Watchdog, pac};

/// The crystal of a Pico.
const CRYSTAL: HertzU32 = HertzU32::MHz(12);

/// What everything runs at.
pub(crate) const SPEED: HertzU32 = HertzU32::MHz(48);

/// Starts crystal and PLL, and runs every clock from them. The watchdog's tick, which is also the
/// timer's, is a microsecond. `None` when the crystal or the PLL cannot be set up so, which their
/// constants rule out.
pub(crate) fn start(
    xosc: pac::XOSC,
    clocks: pac::CLOCKS,
    pll: pac::PLL_USB,
    resets: &mut pac::RESETS,
    watchdog: &mut Watchdog,
) -> Option<ClocksManager> {
    let crystal = setup_xosc_blocking(xosc, CRYSTAL).ok()?;
    watchdog.enable_tick_generation((CRYSTAL.to_Hz() / 1_000_000) as u8);
    let mut clocks = ClocksManager::new(clocks);
    let pll = setup_pll_blocking(pll, CRYSTAL, PLL_USB_48MHZ, &mut clocks, resets).ok()?;
    clocks
        .reference_clock
        .configure_clock(&crystal, crystal.get_freq())
        .ok()?;
    clocks
        .system_clock
        .configure_clock(&pll, pll.get_freq())
        .ok()?;
    clocks
        .usb_clock
        .configure_clock(&pll, pll.get_freq())
        .ok()?;
    clocks
        .adc_clock
        .configure_clock(&pll, pll.get_freq())
        .ok()?;
    clocks
        .peripheral_clock
        .configure_clock(&clocks.system_clock, SPEED)
        .ok()?;
    Some(clocks)
}

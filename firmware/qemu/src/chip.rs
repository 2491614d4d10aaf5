//! The processor: its sleep, its clock, its reset.

use cortex_m::Peripherals;
use cortex_m::interrupt::InterruptNumber;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m::peripheral::{NVIC, SCB, SYST};

/// The chip starts with 12.5 MHz.
const CYCLES_IN_A_MILLISECOND: u32 = 12_500;

/// The lines' interrupts, by their numbers in the data sheet of the LM3S6965 ("Interrupts").
#[derive(Clone, Copy)]
enum Line {
    Host = 5,
    Array = 6,
}

#[expect(unsafe_code, reason = "the numbers are those of the data sheet")]
unsafe impl InterruptNumber for Line {
    fn number(self) -> u16 {
        self as u16
    }
}

/// From now on there are milliseconds, and the lines end a sleep.
pub(crate) fn start() {
    cortex_m::interrupt::disable();
    unmask(Line::Host);
    unmask(Line::Array);
    if let Some(mut peripherals) = Peripherals::take() {
        peripherals.SYST.set_clock_source(SystClkSource::Core);
        peripherals.SYST.set_reload(CYCLES_IN_A_MILLISECOND - 1);
        peripherals.SYST.clear_current();
        peripherals.SYST.enable_interrupt();
        peripherals.SYST.enable_counter();
    }
}

#[expect(
    unsafe_code,
    reason = "no critical section rests on the mask: interrupts are never taken"
)]
fn unmask(line: Line) {
    unsafe { NVIC::unmask(line) }
}

/// Until a line has something, or a millisecond is over.
pub(crate) fn sleep() {
    cortex_m::asm::wfi();
    // Before the lines are emptied: what comes later is pending again.
    NVIC::unpend(Line::Host);
    NVIC::unpend(Line::Array);
}

/// Whether the clock has gone round since this was last asked.
pub(crate) fn a_millisecond_has_passed() -> bool {
    let passed = SCB::is_pendst_pending();
    SCB::clear_pendst();
    passed
}

/// Cycles of the processor left of this millisecond.
pub(crate) fn cycles() -> u32 {
    SYST::get_current()
}

/// Starts the chip anew. What is in RAM stays there.
pub(crate) fn restart() -> ! {
    SCB::sys_reset()
}

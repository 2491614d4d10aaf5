//! A sensor board on QEMU's `lm3s6965evb`: samples of a sensor array come in on UART1, frames of the native protocol go out on
//! UART0.
//!
//! Everything runs in one loop with the processor's interrupts masked: a pending interrupt ends the sleep (`wfi`), and the loop looks
//! at both lines. So nothing is shared and nothing can overtake.

#![no_std]
#![no_main]

mod uart;

use board_wire::device::Identity;
use board_wire::{Capabilities, Sensor, Serial};
use cortex_m::peripheral::NVIC;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::{entry, exception};
use firmware::debounce::{Debouncer, Depth};
use firmware::report::{Controls, Reporter, Squares};

/// Bytes in which evidence is kept for resending: the least that the protocol allows.
const RING: usize = 2048;

/// The chip starts with 12.5 MHz.
const CYCLES_IN_A_MILLISECOND: u32 = 12_500;

/// The lines' interrupts, by their numbers in the data sheet.
#[derive(Clone, Copy)]
enum Line {
    Host = 5,
}

#[expect(unsafe_code, reason = "the numbers are those of the data sheet, \"Interrupts\"")]
unsafe impl cortex_m::interrupt::InterruptNumber for Line {
    fn number(self) -> u16 {
        self as u16
    }
}

#[entry]
fn main() -> ! {
    cortex_m::interrupt::disable();
    let host = uart::Uart::host();
    unmask(Line::Host);
    start_clock();
    let identity = Identity {
        boot: 1,
        serial: Serial::new(b"QEMU").expect("printable"),
        sensor: Sensor::Occupancy,
        capabilities: Capabilities::CLOCK,
        pace: 1000,
    };
    let mut squares = Debouncer::<1>::new(Depth::default(), [0]);
    let mut reporter = Reporter::<RING>::new(identity, 0, None, 10);
    let mut ms: u32 = 0;
    loop {
        cortex_m::asm::wfi();
        NVIC::unpend(Line::Host);
        cortex_m::peripheral::SCB::clear_pendst();
        ms = ms.wrapping_add(1);
        squares.update([0]);
        let [occupied] = squares.settled();
        reporter.scan(ms, Some(Squares::Occupancy(occupied)), Controls::default());
        while let Some(byte) = host.receive() {
            reporter.receive(ms, &[byte], |_| {});
        }
        let _infallible: Result<(), core::convert::Infallible> = reporter.transmit(ms, |bytes| Ok(host.send(bytes)));
    }
}

fn start_clock() {
    if let Some(mut peripherals) = cortex_m::Peripherals::take() {
        peripherals.SYST.set_clock_source(SystClkSource::Core);
        peripherals.SYST.set_reload(CYCLES_IN_A_MILLISECOND - 1);
        peripherals.SYST.clear_current();
        peripherals.SYST.enable_interrupt();
        peripherals.SYST.enable_counter();
    }
}

#[expect(unsafe_code, reason = "no critical section rests on the mask: interrupts are never taken")]
fn unmask(line: Line) {
    unsafe { NVIC::unmask(line) }
}

/// A board that has lost its way starts anew: its host hears another boot number, and asks.
#[panic_handler]
fn panic(_info: &core::panic::PanicInfo<'_>) -> ! {
    cortex_m::peripheral::SCB::sys_reset()
}

#[exception]
#[allow(unsafe_code, reason = "a fault may come from anywhere; nothing is touched but the reset")]
unsafe fn HardFault(_frame: &cortex_m_rt::ExceptionFrame) -> ! {
    cortex_m::peripheral::SCB::sys_reset()
}

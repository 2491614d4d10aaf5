//! A sensor board on QEMU's `lm3s6965evb`: samples of a sensor array come in on UART1, frames of
//! the native protocol go out on UART0.
//!
//! Everything runs in one loop with the processor's interrupts masked: one that is pending ends the
//! sleep (`wfi`), and the loop looks at both lines and the clock. So nothing is shared, and nothing
//! can overtake.
//!
//! By hand, with the board's line on a pseudo-terminal that QEMU names, and no array, which the
//! board says:
//!
//! ```text
//! bash ci/bare-metal.sh qemu
//! qemu-system-arm -machine lm3s6965evb -display none -kernel target/images/qemu.bin \
//!     -serial pty -serial null
//! arbiterd doctor /dev/pts/N
//! ```

#![no_std]
#![no_main]

mod chip;
mod kept;
mod uart;

use core::convert::Infallible;

use board_wire::device::Identity;
use board_wire::{Capabilities, Ring, Serial};
use firmware::array::{Array, Due};
use firmware::board::{Board, Settings};
use firmware::scan::Scan;

use crate::kept::Kept;
use crate::uart::Uart;

/// Bytes in which evidence is kept for resending: the least that the protocol allows.
const RING: usize = 2048;

/// Bytes that are taken from one line before the other is looked at.
const TURN: usize = 64;

type Sensors = Array<{ cfg!(feature = "colour") }>;

#[cortex_m_rt::entry]
fn main() -> ! {
    let (host, line) = (Uart::host(), Uart::array());
    chip::start();
    let mut array = Sensors::default();
    let chance = wait_for(&line, &mut array);
    let pace = array.pace();
    let before = Kept::find().unwrap_or(Kept {
        boot: chance,
        controls: None,
    });
    let kept = Kept {
        boot: before.boot.wrapping_add(1),
        ..before
    };
    kept.keep();
    let mut board = begin(kept, &array);
    loop {
        chip::sleep();
        if chip::a_millisecond_has_passed() {
            array.pass();
            scan(&mut board, &mut array, &host, kept);
        }
        for byte in core::iter::from_fn(|| line.receive()).take(TURN) {
            array.receive(byte);
            scan(&mut board, &mut array, &host, kept);
        }
        for byte in core::iter::from_fn(|| host.receive()).take(TURN) {
            obey(&mut board, &mut array, byte);
        }
        transmit(&mut board, array.ms(), &host, kept);
        if array.pace() != pace {
            // The host was told another one.
            chip::restart();
        }
    }
}

/// Waits for the array's first sample, which says how fast its clock runs, or until it is clear
/// that none will come. Returns a number of chance, for a board without a memory of the run before:
/// made of the cycles at which the bytes came.
fn wait_for(line: &Uart, array: &mut Sensors) -> u16 {
    let mut chance: u32 = 0;
    while !array.has_spoken() && !array.is_silent() {
        chip::sleep();
        if chip::a_millisecond_has_passed() {
            array.pass();
        }
        chance = chance.rotate_left(5) ^ chip::cycles();
        for byte in core::iter::from_fn(|| line.receive()).take(TURN) {
            array.receive(byte);
            chance = chance.rotate_left(5) ^ chip::cycles();
        }
    }
    (chance >> 16 ^ chance) as u16
}

/// On its own, so that what it needs of the stack is free again.
#[inline(never)]
fn begin(kept: Kept, array: &Sensors) -> Board<Ring<RING>> {
    let identity = Identity {
        boot: kept.boot,
        // Every machine runs this image: a number would make one board of them all.
        serial: Serial::new(b"").expect("it is printable"),
        sensor: Sensors::SENSOR,
        capabilities: Capabilities::CLOCK.with(Capabilities::ADJUST, true),
        pace: array.pace(),
        firmware: concat!("qemu ", env!("CARGO_PKG_VERSION")),
    };
    Board::new(identity, array.ms(), Settings::default(), kept.controls)
}

/// Makes the scans that are due. What they find goes out at once.
fn scan(board: &mut Board<Ring<RING>>, array: &mut Sensors, host: &Uart, kept: Kept) {
    while let Some(due) = array.next_scan() {
        look(board, array, due);
        transmit(board, due.ms, host, kept);
    }
}

// Scanning and sending are never on the stack together.

#[inline(never)]
fn look(board: &mut Board<Ring<RING>>, array: &mut Sensors, due: Due) {
    board.scan(due.ms, array, due.controls);
}

/// Sends, and remembers at once what the host has been told: a restart right after a press must not
/// tell it again.
#[inline(never)]
fn transmit(board: &mut Board<Ring<RING>>, ms: u32, host: &Uart, kept: Kept) {
    let _infallible: Result<(), Infallible> = board.transmit(ms, |bytes| Ok(host.send(bytes)));
    if board.is_drained() {
        Kept {
            controls: board.controls(),
            ..kept
        }
        .keep();
    }
}

#[inline(never)]
fn obey(board: &mut Board<Ring<RING>>, array: &mut Sensors, byte: u8) {
    board.receive(array.ms(), &[byte], array, |_, _| {});
}

/// A board that has lost its way starts anew: its host hears another boot number, and asks.
#[panic_handler]
fn panic(_info: &core::panic::PanicInfo<'_>) -> ! {
    chip::restart()
}

#[cortex_m_rt::exception]
#[allow(
    unsafe_code,
    reason = "a fault may come from anywhere; nothing is touched but the reset"
)]
unsafe fn HardFault(_frame: &cortex_m_rt::ExceptionFrame) -> ! {
    chip::restart()
}

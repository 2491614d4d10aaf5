//! The flash chip beside the processor: its number, and the sector that keeps the calibration.
//!
//! Code runs from that chip. While it is given a command nothing can be read from it, so what gives
//! the command runs from memory and calls the boot ROM (RP2040 data sheet, section 2.8.3.1.3).
//! Interrupts are masked all the time.

use core::hint::black_box;
use core::ptr::{read_volatile, write_volatile};

#[cfg(feature = "hall")]
use firmware_rp2040::kept::PAGE;
use rp2040_hal::rom_data;

const FLASH: usize = 0x1000_0000;

/// The last sector of a Pico's 2 MiB, which `memory.x` leaves free.
#[cfg(feature = "hall")]
const KEPT: usize = 2048 * 1024 - SECTOR;

#[cfg(feature = "hall")]
const SECTOR: usize = 4096;

/// "Read unique ID number": the command, four bytes of no meaning, then eight of the number
/// (Winbond W25Q16JV data sheet, section 8.2.31).
const UNIQUE_ID: u8 = 0x4b;
const BEFORE_ID: usize = 5;
const ID: usize = 8;

/// Registers: the control of the flash chip's select pin (data sheet, section 2.19.6.2), and the
/// serial interface (section 4.10.13).
const SELECT: *mut u32 = 0x4001_800c as *mut u32;
const SELECT_LOW: u32 = 2 << 8;
const SELECT_HIGH: u32 = 3 << 8;
const SELECT_BITS: u32 = 3 << 8;
const STATUS: *const u32 = 0x1800_0028 as *const u32;
const RECEIVED: u32 = 1 << 3;
const DATA: *mut u32 = 0x1800_0060 as *mut u32;

/// The way away from running code out of flash, and back.
struct Way {
    connect: unsafe extern "C" fn(),
    leave: unsafe extern "C" fn(),
    flush: unsafe extern "C" fn(),
    /// A copy of the second stage of booting, which sets up fast reading. It is in memory, for it
    /// runs while flash cannot be read.
    back: [u32; 64],
}

impl Way {
    #[expect(
        unsafe_code,
        reason = "flash begins with the second stage, 256 bytes of it, and is always there"
    )]
    fn new() -> Way {
        let stage: &[u32; 64] = unsafe { &*(FLASH as *const [u32; 64]) };
        Way {
            connect: rom_data::connect_internal_flash::ptr(),
            leave: rom_data::flash_exit_xip::ptr(),
            flush: rom_data::flash_flush_cache::ptr(),
            back: *stage,
        }
    }
}

/// The number that the maker gave the flash chip.
#[inline(never)]
#[expect(
    unsafe_code,
    reason = "interrupts are masked, the second core sleeps in the boot ROM, and nothing is \
              transferred by DMA"
)]
pub(crate) fn unique_id() -> [u8; ID] {
    let mut answer = [0; BEFORE_ID + ID];
    unsafe { ask(&Way::new(), &mut answer) };
    core::array::from_fn(|n| answer[BEFORE_ID + n])
}

/// Sends the command and takes what comes back, byte for byte.
#[inline(never)]
#[expect(
    unsafe_code,
    reason = "runs from memory and calls nothing but the boot ROM"
)]
#[unsafe(link_section = ".data.ask")]
unsafe fn ask(way: &Way, answer: &mut [u8; BEFORE_ID + ID]) {
    unsafe {
        (way.connect)();
        (way.leave)();
        let select = read_volatile(SELECT) & !SELECT_BITS;
        write_volatile(SELECT, select | SELECT_LOW);
        let mut sent = UNIQUE_ID;
        // How many there are is hidden from the compiler, which would write the loop out in memory.
        for byte in black_box(&mut answer[..]) {
            write_volatile(DATA, sent as u32);
            while read_volatile(STATUS) & RECEIVED == 0 {}
            *byte = read_volatile(DATA) as u8;
            sent = 0;
        }
        write_volatile(SELECT, select | SELECT_HIGH);
        write_volatile(SELECT, select);
        (way.flush)();
        again(way);
    }
}

/// Runs the second stage's copy: called as a function it sets up reading and returns (its first bit
/// says Thumb code).
#[inline(always)]
#[expect(unsafe_code, reason = "the boot ROM runs the same code at every start")]
unsafe fn again(way: &Way) {
    let entry = (&raw const way.back).cast::<u8>().wrapping_add(1);
    let entry: unsafe extern "C" fn() = unsafe { core::mem::transmute(entry) };
    unsafe { entry() };
}

/// The page at the beginning of the sector that keeps the calibration.
#[cfg(feature = "hall")]
#[expect(
    unsafe_code,
    reason = "the sector is part of flash, which is always there; what is written to it is read \
              anew each time"
)]
pub(crate) fn kept() -> [u8; PAGE] {
    unsafe { read_volatile((FLASH + KEPT) as *const [u8; PAGE]) }
}

/// Erases the sector and writes this page to it. Takes some 50 milliseconds, at most 400 (W25Q16JV
/// data sheet, section 9.6).
#[cfg(feature = "hall")]
#[inline(never)]
#[expect(
    unsafe_code,
    reason = "interrupts are masked, the second core sleeps in the boot ROM, and no code lies in \
              this sector"
)]
pub(crate) fn keep(page: &[u8; PAGE]) {
    let erase = rom_data::flash_range_erase::ptr();
    let program = rom_data::flash_range_program::ptr();
    unsafe { write(&Way::new(), erase, program, page) };
}

#[cfg(feature = "hall")]
type Erase = unsafe extern "C" fn(u32, usize, u32, u8);
#[cfg(feature = "hall")]
type Program = unsafe extern "C" fn(u32, *const u8, usize);

/// Erases by the sector: the command for it is 0x20; no larger block will do.
#[cfg(feature = "hall")]
#[inline(never)]
#[expect(
    unsafe_code,
    reason = "runs from memory and calls nothing but the boot ROM"
)]
#[unsafe(link_section = ".data.write")]
unsafe fn write(way: &Way, erase: Erase, program: Program, page: &[u8; PAGE]) {
    unsafe {
        (way.connect)();
        (way.leave)();
        erase(KEPT as u32, SECTOR, SECTOR as u32, 0x20);
        program(KEPT as u32, page.as_ptr(), PAGE);
        (way.flush)();
        again(way);
    }
}

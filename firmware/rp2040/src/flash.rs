//! The flash chip beside the processor: its number, and the sectors that keep the numbers of runs,
//! the map of the squares and the calibration.
//!
//! Code runs from that chip. While it is given a command nothing can be read from it, so what gives
//! the command runs from memory with interrupts masked and calls the boot ROM (RP2040 data sheet,
//! section 2.8.3.1.3).

use core::hint::black_box;
use core::ptr::{read_volatile, write_volatile};

use board_wire::{Part, Tested, Verdict};
use cortex_m::interrupt;
use firmware_rp2040::kept::{self, PAGE, Pages};
use firmware_rp2040::runs::{RECORDS, Record, Run, SECTOR};
use rp2040_hal::rom_data;

const FLASH: usize = 0x1000_0000;

/// A Pico's flash. `memory.x` leaves its last six sectors free.
const SIZE: usize = 2048 * 1024;

/// Two sectors that are written in turn.
pub(crate) struct InTurn([usize; 2]);

/// The calibration. Boards without analogue sensors have none, and count it among their pages.
pub(crate) const CALIBRATION: InTurn = InTurn([SIZE - 2 * SECTOR, SIZE - SECTOR]);

/// The map of the squares.
pub(crate) const MAP: InTurn = InTurn([SIZE - 6 * SECTOR, SIZE - 5 * SECTOR]);

/// The numbers of runs.
const RUNS: usize = SIZE - 4 * SECTOR;

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
    let way = Way::new();
    interrupt::free(|_| unsafe { ask(&way, &mut answer) });
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

/// The records of the board's runs.
#[expect(
    unsafe_code,
    reason = "the sectors are part of flash, which is always there; what is written to them is \
              read anew each time"
)]
pub(crate) fn runs() -> impl Iterator<Item = Record> {
    let records = (FLASH + RUNS) as *const Record;
    (0..RECORDS).map(move |n| unsafe { read_volatile(records.add(n)) })
}

/// Writes this run's record, in a millisecond; once in 512 runs a sector is erased before.
pub(crate) fn note(run: &Run) {
    let (at, page) = run.page();
    write(RUNS + at, run.begins_a_sector(), &page);
}

impl InTurn {
    /// The pages at the beginning of the two.
    #[expect(
        unsafe_code,
        reason = "the sectors are part of flash, which is always there; what is written to them is \
                  read anew each time"
    )]
    pub(crate) fn pages(&self) -> Pages {
        self.0
            .map(|sector| unsafe { read_volatile((FLASH + sector) as *const [u8; PAGE]) })
    }

    /// Erases the first or the second and writes this page to it.
    pub(crate) fn write(&self, sector: usize, page: &[u8; PAGE]) {
        write(self.0[sector], true, page);
    }
}

/// What is kept. `run`: the number of this run is.
pub(crate) fn test(run: bool) -> Tested {
    let (zeros, maps) = (CALIBRATION.pages(), MAP.pages());
    let kept = [
        run,
        kept::zeros(&zeros).is_some(),
        kept::map(&maps).is_some(),
    ];
    let bits = kept
        .iter()
        .rev()
        .fold(0, |bits, kept| bits << 1 | u32::from(*kept));
    let damaged = kept::damaged(&zeros, &maps);
    Tested::new(
        Part::FLASH,
        Verdict::of(run && damaged == 0),
        [bits, damaged],
    )
}

/// Writes a page; if it begins a sector, after erasing that, where this is wanted. Erasing takes
/// some 50 milliseconds, at most 400 (W25Q16JV data sheet, section 9.6).
#[inline(never)]
#[expect(
    unsafe_code,
    reason = "interrupts are masked, the second core sleeps in the boot ROM, and no code lies in \
              the sectors that are written"
)]
fn write(at: usize, erased: bool, page: &[u8; PAGE]) {
    let erase = erased.then(rom_data::flash_range_erase::ptr);
    let program = rom_data::flash_range_program::ptr();
    let way = Way::new();
    interrupt::free(|_| unsafe { change(&way, erase, program, at as u32, page) });
}

type Erase = unsafe extern "C" fn(u32, usize, u32, u8);
type Program = unsafe extern "C" fn(u32, *const u8, usize);

/// Erases by the sector: the command for it is 0x20; no larger block will do.
#[inline(never)]
#[expect(
    unsafe_code,
    reason = "runs from memory and calls nothing but the boot ROM"
)]
#[unsafe(link_section = ".data.change")]
unsafe fn change(way: &Way, erase: Option<Erase>, program: Program, at: u32, page: &[u8; PAGE]) {
    unsafe {
        (way.connect)();
        (way.leave)();
        if let Some(erase) = erase {
            erase(at, SECTOR, SECTOR as u32, 0x20);
        }
        program(at, page.as_ptr(), PAGE);
        (way.flush)();
        again(way);
    }
}

//! The image of a sensor board on a Raspberry Pi Pico: squares on its pins, the native protocol on
//! its USB serial port.
//!
//! One loop and no interrupt handler: interrupts are masked, and their only use is to end the sleep
//! of `wfi`. A timer ends it a thousand times a second for the scan, USB whenever the host wants
//! something.

#![no_std]
#![no_main]

#[cfg(not(any(feature = "matrix", feature = "shift-register", feature = "hall")))]
compile_error!("how are the squares wired? one of: matrix, shift-register, hall");
#[cfg(any(
    all(feature = "matrix", feature = "shift-register"),
    all(feature = "matrix", feature = "hall"),
    all(feature = "shift-register", feature = "hall"),
))]
compile_error!("squares are wired in one way: one of matrix, shift-register, hall");

mod about;
#[cfg(any(feature = "shift-register", feature = "lamps"))]
mod bus;
#[cfg(feature = "dgt3000")]
mod clock;
mod clocks;
mod controls;
mod flash;
#[cfg(feature = "hall")]
mod hall;
mod identity;
#[cfg(feature = "dgt3000")]
mod jack;
#[cfg(feature = "lamps")]
mod lamps;
mod loader;
#[cfg(feature = "matrix")]
mod matrix;
mod pause;
mod rails;
#[cfg(feature = "shift-register")]
mod shift_register;
mod tick;
mod usb;

use core::cell::RefCell;
use core::panic::PanicInfo;

use board_wire::device::Identity;
use board_wire::{Capabilities, IndexedRing, Job, Serial, SquareMap, Tested, ToBoard, Workshop};
use controls::Controls;
use cortex_m::asm;
use cortex_m::peripheral::NVIC;
use firmware::board::{Board, Settings};
use firmware::scan::{Mapped, Scan};
use firmware_rp2040::kept;
use fugit::ExtU32;
use identity::Name;
use rails::Rails;
use rp2040_hal::adc::Adc;
use rp2040_hal::gpio::Pins;
use rp2040_hal::usb::UsbBus;
use rp2040_hal::{Sio, Timer, Watchdog, pac};
use tick::Tick;
use usb::Usb;

/// What evidence is kept in for resending: half of the chip's memory, 128 KiB, which hold the
/// changes and presses of a long evening. It has its place from the start: no stack would hold it.
type Evidence = IndexedRing<{ 128 * 1024 }, 512>;

type SensorBoard = Board<&'static mut Evidence>;

/// After how long without a turn of its loop the board starts anew, in milliseconds. Erasing a
/// sector of flash may take 400. Until the crystal runs the watchdog's tick comes from the ring
/// oscillator, of 1 to 12 MHz (RP2040 data sheet, sections 4.7.2 and 2.15.2.1), and is reckoned as
/// if that were the crystal: it takes up to twelve times as long, and no less.
const WATCHDOG_MS: u32 = 2_000;

/// The second stage of booting: sets up fast reading of the flash, for the W25Q16 of a Pico and
/// what is compatible.
#[expect(
    unsafe_code,
    reason = "the boot ROM looks for it at the flash's beginning"
)]
#[unsafe(link_section = ".boot2")]
#[used]
static BOOT2: [u8; 256] = rp2040_boot2::BOOT_LOADER_W25Q080;

/// The watchdog starts the board anew; the host hears of it by the boot number.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {
        asm::nop();
    }
}

#[rp2040_hal::entry]
fn main() -> ! {
    static mut EVIDENCE: Evidence = Evidence::new();
    cortex_m::interrupt::disable();
    run(EVIDENCE);
    // What cannot be set up now may be after a restart.
    loop {
        asm::nop();
    }
}

/// Each of these pins, made what is asked for.
macro_rules! all {
    ($pins:ident.$into:ident: $($pin:ident)+) => { [$($pins.$pin.$into().into_dyn_pin()),+] };
}

fn run(evidence: &'static mut Evidence) -> Option<()> {
    let mut pac = pac::Peripherals::take()?;
    let mut watchdog = Watchdog::new(pac.WATCHDOG);
    // Before anything is waited for: a crystal that does not start may at the next attempt.
    clocks::tick(&mut watchdog);
    watchdog.start(WATCHDOG_MS.millis());
    let clocks = clocks::start(
        pac.XOSC,
        pac.CLOCKS,
        (pac.PLL_SYS, pac.PLL_USB),
        &mut pac.RESETS,
    )?;
    let timer = Timer::new(pac.TIMER, &mut pac.RESETS, &clocks);
    let pins = Pins::new(
        pac.IO_BANK0,
        pac.PADS_BANK0,
        Sio::new(pac.SIO).gpio_bank0,
        &mut pac.RESETS,
    );
    let name: &'static Name = cortex_m::singleton!(: Name = Name::new(flash::unique_id()))?;
    let (boot, run_is_kept) = identity::boot_number(pac.ROSC);
    let adc = RefCell::new(Adc::new(pac.ADC, &mut pac.RESETS));
    let adc: &'static RefCell<Adc> = cortex_m::singleton!(: RefCell<Adc> = adc)?;

    #[cfg(feature = "matrix")]
    let scanner = matrix::scanner(
        all!(pins.into_push_pull_output: gpio0 gpio1 gpio2 gpio3 gpio4 gpio5 gpio6 gpio7),
        all!(pins.into_pull_down_input: gpio8 gpio9 gpio10 gpio11 gpio12 gpio13 gpio14 gpio15),
    )?;
    #[cfg(feature = "shift-register")]
    let scanner = shift_register::scanner(
        pac.SPI1,
        (
            pins.gpio9,
            pins.gpio10,
            pins.gpio11,
            pins.gpio12,
            pins.gpio13,
        ),
        &mut pac.RESETS,
    )?;
    #[cfg(feature = "hall")]
    let scanner = hall::scanner(
        all!(pins.into_push_pull_output: gpio2 gpio3 gpio4 gpio5),
        all!(pins.into_push_pull_output: gpio6 gpio7 gpio8 gpio9),
        pins.gpio26,
        adc,
    )?;
    #[cfg(not(feature = "dgt3000"))]
    let lever = all!(pins.into_pull_up_input: gpio16 gpio17);
    #[cfg(feature = "dgt3000")]
    let jack = jack::Jack::start(pac.I2C0, (pins.gpio16, pins.gpio17), timer, &mut pac.RESETS);
    let told = identity::told(&watchdog);
    let controls = Controls {
        #[cfg(not(feature = "dgt3000"))]
        lever,
        #[cfg(feature = "dgt3000")]
        clock: clock::Clock::new(jack, pins.gpio28.into_pull_up_input(), told),
        buttons: all!(pins.into_pull_up_input: gpio20 gpio21),
        told,
    };
    #[cfg(feature = "lamps")]
    let mut lamps = lamps::chain(
        pac.SPI0,
        (pins.gpio18, pins.gpio19, pins.gpio22),
        &mut pac.RESETS,
    )?;

    let bus = UsbBus::new(
        pac.USBCTRL_REGS,
        pac.USBCTRL_DPRAM,
        clocks.usb_clock,
        true,
        &mut pac.RESETS,
    );
    let parts = Parts {
        scanner: Mapped::new(
            scanner,
            kept::map(&flash::MAP.pages()).unwrap_or(SquareMap::IDENTITY),
        ),
        controls,
        rails: Rails::new(adc, pins.gpio29)?,
        run_is_kept,
        usb: Usb::start(bus, name.as_str())?,
        tick: Tick::start(timer)?,
        watchdog,
        workshop: Workshop::default(),
    };
    wake_up();
    serve(boot, name.serial()?, evidence, parts, |ms, lit| {
        #[cfg(feature = "lamps")]
        lamps.show(ms, lit);
        #[cfg(not(feature = "lamps"))]
        let _ = (ms, lit);
    })
}

/// What the board has.
const CAPABILITIES: Capabilities = Capabilities::CLOCK
    .with(Capabilities::ADJUST, true)
    .with(Capabilities::LAMPS, cfg!(feature = "lamps"))
    .with(Capabilities::LEVELS, cfg!(feature = "hall"))
    .with(Capabilities::LOADER, true)
    .with(Capabilities::MAP, true)
    .with(Capabilities::SELF_TEST, true);

/// Has timer and USB end the processor's sleep.
#[expect(
    unsafe_code,
    reason = "what must not be interrupted masks all interrupts itself, and does not rest on this \
              mask (see `flash`)"
)]
fn wake_up() {
    unsafe {
        NVIC::unmask(pac::Interrupt::TIMER_IRQ_0);
        NVIC::unmask(pac::Interrupt::USBCTRL_IRQ);
    }
}

/// Everything around a board.
struct Parts<S> {
    scanner: Mapped<S>,
    controls: Controls,
    rails: Rails,
    /// The number of this run is in flash.
    run_is_kept: bool,
    usb: &'static mut Usb,
    tick: Tick,
    watchdog: Watchdog,
    workshop: Workshop,
}

/// The loop.
///
/// What it does is in functions of their own, which are not made part of it: what each needs for a
/// moment only shares the memory beside the board, which fills most of what all this may take.
#[inline(never)]
fn serve<S: Sensors>(
    boot: u16,
    serial: Serial,
    evidence: &'static mut Evidence,
    mut parts: Parts<S>,
    mut show: impl FnMut(u32, u64),
) -> ! {
    let identity = Identity {
        boot,
        serial,
        sensor: S::SENSOR,
        capabilities: CAPABILITIES,
        pace: 1000,
        firmware: concat!(env!("FIRMWARE_NAME"), " ", env!("FIRMWARE_VERSION")),
    };
    let (settings, told) = (Settings::default(), parts.controls.told);
    let mut board = SensorBoard::keeping(evidence, identity, 0, settings, told);
    loop {
        NVIC::unpend(pac::Interrupt::TIMER_IRQ_0);
        NVIC::unpend(pac::Interrupt::USBCTRL_IRQ);
        if parts.tick.passes() {
            parts.scan(&mut board);
            show(parts.tick.ms(), board.lamps());
        }
        parts.receive(&mut board);
        parts.transmit(&mut board);
        asm::wfi();
    }
}

impl<S: Sensors> Parts<S> {
    #[inline(never)]
    fn scan(&mut self, board: &mut SensorBoard) {
        let ms = self.tick.ms();
        #[cfg(feature = "dgt3000")]
        board.clock(ms, self.controls.clock.listen(ms));
        board.scan(ms, &mut self.scanner, self.controls.read());
        self.watchdog.feed();
    }

    #[inline(never)]
    fn receive(&mut self, board: &mut SensorBoard) {
        let mut bytes = [0; usb::PACKET];
        let count = self.usb.read(&mut bytes);
        if count == 0 {
            return;
        }
        let (ms, chance) = (self.tick.ms(), self.tick.chance());
        let (scanner, workshop) = (&mut self.scanner, &mut self.workshop);
        let mut job = None;
        board.receive(ms, &bytes[..count], scanner, |scanner, order| {
            if order == ToBoard::Calibrate {
                scanner.scanner().keep();
            }
            job = workshop.hear(ms, order, chance).or(job);
        });
        if let Some(job) = job {
            self.work(job);
        }
    }

    /// What a board is told to do at the bench only.
    #[inline(never)]
    fn work(&mut self, job: Job) {
        match job {
            Job::StartLoader => loader::start(&mut self.watchdog),
            Job::TakeMap(map) => {
                self.scanner.set(map);
                if let Some((sector, page)) = kept::next_map(&flash::MAP.pages(), &map) {
                    flash::MAP.write(sector, &page);
                }
            }
            Job::Test => {
                let [supply, converter] = self.rails.test();
                let sensors = self.scanner.scanner().test();
                let [lever, buttons] = self.controls.test();
                let flash = flash::test(self.run_is_kept);
                self.workshop
                    .report(&[supply, converter, sensors, flash, lever, buttons]);
            }
        }
    }

    #[inline(never)]
    fn tell(&mut self, board: &mut SensorBoard) {
        let map = self.scanner.map();
        self.workshop.tell(map, |aside| board.say(aside));
    }

    #[inline(never)]
    fn transmit(&mut self, board: &mut SensorBoard) {
        if self.workshop.has_news() {
            self.tell(board);
        }
        let (tick, usb) = (&self.tick, &mut self.usb);
        // What cannot be written now is offered again. A host may take all that was kept faster
        // than it is found: a scan that is due goes first.
        let _ = board.transmit(tick.ms(), |bytes| {
            if tick.is_due() {
                Ok(0)
            } else {
                usb.write(bytes)
            }
        });
        if let Some(controls) = board.controls().filter(|_| board.is_drained()) {
            identity::tell(&mut self.watchdog, controls);
        }
    }
}

/// A scanner that knows what to remember over a restart, and how to try its lines.
trait Sensors: Scan {
    /// Keeps what it needs in flash.
    fn keep(&self) {}

    /// What it finds out about its lines, whatever stands on the board.
    fn test(&mut self) -> Tested;
}

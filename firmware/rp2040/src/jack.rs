//! The jack of a DGT3000 on the chip's own I2C block: SDA on GP16, SCL on GP17 (I2C0).
//!
//! The bus has more than one controller. The clock is one: it writes to everybody (the general
//! call, address 0x00) what happens on it, so the block is a target nearly always, and keeps what
//! comes in its FIFO of 16 bytes until the loop has time; when that is full it holds the bus. A
//! byte takes 90 microseconds, and the loop looks every millisecond. For a wake-up the block is a
//! controller for a moment: it cannot be both (RP2040 data sheet, section 4.3.2).
//!
//! The registers are used themselves: the driver of rp2040-hal hands out bytes and leaves out which
//! of them is the first behind an address, by which frames are told apart.

use rp2040_hal::Timer;
use rp2040_hal::fugit::MicrosDurationU32;
use rp2040_hal::gpio::bank0::{Gpio16, Gpio17};
use rp2040_hal::gpio::{FunctionI2C, FunctionNull, Pin, PullDown, PullUp};
use rp2040_hal::pac::{self, I2C0};

/// Where a clock answers what a host asked it: nothing is asked here, but nobody's answers are
/// refused. The general call comes besides.
const HOST_ADDRESS: u16 = 0x10;

/// 100 kbit/s of 60 MHz: three fifths low, as the Pico SDK has it, and data held for 300 ns behind
/// the falling clock.
const LOW: u16 = 360;
const HIGH: u16 = 240;
const SPIKES: u8 = 22;
const HOLD: u16 = 19;

/// Four bytes that are acknowledged against all expectation take so long; an address that nobody
/// acknowledges takes 0.12 milliseconds. A bus that is not free meanwhile has a plug half in, or a
/// clock in mid-frame: it is tried again when the next wake-up is due.
const PATIENCE: MicrosDurationU32 = MicrosDurationU32::micros(600);

/// The bus to the clock.
pub(crate) struct Jack {
    i2c: I2C0,
    timer: Timer,
    _pins: Pins,
}

type Free<I> = Pin<I, FunctionNull, PullDown>;

type Pins = (
    Pin<Gpio16, FunctionI2C, PullUp>,
    Pin<Gpio17, FunctionI2C, PullUp>,
);

impl Jack {
    /// Listens from now on.
    pub(crate) fn start(
        i2c: I2C0,
        (sda, scl): (Free<Gpio16>, Free<Gpio17>),
        timer: Timer,
        resets: &mut pac::RESETS,
    ) -> Jack {
        resets.reset().modify(|_, w| w.i2c0().set_bit());
        resets.reset().modify(|_, w| w.i2c0().clear_bit());
        while resets.reset_done().read().i2c0().bit_is_clear() {}
        let mut jack = Jack {
            i2c,
            timer,
            _pins: (sda.reconfigure(), scl.reconfigure()),
        };
        jack.listen();
        jack
    }

    /// The next byte that came, and whether it is the first one behind an address.
    pub(crate) fn read(&mut self) -> Option<(u8, bool)> {
        let is_there = self.i2c.ic_status().read().rfne().bit_is_set();
        is_there.then(|| {
            let word = self.i2c.ic_data_cmd().read();
            (word.dat().bits(), word.first_data_byte().bit_is_set())
        })
    }

    /// Writes to this address, unless the bus is busy. Nobody is expected to acknowledge it: what
    /// is not taken is dropped. What came before and was not read is lost.
    pub(crate) fn send(&mut self, address: u8, bytes: &[u8]) {
        if self.i2c.ic_status().read().activity().bit_is_set() {
            return;
        }
        self.ask(address);
        for (n, byte) in bytes.iter().enumerate() {
            self.write(*byte, n + 1 == bytes.len());
        }
        let began = self.timer.get_counter();
        // Refused or not, it ends with a stop.
        let is_over = |i2c: &I2C0| i2c.ic_raw_intr_stat().read().stop_det().bit_is_set();
        while !is_over(&self.i2c)
            && self
                .timer
                .get_counter()
                .checked_duration_since(began)
                .is_some_and(|waited| waited < PATIENCE)
        {}
        self.listen();
    }

    fn off(&mut self) {
        self.i2c.ic_enable().write(|w| w.enable().disabled());
    }
}

#[expect(
    unsafe_code,
    reason = "numbers of these registers are of as many bits as the fields have, and each of them \
              means something; no memory is touched"
)]
impl Jack {
    /// Is a target: of the general call, which the block acknowledges from its reset on, and of
    /// the host's address. It holds the bus when its memory is full.
    fn listen(&mut self) {
        self.off();
        self.i2c
            .ic_sar()
            .write(|w| unsafe { w.ic_sar().bits(HOST_ADDRESS) });
        self.i2c.ic_con().write(|w| {
            w.speed().standard();
            w.master_mode().disabled();
            w.ic_slave_disable().slave_enabled();
            w.rx_fifo_full_hld_ctrl().enabled()
        });
        self.timing();
        self.i2c.ic_enable().write(|w| w.enable().enabled());
        self.i2c.ic_clr_intr().read();
    }

    /// Is a controller that writes to this address.
    fn ask(&mut self, address: u8) {
        self.off();
        self.i2c
            .ic_tar()
            .write(|w| unsafe { w.ic_tar().bits(address.into()) });
        self.i2c.ic_con().write(|w| {
            w.speed().standard();
            w.master_mode().enabled();
            w.ic_slave_disable().slave_disabled();
            w.ic_restart_en().enabled()
        });
        self.timing();
        self.i2c.ic_enable().write(|w| w.enable().enabled());
        self.i2c.ic_clr_intr().read();
    }

    fn timing(&mut self) {
        self.i2c
            .ic_ss_scl_hcnt()
            .write(|w| unsafe { w.ic_ss_scl_hcnt().bits(HIGH) });
        self.i2c
            .ic_ss_scl_lcnt()
            .write(|w| unsafe { w.ic_ss_scl_lcnt().bits(LOW) });
        self.i2c
            .ic_fs_spklen()
            .write(|w| unsafe { w.ic_fs_spklen().bits(SPIKES) });
        self.i2c
            .ic_sda_hold()
            .write(|w| unsafe { w.ic_sda_tx_hold().bits(HOLD) });
        // Interrupts end the loop's sleep, which the timer does soon enough.
        self.i2c.ic_intr_mask().write(|w| unsafe { w.bits(0) });
    }

    fn write(&mut self, byte: u8, is_last: bool) {
        self.i2c
            .ic_data_cmd()
            .write(|w| unsafe { w.stop().bit(is_last).dat().bits(byte) });
    }
}

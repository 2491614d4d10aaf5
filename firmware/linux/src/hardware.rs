//! The chips behind the squares, lever, buttons and lamps: opened, read, and opened again when they
//! have gone.

mod attached;
mod controls;
mod i2c;
mod lamps;
mod open;
mod sensors;
mod wired;

use std::thread;
use std::time::{Duration, Instant};

use embedded_hal::delay::DelayNs;

pub use attached::{Attached, AttachedError};
pub use controls::Lines;
pub use i2c::{Bus, BusError};
pub use lamps::Lamps;
pub use open::{OpenError, open_controls, open_lamps};
pub use sensors::{
    Expanders, Hall, ShiftRegisters, Squares, open_expanders, open_hall, open_shift_registers,
};
pub use wired::{Wired, WiredError};

/// Waits. Linux puts a thread to sleep for some fifty microseconds longer than it asked: what is
/// shorter is waited out.
#[derive(Clone, Copy, Debug)]
pub struct Wait;

const SHORT: Duration = Duration::from_micros(200);

impl DelayNs for Wait {
    fn delay_ns(&mut self, ns: u32) {
        let time = Duration::from_nanos(ns.into());
        if time > SHORT {
            return thread::sleep(time);
        }
        let start = Instant::now();
        while start.elapsed() < time {
            std::hint::spin_loop();
        }
    }
}

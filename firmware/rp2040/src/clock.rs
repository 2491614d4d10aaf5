//! The clock on its jack, and who sits at its left: GP28 is open where White does, as one sees the
//! clock from its front, and joined to ground where Black does.

use board_wire::{ClockBits, Side};
use embedded_hal::digital::InputPin;
use firmware::clock::{Dgt3000, Told, WAKE, WAKE_ADDRESS};
use firmware::report::Controls;
use rp2040_hal::gpio::bank0::Gpio28;
use rp2040_hal::gpio::{FunctionSioInput, Pin, PullUp};

use crate::jack::Jack;

/// The jumper that tells where White sits.
pub(crate) type Seat = Pin<Gpio28, FunctionSioInput, PullUp>;

/// A clock and its line.
pub(crate) struct Clock {
    dgt3000: Dgt3000,
    jack: Jack,
    heard: bool,
}

impl Clock {
    /// The clock on this jack. `told` is what the host of the run before was told of the lever.
    pub(crate) fn new(jack: Jack, mut seat: Seat, told: Option<Controls>) -> Clock {
        let is_open = seat.is_high().unwrap_or(true);
        let left = if is_open { Side::White } else { Side::Black };
        Clock {
            dgt3000: Dgt3000::new(0, left, told.and_then(Controls::lever)),
            jack,
            heard: false,
        }
    }

    /// Hears what came. More behind news of the lever waits for the next time.
    pub(crate) fn listen(&mut self, ms: u32) -> Told {
        while !self.dgt3000.has_news()
            && let Some((byte, first)) = self.jack.read()
        {
            self.dgt3000.receive(ms, byte, first);
        }
        if self.dgt3000.wants_waking(ms) {
            self.jack.send(WAKE_ADDRESS, &WAKE);
        }
        let told = self.dgt3000.told(ms);
        self.heard = told.face.bits.has(ClockBits::SPEAKS);
        told
    }

    /// Whether the clock was heard of late.
    pub(crate) fn is_heard(&self) -> bool {
        self.heard
    }
}

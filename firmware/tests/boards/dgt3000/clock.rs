//! A simulated DGT3000: a time control of its own, a lever, an on/off button.
//!
//! What it sends is what `docs/hardware.md` says of real ones. That it tells times every second
//! while it is in nobody's control is supposed here.

use std::collections::VecDeque;

use board_wire::Side;
use firmware::clock::Crc;

const HELLO: u8 = 2;
const TIME: u8 = 4;
const BUTTONS: u8 = 5;
const LEFT: u8 = 0x40;
const SWITCH: u8 = 0x20;

/// Everything in microseconds.
pub(crate) struct Clock {
    /// Who sits at its left.
    left: Side,
    pub(crate) left_is_down: bool,
    /// What is left for the left and the right side.
    pub(crate) remaining: [u64; 2],
    increment: u64,
    runs: bool,
    pub(crate) is_on: bool,
    tells_at: u64,
    /// Says hello then: it was woken.
    hello_at: Option<u64>,
    /// Frames that wait for the bus, with their address in front.
    pub(crate) queue: VecDeque<Vec<u8>>,
}

impl Clock {
    pub(crate) fn new(left: Side, seconds: u64, increment_s: u64) -> Clock {
        Clock {
            left,
            left_is_down: left == Side::Black,
            remaining: [seconds * 1_000_000; 2],
            increment: increment_s * 1_000_000,
            runs: false,
            is_on: true,
            tells_at: 0,
            hello_at: None,
            queue: VecDeque::new(),
        }
    }

    /// Whose end of the lever is down: the other one thinks.
    pub(crate) fn down(&self) -> Side {
        match (self.left, self.left_is_down) {
            (Side::White, true) | (Side::Black, false) => Side::White,
            _ => Side::Black,
        }
    }

    /// What it shows for White and Black, in whole seconds.
    pub(crate) fn shows(&self) -> [u64; 2] {
        let [left, right] = self.remaining.map(|us| us / 1_000_000);
        match self.left {
            Side::White => [left, right],
            Side::Black => [right, left],
        }
    }

    /// So many microseconds go by, up to `now`.
    pub(crate) fn pass(&mut self, now: u64, us: u64) {
        if self.runs && self.is_on {
            let thinks = &mut self.remaining[usize::from(self.left_is_down)];
            *thinks = thinks.saturating_sub(us);
        }
        if self.hello_at.take_if(|at| *at <= now).is_some() {
            self.say(HELLO, &[0x22, 1]);
        }
        if now >= self.tells_at {
            self.tells_at = now + 1_000_000;
            self.tell();
        }
    }

    /// The side that thinks presses; it gets its increment unless its time is over.
    pub(crate) fn press(&mut self) {
        let before = self.buttons();
        let thinks = &mut self.remaining[usize::from(self.left_is_down)];
        if self.runs && *thinks > 0 {
            *thinks += self.increment;
        }
        self.left_is_down = !self.left_is_down;
        self.runs = true;
        self.say(BUTTONS, &[self.buttons(), before, 0]);
    }

    pub(crate) fn switch_off(&mut self) {
        let lever = self.buttons();
        self.say(BUTTONS, &[lever | SWITCH, lever, 0]);
        self.is_on = false;
    }

    pub(crate) fn switch_on(&mut self, now: u64) {
        self.is_on = true;
        self.hello_at = Some(now);
    }

    /// A wake-up has come.
    pub(crate) fn wake(&mut self, now: u64) {
        self.is_on = true;
        self.hello_at = Some(now + 5_000);
    }

    fn buttons(&self) -> u8 {
        if self.left_is_down { LEFT } else { 0 }
    }

    fn tell(&mut self) {
        let bcd = |number: u64| (number / 10 * 16 + number % 10) as u8;
        let mut data = [0; 19];
        for (at, us) in [1, 7].into_iter().zip(self.remaining) {
            let seconds = us / 1_000_000;
            data[at] = (seconds / 3_600) as u8;
            data[at + 1] = bcd(seconds / 60 % 60);
            data[at + 2] = bcd(seconds % 60);
        }
        data[15] = u8::from(self.left_is_down);
        self.say(TIME, &data);
    }

    fn say(&mut self, kind: u8, data: &[u8]) {
        if !self.is_on {
            return;
        }
        let mut frame = vec![0x00, 0x10, data.len() as u8 + 5, kind];
        frame.extend_from_slice(data);
        let crc = frame.iter().fold(Crc::default(), |crc, b| crc.with(*b));
        frame.push(crc.value());
        self.queue.push_back(frame);
    }
}

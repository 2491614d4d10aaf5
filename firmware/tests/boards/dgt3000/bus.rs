//! The bus between clock and board, with more than one controller: who begins when it is free, who
//! gives way, what is refused, damaged and cut off.

use std::collections::VecDeque;

use firmware::clock::{WAKE, WAKE_ADDRESS};

use super::clock::Clock;
use crate::rig::Dice;

/// Eight bits and an acknowledgement at 100 kbit/s, in microseconds.
const BYTE: u64 = 90;

/// A clock sends the next frame so long after one, and again so long after one that was refused.
const GAP: u64 = 50;
const AGAIN: u64 = 1_000;

/// What is wrong with a bus: each once in so many frames, or never.
#[derive(Clone, Copy, Default)]
pub(crate) struct Faults {
    /// A frame that nobody acknowledges.
    pub(crate) refused: Option<u64>,
    /// A frame with a wrong byte.
    pub(crate) damaged: Option<u64>,
    /// Somebody else begins at the same time.
    pub(crate) rivals: Option<u64>,
}

/// Wires, and what is on them.
pub(crate) struct Bus {
    faults: Faults,
    dice: Dice,
    pub(crate) is_plugged: bool,
    /// The frame on the bus, how many of its bytes are gone, and when the next one is.
    sending: Option<(Vec<u8>, usize, u64)>,
    free_at: u64,
    tries: u8,
    /// A wake-up that the board wants to send.
    wake: bool,
    pub(crate) wakes: u32,
    pub(crate) lost: u32,
    /// What lies in the board's memory.
    pub(crate) received: VecDeque<(u8, bool)>,
}

impl Bus {
    pub(crate) fn new(seed: u64, faults: Faults) -> Bus {
        Bus {
            faults,
            dice: Dice::new(seed),
            is_plugged: true,
            sending: None,
            free_at: 0,
            tries: 0,
            wake: false,
            wakes: 0,
            lost: 0,
            received: VecDeque::new(),
        }
    }

    /// The board sends this to that address; whether anybody acknowledges it.
    pub(crate) fn wake(&mut self, address: u8, bytes: &[u8]) {
        assert_eq!((address, bytes), (WAKE_ADDRESS, &WAKE[..]));
        // One that finds the bus busy gives it up.
        self.wake = self.sending.is_none();
    }

    /// What is done by `now`, in microseconds.
    pub(crate) fn pass(&mut self, now: u64, clock: &mut Clock) {
        if !self.is_plugged {
            self.sending = None;
            self.wake = false;
        }
        if let Some((frame, gone, at)) = &mut self.sending {
            while *gone < frame.len() && *at <= now {
                self.received.push_back((frame[*gone], *gone == 1));
                *gone += 1;
                *at += BYTE;
            }
            if *gone == frame.len() {
                self.free_at = *at + GAP;
                self.sending = None;
            }
        }
        if self.sending.is_none() && now >= self.free_at {
            self.begin(now, clock);
        }
    }

    /// The bus is free: whoever wants it begins.
    fn begin(&mut self, now: u64, clock: &mut Clock) {
        let wake =
            std::mem::take(&mut self.wake).then(|| [&[WAKE_ADDRESS << 1], &WAKE[..]].concat());
        let Some(frame) = clock.queue.front().cloned() else {
            if wake.is_some() {
                self.wakes += 1;
                clock.wake(now);
            }
            return;
        };
        let rival = chance(&mut self.dice, self.faults.rivals).then(|| vec![0x00, 0x08, 0x00]);
        let others = [wake, rival];
        let gives_way = others
            .iter()
            .flatten()
            .any(|other| is_beaten(&frame, other));
        let refused = chance(&mut self.dice, self.faults.refused)
            // A block that was a controller a moment ago is no target yet.
            || others[0].is_some()
            || !self.is_plugged;
        if gives_way || refused {
            self.lost += u32::from(gives_way);
            self.tries += 1;
            self.free_at = now + AGAIN;
            if self.tries == 3 {
                clock.queue.pop_front();
                self.tries = 0;
            }
            return;
        }
        self.tries = 0;
        clock.queue.pop_front();
        self.sending = Some((self.spoil(frame), 1, now + 2 * BYTE));
    }

    fn spoil(&mut self, mut frame: Vec<u8>) -> Vec<u8> {
        if chance(&mut self.dice, self.faults.damaged) {
            let at = 1 + self.dice.below(frame.len() as u64 - 1) as usize;
            frame[at] ^= 1 + self.dice.below(255) as u8;
        }
        frame
    }
}

fn chance(dice: &mut Dice, once_in: Option<u64>) -> bool {
    once_in.is_some_and(|times| dice.once_in(times))
}

/// Whether a controller that sends `frame` sees a low where it sends a high, while another sends
/// `other`: the bus is low when anybody pulls it. It gives way at that bit, and the other never
/// notices (I2C specification, UM10204, section 3.1.8).
pub(crate) fn is_beaten(frame: &[u8], other: &[u8]) -> bool {
    let bits = |bytes: &[u8]| -> Vec<bool> {
        let bit = |n: usize| bytes[n / 8] >> (7 - n % 8) & 1 == 1;
        (0..8 * bytes.len()).map(bit).collect()
    };
    let differ = bits(frame)
        .into_iter()
        .zip(bits(other))
        .find(|(a, b)| a != b);
    differ.is_some_and(|(mine, _)| mine)
}

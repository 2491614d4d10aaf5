//! Frames: a message's bytes and their CRC-32, stuffed by COBS, ended by a zero byte.

use core::fmt;
use core::marker::PhantomData;

use crc::{CRC_32_ISO_HDLC, Crc, Table};

use crate::body::{CRC, Layout, Writer};
pub use crate::body::{Damage, MAX_BODY};

/// Longest frame in bytes, its zero byte included.
pub const MAX_FRAME: usize = cobs::max_encoding_length(MAX_BODY + CRC) + 1;

/// With a table of a kilobyte: a slow processor checks a frame in a fifth of the time.
static CHECK: Crc<u32, Table<1>> = Crc::<u32, Table<1>>::new(&CRC_32_ISO_HDLC);

/// One message as it goes on the line.
#[derive(Clone, Copy)]
pub struct Frame {
    bytes: [u8; MAX_FRAME],
    len: usize,
}

impl Default for Frame {
    /// Nothing to send.
    fn default() -> Frame {
        Frame {
            bytes: [0; MAX_FRAME],
            len: 0,
        }
    }
}

impl Frame {
    /// The bytes to send; the last one is zero and no other is.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes().fmt(f)
    }
}

/// Puts a message into a frame.
pub fn encode(message: &impl Layout) -> Frame {
    let (mut body, mut frame) = (Writer::default(), Frame::default());
    message.write(&mut body);
    seal(&mut body, &mut frame);
    frame
}

/// Puts a body into a frame.
pub(crate) fn seal(body: &mut Writer, frame: &mut Frame) {
    let check = CHECK.checksum(body.as_slice()).to_le_bytes();
    frame.len = cobs::encode(body.close(check), &mut frame.bytes) + 1;
    frame.bytes[frame.len - 1] = 0;
}

/// What feeding bytes came to. The bytes not yet looked at are handed back.
#[derive(Debug)]
pub enum Step<'a, M> {
    /// All bytes are taken; the frame is not complete yet.
    Partial,
    /// A message.
    Message(M, &'a [u8]),
    /// A stretch of bytes that was none. What follows is looked at afresh.
    Damaged(Damage, &'a [u8]),
}

/// Collects bytes until a frame is complete. After damage it starts again at the next zero byte.
#[derive(Clone, Debug)]
pub struct Accumulator<M> {
    bytes: [u8; MAX_FRAME],
    len: usize,
    overflown: bool,
    direction: PhantomData<M>,
}

impl<M: Layout> Default for Accumulator<M> {
    fn default() -> Accumulator<M> {
        Accumulator {
            bytes: [0; MAX_FRAME],
            len: 0,
            overflown: false,
            direction: PhantomData,
        }
    }
}

impl<M: Layout> Accumulator<M> {
    /// Takes bytes up to the end of one frame. Call again with what it hands back until it says
    /// `Partial`.
    pub fn feed<'a>(&mut self, mut input: &'a [u8]) -> Step<'a, M> {
        while let Some((&byte, rest)) = input.split_first() {
            input = rest;
            if byte != 0 {
                self.push(byte);
            } else if self.len > 0 || self.overflown {
                return match self.take() {
                    Ok(message) => Step::Message(message, rest),
                    Err(damage) => Step::Damaged(damage, rest),
                };
            }
        }
        Step::Partial
    }

    /// Forgets a frame begun, as when a line was opened anew.
    pub fn reset(&mut self) {
        self.len = 0;
        self.overflown = false;
    }

    fn push(&mut self, byte: u8) {
        match self.bytes.get_mut(self.len) {
            Some(slot) => {
                *slot = byte;
                self.len += 1;
            }
            None => self.overflown = true,
        }
    }

    fn take(&mut self) -> Result<M, Damage> {
        let (len, overflown) = (self.len, self.overflown);
        self.reset();
        if overflown {
            Err(Damage::TooLong)
        } else {
            decode(&mut self.bytes[..len])
        }
    }
}

fn decode<M: Layout>(stuffed: &mut [u8]) -> Result<M, Damage> {
    let len = cobs::decode_in_place(stuffed).map_err(|_| Damage::Stuffing)?;
    let (body, crc) = stuffed[..len]
        .split_last_chunk::<CRC>()
        .ok_or(Damage::Crc)?;
    if CHECK.checksum(body) != u32::from_le_bytes(*crc) {
        return Err(Damage::Crc);
    }
    M::read(body)
}

//! A frame's body: how messages are put into one and taken out again.

use core::fmt;

/// Longest body in bytes, CRC not counted.
pub const MAX_BODY: usize = 96;

/// Length of the check.
pub(crate) const CRC: usize = 4;

/// A message of one direction, written to and read from a frame's body.
pub trait Layout: Sized {
    /// Appends the message.
    fn write(&self, body: &mut Writer);
    /// Reads a whole body.
    fn read(body: &[u8]) -> Result<Self, Damage>;
}

/// Why a stretch of bytes that ended in zero was no message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Damage {
    /// Longer than any frame.
    TooLong,
    /// Not COBS.
    Stuffing,
    /// The CRC does not match.
    Crc,
    /// The CRC matches, but no message has this shape.
    Malformed,
    /// The CRC matches, but the kind is not known: a later version's message, or the other
    /// direction's.
    UnknownKind(u8),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::TooLong => f.write_str("longer than any frame"),
            Damage::Stuffing => f.write_str("not COBS"),
            Damage::Crc => f.write_str("wrong CRC"),
            Damage::Malformed => f.write_str("no message has this shape"),
            Damage::UnknownKind(kind) => write!(f, "unknown kind of message {kind:#04x}"),
        }
    }
}

/// Collects a body. Every message of this crate fits, which a test of the longest ones shows.
#[derive(Debug)]
pub struct Writer {
    /// With room for the check behind the longest body.
    bytes: [u8; MAX_BODY + CRC],
    len: usize,
}

impl Default for Writer {
    fn default() -> Writer {
        Writer {
            bytes: [0; MAX_BODY + CRC],
            len: 0,
        }
    }
}

impl Writer {
    /// The body so far.
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Appends bytes to the body.
    ///
    /// # Panics
    /// When the body becomes longer than [`MAX_BODY`]: no message may be.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.bytes[..MAX_BODY][self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    /// The body with its check behind it.
    pub(crate) fn close(&mut self, check: [u8; CRC]) -> &[u8] {
        let end = self.len + CRC;
        self.bytes[self.len..end].copy_from_slice(&check);
        &self.bytes[..end]
    }

    pub(crate) fn u32(&mut self, number: u32) {
        self.bytes(&number.to_le_bytes());
    }
}

/// Takes a body apart from its front.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(body: &'a [u8]) -> Reader<'a> {
        Reader(body)
    }

    /// Whether everything was taken.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whatever is left means nothing to this version.
    pub(crate) fn skip_the_rest(&mut self) {
        self.0 = &[];
    }

    pub(crate) fn slice(&mut self, len: usize) -> Option<&'a [u8]> {
        let (front, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(front)
    }

    pub(crate) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.slice(N)?.try_into().ok()
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.take().map(u8::from_le_bytes)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }
}

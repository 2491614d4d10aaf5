//! Frames: one byte with bit 7 set names the message, two carry its length, and no other byte has
//! bit 7.
//!
//! So any byte from 0x80 on begins a frame, wherever it comes: noise costs the frame it falls into
//! and no other.

/// Bytes of a frame before its data.
pub const HEADER: usize = 3;

/// The longest frame that two bytes of seven bits can name.
pub const LONGEST: usize = 0x3fff;

/// A whole frame, as it came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame<'a> {
    /// What it is, bit 7 included.
    pub id: u8,
    /// What follows the header.
    pub data: &'a [u8],
}

/// Bytes that are no frame. Several in a row are told once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damaged;

/// Collects bytes into frames.
#[derive(Clone, Debug)]
pub struct Framer {
    buffer: Vec<u8>,
    /// Whether a message of this id can be this long.
    fits: fn(id: u8, data: usize) -> bool,
    /// The bytes up to the next frame belong to damage that has been told.
    skipping: bool,
}

impl Framer {
    /// `fits` says how much data a message of an id can have. A length that does not fit is damage
    /// at once: nobody waits for its end.
    pub fn new(fits: fn(id: u8, data: usize) -> bool) -> Framer {
        // Whoever begins to listen may begin in the middle of a frame.
        Framer {
            buffer: Vec::new(),
            fits,
            skipping: true,
        }
    }

    /// Forgets a frame of which only a part has come.
    pub fn reset(&mut self) {
        self.buffer.clear();
        self.skipping = true;
    }

    /// Bytes of the frame that has not come wholly yet.
    pub fn pending(&self) -> usize {
        self.buffer.len()
    }

    /// Takes bytes and passes on each frame that ends in them, and each stretch of damage that
    /// begins in them.
    pub fn receive(&mut self, bytes: &[u8], mut each: impl FnMut(Result<Frame<'_>, Damaged>)) {
        for &byte in bytes {
            self.take(byte, &mut each);
        }
    }

    fn take(&mut self, byte: u8, each: &mut impl FnMut(Result<Frame<'_>, Damaged>)) {
        if byte >= 0x80 {
            if !self.buffer.is_empty() {
                each(Err(Damaged));
            }
            self.buffer.clear();
            self.skipping = false;
        } else if self.buffer.is_empty() {
            if !std::mem::replace(&mut self.skipping, true) {
                each(Err(Damaged));
            }
            return;
        }
        self.buffer.push(byte);
        let [id, high, low, data @ ..] = &self.buffer[..] else {
            return;
        };
        let length = usize::from(*high) << 7 | usize::from(*low);
        if length < HEADER || !(self.fits)(*id, length - HEADER) {
            each(Err(Damaged));
            self.reset();
        } else if self.buffer.len() == length {
            each(Ok(Frame { id: *id, data }));
            self.buffer.clear();
        }
    }
}

/// A frame's bytes. The data's bit 7 is cut off, and so is what no frame can hold.
pub fn encode(id: u8, data: &[u8]) -> Vec<u8> {
    let data = &data[..data.len().min(LONGEST - HEADER)];
    let length = data.len() + HEADER;
    let mut bytes = vec![id | 0x80, (length >> 7) as u8, (length & 0x7f) as u8];
    bytes.extend(data.iter().map(|byte| byte & 0x7f));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes out: each frame's id and data, `None` for damage.
    fn heard(pieces: &[&[u8]]) -> Vec<Option<(u8, Vec<u8>)>> {
        let mut framer = Framer::new(|id, data| id != 0x8e || data == 2);
        let mut out = Vec::new();
        for piece in pieces {
            framer.receive(piece, |frame| {
                out.push(frame.ok().map(|f| (f.id, f.data.to_vec())))
            });
        }
        out
    }

    #[test]
    fn a_field_update() {
        assert_eq!(encode(0x0e, &[52, 0]), [0x8e, 0x00, 0x05, 0x34, 0x00]);
        assert_eq!(
            heard(&[&[0x8e, 0x00, 0x05, 0x34, 0x00]]),
            [Some((0x8e, vec![0x34, 0x00]))]
        );
    }

    #[test]
    fn damage_costs_the_frame_it_falls_into() {
        let good = [0x8e, 0, 5, 1, 2];
        let next = [0x8e, 0, 5, 3, 4];
        // Cut short; an id flipped into the data; a length that this message never has.
        for bad in [
            vec![0x8e, 0, 5, 7],
            vec![0x8e, 0, 5, 0xff, 7],
            vec![0x8e, 0, 9, 7, 7, 7],
        ] {
            let told = heard(&[&good, &bad, &next]);
            assert_eq!(told.first(), Some(&Some((0x8e, vec![1, 2]))), "{bad:?}");
            assert_eq!(told.last(), Some(&Some((0x8e, vec![3, 4]))), "{bad:?}");
            assert!(
                told[1..told.len() - 1].iter().all(Option::is_none) && told.len() > 2,
                "{bad:?}: {told:?}"
            );
        }
    }

    #[test]
    fn listening_may_begin_in_the_middle() {
        assert_eq!(
            heard(&[&[5, 1, 2, 0x8e, 0, 5, 3, 4]]),
            [Some((0x8e, vec![3, 4]))]
        );
    }

    #[test]
    fn unknown_messages_are_passed_whole() {
        assert_eq!(
            heard(&[&encode(0x99, &[1; 200]), &[0x8e, 0, 5, 3, 4]]).len(),
            2
        );
        assert_eq!(
            heard(&[&[0x99, 0, 2, 0x8e, 0, 5, 3, 4]]),
            [None, Some((0x8e, vec![3, 4]))],
            "shorter than itself"
        );
    }
}

//! The numbers of the board's runs as they are kept in flash: a record for each run, one behind the
//! other through two sectors, so that no number is told twice in a row.
//!
//! A sector is erased when its first record is due: then the newest one is in the other sector.
//! Power may go at any moment. A record that was being written, or erased, differs from a sound one
//! in bits that are still ones or are ones again, and never in ones that have become zeros: no such
//! bits make its two words fit one another. A record that was written half may look whole at one
//! start and not at the next; it is then either left behind or written again, with the same number.
//! A number is told when its record is whole only, so the next one is higher.
//!
//! Flash wears out by erasing (Winbond W25Q16JV data sheet: 100,000 times), so this does for 100
//! million runs.

use crate::kept::PAGE;

/// Flash is erased in sectors of this size, in bytes (RP2040 data sheet, section 2.8.3.1.3).
pub const SECTOR: usize = 4096;

/// A run's number behind a mark, and the same with every bit the other way round.
pub type Record = [u32; 2];

const BYTES: usize = size_of::<Record>();

/// How many records the two sectors hold.
pub const RECORDS: usize = 2 * SECTOR / BYTES;

/// Tells a number from whatever else has been in this flash.
const MARK: u32 = 0xb007_0000;

/// A run, and which of the records is its.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// Its number.
    pub number: u16,
    /// Its record, counted from the first sector's first.
    pub place: usize,
}

/// The run after the newest of all these records; where there is none, the first, numbered by
/// chance.
pub fn next(records: impl IntoIterator<Item = Record>, chance: u16) -> Run {
    let runs = records
        .into_iter()
        .enumerate()
        .filter_map(|(place, record)| {
            Some(Run {
                number: number(record)?,
                place,
            })
        });
    // Numbers wrap around: later is what is less than half of them ahead.
    let later = |a: Run, b: Run| {
        let is_ahead = b.number.wrapping_sub(a.number) as i16 > 0;
        if is_ahead { b } else { a }
    };
    runs.reduce(later).map_or(
        Run {
            number: chance,
            place: 0,
        },
        |last| Run {
            number: last.number.wrapping_add(1),
            place: (last.place + 1) % RECORDS,
        },
    )
}

fn number([word, inverse]: Record) -> Option<u16> {
    let is_sound = word == !inverse && word >> 16 == MARK >> 16;
    is_sound.then_some(word as u16)
}

impl Run {
    /// What its record holds.
    pub fn record(&self) -> Record {
        let word = MARK | u32::from(self.number);
        [word, !word]
    }

    /// The page with its record, and where that begins, in bytes from the first sector on. All
    /// other bits are ones, which writing leaves as they are.
    pub fn page(&self) -> (usize, [u8; PAGE]) {
        let at = self.place * BYTES;
        let mut page = [0xff; PAGE];
        let words = page[at % PAGE..][..BYTES].chunks_exact_mut(4);
        for (bytes, word) in words.zip(self.record()) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        (at / PAGE * PAGE, page)
    }

    /// Whether the sector that begins with its record has to be erased first.
    pub fn begins_a_sector(&self) -> bool {
        (self.place * BYTES).is_multiple_of(SECTOR)
    }
}

#[cfg(test)]
mod tests;

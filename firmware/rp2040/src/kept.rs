//! Calibration as it is kept in flash: the zero of every square's sensor, with a number and a
//! check.
//!
//! Two sectors hold a page each and are written in turn: the one whose number is the higher counts.
//! Erasing and writing take milliseconds, in which power may go; then the page that was written is
//! damaged, and the other one is as it was.

use crc::{CRC_32_ISO_HDLC, Crc};

/// Flash is written in pages of this size, in bytes (RP2040 data sheet, section 2.8.3.1.3).
pub const PAGE: usize = 256;

/// The page at the beginning of each of the two sectors.
pub type Pages = [[u8; PAGE]; 2];

const CHECK: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// "cal" and the version of this layout: another one is not taken for this one.
const HEAD: [u8; 4] = *b"cal\x02";

const NUMBER: usize = HEAD.len();
const ZEROS: usize = NUMBER + 4;
const SUM: usize = ZEROS + 2 * 64;

/// The zeros that were kept last, in counts of the converter; a1 first. `None` when neither page
/// holds any: they are empty, another layout's, or damaged.
pub fn zeros(pages: &Pages) -> Option<[u16; 64]> {
    let page = &pages[newest(pages)?];
    Some(core::array::from_fn(|n| {
        u16::from_le_bytes([page[ZEROS + 2 * n], page[ZEROS + 2 * n + 1]])
    }))
}

/// Which sector to erase, and the page to write to it, so that these zeros are kept. `None` when
/// they are kept already: flash wears out by writing (W25Q16JV data sheet: 100,000 times).
pub fn next(pages: &Pages, zeros: &[u16; 64]) -> Option<(usize, [u8; PAGE])> {
    let newest = newest(pages);
    let number = newest.map_or(0, |newest| number(&pages[newest]).wrapping_add(1));
    let page = page(number, zeros);
    let is_kept = newest.is_some_and(|newest| pages[newest][ZEROS..SUM] == page[ZEROS..SUM]);
    (!is_kept).then_some((newest.map_or(0, |newest| 1 - newest), page))
}

fn newest(pages: &Pages) -> Option<usize> {
    match pages.each_ref().map(is_sound) {
        [false, false] => None,
        [true, false] => Some(0),
        [false, true] => Some(1),
        // Numbers wrap around: later is what is less than half of them ahead.
        [true, true] => {
            let ahead = number(&pages[1]).wrapping_sub(number(&pages[0]));
            Some(usize::from(ahead as i32 > 0))
        }
    }
}

fn is_sound(page: &[u8; PAGE]) -> bool {
    let sum = CHECK.checksum(&page[..SUM]).to_le_bytes();
    page[..NUMBER] == HEAD && page[SUM..SUM + 4] == sum
}

fn number(page: &[u8; PAGE]) -> u32 {
    u32::from_le_bytes(core::array::from_fn(|n| page[NUMBER + n]))
}

fn page(number: u32, zeros: &[u16; 64]) -> [u8; PAGE] {
    let mut page = [0xff; PAGE];
    page[..NUMBER].copy_from_slice(&HEAD);
    page[NUMBER..ZEROS].copy_from_slice(&number.to_le_bytes());
    for (bytes, zero) in page[ZEROS..SUM].chunks_exact_mut(2).zip(zeros) {
        bytes.copy_from_slice(&zero.to_le_bytes());
    }
    let sum = CHECK.checksum(&page[..SUM]);
    page[SUM..SUM + 4].copy_from_slice(&sum.to_le_bytes());
    page
}

#[cfg(test)]
mod tests;

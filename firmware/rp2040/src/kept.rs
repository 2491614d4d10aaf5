//! What is kept in flash over a loss of power: the zeros of a calibration, the map of the squares,
//! each with a number and a check.
//!
//! For each of them two sectors hold a page and are written in turn: the one whose number is the
//! higher counts. Erasing and writing take milliseconds, in which power may go; then the page that
//! was written is damaged, and the other one is as it was.

use board_wire::SquareMap;
use crc::{CRC_32_ISO_HDLC, Crc};

/// Flash is written in pages of this size, in bytes (RP2040 data sheet, section 2.8.3.1.3).
pub const PAGE: usize = 256;

/// The page at the beginning of each of the two sectors.
pub type Pages = [[u8; PAGE]; 2];

const CHECK: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// Something that is kept: what its pages begin with, a name and the version of this layout.
/// Another one is not taken for this one.
struct Kind<const BYTES: usize>([u8; 4]);

/// The zero of every square's sensor.
const ZEROS: Kind<{ 2 * 64 }> = Kind(*b"cal\x02");

/// The square that each line reads.
const MAP: Kind<64> = Kind(*b"map\x01");

const NUMBER: usize = 4;
const CONTENT: usize = NUMBER + 4;

/// The zeros that were kept last, in counts of the converter; a1 first. `None` when neither page
/// holds any: they are empty, another layout's, or damaged.
pub fn zeros(pages: &Pages) -> Option<[u16; 64]> {
    let bytes = ZEROS.find(pages)?;
    Some(core::array::from_fn(|n| {
        u16::from_le_bytes([bytes[2 * n], bytes[2 * n + 1]])
    }))
}

/// Which sector to erase, and the page to write to it, so that these zeros are kept. `None` when
/// they are kept already: flash wears out by writing (W25Q16JV data sheet: 100,000 times).
pub fn next_zeros(pages: &Pages, zeros: &[u16; 64]) -> Option<(usize, [u8; PAGE])> {
    let mut bytes = [0; 2 * 64];
    for (bytes, zero) in bytes.chunks_exact_mut(2).zip(zeros) {
        bytes.copy_from_slice(&zero.to_le_bytes());
    }
    ZEROS.next(pages, &bytes)
}

/// The map that was kept last.
pub fn map(pages: &Pages) -> Option<SquareMap> {
    SquareMap::new(*MAP.find(pages)?)
}

/// The same for a map.
pub fn next_map(pages: &Pages, map: &SquareMap) -> Option<(usize, [u8; PAGE])> {
    MAP.next(pages, map.squares())
}

/// How many of the pages, of zeros and of maps, are neither whole nor erased.
pub fn damaged(zeros: &Pages, maps: &Pages) -> u32 {
    let erased = |page: &&[u8; PAGE]| page.iter().all(|byte| *byte == 0xff);
    let is_damaged = |page: &&[u8; PAGE], sound: bool| !sound && !erased(page);
    let of_zeros = zeros
        .iter()
        .filter(|page| is_damaged(page, ZEROS.is_sound(page)));
    let of_maps = maps
        .iter()
        .filter(|page| is_damaged(page, MAP.is_sound(page)));
    (of_zeros.count() + of_maps.count()) as u32
}

impl<const BYTES: usize> Kind<BYTES> {
    const SUM: usize = CONTENT + BYTES;

    fn find<'a>(&self, pages: &'a Pages) -> Option<&'a [u8; BYTES]> {
        pages[self.newest(pages)?][CONTENT..Self::SUM]
            .try_into()
            .ok()
    }

    fn next(&self, pages: &Pages, content: &[u8; BYTES]) -> Option<(usize, [u8; PAGE])> {
        let newest = self.newest(pages);
        let number = newest.map_or(0, |newest| number(&pages[newest]).wrapping_add(1));
        let is_kept = newest.is_some_and(|newest| pages[newest][CONTENT..Self::SUM] == content[..]);
        (!is_kept).then(|| {
            let sector = newest.map_or(0, |newest| 1 - newest);
            (sector, self.page(number, content))
        })
    }

    fn newest(&self, pages: &Pages) -> Option<usize> {
        match pages.each_ref().map(|page| self.is_sound(page)) {
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

    fn is_sound(&self, page: &[u8; PAGE]) -> bool {
        let sum = CHECK.checksum(&page[..Self::SUM]).to_le_bytes();
        page[..NUMBER] == self.0 && page[Self::SUM..Self::SUM + 4] == sum
    }

    fn page(&self, number: u32, content: &[u8; BYTES]) -> [u8; PAGE] {
        let mut page = [0xff; PAGE];
        page[..NUMBER].copy_from_slice(&self.0);
        page[NUMBER..CONTENT].copy_from_slice(&number.to_le_bytes());
        page[CONTENT..Self::SUM].copy_from_slice(content);
        let sum = CHECK.checksum(&page[..Self::SUM]);
        page[Self::SUM..Self::SUM + 4].copy_from_slice(&sum.to_le_bytes());
        page
    }
}

fn number(page: &[u8; PAGE]) -> u32 {
    u32::from_le_bytes(core::array::from_fn(|n| page[NUMBER + n]))
}

#[cfg(test)]
mod tests;

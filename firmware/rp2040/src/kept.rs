//! Calibration as it is kept in flash: the zero of every square's sensor, with a check.

use crc::{CRC_32_ISO_HDLC, Crc};

/// Flash is written in pages of this size (RP2040 data sheet, section 2.8.3.1.3).
pub const PAGE: usize = 256;

const CHECK: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// "cal" and the version of this layout: a later one is not taken for this one.
const HEAD: [u8; 4] = *b"cal\x01";

const ZEROS: usize = HEAD.len();
const SUM: usize = ZEROS + 2 * 64;

/// A page that holds these zeros, in counts of the converter; a1 first.
pub fn page(zeros: &[u16; 64]) -> [u8; PAGE] {
    let mut page = [0xff; PAGE];
    page[..ZEROS].copy_from_slice(&HEAD);
    for (bytes, zero) in page[ZEROS..SUM].chunks_exact_mut(2).zip(zeros) {
        bytes.copy_from_slice(&zero.to_le_bytes());
    }
    let sum = CHECK.checksum(&page[..SUM]);
    page[SUM..SUM + 4].copy_from_slice(&sum.to_le_bytes());
    page
}

/// The zeros in a page. `None` when it is empty, another layout's, or damaged.
pub fn zeros(page: &[u8; PAGE]) -> Option<[u16; 64]> {
    let sum = CHECK.checksum(&page[..SUM]).to_le_bytes();
    if page[..ZEROS] != HEAD || page[SUM..SUM + 4] != sum {
        return None;
    }
    Some(core::array::from_fn(|n| {
        u16::from_le_bytes([page[ZEROS + 2 * n], page[ZEROS + 2 * n + 1]])
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> [u16; 64] {
        core::array::from_fn(|n| 2048 + n as u16 * 7)
    }

    #[test]
    fn what_was_kept_comes_back() {
        assert_eq!(zeros(&page(&some())), Some(some()));
    }

    #[test]
    fn an_erased_page_holds_nothing() {
        assert_eq!(zeros(&[0xff; PAGE]), None);
        assert_eq!(zeros(&[0; PAGE]), None);
    }

    #[test]
    fn any_bit_that_changed_is_noticed() {
        for bit in 0..8 * (SUM + 4) {
            let mut damaged = page(&some());
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(zeros(&damaged), None, "bit {bit}");
        }
    }
}

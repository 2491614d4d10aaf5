//! A firmware image as a Raspberry Pi Pico takes it over USB, looked at before a board is given up
//! for it.
//!
//! Source: <https://github.com/microsoft/uf2>, "File format"; what the boot loader of an RP2040
//! asks for besides is in its data sheet, section 2.8.4.2 (256 bytes in each block, the family's
//! number). The name of the image is what `picotool` reads: the Pico SDK's `binary_info`.

pub mod drive;

use thiserror::Error;

const BLOCK: usize = 512;
const PAYLOAD: u32 = 256;
const MARKS: [u32; 3] = [0x0a32_4655, 0x9e5d_5157, 0x0ab1_6f30];
/// Flags of a block: not for flash, the family's number is given.
const NOT_FOR_FLASH: u32 = 0x0001;
const HAS_FAMILY: u32 = 0x2000;
/// Families: `utils/uf2families.json` of the same source.
const RP2040: u32 = 0xe48b_ff56;
const OTHERS: [(u32, &str); 4] = [
    (0xe48b_ff57, "an RP2350's data"),
    (0xe48b_ff59, "an RP2350 (Pico 2)"),
    (0xe48b_ff5a, "an RP2350 (Pico 2, RISC-V)"),
    (0xe48b_ff5b, "an RP2350 (Pico 2)"),
];
/// A Pico's flash.
const FLASH: std::ops::Range<u32> = 0x1000_0000..0x1020_0000;

/// An image for a Raspberry Pi Pico.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Image {
    /// How many blocks it has.
    pub blocks: usize,
    /// Where in flash it lies: from the first byte to behind the last one.
    pub lies: std::ops::Range<u32>,
    /// What the firmware in it calls itself, as a board says it: name and version. `None` where it
    /// does not say.
    pub firmware: Option<String>,
}

/// Why a file is no image for a Raspberry Pi Pico.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "each says it in words")]
pub enum NoImage {
    #[error("it is empty")]
    Empty,
    #[error("it is an ELF file, for debuggers; the UF2 file is wanted")]
    Elf,
    #[error("it is no UF2 file: it does not begin as one")]
    NotUf2,
    #[error("{0} bytes are no whole number of blocks of 512: it was cut, or something was added")]
    Cut(usize),
    #[error("block {0} does not begin and end as one of a UF2 file")]
    Marks(usize),
    #[error("block {0} does not say which chip it is for")]
    NoFamily(usize),
    #[error("block {0} is for {1}, and not for an RP2040 (Raspberry Pi Pico)")]
    Family(usize, String),
    #[error("block {0} is not for flash")]
    NotForFlash(usize),
    #[error("block {0} holds {1} bytes; an RP2040 takes blocks of 256")]
    Payload(usize, u32),
    #[error("block {0} says that it is number {1} of {2}, and not {0} of {3}")]
    Order(usize, u32, u32, usize),
    #[error("block {0} is for address {1:08x}, and a Pico's flash is from 10000000 to 101fffff")]
    Outside(usize, u32),
    #[error("block {0} is for address {1:08x}, which is not behind that of the block before")]
    Overlap(usize, u32),
    #[error("it begins at {0:08x}, and a Pico starts what lies at 10000000")]
    Start(u32),
}

/// Looks at a file.
///
/// # Errors
/// The first thing that is wrong with it; blocks are counted from 0.
pub fn read(file: &[u8]) -> Result<Image, NoImage> {
    if file.is_empty() {
        return Err(NoImage::Empty);
    }
    if file.starts_with(b"\x7fELF") {
        return Err(NoImage::Elf);
    }
    if word(file, 0) != Some(MARKS[0]) {
        return Err(NoImage::NotUf2);
    }
    if !file.len().is_multiple_of(BLOCK) {
        return Err(NoImage::Cut(file.len()));
    }
    let blocks = file.len() / BLOCK;
    let mut lies: Option<std::ops::Range<u32>> = None;
    for (number, block) in file.chunks_exact(BLOCK).enumerate() {
        let address = address(number, blocks, block)?;
        let first = match &lies {
            Some(before) if address < before.end => {
                return Err(NoImage::Overlap(number, address));
            }
            Some(before) => before.start,
            None => address,
        };
        lies = Some(first..address + PAYLOAD);
    }
    let lies = lies.ok_or(NoImage::Empty)?;
    if lies.start != FLASH.start {
        return Err(NoImage::Start(lies.start));
    }
    Ok(Image {
        blocks,
        firmware: name(&in_flash(file, &lies)),
        lies,
    })
}

/// Where a block belongs.
fn address(number: usize, blocks: usize, block: &[u8]) -> Result<u32, NoImage> {
    let words: Vec<u32> = (0..8).filter_map(|n| word(block, 4 * n)).collect();
    let [first, second, flags, address, size, place, count, family] = words[..] else {
        return Err(NoImage::Marks(number));
    };
    if [Some(first), Some(second), word(block, BLOCK - 4)] != MARKS.map(Some) {
        return Err(NoImage::Marks(number));
    }
    if flags & NOT_FOR_FLASH != 0 {
        return Err(NoImage::NotForFlash(number));
    }
    if flags & HAS_FAMILY == 0 {
        return Err(NoImage::NoFamily(number));
    }
    if family != RP2040 {
        let known = OTHERS.iter().find(|(other, _)| *other == family);
        let chip = known.map_or_else(
            || format!("the family {family:08x}"),
            |(_, name)| (*name).to_owned(),
        );
        return Err(NoImage::Family(number, chip));
    }
    if size != PAYLOAD {
        return Err(NoImage::Payload(number, size));
    }
    if (place as usize, count as usize) != (number, blocks) {
        return Err(NoImage::Order(number, place, count, blocks));
    }
    if !FLASH.contains(&address) || !address.is_multiple_of(PAYLOAD) {
        return Err(NoImage::Outside(number, address));
    }
    Ok(address)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    bytes.try_into().ok().map(u32::from_le_bytes)
}

/// What flash holds with this image in it; what is between its pieces is erased.
fn in_flash(file: &[u8], lies: &std::ops::Range<u32>) -> Vec<u8> {
    let mut flash = vec![0xff; (lies.end - lies.start) as usize];
    for block in file.chunks_exact(BLOCK) {
        let at = word(block, 12).map_or(0, |address| (address - lies.start) as usize);
        flash[at..at + PAYLOAD as usize].copy_from_slice(&block[32..32 + PAYLOAD as usize]);
    }
    flash
}

/// Marks of the header that leads to an image's texts, and numbers of those that are wanted.
const HEADER: [u32; 2] = [0x7188_ebf2, 0xe71a_a390];
const TEXT: u32 = 6 | (b'R' as u32) << 16 | (b'P' as u32) << 24;
const NAME: u32 = 0x0203_1c86;
const VERSION: u32 = 0x11a9_bc3a;

/// What the firmware calls itself: its name and its version.
fn name(flash: &[u8]) -> Option<String> {
    let place = |address: u32| address.checked_sub(FLASH.start).map(|at| at as usize);
    let is_header =
        |at: &usize| word(flash, *at) == Some(HEADER[0]) && word(flash, at + 16) == Some(HEADER[1]);
    let header = (0x100..0x200).step_by(4).find(is_header)?;
    let [first, last] = [4, 8].map(|n| word(flash, header + n).and_then(place));
    let text = |number: u32| {
        // An image of ours has six entries.
        let entries = (first?..last?).step_by(4).take(64);
        let found = entries
            .filter_map(|at| word(flash, at).and_then(place))
            .find(|entry| {
                [word(flash, *entry), word(flash, entry + 4)] == [Some(TEXT), Some(number)]
            })?;
        let text = flash.get(word(flash, found + 8).and_then(place)?..)?;
        let end = text.iter().take(64).position(|byte| *byte == 0)?;
        std::str::from_utf8(&text[..end]).ok().map(str::to_owned)
    };
    Some(format!("{} {}", text(NAME)?, text(VERSION)?))
}

#[cfg(test)]
mod tests;

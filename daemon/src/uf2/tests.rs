use proptest::prelude::*;

use super::*;

/// A block as the format describes it.
fn block(number: u32, count: u32, address: u32) -> Vec<u8> {
    let words = [
        MARKS[0], MARKS[1], HAS_FAMILY, address, PAYLOAD, number, count, RP2040,
    ];
    let mut block: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    block.resize(BLOCK - 4, number as u8);
    block.extend(MARKS[2].to_le_bytes());
    block
}

/// Three pages from the start of flash.
fn file() -> Vec<u8> {
    (0..3)
        .flat_map(|n| block(n, 3, FLASH.start + n * PAYLOAD))
        .collect()
}

/// The file with this word of a block changed.
fn with(number: usize, place: usize, word: u32) -> Vec<u8> {
    let mut file = file();
    file[number * BLOCK + 4 * place..][..4].copy_from_slice(&word.to_le_bytes());
    file
}

#[test]
fn a_whole_file_is_an_image() {
    let image = read(&file()).expect("an image");
    assert_eq!((image.blocks, image.firmware), (3, None));
    assert_eq!(image.lies, 0x1000_0000..0x1000_0300);
}

#[test]
fn whatever_is_wrong_is_named() {
    let mut cut = file();
    cut.pop();
    let cases = [
        (vec![], "it is empty"),
        (b"\x7fELF and so on".to_vec(), "an ELF file"),
        (b"# a text".to_vec(), "no UF2 file"),
        (cut, "1535 bytes are no whole number of blocks"),
        (with(1, 1, 7), "block 1 does not begin and end"),
        (with(2, 127, 7), "block 2 does not begin and end"),
        (with(0, 2, 0), "block 0 does not say which chip"),
        (with(0, 2, 0x2001), "block 0 is not for flash"),
        (
            with(0, 7, 0xe48b_ff59),
            "block 0 is for an RP2350 (Pico 2), and not",
        ),
        (
            with(2, 7, 0xada5_2840),
            "the family ada52840, and not for an RP2040",
        ),
        (with(1, 4, 476), "block 1 holds 476 bytes"),
        (
            with(1, 5, 2),
            "block 1 says that it is number 2 of 3, and not 1 of 3",
        ),
        (
            with(2, 6, 4),
            "block 2 says that it is number 2 of 4, and not 2 of 3",
        ),
        (
            with(2, 3, 0x2000_0000),
            "block 2 is for address 20000000, and a Pico's flash",
        ),
        (with(2, 3, 0x1020_0000), "address 10200000"),
        (with(2, 3, 0x1000_0210), "address 10000210"),
        (
            with(1, 3, 0x1000_0000),
            "block 1 is for address 10000000, which is not behind",
        ),
        (with(0, 3, 0x0fff_ff00), "address 0fffff00"),
    ];
    for (file, words) in cases {
        let told = read(&file).expect_err(words).to_string();
        assert!(told.contains(words), "{words}: {told}");
    }
    let late: Vec<u8> = (0..2)
        .flat_map(|n| block(n, 2, FLASH.start + (n + 1) * PAYLOAD))
        .collect();
    assert_eq!(read(&late), Err(NoImage::Start(0x1000_0100)));
}

proptest! {
    /// Whatever is changed in a file, it is an image or is said not to be one; nothing panics, and
    /// what is taken lies in flash.
    #[test]
    fn any_file_is_an_image_or_is_not(
        harm in prop::collection::vec((0..3 * BLOCK, any::<u8>()), 0..12),
        len in 0..=3 * BLOCK,
    ) {
        let mut file = file();
        harm.iter().for_each(|(at, byte)| file[*at] = *byte);
        for file in [&file[..], &file[..len]] {
            if let Ok(image) = read(file) {
                prop_assert!(FLASH.start == image.lies.start && image.lies.end <= FLASH.end);
                prop_assert_eq!(image.blocks * BLOCK, file.len());
            }
        }
    }
}

/// An image's texts where `picotool` looks for them.
#[test]
fn its_name_is_read() {
    let mut flash = vec![0xffu8; 0x400];
    let mut put = |at: usize, words: &[u32]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        flash[at..at + bytes.len()].copy_from_slice(&bytes);
    };
    let at = |offset: u32| FLASH.start + offset;
    put(0x1c0, &[HEADER[0], at(0x200), at(0x208), 0, HEADER[1]]);
    put(0x200, &[at(0x220), at(0x230)]);
    put(0x220, &[TEXT, NAME, at(0x300)]);
    put(0x230, &[TEXT, VERSION, at(0x320)]);
    flash[0x300..0x30c].copy_from_slice(b"pico-matrix\0");
    flash[0x320..0x32f].copy_from_slice(b"0.1.0+47f3ef5c\0");
    assert_eq!(name(&flash).as_deref(), Some("pico-matrix 0.1.0+47f3ef5c"));
    // Whatever else it leads to is no name.
    for byte in 0x1c0..flash.len() {
        let mut damaged = flash.clone();
        damaged[byte] ^= 0x40;
        let _any = name(&damaged);
        let _any = name(&flash[..byte]);
    }
}

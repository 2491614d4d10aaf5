//! Files in an encoding that somebody names, and back.

use std::collections::HashMap;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::{Unreadable, xlsx};
use crate::what;

/// A file in UTF-8, of which it is said in which encoding it is: `windows-1250`, `iso-8859-2`,
/// `windows-1251` and all that browsers know by name (WHATWG Encoding Standard). A workbook says
/// itself how it is written.
///
/// # Errors
/// Where there is no such encoding, or the file is not in it.
pub fn in_utf8(bytes: &[u8], encoding: &str) -> Result<Vec<u8>, Unreadable> {
    let known = known(encoding)?;
    if xlsx::is_workbook(bytes) {
        return Ok(bytes.to_vec());
    }
    let (known, bytes) = match Encoding::for_bom(bytes) {
        Some((marked, length)) if marked == known => (known, bytes.get(length..)),
        Some((marked, _)) => {
            let what = what!(
                "other-encoding",
                "the file says that it is in {marked}, and not in {named}",
                marked = marked.name(),
                named = encoding
            );
            return Err(Unreadable::one(1, 1, what));
        }
        None => (known, Some(bytes)),
    };
    let bytes = bytes.unwrap_or_default();
    let text = known.decode_without_bom_handling_and_without_replacement(bytes);
    match text {
        Some(text) => Ok(text.into_owned().into_bytes()),
        None => {
            let valid = match known == UTF_8 {
                true => Encoding::utf8_valid_up_to(bytes),
                false => first_bad(known, bytes),
            };
            let before = bytes.get(..valid).unwrap_or_default();
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            let what = what!(
                "not-of-encoding",
                "byte {byte} is not of {named}",
                byte = valid,
                named = known.name()
            );
            Err(Unreadable::one(line, 1, what))
        }
    }
}

/// A text in UTF-8 that was read so from a file and changed since, as the file is written: each
/// line that it has already with its bytes.
///
/// # Errors
/// Where the encoding has no sign for something in it.
pub fn as_in(file: &[u8], encoding: &str, text: &[u8]) -> Result<Vec<u8>, Unreadable> {
    let known = known(encoding)?;
    let marked = Encoding::for_bom(file).map_or(0, |(_, length)| length);
    let (mark, bytes) = file.split_at(marked);
    let kept: HashMap<String, &[u8]> = lines(known, bytes).into_iter().collect();
    let mut new = mark.to_vec();
    for (place, line) in String::from_utf8_lossy(text)
        .split_inclusive(is_end)
        .enumerate()
    {
        match kept.get(line) {
            Some(bytes) => new.extend_from_slice(bytes),
            None => new.extend(encoded(known, line).ok_or_else(|| {
                let what = what!(
                    "unwritable",
                    "`{found}` cannot be written in {named}",
                    found = line.trim_end(),
                    named = known.name()
                );
                Unreadable::one(place + 1, 1, what)
            })?),
        }
    }
    Ok(new)
}

fn is_end(c: char) -> bool {
    matches!(c, '\r' | '\n')
}

/// The lines of a file, each with its end and with its bytes.
fn lines<'b>(encoding: &'static Encoding, bytes: &'b [u8]) -> Vec<(String, &'b [u8])> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (mut lines, mut line, mut from) = (Vec::new(), String::new(), 0);
    for (at, byte) in bytes.iter().enumerate() {
        line.reserve(16);
        let is_last = at + 1 == bytes.len();
        let _sound = decoder.decode_to_string_without_replacement(&[*byte], &mut line, is_last);
        if is_last || line.ends_with(is_end) {
            lines.push((std::mem::take(&mut line), &bytes[from..=at]));
            from = at + 1;
        }
    }
    lines
}

/// `None` where it has a character that the encoding has not.
fn encoded(encoding: &'static Encoding, text: &str) -> Option<Vec<u8>> {
    let units = |bytes: fn(u16) -> [u8; 2]| Some(text.encode_utf16().flat_map(bytes).collect());
    // What browsers send is never UTF-16.
    if encoding == UTF_16LE {
        return units(u16::to_le_bytes);
    }
    if encoding == UTF_16BE {
        return units(u16::to_be_bytes);
    }
    let (bytes, _, is_lossy) = encoding.encode(text);
    (!is_lossy).then(|| bytes.into_owned())
}

fn known(encoding: &str) -> Result<&'static Encoding, Unreadable> {
    Encoding::for_label(encoding.trim().as_bytes()).ok_or_else(|| {
        let what = what!(
            "no-encoding",
            "`{named}` is no encoding that is known here; some are {some}",
            named = encoding,
            some = "windows-1250, windows-1251, iso-8859-2, koi8-r, shift_jis, utf-8"
        );
        Unreadable::one(1, 1, what)
    })
}

/// The first byte that is not of an encoding.
fn first_bad(encoding: &'static Encoding, bytes: &[u8]) -> usize {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = String::with_capacity(bytes.len() * 3 + 16);
    decoder
        .decode_to_string_without_replacement(bytes, &mut text, true)
        .1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_in_the_encoding_that_is_named() {
        let wanted = Ok("Łódź".as_bytes().to_vec());
        assert_eq!(in_utf8(b"\xa3\xf3d\x9f", "CP1250"), wanted);
        assert_eq!(in_utf8(b"\xa3\xf3d\xbc", "iso-8859-2"), wanted);
        assert_eq!(in_utf8("\u{feff}Łódź".as_bytes(), "utf-8"), wanted);
        let told = |bytes: &[u8], name| in_utf8(bytes, name).unwrap_err().to_string();
        assert!(told(b"x", "ebcdic").contains("`ebcdic` is no encoding"));
        assert!(told(b"ab\n\xff", "utf-8").contains("byte 3 is not of UTF-8"));
        assert!(told(b"\x81", "shift_jis").contains("is not of Shift_JIS"));
        assert!(told("\u{feff}x".as_bytes(), "cp1250").contains("says that it is in UTF-8"));
    }

    #[test]
    fn what_was_read_is_written_as_it_was() {
        let units = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (file, encoding) in [
            (b"\xa3\xf3d\x9f 1\r\n\r\nx 1\r".to_vec(), "cp1250"),
            (b"\xcd\xf5\xc0\xf6 1\nx 1\n".to_vec(), "gbk"),
            (units("Łódź 1\nx 1"), "utf-16be"),
            ("\u{feff}Łódź 1\nx 1".as_bytes().to_vec(), "utf-8"),
        ] {
            let text = in_utf8(&file, encoding).expect("a text");
            assert_eq!(
                as_in(&file, encoding, &text),
                Ok(file.clone()),
                "{encoding}"
            );
            let text = String::from_utf8(text).expect("UTF-8");
            let new = text.replacen(" 1", "=0", 1);
            let written = as_in(&file, encoding, new.as_bytes()).expect("as it is written");
            assert_eq!(
                in_utf8(&written, encoding),
                Ok(new.into_bytes()),
                "{encoding}"
            );
            let others = written.iter().zip(&file).filter(|(new, old)| new != old);
            assert_eq!(
                (written.len(), others.count()),
                (file.len(), 2),
                "{encoding}"
            );
        }
        let told = as_in(b"x", "cp1250", "x\nЧ".as_bytes()).unwrap_err();
        assert!(
            told.to_string()
                .contains("`Ч` cannot be written in windows-1250"),
            "{told}"
        );
    }
}

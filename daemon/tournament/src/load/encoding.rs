//! Files in an encoding that somebody names.

use encoding_rs::{Encoding, UTF_8};

use super::{Unreadable, xlsx};

/// A file in UTF-8, of which it is said in which encoding it is: `windows-1250`, `iso-8859-2`,
/// `windows-1251` and all that browsers know by name (WHATWG Encoding Standard). A workbook says
/// itself how it is written.
///
/// # Errors
/// Where there is no such encoding, or the file is not in it.
pub fn in_utf8(bytes: &[u8], encoding: &str) -> Result<Vec<u8>, Unreadable> {
    let refused = |text: String| Unreadable::one(1, 1, text);
    let known = Encoding::for_label(encoding.trim().as_bytes()).ok_or_else(|| {
        let some = "windows-1250, windows-1251, iso-8859-2, koi8-r, shift_jis, utf-8";
        refused(format!(
            "`{encoding}` is no encoding that is known here; some are {some}"
        ))
    })?;
    if xlsx::is_workbook(bytes) {
        return Ok(bytes.to_vec());
    }
    let (known, bytes) = match Encoding::for_bom(bytes) {
        Some((marked, length)) if marked == known => (known, bytes.get(length..)),
        Some((marked, _)) => {
            let marked = marked.name();
            let what = format!("the file says that it is in {marked}, and not in {encoding}");
            return Err(refused(what));
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
            let text = format!("byte {valid} is not of {}", known.name());
            Err(Unreadable::one(line, 1, text))
        }
    }
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
}

//! Pictures that arbiters take, of a scoresheet or a board: known by their bytes, whatever they are
//! called.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::office::OfficeError;
use crate::reason::Reason;

/// The longest picture, in bytes: in Base64 it has room in an order that comes through a hub.
pub(super) const MOST: usize = 360 << 10;

/// A picture out of Base64.
///
/// # Errors
/// Where it is none, or too long.
pub(super) fn read(text: &str) -> Result<Vec<u8>, OfficeError> {
    let bad = |what: String| {
        let reason = Reason::new("photo-unfit", format!("the photo {what}"));
        OfficeError::unfit(reason.with("most", MOST >> 10))
    };
    let bytes = STANDARD.decode(text);
    let bytes = bytes.map_err(|error| bad(format!("is no Base64: {error}")))?;
    if bytes.len() > MOST {
        let (long, most) = (bytes.len() >> 10, MOST >> 10);
        return Err(bad(format!("has {long} KiB; {most} KiB is the most")));
    }
    match kind(&bytes) {
        Some(_) => Ok(bytes),
        None => Err(bad("is neither JPEG nor PNG nor WebP".to_owned())),
    }
}

/// The media type of a picture, by how its bytes begin and end; `None` where they are none.
pub(super) fn kind(bytes: &[u8]) -> Option<&'static str> {
    // ISO/IEC 10918-1, B.1.1.3: SOI, then another marker; EOI at the end.
    let is_jpeg = bytes.starts_with(&[0xff, 0xd8, 0xff]) && bytes.ends_with(&[0xff, 0xd9]);
    // PNG, 5.2 and 5.6: the signature, then IHDR; IEND with its checksum at the end.
    let is_png = bytes.starts_with(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
        && bytes.ends_with(b"\0\0\0\0IEND\xae\x42\x60\x82");
    // RFC 9649, 2.4: RIFF with its length, which is even and counts what follows it.
    let length = bytes.get(4..8).and_then(|four| four.first_chunk::<4>());
    let is_whole = length.is_some_and(|four| {
        usize::try_from(u32::from_le_bytes(*four)).is_ok_and(|n| n + 8 == bytes.len())
    });
    let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") && is_whole;
    match (is_jpeg, is_png, is_webp) {
        (true, ..) => Some("image/jpeg"),
        (_, true, _) => Some("image/png"),
        (.., true) => Some("image/webp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR....\0\0\0\0IEND\xae\x42\x60\x82";

    #[test]
    fn a_picture_is_known_by_its_bytes() {
        assert_eq!(kind(PNG), Some("image/png"));
        assert_eq!(kind(b"\xff\xd8\xff\xe0..\xff\xd9"), Some("image/jpeg"));
        assert_eq!(kind(b"RIFF\x08\0\0\0WEBPVP8L"), Some("image/webp"));
        for none in [
            &b""[..],
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            b"\xff\xd8\xff\xe0 cut off",
            &PNG[..20],
            b"RIFF\x09\0\0\0WEBPVP8L",
            b"RIFF\x08\0\0\0WAVEfmt ",
        ] {
            assert_eq!(kind(none), None, "{none:?}");
        }
    }

    #[test]
    fn what_is_too_long_or_no_picture_is_refused_in_words() {
        assert_eq!(read(&STANDARD.encode(PNG)).unwrap(), PNG);
        let long = [&[0xff, 0xd8, 0xff][..], &vec![0; MOST], &[0xff, 0xd9]].concat();
        for (text, words) in [
            ("?".to_owned(), "no Base64"),
            (STANDARD.encode(b"GIF89a"), "neither JPEG nor PNG nor WebP"),
            (STANDARD.encode(&long), "360 KiB is the most"),
        ] {
            let error = read(&text).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}

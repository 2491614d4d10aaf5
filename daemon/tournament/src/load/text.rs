//! Bytes to characters, where it is sure what they are.

use chess_trf::{Encoding, UnreadableText};

use super::{Unreadable, What};
use crate::what;

/// The text of a file.
///
/// # Errors
/// Where it is in no known encoding, or in two at once, or has characters that no text has.
pub(super) fn read(bytes: &[u8]) -> Result<String, Unreadable> {
    let encoding = Encoding::of(bytes);
    let decoded = encoding.decode(bytes);
    let text = decoded.map_err(|e| Unreadable::one(1, 1, undecoded(&e)))?;
    if let (Encoding::Windows1252, Some((valid, broken))) = (encoding, broken_utf8(bytes)) {
        let (line, column) = place(valid, valid.len());
        let what = what!(
            "two-encodings",
            "byte {byte} is not of UTF-8, and what stands before it is",
            byte = broken
        );
        return Err(Unreadable::one(line, column, what));
    }
    // Programs of DOS end their files so.
    let text = text
        .strip_suffix('\u{1a}')
        .map(str::to_owned)
        .unwrap_or(text);
    let strange = |c: char| {
        let is_blank = matches!(c, '\t' | '\r' | '\n' | '\u{c}');
        (c.is_control() && !is_blank) || turns(c)
    };
    match text.char_indices().find(|(_, c)| strange(*c)) {
        Some((at, c)) => {
            let (line, column) = place(&text, at);
            let what = match turns(c) {
                true => turning(c),
                false => what!(
                    "control",
                    "{code} is a control character: is this text, and in UTF-8?",
                    code = code(c)
                ),
            };
            Err(Unreadable::one(line, column, what))
        }
        None => Ok(text),
    }
}

/// A character as Unicode names it.
pub(super) fn code(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

/// What is told of a character that turns the direction of writing.
pub(super) fn turning(c: char) -> What {
    what!(
        "turns",
        "{code} turns the direction of writing or ends a line: names show as others by it",
        code = code(c)
    )
}

/// What is told of bytes that are no text in the encoding that they seem to have.
pub(super) fn undecoded(error: &UnreadableText) -> What {
    what!("undecoded", "{error}", error = error)
}

/// Whether a character makes a name show as another: what overrides or isolates a direction of
/// writing (Unicode Standard Annex #9, table 2), and ends of lines that no program writes. The
/// marks that stand in names of right-to-left scripts are none of these.
pub(super) fn turns(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

/// Of bytes that begin as UTF-8 with letters beyond ASCII: that text, and the first byte that does
/// not go on with it. Hardly any text in a code page looks so.
fn broken_utf8(bytes: &[u8]) -> Option<(&str, usize)> {
    let error = std::str::from_utf8(bytes).err()?;
    let valid = std::str::from_utf8(bytes.get(..error.valid_up_to())?).ok()?;
    (!valid.is_ascii()).then_some((valid, error.valid_up_to()))
}

/// Line and column of a byte of a text, from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or_default();
    let before = before.replace("\r\n", "\n").replace('\r', "\n");
    let last = before.rsplit('\n').next().unwrap_or_default();
    (before.split('\n').count(), last.chars().count() + 1)
}

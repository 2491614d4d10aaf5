//! Bytes to characters and back: encodings, byte order marks, line ends.
//!
//! The format fixes no encoding, and wants lines to end with CR. Programs write all of CR, LF and
//! CRLF, and UTF-8 or the code page of Windows.

use encoding_rs::WINDOWS_1252;

/// How characters are written as bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// UTF-8, plain ASCII included.
    Utf8,
    /// UTF-8 that begins with a byte order mark.
    Utf8Marked,
    /// What Western Windows programs write.
    Windows1252,
    /// UTF-16 with its byte order mark, low bytes first.
    Utf16Le,
    /// UTF-16 with its byte order mark, high bytes first.
    Utf16Be,
}

/// The bytes are no text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("byte {0} cannot be read as {1}")]
pub struct UnreadableText(
    /// Where, from 0.
    pub usize,
    /// As what it should be read.
    pub &'static str,
);

const MARK: char = '\u{feff}';

impl Encoding {
    /// The encoding of a file: its byte order mark says it; else UTF-8 if it can be that, for
    /// hardly any other text can; else Windows-1252.
    pub fn of(bytes: &[u8]) -> Encoding {
        match bytes {
            [0xef, 0xbb, 0xbf, ..] => Encoding::Utf8Marked,
            [0xff, 0xfe, ..] => Encoding::Utf16Le,
            [0xfe, 0xff, ..] => Encoding::Utf16Be,
            _ if std::str::from_utf8(bytes).is_ok() => Encoding::Utf8,
            _ => Encoding::Windows1252,
        }
    }

    /// The characters, without the byte order mark.
    ///
    /// # Errors
    /// The first byte that cannot be read so.
    pub fn decode(self, bytes: &[u8]) -> Result<String, UnreadableText> {
        match self {
            Encoding::Utf8 => utf8(bytes, 0),
            Encoding::Utf8Marked => utf8(bytes.get(3..).unwrap_or_default(), 3),
            // Every byte is a character of it, and the other way round.
            Encoding::Windows1252 => Ok(WINDOWS_1252
                .decode_without_bom_handling(bytes)
                .0
                .into_owned()),
            Encoding::Utf16Le => utf16(bytes, u16::from_le_bytes),
            Encoding::Utf16Be => utf16(bytes, u16::from_be_bytes),
        }
    }

    /// The bytes of a text: in UTF-8 where Windows-1252 does not have all of it.
    pub(crate) fn encode(self, text: &str) -> Vec<u8> {
        let marked = || std::iter::once(MARK).chain(text.chars());
        let units = |bytes: fn(u16) -> [u8; 2]| {
            let mut room = [0; 2];
            let mut out = Vec::new();
            for c in marked() {
                out.extend(
                    c.encode_utf16(&mut room)
                        .iter()
                        .flat_map(|unit| bytes(*unit)),
                );
            }
            out
        };
        match self {
            Encoding::Utf8 => text.as_bytes().to_vec(),
            Encoding::Utf8Marked => marked().collect::<String>().into_bytes(),
            Encoding::Windows1252 => {
                let bytes: Option<Vec<u8>> = text.chars().map(windows).collect();
                bytes.unwrap_or_else(|| text.as_bytes().to_vec())
            }
            Encoding::Utf16Le => units(u16::to_le_bytes),
            Encoding::Utf16Be => units(u16::to_be_bytes),
        }
    }
}

fn utf8(bytes: &[u8], from: usize) -> Result<String, UnreadableText> {
    let text = std::str::from_utf8(bytes);
    text.map(str::to_owned)
        .map_err(|error| UnreadableText(from + error.valid_up_to(), "UTF-8"))
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, UnreadableText> {
    let (pairs, odd) = bytes.get(2..).unwrap_or_default().as_chunks::<2>();
    let mut text = String::new();
    for (n, read) in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).enumerate() {
        text.push(read.map_err(|_| UnreadableText(2 + 2 * n, "UTF-16"))?);
    }
    match odd {
        [] => Ok(text),
        _ => Err(UnreadableText(bytes.len() - 1, "UTF-16")),
    }
}

/// A character in Windows-1252.
fn windows(c: char) -> Option<u8> {
    let mut room = [0; 4];
    match *WINDOWS_1252.encode(c.encode_utf8(&mut room)).0 {
        [byte] => Some(byte),
        _ => None,
    }
}

/// A line and what ends it: CR, LF, CRLF, or nothing at the end of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) end: &'static str,
}

impl Line {
    /// Takes a text apart, so that its lines and their ends are the text again.
    pub(crate) fn all_of(text: &str) -> Vec<Line> {
        let (mut lines, mut rest) = (Vec::new(), text);
        while let Some(at) = rest.find(['\r', '\n']) {
            let (line, after) = rest.split_at(at);
            let end = ["\r\n", "\r", "\n"]
                .into_iter()
                .find(|end| after.starts_with(end))
                .unwrap_or_default();
            lines.push(Line {
                text: line.to_owned(),
                end,
            });
            rest = after.strip_prefix(end).unwrap_or_default();
        }
        if !rest.is_empty() {
            lines.push(Line {
                text: rest.to_owned(),
                end: "",
            });
        }
        lines
    }

    /// The characters in these columns, from 1, as far as the line goes.
    pub(crate) fn columns(&self, from: usize, to: usize) -> &str {
        let place = |column: usize| {
            let mut places = self.text.char_indices().map(|(place, _)| place);
            places.nth(column).unwrap_or(self.text.len())
        };
        self.text
            .get(place(from - 1)..place(to))
            .unwrap_or_default()
    }

    /// The same without blanks around.
    pub(crate) fn field(&self, from: usize, to: usize) -> &str {
        self.columns(from, to).trim()
    }

    /// The character in a column; a blank behind the line's end.
    pub(crate) fn at(&self, column: usize) -> char {
        self.columns(column, column).chars().next().unwrap_or(' ')
    }

    /// Whether the line ends within a number that reaches to this column: numbers end at the last
    /// column of their field.
    pub(crate) fn is_cut_before(&self, to: usize) -> bool {
        let end = self.text.chars().count();
        (1..to).contains(&end) && matches!(self.at(end), '0'..='9' | '.' | ',')
    }

    /// Puts something else in the place of words, wherever they stand as words of their own and in
    /// whatever case. As wide as they are, so that what follows keeps its columns.
    pub(crate) fn replace(&mut self, words: &str, new: &str) {
        let words: Vec<char> = words.trim().chars().collect();
        let mut text: Vec<char> = self.text.chars().collect();
        let is_letter = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric());
        let is_same = |a: &char, b: &char| a.to_lowercase().eq(b.to_lowercase());
        let is_at = |text: &[char], at: usize| {
            let (before, rest) = text.split_at(at);
            let are_there =
                rest.len() >= words.len() && rest.iter().zip(&words).all(|(a, b)| is_same(a, b));
            are_there && !is_letter(before.last()) && !is_letter(rest.get(words.len()))
        };
        for at in 0..text.len() {
            if !words.is_empty() && is_at(&text, at) {
                let blanks = std::iter::repeat(' ');
                let new = new.chars().chain(blanks).take(words.len());
                text.splice(at..at + words.len(), new);
            }
        }
        self.text = text.into_iter().collect();
    }

    /// Puts a character into a column, behind blanks where the line is shorter.
    pub(crate) fn put(&mut self, column: usize, c: char) {
        let mut text: Vec<char> = self.text.chars().collect();
        if text.len() < column {
            text.resize(column, ' ');
        }
        if let Some(place) = text.get_mut(column - 1) {
            *place = c;
        }
        self.text = text.into_iter().collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_is_kept() {
        let text = "012 a\r013 b\r\n\n\r001 c\n001 d";
        let lines = Line::all_of(text);
        let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["012 a", "013 b", "", "", "001 c", "001 d"]);
        let again: String = lines
            .iter()
            .flat_map(|line| [line.text.as_str(), line.end])
            .collect();
        assert_eq!(again, text);
    }

    #[test]
    fn columns_count_characters() {
        let mut line = Line {
            text: "001 Müller x".to_owned(),
            end: "\r",
        };
        assert_eq!(line.columns(5, 10), "Müller");
        assert_eq!((line.at(12), line.at(13)), ('x', ' '));
        line.put(15, '1');
        assert_eq!(line.text, "001 Müller x  1");
        line.put(12, '=');
        assert_eq!(line.text, "001 Müller =  1");
    }

    #[test]
    fn encodings_are_known_by_their_bytes() {
        for (encoding, bytes) in [
            (Encoding::Utf8, "Müller".as_bytes().to_vec()),
            (Encoding::Utf8Marked, "\u{feff}Müller".as_bytes().to_vec()),
            (Encoding::Windows1252, b"M\xfcller \x81\x9d\x80".to_vec()),
            (Encoding::Utf16Le, b"\xff\xfeM\0\xfc\0".to_vec()),
            (Encoding::Utf16Be, b"\xfe\xff\0M\0\xfc".to_vec()),
        ] {
            assert_eq!(Encoding::of(&bytes), encoding);
            let text = encoding.decode(&bytes).unwrap();
            assert!(text.starts_with("Mü"), "{text}");
            assert_eq!(encoding.encode(&text), bytes, "{encoding:?}");
        }
        let cut = Encoding::Utf16Le.decode(b"\xff\xfeM");
        assert_eq!(cut, Err(UnreadableText(2, "UTF-16")));
        let alone = Encoding::Utf16Le.decode(b"\xff\xfe\0\xd8x\0");
        assert_eq!(alone, Err(UnreadableText(2, "UTF-16")));
    }
}

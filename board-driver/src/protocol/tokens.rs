//! Text boards speak in words: `-e2` lifted, `+e4` put down. Lines, words, squares and symbols,
//! shared by their languages.

use arbiter_core::shakmaty::Square;
use arbiter_core::{Reading, Symbol};

/// Longest line: a state with a name, and room to spare. What is longer is no line of a board.
const LONGEST: usize = 160;

/// Cuts a stream into lines, whatever pieces it comes in: carriage return, line feed or both end
/// one.
#[derive(Debug, Default)]
pub struct LineDecoder {
    text: Vec<u8>,
    /// The line is too long already.
    overlong: bool,
}

impl LineDecoder {
    /// The stream begins anew.
    pub fn reset(&mut self) {
        self.text.clear();
        self.overlong = false;
    }

    /// The next byte. `Some(Ok)` is a line that is not empty, `Some(Err)` one that is no text.
    pub fn feed(&mut self, byte: u8) -> Option<Result<String, ()>> {
        if !matches!(byte, b'\r' | b'\n') {
            self.overlong |= self.text.len() >= LONGEST;
            if !self.overlong {
                self.text.push(byte);
            }
            return None;
        }
        let text = std::mem::take(&mut self.text);
        if std::mem::take(&mut self.overlong) {
            return Some(Err(()));
        }
        let is_text = |b: &u8| b.is_ascii_graphic() || matches!(*b, b' ' | b'\t');
        match text.iter().all(is_text) {
            true => String::from_utf8(text)
                .ok()
                .map(|line| line.trim().to_owned())
                .filter(|l| !l.is_empty())
                .map(Ok),
            false => Some(Err(())),
        }
    }
}

/// `-e2`, `+e4`, and with what stands there `+e4L` or `+e4N`.
pub fn change(word: &str) -> Option<(Square, Symbol)> {
    let (sign, rest) = (word.get(..1)?, word.get(1..)?);
    let square = rest.get(..2)?.to_ascii_lowercase().parse().ok()?;
    let symbol = match (sign, &rest[2..]) {
        ("-", "") => Symbol::Empty,
        ("+", "") => Symbol::Something,
        ("+", seen) => occupied(seen)?,
        _ => return None,
    };
    Some((square, symbol))
}

/// What stands on an occupied square, as one letter.
fn occupied(text: &str) -> Option<Symbol> {
    let mut chars = text.chars();
    let symbol = symbol(chars.next()?)?;
    (chars.next().is_none() && symbol != Symbol::Empty).then_some(symbol)
}

/// A square of a state: what event scripts have, and the signs that hobbyists use for empty and
/// occupied.
fn symbol(c: char) -> Option<Symbol> {
    match c {
        '0' | '_' | '-' => Some(Symbol::Empty),
        '1' | 'X' | 'x' => Some(Symbol::Something),
        c => Symbol::from_char(c),
    }
}

/// Sixty-four squares, a1, b1 ... h1, a2 ... h8; `/` and blanks between them mean nothing.
pub fn state(text: &str) -> Option<Reading> {
    let mut symbols = text.chars().filter(|c| !matches!(c, '/' | ' ' | '\t'));
    let mut reading = Reading::EMPTY;
    for square in Square::ALL {
        reading.set(square, symbol(symbols.next()?)?);
    }
    symbols.next().is_none().then_some(reading)
}

/// A change as a word.
pub fn encode_change(square: Square, symbol: Symbol) -> String {
    match symbol {
        Symbol::Empty => format!("-{square}"),
        Symbol::Something => format!("+{square}"),
        seen => format!("+{square}{seen}"),
    }
}

/// A state as sixty-four letters.
pub fn encode_state(reading: &Reading) -> String {
    Square::ALL
        .iter()
        .map(|sq| reading.at(*sq).char())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        assert_eq!(change("-e2"), Some((Square::E2, Symbol::Empty)));
        assert_eq!(change("+E4"), Some((Square::E4, Symbol::Something)));
        assert_eq!(change("+e4D").map(|(_, seen)| seen.char()), Some('D'));
        assert_eq!(change("+e4n").map(|(_, seen)| seen.char()), Some('n'));
        for wrong in [
            "", "e2", "-e9", "+i1", "-e2L", "+e4.", "+e4LL", "+e", "+é4", "*e2",
        ] {
            assert_eq!(change(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn states() {
        let rows = "11111111/11111111/00000000/0000000/0/00000000 00000000/11111111/11111111";
        let reading = state(rows).unwrap();
        assert_eq!(reading.at(Square::A1), Symbol::Something);
        assert_eq!(reading.at(Square::E4), Symbol::Empty);
        assert_eq!(state(&encode_state(&reading)), Some(reading));
        assert_eq!(state(&rows[1..]), None);
        assert_eq!(state(&format!("{rows}1")), None);
    }

    #[test]
    fn lines() {
        let mut lines = LineDecoder::default();
        let heard: Vec<_> = b"-e2\r\n\n +e4 \r\x80\n"
            .iter()
            .filter_map(|b| lines.feed(*b))
            .collect();
        assert_eq!(heard, [Ok("-e2".to_owned()), Ok("+e4".to_owned()), Err(())]);
        let heard: Vec<_> = [b'x'; 500]
            .iter()
            .chain(b"\n-e2\n")
            .filter_map(|b| lines.feed(*b))
            .collect();
        assert_eq!(heard, [Err(()), Ok("-e2".to_owned())]);
    }
}

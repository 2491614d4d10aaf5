//! Names that people give, and that other people read: in tables, in files, on one line.

/// The longest name, in characters.
pub const LONGEST: usize = 120;

/// Whether a character is not to be seen and changes how others are: line breaks and other control
/// characters, and what turns the direction of writing (Unicode Standard Annex #9, table 2 and
/// section 2.6), by which a name can show as another or swallow what stands beside it.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text on one line, as it can be shown in a terminal: what is not to be seen is `\u{fffd}`.
pub fn shown(text: &str) -> String {
    let shown = |c| if is_hidden(c) { '\u{fffd}' } else { c };
    text.chars().map(shown).collect()
}

/// What is wrong with a name, in words; `None` when nothing is.
pub fn complaint(name: &str) -> Option<&'static str> {
    if name.chars().any(is_hidden) {
        Some("holds a line break or another control character")
    } else if name.chars().count() > LONGEST {
        Some("is longer than 120 characters")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for fine in ["", "Anna Berg", "דנה כהן", "Nguyễn Văn A", "👑"] {
            assert_eq!(complaint(fine), None, "{fine}");
        }
        for wrong in [
            "a\nb",
            "a\u{202e}b",
            "\u{2066}",
            "\u{200f}",
            "\u{2028}",
            "\u{7f}",
        ] {
            assert!(complaint(wrong).unwrap().contains("control"), "{wrong:?}");
        }
        assert_eq!(complaint(&"ß".repeat(LONGEST)), None);
        assert!(
            complaint(&"ß".repeat(LONGEST + 1))
                .unwrap()
                .contains("longer")
        );
    }
}

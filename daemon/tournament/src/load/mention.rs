//! Where a text names somebody, however that is written: `Berg, Anna`, `anna berg`, `BERG Anna`.

use std::collections::BTreeSet;

use super::person::is_unseen;

/// A word of a text: where it stands, and as it is compared.
struct Word {
    start: usize,
    end: usize,
    lower: String,
}

/// The spellings of a name in a text. A single word may be anything, and is none.
pub(super) fn spellings<'t>(name: &str, text: &'t str) -> BTreeSet<&'t str> {
    let name: Vec<String> = words(name).into_iter().map(|word| word.lower).collect();
    let mut found = BTreeSet::new();
    if name.len() < 2 {
        return found;
    }
    let words = words(text);
    let mut rest = &words[..];
    while let Some(run) = rest.get(..name.len()) {
        let is_named = is_one(run, text) && is_turned(run, &name);
        if let (true, [first, .., last]) = (is_named, run) {
            found.insert(&text[first.start..last.end]);
        }
        rest = &rest[if is_named { run.len() } else { 1 }..];
    }
    found
}

/// Whether nothing but what parts a name stands between these words.
fn is_one(run: &[Word], text: &str) -> bool {
    let mut between = run.windows(2).map(|two| &text[two[0].end..two[1].start]);
    between.all(is_between)
}

/// Whether these are the parts of a name: the first names may stand before the others, or behind.
fn is_turned(run: &[Word], name: &[String]) -> bool {
    (0..name.len()).any(|turn| {
        let turned = name.iter().cycle().skip(turn);
        run.iter()
            .zip(turned)
            .all(|(word, part)| word.lower == *part)
    })
}

/// Letters and digits that stand together, as far as they are seen.
fn words(text: &str) -> Vec<Word> {
    let (mut words, mut is_open) = (Vec::<Word>::new(), false);
    for (at, c) in text.char_indices() {
        let is_part = c.is_alphanumeric() || is_unseen(c) || is_accent(c);
        match words.last_mut().filter(|_| is_open && is_part) {
            Some(word) => word.push(at, c),
            None if is_part => words.push(Word::new(at, c)),
            None => {}
        }
        is_open = is_part;
    }
    words.retain(|word| !word.lower.is_empty());
    words
}

impl Word {
    fn new(at: usize, c: char) -> Word {
        let mut word = Word {
            start: at,
            end: at,
            lower: String::new(),
        };
        word.push(at, c);
        word
    }

    fn push(&mut self, at: usize, c: char) {
        self.end = at + c.len_utf8();
        let seen = (!is_unseen(c)).then_some(c);
        self.lower
            .extend(seen.into_iter().flat_map(char::to_lowercase));
    }
}

/// An accent that is a letter of its own behind the one that it belongs to.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Whether this may stand between two parts of a name.
fn is_between(text: &str) -> bool {
    let is_sign = |c: char| matches!(c, ',' | '.' | '-' | '\'' | '’' | '‐' | '‑');
    text.chars().filter(|c| is_sign(*c)).count() <= 1
        && text.chars().all(|c| c.is_whitespace() || is_sign(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_however_it_is_written() {
        for (name, text, found) in [
            ("Berg, Anna", "Anna Berg is ill", &["Anna Berg"][..]),
            (
                "berg, anna",
                "(BERG,Anna); Berg  Anna.",
                &["BERG,Anna", "Berg  Anna"],
            ),
            ("Berg, Anna", "Bergs, Anna and Anna-Bergit", &[]),
            ("Berg, Anna", "Berg and Anna", &[]),
            (
                "van Dyke, Bo",
                "Bo van Dyke or Van Dyke Bo",
                &["Bo van Dyke", "Van Dyke Bo"],
            ),
            (
                "O'Neil, Ann-Marie",
                "Ann-Marie O’Neil",
                &["Ann-Marie O’Neil"],
            ),
            (
                "Þórðarson, Élise",
                "… Élise ÞÓRÐARSON!",
                &["Élise ÞÓRÐARSON"],
            ),
            ("Berg, Anna", "Be\u{ad}rg, Anna", &["Be\u{ad}rg, Anna"]),
            ("Li", "Li, Wei", &[]),
            ("Anna Berg", "berg\u{a0}anna", &["berg\u{a0}anna"]),
        ] {
            let spelt: Vec<&str> = spellings(name, text).into_iter().collect();
            assert_eq!(spelt, found, "{name} in {text}");
        }
    }
}

//! What stands on a scoresheet as it is typed, or as a PGN has it: the moves that were played and
//! how the game ended. What a PGN says besides is passed over, and told.

use std::iter::Peekable;
use std::str::Chars;

use tournament::ResultCode;

/// How a scoresheet says that the game has ended; `0-0` is castling there.
const RESULTS: [&str; 8] = ["1-0", "0-1", "1/2-1/2", "½-½", "1:0", "0:1", "1/2", "½"];
/// What text programs make of a hyphen.
const DASHES: [char; 4] = ['‐', '‑', '–', '−'];
/// What is written beside a move and is none: captured in passing, draw offered (Article 9.1.2.3).
const SIGNS: [&str; 5] = ["e.p.", "ep", "e.p", "=", "(=)"];

/// A place in a text: the line and the column, from 1.
type Place = (usize, usize);

/// A scoresheet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scoresheet {
    /// The moves without their numbers.
    pub moves: Vec<String>,
    /// Where each of them stands.
    pub places: Vec<Place>,
    /// The result that stands behind the last of them, if one does. `*` there says nothing.
    pub result: Option<[ResultCode; 2]>,
    /// What was passed over, in words; empty where nothing was.
    pub left_out: String,
    /// Its tags: name, text, place.
    pub tags: Vec<(String, String, Place)>,
}

impl Scoresheet {
    /// Reads one game.
    ///
    /// # Errors
    /// Where something is not closed, a second game begins, a move has a number that it cannot
    /// have, or the tag `Result` says another result than stands behind the moves; with the place.
    pub fn read(text: &str) -> Result<Scoresheet, String> {
        let mut reader = Reader::new(text);
        let mut words = reader.words()?;
        let (mut result, mut end) = (None, None);
        if let Some((last, _)) = words.last()
            && (last == "*" || RESULTS.contains(&last.as_str()))
        {
            let draws = matches!(last.as_str(), "1/2" | "½");
            result = ResultCode::both(if draws { "1/2-1/2" } else { last });
            end = words.pop();
        }
        if let (Some(result), Some((end, _)), Some((_, said, place))) =
            (result, end, reader.tag_of("Result"))
            && ResultCode::both(said).is_some_and(|said| said != result)
        {
            let what = format!("the tag `Result` says {said}, and the moves end with {end}");
            return Err(at(*place, &what));
        }
        numbers(&words)?;
        let moves = words.into_iter().map(|(word, place)| (bare(&word), place));
        let (moves, places) = moves.filter(|(word, _)| !word.is_empty()).unzip();
        Ok(Scoresheet {
            moves,
            places,
            result,
            left_out: reader.passed.told(),
            tags: reader.tags,
        })
    }

    /// The text of a tag, and its place, where it has one that says something.
    pub fn tag(&self, name: &str) -> Option<(&str, Place)> {
        let tag = self.tags.iter().find(|(known, ..)| known == name);
        let tag = tag.map(|(_, text, place)| (text.trim(), *place));
        tag.filter(|(text, _)| !matches!(*text, "" | "?"))
    }
}

/// Numbers of moves follow on each other, from whatever the first of them is.
fn numbers(words: &[(String, Place)]) -> Result<(), String> {
    let (mut moves, mut first) = (0_u64, None);
    for (word, place) in words {
        let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = word.split_at(digits);
        if let (Ok(number), true) = (number.parse::<u64>(), rest.starts_with('.')) {
            let black = u64::from(rest.starts_with("...") || rest.starts_with('…'));
            let half = 2 * number.min(100_000) + black;
            let first = *first.get_or_insert(half.saturating_sub(moves));
            let expected = (first + moves) / 2;
            if number != expected {
                let what = format!(
                    "move number {number} stands where {expected} belongs: is a move missing, or \
                     is one too many?"
                );
                return Err(at(*place, &what));
            }
        }
        moves += u64::from(!bare(word).is_empty());
    }
    Ok(())
}

/// A move without its number: `1.e4`, `1...e5`, but also `0-0`, which many write for castling.
fn bare(word: &str) -> String {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let bare = if digits.starts_with('.') {
        digits
    } else {
        word
    };
    bare.trim_start_matches('.').replace('0', "O")
}

/// What was passed over.
#[derive(Debug, Default)]
struct Passed {
    tags: usize,
    comments: usize,
    variations: usize,
    signs: usize,
}

impl Passed {
    fn told(&self) -> String {
        let all = [
            (self.tags, "tag", "tags"),
            (self.comments, "comment", "comments"),
            (self.variations, "variation", "variations"),
            (self.signs, "sign of annotators", "signs of annotators"),
        ];
        let told = all.iter().filter(|(count, ..)| *count > 0);
        let told = told.map(|(count, one, more)| {
            let what = if *count == 1 { one } else { more };
            format!("{count} {what}")
        });
        told.collect::<Vec<_>>().join(", ")
    }
}

struct Reader<'t> {
    rest: Peekable<Chars<'t>>,
    /// Of what comes next.
    place: Place,
    passed: Passed,
    tags: Vec<(String, String, Place)>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Reader<'t> {
        Reader {
            rest: text.trim_start_matches('\u{feff}').chars().peekable(),
            place: (1, 1),
            passed: Passed::default(),
            tags: Vec::new(),
        }
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        self.place = match c {
            '\n' => (self.place.0 + 1, 1),
            _ => (self.place.0, self.place.1 + 1),
        };
        Some(c)
    }

    /// Everything in the main line, in its order.
    fn words(&mut self) -> Result<Vec<(String, Place)>, String> {
        let mut words = Vec::new();
        while let Some(c) = self.rest.peek().copied() {
            let place = self.place;
            match c {
                _ if c.is_whitespace() => _ = self.next(),
                '[' if words.is_empty() => self.tag()?,
                '[' => return Err(at(place, "another game begins here: type one at a time")),
                '(' => self.variation()?,
                ']' | '}' | ')' => return Err(at(place, &format!("`{c}` closes nothing"))),
                '%' if place.1 == 1 => self.line(),
                '{' | ';' => {
                    self.comment()?;
                    self.passed.comments += 1;
                }
                _ => {
                    let word = self.word();
                    match without_signs(&word) {
                        "" => self.passed.signs += 1,
                        bare => {
                            self.passed.signs += usize::from(bare != word);
                            let bare = bare.replace(DASHES, "-");
                            words.push((bare, place));
                        }
                    }
                }
            }
        }
        Ok(words)
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(c) = self.rest.peek().copied() {
            let is_other = "{}()[];".contains(c) || (c == '$' && !word.is_empty());
            if c.is_whitespace() || is_other {
                break;
            }
            word.extend(self.next());
        }
        word
    }

    fn line(&mut self) {
        while self.next().is_some_and(|c| c != '\n') {}
    }

    /// `[White "Berg, Anna"]`.
    fn tag(&mut self) -> Result<(), String> {
        let place = self.place;
        let (mut is_quoted, mut is_escaped) = (false, false);
        let (mut name, mut text) = (String::new(), String::new());
        while let Some(c) = self.next() {
            match c {
                ']' if !is_quoted => {
                    self.passed.tags += 1;
                    let name = name.trim_start_matches('[').trim().to_owned();
                    self.tags.push((name, text, place));
                    return Ok(());
                }
                '\n' => break,
                '"' if !is_escaped => is_quoted = !is_quoted,
                '\\' if !is_escaped => {}
                _ if is_quoted => text.push(c),
                _ => name.push(c),
            }
            is_escaped = c == '\\' && !is_escaped;
        }
        Err(at(place, "the tag that begins here is not closed"))
    }

    fn tag_of(&self, name: &str) -> Option<&(String, String, Place)> {
        self.tags.iter().find(|(known, ..)| known == name)
    }

    fn comment(&mut self) -> Result<(), String> {
        let place = self.place;
        if self.next() == Some(';') {
            self.line();
            return Ok(());
        }
        while let Some(c) = self.next() {
            if c == '}' {
                return Ok(());
            }
        }
        Err(at(place, "the comment that begins here is not closed"))
    }

    /// A variation with those in it; an offer of a draw looks like one.
    fn variation(&mut self) -> Result<(), String> {
        let (place, mut depth) = (self.place, 0);
        let mut text = String::new();
        while let Some(c) = self.rest.peek().copied() {
            match c {
                '{' | ';' => {
                    self.comment()?;
                    continue;
                }
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            text.extend(self.next());
            if depth == 0 {
                match SIGNS.contains(&text.as_str()) {
                    true => self.passed.signs += 1,
                    false => self.passed.variations += 1,
                }
                return Ok(());
            }
        }
        Err(at(place, "the variation that begins here is not closed"))
    }
}

/// A word without what annotators put behind a move; nothing where it is no move at all.
fn without_signs(word: &str) -> &str {
    let is_nag = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if SIGNS.contains(&word) || word.strip_prefix('$').is_some_and(is_nag) {
        return "";
    }
    word.trim_end_matches(['!', '?']).trim_end_matches("e.p.")
}

fn at((line, column): Place, what: &str) -> String {
    format!("line {line}, column {column}: {what}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, Option<&'static str>, String) {
        let sheet = Scoresheet::read(text).unwrap();
        let result = sheet.result.map(ResultCode::pgn);
        (sheet.moves.join(" "), result, sheet.left_out)
    }

    fn moves(text: &str) -> String {
        read(text).0
    }

    #[test]
    fn moves_as_they_are_written() {
        let text = "1. e4 e5 2.Nf3 Nc6 3... 0-0-0 O-O";
        assert_eq!(moves(text), "e4 e5 Nf3 Nc6 O-O-O O-O");
        assert_eq!(moves("1.e4 0-0"), "e4 O-O");
        // Hyphens as text programs write them.
        assert_eq!(
            read("1. e2–e4 0–0 1–0"),
            ("e2-e4 O-O".to_owned(), Some("1-0"), String::new())
        );
        assert_eq!(read("1.e4 e5").2, "");
    }

    #[test]
    fn the_result_behind_the_last_move() {
        for (word, result) in [
            ("1-0", Some("1-0")),
            ("0-1", Some("0-1")),
            ("0:1", Some("0-1")),
            ("1/2-1/2", Some("1/2-1/2")),
            ("½-½", Some("1/2-1/2")),
            ("½", Some("1/2-1/2")),
            ("*", None),
        ] {
            let text = format!("1. f3 e5\n2. g4 Qh4# {word}\n");
            let (moves, said, _) = read(&text);
            assert_eq!((moves.as_str(), said), ("f3 e5 g4 Qh4#", result), "{word}");
        }
        // Elsewhere it is no move, and is told as one that is not legal.
        let (moves, result, _) = read("1-0 e4");
        assert_eq!((moves.as_str(), result), ("1-O e4", None));
    }

    #[test]
    fn of_a_pgn_the_main_line_is_taken_and_the_rest_is_told() {
        let text = "\u{feff}[Event \"Open [A] \\\"x\\\"\"]\n[Result \"1-0\"]\n\n% no move\n\
                    {A comment (with 1. d4) that\ngoes on} 1. e4! $1 {a} e5 (1... c5 (1... e6 {)} \
                    2. d4) 2. Nf3) 2.Nf3$4 !? Nc6 ; until the line ends 3. Bb5\n\
                    3. exd6 e.p. (=) a6?! 1-0 {resigned}\n";
        let (moves, result, left_out) = read(text);
        assert_eq!(moves, "e4 e5 Nf3 Nc6 exd6 a6");
        assert_eq!(result, Some("1-0"));
        let told = "2 tags, 4 comments, 1 variation, 7 signs of annotators";
        assert_eq!(left_out, told);
    }

    #[test]
    fn where_a_move_stands_is_known() {
        let sheet = Scoresheet::read("[A \"b\"]\n\n1. e4 {x\ny} e5\n  2. Nf3").unwrap();
        assert_eq!(sheet.places, [(3, 4), (4, 4), (5, 6)]);
        let sheet = Scoresheet::read("1.e4 1...e5").unwrap();
        assert_eq!(sheet.places, [(1, 1), (1, 6)]);
    }

    #[test]
    fn numbers_of_moves_follow_on_each_other() {
        for text in [
            "1. e4 e5 2. Nf3 2... Nc6 3. Bb5",
            "17... Qd7 18. Rd1 Rd8 19.Qc2",
            "e4 e5 2. Nf3 Nc6",
            "1. e4 1... e5",
        ] {
            assert!(Scoresheet::read(text).is_ok(), "{text}");
        }
        for (text, told) in [
            (
                "1. e4 e5 3. Nf3",
                "line 1, column 10: move number 3 stands where 2 belongs",
            ),
            (
                "1. e4 e5\n2. Nf3 3. Bb5",
                "line 2, column 8: move number 3 stands where 2",
            ),
            (
                "17... Qd7 17. Rd1",
                "line 1, column 11: move number 17 stands where 18",
            ),
        ] {
            let refused = Scoresheet::read(text).unwrap_err();
            assert!(refused.starts_with(told), "{text}: {refused}");
        }
    }

    #[test]
    fn a_result_in_the_tags_is_that_behind_the_moves() {
        let refused = Scoresheet::read("[White \"A\"]\n[Result \"0-1\"]\n\n1. e4 1-0").unwrap_err();
        let told = "line 2, column 1: the tag `Result` says 0-1, and the moves end with 1-0";
        assert_eq!(refused, told);
        for text in ["[Result \"1/2-1/2\"]\n1. e4 ½", "[Result \"*\"]\n1. e4 1-0"] {
            assert!(Scoresheet::read(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_is_not_closed_is_refused_with_its_place() {
        for (text, told) in [
            ("1. e4 {never", "line 1, column 7: the comment"),
            ("1. e4\n e5 (2. d4", "line 2, column 5: the variation"),
            ("1. e4 (1. d4 {a)", "line 1, column 14: the comment"),
            ("1. e4 e5)", "line 1, column 9: `)` closes nothing"),
            ("1. e4 } e5", "line 1, column 7: `}` closes nothing"),
            ("[White \"A]\n1. e4", "line 1, column 1: the tag"),
            (
                "1. e4 1-0\n\n[Event \"B\"]\n",
                "line 3, column 1: another game",
            ),
        ] {
            let refused = Scoresheet::read(text).unwrap_err();
            assert!(refused.starts_with(told), "{text}: {refused}");
        }
    }
}

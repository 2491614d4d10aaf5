//! A scoresheet as it is typed.

use tournament::ResultCode;

/// How a scoresheet says that the game has ended; `0-0` is castling there.
const RESULTS: [&str; 8] = ["1-0", "0-1", "1/2-1/2", "½-½", "1:0", "0:1", "1/2", "½"];

/// The moves of a scoresheet without their numbers, and the result that stands behind the last, if
/// one does. `*` there says nothing.
pub fn scoresheet(text: &str) -> (Vec<String>, Option<[ResultCode; 2]>) {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let mut result = None;
    if let Some(last) = words.last().copied()
        && (last == "*" || RESULTS.contains(&last))
    {
        words.pop();
        let draws = matches!(last, "1/2" | "½");
        result = ResultCode::both(if draws { "1/2-1/2" } else { last });
    }
    let moves = words.into_iter().map(bare);
    (moves.filter(|word| !word.is_empty()).collect(), result)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, Option<&'static str>) {
        let (moves, result) = scoresheet(text);
        (moves.join(" "), result.map(ResultCode::pgn))
    }

    #[test]
    fn moves_as_they_are_written() {
        let text = "1. e4 e5 2.Nf3 Nc6 3... 0-0-0 O-O";
        assert_eq!(read(text), ("e4 e5 Nf3 Nc6 O-O-O O-O".to_owned(), None));
        assert_eq!(read("1.e4 0-0"), ("e4 O-O".to_owned(), None));
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
            assert_eq!(read(&text), ("f3 e5 g4 Qh4#".to_owned(), result), "{word}");
        }
        // Elsewhere it is no move, and is told as one that is not legal.
        assert_eq!(read("1-0 e4"), ("1-O e4".to_owned(), None));
    }
}

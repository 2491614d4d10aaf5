//! What the arbiter must say, or must not say, to one action.

use arbiter_core::input::Edition;
use serde_json::Value;

use super::articles::Numbers;

/// One expectation: the kind of ruling and whatever the line says about it. What it does not say is
/// not compared.
#[derive(Clone, Debug)]
pub(crate) struct Expectation {
    /// As written.
    pub(crate) text: String,
    negated: bool,
    ruling: String,
    wants: Vec<(&'static str, String)>,
}

/// Words that announce the field that the next word fills.
const FIELDS: [&str; 15] = [
    "by", "ply", "article", "required", "moves", "reason", "squares", "penalty", "claim",
    "readings", "id", "kind", "code", "until", "order",
];
/// Words whose field is filled by all that follows.
const REST: [&str; 2] = ["fen", "says"];
const RULINGS: [&str; 13] = [
    "move",
    "revision",
    "obligation",
    "irregularity",
    "lapsed",
    "withdrawn",
    "doubt",
    "restore",
    "draw-claimable",
    "claim",
    "result",
    "refused",
    "summary",
];

impl Expectation {
    /// Reads `[no] KIND words`.
    pub(crate) fn parse(text: &str) -> Result<Expectation, String> {
        let mut words = text.split_whitespace();
        let mut first = words.next().unwrap_or_default();
        let negated = first == "no";
        if negated {
            first = words.next().unwrap_or_default();
        }
        if !RULINGS.contains(&first) {
            return Err(format!(
                "`{first}` is not a ruling ({})",
                RULINGS.join(", ")
            ));
        }
        let mut wants = Vec::new();
        while let Some(word) = words.next() {
            if let Some(field) = REST.into_iter().find(|f| *f == word) {
                wants.push((field, words.by_ref().collect::<Vec<_>>().join(" ")));
            } else if let Some(field) = FIELDS.into_iter().find(|f| *f == word) {
                let value = words
                    .next()
                    .ok_or_else(|| format!("`{field}` needs a word after it"))?;
                wants.push((field_of(field, first), value.to_owned()));
            } else {
                wants.push((bare(word, first), word.to_owned()));
            }
        }
        Ok(Expectation {
            text: text.to_owned(),
            negated,
            ruling: first.to_owned(),
            wants,
        })
    }

    /// As it reads in another edition: articles are written with their numbers of 2023.
    pub(crate) fn under(&self, edition: Edition) -> Result<Expectation, String> {
        let mut wants = self.wants.clone();
        for (_, number) in wants
            .iter_mut()
            .filter(|(field, number)| *field == "article" && number != "none")
        {
            *number = Numbers::get().translate(number, edition)?.to_owned();
        }
        Ok(Expectation {
            wants,
            ..self.clone()
        })
    }

    /// Whether what was said to the action satisfies the line.
    pub(crate) fn holds<'a>(&self, said: impl IntoIterator<Item = &'a Value>) -> bool {
        let found = said.into_iter().any(|ruling| self.fits(ruling));
        found != self.negated
    }

    fn fits(&self, ruling: &Value) -> bool {
        text_of(&ruling["ruling"]) == self.ruling
            && self
                .wants
                .iter()
                .all(|(field, want)| agrees(field, want, ruling))
    }
}

fn field_of(word: &'static str, ruling: &str) -> &'static str {
    match (word, ruling) {
        ("ply", "revision") => "from_ply",
        _ => word,
    }
}

/// The field that a word without announcement fills.
fn bare(word: &str, ruling: &str) -> &'static str {
    let number = word.chars().all(|c| c.is_ascii_digit());
    match word {
        "white" | "black" | "either" => "by",
        "certain" | "likely" | "possible" => "certainty",
        "made" | "completed" => "state",
        "proposed" | "final" => "proposed",
        "accepted" | "rejected" => "accepted",
        "1-0" | "0-1" | "1/2-1/2" | "*" => "result",
        "done" => "squares",
        _ if number && ruling == "move" => "ply",
        _ if number && ruling == "revision" => "from_ply",
        _ if number => "id",
        _ if word.starts_with(|c: char| c.is_ascii_digit()) => "article",
        _ if is_moves(word) && ruling == "move" => "uci",
        _ if is_moves(word) => "moves",
        _ => match ruling {
            "irregularity" => "code",
            "result" => "reason",
            _ => "kind",
        },
    }
}

fn is_moves(word: &str) -> bool {
    word.split(',')
        .all(|m| m.parse::<arbiter_core::shakmaty::uci::UciMove>().is_ok())
}

fn agrees(field: &str, want: &str, ruling: &Value) -> bool {
    let got = &ruling[field];
    match field {
        "says" => text_of(&ruling["text"]).contains(want),
        "moves" | "required" | "squares" => list_agrees(want, got),
        "readings" => readings_agree(want, got),
        "penalty" => penalty_agrees(want, got),
        "claim" => claim_agrees(want, got),
        "until" => window_agrees(want, &ruling["claim"]["until"]),
        "proposed" => got.as_bool() == Some(want == "proposed"),
        "accepted" => got.as_bool() == Some(want == "accepted"),
        "fen" => same_position(want, got.as_str().unwrap_or_default()),
        _ => text_of(got) == want,
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(s) => s.clone(),
        Value::Null => "none".to_owned(),
        other => other.to_string(),
    }
}

fn list_agrees(want: &str, got: &Value) -> bool {
    let Some(items) = got.as_array() else {
        return want == "free";
    };
    let mut want: Vec<&str> = match want {
        "none" | "done" => Vec::new(),
        "free" => return false,
        list => list.split(',').collect(),
    };
    let mut got: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
    want.sort_unstable();
    got.sort_unstable();
    want == got
}

/// `e4d5/e4f5`: one reading of one move each; moves of one reading are joined by `,`.
fn readings_agree(want: &str, got: &Value) -> bool {
    let mut want: Vec<String> = want.split('/').map(str::to_owned).collect();
    let mut got: Vec<String> = got
        .as_array()
        .into_iter()
        .flatten()
        .map(|reading| words(reading).join(","))
        .collect();
    want.sort();
    got.sort();
    want == got
}

/// The words of a list.
pub(super) fn words(list: &Value) -> Vec<&str> {
    let list = list.as_array().into_iter().flatten();
    list.filter_map(Value::as_str).collect()
}

/// `none`, `+120000` (time, and the game goes on), `loss`, `draw`.
fn penalty_agrees(want: &str, got: &Value) -> bool {
    match want.strip_prefix('+') {
        Some(ms) => got["then"].is_null() && got["opponent_ms"].as_u64() == ms.parse().ok(),
        None if want == "none" => got.is_null(),
        None => got["then"].as_str() == Some(want),
    }
}

/// `touch`, `reply`, `game`, or a number of moves.
fn window_agrees(want: &str, got: &Value) -> bool {
    got.as_str() == Some(want)
        || got["moves"]
            .as_u64()
            .is_some_and(|moves| want.parse() == Ok(moves))
}

/// `none`, `open`, `closed`, `white`, `black`, `either`.
fn claim_agrees(want: &str, got: &Value) -> bool {
    match want {
        "none" => got.is_null(),
        "open" | "closed" => got["open"].as_bool() == Some(want == "open"),
        by => got["by"].as_str() == Some(by),
    }
}

/// Whether two FENs agree in the fields that `want` gives. The en passant square counts only where
/// a capture there is legal; castling rights do not count where one side of the comparison was
/// mirrored and has none.
pub(crate) fn same_position(want: &str, got: &str) -> bool {
    let (want, got) = (plain(want), plain(got));
    want.iter().zip(&got).all(|(w, g)| w == g) && want.len() <= got.len()
}

/// The fields of a FEN with the en passant square only where it matters.
pub(crate) fn plain(fen: &str) -> Vec<String> {
    use arbiter_core::shakmaty::{CastlingMode, Chess, EnPassantMode, fen::Fen};
    let mut fields: Vec<String> = fen.split_whitespace().map(str::to_owned).collect();
    if fields.len() < 4 || fields[3] == "-" {
        return fields;
    }
    let parsed = fen
        .parse::<Fen>()
        .ok()
        .and_then(|f| f.into_position::<Chess>(CastlingMode::Standard).ok());
    let square = parsed.and_then(|p| {
        let normal = Fen::from_position(&p, EnPassantMode::Legal).to_string();
        normal.split_whitespace().nth(3).map(str::to_owned)
    });
    fields[3] = square.unwrap_or_else(|| "-".to_owned());
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_line_compares_what_it_says_and_nothing_else() {
        let said = json!({
            "ruling": "irregularity", "code": "illegal-move", "by": "white",
            "certainty": "certain", "reason": "piece-cannot-move-so",
            "required": ["b1c3", "b1a3"], "penalty": {"opponent_ms": 120_000, "then": null},
            "claim": {"by": "black", "open": true, "until": {"moves": 10}},
        });
        let holds = |line: &str| Expectation::parse(line).unwrap().holds([&said]);
        assert!(holds(
            "irregularity illegal-move by white certain required b1a3,b1c3 \
             penalty +120000 claim open"
        ));
        assert!(holds("irregularity claim black until 10") && !holds("irregularity until 3"));
        assert!(holds("no irregularity touch-move-own-piece"));
        assert!(!holds("no irregularity"));
        assert!(!holds("irregularity illegal-move required b1a3"));
        assert!(!holds("irregularity illegal-move penalty loss"));
        assert!(!holds("irregularity illegal-move likely"));
        assert!(!holds("irregularity illegal-move reason own-king-in-check"));
        assert!(!holds("move 1 b1b3"));
    }

    #[test]
    fn an_en_passant_square_that_nobody_can_use_does_not_count() {
        let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        assert!(same_position(
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -",
            after
        ));
        assert!(!same_position(
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -",
            after
        ));
    }

    #[test]
    fn an_unknown_word_is_refused() {
        assert!(Expectation::parse("irregulatity illegal-move").is_err());
    }
}

//! The columns of tables, by their headings.

use super::{Unreadable, What as Wrong};
use crate::what;

/// So many columns are looked at; lists of pairings have a dozen.
pub(super) const MOST_COLUMNS: usize = 100;

/// What a column has of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    Name,
    Number,
    Rating,
    Id,
    Title,
    Team,
    Federation,
}

/// White's or Black's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    White,
    Black,
}

/// What a column has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Column {
    Round,
    Table,
    Result,
    Of(Side, What),
}

/// Headings without case, blanks and signs.
const ROUND: [&str; 5] = ["round", "runde", "ronde", "rd", "rnd"];
const TABLE: [&str; 10] = [
    "table",
    "board",
    "bo",
    "boardno",
    "tisch",
    "brett",
    "br",
    "échiquier",
    "echiquier",
    "ech",
];
const RESULT: [&str; 6] = ["result", "res", "ergebnis", "erg", "resultat", "résultat"];
const SIDES: [(Side, &[&str]); 2] = [
    (Side::White, &["white", "weiß", "weiss", "blancs", "blanc"]),
    (Side::Black, &["black", "schwarz", "noirs", "noir"]),
];
const WHAT: [(What, &[&str]); 7] = [
    (
        What::Name,
        &["", "name", "player", "spieler", "joueur", "nom"],
    ),
    (
        What::Number,
        &["no", "nr", "number", "sno", "snr", "startno", "startnr"],
    ),
    (What::Rating, &["elo", "rating", "rtg", "eloi"]),
    (What::Id, &["id", "fideid", "fide"]),
    (What::Title, &["title", "titel", "titre"]),
    (
        What::Team,
        &["team", "club", "mannschaft", "verein", "équipe", "equipe"],
    ),
    (
        What::Federation,
        &["fed", "federation", "fédération", "land"],
    ),
];

/// A heading as it is: of one column, or of one of two, the first of which is White's.
enum Heading {
    Column(Column),
    Either(What),
}

fn heading(written: &str) -> Option<Heading> {
    let letters = written.chars().filter(|c| c.is_alphanumeric());
    let word: String = letters.flat_map(char::to_lowercase).collect();
    if word.is_empty() {
        return None;
    }
    for (known, column) in [
        (&ROUND[..], Column::Round),
        (&TABLE[..], Column::Table),
        (&RESULT[..], Column::Result),
    ] {
        if known.contains(&word.as_str()) {
            return Some(Heading::Column(column));
        }
    }
    let what = |rest: &str| {
        let mut all = WHAT.iter();
        let found = all.find(|(_, words)| words.contains(&rest));
        found.map(|(what, _)| *what)
    };
    for (side, names) in SIDES {
        for name in names {
            let rest = word.strip_prefix(name).or_else(|| word.strip_suffix(name));
            if let Some(what) = rest.and_then(what) {
                return Some(Heading::Column(Column::Of(side, what)));
            }
        }
    }
    what(&word).map(Heading::Either)
}

/// What each column has. Where two have the same heading, such as `No.`, the first is White's and
/// the second Black's.
pub(super) fn columns<'a>(headings: impl Iterator<Item = &'a str>) -> Vec<Option<Column>> {
    let headings: Vec<Option<Heading>> = headings.take(MOST_COLUMNS).map(heading).collect();
    let is = |heading: &Option<Heading>, wanted: What| match heading {
        Some(Heading::Either(what)) => *what == wanted,
        _ => false,
    };
    let column = |(place, heading): (usize, &Option<Heading>)| match heading {
        Some(Heading::Column(column)) => Some(*column),
        Some(Heading::Either(what)) => {
            let before = headings[..place].iter().filter(|h| is(h, *what)).count();
            let all = headings.iter().filter(|h| is(h, *what)).count();
            let side = [Side::White, Side::Black].get(before).filter(|_| all == 2);
            side.map(|side| Column::Of(*side, *what))
        }
        None => None,
    };
    headings.iter().enumerate().map(column).collect()
}

/// Whether these are the columns of pairings: who has White, and who has Black.
pub(super) fn are_of_pairings(columns: &[Option<Column>]) -> bool {
    [Side::White, Side::Black].into_iter().all(|side| {
        let tells = [What::Name, What::Number].map(|what| Some(Column::Of(side, what)));
        columns.iter().any(|column| tells.contains(column))
    })
}

/// The headings of columns that nothing is made of.
pub(super) fn passed_over<'a>(
    headings: impl Iterator<Item = &'a str>,
    columns: &[Option<Column>],
    line: usize,
) -> Vec<(usize, usize, Wrong)> {
    let unknown = headings.zip(columns).zip(1..);
    let unknown = unknown.filter(|((text, column), _)| column.is_none() && !text.trim().is_empty());
    unknown
        .map(|((text, _), column)| {
            let what = what!(
                "unused-column",
                "nothing is made of column `{found}`",
                found = text
            );
            (line, column, what)
        })
        .collect()
}

/// Tells columns that are there twice.
pub(super) fn twice(columns: &[Option<Column>], line: usize, wrong: &mut Unreadable) {
    for (place, column) in columns.iter().enumerate() {
        if column.is_some() && columns[..place].contains(column) {
            let what = what!("heading-twice", "the heading of another column once more");
            wrong.add(line, place + 1, what);
        }
    }
}

/// The number behind the word for a round, as titles above tables have it: `Round 3 on 2026/11/22`.
pub(super) fn round_in(title: &str) -> Option<u16> {
    let mut words = title.split_whitespace();
    let word = words.next()?.to_lowercase();
    let number = words.next()?.trim_end_matches([',', ':', '.']);
    let is_round = ROUND.contains(&word.as_str());
    number.parse().ok().filter(|number| is_round && *number > 0)
}

/// The round of which the name of a sheet is: `Round 3`, `Runde3`, `R3`.
pub(super) fn round_of(name: &str) -> Option<u16> {
    let name = name.to_lowercase();
    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    let word = name.strip_suffix(digits)?;
    let word = word.trim_end_matches([' ', '.', '-', '_']);
    let end = digits.find(|c: char| !c.is_ascii_digit());
    let (number, rest) = digits.split_at(end.unwrap_or(digits.len()));
    let is_round = match rest.is_empty() {
        true => word == "r" || ROUND.contains(&word),
        false => ROUND.contains(&word) && !rest.starts_with(char::is_alphanumeric),
    };
    number.parse().ok().filter(|n| is_round && *n > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_as_programs_write_them() {
        use Column::{Of, Result, Table};
        use Side::{Black, White};
        use What::{Id, Name, Number, Rating};
        for (text, expected) in [
            (
                "table,white,black,white_id",
                vec![
                    Some(Table),
                    Some(Of(White, Name)),
                    Some(Of(Black, Name)),
                    Some(Of(White, Id)),
                ],
            ),
            (
                "Bo.,No.,White,Rtg,Pts.,Result,Pts.,Black,Rtg,No.",
                vec![
                    Some(Table),
                    Some(Of(White, Number)),
                    Some(Of(White, Name)),
                    Some(Of(White, Rating)),
                    None,
                    Some(Result),
                    None,
                    Some(Of(Black, Name)),
                    Some(Of(Black, Rating)),
                    Some(Of(Black, Number)),
                ],
            ),
            (
                "Tisch,Weiß,Schwarz,Elo",
                vec![
                    Some(Table),
                    Some(Of(White, Name)),
                    Some(Of(Black, Name)),
                    None,
                ],
            ),
            (
                "Ech.,Blancs,Noirs,WhiteElo,No. Black",
                vec![
                    Some(Table),
                    Some(Of(White, Name)),
                    Some(Of(Black, Name)),
                    Some(Of(White, Rating)),
                    Some(Of(Black, Number)),
                ],
            ),
        ] {
            assert_eq!(columns(text.split(',')), expected, "{text}");
            assert!(are_of_pairings(&columns(text.split(','))));
        }
        assert!(!are_of_pairings(&columns("table,white,result".split(','))));
    }

    #[test]
    fn rounds_in_titles() {
        assert_eq!(round_in("Round 3 on 2026/11/22 at 14:00"), Some(3));
        assert_eq!(round_in("Runde 12"), Some(12));
        for none in ["Round", "Roundabout 3", "Round x", "3", ""] {
            assert_eq!(round_in(none), None, "{none}");
        }
    }

    #[test]
    fn rounds_in_names_of_sheets() {
        for name in [
            "Round 3",
            "runde 3",
            "Ronde3",
            "R3",
            "r 3",
            "Rd. 3",
            "Round_3",
            "Round 3 (Open)",
        ] {
            assert_eq!(round_of(name), Some(3), "{name}");
        }
        for none in [
            "3", "Sheet3", "Table 3", "R3x", "Round", "R0", "Round 3a", "Rook 3",
        ] {
            assert_eq!(round_of(none), None, "{none}");
        }
    }
}

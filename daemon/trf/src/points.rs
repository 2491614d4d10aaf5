//! Points, and what a result is worth in an event.

use std::collections::BTreeMap;
use std::fmt;

use crate::code::Code;
use crate::complaint::{Complaints, Problem};
use crate::text::Line;

/// Points, in tenths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Tenths(pub i32);

impl Tenths {
    /// `11.5` or `11`; a decimal comma is one too.
    pub fn parse(text: &str) -> Option<Tenths> {
        let (whole, tenth) = text.split_once(['.', ',']).unwrap_or((text, "0"));
        let whole: i32 = whole.parse().ok().filter(|n| (0..=9_999).contains(n))?;
        let tenth: i32 = tenth.parse().ok().filter(|n| (0..=9).contains(n))?;
        (!text.starts_with('+')).then_some(Tenths(10 * whole + tenth))
    }
}

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

/// What results are worth: line 162 of TRF26, `XXS` of JaVaFo, `BBW` and its like of bbpPairings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scoring {
    /// A win, over the board or since the opponent was absent.
    pub win: Tenths,
    /// A draw.
    pub draw: Tenths,
    /// A game lost over the board.
    pub loss: Tenths,
    /// An absence, announced or not.
    pub absence: Tenths,
    /// The bye that the pairing gives; `None`: as a win.
    pub pairing_bye: Option<Tenths>,
}

impl Default for Scoring {
    fn default() -> Scoring {
        Scoring {
            win: Tenths(10),
            draw: Tenths(5),
            loss: Tenths(0),
            absence: Tenths(0),
            pairing_bye: None,
        }
    }
}

impl Scoring {
    /// What `code` is worth.
    pub fn of(&self, code: Code) -> Tenths {
        match code {
            Code::Win | Code::ForfeitWin | Code::UnratedWin | Code::FullPointBye => self.win,
            Code::Draw | Code::UnratedDraw | Code::HalfPointBye => self.draw,
            Code::Loss | Code::UnratedLoss => self.loss,
            Code::ForfeitLoss | Code::ZeroPointBye => self.absence,
            Code::PairingBye => self.pairing_bye.unwrap_or(self.win),
        }
    }

    /// Takes what one line says.
    pub(crate) fn read(&mut self, line: &Line) {
        for worth in Worth::all_of(line) {
            let points = worth.points;
            match worth.of {
                "W" => self.win = points,
                "D" => self.draw = points,
                "L" => self.loss = points,
                "A" => self.absence = points,
                "P" => self.pairing_bye = Some(points),
                _ => {}
            }
        }
    }
}

/// What a match of teams is worth in match points: line 362 of TRF26.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatchScoring {
    /// `TW`: a match won.
    pub win: Tenths,
    /// `TD`: drawn.
    pub draw: Tenths,
    /// `TL`: lost.
    pub loss: Tenths,
}

impl Default for MatchScoring {
    fn default() -> MatchScoring {
        MatchScoring {
            win: Tenths(20),
            draw: Tenths(10),
            loss: Tenths(0),
        }
    }
}

impl MatchScoring {
    /// Takes what one line says.
    pub(crate) fn read(&mut self, line: &Line) {
        for worth in Worth::all_of(line) {
            match worth.of {
                "TW" => self.win = worth.points,
                "TD" => self.draw = worth.points,
                "TL" => self.loss = worth.points,
                _ => {}
            }
        }
    }
}

/// What one kind of result is worth, as a line says.
struct Worth<'a> {
    /// The letters that lines 162 and 362 have for the result.
    of: &'a str,
    points: Tenths,
    column: usize,
}

impl Worth<'_> {
    /// What a line says, of whichever kind it is.
    fn all_of(line: &Line) -> Vec<Worth<'_>> {
        match line.columns(1, 3) {
            "162" => Worth::in_columns(line, 6, 1),
            "362" => Worth::in_columns(line, 5, 2),
            "XXS" => Worth::in_words(line),
            "BBW" => Worth::alone(line, "W"),
            "BBD" => Worth::alone(line, "D"),
            "BBL" => Worth::alone(line, "L"),
            "BBZ" => Worth::alone(line, "A"),
            "BBU" => Worth::alone(line, "P"),
            _ => Vec::new(),
        }
    }

    /// Letters, and behind them four columns for the points; nine columns each.
    fn in_columns(line: &Line, first: usize, letters: usize) -> Vec<Worth<'_>> {
        let fields = (first..=first + 54).step_by(9).filter_map(|column| {
            let points = column + letters;
            Some(Worth {
                of: line.columns(column, points - 1),
                points: Tenths::parse(line.field(points, points + 3))?,
                column,
            })
        });
        fields.collect()
    }

    /// `W=3 D=1`, as many as there are.
    fn in_words(line: &Line) -> Vec<Worth<'_>> {
        let text = line.columns(4, usize::MAX - 1);
        let words = text.split_whitespace().filter_map(|word| {
            let (of, points) = word.split_once('=')?;
            let before = word.as_ptr().addr() - text.as_ptr().addr();
            Some(Worth {
                of,
                points: Tenths::parse(points)?,
                column: 4 + text[..before].chars().count(),
            })
        });
        words.collect()
    }

    fn alone<'a>(line: &'a Line, of: &'a str) -> Vec<Worth<'a>> {
        let points = Tenths::parse(line.field(4, 12));
        let worth = points.map(|points| Worth {
            of,
            points,
            column: 4,
        });
        worth.into_iter().collect()
    }
}

/// Where a file says of one kind of result that it is worth this, and elsewhere that.
pub(crate) fn disagree(lines: &[Line]) -> Complaints {
    let (mut said, mut wrong) = (BTreeMap::new(), Complaints(Vec::new()));
    for (line, at) in lines.iter().zip(1..) {
        for Worth { of, points, column } in Worth::all_of(line) {
            let (before, there) = *said.entry(of).or_insert((points, at));
            if before != points {
                let problem = Problem::OtherWorth {
                    of: of.to_owned(),
                    here: points,
                    there: before,
                    line: there,
                };
                wrong.add(at, column, problem);
            }
        }
    }
    wrong
}

/// What of a line that says what results are worth is not understood, and its column.
pub(crate) fn odd_worth(line: &Line) -> Option<(usize, Problem)> {
    let (column, found) = match line.columns(1, 3) {
        "162" => odd_field(line, 6, &["W", "D", "L", "A", "P", "X"]),
        "362" => odd_field(line, 5, &["TW", "TD", "TL"]),
        "BBW" | "BBD" | "BBL" | "BBZ" | "BBU" => {
            let points = line.field(4, usize::MAX - 1);
            let is_none = Tenths::parse(points).is_none();
            is_none.then(|| (4, line.text.trim().to_owned()))
        }
        _ => None,
    }?;
    Some((column, Problem::Worth(found)))
}

/// The first field of nine columns that is none of letters with points behind them; or what stands
/// between two fields.
fn odd_field(line: &Line, first: usize, known: &[&str]) -> Option<(usize, String)> {
    let length = line.text.chars().count();
    let letters = known.first().map_or(0, |letters| letters.chars().count());
    let before = (4..first).find(|column| line.at(*column) != ' ');
    if let Some(column) = before {
        return Some((column, line.field(column, first + 8).to_owned()));
    }
    (first..=length).step_by(9).find_map(|column| {
        let points = column + letters;
        let (name, worth) = (
            line.field(column, points - 1),
            line.field(points, points + 3),
        );
        let behind = line.field(points + 4, column + 8);
        let is_understood = match (name, worth) {
            ("", "") => true,
            (name, worth) => known.contains(&name) && Tenths::parse(worth).is_some(),
        };
        let found = || line.field(column, column + 8).to_owned();
        (!is_understood || !behind.is_empty()).then(|| (column, found()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scoring(lines: &str) -> Scoring {
        let mut scoring = Scoring::default();
        Line::all_of(lines)
            .iter()
            .for_each(|line| scoring.read(line));
        scoring
    }

    #[test]
    fn points_have_one_decimal() {
        assert_eq!(Tenths::parse("11.5"), Some(Tenths(115)));
        assert_eq!(Tenths::parse("3"), Some(Tenths(30)));
        assert_eq!(Tenths::parse("0,5"), Some(Tenths(5)));
        for wrong in ["", "x", "-1", "+1", "1.25", "1.", "99999"] {
            assert_eq!(Tenths::parse(wrong), None, "{wrong}");
        }
        assert_eq!(Tenths(115).to_string(), "11.5");
    }

    #[test]
    fn every_way_to_say_what_a_win_is_worth() {
        for lines in ["162  W 3.0    D 1.0", "XXS W=3 D=1", "BBW 3.0\rBBD  1.0"] {
            let read = scoring(lines);
            let [win, draw, bye] = [Code::Win, Code::UnratedDraw, Code::PairingBye];
            let worth = [win, draw, bye].map(|code| read.of(code));
            assert_eq!(worth, [Tenths(30), Tenths(10), Tenths(30)], "{lines}");
        }
        assert_eq!(scoring("XXS P=1 W=3").of(Code::PairingBye), Tenths(10));
        assert_eq!(scoring("XXS ÄÖ=1 =2 W=x"), Scoring::default());
    }

    #[test]
    fn what_does_not_say_what_a_result_is_worth_is_told() {
        let odd = |text: &str| odd_worth(&Line::all_of(text)[0]);
        for well in [
            "162  W 3.0    D 1.0",
            "162  W   3    D   1    L   0    A   0    P   1",
            "162",
            "362 TW 3     TD 1.5   TL 0 ",
            "362 TW 2.0   TD 1.0   TL 0.0",
            "BBW 3.0",
            "XXS W=3 D=1 PAB=1",
            "012 A name",
        ] {
            assert_eq!(odd(well), None, "{well}");
        }
        for (text, column) in [
            ("162 W 3.0    D 1.0", 5),
            ("162   W 3.0    D 1.0", 6),
            ("162  W 3.0    D x", 15),
            ("162  Q 3.0", 6),
            ("162  W 3.0  9", 6),
            ("362  TW 3     TD 1.5", 5),
            ("362TW 3", 4),
            ("362 TW three", 5),
            ("BBD half", 4),
            ("BBD", 4),
        ] {
            assert_eq!(odd(text).map(|(column, _)| column), Some(column), "{text}");
        }
    }

    #[test]
    fn what_a_match_is_worth() {
        let mut scoring = MatchScoring::default();
        for line in Line::all_of("362 TW 3     TD 1.5   TL 0 ") {
            scoring.read(&line);
        }
        let MatchScoring { win, draw, loss } = scoring;
        assert_eq!([win, draw, loss], [Tenths(30), Tenths(15), Tenths(0)]);
    }
}

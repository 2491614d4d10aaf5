//! Conditions: for which variants a line of `play` or a table under `[end]` holds.

use std::fmt;

use arbiter_core::SensorClass;
use arbiter_core::input::{Edition, TimeClass};

use super::variant::Variant;

/// Alternatives separated by `,`; in each of them words joined by `-` that must all hold:
/// `2014+,piece-1997-2009`.
#[derive(Clone, Default, Debug)]
pub(crate) struct Condition(Vec<Vec<Word>>);

#[derive(Clone, Debug)]
enum Word {
    Editions(Span),
    Class(TimeClass),
    Supervised(bool),
    Sensor(SensorClass),
    Clock(bool),
}

impl Condition {
    /// Reads `2014+`, `1997-2009`, `piece-clockless`, `occupancy,colour`.
    pub(crate) fn parse(text: &str) -> Result<Condition, String> {
        text.split(',')
            .map(|alternative| alternative_of(alternative.trim()))
            .collect::<Result<_, _>>()
            .map(Condition)
    }

    /// Whether it holds. The empty condition always does.
    pub(crate) fn admits(&self, variant: Variant) -> bool {
        self.0.is_empty()
            || self
                .0
                .iter()
                .any(|words| words.iter().all(|word| word.holds(variant)))
    }

    /// How many words must hold at once: the more, the more special.
    pub(crate) fn words(&self) -> usize {
        self.0.iter().map(Vec::len).max().unwrap_or(0)
    }
}

fn alternative_of(text: &str) -> Result<Vec<Word>, String> {
    let parts: Vec<&str> = text.split('-').collect();
    let mut words = Vec::new();
    let mut rest = parts.as_slice();
    while let [first, more @ ..] = rest {
        // No game is played under two editions, so two years joined are a span.
        let joined = more.first().filter(|next| is_year(first) && is_year(next));
        words.push(match joined {
            Some(last) => Word::Editions(Span::parse(&format!("{first}-{last}"))?),
            None => word(first)?,
        });
        rest = if joined.is_some() { &more[1..] } else { more };
    }
    Ok(words)
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.chars().all(|c| c.is_ascii_digit())
}

fn word(text: &str) -> Result<Word, String> {
    Ok(match text {
        "occupancy" => Word::Sensor(SensorClass::Occupancy),
        "colour" => Word::Sensor(SensorClass::Colour),
        "piece" => Word::Sensor(SensorClass::Piece),
        "clock" => Word::Clock(true),
        "clockless" => Word::Clock(false),
        "standard" => Word::Class(TimeClass::Standard),
        "rapid" => Word::Class(TimeClass::Rapid),
        "blitz" => Word::Class(TimeClass::Blitz),
        "supervised" => Word::Supervised(true),
        "unsupervised" => Word::Supervised(false),
        years if years.starts_with(|c: char| c.is_ascii_digit()) => {
            Word::Editions(Span::parse(years)?)
        }
        _ => {
            return Err(format!(
                "`{text}` is not an edition (2014, 2014+, 1997-2009), \
                 a class (standard, rapid, blitz), a sensor (occupancy, colour, piece), \
                 clock, clockless, supervised or unsupervised"
            ));
        }
    })
}

impl Word {
    fn holds(&self, v: Variant) -> bool {
        match self {
            Word::Editions(span) => span.contains(v.laws),
            Word::Class(class) => v.class == *class,
            Word::Supervised(supervised) => v.supervised == *supervised,
            Word::Sensor(sensor) => v.sensor == *sensor,
            Word::Clock(clock) => v.clock == *clock,
        }
    }
}

/// Editions from one to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    first: Edition,
    last: Edition,
}

impl Span {
    /// Reads `2014`, `2014+`, `1997-2009` or `all`.
    pub fn parse(text: &str) -> Result<Span, String> {
        let newest = Edition::default();
        Ok(match (text, text.strip_suffix('+'), text.split_once('-')) {
            ("all", ..) => Span {
                first: Edition::ALL[0],
                last: newest,
            },
            (_, Some(first), _) => Span {
                first: edition(first)?,
                last: newest,
            },
            (_, _, Some((first, last))) => Span {
                first: edition(first)?,
                last: edition(last)?,
            },
            _ => Span {
                first: edition(text)?,
                last: edition(text)?,
            },
        })
    }

    /// Whether `edition` is one of them.
    pub fn contains(self, edition: Edition) -> bool {
        (self.first..=self.last).contains(&edition)
    }
}

fn edition(year: &str) -> Result<Edition, String> {
    let all = Edition::ALL.map(year_of);
    let found = all.iter().position(|known| known == year);
    found
        .map(|n| Edition::ALL[n])
        .ok_or_else(|| format!("`{year}` is not an edition ({})", all.join(", ")))
}

/// The year in which an edition came into force, its name in scenarios: that of event scripts
/// without `fide-`.
pub fn year_of(edition: Edition) -> String {
    let name = serde_json::to_value(edition).unwrap_or_default();
    let name = name.as_str().unwrap_or_default();
    name.trim_start_matches("fide-").to_owned()
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", year_of(self.first), year_of(self.last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Orientation;

    fn variant(laws: Edition, sensor: SensorClass) -> Variant {
        Variant {
            laws,
            sensor,
            ..Variant::of_today(sensor, Orientation::AsWritten)
        }
    }

    fn holds(condition: &str, variant: Variant) -> bool {
        Condition::parse(condition).unwrap().admits(variant)
    }

    #[test]
    fn two_years_joined_are_a_span_and_other_words_must_all_hold() {
        let of_2005 = variant(Edition::Fide2005, SensorClass::Piece);
        assert!(holds("1997-2009", of_2005) && holds("2005", of_2005) && holds("2001+", of_2005));
        assert!(!holds("2009+", of_2005) && !holds("1974-2001", of_2005));
        assert!(holds("piece-1997-2009", of_2005) && holds("1997-2009-piece-standard", of_2005));
        assert!(!holds("1997-2009-colour", of_2005) && !holds("piece-clockless", of_2005));
        assert!(holds("colour,2005", of_2005) && holds("2014+, piece", of_2005));
    }

    #[test]
    fn what_is_no_condition_is_refused() {
        for wrong in ["1984", "2014-1998", "reed", "", "piece-", "2014++"] {
            assert!(Condition::parse(wrong).is_err(), "{wrong}");
        }
    }
}

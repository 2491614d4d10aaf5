//! The number of a rule in each edition, as `tests/scenarios/articles.toml` has it: read by people,
//! not by the program that is tested.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use arbiter_core::input::Edition;

use super::condition::{Span, year_of};

/// Where each rule, named by its number of 2023, stands in an older edition.
pub struct Numbers(BTreeMap<String, Vec<(Span, String)>>);

static NUMBERS: LazyLock<Numbers> = LazyLock::new(|| {
    Numbers::parse(include_str!("../../scenarios/articles.toml"))
        .expect("articles.toml is in order")
});

impl Numbers {
    /// The table.
    pub fn get() -> &'static Numbers {
        &NUMBERS
    }

    fn parse(text: &str) -> Result<Numbers, String> {
        let table: BTreeMap<String, String> = toml::from_str(text).map_err(|e| e.to_string())?;
        let mut numbers = BTreeMap::new();
        for (newest, older) in table {
            let older: Result<_, String> = older.split(", ").map(span).collect();
            numbers.insert(newest, older?);
        }
        Ok(Numbers(numbers))
    }

    /// The numbers of 2023 that the table knows.
    pub fn rules(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The number in `edition` of what is `number` in 2023, and whether it is unconfirmed; `None`
    /// where the edition has no such rule.
    pub fn find(&self, number: &str, edition: Edition) -> Option<(&str, bool)> {
        let (own, spans) = self.0.get_key_value(number)?;
        let listed = spans
            .iter()
            .find(|(span, _)| span.contains(edition))
            .map(|(_, number)| number);
        let cited = match listed {
            Some(listed) => listed,
            None if edition >= Edition::Fide2017 => own,
            None => return None,
        };
        Some((cited.trim_end_matches('?'), cited.ends_with('?')))
    }

    /// As [`Numbers::find`], for an expectation that must have an answer.
    pub(crate) fn translate(&self, number: &str, edition: Edition) -> Result<&str, String> {
        match self.find(number, edition) {
            Some((cited, _)) => Ok(cited),
            None => Err(format!(
                "article {number} is not in articles.toml for {}",
                year_of(edition)
            )),
        }
    }
}

/// `1974-1997 4.2`: some editions, and the number there.
fn span(item: &str) -> Result<(Span, String), String> {
    let (years, number) = item
        .split_once(' ')
        .ok_or_else(|| format!("`{item}`: years, then a number"))?;
    Ok((Span::parse(years)?, number.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_has_its_number_in_each_edition() {
        let find = |number, edition| Numbers::get().find(number, edition);
        assert_eq!(find("4.7", Edition::Fide2005), Some(("4.6", false)));
        assert_eq!(find("4.7", Edition::Fide2018), Some(("4.7", false)));
        assert_eq!(find("4.4.1", Edition::Fide2001), Some(("4.4a", true)));
        assert_eq!(find("9.6.1", Edition::Fide2009), None);
        assert_eq!(find("4.7.9", Edition::Fide2023), None);
    }
}

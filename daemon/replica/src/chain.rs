//! The order of a log that a carrier keeps: every entry has a name, and names the one before.

use std::collections::VecDeque;

use crate::{Batch, Place};

/// The names with which a batch is written to the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// Its own.
    pub name: String,
    /// The name of what must be the log's last when it is written; `None`: of nothing.
    pub after: Option<String>,
}

/// What one hall writes to a log in which nothing may be missing and nothing out of order.
///
/// The log takes an entry only where its last has the name that the entry says, and otherwise tells
/// the name of its last. So it is seen at once where the log has forgotten what it had said to
/// have, or where an entry is in it though nobody was told so, however long ago that was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    line: String,
    count: u64,
    last: Option<String>,
    /// On their way, with where each ends.
    flying: VecDeque<(Place, String)>,
}

impl Chain {
    /// What is written from now on, by a line with this name of chance, after an entry of the name
    /// `last`; an empty name is that of none.
    pub fn new(line: &str, last: &str) -> Chain {
        Chain {
            line: line.to_owned(),
            count: 0,
            last: named(last),
            flying: VecDeque::new(),
        }
    }

    /// The names for what is written next. Never the same twice: what is written once more has
    /// another name, so that it is not taken for a repetition.
    pub fn link<R>(&mut self, batch: &Batch<R>) -> Link {
        self.count += 1;
        let end = batch.after.after(&batch.rows);
        let Place { epoch, seq, mark } = &end;
        let name = format!("{epoch}/{seq}/{mark}/{}-{}", self.line, self.count);
        let before = self.flying.back().map(|(_, name)| name);
        let after = before.or(self.last.as_ref()).cloned();
        self.flying.push_back((end, name.clone()));
        Link { name, after }
    }

    /// The first that was on its way is in the log; gives where it ends.
    pub fn taken(&mut self) -> Option<Place> {
        let (end, name) = self.flying.pop_front()?;
        self.last = Some(name);
        Some(end)
    }

    /// The first that was on its way does not follow on the log's last, which has this name; gives
    /// the place of that. All that is on its way behind it follows on nothing.
    pub fn torn(&mut self, last: &str) -> Option<Place> {
        self.flying.clear();
        self.last = named(last);
        place_of(last)
    }

    /// Nothing is known of what is on its way.
    pub fn stuck(&mut self) {
        self.flying.clear();
    }
}

fn named(name: &str) -> Option<String> {
    (!name.is_empty()).then(|| name.to_owned())
}

/// Where the entry of this name ends; `None` where it is no name of an entry.
pub fn place_of(name: &str) -> Option<Place> {
    let mut parts = name.split('/');
    let (epoch, seq, mark) = (parts.next()?, parts.next()?, parts.next()?);
    Some(Place {
        epoch: epoch.to_owned(),
        seq: seq.parse().ok()?,
        mark: mark.parse().ok()?,
    })
}

/// The line over which the entry of this name was written; `None` where it is no name of an entry.
pub fn line_of(name: &str) -> Option<&str> {
    let (line, _) = name.rsplit('/').next()?.rsplit_once('-')?;
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::{Chain, line_of};
    use crate::{Batch, Place, Row};

    #[test]
    fn a_name_tells_the_line() {
        let rows = vec![Row { mark: -3, what: () }];
        let after = Place::start("e");
        let link = Chain::new("ab12", "").link(&Batch { after, rows });
        assert_eq!(line_of(&link.name), Some("ab12"), "{}", link.name);
        assert_eq!(line_of("something else"), None);
    }
}

//! What was said of how the public sees an event, and when.

use std::collections::BTreeMap;

use tournament::{Act, Publication};

use super::Book;

/// What was said by each act of that, with its moment in milliseconds since 1970, the oldest
/// first; by the number of the event.
pub(super) type Published = BTreeMap<usize, Vec<(i64, Publication)>>;

impl Book {
    /// An act was done: where it changes how an event is public, that is noted.
    pub(super) fn note_published(&mut self, at: i64, act: &Act) {
        if !matches!(act, Act::Publish { .. } | Act::Delay { .. }) {
            return;
        }
        let events = self.past.iter().chain([&self.event]);
        for (number, event) in (1..).zip(events) {
            let said = self.published.entry(number).or_default();
            let known = said.last().map(|(_, publication)| publication);
            if known.unwrap_or(&Publication::default()) != &event.publication {
                said.push((at, event.publication.clone()));
            }
        }
    }

    /// Where a place of an event is stopped: what was said since it is, with the moment of each,
    /// the act that stopped it first.
    pub fn stopped_since(
        &self,
        number: usize,
        (round, table): (Option<u16>, Option<u16>),
    ) -> &[(i64, Publication)] {
        let said = self.published.get(&number).map_or(&[][..], Vec::as_slice);
        let goes_on = |(_, said): &(i64, Publication)| !said.is_stopped(round, table);
        let first = said.iter().rposition(goes_on).map_or(0, |last| last + 1);
        said.get(first..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use tournament::{Lateness, Scope};

    use super::*;
    use crate::store::Deeds;

    #[test]
    fn it_is_known_since_when_a_place_is_stopped_and_what_was_said_since() {
        let mut book = Book::read(&Deeds::default(), Vec::new());
        let place = Scope::default();
        let publish = |stopped| Act::Publish {
            place,
            event: None,
            stopped,
            reason: String::new(),
        };
        let by = Some(Lateness::default());
        let acts = [publish(true), publish(false), publish(true)];
        let acts = acts.into_iter().chain([Act::Delay { place, by }]);
        let anywhere = (Some(1), Some(1));
        for ((n, act), since) in (1..).zip(acts).zip([1, 0, 3, 3]) {
            book.apply_of(("", n), &act).unwrap();
            let stopped = book.stopped_since(1, anywhere);
            let first = stopped.first().map_or(0, |(at, _)| *at);
            assert_eq!(first, since, "after {n}");
        }
        assert_eq!(book.stopped_since(1, anywhere).len(), 2);
        assert!(book.stopped_since(2, anywhere).is_empty());
    }
}

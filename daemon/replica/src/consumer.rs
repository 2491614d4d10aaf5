//! The hub's side of one hall: what is taken of what arrives.

use std::ops::Range;

use crate::{Batch, Hello, Place, Why};

/// What the hub has of one hall.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Consumer {
    at: Option<Place>,
}

/// What a hall's introduction means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Greeted {
    /// It goes on from this place.
    Welcome(Place),
    /// A mirror is begun; of one that is there becomes what `instead` says.
    Begin {
        /// Where it begins.
        at: Place,
        /// Why there is another already.
        instead: Option<Why>,
    },
    /// It is another hall's store, or one that was made anew: a person has to say which counts.
    Foreign,
}

/// What is to be done with a batch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// These of its rows are taken, as one.
    Take(Range<usize>),
    /// The hub has all of it.
    Known,
    /// It follows on rows that the hub has not, or on others than it has.
    Gap,
    /// It is of another journal.
    Foreign,
}

impl Consumer {
    /// A hub that has everything up to this place; `None`: nothing.
    pub fn new(at: Option<Place>) -> Consumer {
        Consumer { at }
    }

    /// Up to where the hub has everything.
    pub fn at(&self) -> Option<&Place> {
        self.at.as_ref()
    }

    /// What to do about a hall that introduces itself.
    pub fn greet(&self, hello: &Hello) -> Greeted {
        let begin = |instead| Greeted::Begin {
            at: Place::start(&hello.epoch),
            instead,
        };
        match &self.at {
            None => begin(None),
            Some(at) if at.epoch == hello.epoch => Greeted::Welcome(at.clone()),
            Some(at) => {
                let mut names = hello.earlier.iter();
                let since = names.position(|name| name.epoch == at.epoch);
                since.map_or(Greeted::Foreign, |since| {
                    let mut since = hello.earlier[since..].iter();
                    let is_erased = since.any(|name| name.why == Why::Erased);
                    begin(Some(if is_erased { Why::Erased } else { Why::Other }))
                })
            }
        }
    }

    /// What to do with a batch.
    pub fn judge<R>(&self, batch: &Batch<R>) -> Verdict {
        let (after, rows) = (&batch.after, &batch.rows);
        let Some(at) = self.at.as_ref().filter(|at| at.epoch == after.epoch) else {
            return Verdict::Foreign;
        };
        let Some(known) = at.seq.checked_sub(after.seq) else {
            return Verdict::Gap;
        };
        let known = usize::try_from(known).unwrap_or(usize::MAX);
        if known > rows.len() {
            return Verdict::Known;
        }
        match known.checked_sub(1).map_or(after.mark, |n| rows[n].mark) {
            mark if mark != at.mark => Verdict::Gap,
            _ if known == rows.len() => Verdict::Known,
            _ => Verdict::Take(known..rows.len()),
        }
    }

    /// Everything up to this place is on the disk.
    pub fn applied(&mut self, at: Place) {
        self.at = Some(at);
    }
}

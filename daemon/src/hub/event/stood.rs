//! How the tables of an event stood, one after the other, as the acts of a store say.

use std::collections::BTreeMap;

use tournament::{Act, Outcome, ResultCode, Tournament};

use super::gather::{Seat, acts_of, counted, seat_of};
use crate::store::Deeds;

/// How a table stood, one after the other.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Stood {
    pub(super) results: Vec<Stand>,
    /// Whether its game was postponed.
    pub(super) postponed: Vec<bool>,
}

impl Stood {
    /// Whether all of this stood, whatever else did between.
    pub(super) fn has(&self, these: &Stood) -> bool {
        fn within<T: PartialEq>(all: &[T], these: &[T]) -> bool {
            let mut all = all.iter();
            these.iter().all(|is| all.any(|stood| stood == is))
        }
        within(&self.results, &these.results) && within(&self.postponed, &these.postponed)
    }

    /// Whether this is how it stands now.
    pub(super) fn ends_with(&self, outcome: &Outcome) -> bool {
        self.results.last() == Some(&stand(Some(outcome)))
    }

    /// The same with a result that was taken back.
    pub(super) fn taken_back(&self) -> Stood {
        let results = self.results.iter().copied();
        Stood {
            results: results.chain([None]).collect(),
            postponed: Vec::new(),
        }
    }

    fn add(&mut self, result: Stand, postponed: bool) {
        if self.results.last() != Some(&result) {
            self.results.push(result);
        }
        self.later(postponed);
    }

    pub(super) fn later(&mut self, is_postponed: bool) {
        if self.postponed.last() != Some(&is_postponed) {
            self.postponed.push(is_postponed);
        }
    }
}

/// How the result of a table stood: what, and whether it was confirmed.
pub(super) type Stand = Option<([ResultCode; 2], bool)>;

pub(super) fn stand(outcome: Option<&Outcome>) -> Stand {
    outcome.map(|outcome| (outcome.codes, outcome.confirmed))
}

/// How the tables of an event stood in a hall, in all parts that it has had of it.
pub(super) fn stood(deeds: &Deeds, event: &Tournament) -> BTreeMap<Seat, Stood> {
    let mut events = vec![(Tournament::default(), BTreeMap::<Seat, Stood>::new())];
    for (_, act) in acts_of(deeds) {
        let is_over = events.last().is_some_and(|(said, _)| said.closed);
        if is_over && matches!(act, Act::Open { .. }) {
            events.push(Default::default());
        }
        let Some((said, stood)) = events.last_mut() else {
            continue;
        };
        let mut seats = changed_by(&act, said);
        // What cannot be done is told where the store is read.
        if said.apply(&act).is_err() {
            continue;
        }
        seats.extend(changed_by(&act, said));
        for (round, table) in seats {
            let pairing = said.pairing(round, table).ok();
            let result = stand(pairing.and_then(|pairing| counted(&pairing.outcome)));
            let postponed = pairing.is_some_and(|pairing| pairing.postponed);
            let stood = stood.entry((round, table)).or_default();
            if stood.results.is_empty() {
                stood.add(None, false);
            }
            // Whoever draws it otherwise has not said that the game is played now.
            let was_postponed = stood.postponed.last() == Some(&true);
            if was_postponed && !postponed && draws(&act) {
                stood.postponed = vec![false];
            }
            stood.add(result, postponed);
        }
    }
    let is_part = |(said, _): &&(Tournament, _)| said.part_of == event.part_of;
    let parts: Vec<_> = events.iter().filter(is_part).collect();
    let its = match parts.is_empty() {
        true => events.last().into_iter().collect(),
        false => parts,
    };
    let mut all = BTreeMap::<Seat, Stood>::new();
    for (seat, stood) in its.into_iter().flat_map(|(_, stood)| stood) {
        let before = all.entry(*seat).or_default();
        before.results.extend(&stood.results);
        before.postponed.extend(&stood.postponed);
    }
    all
}

fn draws(act: &Act) -> bool {
    matches!(
        act,
        Act::Draw { .. } | Act::DrawMatches { .. } | Act::Undraw { .. }
    )
}

/// The tables of which an act may have changed the result.
fn changed_by(act: &Act, said: &Tournament) -> Vec<Seat> {
    let drawn = match *act {
        Act::Draw { round, .. } | Act::Undraw { round } | Act::DrawMatches { round, .. } => round,
        Act::Confirm { round, table } | Act::Annul { round, table, .. } => {
            return vec![(round, table)];
        }
        _ => return seat_of(act).into_iter().collect(),
    };
    let all = said.rounds.get(&drawn).into_iter();
    let all = all.flat_map(|drawn| &drawn.pairings);
    all.filter_map(|pairing| Some((drawn, pairing.table?)))
        .collect()
}

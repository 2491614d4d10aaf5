//! How the tables of an event stood, one after the other, as the acts of a store say.

use std::collections::BTreeMap;

use tournament::{Act, Outcome, ResultCode, Tournament};

use super::gather::{Seat, acts_of, counted, seat_of};
use crate::store::Deeds;

/// What is looked for in how a table stood, one after the other.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Stood {
    pub(super) results: Vec<Stand>,
    /// Whether its game was postponed.
    pub(super) postponed: Vec<bool>,
}

impl Stood {
    pub(super) fn later(&mut self, is_postponed: bool) {
        if self.postponed.last() != Some(&is_postponed) {
            self.postponed.push(is_postponed);
        }
    }
}

/// How a table stood, one after the other, in a store.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct History {
    results: Course<Stand>,
    /// Whether its game was postponed.
    postponed: Course<bool>,
}

impl History {
    /// Whether all of this stood, whatever else did between.
    pub(super) fn has(&self, these: &Stood) -> bool {
        self.results.has(&these.results) && self.postponed.has(&these.postponed)
    }

    /// Whether a hall has heard the last word of people at the hub, and has said this after it.
    /// What it had said and undone before that word is no answer to it.
    pub(super) fn answers(&self, here: &History, then: &Stood) -> bool {
        let results = |is| self.results.answers(&here.results, is);
        let postponed = |is| self.postponed.answers(&here.postponed, is);
        then.results.iter().all(results) && then.postponed.iter().all(postponed)
    }

    /// Whether this is the result now.
    pub(super) fn ends_with(&self, outcome: &Outcome) -> bool {
        let last = self.results.0.last();
        last.is_some_and(|(is, _)| *is == stand(Some(outcome)))
    }
}

/// One thing after the other, and whether people at the hub have said it.
#[derive(Clone, PartialEq, Debug)]
struct Course<T>(Vec<(T, bool)>);

impl<T> Default for Course<T> {
    fn default() -> Course<T> {
        Course(Vec::new())
    }
}

impl<T: PartialEq + Copy> Course<T> {
    fn add(&mut self, is: T, by_hub: bool) {
        match self.0.last_mut() {
            Some((last, said)) if *last == is => *said |= by_hub,
            _ => self.0.push((is, by_hub)),
        }
    }

    fn has(&self, these: &[T]) -> bool {
        within(&self.0, these)
    }

    fn answers(&self, here: &Course<T>, then: &T) -> bool {
        // Of several words one after the other a hall need have heard the last alone.
        let next = here.0.iter().skip(1).map(|(_, by_hub)| *by_hub);
        let next = next.chain([false]);
        let words = here.0.iter().zip(next);
        let words = words.filter(|((_, by_hub), next)| !(*by_hub && *next));
        let words: Vec<(T, bool)> = words.map(|(word, _)| *word).collect();
        let Some(((last, true), before)) = words.split_last() else {
            return false;
        };
        let before: Vec<T> = before.iter().map(|(is, _)| *is).collect();
        let heard = |(is, by_hub): &(T, bool)| *by_hub && is == last;
        let heard = self.0.iter().rposition(heard);
        // What was ordered of it is the hub's own word that comes back, perhaps after another.
        let is_now = self
            .0
            .last()
            .is_some_and(|(is, by_hub)| is == then && !by_hub);
        is_now && then != last && heard.is_some_and(|at| within(&self.0[..at], &before))
    }
}

/// Whether these stand in all, in their order.
fn within<T: PartialEq>(all: &[(T, bool)], these: &[T]) -> bool {
    let mut all = all.iter();
    these.iter().all(|is| all.any(|(stood, _)| stood == is))
}

/// How the result of a table stood: what, and whether it was confirmed.
pub(super) type Stand = Option<([ResultCode; 2], bool)>;

pub(super) fn stand(outcome: Option<&Outcome>) -> Stand {
    outcome.map(|outcome| (outcome.codes, outcome.confirmed))
}

/// How the tables of an event stood in a store, in all parts that it has had of it. `by_hub`: the
/// devices of people at the hub.
pub(super) fn stood(
    deeds: &Deeds,
    event: &Tournament,
    by_hub: impl Fn(&str) -> bool,
) -> BTreeMap<Seat, History> {
    let mut events = vec![(Tournament::default(), BTreeMap::<Seat, History>::new())];
    for (device, act) in acts_of(deeds) {
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
            if stood.results.0.is_empty() {
                stood.results.add(None, false);
                stood.postponed.add(false, false);
            }
            // Whoever draws it otherwise has not said that the game is played now.
            let was_postponed = stood.postponed.0.last().is_some_and(|(is, _)| *is);
            if was_postponed && !postponed && draws(&act) {
                stood.postponed = Course::default();
            }
            let (by_hub, is_later) = (by_hub(device), is_later(&act));
            stood.results.add(result, by_hub && !is_later);
            stood.postponed.add(postponed, by_hub && is_later);
        }
    }
    let is_part = |(said, _): &&(Tournament, _)| said.part_of == event.part_of;
    let parts: Vec<_> = events.iter().filter(is_part).collect();
    let its = match parts.is_empty() {
        true => events.last().into_iter().collect(),
        false => parts,
    };
    let mut all = BTreeMap::<Seat, History>::new();
    for (seat, stood) in its.into_iter().flat_map(|(_, stood)| stood) {
        let before = all.entry(*seat).or_default();
        before.results.0.extend(&stood.results.0);
        before.postponed.0.extend(&stood.postponed.0);
    }
    all
}

fn is_later(act: &Act) -> bool {
    matches!(act, Act::Postpone { .. } | Act::Resume { .. })
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
        Act::Confirm { round, table }
        | Act::Annul { round, table, .. }
        | Act::Reinstate { round, table, .. } => {
            return vec![(round, table)];
        }
        _ => return seat_of(act).into_iter().collect(),
    };
    let all = said.rounds.get(&drawn).into_iter();
    let all = all.flat_map(|drawn| &drawn.pairings);
    all.filter_map(|pairing| Some((drawn, pairing.table?)))
        .collect()
}

//! What became of many games, in figures.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use arbiter_core::irregularity::{Certainty, Code};
use arbiter_core::ruling::DoubtKind;
use board_driver::hand::Departure;
use serde::{Deserialize, Serialize};

/// Findings by how sure they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Findings {
    /// Every account contains it.
    pub certain: u64,
    /// One usual assumption.
    pub likely: u64,
    /// Only a human can know.
    pub possible: u64,
}

impl Findings {
    pub(super) fn add(&mut self, certainty: Certainty) {
        match certainty {
            Certainty::Certain => self.certain += 1,
            Certainty::Likely => self.likely += 1,
            Certainty::Possible => self.possible += 1,
        }
    }

    /// All of them.
    pub fn sum(&self) -> u64 {
        self.certain + self.likely + self.possible
    }
}

impl AddAssign for Findings {
    fn add_assign(&mut self, more: Findings) {
        self.certain += more.certain;
        self.likely += more.likely;
        self.possible += more.possible;
    }
}

/// What was said of breaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Told {
    /// How many were committed.
    pub injected: u64,
    /// Found under their own name, by the surest finding.
    pub found: Findings,
    /// Something else was said of them.
    pub misnamed: u64,
    /// Nothing was said of them.
    pub missed: u64,
}

impl AddAssign for Told {
    fn add_assign(&mut self, more: Told) {
        self.injected += more.injected;
        self.found += more.found;
        self.misnamed += more.misnamed;
        self.missed += more.missed;
    }
}

/// What became of games in which hands left the script in one way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Strayed {
    /// How many.
    pub games: u64,
    /// Of which every ply is recorded as it was played, or openly in doubt.
    pub exact: u64,
    /// What was said of the breach in it, if it is one.
    pub told: Told,
    /// Findings that rest on nothing that was done.
    pub alarms: u64,
    /// Findings that were told as certain and then withdrawn.
    pub withdrawn: u64,
    /// Games in which somebody innocent was accused.
    pub accused: u64,
    /// Questions that were asked.
    pub questions: u64,
    /// Games with the result that the players showed.
    pub results: u64,
}

impl AddAssign for Strayed {
    fn add_assign(&mut self, more: Strayed) {
        self.games += more.games;
        self.exact += more.exact;
        self.told += more.told;
        self.alarms += more.alarms;
        self.withdrawn += more.withdrawn;
        self.accused += more.accused;
        self.questions += more.questions;
        self.results += more.results;
    }
}

/// Findings that are true, of all that were told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct True {
    /// The true ones.
    pub good: Findings,
    /// All.
    pub all: Findings,
}

/// How a baseline did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Baseline {
    /// Games of which every ply is right.
    pub exact: u64,
    /// Plies wrong, missing or never played.
    pub wrong: u64,
}

/// What became of some games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Games played.
    pub games: u64,
    /// Half-moves played.
    pub plies: u64,
    /// Events told.
    pub events: u64,
    /// Games of which every ply is recorded as it was played, or openly in doubt.
    pub exact: u64,
    /// Games that are right to the last ply, with nothing in doubt.
    pub decided: u64,
    /// Plies recorded wrong, missing, or never played; those in doubt are not counted.
    pub wrong: u64,
    /// Plies wrong that were told as completed and stand in the record without a doubt.
    pub wrong_and_final: u64,
    /// Plies in doubt at the end.
    pub undecided: u64,
    /// Those of them that are promotions.
    pub undecided_promotions: u64,
    /// Plies told as completed and changed later.
    pub revised: u64,
    /// Games that the arbiter ended as dead positions before the players ended them.
    pub found_dead: u64,
    /// Games in which the arbiter panicked.
    pub panics: u64,
    /// Breaches that were committed.
    pub breaches: BTreeMap<Code, Told>,
    /// Findings where nothing was done, and certain ones under another name than what was done.
    pub unfounded: Findings,
    /// Findings that stood at the end.
    pub findings: True,
    /// Findings that were ever told and rest on nothing that was done, withdrawn ones included.
    pub alarms: BTreeMap<Code, u64>,
    /// Findings that were told as certain and then withdrawn.
    pub withdrawn: u64,
    /// Games in which somebody was accused as likely or certain, whether or not it was withdrawn,
    /// at a ply at which he had done nothing wrong.
    pub accused: u64,
    /// Questions that were asked.
    pub questions: BTreeMap<DoubtKind, u64>,
    /// Those of them whose answer the evidence held, had no reading been lost.
    pub needless: u64,
    /// Games in which such evidence decides every ply.
    pub decidable: u64,
    /// Those of them of which every ply is recorded as it was played, or openly in doubt.
    pub decidable_exact: u64,
    /// Games that followed another on its board and are recorded as they were played.
    pub second_exact: u64,
    /// The ways in which hands left the script.
    pub departures: BTreeMap<Departure, Strayed>,
    /// The three baselines, in the order of [`super::baseline::Method::ALL`].
    pub baselines: [Baseline; 3],
}

impl Tally {
    /// What was said of all breaches.
    pub fn told(&self) -> Told {
        let mut sum = Told::default();
        self.breaches.values().for_each(|told| sum += *told);
        sum
    }
}

impl AddAssign<&Tally> for Tally {
    fn add_assign(&mut self, more: &Tally) {
        self.games += more.games;
        self.plies += more.plies;
        self.events += more.events;
        self.exact += more.exact;
        self.decided += more.decided;
        self.wrong += more.wrong;
        self.wrong_and_final += more.wrong_and_final;
        self.undecided += more.undecided;
        self.undecided_promotions += more.undecided_promotions;
        self.revised += more.revised;
        self.found_dead += more.found_dead;
        self.panics += more.panics;
        more.breaches
            .iter()
            .for_each(|(code, told)| *self.breaches.entry(*code).or_default() += *told);
        more.departures
            .iter()
            .for_each(|(way, more)| *self.departures.entry(*way).or_default() += *more);
        self.unfounded += more.unfounded;
        self.findings.good += more.findings.good;
        self.findings.all += more.findings.all;
        add(&mut self.alarms, &more.alarms);
        add(&mut self.questions, &more.questions);
        self.withdrawn += more.withdrawn;
        self.accused += more.accused;
        self.needless += more.needless;
        self.decidable += more.decidable;
        self.decidable_exact += more.decidable_exact;
        self.second_exact += more.second_exact;
        for (all, more) in self.baselines.iter_mut().zip(more.baselines) {
            all.exact += more.exact;
            all.wrong += more.wrong;
        }
    }
}

fn add<K: Ord + Copy>(all: &mut BTreeMap<K, u64>, more: &BTreeMap<K, u64>) {
    more.iter()
        .for_each(|(key, count)| *all.entry(*key).or_default() += count);
}

//! The judgement of one game, and the sum of many.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;

use arbiter_core::SensorClass;
use arbiter_core::irregularity::{Certainty, Code};
use arbiter_core::ruling::{MoveState, ResultReason, Ruling, Summary};
use arbiter_core::shakmaty::uci::UciMove;
use board_driver::hand::games::Game;
use serde::Serialize;

use super::Outcome;
use super::baseline::Method;

/// Findings by how sure they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Findings {
    /// Every account contains it.
    pub certain: u64,
    /// One usual assumption.
    pub likely: u64,
    /// Only a human can know.
    pub possible: u64,
}

impl Findings {
    fn add(&mut self, certainty: Certainty) {
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
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

/// How a baseline did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Baseline {
    /// Games of which every ply is right.
    pub exact: u64,
    /// Plies wrong, missing or never played.
    pub wrong: u64,
}

/// What became of some games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
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
    /// The three baselines, in the order of [`Method::ALL`].
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
        self.unfounded += more.unfounded;
        for (all, more) in self.baselines.iter_mut().zip(more.baselines) {
            all.exact += more.exact;
            all.wrong += more.wrong;
        }
    }
}

/// One game judged, with what is wrong in words.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// The counts.
    pub tally: Tally,
    /// What should not be.
    pub complaints: Vec<String>,
}

/// Judges what became of `game` on a board of `class`.
pub fn judge(game: &Game, class: SensorClass, outcome: &Outcome) -> Judged {
    let mut judged = Judged::default();
    let truth = truth(game, outcome, &mut judged.tally);
    judged.tally.games = 1;
    judged.tally.plies = truth.len() as u64;
    judged.tally.events = outcome.script.len() as u64;
    judged.record(truth, outcome);
    judged.findings(outcome);
    for (sum, method) in judged.tally.baselines.iter_mut().zip(Method::ALL) {
        sum.wrong = differences(truth, &method.read(&game.start, class, &outcome.script)) as u64;
        sum.exact = u64::from(sum.wrong == 0);
    }
    judged
}

/// The moves that count: all, or up to where the arbiter found that nobody can mate any more.
fn truth<'a>(game: &Game, outcome: &'a Outcome, tally: &mut Tally) -> &'a [UciMove] {
    let moves = &outcome.played.truth.moves;
    let dead = outcome
        .said
        .iter()
        .rev()
        .find_map(|said| match said.ruling {
            Ruling::Result {
                proposed, reason, ..
            } => Some(!proposed && reason == ResultReason::DeadPosition),
            _ => None,
        });
    let recorded = outcome.summary().map_or(0, |summary| summary.moves.len());
    if dead == Some(true) && recorded < moves.len() && !game.ends_in_mate() {
        tally.found_dead = 1;
        return &moves[..recorded];
    }
    moves
}

/// Plies of either list that the other does not have.
fn differences(truth: &[UciMove], record: &[UciMove]) -> usize {
    let differ = truth.iter().zip(record).filter(|(a, b)| a != b).count();
    differ + truth.len().abs_diff(record.len())
}

impl Judged {
    fn record(&mut self, truth: &[UciMove], outcome: &Outcome) {
        let Some(Summary { moves, doubts, .. }) = outcome.summary() else {
            self.complaints.push("there is no summary".into());
            self.tally.wrong = truth.len() as u64;
            return;
        };
        let completed = completed(outcome);
        let is_wrong = |ply: &u32| {
            let n = *ply as usize - 1;
            !doubts.contains(ply) && truth.get(n) != moves.get(n)
        };
        let wrong: Vec<u32> = (1..=truth.len().max(moves.len()) as u32)
            .filter(is_wrong)
            .collect();
        let silent = |ply: &&u32| **ply as usize <= moves.len() && completed.contains(ply);
        let promotes = |ply: &&u32| {
            truth
                .get(**ply as usize - 1)
                .is_some_and(|mv| mv.to_string().len() == 5)
        };
        self.tally.wrong = wrong.len() as u64;
        self.tally.wrong_and_final = wrong.iter().filter(silent).count() as u64;
        self.tally.undecided = doubts.len() as u64;
        self.tally.undecided_promotions = doubts.iter().filter(promotes).count() as u64;
        self.tally.revised = revised(outcome);
        self.tally.exact = u64::from(wrong.is_empty());
        self.tally.decided = u64::from(wrong.is_empty() && doubts.is_empty());
        if let Some(first) = wrong.first() {
            let n = *first as usize - 1;
            let name =
                |list: &[UciMove]| list.get(n).map_or("nothing".to_owned(), UciMove::to_string);
            let finally = if self.tally.wrong_and_final > 0 {
                ", told as final"
            } else {
                ""
            };
            let (many, played, recorded) = (wrong.len(), name(truth), name(moves));
            self.complaints.push(format!(
                "{many} plies wrong{finally}, the first is ply {first}: {played} was played, \
                {recorded} recorded"
            ));
        }
    }

    fn findings(&mut self, outcome: &Outcome) {
        let findings = outcome.findings();
        let done = &outcome.played.truth.breaches;
        for breach in done {
            let told = self.tally.breaches.entry(breach.code).or_default();
            told.injected += 1;
            let here = findings.iter().filter(|(_, ply, ..)| *ply == breach.ply);
            let own = here
                .clone()
                .filter(|(code, ..)| *code == breach.code)
                .map(|(_, _, certainty, _)| *certainty)
                .max();
            match own {
                Some(certainty) => told.found.add(certainty),
                None => {
                    let others: Vec<Code> = here.map(|(code, ..)| *code).collect();
                    let said = if others.is_empty() {
                        &mut told.missed
                    } else {
                        &mut told.misnamed
                    };
                    *said += 1;
                    self.complaints.push(format!(
                        "{} at ply {} is not told; {others:?} is",
                        breach.code, breach.ply
                    ));
                }
            }
        }
        for (code, ply, certainty, _) in findings {
            let named = done
                .iter()
                .any(|breach| breach.ply == ply && breach.code == code);
            let beside =
                done.iter().any(|breach| breach.ply == ply) && certainty != Certainty::Certain;
            if !named && !beside {
                self.tally.unfounded.add(certainty);
                if certainty == Certainty::Certain {
                    self.complaints
                        .push(format!("{code} at ply {ply} is called certain"));
                }
            }
        }
    }
}

/// Plies whose move was told as completed.
fn completed(outcome: &Outcome) -> BTreeSet<u32> {
    let told = |ruling: &Ruling| match ruling {
        Ruling::Move {
            ply,
            state: MoveState::Completed,
            ..
        } => Some(*ply),
        _ => None,
    };
    outcome
        .said
        .iter()
        .filter_map(|said| told(&said.ruling))
        .collect()
}

/// Plies that were told as completed and later told anew.
fn revised(outcome: &Outcome) -> u64 {
    let mut standing = BTreeSet::new();
    let mut revised = 0;
    for said in &outcome.said {
        match &said.ruling {
            Ruling::Move {
                ply,
                state: MoveState::Completed,
                ..
            } => drop(standing.insert(*ply)),
            Ruling::Revision { from_ply, .. } => revised += standing.split_off(from_ply).len(),
            _ => {}
        }
    }
    revised as u64
}

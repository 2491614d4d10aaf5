//! The judgement of one game.

use std::collections::BTreeSet;

use arbiter_core::SensorClass;
use arbiter_core::irregularity::{Certainty, Code};
use arbiter_core::ruling::{DoubtKind, MoveState, ResultReason, Ruling, Summary};
use arbiter_core::shakmaty::uci::UciMove;
use board_driver::hand::games::Game;
use board_driver::hand::{Breach, Departure};

use super::Outcome;
use super::baseline::Method;
use super::cases::{Case, Kind};
use super::decidable::undecidable;
use super::findings::{Told, told};
use super::tally::{Strayed, Tally};

/// One game judged, with what is wrong in words.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// The counts.
    pub tally: Tally,
    /// What should not be.
    pub complaints: Vec<String>,
    /// Whether the result that the kings showed was told.
    result_told: bool,
}

/// The ways of showing a result.
const SIGNS: [Departure; 3] = [
    Departure::Sign,
    Departure::SignOneThere,
    Departure::SignLastMove,
];

/// Judges what became of `game` in `case`.
pub fn judge(game: &Game, case: Case, outcome: &Outcome) -> Judged {
    let class = case.cell.sensor;
    let mut judged = Judged::default();
    let truth = truth(game, outcome, &mut judged.tally);
    judged.tally.games = 1;
    judged.tally.plies = truth.len() as u64;
    judged.tally.events = outcome.script.len() as u64;
    judged.record(truth, outcome);
    judged.second(outcome);
    let findings = told(&outcome.said);
    judged.breaches(class, outcome, &findings);
    judged.findings(outcome, &findings);
    let open = undecidable(class, &outcome.played);
    judged.questions(outcome, &open);
    judged.tally.decidable = u64::from(open.is_empty());
    judged.tally.decidable_exact = u64::from(open.is_empty()) * judged.tally.exact;
    judged.result(outcome);
    judged.strayed(outcome);
    if !matches!(case.kind, Kind::Play | Kind::Breaches) {
        return judged;
    }
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
    let recorded = outcome
        .summaries()
        .next()
        .map_or(0, |summary| summary.moves.len());
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
    /// A game in which the arbiter panicked.
    pub fn panicked() -> Judged {
        let tally = Tally {
            games: 1,
            panics: 1,
            ..Tally::default()
        };
        Judged {
            tally,
            complaints: vec!["the arbiter panics".to_owned()],
            result_told: false,
        }
    }

    fn record(&mut self, truth: &[UciMove], outcome: &Outcome) {
        let Some(summary) = outcome.summaries().next() else {
            self.complaints.push("there is no summary".into());
            self.tally.wrong = truth.len() as u64;
            return;
        };
        let Summary { moves, doubts, .. } = summary;
        let completed = completed(outcome);
        let wrong = wrong(truth, summary);
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

    /// The game that followed on the same board, if one did: it has a record of its own.
    fn second(&mut self, outcome: &Outcome) {
        let Some(next) = &outcome.played.truth.next else {
            return;
        };
        let recorded = outcome.summaries().nth(1);
        let wrong = recorded.map_or(next.moves.len(), |summary| {
            wrong(&next.moves, summary).len()
        });
        self.tally.second_exact = u64::from(wrong == 0);
        if wrong > 0 {
            let records = outcome.summaries().count();
            self.complaints.push(format!(
                "{wrong} plies of the second game are wrong or missing ({records} records)"
            ));
        }
    }

    /// The result that the kings showed.
    fn result(&mut self, outcome: &Outcome) {
        let truth = &outcome.played.truth;
        if !truth.departures.iter().any(|(way, _)| SIGNS.contains(way)) {
            return;
        }
        let mut told = outcome.said.iter().filter_map(|said| match said.ruling {
            Ruling::Result { result, .. } => Some(result),
            _ => None,
        });
        let told = told.next_back();
        self.result_told = told == Some(truth.result);
        if !self.result_told {
            let told = told.map_or("nothing".to_owned(), |told| told.to_string());
            let shown = truth.result;
            self.complaints
                .push(format!("{shown} was shown, {told} is told"));
        }
    }

    /// The same figures by the way in which hands left the script.
    fn strayed(&mut self, outcome: &Outcome) {
        let tally = &mut self.tally;
        let strayed = Strayed {
            games: 1,
            exact: tally.exact,
            told: tally.told(),
            alarms: tally.alarms.values().sum(),
            withdrawn: tally.withdrawn,
            accused: tally.accused,
            questions: tally.questions.values().sum(),
            results: u64::from(self.result_told),
        };
        for (way, _) in &outcome.played.truth.departures {
            tally.departures.insert(*way, strayed);
        }
    }

    /// What was said of every breach.
    fn breaches(&mut self, class: SensorClass, outcome: &Outcome, findings: &[Told]) {
        let unseen = exchanges_unseen(class, outcome);
        for breach in outcome.played.truth.breaches.iter().filter(|_| !unseen) {
            let told = self.tally.breaches.entry(breach.code).or_default();
            told.injected += 1;
            let here = findings
                .iter()
                .filter(|told| told.stands)
                .filter(|told| told.ply == breach.ply || told.is_later_of(breach));
            let is_own = |told: &&Told| told.code == breach.code || told.is_later_of(breach);
            let own = here.clone().filter(is_own);
            match own.map(|told| told.certainty).max() {
                Some(certainty) => told.found.add(certainty),
                None => {
                    let others: Vec<Code> = here.map(|told| told.code).collect();
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
    }

    /// Whether what was said of people is so.
    fn findings(&mut self, outcome: &Outcome, findings: &[Told]) {
        let truth = &outcome.played.truth;
        let done = [truth.breaches.as_slice(), &truth.put_right].concat();
        let mut said = BTreeSet::new();
        for told in in_order(findings) {
            // What is said twice of one breach is true once.
            let is_true =
                done.iter().any(|breach| told.is_of(breach)) && said.insert((told.code, told.ply));
            if told.stands {
                self.stands(told, &done, is_true);
            }
            if !is_true {
                *self.tally.alarms.entry(told.code).or_default() += 1;
                let certainty = format!("{:?}", told.certainty).to_lowercase();
                let withdrawn = if told.stands { "" } else { ", withdrawn" };
                let Told { code, ply, .. } = told;
                self.complaints.push(format!(
                    "{code} at ply {ply} rests on nothing that was done ({certainty}{withdrawn})"
                ));
            }
            let was_so = truth.put_right.iter().any(|breach| told.is_of(breach));
            if !told.stands && told.certainty == Certainty::Certain && !was_so {
                self.tally.withdrawn += 1;
                let Told { code, ply, .. } = told;
                self.complaints.push(format!(
                    "{code} at ply {ply} is called certain and withdrawn"
                ));
            }
        }
        let innocent = findings.iter().find(|told| told.accuses_an_innocent(&done));
        self.tally.accused = u64::from(innocent.is_some());
        if let Some(Told { code, ply, by, .. }) = innocent.filter(|_| !done.is_empty()) {
            self.complaints.push(format!(
                "{code} at ply {ply} accuses {by:?}, who did nothing wrong"
            ));
        }
    }

    fn stands(&mut self, told: &Told, done: &[Breach], is_true: bool) {
        let certainty = told.certainty;
        self.tally.findings.all.add(certainty);
        if is_true {
            self.tally.findings.good.add(certainty);
        }
        let named = done
            .iter()
            .any(|breach| breach.ply == told.ply && breach.code == told.code);
        let beside =
            done.iter().any(|breach| breach.ply == told.ply) && certainty != Certainty::Certain;
        if !named && !beside {
            self.tally.unfounded.add(certainty);
            if certainty == Certainty::Certain {
                self.complaints.push(format!(
                    "{} at ply {} is called certain",
                    told.code, told.ply
                ));
            }
        }
    }

    /// What was asked, and whether it had to be.
    fn questions(&mut self, outcome: &Outcome, open: &BTreeSet<u32>) {
        let mut asked = BTreeSet::new();
        for said in &outcome.said {
            let Ruling::Doubt(doubt) = &said.ruling else {
                continue;
            };
            if !asked.insert((&said.game, doubt.ply, doubt.kind)) {
                continue;
            }
            *self.tally.questions.entry(doubt.kind).or_default() += 1;
            let needless = match doubt.kind {
                // Whose hand it was no board tells.
                DoubtKind::TwoHands | DoubtKind::WhoTouched => false,
                // Black's first move looks as White's would on a board that lies the other way.
                DoubtKind::BoardTurned => !lies_in_doubt(outcome),
                DoubtKind::PiecesExchanged => !start_in_doubt(outcome),
                kind if kind.is_of_record() => !open.contains(&doubt.ply),
                _ => true,
            };
            self.tally.needless += u64::from(needless);
        }
    }
}

/// Whether two pieces of one colour changed places where no board of this class could show it.
fn exchanges_unseen(class: SensorClass, outcome: &Outcome) -> bool {
    class != SensorClass::Piece && exchanges(outcome)
}

/// Whether two pieces of one colour changed places.
fn exchanges(outcome: &Outcome) -> bool {
    let exchange = |way| {
        matches!(
            way,
            Departure::ExchangePieces | Departure::ExchangeStands | Departure::SetUpWrong
        )
    };
    let mut departures = outcome.played.truth.departures.iter();
    departures.any(|(way, _)| exchange(*way))
}

/// Whether pieces stood exchanged, or an illegal move makes it look so.
fn start_in_doubt(outcome: &Outcome) -> bool {
    let mut breaches = outcome.played.truth.breaches.iter();
    exchanges(outcome) || breaches.any(|breach| breach.code.is_illegal_move())
}

/// Whether the board lies turned, or a first move by Black makes it look so.
fn lies_in_doubt(outcome: &Outcome) -> bool {
    let of_lie = |way| {
        matches!(
            way,
            Departure::HalfTurn | Departure::QuarterTurn | Departure::BlackBegins
        )
    };
    let mut departures = outcome.played.truth.departures.iter();
    departures.any(|(way, _)| of_lie(*way))
}

/// Those that stand before those that were withdrawn.
fn in_order(findings: &[Told]) -> impl Iterator<Item = &Told> {
    let standing = findings.iter().filter(|told| told.stands);
    standing.chain(findings.iter().filter(|told| !told.stands))
}

/// Plies of the summary that are not what was played, and are not in doubt.
fn wrong(truth: &[UciMove], Summary { moves, doubts, .. }: &Summary) -> Vec<u32> {
    let is_wrong = |ply: &u32| {
        let n = *ply as usize - 1;
        !doubts.contains(ply) && truth.get(n) != moves.get(n)
    };
    (1..=truth.len().max(moves.len()) as u32)
        .filter(is_wrong)
        .collect()
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

//! What is left to be done after a ruling, and what follows from taking it back.

use std::collections::BTreeMap;

use arbiter_core::irregularity::Code;
use schemars::JsonSchema;
use serde::Serialize;

use super::case::{Case, Found};
use super::mark::{By, Dial, Dials, Marks, Ruling, StepKind};

/// Something that is to be done after a ruling.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Step {
    /// What.
    pub step: StepKind,
    /// Whether it is done.
    pub done: bool,
    /// Who did it, where a person said so; the board ticks the others.
    pub by: Option<By>,
}

/// What follows from taking a ruling back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Follows {
    /// The finding waits for somebody again.
    Open,
    /// The position need not be put back any more.
    NoRestore,
    /// The pieces stand as they did before the ruling: what was put back is played on from.
    Reread,
    /// The offender is free in his moves.
    Free,
    /// The clocks were set, and are to be set back.
    Clocks,
    /// The result that it proposes is not proposed any more.
    NoResult,
}

/// What is to be done after a ruling on `found`, as the game stands just after it. Where its move
/// is still in the record, the players have put it right: what is put back then is of another
/// ruling, unless it is since this one.
pub(super) fn ruling(
    before: Option<&Case>,
    after: &Case,
    found: &Found,
    order: String,
    marks: &BTreeMap<String, Marks>,
) -> Ruling {
    let upheld = found.status == "upheld";
    let has_effect = upheld && !after.is_for_record(found);
    let is_undone = after.plies < found.ply as usize;
    let is_new = before.is_none_or(|before| before.restore != after.restore);
    let restore = after.restore.clone();
    let restore = restore.filter(|_| has_effect && (is_undone || is_new));
    let asked = restore.is_some() && !is_new;
    let moves = found.required.clone().filter(|_| has_effect && is_undone);
    let ruling = Ruling {
        finding: found.id,
        upheld,
        order,
        moves: moves.filter(|moves| !moves.is_empty()),
        restore,
        dials: dials(after, found, marks).filter(|_| has_effect),
        asked,
    };
    due(after, &ruling, &Marks::default())
}

/// A ruling as it is to be carried out by now. Where the play in which it was found has been taken
/// back together with earlier plies, nothing is put back for it and no move is required. Of clocks
/// that nobody has said to be set only what is added is known then, for they are set for the
/// earlier ruling as well; and once play has gone on, for they have run on since.
pub(super) fn due(case: &Case, ruling: &Ruling, marks: &Marks) -> Ruling {
    let mut ruling = ruling.clone();
    let (is_undone, has_gone_on) = (is_undone(case, ruling.finding), has_gone_on(case, &ruling));
    if is_undone {
        (ruling.restore, ruling.moves) = (None, None);
    }
    let has_run_on = is_undone || has_gone_on;
    if has_run_on && !marks.set.contains_key(&ruling.finding) {
        let only_added = |dial: Dial| Dial {
            from: None,
            to: None,
            ..dial
        };
        ruling.dials = ruling.dials.map(|dials| Dials {
            white: only_added(dials.white),
            black: only_added(dials.black),
        });
    }
    ruling
}

/// Whether the play in which a finding was made was taken back.
fn is_undone(case: &Case, finding: u32) -> bool {
    let mut found = case.found();
    found.any(|(found, _)| found.id == finding && found.undone.is_some())
}

/// Whether half-moves have come into the record since what was ruled on: the first of them takes
/// the place of one that is put back, and is the next one to a half-move that stands.
fn has_gone_on(case: &Case, ruling: &Ruling) -> bool {
    let is_to_come = ruling.restore.is_some() || ruling.moves.is_some();
    let mut found = case.found().map(|(found, _)| found);
    let found = found.find(|found| found.id == ruling.finding);
    found.is_some_and(|found| {
        let is_to_come = is_to_come || found.code == Code::ClockPressedWithoutMove.name();
        case.plies + usize::from(is_to_come) > found.ply as usize
    })
}

/// What was added to White's and to Black's clock for offences in play that has been taken back
/// since, where somebody has said that they were set: what was told before does not show it.
fn set_for_undone(case: &Case, marks: &BTreeMap<String, Marks>) -> [u64; 2] {
    let mut added = [0; 2];
    for (found, _) in case.found().filter(|(found, _)| found.undone.is_some()) {
        let its = marks.get(&format!("{}.{}", case.game, found.ply));
        let set = its.filter(|marks| marks.set.contains_key(&found.id));
        let rulings = set.into_iter().flat_map(|marks| &marks.rulings);
        let of_it = rulings.filter(|(_, ruling)| ruling.finding == found.id);
        for dials in of_it.filter_map(|(_, ruling)| ruling.dials) {
            let [white, black] = dials.adds();
            added = [added[0] + white, added[1] + black];
        }
    }
    added
}

/// What both clocks are to show, where the Laws give time to the opponent: what they showed when
/// the offender pressed; after a claim, what they show now; and what each was
/// given since. Where play has gone on since, they have run on: then the time is added to what they
/// show.
fn dials(case: &Case, found: &Found, marks: &BTreeMap<String, Marks>) -> Option<Dials> {
    let penalty = found.penalty.as_ref()?;
    if penalty.opponent_ms == 0 || penalty.then.is_some() {
        return None;
    }
    // Who claims has the move, and the last press is the opponent's: his clock has run on since.
    let is_claim = [Code::IncorrectDrawClaim, Code::DrawClaimAfterTouch]
        .iter()
        .any(|code| found.code == code.to_string());
    let pressed = |name: &str| {
        let lines = found.evidence.iter().rev().filter(|_| !is_claim);
        let mut told = lines.filter(|line| line["event"] == "press");
        told.find_map(|line| line[name].as_u64())
    };
    let has_gone_on = case.plies >= found.ply as usize;
    let dial = |name: &str, last: Option<u64>, given: i64, is_opponent: bool| {
        let told = pressed(name).or(last).filter(|_| !has_gone_on);
        let from = told.map(|told| told.saturating_add_signed(given));
        let add = if is_opponent { penalty.opponent_ms } else { 0 };
        let to = from.map(|from| from + add);
        Dial { from, add, to }
    };
    let ([white, black], mut given) = (case.clocks, case.given);
    for (given, set) in given.iter_mut().zip(set_for_undone(case, marks)) {
        *given = given.saturating_add_unsigned(set);
    }
    let [to_white, to_black] = given;
    Some(Dials {
        white: dial("white_ms", white, to_white, found.by == "black"),
        black: dial("black_ms", black, to_black, found.by == "white"),
    })
}

/// What is to be done after the rulings of an incident at `ply`, in the order in which it is done.
pub(super) fn steps(case: &Case, ply: u32, marks: &Marks) -> Vec<Step> {
    if case.is_lost() {
        return Vec::new();
    }
    let due = marks
        .rulings
        .iter()
        .map(|(_, ruling)| due(case, ruling, marks));
    let due: Vec<Ruling> = due.collect();
    let rulings = || due.iter();
    let restore = rulings().find_map(|ruling| ruling.restore.as_ref());
    let waits = !case.is_over();
    // No board says it of a game whose pieces stand nowhere until it is played on.
    let is_away = case.adjourned && !case.at_hand;
    // Whoever plays on beside the ruling has put nothing back, and what stands may fit nothing.
    let is_obeyed = |ruling: &Ruling| {
        let played = case.played.get(&ply);
        let moves = ruling.moves.as_ref();
        let is_one = moves
            .zip(played)
            .is_none_or(|(moves, played)| moves.contains(played));
        ruling.restore.is_none() || is_one
    };
    // Where a required move is in the record, it was played from there: what was done with the
    // board since says nothing of it.
    let is_played = |ruling: &Ruling| {
        let moves = ruling.moves.as_ref().zip(case.played.get(&ply));
        ruling.restore.is_none() || moves.is_some_and(|(moves, played)| moves.contains(played))
    };
    let stands = |fen| !is_away && !case.disturbed && case.restore.as_ref() != Some(fen);
    let is_back = restore.is_none_or(|fen| stands(fen) || rulings().all(is_played))
        && rulings().all(is_obeyed);
    let was_played = is_back && case.plies >= ply as usize;
    // Once the game is over nothing is put back: what was not done is no step any more, and is not
    // said to be done.
    let is_told = waits || was_played;
    let mut steps = Vec::new();
    if waits && rulings().any(|ruling| cancels(case, ruling)) {
        steps.push(Step {
            step: StepKind::Cancel,
            done: false,
            by: None,
        });
    }
    // Neither is one set while a mate stands there that a finding keeps from counting: the game
    // goes on only where that is upheld, and then the step is there again.
    let runs = waits && !case.held_back;
    if marks.added.is_some() && runs {
        steps.push(Step {
            step: StepKind::ClocksBack,
            done: false,
            by: None,
        });
    }
    if restore.is_some() && is_told {
        steps.push(Step {
            step: StepKind::Position,
            done: is_back,
            by: None,
        });
    }
    let by = marks.clocks_set().cloned();
    // Once the game is over no clock is set: nobody says that they were.
    if rulings().any(|ruling| ruling.dials.is_some()) && (by.is_some() || runs) {
        steps.push(Step {
            step: StepKind::Clocks,
            done: by.is_some(),
            by,
        });
    }
    if rulings().any(|ruling| ruling.moves.is_some()) && is_told {
        steps.push(Step {
            step: StepKind::Moves,
            done: was_played,
            by: None,
        });
    }
    steps
}

/// Whether the game is to be cancelled: its pieces were set up wrongly (7.2.1), and that may still
/// be objected to.
fn cancels(case: &Case, ruling: &Ruling) -> bool {
    let mut found = case.found();
    ruling.upheld
        && found.any(|(found, told)| {
            let in_time = told["claim"]["open"] != false;
            found.id == ruling.finding && found.code == "position-setup-wrong" && in_time
        })
}

/// What follows from taking a ruling back.
pub(super) fn follows(case: &Case, ruling: &Ruling, marks: &Marks) -> Vec<Follows> {
    let mut follows = vec![Follows::Open];
    // What another ruling at this turn asks for as well stays.
    let others = marks.rulings.iter().map(|(_, other)| other);
    let others = || {
        others
            .clone()
            .filter(|other| other.finding != ruling.finding)
    };
    let restore = ruling.restore.as_ref().filter(|_| !ruling.asked);
    if let Some(fen) = restore.filter(|_| others().all(|other| other.restore.is_none())) {
        let waits = case.restore.as_ref() == Some(fen);
        follows.push(if waits {
            Follows::NoRestore
        } else {
            Follows::Reread
        });
    }
    let binds = ruling.moves.is_some() && !ruling.asked;
    if binds && others().all(|other| other.moves.is_none()) {
        follows.push(Follows::Free);
    }
    if ruling.dials.is_some() && marks.set.contains_key(&ruling.finding) {
        follows.push(Follows::Clocks);
    }
    // What is certain proposes its result by itself.
    let mut found = case.findings.iter().filter_map(Found::of);
    let is_certain = found.any(|f| f.id == ruling.finding && f.certainty == "certain");
    if ruling.upheld && case.proposed.is_some() && !is_certain {
        follows.push(Follows::NoResult);
    }
    follows
}

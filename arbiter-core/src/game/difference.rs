//! A game was heard again, and what was said of it before is not what it would say now: what
//! changed is told anew.

use alloc::vec::Vec;

use crate::chess::position::fen_text;
use crate::game::Game;
use crate::laws::Rule;
use crate::message;
use crate::said::irregularity::Code;
use crate::said::ruling::{
    Announcement, GameResult, Irregularity, MoveState, ResultReason, Ruling,
};
use crate::said::view::{Finding, FindingStatus};

impl Game {
    /// Findings keep the numbers by which `was`, the game as it was heard before, has told them.
    pub(crate) fn expect_findings_of(&mut self, was: &Game) {
        self.docket.expect(was.docket.findings());
    }

    /// Says what was said already, and not taken yet.
    pub(crate) fn repeat(&mut self, said: Announcement) {
        self.docket.announce(said);
    }

    /// Tells in what the game differs from `was`, as which it was heard before. `declared`: the
    /// result as it was told while the game was heard again.
    pub(crate) fn tell_difference(&mut self, was: &Game, declared: Option<Ruling>) {
        let before = was.result().map(|(result, _)| result);
        let result = self.result().map(|(result, _)| result);
        if before.is_some() && result.is_none() {
            self.tell_taken_back();
        }
        self.tell_other_plies(was);
        self.tell_other_findings(was);
        self.tell_other_doubts(was);
        self.tell_other_restore(was);
        self.tell_other_obligation(was);
        if result.is_some() && result != before {
            declared.into_iter().for_each(|result| self.say(result));
        }
    }

    /// The game has no result after all.
    fn tell_taken_back(&mut self) {
        let article = self.laws().article(Rule::ArbiterPowers);
        let (result, reason) = (GameResult::Open, ResultReason::Arbiter);
        let (language, loser) = (self.setup.options.language, shakmaty::Color::White);
        let text = message::ending(language, result, false, reason, loser, article);
        self.say(Ruling::Result {
            result,
            proposed: false,
            reason,
            article,
            text,
        });
    }

    pub(crate) fn tell_other_plies(&mut self, was: &Game) {
        let kept = self.record.common(&was.record);
        if kept < was.record.len() {
            self.say(Ruling::Revision {
                from_ply: kept as u32 + 1,
                moves: self.record.moves().split_off(kept),
            });
        }
        for i in 0..self.record.len() {
            let completed = self.record.plies()[i].completed;
            let told = was.record.plies().get(i).filter(|_| i < kept);
            if told.is_none_or(|told| completed && !told.completed) {
                self.tell_ply_anew(i, completed);
            }
        }
    }

    fn tell_ply_anew(&mut self, i: usize, completed: bool) {
        let ply = &self.record.plies()[i];
        let (uci, san) = (ply.uci, ply.san());
        let fen = fen_text(&self.record.after(i + 1));
        let state = match completed {
            true => MoveState::Completed,
            false => MoveState::Made,
        };
        self.say(Ruling::Move {
            ply: i as u32 + 1,
            uci,
            san,
            fen,
            state,
        });
    }

    fn tell_other_findings(&mut self, was: &Game) {
        let fallen = self.docket.retire(was.docket.findings());
        fallen
            .into_iter()
            .for_each(|id| self.say(Ruling::Withdrawn { id }));
        let mut news = Vec::new();
        for finding in self.docket.raised() {
            let told = was.docket.finding(finding.irregularity.id);
            news.extend(what_is_new(finding, told));
        }
        news.into_iter().for_each(|ruling| self.say(ruling));
    }

    fn tell_other_doubts(&mut self, was: &Game) {
        let mut news = Vec::new();
        for open in self.docket.doubts() {
            let same = was.docket.doubts().iter().any(|told| {
                let (told, open) = (&told.doubt, &open.doubt);
                (told.ply, told.kind) == (open.ply, open.kind)
                    && told.squares == open.squares
                    && told.readings == open.readings
            });
            if !same {
                news.push(Ruling::Doubt(open.doubt.clone()));
            }
        }
        news.into_iter().for_each(|ruling| self.say(ruling));
    }

    /// The position to be put back is another one, or none; or no move led to another position.
    fn tell_other_restore(&mut self, was: &Game) {
        let stood = was.record.last();
        let moved = self.record.common(&was.record) < was.record.len()
            || self.record.len() > was.record.len();
        let set = !moved && self.fen() != was.fen();
        let (before, now) = (was.state.target(), self.state.target());
        let target = match (before, now) {
            (_, Some(now)) if before != Some(now) => now,
            (Some(_), None) => self.record.last(),
            (None, None) if set && self.record.last() != stood => self.record.last(),
            _ => return,
        };
        let squares = match now {
            Some(target) => self.differ(target).into_iter().collect(),
            None => Vec::new(),
        };
        let fen = fen_text(target);
        self.say(Ruling::Restore { fen, squares });
    }

    fn tell_other_obligation(&mut self, was: &Game) {
        let now = self.state.turn().obligation.clone();
        if now != was.state.turn().obligation {
            self.oblige(now);
        }
    }
}

/// What is to be said of a finding that was told before as `told`, if it was.
fn what_is_new(now: &Finding, told: Option<&Finding>) -> Vec<Ruling> {
    let id = now.irregularity.id;
    let anew = || Ruling::Irregularity(now.irregularity.clone());
    let withdrawn = now.status == FindingStatus::Withdrawn;
    let Some(told) = told else {
        let mut both = alloc::vec![anew()];
        if withdrawn {
            both.push(Ruling::Withdrawn { id });
        }
        return both;
    };
    let was_withdrawn = told.status == FindingStatus::Withdrawn;
    if withdrawn || was_withdrawn {
        return match (was_withdrawn, withdrawn) {
            (false, true) => alloc::vec![Ruling::Withdrawn { id }],
            (true, false) => alloc::vec![anew()],
            _ => Vec::new(),
        };
    }
    let waits_again = now.status == FindingStatus::Open && told.status != FindingStatus::Open;
    if waits_again || content(&now.irregularity) != content(&told.irregularity) {
        return alloc::vec![anew()];
    }
    match (told.irregularity.claim, now.irregularity.claim) {
        (Some(before), Some(right)) if before.open && !right.open => {
            alloc::vec![Ruling::Lapsed { id }]
        }
        (before, right) if before != right => alloc::vec![anew()],
        _ => Vec::new(),
    }
}

/// What a finding says, but for its number, its words, who may claim it still and what it rests on.
fn content(told: &Irregularity) -> impl PartialEq + use<'_> {
    type Reason = Option<crate::said::irregularity::Reason>;
    let of: (Code, Reason, _) = (told.code, told.reason, told.article);
    let about = (told.by, told.ply, told.certainty, &told.squares);
    (of, about, &told.required, told.penalty)
}

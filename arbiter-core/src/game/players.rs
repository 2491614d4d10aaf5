//! What players declare: resignations, flags, claims.

use alloc::boxed::Box;
use alloc::rc::Rc;

use shakmaty::{Color, uci::UciMove};

use crate::game::Game;
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::verdict::Loss;
use crate::laws::Rule;
use crate::message::{self, Answer};
use crate::said::input::ClaimKind;
use crate::said::irregularity::Article;
use crate::said::ruling::{ResultReason, Ruling};

impl Game {
    /// A player resigns: the opponent wins, unless the game had ended or, from 2023 on, he cannot
    /// mate (5.1.2).
    pub(crate) fn resign(&mut self, by: Color) -> Changes {
        self.tell_as_it_stands();
        let mut changes = self.end_by_what_stands();
        changes.push(Change::Resigned(by));
        changes
    }

    /// The resignation counts, where the position has not ended the game. A mate that an open
    /// breach holds back does not stop anybody from resigning.
    pub(crate) fn lose_by_resignation(&self, by: Color) -> Changes {
        if self.ends_game(self.record.len()) && self.is_idle() {
            return NOTHING;
        }
        let spared = self.laws().resignation_draws;
        alloc::vec![self.lost(by, ResultReason::Resignation, Rule::Resignation, spared)]
    }

    fn lost(&self, loser: Color, reason: ResultReason, rule: Rule, spared: bool) -> Change {
        let article = self.laws().article(rule);
        let pos = self.record.last().clone();
        Change::Lose(Box::new(Loss {
            loser,
            reason,
            article,
            spared,
            pos,
        }))
    }

    /// A flag fell. Where players must claim it themselves, nobody hears of it until one does.
    pub(crate) fn flag_fall(&mut self, by: Color) -> Changes {
        self.clock.drop_flag(by);
        match self
            .laws()
            .arbiter_calls_flag(self.setup.class, self.setup.supervised)
        {
            true => self.judge_flag(by),
            false => NOTHING,
        }
    }

    /// The flag of `by` has fallen: nothing if the game had ended, a draw if the opponent cannot
    /// mate, else a loss (6.9).
    fn judge_flag(&mut self, by: Color) -> Changes {
        self.tell_as_it_stands();
        if self.ends_game(self.record.len()) {
            return self.end_by_what_stands();
        }
        let spared = self.laws().flag_fall_draws;
        alloc::vec![self.lost(by, ResultReason::FlagFall, Rule::FlagFall, spared)]
    }

    /// Where the position that stands ended the game when it arose, that is told.
    fn end_by_what_stands(&mut self) -> Changes {
        let k = self.record.len();
        if !self.ends_game(k) {
            return NOTHING;
        }
        let mut changes = Changes::new();
        let best = self.best();
        if k > self.record.completed() && self.length(best) >= k {
            changes.push(Change::Commit {
                line: Rc::new(best.clone()),
                k,
            });
        }
        changes.push(Change::CheckEnd { k, released: true });
        changes
    }

    /// Answers a claim made at the board.
    pub(crate) fn claim(
        &mut self,
        by: Color,
        kind: ClaimKind,
        intended: Option<UciMove>,
    ) -> Changes {
        match kind {
            ClaimKind::Threefold | ClaimKind::FiftyMoves => self.claim_draw(by, kind, intended),
            ClaimKind::FlagFall => self.claim_flag(by),
            ClaimKind::TouchMove => {
                let article = self.laws().article(Rule::ClaimLost);
                self.answer(by, kind, shown(self.claimed(by, true)), article);
                NOTHING
            }
            ClaimKind::IllegalMove => {
                let claimed = self.claimed(by, false);
                self.answer(
                    by,
                    kind,
                    shown(claimed),
                    self.laws().article(Rule::IllegalMove),
                );
                claimed.map_or(NOTHING, |id| self.end_on_claim(id))
            }
        }
    }

    /// A player claims that his opponent's flag has fallen: his own must still stand.
    fn claim_flag(&mut self, by: Color) -> Changes {
        let accepted = self.clock.has_fallen(!by) && !self.clock.has_fallen(by);
        let answer = if accepted {
            Answer::FlagFallen
        } else {
            Answer::FlagNotSeen
        };
        self.answer(
            by,
            ClaimKind::FlagFall,
            answer,
            self.laws().article(Rule::FlagFall),
        );
        if accepted {
            self.judge_flag(!by)
        } else {
            NOTHING
        }
    }

    /// Tells what a claim is answered.
    pub(crate) fn answer(&mut self, by: Color, kind: ClaimKind, answer: Answer, article: Article) {
        let text = message::claim(self.setup.options.language, by, kind, answer, article);
        self.say(Ruling::Claim {
            by,
            kind,
            accepted: answer.is_yes(),
            article,
            text,
        });
    }

    /// The open finding that a claim rests on.
    fn claimed(&self, by: Color, of_moving: bool) -> Option<u32> {
        let mut findings = self.docket.findings().iter().map(|f| &f.irregularity);
        let claimed = findings.find(|told| {
            let theirs = told
                .claim
                .is_some_and(|right| right.by == by.into() && right.open);
            theirs && told.code.is_of_moving() == of_moving
        });
        claimed.map(|told| told.id)
    }
}

fn shown(claimed: Option<u32>) -> Answer {
    if claimed.is_some() {
        Answer::Shown
    } else {
        Answer::NotShown
    }
}

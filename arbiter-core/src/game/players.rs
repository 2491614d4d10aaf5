//! What players declare: resignations, flags, claims.

use alloc::boxed::Box;
use alloc::rc::Rc;

use shakmaty::{Color, Position, uci::UciMove};

use crate::game::Game;
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::verdict::Loss;
use crate::laws::Rule;
use crate::message::{self, Answer};
use crate::said::input::ClaimKind;
use crate::said::irregularity::Article;
use crate::said::ruling::{ClaimWindow, ResultReason, Ruling};
use crate::said::view::{Finding, FindingStatus};

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
            ClaimKind::TouchMove => self.claim_touch_move(by),
            ClaimKind::IllegalMove => self.claim_illegal_move(by),
        }
    }

    /// A breach of Article 4. What was found already is the arbiter's to rule on; before the press
    /// it is judged on what was touched and what was made of it.
    fn claim_touch_move(&mut self, by: Color) -> Changes {
        let article = self.laws().article(Rule::ClaimLost);
        let shown = self.claimed(by, true);
        let found = match shown {
            Some(_) => NOTHING,
            None => self.breaches_of_standing_move(by),
        };
        let answer = if shown.is_some() || !found.is_empty() {
            Answer::Shown
        } else if self.is_bound_by_touch(!by) {
            Answer::NotMade
        } else {
            self.refusal(by, true)
        };
        self.answer(by, ClaimKind::TouchMove, answer, article);
        found
    }

    /// Whether `player` has the move, has touched pieces that bind him, and has made no move.
    fn is_bound_by_touch(&self, player: Color) -> bool {
        let obliged = self.state.turn().obligation.as_ref();
        obliged.is_some_and(|obligation| obligation.by == player)
            && self.best().pos.turn() == player
    }

    fn claim_illegal_move(&mut self, by: Color) -> Changes {
        let claimed = self.claimed(by, false);
        let answer = match claimed {
            Some(_) => Answer::Shown,
            None => self.refusal(by, false),
        };
        let article = self.laws().article(Rule::IllegalMove);
        self.answer(by, ClaimKind::IllegalMove, answer, article);
        claimed.map_or(NOTHING, |id| self.end_on_claim(id))
    }

    /// Why a claim of `by` is refused to which no open finding answers.
    fn refusal(&self, by: Color, of_moving: bool) -> Answer {
        let lately = self.record.len().saturating_sub(1);
        let found = self.docket.findings().iter().rfind(|f| {
            let told = &f.irregularity;
            let theirs = told.claim.is_some_and(|right| right.by == by.into());
            let is_late = f.undone.is_none() && told.ply as usize >= lately;
            theirs && told.code.is_of_moving() == of_moving && is_late
        });
        let Some(Finding {
            irregularity,
            status,
            ..
        }) = found
        else {
            return Answer::NotShown;
        };
        match status {
            FindingStatus::Upheld | FindingStatus::Dismissed => Answer::Decided,
            FindingStatus::Withdrawn => Answer::NotShown,
            FindingStatus::Open => match irregularity.claim.map(|right| right.until) {
                Some(ClaimWindow::Touch) => Answer::TouchedSince,
                _ => Answer::MovedSince,
            },
        }
    }

    /// A player claims that his opponent's flag has fallen: his own must still stand.
    fn claim_flag(&mut self, by: Color) -> Changes {
        let accepted = self.clock.has_fallen(!by) && !self.clock.has_fallen(by);
        let answer = match (accepted, self.clock.has_fallen(!by)) {
            (true, _) => Answer::FlagFallen,
            (false, true) => Answer::BothFlags,
            (false, false) => Answer::FlagNotSeen,
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
    fn answer(&mut self, by: Color, kind: ClaimKind, answer: Answer, article: Article) {
        self.answer_counted(by, kind, answer, 0, article);
    }

    /// The same. `count`: how many times the position has stood, or how many moves were played,
    /// where too few.
    pub(crate) fn answer_counted(
        &mut self,
        by: Color,
        kind: ClaimKind,
        answer: Answer,
        count: u32,
        article: Article,
    ) {
        let text = message::claim(
            self.setup.options.language,
            by,
            kind,
            answer,
            count,
            article,
        );
        self.say(Ruling::Claim {
            by,
            kind,
            accepted: answer.is_yes(),
            article,
            text,
        });
    }

    /// Whether a claim was accepted, of what is about to be said the last.
    pub(crate) fn answer_told(&self) -> Option<bool> {
        let mut said = self.docket.to_tell().iter().rev();
        said.find_map(|said| match said.ruling {
            Ruling::Claim { accepted, .. } => Some(accepted),
            _ => None,
        })
    }

    /// The open finding that a claim rests on.
    fn claimed(&self, by: Color, of_moving: bool) -> Option<u32> {
        let open = |f: &&Finding| f.status == FindingStatus::Open;
        let findings = self.docket.raised().iter().filter(open);
        let claimed = findings.map(|f| &f.irregularity).find(|told| {
            let theirs = told
                .claim
                .is_some_and(|right| right.by == by.into() && right.open);
            theirs && told.code.is_of_moving() == of_moving
        });
        claimed.map(|told| told.id)
    }
}

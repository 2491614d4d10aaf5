//! What completed illegal moves cost: they are counted, and the one that loses is proposed as a
//! loss.

use alloc::boxed::Box;
use alloc::vec::Vec;
use shakmaty::fen::Fen;
use shakmaty::{Chess, Color, Position};

use crate::chess::position::position;
use crate::game::Game;
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::findings::{Terms, legal_of};
use crate::game::verdict::Loss;
use crate::judge::article_4::Breach;
use crate::laws::{Offence, Redress};
use crate::message;
use crate::said::irregularity::{Certainty, Code, Party};
use crate::said::mating::Mating;
use crate::said::ruling::{
    ClaimWindow, GameResult, Irregularity, Penalty, PenaltyEnd, ResultReason, Ruling,
};
use crate::said::view::{Finding, FindingStatus};

impl Game {
    /// The regime for completed illegal moves in this game.
    pub(crate) fn offence(&self) -> Offence {
        let regime = self.laws().offence(self.setup.class, self.setup.supervised);
        match regime.left_open {
            true => Offence {
                opponent_ms: self.setup.options.blitz_penalty_ms,
                ..regime
            },
            false => regime,
        }
    }

    /// How many completed illegal moves count against `by`: all kinds together.
    pub(crate) fn offences(&self, by: Color) -> u32 {
        let counted = self
            .docket
            .raised()
            .iter()
            .filter(|f| self.counts_against(f, by));
        counted.count() as u32
    }

    /// Whether a finding counts against `by`. What is only likely counts once the arbiter has
    /// upheld it.
    fn counts_against(&self, f: &Finding, by: Color) -> bool {
        let told = &f.irregularity;
        let stands = match f.status {
            FindingStatus::Upheld => true,
            FindingStatus::Open => told.certainty == Certainty::Certain,
            FindingStatus::Dismissed | FindingStatus::Withdrawn => false,
        };
        // The second fault of one move, and two hands that nothing followed from, have no penalty
        // of their own.
        let regime = self.offence();
        let free = regime.opponent_ms == 0 && regime.loses.is_none();
        stands
            && self.laws().counts(told.code)
            && (free || told.penalty.is_some())
            && told.by == by.into()
    }

    /// Whether the next completed illegal move of `by` loses the game.
    fn next_offence_loses(&self, by: Color) -> bool {
        self.offence()
            .loses
            .is_some_and(|n| self.offences(by) + 1 >= n)
    }

    /// Whether that loss would be a draw if the opponent cannot mate.
    pub(crate) fn next_offence_turns_on_mating(&self, by: Color) -> bool {
        self.offence().spared && self.next_offence_loses(by)
    }

    /// What the Laws propose for a breach of `by`'s in ply `ply`. Two faults in one move are one
    /// offence.
    pub(crate) fn penalty_for(
        &self,
        code: Code,
        by: Color,
        ply: usize,
        before: &Chess,
    ) -> Option<Penalty> {
        if !self.laws().counts(code) || self.is_one_offence(code, by, ply) {
            return None;
        }
        let Offence { opponent_ms, .. } = self.offence();
        let losing = self.next_offence_loses(by);
        let then = if losing {
            self.end_of_offences(by, before)
        } else {
            None
        };
        (opponent_ms > 0 || losing).then_some(Penalty { opponent_ms, then })
    }

    /// Another offence counts now, or one does no more: what was told of each as one that loses, or
    /// does not, is told anew where that is otherwise by now, be it upheld or not.
    fn retell_offences(&mut self) {
        let all = self.docket.raised().iter();
        let stand = all.filter(|f| f.stands()).map(|f| &f.irregularity);
        let anew = stand.filter_map(|told| Some((told.clone(), self.otherwise(told)?)));
        for (told, then) in anew.collect::<Vec<_>>() {
            self.retell(told, then);
        }
    }

    /// How an offence ends the game by now, where it was told that it does not, or the other way
    /// round.
    fn otherwise(&self, told: &Irregularity) -> Option<Option<PenaltyEnd>> {
        let loses = told.penalty?.then.is_some();
        let by = offender(told).filter(|_| self.laws().counts(told.code))?;
        match (loses, self.is_losing(told, by)) {
            (true, false) => Some(None),
            // Where it turns on who can mate, that is told when it is known.
            (false, true) => {
                let before = self.before_finding(told);
                self.end_of_offences(by, &before).map(Some)
            }
            _ => None,
        }
    }

    /// Whether so many offences of the same player came before this one that it loses.
    fn is_losing(&self, told: &Irregularity, by: Color) -> bool {
        let earlier = self.docket.raised().iter();
        let earlier = earlier.filter(|f| f.irregularity.id < told.id);
        let count = earlier.filter(|f| self.counts_against(f, by)).count() as u32;
        self.offence().loses.is_some_and(|n| count + 1 >= n)
    }

    /// Tells an offence anew, which ends the game so, or not any more.
    fn retell(&mut self, told: Irregularity, then: Option<PenaltyEnd>) {
        let Offence { opponent_ms, .. } = self.offence();
        let ply = told.ply as usize;
        let before = self.before_finding(&told);
        let required = told.required.as_deref();
        let breach = Breach {
            code: told.code,
            reason: told.reason,
            by: before.turn(),
            certainty: told.certainty,
            squares: told.squares.clone(),
            required: required.map(|moves| legal_of(moves, &before)),
        };
        let penalty = Penalty { opponent_ms, then };
        let terms = Terms {
            by: told.by,
            article: told.article,
            claim: told.claim,
            penalty: Some(penalty).filter(|p| p.opponent_ms > 0 || p.then.is_some()),
        };
        let anew = Irregularity {
            id: told.id,
            evidence: told.evidence,
            required: told.required,
            ..self.compose(breach, ply, &before, terms)
        };
        self.docket.retell(&anew);
        self.say(Ruling::Irregularity(anew));
    }

    /// The first offence that counts as one that loses, and may still be acted on, with who has
    /// committed it.
    fn losing(&self, is_meant: impl Fn(Color) -> bool) -> Option<(u32, Color)> {
        let mut all = self.docket.raised().iter();
        all.find_map(|f| {
            let told = &f.irregularity;
            let by = offender(told).filter(|by| is_meant(*by))?;
            let loses = told.penalty.is_some_and(|p| p.then.is_some());
            let is_upheld = f.status == FindingStatus::Upheld;
            let in_time = is_upheld || told.claim.is_none_or(|right| right.open);
            let counts = self.laws().counts(told.code) && self.counts_against(f, by);
            (loses && in_time && counts).then_some((told.id, by))
        })
    }

    /// The arbiter has ruled on an offence. Where one loses by now, that is proposed if it was not.
    pub(crate) fn weigh_offences(&mut self) -> Changes {
        self.retell_offences();
        let is_known = self.docket.forfeit().is_some() || self.docket.awaited().is_some();
        let losing = self.losing(|_| true);
        match losing.filter(|_| !is_known && self.offence().redress != Redress::OnClaim) {
            Some((id, _)) => alloc::vec![Change::ProposeForfeit(id)],
            None => NOTHING,
        }
    }

    /// How the losing offence of `by` ends the game; `None` while that turns on who can mate. The
    /// result is told when it is known, or left to the arbiter.
    fn end_of_offences(&self, by: Color, pos: &Chess) -> Option<PenaltyEnd> {
        if !self.offence().spared {
            return Some(PenaltyEnd::Loss);
        }
        match self.can_mate(pos, !by) {
            Some(Mating::Can) => Some(PenaltyEnd::Loss),
            Some(Mating::Cannot) => Some(PenaltyEnd::Draw),
            Some(Mating::Unknown) | None => None,
        }
    }

    /// Whether `by` has been found at fault in this very move already: two faults in one move are
    /// one offence. A press without a move, and a move replaced after an illegal one, are offences
    /// by themselves.
    fn is_one_offence(&self, code: Code, by: Color, ply: usize) -> bool {
        let replaced = self.record.ply(ply).is_some_and(|p| p.m.is_some());
        is_of_one_move(code)
            && self.docket.raised().iter().any(|f| {
                let told = &f.irregularity;
                let pawn_left = [code, told.code].contains(&Code::PawnNotPromoted);
                let same_turn = told.by == by.into() && f.is_of(ply);
                f.stands()
                    && same_turn
                    && told.penalty.is_some()
                    && (!replaced || pawn_left)
                    && told.code != code
                    && is_of_one_move(told.code)
            })
    }

    /// The offence that ends the game: only the arbiter declares it (7.5.5), and only on a claim
    /// where the Laws say so.
    pub(crate) fn propose_forfeit(&self, id: u32) -> Changes {
        let Some(finding) = self.docket.finding(id) else {
            return NOTHING;
        };
        let told = &finding.irregularity;
        let Some(loser) = offender(told) else {
            return NOTHING;
        };
        let Offence {
            article,
            spared,
            loses,
            ..
        } = self.offence();
        let counts = self.counts_against(finding, loser)
            && told.penalty.is_some()
            && self.laws().counts(told.code);
        if !counts || loses.is_none_or(|n| self.offences(loser) < n) {
            return NOTHING;
        }
        // The first player who loses by it has lost, whatever the other does until it is declared.
        let first = self.docket.forfeited_by().filter(|first| *first != loser);
        let first = first.and_then(|first| self.losing(|by| by == first));
        if first.is_some_and(|(first, _)| !self.is_answered_by(first, told)) {
            return NOTHING;
        }
        let pos = self.before_finding(told);
        let reason = ResultReason::ForfeitIllegalMoves;
        alloc::vec![Change::Lose(Box::new(Loss {
            loser,
            reason,
            article,
            spared,
            pos
        }))]
    }

    /// The position before the ply in which `told` was found.
    fn before_finding(&self, told: &Irregularity) -> Chess {
        let undone = self
            .docket
            .finding(told.id)
            .and_then(|f| f.undone.as_deref());
        let stood = undone.and_then(|fen| {
            let fen: Fen = fen.parse().ok()?;
            position(fen.as_setup(), self.setup.castling_mode())
        });
        stood.unwrap_or_else(|| self.record.position((told.ply as usize).saturating_sub(1)))
    }

    /// Whether a finding could be claimed until the opponent's reply only, and this one is that.
    fn is_answered_by(&self, id: u32, reply: &Irregularity) -> bool {
        let Some(finding) = self.docket.finding(id) else {
            return false;
        };
        let told = &finding.irregularity;
        let until_reply = told.claim.is_some_and(|c| c.until == ClaimWindow::Reply);
        until_reply && finding.status != FindingStatus::Upheld && told.ply < reply.ply
    }

    /// The loss that was proposed falls away, where no other offence of the same player is one that
    /// loses: nobody has declared it, and its ground is gone.
    pub(crate) fn drop_forfeit(&mut self) {
        self.retell_offences();
        let stays = self.docket.forfeit().is_some() && {
            let loser = self.docket.forfeited_by();
            self.losing(|by| loser == Some(by)).is_some()
        };
        if !stays {
            self.drop_forfeit_for_good();
        }
    }

    /// The same whatever was found besides.
    pub(crate) fn drop_forfeit_for_good(&mut self) {
        let proposed = self.docket.forfeit().is_some();
        self.docket.propose(None);
        if proposed {
            let (reason, article) = (ResultReason::ForfeitIllegalMoves, self.offence().article);
            let text = message::fallen_away(self.setup.options.language, article);
            let result = GameResult::Open;
            self.say(Ruling::Result {
                result,
                proposed: false,
                reason,
                article,
                text,
            });
        }
    }
}

/// Who has offended; `None` where that is not known: nothing counts against anybody then.
fn offender(told: &Irregularity) -> Option<Color> {
    match told.by {
        Party::White => Some(Color::White),
        Party::Black => Some(Color::Black),
        Party::Either => None,
    }
}

/// Whether a breach is a fault in the making of one move.
fn is_of_one_move(code: Code) -> bool {
    code.is_illegal_move() || code == Code::TwoHands
}

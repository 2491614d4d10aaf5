//! What the human arbiter saw himself: it needs no evidence, enters the record, and is upheld.

use alloc::vec::Vec;

use shakmaty::{Chess, Color, Move, Position, Square};

use crate::game::Game;
use crate::game::find::Terms;
use crate::judge::article_4::{Bound, Breach, required};
use crate::laws::{Redress, Rule};
use crate::said::irregularity::{Certainty, Code, Party};
use crate::said::ruling::ResultReason;
use crate::said::view::{Finding, FindingStatus};

impl Game {
    /// The arbiter reports a breach. What was found already is upheld; anything else is a finding
    /// of its own.
    pub(crate) fn report(&mut self, code: Code, by: Option<Color>, square: Option<Square>) {
        let ply = self.reported_ply(code, by);
        let party = by.map_or(Party::Either, Party::from);
        let same = |f: &&Finding| {
            let i = &f.irregularity;
            f.status == FindingStatus::Open && (i.code, i.by, i.ply) == (code, party, ply as u32)
        };
        if let Some(id) = self.findings.iter().find(same).map(|f| f.irregularity.id) {
            return self.uphold(id);
        }
        let before = self.record.position(ply - 1);
        let moves = square.filter(|_| self.known).map_or(Vec::new(), |sq| {
            required::of_report(code, sq, &before, self.laws())
        });
        let id = self.enter(code, by, square, ply, &before, &moves);
        if by.is_some() && !moves.is_empty() {
            self.bind(id, Bound { code, moves }, ply);
        }
        if self.offence().redress != Redress::OnClaim {
            self.propose_forfeit(id);
        }
    }

    /// Puts the report into the record; its number.
    fn enter(
        &mut self,
        code: Code,
        by: Option<Color>,
        square: Option<Square>,
        ply: usize,
        before: &Chess,
        moves: &[Move],
    ) -> u32 {
        let complete = code != Code::TwoHands
            || self.is_complete(by, ply)
            || !self.laws().two_hands_need_press;
        let article = match complete {
            true => self.laws().article_of_code(code),
            false => self.laws().article(Rule::OneHand),
        };
        let terms = Terms {
            by: by.map_or(Party::Either, Party::from),
            article,
            claim: self.right_to_object(code),
            penalty: by
                .filter(|_| complete && self.known)
                .and_then(|by| self.penalty_for(code, by, ply, before)),
        };
        let breach = Breach {
            code,
            reason: None,
            by: by.unwrap_or(before.turn()),
            certainty: Certainty::Certain,
            squares: square.into_iter().collect(),
            required: Some(moves.to_vec()),
        };
        let irregularity = self.compose(breach, ply, before, terms);
        self.raise(irregularity);
        let id = self.findings.len() as u32;
        if let Some(f) = self.finding_mut(id) {
            f.status = FindingStatus::Upheld;
        }
        id
    }

    /// The ply a report is about: what the player did in the turn at hand, or else in his last
    /// move.
    fn reported_ply(&self, code: Code, by: Option<Color>) -> usize {
        let told = self.record.len();
        let has_move = by.is_none_or(|by| by == self.record.last().turn());
        match () {
            () if !has_move && !code.is_out_of_turn() => told.max(1),
            // A touch obliges in the turn at hand; everything else is about a move that was made,
            // if one was.
            () if has_move
                && by.is_some()
                && told >= 2
                && code.is_of_making()
                && !self.is_under_way() =>
            {
                told - 1
            }
            () => told + 1,
        }
    }

    /// Whether the player having the move has begun it: pieces are handled, or it was made
    /// illegally and put back.
    fn is_under_way(&self) -> bool {
        let next = self.record.len() as u32 + 1;
        let faulty =
            |f: &Finding| f.irregularity.ply == next && f.irregularity.code.is_illegal_move();
        let differs = self
            .contacts
            .planes
            .differ(self.record.last().board())
            .any();
        differs || self.restore.is_some() || self.findings.iter().any(faulty)
    }

    /// Whether the player has pressed the clock after his ply, legal or not.
    fn is_complete(&self, by: Option<Color>, ply: usize) -> bool {
        let faulty = |f: &Finding| {
            let i = &f.irregularity;
            i.ply as usize == ply
                && i.code.is_illegal_move()
                && by.is_some_and(|by| i.by == by.into())
        };
        !self.setup.clock || self.completed >= ply || self.findings.iter().any(faulty)
    }

    /// What was reported binds the move to come; a move that was made against it is taken back,
    /// unless the opponent has answered it or the game has ended otherwise.
    fn bind(&mut self, id: u32, bound: Bound, ply: usize) {
        let by_position =
            |reason| matches!(reason, ResultReason::Checkmate | ResultReason::Stalemate);
        let over = self
            .result
            .is_some_and(|r| !r.proposed && !by_position(r.reason));
        let played = self.record.plies.get(ply - 1).map(|p| p.m);
        let kept = played.is_some_and(|m| m.is_some_and(|m| bound.moves.contains(&m)));
        let answered = self.completed > ply;
        if over || kept || answered {
            return;
        }
        if played.is_some() {
            return self.undo(id, bound, ply);
        }
        self.bound = Some(bound);
    }

    /// Whether `by` has been found at fault in this very move already: two faults in one move are
    /// one offence. A press without a move, and a move replaced after an illegal one, are offences
    /// by themselves.
    pub(crate) fn is_one_offence(&self, code: Code, by: Color, ply: usize) -> bool {
        let replaced = self
            .record
            .plies
            .get(ply.wrapping_sub(1))
            .is_some_and(|p| p.m.is_some());
        let of_moving = |code: Code| code.is_illegal_move() || code == Code::TwoHands;
        of_moving(code)
            && self.findings.iter().any(|f| {
                let i = &f.irregularity;
                let same_move = !replaced || [code, i.code].contains(&Code::PawnNotPromoted);
                let stands = matches!(f.status, FindingStatus::Open | FindingStatus::Upheld);
                let same_turn = i.by == by.into() && i.ply as usize == ply && i.penalty.is_some();
                stands && same_turn && same_move && i.code != code && of_moving(i.code)
            })
    }
}

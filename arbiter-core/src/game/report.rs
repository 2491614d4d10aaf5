//! What the human arbiter saw himself: it needs no evidence, enters the record, and is upheld.

use alloc::vec::Vec;

use shakmaty::{Chess, Color, Move, Position, Square};

use crate::game::Game;
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::findings::Terms;
use crate::judge::article_4::required::of_report;
use crate::judge::article_4::{Bound, Breach};
use crate::laws::{Redress, Rule};
use crate::said::irregularity::{Certainty, Code, Party};
use crate::said::ruling::ResultReason;
use crate::said::view::FindingStatus;

/// What the arbiter saw.
struct Report {
    code: Code,
    /// The offender; none where both answer for it.
    by: Option<Color>,
    square: Option<Square>,
    ply: usize,
}

impl Game {
    /// The arbiter reports a breach. What was found already is upheld; anything else is a finding
    /// of its own.
    pub(crate) fn report(
        &mut self,
        code: Code,
        by: Option<Color>,
        square: Option<Square>,
    ) -> Changes {
        if let Some(id) = self.answer_exchange(code, by, square) {
            return self.uphold(id);
        }
        if self.may_be_exchanged() {
            self.keep_to_what_was_told();
        }
        let ply = self.reported_ply(code, by);
        let report = Report {
            code,
            by,
            square,
            ply,
        };
        if let Some(id) = self.found_already(&report) {
            return self.uphold(id);
        }
        let before = self.record.position(ply - 1);
        let moves = match square {
            Some(square) if self.state.is_known() => of_report(code, square, &before, self.laws()),
            _ => Vec::new(),
        };
        let id = self.enter(&report, &before, &moves);
        let mut changes = Changes::new();
        if by.is_some() && !moves.is_empty() {
            changes = self.bind_reported(id, Bound { ply, code, moves }, ply);
        }
        if self.offence().redress != Redress::OnClaim {
            changes.push(Change::ProposeForfeit(id));
        }
        changes
    }

    /// The finding that says the same and waits for the arbiter.
    fn found_already(&self, report: &Report) -> Option<u32> {
        let party = report.by.map_or(Party::Either, Party::from);
        let mut open = self
            .docket
            .raised()
            .iter()
            .filter(|f| f.status == FindingStatus::Open);
        let same = open.find(|f| {
            let told = &f.irregularity;
            told.code == report.code && told.by == party && f.is_of(report.ply)
        });
        same.map(|f| f.irregularity.id)
    }

    /// Puts the report into the record; its number.
    fn enter(&mut self, report: &Report, before: &Chess, moves: &[Move]) -> u32 {
        let Report {
            code,
            by,
            square,
            ply,
        } = *report;
        let complete = code != Code::TwoHands
            || self.is_complete(by, ply)
            || !self.laws().two_hands_need_press;
        let article = match complete {
            true => self.laws().article_of_code(code),
            false => self.laws().article(Rule::OneHand),
        };
        let offender = by.filter(|_| complete && self.state.is_known());
        let terms = Terms {
            by: by.map_or(Party::Either, Party::from),
            article,
            claim: self.right_to_object(code),
            penalty: offender.and_then(|by| self.penalty_for(code, by, ply, before)),
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
        let id = self.keep(irregularity);
        self.docket.close_finding(id, FindingStatus::Upheld);
        id
    }

    /// The ply a report is about: what the player did in the turn at hand, or else in his last
    /// move.
    fn reported_ply(&self, code: Code, by: Option<Color>) -> usize {
        let told = self.record.len();
        let has_move = by.is_none_or(|by| by == self.record.last().turn());
        if !has_move && !code.is_out_of_turn() {
            return told.max(1);
        }
        // A touch obliges in the turn at hand; everything else is about a move that was made, if
        // one was.
        let of_making = has_move && by.is_some() && told >= 2 && code.is_of_making();
        if of_making && !self.is_under_way() {
            told - 1
        } else {
            told + 1
        }
    }

    /// Whether the player having the move has begun it: pieces are handled, or it was made
    /// illegally and put back.
    fn is_under_way(&self) -> bool {
        let next = self.record.len() + 1;
        self.differ(self.record.last()).any()
            || self.state.is_putting_back()
            || self.has_illegal_move(next, None)
    }

    /// Whether the player has pressed the clock after his ply, legal or not.
    fn is_complete(&self, by: Option<Color>, ply: usize) -> bool {
        !self.setup.clock
            || self.record.completed() >= ply
            || by.is_some_and(|by| self.has_illegal_move(ply, Some(by.into())))
    }

    /// Whether an illegal move was found in ply `ply`, by `party` if one is named.
    fn has_illegal_move(&self, ply: usize, party: Option<Party>) -> bool {
        self.docket.raised().iter().any(|f| {
            let told = &f.irregularity;
            f.is_of(ply)
                && told.code.is_illegal_move()
                && party.is_none_or(|party| told.by == party)
        })
    }

    /// What was reported binds the move to come; a move that was made against it is taken back,
    /// unless the opponent has answered it or the game has ended otherwise.
    fn bind_reported(&mut self, id: u32, bound: Bound, ply: usize) -> Changes {
        let over = self.result().is_some_and(|(result, _)| {
            let by_position = matches!(
                result.reason,
                ResultReason::Checkmate | ResultReason::Stalemate
            );
            !result.proposed && !by_position
        });
        let played = self.record.ply(ply).map(|p| p.m);
        let kept = played.flatten().is_some_and(|m| bound.moves.contains(&m));
        if over || kept || self.record.completed() > ply {
            return NOTHING;
        }
        if played.is_some() {
            return self.undo(id, bound, ply);
        }
        self.bind(Some(bound));
        NOTHING
    }
}

//! What awaits the arbiter: findings, doubts, offers, and results that are only proposed; and what
//! is being said.

use alloc::string::String;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Color};

use crate::game::clock::Deed;
use crate::game::verdict::{Answer, Answers, Loss};
use crate::said::irregularity::{Certainty, Code};
use crate::said::ruling::{Announcement, Doubt, DoubtKind, Irregularity};
use crate::said::time::Time;
use crate::said::view::{Finding, FindingStatus, ResultView};

/// A doubt that has been told.
#[derive(Clone, Debug)]
pub(crate) struct OpenDoubt {
    pub(crate) doubt: Doubt,
    /// Nothing can resolve it any more: its readings have led to one position.
    pub(crate) lasting: bool,
}

/// What awaits the arbiter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Docket {
    findings: Vec<Finding>,
    doubts: Vec<OpenDoubt>,
    answers: Answers,
    draw_offer: Option<Deed>,
    /// A loss for illegal moves that was proposed, with its sentence; play may go on meanwhile.
    forfeit: Option<(ResultView, String)>,
    /// Such a loss that turns on a question.
    awaited: Option<Loss>,
    told: Vec<Announcement>,
}

impl Docket {
    /// Says something.
    pub(crate) fn announce(&mut self, announcement: Announcement) {
        self.told.push(announcement);
    }

    /// Takes what was said.
    pub(crate) fn told(&mut self) -> impl Iterator<Item = Announcement> {
        self.told.drain(..)
    }
}

/// Findings.
impl Docket {
    /// Every finding, in the order in which they were raised.
    pub(crate) fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The number of the next finding.
    pub(crate) fn next_id(&self) -> u32 {
        self.findings.len() as u32 + 1
    }

    /// Numbers a finding and keeps it.
    pub(crate) fn raise(&mut self, at: Time, irregularity: &mut Irregularity) {
        irregularity.id = self.next_id();
        let irregularity = irregularity.clone();
        self.findings.push(Finding {
            at,
            irregularity,
            status: FindingStatus::Open,
        });
    }

    /// A finding by its number.
    pub(crate) fn finding(&self, id: u32) -> Option<&Finding> {
        self.findings.iter().find(|f| f.irregularity.id == id)
    }

    /// Whether a finding is certain.
    pub(crate) fn is_certain(&self, id: u32) -> bool {
        self.finding(id)
            .is_some_and(|f| f.irregularity.certainty == Certainty::Certain)
    }

    /// What becomes of a finding that waits for the arbiter; whether it did.
    pub(crate) fn close_finding(&mut self, id: u32, status: FindingStatus) -> bool {
        let mut open = self
            .findings
            .iter_mut()
            .filter(|f| f.status == FindingStatus::Open);
        let finding = open.find(|f| f.irregularity.id == id);
        let found = finding.is_some();
        finding.into_iter().for_each(|f| f.status = status);
        found
    }

    /// Whether a finding waits for the arbiter.
    pub(crate) fn has_open_finding(&self) -> bool {
        self.findings
            .iter()
            .any(|f| f.status == FindingStatus::Open)
    }

    /// Whether an illegal move was found that is only likely: it may have been a misreading, and
    /// then what follows is one too.
    pub(crate) fn has_undecided_illegal_move(&self) -> bool {
        self.findings.iter().any(|f| {
            f.status == FindingStatus::Open
                && f.irregularity.certainty == Certainty::Likely
                && f.irregularity.code.is_illegal_move()
        })
    }

    /// Closes the open rights to claim that are `over`; the numbers of their findings.
    pub(crate) fn end_rights(&mut self, over: impl Fn(&Irregularity) -> bool) -> Vec<u32> {
        let mut closed = Vec::new();
        for Finding {
            irregularity,
            status,
            ..
        } in &mut self.findings
        {
            let stands = matches!(status, FindingStatus::Open | FindingStatus::Upheld);
            let ends = stands && irregularity.claim.is_some_and(|right| right.open);
            if ends && over(irregularity) {
                irregularity
                    .claim
                    .iter_mut()
                    .for_each(|right| right.open = false);
                closed.push(irregularity.id);
            }
        }
        closed
    }

    /// The numbers of the findings of plies after the first `n` that wait for the arbiter.
    pub(crate) fn open_after(&self, n: usize) -> Vec<u32> {
        let mut ids = Vec::new();
        for f in &self.findings {
            if f.status == FindingStatus::Open && f.irregularity.ply as usize > n {
                ids.push(f.irregularity.id);
            }
        }
        ids
    }

    /// Whether a finding of this kind was ever raised.
    pub(crate) fn has_found(&self, code: Code) -> bool {
        self.findings.iter().any(|f| f.irregularity.code == code)
    }
}

/// Doubts.
impl Docket {
    /// Every doubt that is open.
    pub(crate) fn doubts(&self) -> &[OpenDoubt] {
        &self.doubts
    }

    /// Whether there is a doubt of this kind about this ply.
    pub(crate) fn has_doubt(&self, ply: u32, kind: DoubtKind) -> bool {
        self.doubts
            .iter()
            .any(|d| d.doubt.ply == ply && d.doubt.kind == kind)
    }

    /// Keeps a doubt.
    pub(crate) fn doubt(&mut self, doubt: Doubt) {
        self.doubts.push(OpenDoubt {
            doubt,
            lasting: false,
        });
    }

    /// Keeps the doubts for which `keep` holds.
    pub(crate) fn retain_doubts(&mut self, keep: impl Fn(&OpenDoubt) -> bool) {
        self.doubts.retain(keep);
    }

    /// The doubts for which `which` holds can be resolved by nothing any more.
    pub(crate) fn leave_in_doubt(&mut self, which: impl Fn(&Doubt) -> bool) {
        for d in &mut self.doubts {
            d.lasting |= which(&d.doubt);
        }
    }

    /// The squares that somebody has been asked to look at.
    pub(crate) fn in_question(&self) -> Bitboard {
        let mut squares = Bitboard::EMPTY;
        for OpenDoubt { doubt, .. } in &self.doubts {
            if doubt.kind == DoubtKind::CheckSquare {
                squares.extend(doubt.squares.iter().copied());
            }
        }
        squares
    }
}

/// Offers, answers, and losses that are only proposed.
impl Docket {
    /// Who offered a draw, and when.
    pub(crate) fn draw_offer(&self) -> Option<Deed> {
        self.draw_offer
    }

    /// A draw is offered.
    pub(crate) fn offer_draw(&mut self, by: Color, at: Time) {
        self.draw_offer = Some((by, at));
    }

    /// No draw is offered any more.
    pub(crate) fn end_draw_offer(&mut self) {
        self.draw_offer = None;
    }

    /// What was answered of who can mate.
    pub(crate) fn answers(&self) -> &Answers {
        &self.answers
    }

    /// An answer comes in.
    pub(crate) fn learn(&mut self, answer: Answer) {
        self.answers.keep(answer);
    }

    /// A loss for illegal moves that was proposed, with its sentence.
    pub(crate) fn forfeit(&self) -> Option<(ResultView, &str)> {
        self.forfeit
            .as_ref()
            .map(|(result, text)| (*result, &**text))
    }

    /// Such a loss that turns on a question.
    pub(crate) fn awaited(&self) -> Option<&Loss> {
        self.awaited.as_ref()
    }

    /// A loss for illegal moves is proposed, or none any more.
    pub(crate) fn propose(&mut self, forfeit: Option<(ResultView, String)>) {
        (self.forfeit, self.awaited) = (forfeit, None);
    }

    /// Such a loss turns on a question, or none does any more.
    pub(crate) fn wait_for(&mut self, loss: Option<Loss>) {
        self.awaited = loss;
    }
}

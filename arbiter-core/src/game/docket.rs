//! What awaits the arbiter: findings, doubts, offers, and results that are only proposed; and what
//! is being said.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use shakmaty::{Bitboard, Color};

use crate::game::clock::Deed;
use crate::game::verdict::{Answer, Answers, Loss};
use crate::said::irregularity::{Certainty, Code, Party};
use crate::said::ruling::{Announcement, Doubt, DoubtKind, Irregularity};
use crate::said::time::Time;
use crate::said::view::{Finding, FindingStatus, ResultView};

/// Findings kept of a game. Beyond that the oldest of those that were withdrawn or dismissed is
/// forgotten; what a person has upheld stays.
const MOST_FINDINGS: usize = 64;
/// Findings that may wait for the arbiter at once. Nobody rules on more of one board: what its
/// sensors show besides is not told before he has ruled on some.
const MOST_OPEN: usize = 24;
/// Doubts that are open at once. Beyond that the oldest is forgotten.
const MOST_DOUBTS: usize = 48;

/// A doubt that has been told.
#[derive(Clone, Debug)]
pub(crate) struct OpenDoubt {
    pub(crate) doubt: Doubt,
    /// Nothing can resolve it any more: its readings have led to one position.
    pub(crate) lasting: bool,
}

/// By what number a finding was told, when the game was heard before.
#[derive(Clone, Copy, Debug)]
struct Known {
    id: u32,
    act: Act,
    at: Time,
}

/// What a finding is about: by this it is known again.
pub(crate) type Act = (Code, u32, Party);

/// The code, the ply and the offender of a finding.
pub(crate) fn act(told: &Irregularity) -> Act {
    (told.code, told.ply, told.by)
}

/// What awaits the arbiter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Docket {
    /// First those that were told and are not found any more, since the game was heard again.
    findings: Vec<Finding>,
    /// How many of them those are.
    retired: usize,
    /// The highest number that was ever given.
    last_id: u32,
    /// Findings that were told when the game was heard before, and were not found again yet.
    known: Vec<Known>,
    /// Positions before moves that are not in the record, by the numbers of their findings.
    before: Vec<(u32, String)>,
    doubts: Vec<OpenDoubt>,
    answers: Answers,
    draw_offer: Option<Deed>,
    /// A loss for illegal moves that was proposed, with its sentence, and whose it is, be it that
    /// he is spared; play may go on meanwhile.
    forfeit: Option<(ResultView, String, Color)>,
    /// Such a loss that turns on a question.
    awaited: Option<Loss>,
    /// It was asked how the board lies, and nobody has said so, also where play has settled it.
    lie_unsaid: bool,
    told: Vec<Announcement>,
}

impl Docket {
    /// Says something.
    pub(crate) fn announce(&mut self, announcement: Announcement) {
        self.told.push(announcement);
    }

    /// What was said and not taken yet.
    pub(crate) fn to_tell(&self) -> &[Announcement] {
        &self.told
    }

    /// Takes what was said.
    pub(crate) fn told(&mut self) -> impl Iterator<Item = Announcement> {
        self.told.drain(..)
    }
}

/// How the board lies.
impl Docket {
    /// Whether that was asked, and nobody has said so.
    pub(crate) fn is_lie_unsaid(&self) -> bool {
        self.lie_unsaid
    }

    pub(crate) fn set_lie_unsaid(&mut self, unsaid: bool) {
        self.lie_unsaid = unsaid;
    }
}

/// Findings.
impl Docket {
    /// Every finding that was ever told, in the order in which they were raised.
    pub(crate) fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Those of them that the game as it was heard last has brought about.
    pub(crate) fn raised(&self) -> &[Finding] {
        &self.findings[self.retired..]
    }

    /// The number that a finding of this code, ply and offender will have if it is raised at `at`:
    /// that of the same one, where the game was heard before.
    pub(crate) fn number_of(&self, at: Time, act: Act) -> u32 {
        self.known_as(at, act)
            .map_or(self.last_id + 1, |n| self.known[n].id)
    }

    /// The one that was raised at the same time, or else the first of the same act.
    fn known_as(&self, at: Time, act: Act) -> Option<usize> {
        let same = |known: &Known| known.act == act;
        let exactly = |known: &Known| same(known) && known.at == at;
        let known = &self.known;
        known
            .iter()
            .position(exactly)
            .or_else(|| known.iter().position(same))
    }

    /// Whether so many findings wait for the arbiter that no further one is told.
    pub(crate) fn is_full(&self) -> bool {
        let open = |f: &&Finding| f.status == FindingStatus::Open;
        self.findings.len() >= MOST_OPEN && self.findings.iter().filter(open).count() >= MOST_OPEN
    }

    /// Makes room for another finding.
    fn forget_one(&mut self) {
        let of = |status| self.findings.iter().position(|f| f.status == status);
        let withdrawn = of(FindingStatus::Withdrawn);
        if let Some(n) = withdrawn.or_else(|| of(FindingStatus::Dismissed)) {
            self.findings.remove(n);
            self.retired -= usize::from(n < self.retired);
        }
    }

    /// The next number is given to none.
    pub(crate) fn skip_number(&mut self) {
        self.last_id += 1;
    }

    /// Numbers that another account has given are given no more.
    pub(crate) fn number_after(&mut self, other: &Docket) {
        self.last_id = self.last_id.max(other.last_id);
    }

    /// A finding is told anew under its number.
    pub(crate) fn retell(&mut self, irregularity: &Irregularity) {
        let mut open = self.findings.iter_mut();
        let told = open.find(|f| f.irregularity.id == irregularity.id);
        told.into_iter()
            .for_each(|f| f.irregularity = irregularity.clone());
    }

    /// Numbers a finding and keeps it.
    pub(crate) fn raise(&mut self, at: Time, irregularity: &mut Irregularity) {
        irregularity.id = match self.known_as(at, act(irregularity)) {
            Some(n) => self.known.remove(n).id,
            None => self.last_id + 1,
        };
        self.last_id = self.last_id.max(irregularity.id);
        let irregularity = irregularity.clone();
        if self.findings.len() >= MOST_FINDINGS {
            self.forget_one();
        }
        self.findings.push(Finding {
            at,
            irregularity,
            status: FindingStatus::Open,
            undone: None,
        });
    }

    /// A finding by its number.
    pub(crate) fn finding(&self, id: u32) -> Option<&Finding> {
        self.findings.iter().find(|f| f.irregularity.id == id)
    }

    /// The game is heard again, from a moment at which what is here had been told: what was told
    /// since, in the order of its numbers, keeps its number if it is found again.
    pub(crate) fn expect(&mut self, told: &[Finding]) {
        let mut known = Vec::new();
        for Finding {
            at, irregularity, ..
        } in told
        {
            if self.finding(irregularity.id).is_none() {
                known.push(Known {
                    id: irregularity.id,
                    act: act(irregularity),
                    at: *at,
                });
            }
        }
        known.sort_unstable_by_key(|known: &Known| known.id);
        let highest = known.last().map_or(0, |known: &Known| known.id);
        self.last_id = self.last_id.max(highest);
        self.known = known;
    }

    /// The game has been heard again: what was told before and was not found again is kept, as
    /// findings that were withdrawn. Those that stood until now.
    pub(crate) fn retire(&mut self, told: &[Finding]) -> Vec<u32> {
        self.known.clear();
        let mut fallen = Vec::new();
        let mut retired = Vec::new();
        for finding in told {
            if self.finding(finding.irregularity.id).is_some() {
                continue;
            }
            if finding.status != FindingStatus::Withdrawn {
                fallen.push(finding.irregularity.id);
            }
            let mut finding = finding.clone();
            finding.status = FindingStatus::Withdrawn;
            if let Some(right) = &mut finding.irregularity.claim {
                right.open = false;
            }
            retired.push(finding);
        }
        self.retired += retired.len();
        self.findings.splice(..0, retired);
        while self.retired > 0 && self.findings.len() > MOST_FINDINGS {
            self.forget_one();
        }
        fallen
    }

    /// A finding is of a move that answers one which is not in the record and is to be put back:
    /// where its pieces stood is known from nowhere else.
    pub(crate) fn note_before(&mut self, id: u32, fen: String) {
        self.before.retain(|(noted, _)| *noted != id);
        self.before.push((id, fen));
        if self.before.len() > MOST_OPEN {
            self.before.remove(0);
        }
    }

    /// What was played after the first `n` plies is taken back: what was found there is of no ply
    /// any more. Its position before ply `ply` is `before(ply)`, where the record has that.
    pub(crate) fn undo_after(&mut self, n: usize, before: impl Fn(usize) -> String) {
        for finding in &mut self.findings[self.retired..] {
            let (id, ply) = (finding.irregularity.id, finding.irregularity.ply as usize);
            if ply > n && finding.undone.is_none() {
                let noted = self.before.iter().find(|(noted, _)| *noted == id);
                let fen = noted.map_or_else(|| before(ply), |(_, fen)| fen.clone());
                finding.undone = Some(fen);
            }
        }
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

    /// Whether `code` was found of ply `ply` and not withdrawn.
    pub(crate) fn is_found(&self, code: Code, ply: usize) -> bool {
        self.findings.iter().any(|f| {
            let stands = f.status != FindingStatus::Withdrawn;
            stands && f.irregularity.code == code && f.is_of(ply)
        })
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
        self.undecided_illegal_moves().next().is_some()
    }

    /// Whether one of these plies was such a move, found before `now`.
    pub(crate) fn has_undecided_illegal_move_in(&self, plies: Range<usize>, now: Time) -> bool {
        let mut moves = self.undecided_illegal_moves();
        moves.any(|f| f.at < now && plies.clone().any(|ply| f.is_of(ply)))
    }

    fn undecided_illegal_moves(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|f| {
            f.status == FindingStatus::Open
                && f.irregularity.certainty == Certainty::Likely
                && f.irregularity.code.is_illegal_move()
        })
    }

    /// When the illegal move of ply `ply` was found first that waits for the arbiter.
    pub(crate) fn open_illegal_move(&self, ply: usize) -> Option<Time> {
        let mut findings = self.findings.iter();
        let found = findings.find(|f| {
            let illegal = f.irregularity.code.is_illegal_move() && f.is_of(ply);
            illegal && f.status == FindingStatus::Open
        });
        found.map(|f| f.at)
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

    /// The numbers of the findings of plies after the first `n` that wait for the arbiter. How the
    /// board lies rests on no ply.
    pub(crate) fn open_after(&self, n: usize) -> Vec<u32> {
        let mut ids = Vec::new();
        for f in &self.findings {
            let of_ply = f.irregularity.code != Code::BoardOrientationWrong;
            let told = &f.irregularity;
            // A claim rests on what was played before it.
            let rests_on =
                (told.ply as usize).saturating_sub(usize::from(told.code.is_of_claiming()));
            let after = of_ply && f.undone.is_none() && rests_on > n;
            if f.status == FindingStatus::Open && after {
                ids.push(f.irregularity.id);
            }
        }
        ids
    }

    /// The numbers of the findings that were raised at `at` or later and wait for the arbiter.
    pub(crate) fn open_since(&self, at: Time) -> Vec<u32> {
        let findings = self.findings.iter();
        let since = findings.filter(|f| f.status == FindingStatus::Open && f.at >= at);
        since.map(|f| f.irregularity.id).collect()
    }

    /// Whether a finding of this kind was ever raised.
    pub(crate) fn has_found(&self, code: Code) -> bool {
        self.raised().iter().any(|f| f.irregularity.code == code)
    }
}

/// Doubts.
impl Docket {
    /// Every doubt that is open.
    pub(crate) fn doubts(&self) -> &[OpenDoubt] {
        &self.doubts
    }

    /// The doubts about which moves were played.
    pub(crate) fn doubts_of_moves(&self) -> Vec<Doubt> {
        let of_move = |kind| matches!(kind, DoubtKind::PromotionPiece | DoubtKind::AmbiguousMove);
        let open = self.doubts.iter().map(|open| &open.doubt);
        open.filter(|doubt| of_move(doubt.kind)).cloned().collect()
    }

    /// Whether there is a doubt of this kind about this ply.
    pub(crate) fn has_doubt(&self, ply: u32, kind: DoubtKind) -> bool {
        self.doubts
            .iter()
            .any(|d| d.doubt.ply == ply && d.doubt.kind == kind)
    }

    /// Keeps a doubt.
    pub(crate) fn doubt(&mut self, doubt: Doubt) {
        if self.doubts.len() >= MOST_DOUBTS {
            self.doubts.remove(0);
        }
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
            .map(|(result, text, _)| (*result, &**text))
    }

    /// Whose it is.
    pub(crate) fn forfeited_by(&self) -> Option<Color> {
        self.forfeit.as_ref().map(|(.., by)| *by)
    }

    /// Such a loss that turns on a question.
    pub(crate) fn awaited(&self) -> Option<&Loss> {
        self.awaited.as_ref()
    }

    /// A loss for illegal moves is proposed, or none any more.
    pub(crate) fn propose(&mut self, forfeit: Option<(ResultView, String, Color)>) {
        (self.forfeit, self.awaited) = (forfeit, None);
    }

    /// Such a loss turns on a question, or none does any more.
    pub(crate) fn wait_for(&mut self, loss: Option<Loss>) {
        self.awaited = loss;
    }
}

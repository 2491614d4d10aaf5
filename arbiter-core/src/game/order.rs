//! What players declare and the human arbiter orders.

use shakmaty::{Chess, Color, Position, Role, Square, uci::UciMove};

use crate::chess::position::position;
use crate::game::Game;
use crate::game::setup::Start;
use crate::judge::article_4::{Bound, required};
use crate::laws::{Redress, Rule};
use crate::message::{self, Answer};
use crate::said::input::{ArbiterAction, ClaimKind, StartFen};
use crate::said::irregularity::{Article, Code};
use crate::said::ruling::{GameResult, ResultReason, Ruling};
use crate::said::view::FindingStatus;
use crate::track::hypothesis::Hypothesis;

impl Game {
    /// Carries out an order.
    pub(crate) fn order(&mut self, action: &ArbiterAction) {
        self.excuse_stop();
        match action {
            ArbiterAction::Uphold { id } => self.uphold(*id),
            ArbiterAction::Dismiss { id } => self.dismiss(*id),
            ArbiterAction::Promotion { square, piece } => self.name_promotion(*square, *piece),
            ArbiterAction::Reading { ply, uci } => self.name_move(*ply as usize, *uci),
            ArbiterAction::SetPosition { fen } => self.set_position(fen),
            ArbiterAction::LetStand => self.let_stand(),
            ArbiterAction::BoardTurned { turned } => self.turn_board(*turned),
            ArbiterAction::Pause => self.paused = true,
            ArbiterAction::Resume => self.resume(),
            ArbiterAction::Result { result } => self.enter_result(*result),
            ArbiterAction::Report { code, by, square } => self.report(*code, *by, *square),
        }
    }

    /// The finding is right. A breach of Article 4, or an illegal move that stands, is undone: the
    /// position before it, and the required moves.
    pub(crate) fn uphold(&mut self, id: u32) {
        let Some(f) = self
            .finding_mut(id)
            .filter(|f| f.status == FindingStatus::Open)
        else {
            return;
        };
        f.status = FindingStatus::Upheld;
        let (code, ply) = (f.irregularity.code, f.irregularity.ply as usize);
        let required = f.irregularity.required.clone();
        let played = ply.checked_sub(1).and_then(|i| self.record.plies.get(i));
        let undone = played
            .is_some_and(|p| code.is_of_moving() || (code.is_illegal_move() && p.m.is_none()));
        if !undone {
            return;
        }
        let before = self.record.position(ply - 1);
        let required = required.unwrap_or_default();
        let moves: alloc::vec::Vec<_> = required
            .iter()
            .filter_map(|uci| uci.to_move(&before).ok())
            .collect();
        let code = if code.is_of_moving() {
            code
        } else {
            required::breach_of(&moves, &before)
        };
        self.undo(id, Bound { code, moves }, ply);
    }

    /// Takes back ply `ply` and all that came after it; the offender replaces it by one of the
    /// moves that bind him.
    pub(crate) fn undo(&mut self, id: u32, bound: Bound, ply: usize) {
        let before = self.record.position(ply - 1);
        self.roll_back(ply - 1);
        self.end_on_claim(id);
        self.bound = Some(bound).filter(|b| !b.moves.is_empty());
        self.order_restore(before);
    }

    /// Where the Laws give the win only to him who claims it, it is proposed now.
    fn end_on_claim(&mut self, id: u32) {
        if self.offence().redress == Redress::OnClaim {
            self.propose_forfeit(id);
        }
    }

    /// Takes the record back to `n` plies; the player to move then has his clock running.
    fn roll_back(&mut self, n: usize) {
        if n < self.record.len() {
            self.record.truncate(n);
            self.say(Ruling::Revision {
                from_ply: n as u32 + 1,
                moves: alloc::vec::Vec::new(),
            });
        }
        let pos = self.record.last().clone();
        self.running = Some(pos.turn());
        self.reset_to(pos, n);
        (self.completed, self.named) = (n, n);
        self.turn_start = self.now;
        self.bound = None;
        self.result = None;
        self.awaited = None;
        self.pending.clear();
        (self.obligation, self.standing) = (None, None);
        self.doubts.retain(|d| d.doubt.ply as usize <= n);
    }

    /// The finding is dismissed; what it held back or ordered falls away.
    fn dismiss(&mut self, id: u32) {
        let Some(f) = self
            .finding_mut(id)
            .filter(|f| f.status == FindingStatus::Open)
        else {
            return;
        };
        f.status = FindingStatus::Dismissed;
        let (code, ply) = (f.irregularity.code, f.irregularity.ply as usize);
        if self.laws().counts(code) {
            (self.bound, self.restore) = (None, None);
            self.drop_forfeit();
        } else if code == Code::IncorrectDrawClaim {
            self.bound = None;
        }
        self.check_end(ply.min(self.record.len()), true);
    }

    /// The arbiter names the piece on a promotion square: accounts with another die.
    fn name_promotion(&mut self, square: Square, role: Role) {
        self.keep_accounts(|a| {
            let mut promotions = a
                .steps
                .iter()
                .filter(|s| s.m.promotion().is_some() && s.m.to() == square);
            promotions
                .next_back()
                .is_some_and(|s| s.m.promotion() == Some(role))
        });
    }

    /// The arbiter names the move of a ply: accounts with another die. A move that none holds
    /// changes nothing.
    fn name_move(&mut self, ply: usize, uci: UciMove) {
        let mode = self.setup.castling_mode();
        if self
            .unseen_castling()
            .is_some_and(|(n, m)| n as usize == ply && UciMove::from_move(m, mode) == uci)
        {
            self.named = ply;
            return self.settle_doubts();
        }
        let Some(i) = ply.checked_sub(self.base + 1) else {
            return;
        };
        let named = |a: &Hypothesis| a.steps.get(i).map(|s| UciMove::from_move(s.m, mode) == uci);
        if self.beam.all().iter().any(|a| named(a) == Some(true)) {
            self.keep_accounts(|a| named(a) != Some(false));
        }
    }

    /// Keeps the accounts that agree with what the arbiter saw; without any nothing changes.
    fn keep_accounts(&mut self, agrees: impl Fn(&Hypothesis) -> bool) {
        if self.beam.retain(agrees) {
            let best = self.best().clone();
            let told = self.record.len();
            self.tell_line(&best, told.min(self.length(&best)), self.completed);
            self.settle_doubts();
            self.check_end(self.record.len(), self.record.len() == self.completed);
        }
    }

    /// The game goes on from `fen`. A position of the record takes the record back to it.
    fn set_position(&mut self, fen: &StartFen) {
        let StartFen::Known(fen) = fen else {
            self.known = false;
            return;
        };
        let Some(pos) = position(fen.as_setup(), self.setup.castling_mode()) else {
            return;
        };
        let same = |p: &Chess| p.board() == pos.board() && p.turn() == pos.turn();
        let n = (0..=self.record.len())
            .rev()
            .find(|&n| self.known && same(&self.record.position(n)));
        self.known = true;
        self.paused = false;
        self.start = Start::Settled;
        match n {
            Some(n) => self.roll_back(n),
            None => {
                let n = self.record.len();
                self.record.jump(pos.clone());
                self.roll_back(n);
            }
        }
        let target = self.record.last().clone();
        self.order_restore(target);
    }

    /// What stands on the board is the position: the illegal move stands and the opponent has the
    /// move.
    fn let_stand(&mut self) {
        // What was played to get there is not known, nor from where: the arbiter sets the position
        // instead.
        if !self.known {
            return;
        }
        if self.standing.is_none() {
            let root = self.root().clone();
            let handling = self.handling_of_open_turn(&root);
            self.follow_standing(&root, &handling);
        }
        self.adopt_standing();
    }

    fn resume(&mut self) {
        if !self.paused {
            return;
        }
        self.paused = false;
        let n = self.completed;
        let pos = self.record.position(n);
        // Whatever was handled while the game was paused is nobody's touch.
        if self.contacts.planes.differ(pos.board()).is_empty() && n == self.record.len() {
            self.reset_to(pos, n);
        }
        self.turn_start = self.now;
    }

    fn enter_result(&mut self, result: GameResult) {
        if result == GameResult::Open {
            (self.result, self.awaited) = (None, None);
            return;
        }
        let best = self.best().clone();
        if self.known && self.result.is_none() && best.wrong(&self.contacts).is_empty() {
            self.tell_line(&best, self.length(&best), self.completed);
        }
        self.declare(
            result,
            false,
            ResultReason::Arbiter,
            self.laws().article(Rule::ArbiterPowers),
        );
    }

    /// Answers a claim made at the board.
    pub(crate) fn claim(
        &mut self,
        by: Color,
        kind: ClaimKind,
        intended: Option<shakmaty::uci::UciMove>,
    ) {
        let (shown, article) = match kind {
            ClaimKind::Threefold | ClaimKind::FiftyMoves => {
                return self.claim_draw(by, kind, intended);
            }
            ClaimKind::FlagFall => return self.claim_flag(by),
            ClaimKind::TouchMove => (
                self.claimed(by, true).is_some(),
                self.laws().article(Rule::ClaimLost),
            ),
            ClaimKind::IllegalMove => (
                self.claimed(by, false).is_some(),
                self.laws().article(Rule::IllegalMove),
            ),
        };
        self.answer(
            by,
            kind,
            if shown {
                Answer::Shown
            } else {
                Answer::NotShown
            },
            article,
        );
        if let (ClaimKind::IllegalMove, Some(id)) = (kind, self.claimed(by, false)) {
            self.end_on_claim(id);
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
        let theirs = |f: &&crate::said::view::Finding| {
            f.irregularity
                .claim
                .is_some_and(|c| c.by == by.into() && c.open)
        };
        let mut open = self.findings.iter().filter(theirs);
        open.find(|f| f.irregularity.code.is_of_moving() == of_moving)
            .map(|f| f.irregularity.id)
    }
}

//! What the human arbiter orders.

use alloc::boxed::Box;
use shakmaty::{Chess, Position, Role, Square, uci::UciMove};

use crate::chess::position::{fen_text, position};
use crate::game::Game;
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::findings::legal_of;
use crate::game::refusal::{Ordered, Refusal};
use crate::game::verdict::Verdict;
use crate::judge::article_4::Bound;
use crate::judge::article_4::required::breach_of;
use crate::laws::{PawnLeft, Redress, Rule};
use crate::said::input::{ArbiterAction, FindingRef, StartFen};
use crate::said::irregularity::Code;
use crate::said::orientation::Orientation;
use crate::said::refused::Why;
use crate::said::ruling::{DoubtKind, GameResult, ResultReason, Ruling};
use crate::said::symbol::SensorClass;
use crate::said::view::{Finding, FindingStatus};
use crate::track::cost;
use crate::track::gap::LastPly;
use crate::track::hypothesis::{Hypothesis, Illegal};

impl Game {
    /// Carries out an order, if it changes anything.
    pub(crate) fn order(&mut self, action: &ArbiterAction) -> Ordered {
        if let Some(other) = action.game().filter(|name| *name != self.setup.game) {
            return Err(Refusal::of(Why::NoGame, other));
        }
        let changes = match action {
            ArbiterAction::Uphold(finding) if finding.for_record => {
                self.record_upheld(self.meant(finding)?)
            }
            ArbiterAction::Uphold(finding) => self.uphold(self.meant(finding)?),
            ArbiterAction::Dismiss(finding) => self.dismiss(self.meant(finding)?),
            ArbiterAction::Promotion { square, piece } => self.name_promotion(*square, *piece)?,
            ArbiterAction::Reading { ply, uci } => self.name_reading(*ply, *uci)?,
            ArbiterAction::SetPosition { fen } => self.set_position(fen)?,
            ArbiterAction::LetStand => self.order_let_stand()?,
            ArbiterAction::Annul { .. } => self.annul()?,
            ArbiterAction::BoardTurned { turned } => self.order_board_turned(*turned)?,
            ArbiterAction::Pause => self.pause()?,
            ArbiterAction::Resume => self.resume()?,
            ArbiterAction::Result { result, .. } => self.enter_result(*result)?,
            ArbiterAction::GoesOn { .. } => self.deny_end()?,
            ArbiterAction::Report { code, by, square } => self.report(*code, *by, *square),
            // These two are about what was heard before: see `hearing`.
            ArbiterAction::Played { .. } | ArbiterAction::TakeBack { .. } => NOTHING,
        };
        self.clock.excuse_stop();
        Ok(changes)
    }

    /// The number of the finding that an order means, which must wait for the arbiter. Where the
    /// number is another finding's, what the order says besides finds it.
    fn meant(&self, finding: &FindingRef) -> Result<u32, Refusal> {
        let fits = |f: &&Finding| {
            let told = &f.irregularity;
            finding.fits(told.code, told.ply, told.by)
        };
        let is_open = |f: &&Finding| f.status == FindingStatus::Open;
        let named = self.docket.finding(finding.id).filter(fits);
        if let Some(open) = named.filter(is_open) {
            return Ok(open.irregularity.id);
        }
        let mut others = self
            .docket
            .findings()
            .iter()
            .filter(|f| finding.is_described() && fits(f));
        match (others.find(is_open), named) {
            (Some(open), _) => Ok(open.irregularity.id),
            (None, Some(_)) => Err(Refusal::of(Why::Decided, finding.id)),
            (None, None) => Err(Refusal::of(Why::NoFinding, finding.id)),
        }
    }

    /// The finding is right. A breach of Article 4, or an illegal move that stands, is undone: the
    /// position before it, and the required moves.
    pub(crate) fn uphold(&mut self, id: u32) -> Changes {
        if !self.docket.close_finding(id, FindingStatus::Upheld) {
            return NOTHING;
        }
        let mut changes = self.undo_upheld(id);
        let is_kept = changes.is_empty();
        changes.extend(self.weigh_offences());
        // Where nothing was undone for it, what it kept from ending the game does so now.
        if is_kept && changes.is_empty() && !self.is_losing_now() {
            changes = self.end_if_over(self.record.completed());
        }
        changes
    }

    /// The finding is right, and nothing follows: the game has its result, and its pieces may stand
    /// nowhere any more.
    fn record_upheld(&mut self, id: u32) -> Changes {
        self.docket.close_finding(id, FindingStatus::Upheld);
        NOTHING
    }

    /// What was found is undone, where it has to be.
    fn undo_upheld(&mut self, id: u32) -> Changes {
        if self.go_back_before_displaced(id) {
            return NOTHING;
        }
        // What was played there is taken back already.
        let finding = self.docket.finding(id).filter(|f| f.undone.is_none());
        let Some(told) = finding.map(|f| &f.irregularity) else {
            return NOTHING;
        };
        let (code, ply) = (told.code, told.ply as usize);
        if code == Code::PawnNotPromoted && self.laws().pawn_left == PawnLeft::Queen {
            let square = told.squares.first().copied();
            return square.map_or(NOTHING, |square| self.make_queen(square));
        }
        let undone = self.record.ply(ply).is_some_and(|played| {
            code.is_of_moving() || (code.is_illegal_move() && played.m.is_none())
        });
        if !undone {
            // It is to be put back already, and what answered it with it.
            if code.is_illegal_move() && self.record.len() < ply {
                self.undo_findings_after(ply);
            }
            return NOTHING;
        }
        let before = self.record.position(ply - 1);
        let moves = legal_of(told.required.as_deref().unwrap_or_default(), &before);
        let code = if code.is_of_moving() {
            code
        } else {
            breach_of(&moves, &before)
        };
        self.undo(id, Bound { ply, code, moves }, ply)
    }

    /// A pawn that was not promoted becomes a queen (7.5.2).
    fn make_queen(&mut self, square: Square) -> Changes {
        let mut changes = self.name_promotion(square, Role::Queen).unwrap_or_default();
        let stands = self.best().pos.board().role_at(square) == Some(Role::Queen);
        if stands && self.differ(&self.best().pos).contains(square) {
            changes.push(Change::PutRecordedBack);
        }
        changes
    }

    /// Takes back ply `ply` and all that came after it; the offender replaces it by one of the
    /// moves that bind him.
    pub(crate) fn undo(&mut self, id: u32, bound: Bound, ply: usize) -> Changes {
        let target = self.record.position(ply - 1);
        self.take_plies(ply - 1);
        let mut changes = self.end_on_claim(id);
        changes.push(Change::Undone {
            bound,
            target: Box::new(target),
        });
        changes
    }

    /// A ply was taken back: what binds its replacement, and the position to put back.
    pub(crate) fn demand_replacement(&mut self, bound: Bound, target: Chess) {
        self.bind(Some(bound).filter(|bound| !bound.moves.is_empty()));
        self.order_restore(target);
    }

    /// Where the Laws give the win only to him who claims it, it is proposed now.
    pub(crate) fn end_on_claim(&self, id: u32) -> Changes {
        match self.offence().redress {
            Redress::OnClaim => self.propose_forfeit(id),
            _ => NOTHING,
        }
    }

    /// What was played after the first `n` plies is taken back. What was found in the first of them
    /// is told of the ply that comes in its place; what was found later is of none.
    pub(crate) fn take_plies(&mut self, n: usize) {
        self.undo_findings_after(n + 1);
        self.roll_back(n);
    }

    /// What was played after the first `n` plies is taken back: what was found there is of none.
    pub(crate) fn undo_findings_after(&mut self, n: usize) {
        let record = &self.record;
        let before = |ply: usize| fen_text(&record.position(ply.saturating_sub(1)));
        self.docket.undo_after(n, before);
    }

    /// Takes the record back to `n` plies; the player to move then has his clock running.
    pub(crate) fn roll_back(&mut self, n: usize) {
        if n < self.record.len() {
            self.record.truncate(n);
            self.say(Ruling::Revision {
                from_ply: n as u32 + 1,
                moves: Default::default(),
            });
        }
        let pos = self.record.last().clone();
        self.clock.run(Some(pos.turn()));
        self.reset_to(pos, n);
        self.record.set_completed(n);
        self.record.name(n);
        self.clock.start_turn(self.clock.now());
        self.reopen();
        self.clock.stop_waiting();
        self.state.next_turn();
        self.docket.retain_doubts(|d| d.doubt.ply as usize <= n);
    }

    /// The finding is dismissed; what it held back or ordered falls away.
    fn dismiss(&mut self, id: u32) -> Changes {
        if self.denies_exchange(id) {
            return NOTHING;
        }
        self.docket.close_finding(id, FindingStatus::Dismissed);
        let Some(told) = self.docket.finding(id).map(|f| &f.irregularity) else {
            return NOTHING;
        };
        let (code, ply) = (told.code, told.ply as usize);
        // Of play that was taken back nothing is ordered.
        let is_undone = self.docket.finding(id).is_some_and(|f| f.undone.is_some());
        if self.laws().counts(code) {
            if !is_undone && !self.is_undone_for_another(id, ply) {
                self.bind(None);
                self.set_obligation(None);
                self.state.stop_putting_back();
            }
            self.drop_forfeit();
        } else if code == Code::IncorrectDrawClaim && !is_undone {
            self.bind(None);
        }
        let mut changes = self.weigh_offences();
        let k = match is_undone {
            true => self.record.completed(),
            false => ply.min(self.record.len()),
        };
        // What ended the game after it counts again, where no loss stands in its place.
        let last = self.record.completed();
        if changes.is_empty() && !self.is_losing_now() && last > k {
            changes = self.end_if_over(last);
        }
        changes.push(Change::CheckEnd { k, released: true });
        changes
    }

    /// Whether a loss by illegal moves is proposed, or would be once it is known who can mate.
    fn is_losing_now(&self) -> bool {
        self.docket.forfeit().is_some() || self.docket.awaited().is_some()
    }

    /// Whether what binds the player, or is to be put back, is so for another finding, which
    /// stands.
    fn is_undone_for_another(&self, id: u32, ply: usize) -> bool {
        let bound = self.state.turn().bound.as_ref();
        let target = self.state.ordered();
        // Of what answers a move that is not in the record nothing is known of its position.
        let is_of = |of: usize| {
            let before = of.checked_sub(1).filter(|n| *n <= self.record.len());
            let before = before.map(|n| self.record.position(n));
            bound.is_some_and(|bound| bound.ply == of)
                || (before.is_some() && target == before.as_ref())
        };
        let mut others = self.docket.raised().iter().filter(|f| {
            let told = &f.irregularity;
            let stands = f.stands() && f.undone.is_none();
            told.id != id && stands && told.code.is_illegal_move()
        });
        others.any(|f| {
            let of = f.irregularity.ply as usize;
            // Of one move it is for both, or for the later one.
            is_of(of) && (of != ply || f.irregularity.id > id)
        })
    }

    /// The arbiter names the piece on a promotion square: hypotheses with another die.
    fn name_promotion(&mut self, square: Square, role: Role) -> Ordered {
        let doubts = self.docket.doubts().iter().map(|d| &d.doubt);
        let asked = doubts
            .filter(|d| d.kind == DoubtKind::PromotionPiece)
            .any(|d| d.squares.contains(&square));
        let named = |line: &Hypothesis| {
            let mut moves = line.steps.iter().rev().map(|step| step.m);
            let promotion = moves.find(|m| m.is_promotion() && m.to() == square);
            promotion.is_some_and(|m| m.promotion() == Some(role))
        };
        let lines = self.track.all();
        let agreeing = lines.iter().filter(|line| named(line)).count();
        if agreeing == 0 || (agreeing == lines.len() && !asked) {
            return Err(Refusal::of(Why::NoPromotion, square));
        }
        Ok(self.keep_agreeing(named))
    }

    /// The arbiter names one of the moves that a doubt leaves open.
    fn name_reading(&mut self, ply: u32, uci: UciMove) -> Ordered {
        let named = self.name_move(ply as usize, uci);
        named.ok_or_else(|| Refusal::of(Why::NoReading, ply))
    }

    /// The arbiter names the move of a ply: hypotheses with another die. `None` where none holds
    /// it, and where it is in no doubt.
    pub(crate) fn name_move(&mut self, ply: usize, uci: UciMove) -> Option<Changes> {
        let mode = self.setup.castling_mode();
        if let Some((n, m)) = self.unseen_castling()
            && n as usize == ply
            && UciMove::from_move(m, mode) == uci
        {
            self.record.name(ply);
            return Some(alloc::vec![Change::SettleDoubts]);
        }
        let i = ply.checked_sub(self.track.base() + 1)?;
        let named = |line: &Hypothesis| {
            line.steps
                .get(i)
                .map(|step| UciMove::from_move(step.m, mode) == uci)
        };
        let lines = self.track.all();
        let held = lines.iter().any(|line| named(line) == Some(true));
        let agreed = lines.iter().all(|line| named(line) == Some(true));
        if !held || (agreed && !self.is_doubtful(ply as u32)) {
            return None;
        }
        // Somebody has seen it.
        self.record.set_unseen(ply, false);
        Some(self.keep_agreeing(|line| named(line) != Some(false)))
    }

    /// Keeps the hypotheses that agree with what the arbiter saw; without any nothing changes.
    fn keep_agreeing(&mut self, agrees: impl Fn(&Hypothesis) -> bool) -> Changes {
        if !self.track.retain(agrees) {
            return NOTHING;
        }
        let best = self.best().clone();
        let (told, completed) = (self.record.len(), self.record.completed());
        self.tell_line(&best, told.min(self.length(&best)), completed);
        alloc::vec![Change::SettleDoubts, Change::Named]
    }

    /// A ply was named by the arbiter: it may have ended the game, if nothing stands after it.
    pub(crate) fn check_named_end(&mut self) -> Changes {
        let k = self.record.len();
        self.check_end(k, k == self.record.completed())
    }

    /// The game goes on from `fen`. A position of the record takes the record back to it.
    fn set_position(&mut self, fen: &StartFen) -> Ordered {
        let StartFen::Known(fen) = fen else {
            if !self.state.is_known() {
                return Err(Why::PositionUnknown.into());
            }
            self.state.forget();
            return Ok(NOTHING);
        };
        let Some(pos) = position(fen.as_setup(), self.setup.castling_mode()) else {
            return Err(Why::NoPosition.into());
        };
        let known = self.state.is_known();
        let n = if known {
            self.find_in_record(&pos)
        } else {
            None
        };
        self.state.resume();
        self.state.know();
        self.state.begin_play();
        self.board.set_start_read(true);
        if n.is_none() {
            self.record.jump(pos.clone());
        }
        self.take_plies(n.unwrap_or(self.record.len()));
        let last = self.record.last();
        if last.board() != pos.board() || last.turn() != pos.turn() {
            // What the players went on from after it is taken back as well.
            self.jump_to(pos);
        }
        self.record.all_seen();
        self.order_restore(self.record.last().clone());
        Ok(NOTHING)
    }

    /// After how many plies `pos` stood last.
    fn find_in_record(&self, pos: &Chess) -> Option<usize> {
        (0..=self.record.len()).rev().find(|&n| {
            let is_it = |stood: Chess| stood.board() == pos.board() && stood.turn() == pos.turn();
            is_it(self.record.position(n)) || is_it(self.record.after(n))
        })
    }

    /// What stands on the board is the position: the illegal move stands and the opponent has the
    /// move.
    fn order_let_stand(&mut self) -> Ordered {
        // What was played to get there is not known, or nor from where: the arbiter sets the
        // position instead.
        if !self.state.is_known() || self.state.is_lost() {
            return Err(Why::PositionUnknown.into());
        }
        if self.let_displaced_stand() {
            return Ok(NOTHING);
        }
        if self.standing().is_none() {
            // Without a clock the last legal move is not complete: it stands already.
            if self.is_legally_explained() {
                return Err(Why::NothingStands.into());
            }
            let root = self.root().clone();
            let handling = self.handling_of_open_turn(&root);
            let act = self.act_after(&root, &handling, Illegal::unjudged());
            if act.is_none() {
                return Err(Why::NothingStands.into());
            }
            self.rule_on_act(act.as_ref());
        }
        Ok(alloc::vec![Change::LetStand])
    }

    /// Whether a line of legal moves explains what stands, without a capture that nobody saw.
    fn is_legally_explained(&self) -> bool {
        let best = self.best();
        self.wrong(best).is_empty() && self.total(best) - best.cost_before < cost::UNTOUCHED
    }

    /// How the board lies, where that is another way or was asked.
    fn order_board_turned(&mut self, turned: Orientation) -> Ordered {
        if self.orientation() == turned && !self.is_lie_open() {
            return Err(Why::LiesSo.into());
        }
        self.turn_board(turned);
        Ok(NOTHING)
    }

    fn pause(&mut self) -> Ordered {
        if self.state.is_paused() {
            return Err(Why::PausedAlready.into());
        }
        if self.state.is_ended() {
            return Err(Why::NotPlaying.into());
        }
        // What was played before is not lost if the game never goes on.
        self.tell_as_it_stands();
        self.state.pause();
        self.clock.note_pause();
        Ok(NOTHING)
    }

    fn resume(&mut self) -> Ordered {
        if !self.state.resume() {
            return Err(Why::NotPaused.into());
        }
        let (told, now) = (self.record.len(), self.clock.now());
        if self.setup.sensor != SensorClass::Piece {
            let board = self.record.last().board().clone();
            for men in [board.white(), board.black()] {
                self.board.note_mixed(men, self.clock.paused());
            }
        }
        self.clock.start_turn(now);
        let stands = self.differ(self.record.last()).is_empty();
        // Whatever was handled while the game was paused is nobody's touch, and none of it was
        // played out of sight.
        if stands {
            self.board.set_gap(false);
        } else {
            self.clock.excuse_handling();
        }
        if stands && self.record.completed() == told {
            self.reset_to(self.record.last().clone(), told);
            return Ok(NOTHING);
        }
        self.track.excuse(self.board.contacts(), now);
        let line = self.made(told).filter(|_| stands && !self.setup.clock);
        let Some(line) = line.cloned().filter(|line| self.length(line) == told) else {
            // Pieces that lie about are put up again, or somebody says how they stood. Of what was
            // played on meanwhile the presses tell.
            if self.search_gap(None, LastPly::default()).is_none() {
                self.lose_if_contradicted();
            }
            return Ok(NOTHING);
        };
        // Where nobody presses, what has stood while the game was paused is complete.
        self.adopt(line.clone());
        self.track.forget_evidence();
        Ok(self.complete_without_press(&line.into(), told))
    }

    /// The game counts for nothing, under the article of what makes it so: a start that was wrong,
    /// in 1974 a position that nobody can put back.
    fn annul(&mut self) -> Ordered {
        let found = |code| {
            let mut found = self.docket.findings().iter();
            found.any(|f| f.irregularity.code == code && f.status != FindingStatus::Withdrawn)
        };
        let cannot_go_back = |code| self.laws().annuls && found(code);
        let rule = if found(Code::PositionSetupWrong) {
            Rule::SetupWrong
        } else if cannot_go_back(Code::IllegalMove) {
            Rule::IllegalMove
        } else if [Code::PieceDisplaced, Code::DisplacementFoundLater]
            .into_iter()
            .any(cannot_go_back)
        {
            Rule::DisplacedLater
        } else {
            Rule::ArbiterPowers
        };
        if self.state.is_known() && self.result().is_none() && !self.is_asked() {
            self.tell_as_it_stands();
        }
        self.settle_end();
        let article = self.laws().article(rule);
        Ok(alloc::vec![self.declared(
            GameResult::Open,
            false,
            ResultReason::Annulled,
            article
        )])
    }

    /// It was asked whether the game has ended, and it has not.
    fn deny_end(&mut self) -> Ordered {
        if !self.is_asked() {
            return Err(Why::NotAsked.into());
        }
        self.go_on();
        self.reopen();
        self.settle_end();
        Ok(NOTHING)
    }

    /// Whether the game has ended is asked no more.
    fn settle_end(&mut self) {
        self.docket
            .retain_doubts(|d| d.doubt.kind != DoubtKind::GameEnded);
    }

    fn enter_result(&mut self, result: GameResult) -> Ordered {
        let stands = self.result().map(|(result, _)| result);
        if result == GameResult::Open {
            let awaited = self.state.awaited().is_some() || self.docket.awaited().is_some();
            if stands.is_none() && !awaited {
                return Err(Why::NoResult.into());
            }
            self.reopen();
            return Ok(NOTHING);
        }
        if stands.is_some_and(|stands| !stands.proposed && stands.result == result) {
            return Err(Why::ResultStands.into());
        }
        if self.state.is_known() && stands.is_none() && !self.is_asked() {
            self.tell_as_it_stands();
        }
        self.settle_end();
        if let Some(loss) = self.loss_declared(result) {
            return Ok(alloc::vec![Change::Declare(loss)]);
        }
        // A draw that the players have shown he only confirms, by no power of his own. How a game
        // was won no sign tells.
        let shown = stands.filter(|shown| shown.proposed && shown.result == result);
        let is_shown = shown.is_some_and(|shown| shown.reason == ResultReason::KingsPlaced);
        let rule = match is_shown && result == GameResult::Draw {
            true => Rule::Agreement,
            false => Rule::ArbiterPowers,
        };
        let article = self.laws().article(rule);
        Ok(alloc::vec![self.declared(
            result,
            false,
            ResultReason::Arbiter,
            article
        )])
    }

    /// The loss that the Laws propose for illegal moves, where it is what the arbiter declares: it
    /// rests on the offences, and on no power of his own.
    fn loss_declared(&self, result: GameResult) -> Option<Verdict> {
        let (proposed, _) = self.docket.forfeit()?;
        let loser = self.docket.forfeited_by()?;
        // Where nobody knows who can mate, he decides between a loss and a draw.
        let is_left_open = proposed.result == GameResult::Open;
        let fits = match is_left_open {
            true => result != GameResult::won_by(loser),
            false => result == proposed.result,
        };
        fits.then(|| Verdict {
            result,
            proposed: false,
            reason: proposed.reason,
            article: self.offence().article,
            loser,
        })
    }
}

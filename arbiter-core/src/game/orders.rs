//! What the human arbiter orders.

use alloc::boxed::Box;
use shakmaty::{Chess, Position, Role, Square, uci::UciMove};

use crate::chess::position::position;
use crate::game::Game;
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::findings::legal_of;
use crate::judge::article_4::Bound;
use crate::judge::article_4::required::breach_of;
use crate::laws::{Redress, Rule};
use crate::said::input::{ArbiterAction, StartFen};
use crate::said::irregularity::Code;
use crate::said::ruling::{GameResult, ResultReason, Ruling};
use crate::said::view::FindingStatus;
use crate::track::hypothesis::Hypothesis;

impl Game {
    /// Carries out an order.
    pub(crate) fn order(&mut self, action: &ArbiterAction) -> Changes {
        self.clock.excuse_stop();
        match action {
            ArbiterAction::Uphold { id } => return self.uphold(*id),
            ArbiterAction::Dismiss { id } => return self.dismiss(*id),
            ArbiterAction::Promotion { square, piece } => {
                return self.name_promotion(*square, *piece);
            }
            ArbiterAction::Reading { ply, uci } => return self.name_move(*ply as usize, *uci),
            ArbiterAction::SetPosition { fen } => self.set_position(fen),
            ArbiterAction::LetStand => return self.order_let_stand(),
            ArbiterAction::BoardTurned { turned } => self.turn_board(*turned),
            ArbiterAction::Pause => self.state.pause(),
            ArbiterAction::Resume => self.resume(),
            ArbiterAction::Result { result } => return self.enter_result(*result),
            ArbiterAction::Report { code, by, square } => {
                return self.report(*code, *by, *square);
            }
        }
        NOTHING
    }

    /// The finding is right. A breach of Article 4, or an illegal move that stands, is undone: the
    /// position before it, and the required moves.
    pub(crate) fn uphold(&mut self, id: u32) -> Changes {
        if !self.docket.close_finding(id, FindingStatus::Upheld) {
            return NOTHING;
        }
        let Some(told) = self.docket.finding(id).map(|f| &f.irregularity) else {
            return NOTHING;
        };
        let (code, ply) = (told.code, told.ply as usize);
        let undone = self.record.ply(ply).is_some_and(|played| {
            code.is_of_moving() || (code.is_illegal_move() && played.m.is_none())
        });
        if !undone {
            return NOTHING;
        }
        let before = self.record.position(ply - 1);
        let moves = legal_of(told.required.as_deref().unwrap_or_default(), &before);
        let code = if code.is_of_moving() {
            code
        } else {
            breach_of(&moves, &before)
        };
        self.undo(id, Bound { code, moves }, ply)
    }

    /// Takes back ply `ply` and all that came after it; the offender replaces it by one of the
    /// moves that bind him.
    pub(crate) fn undo(&mut self, id: u32, bound: Bound, ply: usize) -> Changes {
        let target = self.record.position(ply - 1);
        self.roll_back(ply - 1);
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

    /// Takes the record back to `n` plies; the player to move then has his clock running.
    fn roll_back(&mut self, n: usize) {
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
        if !self.docket.close_finding(id, FindingStatus::Dismissed) {
            return NOTHING;
        }
        let Some(told) = self.docket.finding(id).map(|f| &f.irregularity) else {
            return NOTHING;
        };
        let (code, ply) = (told.code, told.ply as usize);
        if self.laws().counts(code) {
            self.bind(None);
            self.state.stop_putting_back();
            self.drop_forfeit();
        } else if code == Code::IncorrectDrawClaim {
            self.bind(None);
        }
        alloc::vec![Change::CheckEnd {
            k: ply.min(self.record.len()),
            released: true
        }]
    }

    /// The arbiter names the piece on a promotion square: hypotheses with another die.
    fn name_promotion(&mut self, square: Square, role: Role) -> Changes {
        self.keep_agreeing(|line| {
            let mut moves = line.steps.iter().rev().map(|step| step.m);
            let promotion = moves.find(|m| m.is_promotion() && m.to() == square);
            promotion.is_some_and(|m| m.promotion() == Some(role))
        })
    }

    /// The arbiter names the move of a ply: hypotheses with another die. A move that none holds
    /// changes nothing.
    fn name_move(&mut self, ply: usize, uci: UciMove) -> Changes {
        let mode = self.setup.castling_mode();
        if let Some((n, m)) = self.unseen_castling()
            && n as usize == ply
            && UciMove::from_move(m, mode) == uci
        {
            self.record.name(ply);
            return alloc::vec![Change::SettleDoubts];
        }
        let Some(i) = ply.checked_sub(self.track.base() + 1) else {
            return NOTHING;
        };
        let named = |line: &Hypothesis| {
            line.steps
                .get(i)
                .map(|step| UciMove::from_move(step.m, mode) == uci)
        };
        match self
            .track
            .all()
            .iter()
            .any(|line| named(line) == Some(true))
        {
            true => self.keep_agreeing(|line| named(line) != Some(false)),
            false => NOTHING,
        }
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
    fn set_position(&mut self, fen: &StartFen) {
        let StartFen::Known(fen) = fen else {
            self.state.forget();
            return;
        };
        let Some(pos) = position(fen.as_setup(), self.setup.castling_mode()) else {
            return;
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
            self.record.jump(pos);
        }
        self.roll_back(n.unwrap_or(self.record.len()));
        self.order_restore(self.record.last().clone());
    }

    /// After how many plies `pos` stood last.
    fn find_in_record(&self, pos: &Chess) -> Option<usize> {
        (0..=self.record.len()).rev().find(|&n| {
            let stood = self.record.position(n);
            stood.board() == pos.board() && stood.turn() == pos.turn()
        })
    }

    /// What stands on the board is the position: the illegal move stands and the opponent has the
    /// move.
    fn order_let_stand(&mut self) -> Changes {
        // What was played to get there is not known, nor from where: the arbiter sets the position
        // instead.
        if !self.state.is_known() {
            return NOTHING;
        }
        if self.state.turn().standing.is_none() {
            let root = self.root().clone();
            let handling = self.handling_of_open_turn(&root);
            self.follow_standing(&root, &handling);
        }
        alloc::vec![Change::LetStand]
    }

    fn resume(&mut self) {
        if !self.state.resume() {
            return;
        }
        let n = self.record.completed();
        let pos = self.record.position(n);
        // Whatever was handled while the game was paused is nobody's touch.
        if self.differ(&pos).is_empty() && n == self.record.len() {
            self.reset_to(pos, n);
        }
        self.clock.start_turn(self.clock.now());
    }

    fn enter_result(&mut self, result: GameResult) -> Changes {
        if result == GameResult::Open {
            self.reopen();
            return NOTHING;
        }
        if self.state.is_known() && self.result().is_none() {
            self.tell_as_it_stands();
        }
        let article = self.laws().article(Rule::ArbiterPowers);
        alloc::vec![self.declared(result, false, ResultReason::Arbiter, article)]
    }
}

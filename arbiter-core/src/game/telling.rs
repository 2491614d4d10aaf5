//! Telling: the record follows the best hypothesis, and says so; so do obligations and orders to
//! put something back.

use alloc::vec::Vec;

use shakmaty::{Chess, Move, Position, uci::UciMove};

use crate::chess::position::fen_text;
use crate::game::Game;
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::lost::HANDS;
use crate::judge::handling::Handled;
use crate::judge::obligation::permitted;
use crate::said::ruling::{MoveState, Ruling};
use crate::said::view::ObligationView;
use crate::track::cost;
use crate::track::hypothesis::Hypothesis;

impl Game {
    /// Makes the record equal to the first `upto` plies of `line`, the first `completed` of them
    /// completed.
    pub(crate) fn tell_line(&mut self, line: &Hypothesis, upto: usize, completed: usize) {
        let (base, told) = (self.track.base(), self.record.len());
        let mut keep = base;
        while keep < told.min(upto)
            && self.record.plies()[keep].m == Some(line.steps[keep - base].m)
        {
            keep += 1;
        }
        let clocks: Vec<Option<u64>> = self.record.plies()[keep.min(told)..]
            .iter()
            .map(|ply| ply.clock_ms)
            .collect();
        if keep < told {
            self.revise(line, keep, upto);
        }
        for i in keep..upto {
            let clock_ms = clocks.get(i - keep).copied().flatten();
            self.record.push(line.steps[i - base], clock_ms);
        }
        for i in base.min(keep)..upto {
            self.tell_ply(i, i < completed, i >= keep);
        }
    }

    /// Later evidence changed the reading of the plies after the first `keep`.
    fn revise(&mut self, line: &Hypothesis, keep: usize, upto: usize) {
        let base = self.track.base();
        self.record.truncate(keep);
        self.track.forget_longer(keep);
        let steps = &line.steps[keep - base..upto.max(keep) - base];
        let moves = steps.iter().map(|step| self.record.uci(step.m)).collect();
        self.say(Ruling::Revision {
            from_ply: keep as u32 + 1,
            moves,
        });
    }

    fn tell_ply(&mut self, i: usize, completed: bool, new: bool) {
        let completes = self.record.mark_completed(i, completed);
        if !new && !completes {
            return;
        }
        let state = if completed {
            MoveState::Completed
        } else {
            MoveState::Made
        };
        let ply = &self.record.plies()[i];
        let (uci, san) = (ply.uci, ply.san());
        let fen = self.record.fen_after(i + 1);
        self.say(Ruling::Move {
            ply: i as u32 + 1,
            uci,
            san,
            fen,
            state,
        });
    }

    pub(crate) fn ucis(&self, moves: &[Move]) -> Vec<UciMove> {
        moves.iter().map(|m| self.record.uci(*m)).collect()
    }

    /// Records what stands on the board, if it is exactly a made move: a game that ends keeps its
    /// last ply. A piece that is in the air has captured nobody of whom nothing was seen.
    pub(crate) fn tell_as_it_stands(&mut self) {
        let cheapest = self.total(self.best());
        let seen = |line: &&Hypothesis| self.total(line) < cheapest + cost::UNTOUCHED / 2;
        let Some(line) = self.as_put_down().filter(seen).cloned() else {
            return;
        };
        self.tell_line(&line, self.length(&line), self.record.completed());
    }
}

/// Obligations.
impl Game {
    /// Works out what the touches oblige the player having the move to, and what rights of his they
    /// end.
    pub(crate) fn read_touches(&mut self) -> Changes {
        if self.is_idle() || self.state.is_putting_back() || !self.is_set_up() {
            return NOTHING;
        }
        if self.length(self.best()) > self.record.completed() && self.setup.clock {
            return NOTHING;
        }
        let root = self.root();
        let handling = self.handling_of_open_turn(root);
        let touches = handling.touches(self.setup.options.skew_ms, Handled::touched);
        let (by, own) = (root.pos.turn(), root.pos.us());
        let mut obligation = None;
        let away = |h: &&Handled| h.piece.color == by && h.back_since().is_none();
        // More own men off their squares than any move takes up were knocked over: none of them was
        // touched to be moved (4.2.2).
        let is_spilled = handling.pieces.iter().filter(away).count() > HANDS;
        if !touches.is_empty() && !is_spilled {
            let allowed = permitted(&root.pos, root.legal(), &touches, self.laws());
            if !allowed.is_free() {
                let article = self.laws().article_of_duty(allowed.duty);
                let moves = self.ucis(&allowed.moves);
                obligation = Some(ObligationView { by, article, moves });
            }
        }
        self.lapse_offer(by, &handling);
        let touched_own = touches.iter().any(|touch| own.contains(touch.square));
        let mut changes = Changes::new();
        if touched_own && self.lapse_claims(by) {
            // What the open claim held back has come about.
            changes.push(Change::EndIfOver(self.record.completed()));
        }
        changes.push(Change::Obliged(obligation));
        changes
    }

    /// Tells what the touches oblige the player having the move to, if that changed.
    pub(crate) fn tell_obligation(&mut self, obligation: Option<ObligationView>) {
        if self.state.turn().is_written() {
            // The move written down with the claim must be played, whatever is touched.
            return;
        }
        if obligation.as_ref() != self.state.turn().obligation.as_ref() {
            self.oblige(obligation);
        }
    }

    /// What the player having the move is obliged to, if he is.
    pub(crate) fn oblige(&mut self, obligation: Option<ObligationView>) {
        self.set_obligation(obligation.clone());
        if let Some(ObligationView { by, article, moves }) = obligation {
            self.say(Ruling::Obligation { by, article, moves });
        }
    }

    pub(crate) fn set_obligation(&mut self, obligation: Option<ObligationView>) {
        self.state.turn_mut().obligation = obligation;
    }
}

/// Positions to be put back.
impl Game {
    /// Orders `target` to be put back.
    pub(crate) fn order_restore(&mut self, target: Chess) {
        let squares: Vec<_> = self.differ(&target).into_iter().collect();
        let stands = squares.is_empty();
        self.say(Ruling::Restore {
            fen: fen_text(&target),
            squares,
        });
        self.state.stop_putting_back();
        self.displaced = None;
        if !stands {
            self.state.put_back(target, self.clock.now());
        }
    }

    /// What stands is in the record: nothing is to be put back any more.
    pub(crate) fn end_putting_back(&mut self) {
        if self.state.stop_putting_back().is_some() {
            let fen = fen_text(self.record.last());
            let squares = Vec::new();
            self.say(Ruling::Restore { fen, squares });
        }
    }

    /// Tells that an ordered position has been put back: the board has stood so.
    pub(crate) fn tell_put_back(&mut self) {
        let Some(target) = self.state.target() else {
            return;
        };
        if self.differ(target).any() {
            return;
        }
        let fen = fen_text(target);
        self.excuse_unanswered();
        self.displaced = None;
        self.track.forget_irregular();
        if self.state.stop_putting_back().is_some() {
            self.undo_findings_after(self.record.len() + 1);
            self.say(Ruling::Restore {
                fen,
                squares: Vec::new(),
            });
        }
        // Handling before this moment was restoring, not playing.
        let root = self.root().clone();
        if self.wrong(&root).is_empty() {
            let n = self.length(&root);
            self.tell_line(&root, n, self.record.completed());
            self.reset_to(root.pos, n);
            self.clock.start_turn(self.clock.now());
        }
    }
}

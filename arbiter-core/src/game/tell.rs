//! Telling: the record follows the best account, and says so.

use alloc::vec::Vec;

use shakmaty::{Chess, Move, Position, Square, uci::UciMove};

use crate::chess::moves::{arrival, is_exchange, squares_of};
use crate::chess::position::fen_text;
use crate::game::{Game, OpenDoubt};
use crate::judge::handling::Handled;
use crate::judge::obligation::permitted;
use crate::said::irregularity::Code;
use crate::said::ruling::{Doubt, DoubtKind, MoveState, Ruling};
use crate::said::symbol::SensorClass;
use crate::said::view::ObligationView;
use crate::track::beam::{Fork, KEEP_AT_PRESS};
use crate::track::cost;
use crate::track::hypothesis::Hypothesis;

use crate::message;

impl Game {
    /// Makes the record equal to the first `upto` plies of `line`, the first `completed` of them
    /// completed.
    pub(crate) fn tell_line(&mut self, line: &Hypothesis, upto: usize, completed: usize) {
        let told = self.record.len();
        let agrees = |i: &usize| self.record.plies[*i].m == Some(line.steps[*i - self.base].m);
        let keep = self.base + (self.base..told.min(upto)).take_while(agrees).count();
        let clocks: Vec<Option<u64>> = self.record.plies[keep.min(told)..]
            .iter()
            .map(|p| p.clock_ms)
            .collect();
        if keep < told {
            self.record.truncate(keep);
            self.log_of_evidence.forget_longer(keep);
            let moves = line.steps[keep - self.base..upto.max(keep) - self.base].iter();
            let moves = moves.map(|s| self.record.uci(s.m)).collect();
            self.say(Ruling::Revision {
                from_ply: keep as u32 + 1,
                moves,
            });
        }
        for i in keep..upto {
            let ply = self.record.push(line.steps[i - self.base]);
            ply.clock_ms = clocks.get(i - keep).copied().flatten();
        }
        for i in self.base.min(keep)..upto {
            self.tell_ply(i, i < completed, i >= keep);
        }
    }

    fn tell_ply(&mut self, i: usize, completed: bool, new: bool) {
        let ply = &mut self.record.plies[i];
        let completes = completed && !ply.completed;
        if !new && !completes {
            return;
        }
        ply.completed |= completed;
        let state = if completed {
            MoveState::Completed
        } else {
            MoveState::Made
        };
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

    /// Tells what the touches oblige the player having the move to, if that changed.
    pub(crate) fn tell_obligation(&mut self) {
        if self.is_idle() || self.restore.is_some() || !self.is_set_up() {
            return;
        }
        if self.length(self.best()) > self.completed && self.setup.clock {
            return;
        }
        let root = self.root();
        let handling = self.handling_of_open_turn(root);
        let touches = handling.touches(self.setup.options.skew_ms, Handled::touched);
        let (by, own) = (root.pos.turn(), root.pos.us());
        let allowed = (!touches.is_empty())
            .then(|| permitted(&root.pos, root.legal(), &touches, self.laws()));
        self.lapse_offer(by, &handling);
        self.lapse_claims(by, touches.iter().any(|t| own.contains(t.square)));
        if self
            .bound
            .as_ref()
            .is_some_and(|b| b.code == Code::IncorrectDrawClaim)
        {
            // The move written down with the claim must be played, whatever is touched.
            return;
        }
        let view = allowed
            .filter(|allowed| !allowed.is_free())
            .map(|allowed| ObligationView {
                by,
                article: self.laws().article_of_duty(allowed.duty),
                moves: self.ucis(&allowed.moves),
            });
        if view == self.obligation {
            return;
        }
        self.obligation = view.clone();
        if let Some(ObligationView { by, article, moves }) = view {
            self.say(Ruling::Obligation { by, article, moves });
        }
    }

    /// Orders `target` to be put back.
    pub(crate) fn order_restore(&mut self, target: Chess) {
        self.conduct.astray = false;
        let squares: Vec<Square> = self
            .contacts
            .planes
            .differ(target.board())
            .into_iter()
            .collect();
        self.say(Ruling::Restore {
            fen: fen_text(&target),
            squares: squares.clone(),
        });
        self.restore = (!squares.is_empty()).then_some(target);
    }

    /// Tells that an ordered position has been put back: the board has stood so.
    pub(crate) fn tell_restored(&mut self) {
        let Some(target) = &self.restore else { return };
        if self.contacts.planes.differ(target.board()).any() {
            return;
        }
        let fen = fen_text(target);
        (self.restore, self.standing) = (None, None);
        self.say(Ruling::Restore {
            fen,
            squares: Vec::new(),
        });
        // Handling before this moment was restoring, not playing.
        let root = self.root().clone();
        if root.wrong(&self.contacts).is_empty() {
            let n = self.length(&root);
            self.tell_line(&root, n, self.completed);
            self.reset_to(root.pos, n);
            self.turn_start = self.now;
        }
    }

    /// Raises doubts for told plies on which equally good accounts differ; closes those that are
    /// decided.
    pub(crate) fn settle_doubts(&mut self) {
        let accounts = self.beam.all();
        if accounts.len() == 1 && self.doubts.is_empty() && self.unseen_castling().is_none() {
            return;
        }
        let total = |a: &Hypothesis| a.total(&self.contacts, self.now, true);
        let best = accounts.iter().map(total).min().unwrap_or(0);
        let mut close: Vec<(i32, &Hypothesis)> = accounts.iter().map(|a| (total(a), a)).collect();
        close.retain(|(t, _)| *t <= best + KEEP_AT_PRESS);
        close.sort_by_key(|(t, a)| (*t, a.steps.len()));
        let (base, told) = (self.base, self.record.len());
        let mut fresh = Vec::new();
        let mut undecided = Vec::new();
        for i in base..told {
            // By origin, arrival and promotion: what is captured may be in doubt, the move is not.
            let here = |a: &Hypothesis| a.steps.get(i - base).map(|s| self.record.uci(s.m));
            let mut differing: Vec<(i32, &Hypothesis)> = Vec::new();
            for (t, a) in &close {
                if here(a).is_some() && !differing.iter().any(|(_, b)| here(b) == here(a)) {
                    differing.push((*t, a));
                }
            }
            if differing.len() > 1 {
                undecided.push(i as u32 + 1);
            }
            differing.retain(|(t, _)| *t <= best + cost::TIE);
            if differing.len() > 1 {
                let lines: Vec<Vec<Move>> = differing
                    .iter()
                    .map(|(_, a)| rest_of(a, i - base, told - base))
                    .collect();
                fresh.push((i as u32 + 1, lines));
            }
        }
        let unseen = self.unseen_castling();
        undecided.extend(unseen.map(|(ply, _)| ply));
        let wrong = self.contacts.planes.differ(self.best().pos.board());
        self.doubts.retain(|d| match d.doubt.kind {
            DoubtKind::CheckSquare => d.doubt.squares.iter().any(|sq| wrong.contains(*sq)),
            // What a human was asked is of interest until the next move has been answered.
            kind if !kind.is_of_record() => told <= d.doubt.ply as usize + 1,
            _ => d.lasting || undecided.contains(&d.doubt.ply),
        });
        for (ply, lines) in fresh {
            self.raise_doubt_of(ply, &lines);
        }
        if let Some((ply, m)) = unseen {
            let readings = alloc::vec![self.ucis(&[m]), Vec::new()];
            self.raise_doubt(
                ply,
                DoubtKind::AmbiguousMove,
                squares_of(m).into_iter().collect(),
                readings,
            );
        }
    }

    /// The ply told last, if it is a castling in which king and rook changed places on a board that
    /// cannot tell: they may as well have been put back. The opponent's reply shows that it was a
    /// move.
    pub(crate) fn unseen_castling(&self) -> Option<(u32, Move)> {
        let ply = self.record.len();
        if self.named == ply {
            return None;
        }
        let m = self.record.plies.last()?.m.filter(|m| is_exchange(*m))?;
        (self.setup.sensor != SensorClass::Piece).then_some((ply as u32, m))
    }

    fn raise_doubt_of(&mut self, ply: u32, lines: &[Vec<Move>]) {
        let firsts: Vec<Move> = lines.iter().filter_map(|l| l.first().copied()).collect();
        let Some(first) = firsts.first() else { return };
        let same = |m: &Move| m.from() == first.from() && m.to() == first.to();
        let (kind, squares) = if firsts.iter().all(same) {
            (DoubtKind::PromotionPiece, alloc::vec![arrival(*first)])
        } else {
            (
                DoubtKind::AmbiguousMove,
                firsts
                    .iter()
                    .map(|m| squares_of(*m))
                    .fold(Default::default(), |a: shakmaty::Bitboard, b| a | b)
                    .into_iter()
                    .collect(),
            )
        };
        let readings = lines.iter().map(|l| self.ucis(l)).collect();
        self.raise_doubt(ply, kind, squares, readings);
    }

    /// Readings of a ply that no later evidence will tell apart: a doubt that stays.
    pub(crate) fn tell_forks(&mut self, forks: &[Fork]) {
        let line: Vec<Move> = self.best().steps.iter().map(|s| s.m).collect();
        for fork in forks
            .iter()
            .filter(|f| line.get(f.step).is_some_and(|m| f.readings.contains(m)))
        {
            let ply = (self.base + fork.step + 1) as u32;
            let of_move =
                |d: &OpenDoubt| d.doubt.ply == ply && d.doubt.kind != DoubtKind::CheckSquare;
            if !self.doubts.iter().any(of_move) {
                self.raise_doubt_of(ply, &fork.readings.map(|m| alloc::vec![m]));
            }
            self.doubts
                .iter_mut()
                .filter(|d| of_move(d))
                .for_each(|d| d.lasting = true);
        }
    }

    /// Tells a doubt unless it stands already.
    pub(crate) fn raise_doubt(
        &mut self,
        ply: u32,
        kind: DoubtKind,
        squares: Vec<Square>,
        readings: Vec<Vec<UciMove>>,
    ) {
        if self
            .doubts
            .iter()
            .any(|d| d.doubt.ply == ply && d.doubt.kind == kind)
        {
            return;
        }
        let before = self
            .record
            .position(self.record.len().min(ply.saturating_sub(1) as usize));
        let text = message::doubt(
            self.setup.options.language,
            kind,
            &squares,
            &readings,
            &before,
        );
        let doubt = Doubt {
            ply,
            kind,
            squares,
            readings,
            text,
        };
        self.doubts.push(OpenDoubt {
            doubt: doubt.clone(),
            lasting: false,
        });
        self.say(Ruling::Doubt(doubt));
    }
}

fn rest_of(a: &Hypothesis, from: usize, to: usize) -> Vec<Move> {
    a.steps.iter().take(to).skip(from).map(|s| s.m).collect()
}

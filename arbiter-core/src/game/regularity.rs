//! Whether a ply was played as the Laws ask: the handling that led to it, judged under Article 4.

use alloc::boxed::Box;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Move, Position, Square};

use crate::chess::moves::squares_of;
use crate::game::Game;
use crate::game::change::{Change, Changes, Found, NOTHING, WatchedPly};
use crate::judge::article_4::{Played, article_4};
use crate::judge::handling;
use crate::said::irregularity::Certainty;
use crate::said::symbol::Symbol;
use crate::said::time::Time;
use crate::sense::changes::SquareChange;
use crate::track::hypothesis::Hypothesis;

impl Game {
    /// Judges ply `ply` of `line` under Article 4.
    pub(crate) fn judge_ply(&mut self, line: &Hypothesis, ply: usize) -> Changes {
        let Some(step) = self.step_of(line, ply).copied() else {
            return NOTHING;
        };
        let i = ply - self.track.base() - 1;
        let before = self.position_in(line, ply - 1);
        let log = self.log_of_ply(line, i, &before);
        let class = self.setup.sensor;
        let handling = handling::read(&before, Some(step.m), &log, class, &self.announced());
        let bound = self.state.turn().bound.as_ref();
        let mut breaches = article_4(&Played {
            before: &before,
            legal: Default::default(),
            m: step.m,
            made_at: step.made_at,
            handling: &handling,
            log: &log,
            class,
            clock: self.setup.clock,
            bound: bound.filter(|_| ply == self.pressed_ply()),
            settings: &self.setup.options,
            laws: self.laws(),
        });
        // A breach is certain only if every hypothesis that is left contains it; without a clock no
        // press proves it.
        if !self.all_agree_on(i, step.m) || self.setup.polled || !self.setup.clock {
            for breach in &mut breaches {
                breach.certainty = breach.certainty.min(Certainty::Likely);
            }
        }
        if breaches.is_empty() {
            self.ask_who_touched(line, ply, &before);
        }
        let mut changes = Changes::new();
        for breach in breaches {
            changes.push(
                Found {
                    breach,
                    ply,
                    before: before.clone(),
                }
                .into(),
            );
        }
        changes.push(Change::WatchPly(Box::new(WatchedPly {
            ply,
            step,
            before,
            handling,
        })));
        changes
    }

    /// Whether every hypothesis has `m` as its step `i`.
    fn all_agree_on(&self, i: usize, m: Move) -> bool {
        self.track
            .all()
            .iter()
            .all(|line| line.steps.get(i).is_some_and(|step| step.m == m))
    }

    /// The changes that belong to step `i` of `line`: the player's turn, and the squares of
    /// the move before it.
    fn log_of_ply(&self, line: &Hypothesis, i: usize, before: &Chess) -> Vec<SquareChange> {
        let step = line.steps[i];
        let reached = made_at(line, i.checked_sub(1));
        let earlier = made_at(line, i.checked_sub(2));
        let turn_start = if self.setup.clock {
            self.clock.turn_start()
        } else {
            Time::ZERO
        };
        let start = reached.max(turn_start);
        let squares = squares_of(step.m);
        let own = squares & before.us();
        let mut log = Vec::new();
        for c in self.board.contacts().log() {
            if c.at > step.made_at {
                continue;
            }
            let lifted_early =
                own.contains(c.square) && c.symbol == Symbol::Empty && c.at > earlier;
            let of_move = lifted_early || (c.at > reached && squares.contains(c.square));
            if c.at > start || (of_move && !self.was_put_back(c.square, own, start)) {
                log.push(*c);
            }
        }
        log
    }

    /// What was put back before the turn began was nobody's touch.
    fn was_put_back(&self, square: Square, own: Bitboard, start: Time) -> bool {
        let log = self.board.contacts().log();
        let last = log.iter().rfind(|c| c.square == square && c.at <= start);
        own.contains(square) && last.is_some_and(|c| c.symbol != Symbol::Empty)
    }
}

/// When step `n` of `line` was made; without one, long ago.
fn made_at(line: &Hypothesis, n: Option<usize>) -> Time {
    n.map_or(Time::ZERO, |n| line.steps[n].made_at)
}

//! From scans to plies: every account is matched afresh at each scan, and a completed ply is a wall
//! behind them.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Color};

use crate::game::{Game, Press};
use crate::judge::handling::{self, Handling};
use crate::laws::Completion;
use crate::said::symbol::Symbol;
use crate::said::time::{Millis, Time};
use crate::sense::contacts::Change;
use crate::track::beam::Look;
use crate::track::hypothesis::Hypothesis;
use crate::track::log::Logged;

/// Announcements kept at once.
const MOST_ANNOUNCEMENTS: usize = 16;

impl Game {
    /// Applies the changes of one scan together, then matches every account afresh.
    pub(crate) fn apply_scan(&mut self) {
        let at = self.scan_at;
        let mut changes = core::mem::take(&mut self.scan);
        self.mark();
        let mut changed = Bitboard::EMPTY;
        for (sq, symbol) in changes.drain(..) {
            if let Some(ended) = self.contacts.change(at, sq, symbol) {
                changed.add(sq);
                self.log_of_evidence.note(at, Logged::Change(sq, symbol));
                if ended.symbol != Symbol::Empty
                    && at.since(ended.since) >= self.setup.options.brush_ms
                {
                    self.beam.charge_for_stay(
                        sq,
                        ended,
                        &self.contacts,
                        self.setup.options.skew_ms,
                    );
                }
            }
        }
        // The list is used again.
        self.scan = changes;
        if changed.is_empty() {
            return;
        }
        self.silence = 0;
        self.hear_answers(changed);
        for account in self.beam.all_mut() {
            account.misread &= !changed;
        }
        if self.is_idle() {
            return;
        }
        self.notice_replaced_pawn();
        let look = Look::at(at, self.scan_window(), false);
        self.beam.expand(&self.contacts, &look);
        self.expand_standing(false);
        let made = |game: &Game, p: &Press| game.made_cleanly(p.by) && !game.is_perhaps_reply(p);
        while let Some(press) = self.pending.first().copied().filter(|p| made(self, p)) {
            self.next_waiting();
            self.complete(press);
        }
        self.withdraw_unread();
    }

    /// Changes closer together than this have no order. After a gap it is not known when a square
    /// changed.
    pub(crate) fn scan_window(&self) -> Millis {
        if self.gap {
            Millis::from(u32::MAX)
        } else {
            self.setup.options.skew_ms
        }
    }

    /// Whether a reply, or a long rest, completes a move as well as a press does: without a clock,
    /// and where letting go of the piece completes it (1974).
    pub(crate) fn completes_by_reply(&self) -> bool {
        !self.setup.clock || self.laws().completion == Completion::Release
    }

    /// The cheapest account in which the next ply is not made.
    pub(crate) fn root(&self) -> &Hypothesis {
        let key = |a: &&Hypothesis| (a.steps.len(), a.total(&self.contacts, self.now, true));
        let open = self
            .beam
            .all()
            .iter()
            .filter(|a| self.length(a) >= self.completed);
        open.min_by_key(key).unwrap_or_else(|| self.best())
    }

    /// Settled changes of the turn that `account` leaves open, oldest first.
    pub(crate) fn handling_of_open_turn(&self, account: &Hypothesis) -> Handling {
        let start = account.since.max(if self.setup.clock {
            self.turn_start
        } else {
            Time::ZERO
        });
        let changes = self.contacts.log();
        // What was handled between the move and its press is nobody's touch, unless it is still in
        // the air: a reply.
        let in_the_air = |n: usize, c: &Change| {
            let again = |later: &Change| later.square == c.square && later.at <= start;
            c.at > account.since && c.symbol == Symbol::Empty && !changes[n + 1..].iter().any(again)
        };
        let belongs = |(n, c): &(usize, &Change)| {
            c.at > start || in_the_air(*n, c) || account.early.contains(c.square)
        };
        let mut log: Vec<Change> = Vec::with_capacity(changes.len());
        log.extend(changes.iter().enumerate().filter(belongs).map(|(_, c)| *c));
        handling::read(
            &account.pos,
            None,
            &log,
            self.setup.sensor,
            &self.announced(),
        )
    }

    /// A player announced that he adjusts. Of a turn's announcements the latest are kept.
    pub(crate) fn announce_adjustment(&mut self, by: Color) {
        if self.adjusts.len() == MOST_ANNOUNCEMENTS {
            self.adjusts.remove(0);
        }
        self.adjusts.push((by, self.now));
        self.watch_announcement(by);
    }

    /// The announcements that count, by whom and from when.
    pub(crate) fn announced(&self) -> Vec<(Color, Time)> {
        let grace = self.setup.options.adjust_grace_ms;
        self.adjusts
            .iter()
            .map(|(by, at)| (*by, *at - grace))
            .collect()
    }

    /// What the player having the move has handled so far, for obligations.
    pub(crate) fn open_turn(&self) -> (Chess, Vec<shakmaty::Move>, Handling) {
        let root = self.root();
        (
            root.pos.clone(),
            root.legal().to_vec(),
            self.handling_of_open_turn(root),
        )
    }

    /// Plies up to `k` of `line` are completed: told, judged under Article 4 and, where all agree,
    /// decided.
    pub(crate) fn commit_plies(&mut self, line: &Hypothesis, k: usize) {
        let told = self.record.len().min(self.length(line)).max(k);
        self.tell_line(line, told, k);
        for ply in self.completed + 1..=k {
            self.judge_regularity(line, ply);
        }
        self.completed = k;
        self.bound = None;
        self.unread = None;
        (self.restore, self.standing, self.obligation) = (None, None, None);
        self.close_windows(k);
        self.watch_position(k);
        self.close_start(k);
        self.prune_common();
    }

    /// Takes plies that every account shares out of the hypotheses.
    pub(crate) fn prune_common(&mut self) {
        let forks = self.beam.merge(&self.contacts, self.now);
        self.tell_forks(&forks);
        while self.base < self.completed && self.beam.commit().is_some() {
            self.base += 1;
        }
        self.beam.normalise();
        self.beam.begin_ply(&self.contacts, self.now);
        let oldest = self.beam.oldest(&self.contacts);
        self.contacts.prune(oldest);
        self.forget_evidence();
    }

    /// A square was read late, or a board read by whole states shows a move at once that it had not
    /// shown at its press: there was no breach.
    fn withdraw_unread(&mut self) {
        let Some((press, id)) = self.unread else {
            return;
        };
        let k = self.pressed_ply();
        let made = self.beam.all().iter().filter(|a| self.length(a) >= k);
        let made = made.min_by_key(|a| a.total(&self.contacts, self.now, true));
        let read_late = made
            .and_then(|line| self.step_of(line, k))
            .is_some_and(|s| {
                let arrived = self.contacts.since(crate::chess::moves::arrival(s.m));
                let left = crate::chess::moves::origin(s.m).map(|from| self.contacts.since(from));
                let in_one_scan = self.setup.polled && left == Some(arrived);
                // What stood on its new square at the press had left the old one by then, however
                // late that is read.
                let soon = left.is_some_and(|at| {
                    at > press.at && at.since(press.at) <= self.setup.options.reread_ms
                });
                in_one_scan || (soon && arrived <= press.at)
            });
        if read_late && self.is_made(press.by) {
            self.unread = None;
            id.into_iter().for_each(|id| self.withdraw(id));
            self.complete(press);
        } else if let Some(id) = id {
            self.soften_no_move(press, id);
        }
    }
}

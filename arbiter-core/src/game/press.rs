//! The clock press: what it completes, and what is made of it when the board shows no legal move.
//!
//! With a press the ruling comes at once, unless a piece is still in the air or a square must be
//! read again.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Color, Move, Position, Square};

use crate::chess::moves::{arrival, reach};
use crate::game::{Game, OpenDoubt, Press};
use crate::judge::handling::Handling;
use crate::judge::picture::{self, Judgement, Picture};
use crate::said::irregularity::{Code, Reason};
use crate::said::ruling::DoubtKind;
use crate::said::settings::CastlingHalfmove;
use crate::said::symbol::SensorClass;
use crate::said::time::Time;
use crate::track::backtrack::Distrust;
use crate::track::beam::{KEEP, KEEP_AT_PRESS, Look};
use crate::track::cost;
use crate::track::fit::is_crowded;
use crate::track::hypothesis::{Hypothesis, Step};
use crate::track::log::Logged;

/// Up to this price a press is answered at once.
pub(crate) const CLEAN: i32 = 250;
/// Beyond this price no account counts as a legal move made.
pub(crate) const ELIGIBLE: i32 = 400;

impl Game {
    /// The ply a press by `by` would complete, counted from 1.
    pub(crate) fn pressed_ply(&self) -> usize {
        self.completed + 1
    }

    /// Whose press means something now.
    fn presser(&self) -> Color {
        self.running
            .unwrap_or_else(|| self.record.position(self.completed).turn())
    }

    /// A clock press.
    pub(crate) fn press(&mut self, by: Color) {
        if self.is_idle() || !self.setup.clock {
            return;
        }
        // A lever that is told twice, nothing having happened in between, was pressed once.
        let told = self.last_press.replace((by, self.now));
        if told.is_some_and(|(who, at)| who == by && self.contacts.last_change() <= at) {
            return;
        }
        self.log_of_evidence.note(self.now, Logged::Press(by));
        if !self.begin_game() {
            return;
        }
        let press = Press {
            by,
            at: self.now,
            due: self.now + self.setup.options.announce_ms,
            extended: false,
        };
        if let Some(earlier) = self.pending.last() {
            if earlier.by != by {
                self.pending.push(press);
            }
            return;
        }
        self.expand_standing(true);
        if self.played_on(by) && !(self.restore.is_some() && self.bridge(Some(press))) {
            self.adopt_standing();
        }
        if by != self.presser() {
            // The opponent took the move for made that nobody saw.
            if (self.restore.is_some() || self.unread.is_some()) && self.backtrack(Distrust::Any) {
                return;
            }
            // Black's press before the first move starts White's clock; any other by the wrong side
            // means nothing.
            if self.completed == 0 && self.running.is_none() && self.best().steps.is_empty() {
                self.running = Some(!by);
                self.turn_start = self.now;
            }
            return;
        }
        self.tell_obligation();
        let look = Look::at(self.now, self.scan_window(), true);
        self.beam.expand(&self.contacts, &look);
        let open = self.completed - self.base.min(self.completed);
        self.beam
            .charge_for_other_victims(open, &self.contacts, cost::OTHER_TOUCHED);
        if self.made_cleanly(by) {
            self.complete(press);
            // A move that rests on a square which the board cannot read.
            self.ask_about(self.best().misread & self.suspect);
        } else if self.in_hand() {
            self.pending.push(press);
        } else {
            self.judge_press(press);
        }
    }

    fn total(&self, a: &Hypothesis) -> i32 {
        a.total(&self.contacts, self.now, true)
    }

    /// What it costs, beyond what the position before it rests on, that the ply has been made.
    fn made_cost(&self) -> Option<i32> {
        let k = self.pressed_ply();
        let made = self
            .beam
            .all()
            .iter()
            .filter(|a| self.length(a) >= k)
            .min_by_key(|a| self.total(a));
        let least = self
            .beam
            .all()
            .iter()
            .map(|a| self.total(a))
            .min()
            .unwrap_or(0);
        made.map(|a| (self.total(a) - a.cost_before).max(self.total(a) - least))
    }

    pub(crate) fn made_cleanly(&self, by: Color) -> bool {
        by == self.presser() && self.made_cost().is_some_and(|cost| cost <= CLEAN)
    }

    /// Whether the ply of a press by `by` counts as made.
    pub(crate) fn is_made(&self, by: Color) -> bool {
        by == self.presser() && self.made_cost().is_some_and(|cost| cost <= ELIGIBLE)
    }

    /// Whether the move that a waiting press is taken to complete was read only after the opponent
    /// had taken up a piece that may be the one that was put there: what was moved may be read yet.
    pub(crate) fn is_perhaps_reply(&self, press: &Press) -> bool {
        let k = self.pressed_ply();
        let made = self
            .beam
            .all()
            .iter()
            .filter(|a| self.length(a) >= k)
            .min_by_key(|a| self.total(a));
        let Some((line, step)) = made.and_then(|line| Some((line, self.step_of(line, k)?))) else {
            return false;
        };
        let answered = |a: &Hypothesis| {
            self.length(a) > k
                && a.wrong(&self.contacts).is_empty()
                && self.total(a) - a.cost_before <= CLEAN
        };
        if self.beam.all().iter().any(answered) {
            return false;
        }
        step.made_at > press.at
            && self.may_be_theirs(arrival(step.m), step.made_at, line.wrong(&self.contacts))
    }

    /// Whether what came to `to` at `filled` may be a piece of the player not on move, one from
    /// `taken_up`: no board that tells colours apart asks.
    fn may_be_theirs(&self, to: Square, filled: Time, taken_up: Bitboard) -> bool {
        let root = self.root();
        let taken_up = taken_up & self.contacts.lifted_at(filled, root.since) & root.pos.them();
        let board = root.pos.board();
        let comes = |from: Square| {
            board
                .piece_at(from)
                .is_some_and(|p| reach(board, from, p).contains(to))
        };
        self.setup.sensor == SensorClass::Occupancy && taken_up.into_iter().any(comes)
    }

    /// Whether a piece may still be on its way: something was lifted that has not been put down.
    pub(crate) fn in_hand(&self) -> bool {
        let root = self.root();
        let handling = self.handling_of_open_turn(root);
        handling.in_hand(root.pos.turn()) || self.turn(root, &handling).reply_possible()
    }

    /// Takes the press that has waited longest; the next gets its own time.
    pub(crate) fn next_waiting(&mut self) -> Option<Press> {
        let press = (!self.pending.is_empty()).then(|| self.pending.remove(0));
        let due = self.now + self.setup.options.announce_ms;
        if let Some(next) = self.pending.first_mut() {
            next.due = next.due.max(due);
        }
        press
    }

    /// The waiting press is due. A piece that was lifted and stands nowhere may be unread: that is
    /// asked first.
    pub(crate) fn judge_waiting(&mut self, last_chance: bool) {
        let Some(press) = self.pending.first().copied() else {
            return;
        };
        if self.is_idle() {
            return self.pending.clear();
        }
        if !last_chance && !press.extended && self.is_perhaps_reply(&press) {
            return self.wait_for_reading(press, Vec::new());
        }
        let explained = self.made_cost().is_some_and(|cost| cost < cost::MOVED_ON);
        if !last_chance && !press.extended && !explained {
            let root = self.root().clone();
            let handling = self.handling_of_open_turn(&root);
            let first = handling
                .pieces
                .iter()
                .find(|h| h.piece.color == press.by)
                .map(|h| h.home);
            let held = handling.held(press.by);
            let flickered = self.contacts.flickered_since(root.since);
            let came_late = |to: Square| {
                let filled = self.contacts.since(to);
                filled > press.at
                    && self.may_be_theirs(to, filled, !self.contacts.planes.occupied())
            };
            // A knocked piece is never the first one lifted; that one is on its way, or unread.
            let undecided = match picture::judge(&self.turn(&root, &handling)) {
                Judgement::Illegal { reason, .. } => reason != Reason::PromotionBadPiece,
                // Its victim's square emptied for a moment: it was exchanged for its captor.
                Judgement::Displaced { m, .. } if flickered.contains(arrival(m)) => false,
                Judgement::Displaced { m, .. } if came_late(arrival(m)) => true,
                Judgement::Displaced { .. } => first.is_some_and(|first| held.contains(&first)),
                _ => false,
            };
            let awaited = !held.is_empty() || self.turn(&root, &handling).reply_possible();
            if undecided && awaited {
                return self.wait_for_reading(press, held);
            }
        }
        self.next_waiting();
        self.judge_press(press);
    }

    /// Gives the press that waits the time in which squares are read again.
    fn wait_for_reading(&mut self, press: Press, held: Vec<Square>) {
        let due = press.at + self.setup.options.reread_ms;
        self.pending[0] = Press {
            due,
            extended: true,
            ..press
        };
        if !held.is_empty() {
            self.raise_doubt(
                self.pressed_ply() as u32,
                DoubtKind::CheckSquare,
                held,
                Vec::new(),
            );
        }
    }

    /// Decides what a press completed.
    pub(crate) fn judge_press(&mut self, press: Press) {
        let knocked =
            self.made_cost().is_none_or(|cost| cost >= cost::UNTOUCHED) && self.is_rather_knocked();
        // One piece too many, and nobody has lifted it: what was made of the plies before may be
        // wrong.
        let dear = self.made_cost().is_some_and(|cost| cost >= cost::LOST);
        if dear
            && is_crowded(&self.best().pos, &self.contacts.planes)
            && self.backtrack(Distrust::Any)
        {
            return;
        }
        if !knocked && self.made_cost().is_some_and(|cost| cost <= ELIGIBLE) {
            self.complete(press);
            return self.ask_about(self.best().misread);
        }
        // After plies that were not seen one by one there may be no account without this one: it is
        // made.
        if self.length(self.root()) > self.completed {
            return self.complete(press);
        }
        if !knocked && self.backtrack(self.distrust())
            || (self.restore.is_some() || self.gap) && self.bridge(Some(press))
        {
            return;
        }
        let root = self.root().clone();
        if let Some((m, next)) = self.moved_meanwhile(&root) {
            return self.find_moved_meanwhile(&root, m, next, press);
        }
        self.rule_on_picture(press, root);
    }

    /// No legal move stands on the board that was pressed for: rules on what does.
    fn rule_on_picture(&mut self, press: Press, root: Hypothesis) {
        let handling = self.handling_of_open_turn(&root);
        match picture::judge(&self.turn(&root, &handling)) {
            Judgement::NoMove { swap_possible } => {
                let found = self.find_no_move(&root, swap_possible);
                self.unread = Some((press, found));
            }
            Judgement::Illegal {
                reason: Reason::CastlingHalfDone,
                squares,
                required,
            } if self.setup.options.castling_halfmove == CastlingHalfmove::Complete
                && required.len() == 1 =>
            {
                let misread = squares.into_iter().collect::<Bitboard>()
                    & self.contacts.planes.differ(root.pos.board());
                let account = self.adopted(&root, required[0], misread);
                self.beam.replace(alloc::vec![account]);
                self.complete(press);
                let target = self.record.position(self.completed);
                self.order_restore(target);
            }
            Judgement::Illegal { .. } if self.both_still_in_check(&root, &handling) => {}
            Judgement::Illegal {
                reason,
                squares,
                required,
            } => {
                // With no piece of his seen to stand elsewhere, what is missing may be in the
                // opponent's hand.
                let sure = !squares.is_empty() && self.is_wholly_seen(&root, &handling, reason);
                self.find_illegal(
                    &root,
                    Code::IllegalMove,
                    Some(reason),
                    squares,
                    required,
                    sure,
                );
            }
            Judgement::Unread { moves } => {
                self.misreads = true;
                let squares = moves
                    .iter()
                    .fold(Bitboard::EMPTY, |all, (_, wrong)| all | *wrong);
                let accounts = moves
                    .iter()
                    .map(|(m, wrong)| self.adopted(&root, *m, *wrong))
                    .collect();
                self.beam.replace(accounts);
                self.complete(press);
                let ply = self.completed as u32;
                self.raise_doubt(
                    ply,
                    DoubtKind::CheckSquare,
                    squares.into_iter().collect(),
                    Vec::new(),
                );
            }
            Judgement::PawnLeft { promotion } => {
                self.pawn_left(&root, &handling, promotion, press);
            }
            Judgement::Displaced { squares, .. } if self.are_exchanged(&root.pos, squares) => {
                self.find_exchanged_before(&root, squares);
            }
            Judgement::Displaced { m, squares } => {
                let account = self.adopted(&root, m, squares);
                self.beam.replace(alloc::vec![account]);
                self.complete(press);
                self.find_displaced(squares, press.by);
            }
        }
    }

    /// Whether nothing of an illegal move's picture can be a reading that is missing.
    fn is_wholly_seen(&self, root: &Hypothesis, handling: &Handling, reason: Reason) -> bool {
        let turn = self.turn(root, handling);
        let wrong_piece = reason == Reason::PromotionBadPiece;
        let complete = wrong_piece
            || !(handling.in_hand(root.pos.turn()) || is_crowded(&root.pos, &self.contacts.planes));
        // What was asked about is weighed with the finding.
        let asked = (root.misread & !self.in_question()).is_empty();
        complete && asked && !turn.reply_possible() && self.setup.clock && !self.setup.polled
    }

    /// How far earlier presses are doubted: not where the turn shows no move at all, and with
    /// reason only where it shows an illegal move, seen from lift to place, and nothing else.
    fn distrust(&self) -> Distrust {
        let root = self.root();
        let handling = self.handling_of_open_turn(root);
        match picture::judge(&self.turn(root, &handling)) {
            Judgement::NoMove { .. } if root.wrong(&self.contacts).is_empty() => Distrust::None,
            Judgement::Illegal {
                reason, squares, ..
            } if !squares.is_empty() && self.is_wholly_seen(root, &handling, reason) => {
                Distrust::Known
            }
            _ => Distrust::Any,
        }
    }

    /// Whether the open turn shows a legal move, seen from lift to place, and pieces knocked over
    /// beside it.
    fn is_rather_knocked(&self) -> bool {
        let root = self.root();
        let handling = self.handling_of_open_turn(root);
        let turn = self.turn(root, &handling);
        matches!(picture::judge(&turn), Judgement::Displaced { m, .. } if turn.is_seen(m))
    }

    pub(crate) fn turn<'a>(&'a self, root: &'a Hypothesis, handling: &'a Handling) -> Picture<'a> {
        Picture {
            before: &root.pos,
            legal: root.legal(),
            planes: &self.contacts.planes,
            handling,
            misread: root.misread,
            flickered: self.contacts.flickered_since(root.since),
            suspect: self.suspect,
            settings: &self.setup.options,
            laws: self.laws(),
        }
    }

    /// `root` and the move `m`, with the readings of `stale` set aside.
    pub(crate) fn adopted(&self, root: &Hypothesis, m: Move, misread: Bitboard) -> Hypothesis {
        let mut pos = root.pos.clone();
        pos.play_unchecked(m);
        let landed = arrival(m);
        let read =
            !self.contacts.planes.differ(pos.board()).contains(landed) && !misread.contains(landed);
        let made_at = if read {
            self.contacts.since(landed).max(root.since)
        } else {
            self.now
        };
        let mut account = Hypothesis::new(pos, made_at);
        account.steps = root.steps.clone();
        account.steps.push(Step { m, made_at });
        account.misread = root.misread | misread;
        account.early = account.wrong(&self.contacts);
        account
    }

    /// Accounts in which more was played than was pressed for pay, and those in which the presser
    /// has begun another ply.
    fn charge_for_presses(&mut self, k: usize) {
        let (base, contacts, now) = (self.base, &self.contacts, self.now);
        let ahead = |a: &Hypothesis| (base + a.steps.len()).saturating_sub(k + self.pending.len());
        let begun: Vec<bool> = self
            .beam
            .all()
            .iter()
            .map(|a| a.cost < a.total(contacts, now, true))
            .collect();
        for (a, begun) in self.beam.all_mut().iter_mut().zip(begun) {
            let plies = ahead(a);
            a.cost += (plies / 2) as i32 * cost::UNPRESSED;
            if plies % 2 == 1 && begun {
                a.cost += cost::UNPRESSED;
            }
        }
    }

    /// The wall: the presser's ply is made. Accounts in which it is not, or that cost far more, are
    /// dropped.
    pub(crate) fn complete(&mut self, press: Press) {
        let k = self.pressed_ply();
        self.charge_for_presses(k);
        let cheapest = |of: &dyn Fn(usize) -> bool| {
            self.beam
                .all()
                .iter()
                .filter(|a| of(self.length(a)))
                .map(|a| self.total(a))
                .min()
        };
        let Some(best) = cheapest(&|n| n >= k) else {
            return;
        };
        // The account in which the next ply is not begun lives on, however soon the reply came.
        let unanswered = cheapest(&|n| n == k).filter(|t| *t <= best + KEEP);
        // Where a reading must have been missed, the piece may as well be unread: the account
        // without the ply lives on.
        let doubtful = self
            .made_cost()
            .is_some_and(|cost| cost >= cost::VICTIM_FIRST);
        self.misreads |= self.made_cost().is_some_and(|cost| cost >= cost::LATE_LIFT);
        let (base, contacts, now) = (self.base, &self.contacts, self.now);
        // A piece that is in the air as far as is known is likelier unread than it captured one
        // that nobody touched.
        let unread = if self.in_hand() {
            cost::UNREAD
        } else {
            cost::LOST
        };
        self.beam
            .surcharge(|a| doubtful && base + a.steps.len() < k, unread);
        self.beam.retain(|a| {
            let (n, total) = (base + a.steps.len(), a.total(contacts, now, true));
            let kept = n >= k || (doubtful && n + 1 == k);
            kept && (total <= best + KEEP_AT_PRESS || (n == k && Some(total) == unanswered))
        });
        let made = self.beam.all().iter().filter(|a| self.length(a) >= k);
        let line = made
            .min_by_key(|a| self.total(a))
            .unwrap_or_else(|| self.best())
            .clone();
        // Presses that never came and do not wait: the player's latest ply is the one he pressed
        // for.
        let k = k + (self.length(&line) - k).saturating_sub(self.pending.len()) / 2 * 2;
        self.watch_waiting_press(press, &line, k);
        self.conduct.pressed = Some(press.at);
        self.commit_plies(&line, k);
        self.conduct.pressed = None;
        let by = press.by;
        self.running = Some(!by);
        self.turn_start = press.at;
        self.adjusts
            .retain(|(who, at)| *who != by && *at >= press.at);
        if let Some(ply) = self.record.plies.get_mut(k - 1) {
            ply.clock_ms = self.clocks[by as usize];
        }
        // An offer lapses when the opponent makes his move (9.1.2.1).
        self.draw_offer = self.draw_offer.filter(|(offered, _)| *offered == by);
        self.settle_doubts();
        self.check_end(k, true);
    }

    /// A square that must be read wrongly is worth a look.
    fn ask_about(&mut self, wrong: Bitboard) {
        let asked = |d: &&OpenDoubt| d.doubt.kind == DoubtKind::CheckSquare;
        let known: Bitboard = self
            .doubts
            .iter()
            .filter(asked)
            .flat_map(|d| d.doubt.squares.iter().copied())
            .collect();
        let news = wrong & !known;
        if news.any() {
            self.raise_doubt(
                self.completed as u32,
                DoubtKind::CheckSquare,
                news.into_iter().collect(),
                Vec::new(),
            );
        }
    }
}

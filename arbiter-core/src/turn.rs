//! From scans, presses and silences to plies made and completed.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Color, Position};

use crate::bridge;
use crate::candidate::price;
use crate::game::{Game, Press, SILENCES};
use crate::hypothesis::{Account, KEEP_AT_PRESS, Step};
use crate::illegal::{self, Judgement, Turn};
use crate::irregularity::Reason;
use crate::ruling::{DoubtKind, Ruling};
use crate::settings::Settings;
use crate::settle::Change;
use crate::time::{Millis, Time};
use crate::touch::{self, Handling};
use crate::view::{Finding, FindingStatus};

/// Up to this price a press is answered at once.
const CLEAN: i32 = 250;
/// Beyond this price no account counts as a legal move made.
const ELIGIBLE: i32 = 400;

impl Game {
    /// The next moment at which silence means something.
    pub(crate) fn next_wake(&self) -> Option<Time> {
        let scan = (!self.scan.is_empty()).then_some(self.scan_at);
        let press = self.pending.first().map(|p| p.due);
        let silence = (self.silence < SILENCES && !self.is_idle())
            .then(|| self.settle.last_change() + self.silence_ms(self.silence));
        [scan, press, silence].into_iter().flatten().min()
    }

    fn silence_ms(&self, n: usize) -> Millis {
        let o = &self.setup.options;
        [o.brush_ms, o.announce_ms, o.end_of_game_ms, o.clockless_rest_ms][n.min(SILENCES - 1)]
    }

    /// Rules on every deadline that lies before `until`.
    pub(crate) fn pass_time(&mut self, until: Time) {
        while let Some(wake) = self.next_wake().filter(|w| *w < until) {
            self.now = self.now.max(wake);
            self.wake();
        }
    }

    fn wake(&mut self) {
        if !self.scan.is_empty() && self.scan_at <= self.now {
            return self.apply_scan();
        }
        if self.pending.first().is_some_and(|p| p.due <= self.now) {
            return self.judge_waiting(false);
        }
        let n = self.silence;
        self.silence += 1;
        match n {
            0 => self.tell_obligation(),
            1 => self.on_rest(),
            2 => self.on_long_rest(),
            _ => self.on_clockless_rest(),
        }
    }

    /// Applies the changes of one scan together, then matches every account afresh.
    pub(crate) fn apply_scan(&mut self) {
        let at = self.scan_at;
        let changes = core::mem::take(&mut self.scan);
        let mut changed = Bitboard::EMPTY;
        for (sq, symbol) in changes {
            if self.settle.change(at, sq, symbol) {
                changed.add(sq);
            }
        }
        if changed.is_empty() {
            return;
        }
        self.silence = 0;
        for account in self.hypotheses.all_mut() {
            account.stale &= !changed;
        }
        if self.is_idle() {
            return;
        }
        self.hypotheses.expand(&self.settle, at, &self.matching(), false);
        while let Some(press) = self.pending.first().copied().filter(|p| self.made_cleanly(p.by)) {
            self.next_waiting();
            self.complete(press);
        }
        self.withdraw_unread();
    }

    /// The windows for matching. Where whole states were read, when a square changed within them is not known.
    fn matching(&self) -> Settings {
        let unordered = self.setup.polled || self.gap;
        let skew_ms = if unordered { Millis::from(u32::MAX) } else { self.setup.options.skew_ms };
        Settings { skew_ms, ..self.setup.options }
    }

    /// Takes the press that has waited longest; the next gets its own time.
    fn next_waiting(&mut self) -> Option<Press> {
        let press = (!self.pending.is_empty()).then(|| self.pending.remove(0));
        let due = self.now + self.setup.options.announce_ms;
        if let Some(next) = self.pending.first_mut() {
            next.due = next.due.max(due);
        }
        press
    }

    /// The waiting press is due. A piece that was lifted and stands nowhere may be unread: that is asked first.
    fn judge_waiting(&mut self, last_chance: bool) {
        let Some(press) = self.pending.first().copied() else { return };
        let explained = self.made_price().is_some_and(|price| price < price::MOVED_ON);
        if !last_chance && !press.extended && !explained {
            let root = self.root().clone();
            let handling = self.handling_of_open_turn(&root);
            let first = handling.pieces.iter().find(|h| h.piece.color == press.by).map(|h| h.home);
            let held = handling.held(press.by);
            // A knocked piece is never the first one lifted; that one is on its way, or unread.
            let undecided = match self.judgement(&root, &handling) {
                Judgement::Illegal { reason, .. } => reason != Reason::PromotionBadPiece,
                Judgement::Displaced { .. } => first.is_some_and(|first| held.contains(&first)),
                _ => false,
            };
            if undecided && !held.is_empty() {
                let due = press.at + self.setup.options.reread_ms;
                self.pending[0] = Press { due, extended: true, ..press };
                let ply = self.pressed_ply() as u32;
                return self.raise_doubt(ply, DoubtKind::CheckSquare, held, Vec::new());
            }
        }
        self.next_waiting();
        self.judge_press(press);
    }

    /// A board read by whole states shows a move at once that it had not shown at its press: there was no breach.
    fn withdraw_unread(&mut self) {
        let Some((press, id)) = self.unread else { return };
        let k = self.pressed_ply();
        let line = self.best();
        let in_one_scan = line.steps.get(k - 1 - self.base).is_some_and(|s| {
            let from = s.m.from().map(|from| self.settle.since(from));
            from == Some(self.settle.since(crate::candidate::arrival(s.m)))
        });
        if in_one_scan && self.made_cleanly(press.by) {
            self.unread = None;
            if let Some(f) = self.finding_mut(id) {
                f.status = crate::view::FindingStatus::Withdrawn;
            }
            self.say(Ruling::Withdrawn { id });
            self.complete(press);
        }
    }

    /// Nothing more will come: what waits is decided, what stands is told.
    pub(crate) fn close(&mut self) {
        self.apply_scan();
        while !self.pending.is_empty() {
            self.judge_waiting(true);
        }
        if self.is_idle() {
            return;
        }
        let best = self.best().clone();
        if best.wrong(&self.settle).is_empty() && !self.is_centre_king_step(&best) {
            let k = self.length(&best);
            self.tell_line(&best, k, self.completed);
            if !self.setup.clock {
                self.wall(&best, k);
            }
        }
        self.settle_doubts();
    }

    /// The ply a press by `by` would complete, counted from 1.
    fn pressed_ply(&self) -> usize {
        self.completed + 1
    }

    /// Whose press means something now.
    fn presser(&self) -> Color {
        self.running.unwrap_or_else(|| self.record.position(self.completed).turn())
    }

    /// A clock press.
    pub(crate) fn press(&mut self, by: Color) {
        if self.is_idle() || !self.setup.clock {
            return;
        }
        let press = Press { by, at: self.now, due: self.now + self.setup.options.announce_ms, extended: false };
        if let Some(earlier) = self.pending.last() {
            if earlier.by != by {
                self.pending.push(press);
            }
            return;
        }
        if by != self.presser() {
            // Black's press before the first move starts White's clock; any other by the wrong side means nothing.
            if self.completed == 0 && self.running.is_none() && self.best().steps.is_empty() {
                self.running = Some(!by);
                self.turn_start = self.now;
            }
            return;
        }
        self.tell_obligation();
        self.hypotheses.expand(&self.settle, self.now, &self.matching(), true);
        if self.made_cleanly(by) {
            self.complete(press);
        } else if self.in_hand() {
            self.pending.push(press);
        } else {
            self.judge_press(press);
        }
    }

    fn total(&self, a: &Account) -> i32 {
        a.total(&self.settle, self.now, true)
    }

    /// What it costs, beyond what the position before it rests on, that the ply has been made.
    fn made_price(&self) -> Option<i32> {
        let k = self.pressed_ply();
        let made = self.hypotheses.all().iter().filter(|a| self.length(a) >= k).map(|a| self.total(a)).min();
        Some(made? - self.owed())
    }

    /// What the best account of the position before the open ply rests on.
    fn owed(&self) -> i32 {
        let open = self.hypotheses.all().iter().filter(|a| self.length(a) == self.completed);
        open.map(|a| a.owed).min().unwrap_or(0)
    }

    fn made_cleanly(&self, by: Color) -> bool {
        by == self.presser() && self.made_price().is_some_and(|price| price <= CLEAN)
    }

    /// Whether a piece may still be on its way: something was lifted that has not been put down.
    fn in_hand(&self) -> bool {
        let root = self.root();
        self.handling_of_open_turn(root).in_hand(root.pos.turn())
    }

    /// The cheapest account in which the next ply is not made.
    pub(crate) fn root(&self) -> &Account {
        let key = |a: &&Account| (a.steps.len(), a.total(&self.settle, self.now, true));
        let open = self.hypotheses.all().iter().filter(|a| self.length(a) >= self.completed);
        open.min_by_key(key).unwrap_or_else(|| self.best())
    }

    /// Decides what a press completed.
    fn judge_press(&mut self, press: Press) {
        if self.made_price().is_some_and(|price| price <= ELIGIBLE) {
            return self.complete(press);
        }
        if (self.restore.is_some() || self.gap) && self.bridge(Some(press)) {
            return;
        }
        let root = self.root().clone();
        let handling = self.handling_of_open_turn(&root);
        match self.judgement(&root, &handling) {
            Judgement::NoMove { swap_possible } => {
                self.find_no_move(&root, swap_possible);
                self.unread = self.setup.polled.then_some((press, self.findings.len() as u32));
            }
            Judgement::Illegal { reason, squares, required } => {
                let complete = reason == Reason::PromotionBadPiece || !handling.in_hand(press.by);
                let sure = complete && root.stale.is_empty() && !self.setup.polled;
                // A position that was never put back, or a square in question, leaves room for another account.
                let asked = self.doubts.iter().any(|d| d.doubt.kind == DoubtKind::CheckSquare);
                let sure = sure && self.setup.clock && self.restore.is_none() && !asked && !self.gap;
                self.find_illegal(&root, reason, squares, required, sure);
            }
            Judgement::Unread { moves } => {
                let squares = moves.iter().fold(Bitboard::EMPTY, |all, (_, wrong)| all | *wrong);
                let accounts = moves.iter().map(|(m, wrong)| self.adopted(&root, *m, *wrong)).collect();
                self.hypotheses.replace(accounts);
                self.complete(press);
                let ply = self.completed as u32;
                self.raise_doubt(ply, DoubtKind::CheckSquare, squares.into_iter().collect(), Vec::new());
            }
            Judgement::PawnLeft { promotion } => {
                let account = self.adopted(&root, promotion, promotion.to().into());
                self.hypotheses.replace(alloc::vec![account]);
                self.complete(press);
                self.find_pawn_left(promotion);
            }
            Judgement::Displaced { m, squares } => {
                let account = self.adopted(&root, m, squares);
                self.hypotheses.replace(alloc::vec![account]);
                self.complete(press);
                self.find_displaced(squares, press.by);
            }
        }
    }

    fn judgement(&self, root: &Account, handling: &Handling) -> Judgement {
        illegal::judge(&Turn {
            before: &root.pos,
            legal: root.legal(),
            planes: &self.settle.planes,
            handling,
            stale: root.stale,
            flickered: self.settle.flickered_since(root.since),
            settings: &self.setup.options,
        })
    }

    /// `root` and the move `m`, with the readings of `stale` set aside.
    fn adopted(&self, root: &Account, m: shakmaty::Move, stale: Bitboard) -> Account {
        let mut pos = root.pos.clone();
        pos.play_unchecked(m);
        let mut account = Account::new(pos, self.now);
        account.steps = root.steps.clone();
        account.steps.push(Step { m, made_at: self.now });
        account.stale = root.stale | stale;
        account
    }

    /// Looks for the plies that were not seen one by one. What was found on the strength of not seeing them falls.
    fn bridge(&mut self, press: Option<Press>) -> bool {
        let root = self.root().clone();
        let Some(moves) = bridge::line(&root.pos, &self.settle, root.touched(&self.settle)) else { return false };
        let before = self.length(&root);
        let mut pos = root.pos.clone();
        let mut steps = root.steps.clone();
        for &m in &moves {
            pos.play_unchecked(m);
            steps.push(Step { m, made_at: self.settle.since(crate::candidate::arrival(m)) });
        }
        let mut account = Account::new(pos, self.settle.last_change());
        account.steps = steps;
        let made = self.length(&account);
        let completed = if press.is_some_and(|p| p.by != account.pos.turn()) { made } else { made - 1 };
        if press.is_some() && moves.len() == 1 && completed < made {
            return false;
        }
        self.hypotheses.replace(alloc::vec![account.clone()]);
        self.withdraw_after(before);
        self.tell_line(&account, made, completed);
        self.completed = completed;
        (self.bound, self.restore, self.unread, self.obligation) = (None, None, None, None);
        self.gap = false;
        self.running = press.map(|p| if completed == made { !p.by } else { p.by });
        self.turn_start = self.now;
        self.decide();
        self.check_end(made, completed == made);
        true
    }

    /// Findings of plies after the first `n` were made on a misreading.
    fn withdraw_after(&mut self, n: usize) {
        let stands = |f: &Finding| f.status == FindingStatus::Open && f.irregularity.ply as usize > n;
        let ids: Vec<u32> = self.findings.iter().filter(|f| stands(f)).map(|f| f.irregularity.id).collect();
        for id in ids {
            if let Some(f) = self.finding_mut(id) {
                f.status = FindingStatus::Withdrawn;
            }
            self.say(Ruling::Withdrawn { id });
        }
    }

    /// Settled changes of the turn that `account` leaves open, oldest first.
    fn handling_of_open_turn(&self, account: &Account) -> Handling {
        let start = account.since.max(if self.setup.clock { self.turn_start } else { Time::ZERO });
        let early = account.early;
        let log: Vec<Change> = self
            .settle
            .log_since(Time::ZERO)
            .filter(|c| {
                c.at > start
                    || (c.at > account.since && c.symbol == crate::symbol::Symbol::Empty)
                    || early.contains(c.square)
            })
            .copied()
            .collect();
        touch::read(&account.pos, None, &log, self.setup.sensor, &self.adjusts_of(account.pos.turn()))
    }

    pub(crate) fn adjusts_of(&self, player: Color) -> Vec<Time> {
        self.adjusts.iter().filter(|(by, _)| *by == player).map(|(_, at)| *at).collect()
    }

    /// What the player having the move has handled so far, for obligations.
    pub(crate) fn open_turn(&self) -> (Chess, Vec<shakmaty::Move>, Handling) {
        let root = self.root();
        (root.pos.clone(), root.legal().to_vec(), self.handling_of_open_turn(root))
    }

    /// The wall: the presser's ply is made. Accounts in which it is not, or that cost far more, are dropped.
    fn complete(&mut self, press: Press) {
        let k = self.pressed_ply();
        let best = self.hypotheses.all().iter().filter(|a| self.length(a) >= k).map(|a| self.total(a)).min();
        let Some(best) = best else { return };
        // Where a reading must have been missed, the piece may as well be unread: the account without the ply lives on.
        let doubtful = best - self.owed() > CLEAN;
        let (base, settle, now) = (self.base, &self.settle, self.now);
        self.hypotheses.surcharge(|a| doubtful && base + a.steps.len() < k, price::LOST);
        self.hypotheses.retain(|a| {
            let made = base + a.steps.len() >= k;
            (made || (doubtful && base + a.steps.len() + 1 == k)) && a.total(settle, now, true) <= best + KEEP_AT_PRESS
        });
        let made = self.hypotheses.all().iter().filter(|a| self.length(a) >= k);
        let line = made.min_by_key(|a| self.total(a)).unwrap_or_else(|| self.best()).clone();
        // Presses that never came: the player's latest ply is the one he pressed for.
        let k = k + (self.length(&line) - k) / 2 * 2;
        self.wall(&line, k);
        let by = press.by;
        self.running = Some(!by);
        self.turn_start = press.at;
        self.adjusts.retain(|(who, at)| *who != by && *at >= press.at);
        if let Some(ply) = self.record.plies.get_mut(k - 1) {
            ply.shown.clock_ms = self.clocks[by as usize];
        }
        // An offer lapses when the opponent makes his move (9.1.2.1).
        self.draw_offer = self.draw_offer.filter(|offered| *offered == by);
        self.settle_doubts();
        self.check_end(k, true);
    }

    /// Plies up to `k` of `line` are completed: told, judged under Article 4 and, where all agree, decided.
    fn wall(&mut self, line: &Account, k: usize) {
        let told = self.record.len().min(self.length(line)).max(k);
        self.tell_line(line, told, k);
        for ply in self.completed + 1..=k {
            self.judge_regularity(line, ply);
        }
        self.completed = k;
        self.bound = None;
        self.unread = None;
        self.restore = None;
        self.obligation = None;
        self.decide();
    }

    /// A game that ends on a move nobody pressed for.
    pub(crate) fn wall_for_end(&mut self, line: &Account, k: usize) {
        self.wall(line, k);
    }

    /// Takes plies that every account shares out of the hypotheses.
    fn decide(&mut self) {
        for ply in self.hypotheses.merge(&self.settle, self.now) {
            let ply = (self.base + ply + 1) as u32;
            self.doubts.iter_mut().filter(|d| d.doubt.ply == ply).for_each(|d| d.lasting = true);
        }
        while self.base < self.completed && self.hypotheses.commit().is_some() {
            self.base += 1;
        }
        self.hypotheses.level();
        self.hypotheses.begin_ply(&self.settle, self.now);
        let oldest = self.hypotheses.oldest();
        self.settle.prune(oldest);
    }

    /// The board has stood still for the announce window.
    fn on_rest(&mut self) {
        if !self.pending.is_empty() {
            return;
        }
        self.hypotheses.rest(&self.settle);
        if !self.best().wrong(&self.settle).is_empty() {
            if self.gap {
                self.bridge(None);
            }
            return;
        }
        self.gap = false;
        let best = self.best().clone();
        self.tell_restored();
        let made = self.length(&best);
        let shown = if self.is_centre_king_step(&best) { made.saturating_sub(1).max(self.completed) } else { made };
        self.tell_line(&best, shown, self.completed);
        if !self.setup.clock && made > self.completed + 1 {
            self.complete_without_clock(&best, made - 1);
        }
        self.settle_doubts();
    }

    /// Without a clock the reply is the wall: accounts that lack the ply it answers are dropped.
    fn complete_without_clock(&mut self, best: &Account, k: usize) {
        let base = self.base;
        let agrees = |a: &Account| base + a.steps.len() >= k;
        self.hypotheses.retain(agrees);
        self.wall(best, k);
        self.turn_start = Time::ZERO;
        self.check_end(self.record.len(), false);
    }

    /// The board has stood still long enough for a piece to have been let go.
    fn on_long_rest(&mut self) {
        if self.check_kings_placed() {
            return;
        }
        let best = self.best().clone();
        if best.wrong(&self.settle).is_empty() && self.record.len() == self.length(&best) {
            let k = self.record.len();
            if k > self.completed && self.ends_game(k) {
                self.wall(&best, k);
                self.check_end(k, true);
            }
        }
    }

    /// Without a clock, a long rest completes what stands, legal or not.
    fn on_clockless_rest(&mut self) {
        if self.setup.clock {
            return;
        }
        let best = self.best().clone();
        let k = self.length(&best);
        if best.wrong(&self.settle).is_empty() {
            if k > self.completed {
                self.tell_line(&best, k, k);
                self.complete_without_clock(&best, k);
            }
        } else if self.restore.is_none() {
            // What stands is no reply yet: the ply before it is complete, and this one is judged as it stands.
            if k > self.completed {
                self.complete_without_clock(&best, k);
            }
            if self.is_idle() || self.in_hand() {
                return;
            }
            let (by, at) = (best.pos.turn(), self.now);
            self.judge_press(Press { by, at, due: at, extended: true });
        }
    }
}

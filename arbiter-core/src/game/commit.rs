//! A ply is completed: it is decided what it was, and nothing that lacks it is followed any more.

use alloc::rc::Rc;

use shakmaty::Position;

use crate::game::Game;
use crate::game::change::{Change, Changes, Line, NOTHING};
use crate::game::clock::Press;
use crate::track::beam::{KEEP, KEEP_AT_PRESS};
use crate::track::cost;
use crate::track::hypothesis::Hypothesis;

impl Game {
    /// The presser's ply is made. Hypotheses in which it is not, or that cost far more, are
    /// dropped.
    pub(crate) fn complete(&mut self, press: Press) -> Changes {
        let k = self.pressed_ply();
        self.charge_for_presses(k);
        let Some(best) = self.made(k).map(|line| self.total(line)) else {
            return NOTHING;
        };
        let unread = self.cost_of_unread();
        if self.is_made_where(|cost| cost >= cost::LATE_LIFT) {
            self.board.notice_misreading();
        }
        self.drop_unmade(k, best, unread);
        let line: Line = Rc::new(self.made(k).unwrap_or_else(|| self.best()).clone());
        // Presses that never came and do not wait: the player's latest ply is the one he pressed
        // for.
        let ahead = self.length(&line) - k;
        let k = k + ahead.saturating_sub(self.clock.waiting().len()) / 2 * 2;
        self.clock.judge(Some(press.at));
        alloc::vec![
            Change::WatchPress {
                press,
                line: line.clone(),
                k
            },
            Change::Commit { line, k },
            Change::Completed { press, k },
        ]
    }

    /// Where a reading must have been missed, the piece may as well be unread, and the hypothesis
    /// without the ply lives on: what that costs. One that is in the air as far as is known is
    /// likelier unread than it captured one that nobody touched.
    fn cost_of_unread(&self) -> Option<i32> {
        let doubtful = self.is_made_where(|cost| cost >= cost::VICTIM_FIRST);
        let in_hand = self.in_hand();
        doubtful.then_some(if in_hand { cost::UNREAD } else { cost::LOST })
    }

    /// Hypotheses in which more was played than was pressed for pay, and those in which the presser
    /// has begun another ply.
    fn charge_for_presses(&mut self, k: usize) {
        let (contacts, now) = (self.board.contacts(), self.clock.now());
        let (base, waiting) = (self.track.base(), self.clock.waiting().len());
        self.track.charge(|line| {
            let plies = (base + line.steps.len()).saturating_sub(k + waiting);
            let begun = line.cost < line.total(contacts, now, true);
            let another = i32::from(plies % 2 == 1 && begun);
            ((plies / 2) as i32 + another) * cost::UNPRESSED
        });
    }

    /// Keeps what comes near `best`, and the hypothesis in which the next ply is not begun, however
    /// soon the reply came.
    fn drop_unmade(&mut self, k: usize, best: i32, unread: Option<i32>) {
        let unanswered = self
            .least_of_length(k)
            .filter(|least| *least <= best + KEEP);
        let (base, contacts, now) = (self.track.base(), self.board.contacts(), self.clock.now());
        if let Some(cost) = unread {
            self.track
                .charge(|line| if base + line.steps.len() < k { cost } else { 0 });
        }
        self.track.retain(|line| {
            let (n, total) = (base + line.steps.len(), line.total(contacts, now, true));
            let near = total <= best + KEEP_AT_PRESS || (n == k && Some(total) == unanswered);
            near && (n >= k || (unread.is_some() && n + 1 == k))
        });
        self.track.retain_irregular(|line| {
            let total = line.total(contacts, now, true);
            total <= best + KEEP && base + line.steps.len() >= k
        });
    }

    /// The least that a hypothesis of `n` plies costs.
    fn least_of_length(&self, n: usize) -> Option<i32> {
        let of_length = self
            .track
            .all()
            .iter()
            .filter(|line| self.length(line) == n);
        of_length.map(|line| self.total(line)).min()
    }

    /// Plies up to `k` of `line` are completed: told, judged under Article 4 and, where all agree,
    /// committed.
    pub(crate) fn commit(&mut self, line: &Line, k: usize) -> Changes {
        let told = self.record.len().min(self.length(line)).max(k);
        self.tell_line(line, told, k);
        self.excuse_presses_out_of_sight(k);
        let mut changes = Changes::new();
        for ply in self.record.completed() + 1..=k {
            changes.push(Change::JudgePly {
                line: line.clone(),
                ply,
            });
        }
        changes.push(Change::Committed { k });
        changes
    }

    /// Plies up to `k` are told and judged: the next turn begins.
    pub(crate) fn begin_turn(&mut self, k: usize) -> Changes {
        self.record.set_completed(k);
        self.state.pass_turn(k + 1);
        self.close_windows(k);
        alloc::vec![
            Change::WatchPosition(k),
            Change::CloseStart(k),
            Change::PruneCommon
        ]
    }

    /// The press for ply `k` has done its work: the opponent has the move.
    pub(crate) fn pass_move(&mut self, press: Press, k: usize) -> Changes {
        self.clock.judge(None);
        self.clock.pass_move(press);
        self.record.set_clock(k, self.clock.remaining(press.by));
        // An offer lapses when the opponent makes his move (9.1.2.1).
        if self
            .docket
            .draw_offer()
            .is_some_and(|(offered, _)| offered != press.by)
        {
            self.docket.end_draw_offer();
        }
        alloc::vec![Change::SettleDoubts, Change::CheckEnd { k, released: true }]
    }

    /// Without a press the reply, or a long rest, completes ply `k` of `line`: hypotheses that lack
    /// it are dropped.
    pub(crate) fn complete_without_press(&mut self, line: &Line, k: usize) -> Changes {
        let base = self.track.base();
        self.track.retain(|other| base + other.steps.len() >= k);
        let line = line.clone();
        alloc::vec![
            Change::Commit {
                line: line.clone(),
                k
            },
            Change::CompletedUnpressed { line, k }
        ]
    }

    /// Ply `k` of `line` is complete without a press: the opponent has the move.
    pub(crate) fn pass_move_unpressed(&mut self, line: &Hypothesis, k: usize) -> Changes {
        let clock = self.setup.clock;
        if let Some(made_at) = self.record.ply(k).map(|ply| ply.at) {
            self.clock.end_adjusting(made_at);
        }
        self.clock.start_turn(if clock {
            line.since
        } else {
            Default::default()
        });
        self.clock
            .run(clock.then(|| self.record.position(k).turn()));
        alloc::vec![Change::CheckEnd {
            k: self.record.len(),
            released: false
        }]
    }

    /// Takes plies that every hypothesis shares out of them, and forgets what none needs any more.
    pub(crate) fn prune_common(&mut self) {
        let now = self.clock.now();
        let mut forks = self.track.merge(self.board.contacts(), now);
        // What was told otherwise for a while is in doubt again.
        forks.extend_from_slice(self.best().parted());
        self.tell_forks(&forks);
        self.track
            .prune_common(self.record.completed(), self.board.contacts(), now);
        let oldest = self.track.oldest(self.board.contacts());
        self.board.forget_before(oldest);
        let needed = self
            .turn_began()
            .min(self.track.oldest(self.board.contacts()));
        self.board.forget_evidence(needed);
    }
}

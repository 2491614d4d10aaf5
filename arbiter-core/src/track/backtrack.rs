//! Backtracking: the evidence log heard again from a position that was decided.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Color, Position};

use crate::said::settings::Settings;
use crate::said::symbol::Symbol;
use crate::said::time::{Millis, Time};
use crate::sense::contacts::Contacts;
use crate::track::beam::{Beam, Fork, KEEP, Look};
use crate::track::cost;
use crate::track::hypothesis::Hypothesis;
use crate::track::log::{Checkpoint, LogEntry, Logged};

/// An explanation that costs more than this is none.
const CREDIBLE: i32 = 1_500;

/// What may be left open at the end: a reply that has begun.
pub(crate) const OPEN: i32 = 2 * cost::HALF_PLACED;

/// What may be thought of in one second hearing, in accounts ([`Beam::effort`]): a few
/// milliseconds at most. Where there is an explanation at all, a twentieth of that is nearly always
/// enough; with less, one game in a hundred played in a hurry on an occupancy board that loses
/// readings is not followed any more.
pub(crate) const EFFORT: usize = 10_000;

/// Without a clock nothing but prices tells two accounts apart that explain what was heard: this
/// close, both are told.
pub(crate) const RIVAL: i32 = cost::LATE + cost::UNRESTED;

/// Accounts kept from ply to ply.
pub(crate) const MOST: usize = 24;

/// After a vain attempt the next waits this long at first, then twice as long each time, in
/// milliseconds.
pub(crate) const SHORTEST_WAIT: Millis = 1_000;

pub(crate) const LONGEST_WAIT: Millis = 30_000;

/// Without a clock the next attempt waits this long for each entry that was heard, in milliseconds.
pub(crate) const WAIT_AN_ENTRY: Millis = 10;

/// When to try again.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Pacing {
    pub(crate) again: Time,
    pub(crate) wait: Millis,
}

impl Pacing {
    /// Forgets earlier attempts: there is no better moment than now.
    pub(crate) fn haste(&mut self) {
        *self = Pacing::default();
    }
}

/// When a press that the board explains is not taken for explained.
#[derive(Clone, Copy)]
pub(crate) enum Distrust {
    /// Never: nothing contradicts what was read.
    None,
    /// On a board that has lost readings before.
    Known,
    /// There, and where nothing else explains what was told.
    Any,
}

/// How evidence is heard again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReplayMode {
    /// Whether readings are missed that never came.
    pub(crate) unread: bool,
    /// Whether nobody presses: every scan is heard with hindsight.
    pub(crate) clockless: bool,
    /// Whether the board has lost or delayed readings before.
    pub(crate) misreads: bool,
}

/// What was heard.
#[derive(Debug)]
pub(crate) struct Replay {
    pub(crate) contacts: Contacts,
    pub(crate) lines: Beam,
    /// Plies that were pressed for.
    pub(crate) pressed: usize,
    /// The last of those presses.
    pub(crate) last_press: Time,
    /// What the cheapest line rests on.
    pub(crate) paid: i32,
    pub(crate) manner: ReplayMode,
    pub(crate) forks: Vec<Fork>,
}

impl Replay {
    pub(crate) fn new(mark: &Checkpoint, manner: ReplayMode) -> Replay {
        let (contacts, lines) = (mark.contacts.clone(), Beam::of(mark.account.clone()));
        Replay {
            contacts,
            lines,
            manner,
            pressed: 0,
            last_press: mark.account.since,
            paid: 0,
            forks: Vec::new(),
        }
    }

    /// Hears what was told, unless that takes more than `effort`. Returns whether there is still
    /// anything to it.
    pub(crate) fn hear(
        &mut self,
        entries: &[LogEntry],
        first_turn: Color,
        settings: &Settings,
        effort: usize,
    ) -> bool {
        let mut n = 0;
        while n < entries.len() && self.lines.effort() <= effort {
            let at = entries[n].at;
            let is_change = |e: &&LogEntry| e.at == at && matches!(e.told, Logged::Change(..));
            let changes = entries[n..].iter().take_while(is_change).count();
            if at.since(self.contacts.last_change()) > settings.announce_ms {
                self.lines.rest(&self.contacts, !self.manner.clockless);
            }
            if changes > 0 {
                let (scan, lookahead) = entries[n..].split_at(changes);
                self.scan(scan, lookahead, settings);
                n += changes;
                continue;
            }
            if let Logged::Press(by) = entries[n].told
                && by
                    == if self.pressed.is_multiple_of(2) {
                        first_turn
                    } else {
                        !first_turn
                    }
            {
                self.press(at, by, &entries[n + 1..], settings);
                // What was paid is never given back.
                if self.paid > CREDIBLE {
                    return false;
                }
            }
            n += 1;
        }
        self.lines.effort() <= effort
    }

    fn scan(&mut self, changes: &[LogEntry], lookahead: &[LogEntry], settings: &Settings) {
        let mut changed = Bitboard::EMPTY;
        for entry in changes {
            let Logged::Change(square, symbol) = entry.told else {
                continue;
            };
            let Some(ended) = self.contacts.change(entry.at, square, symbol) else {
                continue;
            };
            changed.add(square);
            if ended.symbol != Symbol::Empty && entry.at.since(ended.since) >= settings.brush_ms {
                self.lines
                    .charge_for_stay(square, ended, &self.contacts, settings.skew_ms);
            }
        }
        self.lines
            .all_mut()
            .iter_mut()
            .for_each(|a| a.misread &= !changed);
        let lookahead = if self.manner.clockless {
            lookahead
        } else {
            &[]
        };
        let look = Look {
            lookahead,
            hindsight: self.manner.clockless,
            ..Look::at(changes[0].at, settings.skew_ms, false)
        };
        self.lines.expand(&self.contacts, &look);
        if self.manner.clockless && self.manner.unread {
            // A reply begins: the move it answers has been made, be its piece never read where it
            // stands.
            let board = self
                .lines
                .best(&self.contacts, look.now, false)
                .pos
                .board()
                .clone();
            let lifted = changed & !self.contacts.planes.occupied();
            let replying = lifted.into_iter().find_map(|sq| board.color_at(sq));
            if let Some(by) = replying {
                self.lines.expand(
                    &self.contacts,
                    &Look {
                        unread: Some(!by),
                        ..look
                    },
                );
            }
        }
    }

    fn press(&mut self, now: Time, by: Color, lookahead: &[LogEntry], settings: &Settings) {
        let k = self.pressed + 1;
        let look = Look::at(now, settings.skew_ms, true);
        self.lines.expand(&self.contacts, &look);
        // A press that the board explains needs no reading that came late, or never, unless this
        // board is known for them.
        let explained = !self.manner.misreads && self.is_explained(k, now);
        if !explained {
            self.lines.expand(
                &self.contacts,
                &Look {
                    lookahead,
                    unread: self.manner.unread.then_some(by),
                    ..look
                },
            );
        }
        // Where another capture explains it, one that nobody saw is none.
        let touched = if explained { KEEP } else { cost::OTHER_TOUCHED };
        self.lines
            .charge_for_other_victims(k - 1, &self.contacts, touched);
        for a in self.lines.all_mut() {
            a.cost += match a.steps.len() {
                n if n < k => cost::LOST,
                n => (n - k) as i32 / 2 * cost::UNPRESSED,
            };
        }
        self.lines.begin_ply(&self.contacts, now);
        let floor = self.lines.all().iter().map(|a| a.cost).min().unwrap_or(0);
        self.paid += floor;
        self.lines.normalise();
        self.lines.retain(|a| a.cost <= KEEP);
        self.lines.keep_cheapest(MOST);
        let forks = self.lines.merge(&self.contacts, now);
        self.forks.extend(forks);
        (self.pressed, self.last_press) = (k, now);
    }

    /// Whether ply `k` stands on the board, to the square and at next to no price.
    fn is_explained(&self, k: usize, now: Time) -> bool {
        let floor = self.lines.all().iter().map(|a| a.cost).min().unwrap_or(0);
        let explains = |a: &Hypothesis| {
            a.steps.len() >= k
                && a.total(&self.contacts, now, true) - floor <= OPEN
                && a.wrong(&self.contacts).is_empty()
        };
        self.lines.all().iter().any(explains)
    }

    /// Whether the best line explains the board as it reads, and every press.
    pub(crate) fn explains(&self, now: Time) -> bool {
        let best = self.lines.best(&self.contacts, now, true);
        let total = best.total(&self.contacts, now, true);
        // Every reading that was missed has come by now, or the piece has gone on: what stands is
        // seen, where the board can see.
        let seen =
            (self.contacts.planes.differ(best.pos.board()) & best.misread & !self.contacts.suspect)
                .is_empty();
        let seen = seen
            && (!self.manner.clockless
                || (arrived(best, &self.contacts) && !best.steps.is_empty()));
        seen && total - best.cost <= OPEN
            && self.paid + best.cost <= CREDIBLE
            && best.steps.len() >= self.pressed
    }
}

/// Whether every piece that is read stands where the account has it; others may be in the hand.
pub(crate) fn arrived(account: &Hypothesis, contacts: &Contacts) -> bool {
    (account.wrong(contacts) & contacts.planes.occupied()).is_empty()
}

//! Hearing the evidence again. Where no account explains a press or a rest, one that was right may
//! have been given up, or a reading came late. So all that was told since a decided position is
//! matched once more, with more patience and with hindsight: a square that was read too late is
//! taken to have been so when a press says that the move was made.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Color, Position};

use crate::account::Account;
use crate::candidate::price;
use crate::game::Game;
use crate::hypothesis::{Fork, Hypotheses, KEEP, Look};
use crate::settings::Settings;
use crate::settle::Settle;
use crate::silence::END_OF_GAME;
use crate::symbol::{SensorClass, Symbol};
use crate::tape::{Entry, Mark, Told};
use crate::time::{Millis, Time};

/// An explanation that costs more than this is none.
const CREDIBLE: i32 = 1_500;
/// What may be left open at the end: a reply that has begun.
pub(crate) const OPEN: i32 = 2 * price::HALF_PLACED;

/// What may be thought of in one second hearing, in accounts ([`Hypotheses::effort`]): a few
/// milliseconds at most. Where there is an explanation at all, a twentieth of that is nearly always
/// enough; with less, one game in a hundred played in a hurry on an occupancy board that loses
/// readings is not followed any more.
const EFFORT: usize = 10_000;
/// Without a clock nothing but prices tells two accounts apart that explain what was heard: this
/// close, both are told.
const RIVAL: i32 = price::LATE + price::UNRESTED;
/// Accounts kept from ply to ply.
const MOST: usize = 24;
/// After a vain attempt the next waits this long at first, then twice as long each time, in
/// milliseconds.
const SOONEST: Millis = 1_000;
const LATEST: Millis = 30_000;
/// Without a clock the next attempt waits this long for each entry that was heard, in milliseconds.
const WAIT_AN_ENTRY: Millis = 10;

/// When to try again.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Recall {
    again: Time,
    wait: Millis,
}

impl Recall {
    /// Forgets earlier attempts: there is no better moment than now.
    pub(crate) fn haste(&mut self) {
        *self = Recall::default();
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
#[derive(Clone, Copy)]
struct Manner {
    /// Whether readings are missed that never came.
    unread: bool,
    /// Whether nobody presses: every scan is heard with hindsight.
    clockless: bool,
    /// Whether the board has lost or delayed readings before.
    misreads: bool,
}

/// What was heard.
struct Heard {
    settle: Settle,
    lines: Hypotheses,
    /// Plies that were pressed for.
    pressed: usize,
    /// The last of those presses.
    last_press: Time,
    /// What the cheapest line rests on.
    paid: i32,
    manner: Manner,
    forks: Vec<Fork>,
}

impl Heard {
    fn new(mark: &Mark, manner: Manner) -> Heard {
        let (settle, lines) = (mark.settle.clone(), Hypotheses::of(mark.account.clone()));
        Heard {
            settle,
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
    fn hear(
        &mut self,
        entries: &[Entry],
        first_turn: Color,
        settings: &Settings,
        effort: usize,
    ) -> bool {
        let mut n = 0;
        while n < entries.len() && self.lines.effort() <= effort {
            let at = entries[n].at;
            let is_change = |e: &&Entry| e.at == at && matches!(e.told, Told::Change(..));
            let changes = entries[n..].iter().take_while(is_change).count();
            if at.since(self.settle.last_change()) > settings.announce_ms {
                self.lines.rest(&self.settle, !self.manner.clockless);
            }
            if changes > 0 {
                let (scan, later) = entries[n..].split_at(changes);
                self.scan(scan, later, settings);
                n += changes;
                continue;
            }
            if let Told::Press(by) = entries[n].told
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

    fn scan(&mut self, changes: &[Entry], later: &[Entry], settings: &Settings) {
        let mut changed = Bitboard::EMPTY;
        for entry in changes {
            let Told::Change(square, symbol) = entry.told else {
                continue;
            };
            let Some(ended) = self.settle.change(entry.at, square, symbol) else {
                continue;
            };
            changed.add(square);
            if ended.symbol != Symbol::Empty && entry.at.since(ended.since) >= settings.brush_ms {
                self.lines
                    .witness_stay(square, ended, &self.settle, settings.skew_ms);
            }
        }
        self.lines
            .all_mut()
            .iter_mut()
            .for_each(|a| a.stale &= !changed);
        let later = if self.manner.clockless { later } else { &[] };
        let look = Look {
            later,
            patient: self.manner.clockless,
            ..Look::at(changes[0].at, settings.skew_ms, false)
        };
        self.lines.expand(&self.settle, &look);
        if self.manner.clockless && self.manner.unread {
            // A reply begins: the move it answers has been made, be its piece never read where it
            // stands.
            let board = self
                .lines
                .best(&self.settle, look.now, false)
                .pos
                .board()
                .clone();
            let lifted = changed & !self.settle.planes.occupied();
            let replying = lifted.into_iter().find_map(|sq| board.color_at(sq));
            if let Some(by) = replying {
                self.lines.expand(
                    &self.settle,
                    &Look {
                        unread: Some(!by),
                        ..look
                    },
                );
            }
        }
    }

    fn press(&mut self, now: Time, by: Color, later: &[Entry], settings: &Settings) {
        let k = self.pressed + 1;
        let look = Look::at(now, settings.skew_ms, true);
        self.lines.expand(&self.settle, &look);
        // A press that the board explains needs no reading that came late, or never, unless this
        // board is known for them.
        let explained = !self.manner.misreads && self.is_explained(k, now);
        if !explained {
            self.lines.expand(
                &self.settle,
                &Look {
                    later,
                    unread: self.manner.unread.then_some(by),
                    ..look
                },
            );
        }
        // Where another capture explains it, one that nobody saw is none.
        let touched = if explained {
            KEEP
        } else {
            price::OTHER_TOUCHED
        };
        self.lines
            .charge_for_other_victims(k - 1, &self.settle, touched);
        for a in self.lines.all_mut() {
            a.price += match a.steps.len() {
                n if n < k => price::LOST,
                n => (n - k) as i32 / 2 * price::UNPRESSED,
            };
        }
        self.lines.begin_ply(&self.settle, now);
        let floor = self.lines.all().iter().map(|a| a.price).min().unwrap_or(0);
        self.paid += floor;
        self.lines.level();
        self.lines.retain(|a| a.price <= KEEP);
        self.lines.keep_cheapest(MOST);
        let forks = self.lines.merge(&self.settle, now);
        self.forks.extend(forks);
        (self.pressed, self.last_press) = (k, now);
    }

    /// Whether ply `k` stands on the board, to the square and at next to no price.
    fn is_explained(&self, k: usize, now: Time) -> bool {
        let floor = self.lines.all().iter().map(|a| a.price).min().unwrap_or(0);
        let explains = |a: &Account| {
            a.steps.len() >= k
                && a.total(&self.settle, now, true) - floor <= OPEN
                && a.wrong(&self.settle).is_empty()
        };
        self.lines.all().iter().any(explains)
    }

    /// Whether the best line explains the board as it reads, and every press.
    fn explains(&self, now: Time) -> bool {
        let best = self.lines.best(&self.settle, now, true);
        let total = best.total(&self.settle, now, true);
        // Every reading that was missed has come by now, or the piece has gone on: what stands is
        // seen, where the board can see.
        let seen =
            (self.settle.planes.differ(best.pos.board()) & best.stale & !self.settle.suspect)
                .is_empty();
        let seen = seen
            && (!self.manner.clockless || (arrived(best, &self.settle) && !best.steps.is_empty()));
        seen && total - best.price <= OPEN
            && self.paid + best.price <= CREDIBLE
            && best.steps.len() >= self.pressed
    }
}

/// Whether every piece that is read stands where the account has it; others may be in the hand.
fn arrived(account: &Account, settle: &Settle) -> bool {
    (account.wrong(settle) & settle.planes.occupied()).is_empty()
}

impl Game {
    /// Marks the position all accounts agree on, if it is time to.
    pub(crate) fn mark(&mut self) {
        let decided = self.hypotheses.all().len() == 1 && self.base == self.completed;
        let calm =
            self.restore.is_none() && !self.gap && self.pending.is_empty() && self.scan.is_empty();
        if !self.tape.wants(self.base) || !decided || !calm || self.is_idle() {
            return;
        }
        let account = self.best();
        if account.steps.is_empty() {
            self.tape
                .mark(self.base, account.clone(), self.settle.clone());
        }
    }

    /// Without a clock: marks the position that the board shows at rest.
    pub(crate) fn mark_rest(&mut self) {
        let best = self.best();
        let length = self.length(best);
        let calm = self.restore.is_none() && self.standing.is_none() && !self.gap;
        let calm = calm && (best.stale & !self.suspect).is_empty();
        if !self.setup.clock && self.tape.wants(length) && calm && length == self.record.len() {
            let mut account = Account::new(best.pos.clone(), best.since);
            account.stale = best.stale;
            self.tape.mark(length, account, self.settle.clone());
        }
    }

    /// Looks for an account of everything since a decided position. What was found on a misreading
    /// falls.
    pub(crate) fn recall(&mut self, distrust: Distrust) -> bool {
        let clockless = !self.setup.clock;
        let long = clockless && self.silence > END_OF_GAME;
        // Slow states of mere occupancy, without a press: too many lines explain what was heard.
        let vague = self.setup.polled && clockless && self.setup.sensor == SensorClass::Occupancy;
        if vague || self.gap || self.now < self.recall.again {
            return false;
        }
        let (now, settings, mut effort) = (self.now, self.setup.options, EFFORT);
        // Of one mark's evidence, readings that came late are assumed before readings that never
        // came.
        let known = self.misreads;
        let manners: &[(bool, bool)] = match distrust {
            Distrust::None => &[(false, false), (false, true)],
            Distrust::Known => &[(known, false), (known, true)],
            Distrust::Any if known => &[(true, false), (true, true)],
            Distrust::Any => &[(false, false), (false, true), (true, false)],
        };
        let heard = self.tape.marks().find_map(|(mark, entries)| {
            manners.iter().find_map(|&(misreads, unread)| {
                let mut heard = Heard::new(
                    mark,
                    Manner {
                        unread,
                        clockless,
                        misreads,
                    },
                );
                heard.settle.suspect = self.suspect;
                let whole = heard.hear(entries, mark.account.pos.turn(), &settings, effort);
                effort = effort.saturating_sub(heard.lines.effort());
                if long {
                    // No piece rests on its way for so long if all of them can have arrived.
                    heard.lines.retain(|a| arrived(a, &heard.settle));
                }
                (whole && heard.explains(now)).then_some((mark.length, heard))
            })
        });
        let Some((length, heard)) = heard else {
            self.recall.wait = match clockless {
                // Every rest may be the one that decides: the more there is to hear, the rarer it
                // is heard.
                true => self.tape.len() as Millis * WAIT_AN_ENTRY,
                false => (self.recall.wait * 2).clamp(SOONEST, LATEST),
            };
            self.recall.again = self.now + self.recall.wait;
            return false;
        };
        self.recall = Recall::default();
        self.adopt_heard(length, heard);
        true
    }

    fn adopt_heard(&mut self, length: usize, heard: Heard) {
        // What was in doubt before the mark stays so: nothing that was heard bears on it.
        self.doubts
            .iter_mut()
            .filter(|d| d.doubt.ply as usize <= length)
            .for_each(|d| d.lasting = true);
        self.base = length;
        self.settle = heard.settle;
        self.hypotheses = heard.lines;
        let line = self.hypotheses.best(&self.settle, self.now, true).clone();
        // Without a clock the reply is the wall: the last ply made is not complete before it is
        // answered.
        let made = self.length(&line);
        let (told, k) = match heard.manner.clockless {
            true => (made, made.saturating_sub(1).max(length)),
            false => (length + heard.pressed, length + heard.pressed),
        };
        self.withdraw_after(self.agreed(&line));
        self.misreads = true;
        self.tape.forget_longer(length);
        self.completed = self.completed.min(k);
        self.tell_line(&line, told, k);
        self.completed = k;
        (
            self.bound,
            self.restore,
            self.standing,
            self.unread,
            self.obligation,
        ) = (None, None, None, None, None);
        self.pending.clear();
        self.running = self.setup.clock.then(|| self.record.position(k).turn());
        self.turn_start = heard.last_press;
        self.tell_forks(&heard.forks);
        if heard.manner.clockless {
            let rivals = self.hypotheses.rivals(&self.settle, self.now, RIVAL);
            self.tell_forks(&rivals);
        }
        self.decide();
        self.settle_doubts();
        self.check_end(k, true);
    }

    /// How many plies of the record `line` shares.
    fn agreed(&self, line: &Account) -> usize {
        let told: Vec<_> = self.record.plies[self.base.min(self.record.len())..]
            .iter()
            .map(|p| p.m)
            .collect();
        self.base
            + told
                .iter()
                .zip(&line.steps)
                .take_while(|(m, s)| **m == Some(s.m))
                .count()
    }
}

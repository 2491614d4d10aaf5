//! The set of accounts that still explain the evidence.
//!
//! An account is a line of moves from the last decided ply to a position, and what had to be
//! assumed for it. All accounts are matched afresh at every scan; the account in which the ply is
//! *not* made stays alive beside those in which it is. Accounts die by price, never by age.

use alloc::vec::Vec;

use shakmaty::{Chess, Color, Move, Position, Square};

use crate::chess::moves::{is_exchange, victim_square};
use crate::said::time::{Millis, Time};
use crate::sense::contacts::{Contacts, Stay};
use crate::track::cost;
use crate::track::fit::{self, MoveBounds, Unsettled};
use crate::track::hypothesis::{Hypothesis, Since, Step};
use crate::track::log::LogEntry;

/// Most accounts kept alive at once.
const MOST: usize = 64;
/// While one scan is being matched no more are thought of than these.
const CROWD: usize = 512;
/// Accounts this much dearer than the best are dropped between presses.
pub(crate) const KEEP: i32 = 1000;
/// Accounts dearer than the best by more than this are dropped at a press. Of those that differ in
/// an unseen promotion all stay.
pub(crate) const KEEP_AT_PRESS: i32 = 300 + cost::TIE;
/// Longest run of plies that may be completed within one scan.
const PLIES_A_SCAN: usize = 3;

/// How the board is looked at.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a> {
    pub(crate) now: Time,
    /// Changes closer together than this have no order.
    pub(crate) scan_window: Millis,
    /// At a press: what was right a moment ago counts as right.
    pub(crate) at_press: bool,
    /// What was told after that, where it is known: readings may have been late.
    pub(crate) lookahead: &'a [LogEntry],
    /// Whose piece may stand where it is never read.
    pub(crate) unread: Option<Color>,
    /// Whether every scan is looked at with hindsight, not only a press.
    pub(crate) hindsight: bool,
}

impl Look<'_> {
    /// As things are, `now`.
    pub(crate) fn at(now: Time, scan_window: Millis, at_press: bool) -> Look<'static> {
        Look {
            now,
            scan_window,
            at_press,
            lookahead: &[],
            unread: None,
            hindsight: false,
        }
    }
}

/// A ply of which two readings lead to one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fork {
    /// Which of an account's plies, the first open one being 0.
    pub(crate) step: usize,
    pub(crate) readings: [Move; 2],
}

/// Whether two moves take the same piece the same way: what they capture may differ.
fn is_same_way(a: Move, b: Move) -> bool {
    (a.from(), a.to(), a.promotion(), a.is_castle())
        == (b.from(), b.to(), b.promotion(), b.is_castle())
}

/// Every account that still explains the evidence.
#[derive(Clone, Debug)]
pub(crate) struct Beam {
    accounts: Vec<Hypothesis>,
    /// Accounts that have been matched against the board, and those that came of it.
    effort: usize,
}

impl Beam {
    /// One account: `pos`, reached at `since`.
    pub(crate) fn new(pos: Chess, since: Time) -> Beam {
        Beam::of(Hypothesis::new(pos, since))
    }

    /// This account alone.
    pub(crate) fn of(account: Hypothesis) -> Beam {
        Beam {
            accounts: alloc::vec![account],
            effort: 0,
        }
    }

    /// Every account; never empty.
    pub(crate) fn all(&self) -> &[Hypothesis] {
        &self.accounts
    }

    /// How much has been thought of so far: what it costs is in proportion to it.
    pub(crate) fn effort(&self) -> usize {
        self.effort
    }

    pub(crate) fn all_mut(&mut self) -> &mut [Hypothesis] {
        &mut self.accounts
    }

    /// Keeps the accounts for which `keep` holds, unless none would be left. Returns whether any
    /// was.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&Hypothesis) -> bool) -> bool {
        if !self.accounts.iter().any(&mut keep) {
            return false;
        }
        self.accounts.retain(keep);
        true
    }

    /// Matches every account against the board as it reads now, and adds those in which a move is
    /// made.
    pub(crate) fn expand(&mut self, contacts: &Contacts, look: &Look<'_>) {
        let unsettled = Unsettled::new(contacts, look);
        let mut since = None;
        let mut first = 0;
        for _ in 0..PLIES_A_SCAN {
            let last = self.accounts.len();
            for i in first..last {
                if self.accounts.len() < CROWD {
                    self.grow(i, contacts, look, unsettled, &mut since);
                }
            }
            if self.accounts.len() == last {
                break;
            }
            first = last;
        }
        self.prune(contacts, look.now);
    }

    fn grow(
        &mut self,
        i: usize,
        contacts: &Contacts,
        look: &Look<'_>,
        unsettled: Unsettled,
        since: &mut Option<Since>,
    ) {
        let account = &self.accounts[i];
        // A board that reads as before is explained; only king and rook may have changed places
        // unseen.
        let explained = account.wrong(contacts).is_empty() && !look.at_press;
        if explained && !account.pos.castles().mode().is_chess960() {
            return;
        }
        let since = match since {
            Some(known) if known.start == account.since => known,
            other => other.insert(Since::new(contacts, account.since)),
        };
        let ev = account.evidence(contacts, look, unsettled, since);
        let Some(bounds) = MoveBounds::new(&account.pos, &ev) else {
            return;
        };
        let mut children = Vec::new();
        let worth = |m: &&Move| bounds.admit(**m, &ev) && (!explained || is_exchange(**m));
        for &m in account.legal().iter().filter(worth) {
            let Some(fit) = fit::fit(&account.pos, m, &ev) else {
                continue;
            };
            children.push(account.after(m, fit));
        }
        self.effort += 1 + children.len();
        for child in children {
            self.admit(child, contacts, look.now);
        }
    }

    /// Adds an account; of two with the same moves the cheaper stays.
    fn admit(&mut self, new: Hypothesis, contacts: &Contacts, now: Time) {
        // What differs most often is compared first.
        let (full, plies) = (new.pos.board().occupied(), new.steps.len());
        let same = |a: &Hypothesis| {
            let alike = a.pos.board().occupied() == full
                && a.steps.len() == plies
                && a.pos.board() == new.pos.board();
            alike && a.steps.iter().zip(&new.steps).all(|(a, b)| a.m == b.m)
        };
        match self.accounts.iter_mut().find(|a| same(a)) {
            // The piece was put down again, and no reply has begun that could have filled its
            // square: the move was made now, on what it rested on before.
            Some(old) if new.since > old.since && new.early.is_empty() => {
                let cost = new.cost.min(old.cost);
                old.renew(new);
                old.cost = cost;
            }
            Some(old) if new.total(contacts, now, false) < old.total(contacts, now, false) => {
                old.renew(new);
            }
            Some(_) => {}
            None => self.accounts.push(new),
        }
    }

    fn prune(&mut self, contacts: &Contacts, now: Time) {
        if self.accounts.len() == 1 {
            return;
        }
        let totals: Vec<i32> = self
            .accounts
            .iter()
            .map(|a| a.total(contacts, now, false))
            .collect();
        let best = totals.iter().copied().min().unwrap_or(0);
        // The cheapest account in which the ply is not made always lives on.
        let shortest = self
            .accounts
            .iter()
            .map(|a| a.steps.len())
            .min()
            .unwrap_or(0);
        let roots = self
            .accounts
            .iter()
            .zip(&totals)
            .filter(|(a, _)| a.steps.len() == shortest);
        let roots = roots.map(|(_, total)| *total).min().unwrap_or(0);
        let mut totals = totals.into_iter();
        self.accounts.retain(|a| {
            let total = totals.next().unwrap_or(0);
            total <= best + KEEP || (a.steps.len() == shortest && total <= roots)
        });
        if self.accounts.len() > MOST {
            self.accounts
                .sort_by_cached_key(|a| a.total(contacts, now, false));
            let keep_root = self.accounts[MOST..]
                .iter()
                .position(|a| a.steps.len() == shortest);
            if let Some(n) = keep_root.filter(|_| {
                !self.accounts[..MOST]
                    .iter()
                    .any(|a| a.steps.len() == shortest)
            }) {
                self.accounts.swap(MOST - 1, MOST + n);
            }
            self.accounts.truncate(MOST);
        }
    }

    /// The cheapest account; of equals the one with more plies.
    pub(crate) fn best(&self, contacts: &Contacts, now: Time, at_press: bool) -> &Hypothesis {
        if let [only] = self.accounts.as_slice() {
            return only;
        }
        let key = |a: &&Hypothesis| {
            (
                a.total(contacts, now, at_press),
                core::cmp::Reverse(a.steps.len()),
            )
        };
        self.accounts
            .iter()
            .min_by_key(key)
            .expect("there is always an account")
    }

    /// A piece stood on `square` and is gone. Where the player to move cannot have put it there, it
    /// is one that was said to have moved already: it moved on.
    pub(crate) fn charge_for_stay(
        &mut self,
        square: Square,
        stay: Stay,
        contacts: &Contacts,
        scan_window: Millis,
    ) {
        for a in &mut self.accounts {
            let board = a.pos.board();
            let stands = contacts.planes.fits(stay.symbol, board, square);
            let elsewhere = match stay.symbol.colour() {
                Some(colour) => a.pos.turn() != colour && !stands,
                None => {
                    let begun =
                        contacts.lifted_between(a.pos.us(), a.since, stay.since + scan_window)
                            || (a.early & a.pos.us()).any();
                    board.color_at(square).is_none() && !begun
                }
            };
            if elsewhere && stay.since > a.since {
                a.cost += cost::ELSEWHERE;
            }
        }
    }

    /// Raises the price of the accounts for which `which` holds.
    pub(crate) fn surcharge(&mut self, which: impl Fn(&Hypothesis) -> bool, cost: i32) {
        self.accounts
            .iter_mut()
            .filter(|a| which(a))
            .for_each(|a| a.cost += cost);
    }

    /// At a press for step `i`: accounts in which the piece captured one that nobody was seen to
    /// touch pay, when it could have captured one that was (`touched`); more so when that one is in
    /// the air.
    pub(crate) fn charge_for_other_victims(&mut self, i: usize, contacts: &Contacts, touched: i32) {
        let open = self.accounts.iter().filter(|a| a.steps.len() == i);
        let Some(before) = open.min_by_key(|a| a.cost).cloned() else {
            return;
        };
        let seen = before.touched(contacts) | contacts.flickered_since(before.since);
        let handled = seen & before.pos.them();
        let in_the_air = handled & !contacts.planes.occupied();
        for (victims, cost) in [(handled, touched), (in_the_air, cost::OTHER_IN_HAND)] {
            let takes = |m: &Move| victim_square(*m).is_some_and(|sq| victims.contains(sq));
            let others: Vec<&Move> = before.legal().iter().filter(|m| takes(m)).collect();
            let pays = |a: &Hypothesis| {
                let Some(m) = a.steps.get(i).map(|s| s.m) else {
                    return false;
                };
                let unseen = victim_square(m).is_some_and(|sq| !seen.contains(sq));
                unseen && others.iter().any(|other| other.from() == m.from())
            };
            self.surcharge(pays, cost);
        }
    }

    /// The board has stood still: accounts that do not explain it pay, if another does.
    pub(crate) fn rest(&mut self, contacts: &Contacts, clock: bool) {
        // What explains the board by something that nobody saw is no better than a piece in the
        // air, while a press is to come. Without a clock the rest itself says that the ply is made.
        let explained = self
            .accounts
            .iter()
            .filter(|a| a.wrong(contacts).is_empty())
            .map(|a| a.cost)
            .min();
        if explained.is_none_or(|cost| clock && cost >= cost::FLICKER) {
            return;
        }
        for a in self
            .accounts
            .iter_mut()
            .filter(|a| !a.wrong(contacts).is_empty())
        {
            a.cost += cost::UNRESTED;
            a.cost_before += cost::UNRESTED;
        }
    }

    /// Takes away and returns the first ply if every account begins with it.
    pub(crate) fn commit(&mut self) -> Option<Step> {
        let first = *self.accounts[0].steps.first()?;
        if !self
            .accounts
            .iter()
            .all(|a| a.steps.first().is_some_and(|s| s.m == first.m))
        {
            return None;
        }
        for a in &mut self.accounts {
            a.steps.remove(0);
        }
        Some(first)
    }

    /// Prices mean something only beside each other: the cheapest account starts the next ply at
    /// nothing.
    pub(crate) fn normalise(&mut self) {
        let floor = self.accounts.iter().map(|a| a.cost).min().unwrap_or(0);
        self.accounts.iter_mut().for_each(|a| a.cost -= floor);
    }

    /// A new ply begins. What the board did not explain at the press stays with an account,
    /// whatever comes to stand on those squares later; the next ply is counted from there.
    pub(crate) fn begin_ply(&mut self, contacts: &Contacts, now: Time) {
        let residuals: Vec<i32> = self
            .accounts
            .iter()
            .map(|a| a.residual(contacts, now, true))
            .collect();
        let least = residuals.iter().copied().min().unwrap_or(0);
        for (a, residual) in self.accounts.iter_mut().zip(residuals) {
            a.cost += residual - least;
        }
        // Where the ply is made already, what it rests on is its own.
        let plies = self
            .accounts
            .iter()
            .map(|a| a.steps.len())
            .min()
            .unwrap_or(0);
        let begun = self
            .accounts
            .iter()
            .filter(|a| a.steps.len() == plies)
            .map(|a| a.cost)
            .min()
            .unwrap_or(0);
        for a in &mut self.accounts {
            a.cost_before = if a.steps.len() == plies {
                a.cost
            } else {
                a.cost.min(begun)
            };
        }
    }

    /// Of accounts that stand in the same position after as many plies, keeps the cheapest. Returns
    /// the plies on which equally good ones will never be told apart again.
    pub(crate) fn merge(&mut self, contacts: &Contacts, now: Time) -> Vec<Fork> {
        let mut forks = Vec::new();
        let mut n = 0;
        while n + 1 < self.accounts.len() {
            let mut i = n + 1;
            while i < self.accounts.len() {
                if self.accounts[n].is_twin(&self.accounts[i]) {
                    let other = self.accounts.remove(i);
                    let kept = &mut self.accounts[n];
                    let (a, b) = (
                        kept.total(contacts, now, false),
                        other.total(contacts, now, false),
                    );
                    if (a - b).abs() <= cost::TIE {
                        let pairs = kept.steps.iter().zip(&other.steps).enumerate();
                        let differ = pairs.filter(|(_, (a, b))| !is_same_way(a.m, b.m));
                        forks.extend(differ.map(|(step, (a, b))| Fork {
                            step,
                            readings: [a.m, b.m],
                        }));
                    }
                    if b < a {
                        *kept = other;
                    }
                } else {
                    i += 1;
                }
            }
            n += 1;
        }
        forks
    }

    /// The plies on which accounts that explain the board, and cost no more than `margin` above the
    /// best, differ from it.
    pub(crate) fn rivals(&self, contacts: &Contacts, now: Time, margin: i32) -> Vec<Fork> {
        let best = self.best(contacts, now, true);
        let dearest = best.total(contacts, now, true) + margin;
        let explains =
            |a: &&Hypothesis| contacts.planes.differ(a.pos.board()).is_empty() && a.cost <= dearest;
        let differing = self.accounts.iter().filter(explains).flat_map(|a| {
            let pairs = best.steps.iter().zip(&a.steps).enumerate();
            let differ = pairs.filter(|(_, (a, b))| !is_same_way(a.m, b.m));
            differ.map(|(step, (a, b))| Fork {
                step,
                readings: [a.m, b.m],
            })
        });
        differing.collect()
    }

    /// The time before which no account needs the settled changes.
    pub(crate) fn oldest(&self, contacts: &Contacts) -> Time {
        let early = |a: &Hypothesis| a.early.into_iter().map(|sq| contacts.since(sq) - 1).min();
        let reached = |a: &Hypothesis| a.steps.first().map_or(a.since, |s| s.made_at.min(a.since));
        let starts = self
            .accounts
            .iter()
            .map(|a| early(a).map_or(reached(a), |at| at.min(reached(a))));
        starts.min().unwrap_or_default()
    }

    /// Keeps the `most` cheapest accounts.
    pub(crate) fn keep_cheapest(&mut self, most: usize) {
        self.accounts.sort_by_key(|a| a.cost);
        self.accounts.truncate(most);
    }

    /// Replaces every account. `accounts` must not be empty.
    pub(crate) fn replace(&mut self, accounts: Vec<Hypothesis>) {
        debug_assert!(!accounts.is_empty());
        self.accounts = accounts;
    }
}

//! What hypotheses come to cost beyond their moves: by what they leave unexplained, and by what
//! happens later.

use shakmaty::{Bitboard, Move, Position, Square};

use crate::chess::moves::{arrival, is_from, origin, squares_of, victim_square};
use crate::said::symbol::Symbol;
use crate::said::time::Time;
use crate::sense::contacts::{Contacts, Stay};
use crate::sense::trust::{LATEST, ScanWindow};
use crate::track::beam::Beam;
use crate::track::cost;
use crate::track::hypothesis::Hypothesis;
use crate::track::moves::capturers;

impl Beam {
    /// Adds to the cost so far of every hypothesis what `cost` says.
    pub(crate) fn charge(&mut self, cost: impl Fn(&Hypothesis) -> i32) {
        for h in self.every() {
            h.cost += cost(h);
        }
    }

    /// What was handled up to now is nothing of the next ply, where the board is explained.
    pub(crate) fn excuse(&mut self, contacts: &Contacts, now: Time) {
        for h in self.every().filter(|h| h.wrong(contacts).is_empty()) {
            (h.since, h.early) = (now, Bitboard::EMPTY);
        }
    }

    /// A piece stood on `square`, and is gone. Where the player to move cannot have put it there,
    /// it is one that was said to have moved already: it moved on. What stood for less than a
    /// minimum contact is weak evidence of that, but evidence.
    pub(crate) fn charge_for_stay(
        &mut self,
        square: Square,
        stay: Stay,
        contacts: &Contacts,
        window: ScanWindow,
    ) {
        if stay.symbol == Symbol::Empty {
            return;
        }
        if contacts.last_change().since(stay.since) < contacts.minimum_contact() {
            self.charge(|h| match is_another(h, stay, contacts, window) {
                false if has_moved_on(h, square, stay, contacts, window) => {
                    cost::GLIMPSED_ELSEWHERE
                }
                _ => 0,
            });
            return;
        }
        self.charge(|h| {
            if has_moved_on(h, square, stay, contacts, window) {
                cost::ELSEWHERE
            } else if stood_elsewhere(h, square, stay, contacts, window) {
                cost::STOOD_ELSEWHERE
            } else {
                0
            }
        });
    }

    /// At a press for step `i`: a capture of a piece that nobody was seen to touch costs
    /// `cost_of_touched` more when the same piece could have captured one that was; more still when
    /// that one is in the air, or when it may not be captured, and something came to stand there
    /// again while the captor was in the air.
    pub(crate) fn charge_for_other_victims(
        &mut self,
        i: usize,
        contacts: &Contacts,
        cost_of_touched: i32,
    ) {
        let Some(before) = self.cheapest_after(i) else {
            return;
        };
        let touched = before.touched(contacts);
        let seen = touched | contacts.flickered_since(before.since);
        let handled = seen & before.pos.them();
        let of_handled = capturers(before.moves(), handled);
        let of_lifted = capturers(before.moves(), handled & !contacts.planes().occupied());
        let back = handled & contacts.planes().occupied();
        let of_none = !capturers(before.moves(), back);
        for (capturers, cost) in [
            (of_handled, cost_of_touched),
            (of_lifted, cost::OTHER_IN_HAND),
        ] {
            self.charge(|h| match h.steps.get(i) {
                Some(step) if takes_unseen(step.m, seen, capturers) => cost,
                _ => 0,
            });
        }
        let cost_of_exchange = |from: Square| {
            let gone = contacts.since(from);
            let came_back = |sq: Square| contacts.since(sq) > gone;
            match (back & touched).into_iter().any(came_back) {
                true => cost::OTHER_EXCHANGED,
                false => 0,
            }
        };
        self.charge(|h| match h.steps.get(i).map(|step| step.m) {
            Some(m) if takes_unseen(m, seen, of_none) => origin(m).map_or(0, cost_of_exchange),
            _ => 0,
        });
    }

    /// The board has stood still: hypotheses that do not explain it cost more, if another does.
    pub(crate) fn rest(&mut self, contacts: &Contacts, clock: bool) {
        let explains = |h: &&Hypothesis| h.wrong(contacts).is_empty();
        let all = self.hypotheses.iter().chain(&self.irregular);
        let Some(cost) = all.filter(explains).map(|h| h.cost).min() else {
            return;
        };
        // What explains the board by something that nobody saw is no better than a piece in the
        // air, while a press is to come. Without a clock the rest itself says that the ply is made.
        if clock && cost >= cost::FLICKER {
            return;
        }
        for h in self.every() {
            if h.wrong(contacts).any() {
                h.cost += cost::UNRESTED;
                h.cost_before += cost::UNRESTED;
            }
        }
    }

    /// Costs mean something only beside each other: the cheapest hypothesis starts the next ply at
    /// nothing. What the others are spared by that.
    pub(crate) fn normalise(&mut self) -> i32 {
        let least = self.least_cost();
        self.charge(|_| -least);
        least
    }

    /// A new ply begins. What the board did not explain at the press stays with a hypothesis,
    /// whatever comes to stand on those squares later; the next ply is counted from there. What
    /// all are spared.
    pub(crate) fn begin_ply(&mut self, contacts: &Contacts, now: Time) -> i32 {
        let mut least = i32::MAX;
        for h in &mut self.hypotheses {
            let residual = h.residual(contacts, now, true);
            h.cost += residual;
            least = least.min(residual);
        }
        for h in &mut self.irregular {
            h.cost += h.residual(contacts, now, true);
        }
        self.charge(|_| -least);
        // Where the ply is made already, what it rests on is its own.
        let plies = self.fewest_plies();
        let begun = self.cheapest_after(plies).map_or(0, |h| h.cost);
        for h in &mut self.hypotheses {
            h.cost_before = if h.steps.len() == plies {
                h.cost
            } else {
                h.cost.min(begun)
            };
        }
        least
    }
}

/// Whether what stood on `square` was a piece that had moved already by `h`, so that it moved on.
fn has_moved_on(
    h: &Hypothesis,
    square: Square,
    stay: Stay,
    contacts: &Contacts,
    window: ScanWindow,
) -> bool {
    if stay.since <= h.since {
        return false;
    }
    let (board, own) = (h.pos.board(), h.pos.us());
    let Some(colour) = stay.symbol.colour() else {
        let lifted = contacts.lifted_between(own, h.since, window.end(stay.since));
        return board.color_at(square).is_none() && !lifted && (h.early & own).is_empty();
    };
    h.pos.turn() != colour && !contacts.planes().fits(stay.symbol, board, square)
}

/// Whether what came for a moment may be another piece than the one that moved last by `h`, or may
/// have come before it: while a player still castles, the opponent's piece bounces as it lands.
fn is_another(h: &Hypothesis, stay: Stay, contacts: &Contacts, window: ScanWindow) -> bool {
    let landed = h.steps.last().map(|step| arrival(step.m));
    let others = h.pos.them() & !landed.map_or(Bitboard::EMPTY, Bitboard::from);
    !window.is_before(h.since, stay.since)
        || contacts.lifted_between(others, h.since, window.end(stay.since))
}

/// Whether what stood on `square` until now was the piece of a step by which it had gone on long
/// before: nothing else was in the air when it was put there.
fn stood_elsewhere(
    h: &Hypothesis,
    square: Square,
    stay: Stay,
    contacts: &Contacts,
    window: ScanWindow,
) -> bool {
    let (put_down, now) = (window.end(stay.since), contacts.last_change());
    let mut reached = Time::ZERO;
    for step in &h.steps {
        let gone = put_down < step.made_at && now.since(step.made_at) > LATEST;
        if gone && !squares_of(step.m).contains(square) {
            let in_the_air = contacts.lifted_at(stay.since, reached);
            if is_from(step.m, in_the_air) && in_the_air.single_square().is_some() {
                return true;
            }
        }
        reached = step.made_at;
    }
    false
}

/// Whether `m` captures a piece that is not among those `seen` to be touched, with one of the
/// `capturers`.
fn takes_unseen(m: Move, seen: Bitboard, capturers: Bitboard) -> bool {
    victim_square(m).is_some_and(|sq| !seen.contains(sq)) && is_from(m, capturers)
}

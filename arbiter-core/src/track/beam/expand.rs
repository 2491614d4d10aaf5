//! A scan: every hypothesis is matched against the board afresh, and the dearest are dropped.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Move, Position};

use crate::chess::moves::{add_moves_from, arrival, is_exchange, sort_moves};
use crate::said::time::Time;
use crate::sense::contacts::Contacts;
use crate::sense::trust::{STRAIGHTENS, Unsettled};
use crate::track::beam::{Beam, KEEP};
use crate::track::bounds::MoveBounds;
use crate::track::evidence::{PlyEvidence, Since};
use crate::track::fit;
use crate::track::hypothesis::Hypothesis;
use crate::track::look::Look;

/// Most hypotheses kept alive at once.
const MOST: usize = 64;
/// Plies of all of them together since the last committed one: where nobody presses for plies
/// without end, fewer hypotheses of them are kept.
const MOST_PLIES: usize = MOST * 64;
/// While one scan is being matched no more are thought of than these.
const CROWD: usize = 512;
/// Longest run of plies that may be completed within one scan.
const PLIES_A_SCAN: usize = 3;

impl Beam {
    /// Matches every hypothesis against the board as it reads now, and adds those in which a move
    /// is made.
    pub(crate) fn expand(&mut self, contacts: &Contacts, look: &Look<'_>) {
        let mut scan = Scan {
            contacts,
            look,
            unsettled: look.unsettled(contacts),
            since: None,
            possible: Vec::new(),
        };
        self.effort += grow_all(&mut self.hypotheses, &mut scan);
        self.effort += grow_all(&mut self.irregular, &mut scan);
        self.prune(contacts, look.now);
    }

    /// Drops what is far dearer than the best. The cheapest hypothesis in which the ply is not made
    /// always lives on.
    fn prune(&mut self, contacts: &Contacts, now: Time) {
        if self.hypotheses.len() > 1 {
            self.prune_legal(contacts, now);
        }
        if !self.irregular.is_empty() {
            self.prune_irregular(contacts, now);
        }
    }

    fn prune_legal(&mut self, contacts: &Contacts, now: Time) {
        let root_plies = self.fewest_plies();
        let mut totals = Vec::with_capacity(self.hypotheses.len());
        let (mut best, mut cheapest_root) = (i32::MAX, i32::MAX);
        for h in &self.hypotheses {
            let total = h.total(contacts, now, false);
            totals.push(total);
            best = best.min(total);
            if h.steps.len() == root_plies {
                cheapest_root = cheapest_root.min(total);
            }
        }
        let mut totals = totals.into_iter();
        self.hypotheses.retain(|h| {
            let total = totals.next().unwrap_or(0);
            total <= best + KEEP || (h.steps.len() == root_plies && total <= cheapest_root)
        });
        let most = most_of(&self.hypotheses, MOST);
        if self.hypotheses.len() > most {
            self.keep_most(most, root_plies, contacts, now);
        }
    }

    /// Keeps as many as may live at once: the cheapest ones, and a root among them.
    fn keep_most(&mut self, most: usize, root_plies: usize, contacts: &Contacts, now: Time) {
        self.hypotheses
            .sort_by_cached_key(|h| h.total(contacts, now, false));
        let root = self
            .hypotheses
            .iter()
            .position(|h| h.steps.len() == root_plies);
        if let Some(n) = root.filter(|n| *n >= most) {
            self.hypotheses.swap(most - 1, n);
        }
        self.hypotheses.truncate(most);
    }
}

/// How many of `lines` may live on, of `most` that usually may.
pub(super) fn most_of(lines: &[Hypothesis], most: usize) -> usize {
    let longest = lines.iter().map(|h| h.steps.len()).max().unwrap_or(0);
    (MOST_PLIES / longest.max(1)).clamp(2, most)
}

/// Adds what comes of each of `lines` if a move was made. How much was thought of.
fn grow_all(lines: &mut Vec<Hypothesis>, scan: &mut Scan<'_>) -> usize {
    let (mut first, mut effort) = (0, 0);
    let (mut children, mut known) = (Vec::new(), Known::default());
    for _ in 0..PLIES_A_SCAN {
        let last = lines.len();
        for i in first..last {
            if lines.len() < CROWD && scan.add_children(&lines[i], &mut children) {
                effort += 1 + children.len();
                for child in children.drain(..) {
                    let place = known.place_of(&child, lines);
                    admit_at(place, lines, child, scan.contacts, scan.look.now);
                }
            }
        }
        if lines.len() == last {
            break;
        }
        first = last;
    }
    effort
}

/// Adds a hypothesis; of two with the same moves the cheaper stays.
pub(super) fn admit(lines: &mut Vec<Hypothesis>, new: Hypothesis, contacts: &Contacts, now: Time) {
    let place = lines.iter().position(|h| has_same_moves(h, &new));
    admit_at(place, lines, new, contacts, now);
}

/// The same where it is known which of `lines` has the same moves.
fn admit_at(
    place: Option<usize>,
    lines: &mut Vec<Hypothesis>,
    new: Hypothesis,
    contacts: &Contacts,
    now: Time,
) {
    let Some(old) = place.and_then(|place| lines.get_mut(place)) else {
        lines.push(new);
        return;
    };
    if new.since > old.since && has_stood(old, new.since, contacts) {
        // Whoever takes the piece up after that does not make its move.
        return;
    }
    if is_made_again(old, &new, contacts) {
        // The piece was put down again, and no reply has begun that could have filled its
        // square: the move was made now, on what it rested on before.
        let cost = new.cost.min(old.cost);
        old.renew(new);
        old.cost = cost;
    } else if new.total(contacts, now, false) < old.total(contacts, now, false) {
        old.renew(new);
    }
}

/// Whether the move that `old` ends with was made later by `new`: the hand that had put the piece
/// down took it up once more, and put it down again before the opponent had lifted one of his own.
fn is_made_again(old: &Hypothesis, new: &Hypothesis, contacts: &Contacts) -> bool {
    let answered = || contacts.lifted_between(new.pos.us(), old.since, new.since);
    new.since > old.since && new.early.is_empty() && !answered()
}

/// Whether the piece that `old` has moved last stood there until the hand that had put it down was
/// gone, and was taken up after that, by `until`. A board that does not read every square does not
/// tell: what stood may have been half of the move.
fn has_stood(old: &Hypothesis, until: Time, contacts: &Contacts) -> bool {
    if !contacts.suspect().is_empty() {
        return false;
    }
    let Some(to) = old.steps.last().map(|step| arrival(step.m)) else {
        return false;
    };
    let read = contacts
        .log()
        .iter()
        .any(|c| c.square == to && c.at == old.since);
    // Where only a victim flickered, the opponent has taken up a piece of his since.
    let exchanged = || {
        contacts.flickered(to) == Some(old.since)
            && contacts.lifted_between(old.pos.us(), old.since, until)
    };
    let landed = read || exchanged();
    let up = contacts.log_since(old.since).find(|c| c.square == to);
    landed && up.is_some_and(|c| c.at.since(old.since) > STRAIGHTENS && c.at <= until)
}

/// The occupied squares of every hypothesis: what differs most often, in a row, so that the one
/// with the same moves is found soon.
#[derive(Default)]
struct Known {
    occupied: Vec<Bitboard>,
}

impl Known {
    /// Which of `lines` has the moves of `new`, which joins them otherwise.
    fn place_of(&mut self, new: &Hypothesis, lines: &[Hypothesis]) -> Option<usize> {
        let others = &lines[self.occupied.len()..];
        self.occupied
            .extend(others.iter().map(|h| h.pos.board().occupied()));
        let occupied = new.pos.board().occupied();
        let mut at = 0;
        while let Some(n) = self.occupied[at..].iter().position(|o| *o == occupied) {
            if has_same_moves(&lines[at + n], new) {
                return Some(at + n);
            }
            at += n + 1;
        }
        None
    }
}

/// What one scan shows to every hypothesis.
struct Scan<'a> {
    contacts: &'a Contacts,
    look: &'a Look<'a>,
    unsettled: Unsettled,
    /// What happened since the hypothesis matched last was reached: most often the next one was
    /// reached at the same time.
    since: Option<Since>,
    /// The moves of the hypothesis matched last that are worth a closer look.
    possible: Vec<Move>,
}

impl Scan<'_> {
    /// Adds to `children` the hypotheses in which a move was made after those of `parent`. Returns
    /// whether any can have been.
    fn add_children(&mut self, parent: &Hypothesis, children: &mut Vec<Hypothesis>) -> bool {
        // A board that reads as before is explained; only king and rook may have changed places
        // unseen.
        let explained = parent.wrong(self.contacts).is_empty() && !self.look.at_press;
        if explained && !parent.pos.castles().mode().is_chess960() {
            return false;
        }
        let since = self.since(parent.since);
        let ev = parent.evidence(self.contacts, self.look, self.unsettled, since);
        let Some(bounds) = MoveBounds::new(&parent.pos, &ev) else {
            return false;
        };
        let possible = &mut self.possible;
        look_through_moves(parent, &bounds, &ev, possible);
        if explained {
            possible.retain(|m| is_exchange(*m));
        }
        sort_moves(possible, parent.pos.turn());
        for &m in possible.iter() {
            if let Some(fit) = fit::fit(&parent.pos, m, &ev) {
                children.push(parent.after(m, fit));
            }
        }
        true
    }

    fn since(&mut self, start: Time) -> Since {
        match self.since {
            Some(known) if known.start == start => known,
            _ => *self.since.insert(Since::new(self.contacts, start)),
        }
    }
}

/// The moves after `parent` that are worth a closer look, in no order. Where it is known which
/// pieces can have moved, those of the others are never thought of.
fn look_through_moves(
    parent: &Hypothesis,
    bounds: &MoveBounds,
    ev: &PlyEvidence<'_>,
    possible: &mut Vec<Move>,
) {
    possible.clear();
    let Some(movers) = bounds.movers(&parent.pos) else {
        possible.extend(parent.moves().iter().filter(|m| bounds.admit(**m, ev)));
        return;
    };
    for from in movers {
        let wanted = |to| bounds.admit_squares(from, to, &parent.pos);
        add_moves_from(&parent.pos, from, wanted, possible);
    }
    possible.retain(|m| bounds.admit(*m, ev));
}

/// Whether two hypotheses have the same moves. What differs most often is compared first.
fn has_same_moves(a: &Hypothesis, b: &Hypothesis) -> bool {
    a.pos.board().occupied() == b.pos.board().occupied()
        && a.steps.len() == b.steps.len()
        && a.pos.board() == b.pos.board()
        && a.steps.iter().zip(&b.steps).all(|(a, b)| a.m == b.m)
}

#[cfg(test)]
mod tests {
    use shakmaty::{Bitboard, Chess, Move, Role, Square};

    use super::*;
    use crate::said::symbol::SensorClass;
    use crate::track::hypothesis::Step;

    const NOW: Time = Time(1_000);

    fn contacts() -> Contacts {
        let class = SensorClass::Occupancy;
        Contacts::new(class, &class.reads(Chess::default().board()), NOW, 120)
    }

    /// A hypothesis of so many plies, which explains whatever is read.
    fn of(plies: usize, cost: i32) -> Hypothesis {
        let mut h = Hypothesis::new(Chess::default(), NOW);
        let m = Move::Normal {
            role: Role::Knight,
            from: Square::G1,
            capture: None,
            to: Square::F3,
            promotion: None,
        };
        h.steps = alloc::vec![Step { m, made_at: NOW }; plies];
        h.misread = Bitboard::FULL;
        h.cost = cost;
        h
    }

    /// Plies and cost of what is left of a beam.
    fn pruned(hypotheses: Vec<Hypothesis>) -> Vec<(usize, i32)> {
        let mut beam = Beam::of(of(0, 0));
        beam.replace(hypotheses);
        beam.prune(&contacts(), NOW);
        let left = beam.all().iter();
        left.map(|h| (h.steps.len(), h.cost)).collect()
    }

    #[test]
    fn the_dear_are_dropped_but_not_the_cheapest_root() {
        let dear = 10 * KEEP;
        let left = pruned(alloc::vec![
            of(0, dear + 1),
            of(0, dear),
            of(1, 7),
            of(1, 7 + KEEP),
            of(1, 8 + KEEP),
            of(2, 8 + KEEP),
        ]);
        assert_eq!(left, [(0, dear), (1, 7), (1, 7 + KEEP)]);
    }

    #[test]
    fn the_only_hypothesis_lives_whatever_it_costs() {
        assert_eq!(pruned(alloc::vec![of(3, 10 * KEEP)]), [(3, 10 * KEEP)]);
    }

    #[test]
    fn a_crowded_beam_keeps_the_cheapest_and_a_root() {
        let mut crowd: Vec<Hypothesis> = (0..100).map(|cost| of(1, cost)).collect();
        crowd.insert(50, of(0, 500));
        let left = pruned(crowd);
        assert_eq!(left.len(), MOST);
        assert_eq!(left[MOST - 1], (0, 500));
        assert!(
            left[..MOST - 1]
                .iter()
                .all(|(plies, cost)| *plies == 1 && *cost < 63)
        );
    }
}

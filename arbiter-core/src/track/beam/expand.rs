//! A scan: every hypothesis is matched against the board afresh, and the dearest are dropped.

use alloc::vec::Vec;

use shakmaty::Position;

use crate::chess::moves::is_exchange;
use crate::said::time::Time;
use crate::sense::contacts::Contacts;
use crate::sense::trust::Unsettled;
use crate::track::beam::{Beam, KEEP};
use crate::track::bounds::MoveBounds;
use crate::track::evidence::Since;
use crate::track::fit;
use crate::track::hypothesis::Hypothesis;
use crate::track::look::Look;

/// Most hypotheses kept alive at once.
const MOST: usize = 64;
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
        };
        let mut first = 0;
        for _ in 0..PLIES_A_SCAN {
            let last = self.hypotheses.len();
            for i in first..last {
                if self.hypotheses.len() < CROWD {
                    self.grow(i, &mut scan);
                }
            }
            if self.hypotheses.len() == last {
                break;
            }
            first = last;
        }
        self.prune(contacts, look.now);
    }

    /// Adds what comes of hypothesis `i` if a move was made.
    fn grow(&mut self, i: usize, scan: &mut Scan<'_>) {
        let Some(children) = scan.children(&self.hypotheses[i]) else {
            return;
        };
        self.effort += 1 + children.len();
        for child in children {
            self.admit(child, scan.contacts, scan.look.now);
        }
    }

    /// Adds a hypothesis; of two with the same moves the cheaper stays.
    fn admit(&mut self, new: Hypothesis, contacts: &Contacts, now: Time) {
        let Some(old) = self.hypotheses.iter_mut().find(|h| has_same_moves(h, &new)) else {
            self.hypotheses.push(new);
            return;
        };
        if new.since > old.since && new.early.is_empty() {
            // The piece was put down again, and no reply has begun that could have filled its
            // square: the move was made now, on what it rested on before.
            let cost = new.cost.min(old.cost);
            old.renew(new);
            old.cost = cost;
        } else if new.total(contacts, now, false) < old.total(contacts, now, false) {
            old.renew(new);
        }
    }

    /// Drops what is far dearer than the best. The cheapest hypothesis in which the ply is not made
    /// always lives on.
    fn prune(&mut self, contacts: &Contacts, now: Time) {
        if self.hypotheses.len() == 1 {
            return;
        }
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
        if self.hypotheses.len() > MOST {
            self.keep_most(root_plies, contacts, now);
        }
    }

    /// Keeps as many as may live at once: the cheapest ones, and a root among them.
    fn keep_most(&mut self, root_plies: usize, contacts: &Contacts, now: Time) {
        self.hypotheses
            .sort_by_cached_key(|h| h.total(contacts, now, false));
        let root = self
            .hypotheses
            .iter()
            .position(|h| h.steps.len() == root_plies);
        if let Some(n) = root.filter(|n| *n >= MOST) {
            self.hypotheses.swap(MOST - 1, n);
        }
        self.hypotheses.truncate(MOST);
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
}

impl Scan<'_> {
    /// The hypotheses in which a move was made after those of `parent`; `None` where no move can
    /// have been.
    fn children(&mut self, parent: &Hypothesis) -> Option<Vec<Hypothesis>> {
        // A board that reads as before is explained; only king and rook may have changed places
        // unseen.
        let explained = parent.wrong(self.contacts).is_empty() && !self.look.at_press;
        if explained && !parent.pos.castles().mode().is_chess960() {
            return None;
        }
        let since = self.since(parent.since);
        let ev = parent.evidence(self.contacts, self.look, self.unsettled, since);
        let bounds = MoveBounds::new(&parent.pos, &ev)?;
        let mut children = Vec::new();
        for &m in parent.legal() {
            if !bounds.admit(m, &ev) || (explained && !is_exchange(m)) {
                continue;
            }
            if let Some(fit) = fit::fit(&parent.pos, m, &ev) {
                children.push(parent.after(m, fit));
            }
        }
        Some(children)
    }

    fn since(&mut self, start: Time) -> Since {
        match self.since {
            Some(known) if known.start == start => known,
            _ => *self.since.insert(Since::new(self.contacts, start)),
        }
    }
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

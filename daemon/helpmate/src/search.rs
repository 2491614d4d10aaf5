//! The search for a mate, through all positions that can come about if need be.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use shakmaty::{CastlingMode, Chess, Color, Move, Position};

use crate::packed::Packed;
use crate::score::{Goal, WAYS};
use crate::visited::Visited;
use crate::{Winnability, blocked, phases};

/// Positions that are played on from before a proof by phases is tried: most mates are found by
/// then, and the proof costs as much as some thousand of them.
pub(crate) const BEFORE_PROOF: usize = 3_000;
/// The work that this proof may take.
const PROOF: usize = 200_000;

/// The nearest first; of equally near ones any, but the same on every machine.
type Queue = BinaryHeap<(Reverse<i32>, u32, u32)>;

/// A search from one position.
///
/// It plays on from the position that looks nearest to a mate, by each way of judging that in turn,
/// and by turns from the oldest. No position is left out but those from which it is proven that
/// there is no mate: when none is left, there is none.
pub(crate) struct Search {
    root: Chess,
    winner: Color,
    goal: Goal,
    mode: CastlingMode,
    limit: usize,
    visited: Visited,
    /// Whether a position has been played on from, by number.
    done: Vec<bool>,
    oldest: u32,
    queues: [Queue; WAYS],
}

impl Search {
    pub(crate) fn new(root: &Chess, winner: Color, goal: Goal, limit: usize) -> Search {
        let mut search = Search {
            root: root.clone(),
            winner,
            goal,
            mode: root.castles().mode(),
            limit,
            visited: Visited::new(),
            done: Vec::new(),
            oldest: 0,
            queues: Default::default(),
        };
        search.add(root, 0);
        search
    }

    pub(crate) fn run(&mut self) -> Winnability {
        let mut played = 0;
        while let Some(number) = self.next(played % (WAYS + 1)) {
            if self.visited.len() > self.limit {
                return Winnability::Unknown;
            }
            played += 1;
            if played == BEFORE_PROOF && phases::is_unwinnable(&self.root, self.winner, PROOF) {
                return Winnability::Unwinnable;
            }
            let place = self.visited.node(number).place;
            let Some(pos) = place.unpack(self.mode) else {
                return Winnability::Unknown;
            };
            if self.is_dead_end(&pos, number) {
                continue;
            }
            if let Some(mate) = self.play_on(&pos, number) {
                return Winnability::Winnable(self.line(mate));
            }
        }
        Winnability::Unwinnable
    }

    /// Adds a position that is new, and returns its number.
    fn add(&mut self, pos: &Chess, before: u32) -> Option<u32> {
        let place = Packed::new(pos);
        let number = self.visited.add(place, before)?;
        self.done.push(false);
        let any = (place.spread() >> 32) as u32;
        for (queue, score) in self.queues.iter_mut().zip(self.goal.scores(pos)) {
            queue.push((Reverse(score), any, number));
        }
        Some(number)
    }

    /// The next position to play on from, by one of the ways to choose it. Each position comes
    /// once, and none is forgotten: by turns the oldest one is chosen.
    fn next(&mut self, way: usize) -> Option<u32> {
        if let Some(queue) = self.queues.get_mut(way) {
            while let Some((_, _, number)) = queue.pop() {
                if !std::mem::replace(&mut self.done[number as usize], true) {
                    return Some(number);
                }
            }
        }
        while let Some(done) = self.done.get_mut(self.oldest as usize) {
            self.oldest += 1;
            if !std::mem::replace(done, true) {
                return Some(self.oldest - 1);
            }
        }
        None
    }

    /// Whether it is proven that no mate follows. Only captures and pawn moves can make it so: the
    /// position before had not been proven so.
    fn is_dead_end(&self, pos: &Chess, number: u32) -> bool {
        let node = self.visited.node(number);
        let before = self.visited.node(node.before).place;
        node.place.is_irreversible_after(&before)
            && (pos.has_insufficient_material(self.winner)
                || blocked::is_unwinnable(pos, self.winner))
    }

    /// Adds all positions that one move leads to. Returns the one that is a mate.
    fn play_on(&mut self, pos: &Chess, number: u32) -> Option<u32> {
        for m in pos.legal_moves() {
            let mut after = pos.clone();
            after.play_unchecked(m);
            let added = self.add(&after, number);
            if added.is_some() && after.turn() != self.winner && after.is_checkmate() {
                return added;
            }
        }
        None
    }

    /// The moves that lead to a position.
    fn line(&self, to: u32) -> Vec<Move> {
        let mut numbers = vec![to];
        let mut last = to;
        while last != 0 {
            last = self.visited.node(last).before;
            numbers.push(last);
        }
        numbers.reverse();
        let mut pos = self.root.clone();
        let mut line = Vec::with_capacity(numbers.len());
        for number in &numbers[1..] {
            let wanted = self.visited.node(*number).place;
            let after = |m: Move| {
                let mut after = pos.clone();
                after.play_unchecked(m);
                after
            };
            let moves = pos.legal_moves();
            let Some(m) = moves
                .into_iter()
                .find(|m| Packed::new(&after(*m)) == wanted)
            else {
                break;
            };
            pos.play_unchecked(m);
            line.push(m);
        }
        line
    }
}

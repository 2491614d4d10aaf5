//! The search for a mate, through all positions that can come about if need be.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use shakmaty::{CastlingMode, Chess, Color, Move, Position};

use crate::packed::Packed;
use crate::score::Goal;
use crate::visited::Visited;
use crate::{Winnability, blocked, phases, score};

pub(crate) struct Search {
    root: Chess,
    winner: Color,
    goal: Goal,
    mode: CastlingMode,
    limit: usize,
    visited: Visited,
    done: Vec<bool>,
    in_order: u32,
    queues: [BinaryHeap<(Reverse<i32>, u32, u32)>; score::WAYS],
    pub expanded: usize,
}

impl Search {
    pub(crate) fn new(pos: &Chess, winner: Color, goal: Goal, limit: usize) -> Search {
        let mut search = Search {
            root: pos.clone(),
            winner,
            goal,
            mode: pos.castles().mode(),
            limit,
            visited: Visited::new(),
            done: Vec::new(),
            in_order: 0,
            queues: Default::default(),
            expanded: 0,
        };
        search.add(pos, 0);
        search
    }

    fn add(&mut self, pos: &Chess, before: u32) -> Option<u32> {
        let place = Packed::new(pos);
        let number = self.visited.add(place, before)?;
        let tie = (place.spread() >> 32) as u32;
        self.done.push(false);
        for (queue, score) in self.queues.iter_mut().zip(self.goal.scores(pos)) {
            queue.push((Reverse(score), tie, number));
        }
        Some(number)
    }

    pub(crate) fn run(&mut self) -> Winnability {
        for turn in 0.. {
            let Some(number) = self.next(turn % (score::WAYS + 1)) else {
                return Winnability::Unwinnable;
            };
            let node = *self.visited.node(number);
            let Some(pos) = node.place.unpack(self.mode) else {
                return Winnability::Unknown;
            };
            let before = self.visited.node(node.before).place;
            if node.place.is_irreversible_after(&before)
                && (pos.has_insufficient_material(self.winner)
                    || blocked::is_unwinnable(&pos, self.winner))
            {
                continue;
            }
            self.expanded += 1;
            if self.expanded == 3_000 && phases::is_unwinnable(&self.root, self.winner) {
                return Winnability::Unwinnable;
            }
            if std::env::var_os("DBG").is_some() { println!("{} {} {:?} {}", turn % 4, self.expanded, self.goal.scores(&pos), shakmaty::fen::Fen::from_position(&pos, shakmaty::EnPassantMode::Legal)); }
            if let Some(mate) = self.expand(&pos, number) {
                return Winnability::Winnable(self.line(mate));
            }
            if self.visited.len() > self.limit {
                return Winnability::Unknown;
            }
        }
        Winnability::Unknown
    }

    fn next(&mut self, way: usize) -> Option<u32> {
        if let Some(queue) = self.queues.get_mut(way) {
            while let Some((_, _, number)) = queue.pop() {
                if !std::mem::replace(&mut self.done[number as usize], true) {
                    return Some(number);
                }
            }
        }
        while let Some(done) = self.done.get_mut(self.in_order as usize) {
            self.in_order += 1;
            if !std::mem::replace(done, true) {
                return Some(self.in_order - 1);
            }
        }
        None
    }

    fn expand(&mut self, pos: &Chess, number: u32) -> Option<u32> {
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

    fn line(&self, mate: u32) -> Vec<Move> {
        let mut numbers = vec![mate];
        let mut last = mate;
        while last != 0 {
            last = self.visited.node(last).before;
            numbers.push(last);
        }
        let steps = numbers.windows(2).rev();
        let step = |pair: &[u32]| {
            let pos = self.visited.node(pair[1]).place.unpack(self.mode)?;
            let wanted = self.visited.node(pair[0]).place;
            pos.legal_moves().into_iter().find(|m| {
                let mut after = pos.clone();
                after.play_unchecked(*m);
                Packed::new(&after) == wanted
            })
        };
        steps.filter_map(step).collect()
    }
}

//! A line of legal moves from a known position to what stands on the board, when its plies were not
//! seen one by one: after a gap in the evidence, or when a restore was ordered on a misreading and
//! play went on.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Move, Position};

use crate::account::{Account, Step, legal_moves};
use crate::candidate::arrival;
use crate::game::{Game, Press};
use crate::settle::Settle;
use crate::time::Time;
use crate::view::{Finding, FindingStatus};

/// Longest line looked for, in plies.
const DEPTH: usize = 5;
/// Positions visited at most.
const NODES: usize = 20_000;

/// The shortest line from `start` to the board as it reads. Of several, the one whose plies come in
/// the order in which their squares were filled; `None` when there is none, or when two fit equally
/// well.
pub(crate) fn line(start: &Chess, settle: &Settle, touched: Bitboard) -> Option<Vec<Move>> {
    let wrong = settle.planes.differ(start.board());
    let mut search = Search {
        settle,
        involved: wrong | touched,
        nodes: 0,
        found: Vec::new(),
        path: Vec::new(),
    };
    for depth in 1..=DEPTH {
        search.visit(start, depth);
        if search.nodes > NODES {
            return None;
        }
        if search.found.is_empty() {
            continue;
        }
        let ordered: Vec<&Vec<Move>> = search
            .found
            .iter()
            .filter(|line| in_order(line, settle))
            .collect();
        return match (ordered.as_slice(), search.found.as_slice()) {
            ([only], _) => Some((*only).clone()),
            (_, [only]) => Some(only.clone()),
            _ => None,
        };
    }
    None
}

fn in_order(line: &[Move], settle: &Settle) -> bool {
    let times: Vec<Time> = line.iter().map(|m| settle.since(arrival(*m))).collect();
    times.is_sorted()
}

struct Search<'a> {
    settle: &'a Settle,
    involved: Bitboard,
    nodes: usize,
    path: Vec<Move>,
    found: Vec<Vec<Move>>,
}

impl Search<'_> {
    fn visit(&mut self, pos: &Chess, depth: usize) {
        self.nodes += 1;
        if self.nodes > NODES {
            return;
        }
        let wrong = self.settle.planes.differ(pos.board());
        if depth == 0 {
            if wrong.is_empty() {
                self.found.push(self.path.clone());
            }
            return;
        }
        // A ply puts right at most four squares.
        if wrong.count() > depth * 4 {
            return;
        }
        for m in legal_moves(pos) {
            if !self.involved.contains(arrival(m)) {
                continue;
            }
            if m.promotion()
                .is_some_and(|role| role != shakmaty::Role::Queen)
            {
                continue;
            }
            let mut next = pos.clone();
            next.play_unchecked(m);
            self.path.push(m);
            self.visit(&next, depth - 1);
            self.path.pop();
        }
    }
}

impl Game {
    /// Looks for the plies that were not seen one by one. What was found on the strength of not
    /// seeing them falls.
    pub(crate) fn bridge(&mut self, press: Option<Press>) -> bool {
        let root = self.root().clone();
        let Some(moves) = line(&root.pos, &self.settle, root.touched(&self.settle)) else {
            return false;
        };
        let before = self.length(&root);
        let mut pos = root.pos.clone();
        let mut steps = root.steps.clone();
        for &m in &moves {
            pos.play_unchecked(m);
            steps.push(Step {
                m,
                made_at: self.settle.since(arrival(m)),
            });
        }
        let mut account = Account::new(pos, self.settle.last_change());
        account.steps = steps;
        let made = self.length(&account);
        let completed = if press.is_some_and(|p| p.by != account.pos.turn()) {
            made
        } else {
            made - 1
        };
        if press.is_some() && moves.len() == 1 && completed < made {
            return false;
        }
        self.hypotheses.replace(alloc::vec![account.clone()]);
        self.withdraw_after(before);
        self.tell_line(&account, made, completed);
        self.completed = completed;
        (self.bound, self.restore, self.unread, self.obligation) = (None, None, None, None);
        self.gap = false;
        // Presses that waited were for the plies found.
        self.pending.clear();
        self.running = press.map(|p| if completed == made { !p.by } else { p.by });
        self.turn_start = self.now;
        self.decide();
        self.check_end(made, completed == made);
        true
    }

    /// Findings of plies after the first `n` were made on a misreading.
    pub(crate) fn withdraw_after(&mut self, n: usize) {
        let stands =
            |f: &Finding| f.status == FindingStatus::Open && f.irregularity.ply as usize > n;
        let ids: Vec<u32> = self
            .findings
            .iter()
            .filter(|f| stands(f))
            .map(|f| f.irregularity.id)
            .collect();
        ids.into_iter().for_each(|id| self.withdraw(id));
        self.drop_forfeit();
    }
}

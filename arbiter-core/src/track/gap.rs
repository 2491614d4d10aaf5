//! Gap search: a line of legal moves from a known position to what stands on the board, when its
//! plies were not seen one by one.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Move, Position, Role};

use crate::chess::moves::{arrival, legal_moves};
use crate::sense::contacts::Contacts;

/// Longest line looked for, in plies.
const DEPTH: usize = 5;

/// Positions visited at most.
const NODES: usize = 20_000;

/// The shortest line from `start` to the board as it reads. Of several, the one whose plies come in
/// the order in which their squares were filled; `None` when there is none, or when two fit equally
/// well.
pub(crate) fn line(start: &Chess, contacts: &Contacts, touched: Bitboard) -> Option<Vec<Move>> {
    let wrong = contacts.planes().differ(start.board());
    let mut search = Search {
        contacts,
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
        if !search.found.is_empty() {
            return search.likeliest();
        }
    }
    None
}

struct Search<'a> {
    contacts: &'a Contacts,
    /// Squares on which a move may have ended.
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
        let wrong = self.contacts.planes().differ(pos.board());
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
            let underpromotion = m.promotion().is_some_and(|role| role != Role::Queen);
            if underpromotion || !self.involved.contains(arrival(m)) {
                continue;
            }
            let mut next = pos.clone();
            next.play_unchecked(m);
            self.path.push(m);
            self.visit(&next, depth - 1);
            self.path.pop();
        }
    }

    /// The only line found, or the only one in order.
    fn likeliest(mut self) -> Option<Vec<Move>> {
        if self.found.len() > 1 {
            let contacts = self.contacts;
            self.found.retain(|line| is_in_order(line, contacts));
        }
        match self.found.len() {
            1 => self.found.pop(),
            _ => None,
        }
    }
}

/// Whether the plies of `line` filled their squares one after the other.
fn is_in_order(line: &[Move], contacts: &Contacts) -> bool {
    line.is_sorted_by_key(|m| contacts.since(arrival(*m)))
}

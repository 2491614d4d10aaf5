//! Gap search: a line of legal moves from a known position to what stands on the board, when its
//! plies were not seen one by one.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Board, Chess, Move, Position, Role};

use crate::chess::moves::{arrival, legal_moves, origin, squares_of};
use crate::sense::contacts::Contacts;
use crate::sense::trust::{LATEST, ScanWindow};

/// Longest line looked for, in plies.
const DEPTH: usize = 5;

/// Positions visited at most.
const NODES: usize = 20_000;

/// The shortest line from `start` to the board as it reads. Of several, the one whose plies come in
/// the order in which their squares were filled; `None` when there is none, or when two fit equally
/// well.
pub(crate) fn line(
    start: &Chess,
    contacts: &Contacts,
    touched: Bitboard,
    window: ScanWindow,
) -> Option<Vec<Move>> {
    let wrong = contacts.planes().differ(start.board());
    let mut search = Search {
        start,
        contacts,
        window,
        involved: wrong | touched,
        nodes: 0,
        found: Found::default(),
        in_order: Found::default(),
        path: Vec::new(),
    };
    for depth in 1..=DEPTH {
        search.visit(start, depth);
        if search.nodes > NODES {
            return None;
        }
        match search.found.count {
            0 => {}
            1 => return search.found.only(),
            _ => return search.in_order.only(),
        }
    }
    None
}

struct Search<'a> {
    start: &'a Chess,
    contacts: &'a Contacts,
    window: ScanWindow,
    /// Squares on which a move may have ended.
    involved: Bitboard,
    nodes: usize,
    path: Vec<Move>,
    /// The first line found, and the first whose plies come in order; of those that follow it is
    /// enough to know that there are any.
    found: Found,
    in_order: Found,
}

/// What was found of a kind: how many lines, and the first of them.
#[derive(Default)]
struct Found {
    count: usize,
    first: Vec<Move>,
}

impl Found {
    fn add(&mut self, line: &[Move]) {
        if self.count == 0 {
            self.first.extend_from_slice(line);
        }
        self.count += 1;
    }

    fn only(self) -> Option<Vec<Move>> {
        (self.count == 1).then_some(self.first)
    }
}

impl Search<'_> {
    fn visit(&mut self, pos: &Chess, depth: usize) {
        self.nodes += 1;
        if self.nodes > NODES {
            return;
        }
        let wrong = self.contacts.planes().differ(pos.board());
        if depth == 0 {
            if wrong.is_empty() && self.is_possible() {
                self.found.add(&self.path);
                if is_in_order(&self.path, self.contacts) {
                    self.in_order.add(&self.path);
                }
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

    /// Whether no piece of the line was read on its new square long before it left the old one: no
    /// reading is so late.
    fn is_possible(&self) -> bool {
        let mut pos = self.start.clone();
        for (n, m) in self.path.iter().enumerate() {
            let before = pos.board().clone();
            pos.play_unchecked(*m);
            if self.stood_before_it_left(&before, pos.board(), *m, &self.path[n + 1..]) {
                return false;
            }
        }
        true
    }

    /// Whether the arrival square of `m` came to read its piece long before that left its origin. A
    /// square that a ply after it changes again, or that reads the same as before, tells nothing.
    fn stood_before_it_left(&self, before: &Board, after: &Board, m: Move, rest: &[Move]) -> bool {
        let (Some(from), to) = (origin(m), arrival(m)) else {
            return false;
        };
        let class = self.contacts.planes().class();
        let shows = class.sees(before.piece_at(to)) != class.sees(after.piece_at(to));
        let own = Bitboard::from(from) | Bitboard::from(to);
        let changed_again = rest.iter().any(|later| (squares_of(*later) & own).any());
        let (left, filled) = (self.contacts.since(from), self.contacts.since(to));
        shows && !changed_again && self.window.is_before(filled + LATEST, left)
    }
}

/// Whether the plies of `line` filled their squares one after the other.
fn is_in_order(line: &[Move], contacts: &Contacts) -> bool {
    line.is_sorted_by_key(|m| contacts.since(arrival(*m)))
}

//! Gap search: a line of legal moves from a known position to what stands on the board, when its
//! plies were not seen one by one.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Move, Position};

use crate::chess::moves::{arrival, legal_moves, origin, squares_of};
use crate::said::time::{Millis, Time};
use crate::sense::contacts::Contacts;
use crate::track::cost::LATEST;

/// Longest line looked for, in plies.
const DEPTH: usize = 5;

/// Positions visited at most.
const NODES: usize = 20_000;

/// The shortest line from `start` to the board as it reads. Of several, the one whose plies come in
/// the order in which their squares were filled; `None` when there is none, or when two fit equally
/// well.
///
/// `scan_window`: changes closer together than this have no order.
pub(crate) fn line(
    start: &Chess,
    contacts: &Contacts,
    touched: Bitboard,
    scan_window: Millis,
) -> Option<Vec<Move>> {
    let wrong = contacts.planes.differ(start.board());
    let mut search = Search {
        start,
        contacts,
        latest: scan_window.max(LATEST),
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
            .filter(|line| in_order(line, contacts))
            .collect();
        return match (ordered.as_slice(), search.found.as_slice()) {
            ([only], _) => Some((*only).clone()),
            (_, [only]) => Some(only.clone()),
            _ => None,
        };
    }
    None
}

fn in_order(line: &[Move], contacts: &Contacts) -> bool {
    let times: Vec<Time> = line.iter().map(|m| contacts.since(arrival(*m))).collect();
    times.is_sorted()
}

struct Search<'a> {
    start: &'a Chess,
    contacts: &'a Contacts,
    /// No reading comes later than this.
    latest: Millis,
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
        let wrong = self.contacts.planes.differ(pos.board());
        if depth == 0 {
            if wrong.is_empty() && self.is_possible() {
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

    /// Whether no piece of the line was read on its new square long before it left the old one: no
    /// reading is so late. A square that a later ply of the line changes again tells nothing.
    fn is_possible(&self) -> bool {
        let mut pos = self.start.clone();
        for (n, &m) in self.path.iter().enumerate() {
            let before = pos.clone();
            pos.play_unchecked(m);
            let Some(from) = origin(m) else { continue };
            let (to, class) = (arrival(m), self.contacts.planes.class());
            let shows =
                class.sees(before.board().piece_at(to)) != class.sees(pos.board().piece_at(to));
            let own = Bitboard::from(from) | Bitboard::from(to);
            let final_ply = !self.path[n + 1..]
                .iter()
                .any(|later| (squares_of(*later) & own).any());
            let filled = self.contacts.since(to);
            if shows && final_ply && self.contacts.since(from) > filled + self.latest {
                return false;
            }
        }
        true
    }
}

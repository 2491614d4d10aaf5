//! Gap search: lines of legal moves from a known position to what stands on the board, when their
//! plies were not seen one by one.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role, Square};

use crate::chess::moves::{arrival, origin, squares_of, unsorted_moves};
use crate::said::symbol::SensorClass;
use crate::said::time::Time;
use crate::sense::contacts::Contacts;
use crate::sense::trust::{LATEST, ScanWindow};

/// Longest line looked for, in plies.
const DEPTH: usize = 6;

/// Positions visited at most.
const NODES: usize = 20_000;

/// Where more lines than these fit, nothing is known.
const MOST: usize = 64;

/// What is known of the last ply of a line.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct LastPly {
    /// Who made it.
    pub(crate) by: Option<Color>,
    /// A square that it filled.
    pub(crate) to: Option<Square>,
}

/// What the board shows after plies that nobody saw.
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a> {
    pub(crate) contacts: &'a Contacts,
    pub(crate) window: ScanWindow,
    /// Squares that were left since, of pieces that whoever moves next holds in the air.
    pub(crate) lifted: Bitboard,
    pub(crate) last: LastPly,
    /// Squares on which a move may have ended.
    pub(crate) involved: Bitboard,
}

/// The shortest lines from `start` to the board as it reads: of several those whose plies come in
/// the order in which their squares were filled, where any do. None where there is none, or where
/// too many fit.
pub(crate) fn lines(start: &Chess, sight: Sight<'_>) -> Vec<Vec<Move>> {
    let mut search = Search {
        start,
        sight,
        nodes: 0,
        found: Vec::new(),
        path: Vec::new(),
    };
    for depth in 1..=DEPTH {
        let mover = if depth % 2 == 1 {
            start.turn()
        } else {
            !start.turn()
        };
        // Where it was seen, the opponent of who presses may have replied already.
        let replied = sight.last.to.is_some();
        if replied || sight.last.by.is_none_or(|by| by == mover) {
            search.visit(start, depth);
        }
        if search.is_hopeless() {
            return Vec::new();
        }
        if !search.found.is_empty() {
            break;
        }
    }
    in_order(search.found, sight.contacts)
}

/// Those of `lines` whose plies were made one after the other, where there are any.
fn in_order(mut lines: Vec<Vec<Move>>, contacts: &Contacts) -> Vec<Vec<Move>> {
    let fits = |line: &Vec<Move>| times(line, contacts).is_sorted();
    if lines.iter().any(fits) {
        lines.retain(fits);
    }
    lines
}

struct Search<'a> {
    start: &'a Chess,
    sight: Sight<'a>,
    nodes: usize,
    path: Vec<Move>,
    found: Vec<Vec<Move>>,
}

impl Search<'_> {
    fn is_hopeless(&self) -> bool {
        self.nodes > NODES || self.found.len() > MOST
    }

    fn visit(&mut self, pos: &Chess, depth: usize) {
        self.nodes += 1;
        if self.is_hopeless() || !self.is_in_reach(pos, depth) {
            return;
        }
        if depth == 0 {
            if self.ends_well(pos) && self.is_possible() {
                self.found.push(self.path.clone());
            }
            return;
        }
        let identified = self.sight.contacts.planes().class() == SensorClass::Piece;
        for m in unsorted_moves(pos) {
            let underpromotion = m.promotion().is_some_and(|role| role != Role::Queen);
            if (underpromotion && !identified) || !self.sight.involved.contains(arrival(m)) {
                continue;
            }
            let mut next = pos.clone();
            next.play_unchecked(m);
            self.path.push(m);
            self.visit(&next, depth - 1);
            self.path.pop();
        }
    }

    /// Whether `depth` plies can make of `pos` what stands on the board. A ply fills one square and
    /// empties one, castling two; capturing en passant empties two.
    fn is_in_reach(&self, pos: &Chess, depth: usize) -> bool {
        let (planes, lifted) = (self.sight.contacts.planes(), self.sight.lifted);
        let wrong = planes.differ(pos.board()) ^ lifted;
        if depth == 0 {
            return wrong.is_empty();
        }
        let (filled, emptied) = (wrong & planes.occupied(), wrong & !planes.occupied());
        let mine = depth.div_ceil(2);
        let mut castlings = 0;
        for (colour, plies) in [(pos.turn(), mine), (!pos.turn(), depth - mine)] {
            let castles = usize::from(pos.castles().has_color(colour) && plies > 0);
            castlings += castles;
            if (filled & planes.of_colour(colour)).count() > plies + castles {
                return false;
            }
        }
        // A pawn that has passed another is captured beside the square where it is.
        filled.count() <= depth + castlings && emptied.count() <= depth + castlings + 1
    }

    /// Whether the line to `pos` ends with the ply that is known, and what is in the air is of the
    /// player to move.
    fn ends_well(&self, pos: &Chess) -> bool {
        let held = (self.sight.lifted & !pos.us()).is_empty();
        let last = match (self.sight.last.to, self.path.last()) {
            (Some(square), Some(m)) => squares_of(*m).contains(square),
            _ => true,
        };
        held && last
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
        let class = self.sight.contacts.planes().class();
        let shows = class.sees(before.piece_at(to)) != class.sees(after.piece_at(to));
        let own = Bitboard::from(from) | Bitboard::from(to);
        let changed_again = rest.iter().any(|later| (squares_of(*later) & own).any());
        let (left, filled) = (
            self.sight.contacts.since(from),
            self.sight.contacts.since(to),
        );
        shows && !changed_again && self.sight.window.is_before(filled + LATEST, left)
    }
}

/// When the plies of `line` were made: when the last square of each came to read as it does. What
/// a ply after it changes again tells nothing: it was made no sooner than the ply before it.
pub(crate) fn times(line: &[Move], contacts: &Contacts) -> Vec<Time> {
    let mut times = Vec::with_capacity(line.len());
    let mut later = Bitboard::EMPTY;
    for m in line.iter().rev() {
        let own = squares_of(*m);
        let told = (own & !later)
            .into_iter()
            .map(|sq| contacts.since(sq))
            .max();
        times.push(told);
        later |= own;
    }
    let mut last = Time::ZERO;
    let in_turn = times.iter().rev().map(|told| {
        last = told.unwrap_or(last);
        last
    });
    in_turn.collect()
}

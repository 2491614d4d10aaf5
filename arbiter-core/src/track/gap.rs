//! Gap search: lines of legal moves from a known position to what stands on the board, when their
//! plies were not seen one by one.

use alloc::vec::Vec;
use core::ops::RangeInclusive;

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role, Square};

use crate::chess::moves::{arrival, origin, squares_of, unsorted_moves};
use crate::said::symbol::SensorClass;
use crate::said::time::Time;
use crate::sense::contacts::Contacts;
use crate::sense::planes::Planes;
use crate::sense::trust::{LATEST, ScanWindow};
use crate::track::reach::is_within;

/// Longest line looked for, in plies.
const DEPTH: usize = 6;

/// Plies seen one by one after a picture, at most.
const SEEN: usize = 2;

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
    /// What the whole board read when it was looked at, where it has changed since.
    pub(crate) pictured: Option<&'a Planes>,
}

/// The shortest lines from `start` to the board as it reads, over what a picture showed before
/// where any lead there. Of several those whose plies come in the order in which their squares were
/// filled, where any do. None where there is none, or where more fits than can be told apart.
pub(crate) fn lines(start: &Chess, sight: Sight<'_>) -> Vec<Vec<Move>> {
    let mut found = match sight.pictured {
        Some(pictured) => shortest(start, sight, |depth| {
            let seen = seen_since(pictured, sight.contacts.planes());
            seen.filter(|seen| seen <= &depth)
                .map(|seen| Leg {
                    target: pictured,
                    plies: depth - seen,
                    seen: Some(seen),
                })
                .collect()
        }),
        None => Some(Vec::new()),
    };
    if found.as_ref().is_some_and(Vec::is_empty) {
        found = shortest(start, sight, |depth| {
            alloc::vec![Leg {
                target: sight.contacts.planes(),
                plies: depth,
                seen: None,
            }]
        });
    }
    in_order(start.board(), found.unwrap_or_default(), sight.contacts)
}

/// How many plies may have been seen since the board read as `pictured`: few, before they explain
/// it or are pressed for. A ply fills one square, castling two.
fn seen_since(pictured: &Planes, now: &Planes) -> RangeInclusive<usize> {
    let changed = pictured.reading().differs_from(now.reading());
    let filled = changed.filter(|sq| now.occupied().contains(*sq)).count();
    filled.div_ceil(2).min(SEEN)..=filled.min(SEEN)
}

/// The shortest lines that go one of the `ways`, as they are for each number of plies; `None` where
/// there is too much to look at.
fn shortest<'a>(
    start: &'a Chess,
    sight: Sight<'a>,
    ways: impl Fn(usize) -> Vec<Leg<'a>>,
) -> Option<Vec<Vec<Move>>> {
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
            ways(depth)
                .into_iter()
                .for_each(|leg| search.visit(start, leg));
        }
        if search.is_hopeless() {
            return None;
        }
        if !search.found.is_empty() {
            break;
        }
    }
    Some(search.found)
}

/// Those of `lines` whose plies were made one after the other, where there are any.
fn in_order(start: &Board, mut lines: Vec<Vec<Move>>, contacts: &Contacts) -> Vec<Vec<Move>> {
    let fits = |line: &Vec<Move>| times(start, line, contacts).is_sorted();
    if lines.iter().any(fits) {
        lines.retain(fits);
    }
    lines
}

/// A part of a line: so many `plies` to what the `target` reads.
#[derive(Clone, Copy)]
struct Leg<'a> {
    target: &'a Planes,
    plies: usize,
    /// Where that was pictured, the plies from there to the board as it reads.
    seen: Option<usize>,
}

struct Search<'a> {
    start: &'a Chess,
    sight: Sight<'a>,
    nodes: usize,
    path: Vec<Move>,
    found: Vec<Vec<Move>>,
}

impl<'a> Search<'a> {
    fn is_hopeless(&self) -> bool {
        self.nodes > NODES || self.found.len() > MOST
    }

    fn visit(&mut self, pos: &Chess, leg: Leg<'a>) {
        self.nodes += 1;
        if self.is_hopeless() || !self.is_in_reach(pos, leg) {
            return;
        }
        if leg.plies == 0 {
            match leg.seen {
                Some(plies) => self.visit(
                    pos,
                    Leg {
                        target: self.sight.contacts.planes(),
                        plies,
                        seen: None,
                    },
                ),
                None if self.ends_well(pos) && self.is_possible() => {
                    self.found.push(self.path.clone());
                }
                None => {}
            }
            return;
        }
        let identified = leg.target.class() == SensorClass::Piece;
        // The last ply changes all that is still wrong, or it is not worth a position.
        let last = (leg.plies == 1).then(|| self.wrong(pos, leg));
        for m in unsorted_moves(pos) {
            let underpromotion = m.promotion().is_some_and(|role| role != Role::Queen);
            if (underpromotion && !identified) || !self.sight.involved.contains(arrival(m)) {
                continue;
            }
            if last.is_some_and(|wrong| !wrong.is_subset(squares_of(m))) {
                self.nodes += 1;
                continue;
            }
            let mut next = pos.clone();
            next.play_unchecked(m);
            self.path.push(m);
            let plies = leg.plies - 1;
            self.visit(&next, Leg { plies, ..leg });
            self.path.pop();
        }
    }

    /// The squares on which `pos` is not what the target of `leg` reads.
    fn wrong(&self, pos: &Chess, leg: Leg<'_>) -> Bitboard {
        let lifted = match leg.seen {
            Some(_) => Bitboard::EMPTY,
            None => self.sight.lifted,
        };
        leg.target.differ(pos.board()) ^ lifted
    }

    /// Whether the plies of `leg` can make of `pos` what its target reads. A ply fills one square
    /// and empties one, castling two; capturing en passant empties two.
    fn is_in_reach(&self, pos: &Chess, leg: Leg<'_>) -> bool {
        let (planes, depth) = (leg.target, leg.plies);
        let wrong = self.wrong(pos, leg);
        if depth == 0 {
            return wrong.is_empty();
        }
        let (filled, emptied) = (wrong & planes.occupied(), wrong & !planes.occupied());
        let mine = depth.div_ceil(2);
        let mut castlings = 0;
        for (colour, plies) in [(pos.turn(), mine), (!pos.turn(), depth - mine)] {
            let castles = usize::from(pos.castles().has_color(colour) && plies > 0);
            castlings += castles;
            let own = filled & planes.of_colour(colour);
            if !is_within(plies + castles, pos.board(), own, planes) {
                return false;
            }
        }
        // A pawn that has passed another is captured beside the square where it is.
        let most = depth + castlings;
        emptied.count() <= most + 1 && is_within(most, pos.board(), filled, planes)
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
/// a ply after it changes again tells nothing, nor what has read so for longer than anything that
/// differs from `start`: it was made no sooner than the ply before it.
pub(crate) fn times(start: &Board, line: &[Move], contacts: &Contacts) -> Vec<Time> {
    let since = |sq| contacts.since(sq);
    let changed = contacts.planes().differ(start).into_iter();
    let first = changed.map(since).min().unwrap_or_default();
    let mut times = Vec::with_capacity(line.len());
    let mut later = Bitboard::EMPTY;
    for m in line.iter().rev() {
        let own = squares_of(*m);
        let told = (own & !later)
            .into_iter()
            .map(since)
            .filter(|at| *at >= first)
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

//! The changes of a turn, read one after another: which piece was lifted, and which of those in the
//! hand was put down.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Position, Square};

use super::{Contact, Handled, Handling};
use crate::chess::moves::{legs, squares_of};
use crate::said::symbol::{SensorClass, Symbol};
use crate::said::time::{Millis, Time};
use crate::sense::changes::SquareChange;

/// A square is read empty so much later, in milliseconds, than the next one is read full to which
/// its piece was slid: weak magnets are.
const LEFT_LATE: Millis = 100;

/// Reads the changes of a turn that began in `before`.
///
/// `made` is the move that the hypothesis says was played, which tells what a piece put down last
/// on a square was; a sensor that does not identify pieces leaves that open. `adjusts` are the
/// times at which the players announced. `landed`: when the opponent's last piece came down.
pub(crate) fn read(
    before: &Chess,
    made: Option<Move>,
    log: &[SquareChange],
    class: SensorClass,
    (landed, adjusts): (Option<Time>, &[(Color, Time)]),
) -> Handling {
    let mut walk = Walk::new(before, made, class);
    walk.landed = landed;
    for (n, change) in log.iter().enumerate() {
        match change.symbol {
            Symbol::Empty => walk.lift(change.square, change.at),
            symbol => walk.place(change.square, symbol, change.at, &log[n + 1..]),
        }
    }
    let mut handling = Handling {
        pieces: walk.handled,
    };
    for &(by, at) in adjusts {
        handling.announce(by, at, before.turn());
    }
    handling
}

struct Walk {
    class: SensorClass,
    mover: Color,
    /// Which piece of the starting position stands where now, by its index in `handled` once it was
    /// lifted.
    stands: [Stands; 64],
    start: Board,
    hand: Vec<usize>,
    handled: Vec<Handled>,
    /// From where to where the move puts its pieces: what stands last on such a square came from
    /// there.
    legs: Vec<(Square, Square)>,
    changed: Bitboard,
    /// When a piece came down last.
    landed: Option<Time>,
}

#[derive(Clone, Copy, PartialEq)]
enum Stands {
    /// What stood there at the start.
    Untouched,
    Nothing,
    Handled(u16),
    /// A piece from beside the board.
    Stranger,
}

impl Walk {
    fn new(before: &Chess, made: Option<Move>, class: SensorClass) -> Walk {
        let start = before.board().clone();
        let stands = [Stands::Untouched; 64];
        let legs = made.into_iter().flat_map(legs).collect();
        let changed = made.map(squares_of).unwrap_or_default();
        let mover = before.turn();
        Walk {
            class,
            mover,
            stands,
            start,
            hand: Vec::new(),
            handled: Vec::new(),
            legs,
            changed,
            landed: None,
        }
    }

    fn lift(&mut self, sq: Square, at: Time) {
        let index = match self.stands[usize::from(sq)] {
            Stands::Handled(n) => usize::from(n),
            Stands::Untouched => match self.first_touch(sq, at) {
                Some(n) => n,
                None => return,
            },
            Stands::Nothing | Stands::Stranger => {
                self.stands[usize::from(sq)] = Stands::Nothing;
                return;
            }
        };
        self.stands[usize::from(sq)] = Stands::Nothing;
        if let Some(contact) = self.handled[index].contacts.last_mut() {
            contact.to = Some(at);
        }
        self.hand.push(index);
        self.note_other_lift(index, at);
    }

    fn first_touch(&mut self, home: Square, lifted: Time) -> Option<usize> {
        let piece = self.start.piece_at(home)?;
        self.handled.push(Handled {
            home,
            piece,
            lifted,
            after_landing: self.landed.map(|landed| lifted.since(landed)),
            contacts: Vec::new(),
            covered: Vec::new(),
        });
        Some(self.handled.len() - 1)
    }

    /// Pieces that stand away from home while another one is lifted were let go.
    fn note_other_lift(&mut self, lifted: usize, at: Time) {
        for (n, h) in self.handled.iter_mut().enumerate() {
            if n == lifted {
                continue;
            }
            if let Some(c) = h.contacts.last_mut()
                && c.to.is_none()
                && c.square != h.home
            {
                c.other_lifted = c.other_lifted.or(Some(at.since(c.from)));
            }
        }
    }

    fn place(&mut self, sq: Square, symbol: Symbol, at: Time, later: &[SquareChange]) {
        let untouched = self.stands[usize::from(sq)] == Stands::Untouched;
        if untouched && self.class.sees(self.start.piece_at(sq)) == symbol {
            // It stood there all the time and is only read now: nobody touched it.
            return;
        }
        // A square that was full and reads another piece now: its piece was taken unseen.
        if untouched && self.first_touch(sq, at).is_some() {
            self.hand.push(self.handled.len() - 1);
        }
        self.landed = Some(at);
        let mut chosen = self.choose(sq, symbol, later);
        let left = || {
            let late = self.left_late(symbol, at, later).map(|left| (left, at));
            late.or_else(|| self.left_unread(sq, symbol))
        };
        if chosen.is_none()
            && let Some((left, at)) = left()
        {
            self.lift(left, at);
            chosen = self.choose(sq, symbol, later);
        }
        let Some(slot) = chosen else {
            self.stands[usize::from(sq)] = Stands::Stranger;
            return;
        };
        let index = self.hand.remove(slot);
        self.stands[usize::from(sq)] = Stands::Handled(index as u16);
        self.handled[index].contacts.push(Contact {
            square: sq,
            from: at,
            to: None,
            other_lifted: None,
        });
    }

    /// The square that a piece of no hand, which reads `symbol` where it came down `at`, has left:
    /// it was slid there, and the old square is read empty a moment later.
    fn left_late(&self, symbol: Symbol, at: Time, later: &[SquareChange]) -> Option<Square> {
        let soon = later.iter().take_while(|c| c.at.since(at) <= LEFT_LATE);
        let mut left = soon.filter(|c| c.symbol == Symbol::Empty);
        let leaves = |c: &&SquareChange| match self.stands[usize::from(c.square)] {
            Stands::Handled(n) => self.may_be(self.handled[usize::from(n)].piece, symbol),
            Stands::Untouched => {
                let stood = self.start.piece_at(c.square);
                stood.is_some_and(|piece| piece.color == self.mover && self.may_be(piece, symbol))
            }
            Stands::Nothing | Stands::Stranger => false,
        };
        left.find(leaves).map(|c| c.square)
    }

    /// The square, not its own, on which the piece stands that the move brings to `to`, where it
    /// reads `symbol`: it has left it, whatever that reads, and may have done so at once.
    fn left_unread(&self, to: Square, symbol: Symbol) -> Option<(Square, Time)> {
        let (from, _) = self.legs.iter().find(|leg| leg.1 == to)?;
        let moved = self.handled.iter().find(|h| h.home == *from)?;
        let stands = moved.stands().filter(|c| c.square != *from)?;
        self.may_be(moved.piece, symbol)
            .then_some((stands.square, stands.from))
    }

    /// Whether `piece` may read `symbol`.
    fn may_be(&self, piece: Piece, symbol: Symbol) -> bool {
        symbol == Symbol::Something || self.class.sees(Some(piece)) == symbol
    }

    /// Which piece in the hand was put on `sq`. What was taken up last comes first.
    fn choose(&self, sq: Square, symbol: Symbol, later: &[SquareChange]) -> Option<usize> {
        let from = self.legs.iter().find(|(_, to)| *to == sq);
        let (mut any, mut own, mut back, mut of_move) = (None, None, None, None);
        for slot in (0..self.hand.len()).rev() {
            let h = &self.handled[self.hand[slot]];
            if !self.may_be(h.piece, symbol) {
                continue;
            }
            any = any.or(Some(slot));
            if h.piece.color == self.mover {
                own = own.or(Some(slot));
            }
            if h.home == sq {
                back = back.or(Some(slot));
            }
            if from.is_some_and(|(from, _)| *from == h.home) {
                of_move = of_move.or(Some(slot));
            }
        }
        let last_here = !later.iter().any(|c| c.square == sq);
        let arrives = self.changed.contains(sq) && (last_here || back.is_none());
        if arrives && of_move.is_some() {
            return of_move;
        }
        // An own piece in the hand that is never put anywhere else was put here: a capture, not a
        // put-back.
        if let Some(slot) = back
            && own.is_some()
            && self.handled[self.hand[slot]].piece.color != self.mover
            && last_here
            && self.legs.is_empty()
            && !self.placed_later(later)
        {
            return own;
        }
        back.or(own).or(any)
    }

    fn placed_later(&self, later: &[SquareChange]) -> bool {
        later.iter().any(|c| c.symbol != Symbol::Empty)
    }
}

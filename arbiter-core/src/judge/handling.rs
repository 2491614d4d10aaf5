//! Who was touched, when, and what became of it: the settled changes of one turn, read as handled
//! pieces.

use alloc::vec::Vec;

use shakmaty::{Chess, Color, Move, Piece, Position, Square};

use crate::chess::moves::{legs, squares_of};
use crate::judge::obligation::Touch;
use crate::said::symbol::{SensorClass, Symbol};
use crate::said::time::{Millis, Time};
use crate::sense::changes::Change;

/// A piece that left its square during the turn.
#[derive(Clone, Debug)]
pub(crate) struct Handled {
    /// Where it stood when the turn began.
    pub(crate) home: Square,
    pub(crate) piece: Piece,
    pub(crate) lifted: Time,
    /// Squares it stood on since, with the time of arrival and of departure.
    pub(crate) contacts: Vec<Contact>,
    /// Lifts that an announced adjustment covers.
    covered: Vec<Time>,
}

/// A piece stood on a square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    pub(crate) square: Square,
    pub(crate) from: Time,
    pub(crate) to: Option<Time>,
    /// Another piece of the starting position was lifted while it stood there, this long after its
    /// arrival.
    pub(crate) other_lifted: Option<Millis>,
}

impl Handled {
    /// Whether it stands at home again, and when it came back.
    pub(crate) fn back_since(&self) -> Option<Time> {
        self.contacts
            .last()
            .filter(|c| c.square == self.home && c.to.is_none())
            .map(|c| c.from)
    }

    /// Every lift from its own square, with whether it came back there next (or is still in the
    /// air).
    fn lifts(&self) -> impl Iterator<Item = (Time, bool)> {
        let first = core::iter::once((self.lifted, self.contacts.first()));
        let again = self
            .contacts
            .iter()
            .enumerate()
            .filter(|(_, c)| c.square == self.home);
        let again = again.filter_map(|(n, c)| Some((c.to?, self.contacts.get(n + 1))));
        first
            .chain(again)
            .map(|(at, next)| (at, next.is_none_or(|c| c.square == self.home)))
    }

    /// When it was first touched without an announcement that covers it.
    pub(crate) fn touched(&self) -> Option<Time> {
        self.lifts()
            .map(|(at, _)| at)
            .find(|at| !self.covered.contains(at))
    }

    /// Since when it was surely handled to be moved: a lift that ended with a put-back may have had
    /// another purpose.
    pub(crate) fn surely_lifted(&self) -> Time {
        let left_home = self
            .contacts
            .iter()
            .rposition(|c| c.square == self.home && c.to.is_some());
        match left_home {
            Some(n) if self.contacts[..n].iter().all(|c| c.square == self.home) => {
                self.contacts[n].to.unwrap_or(self.lifted)
            }
            _ => self.lifted,
        }
    }

    /// Whether it ever stood on a square other than its own.
    pub(crate) fn stood_elsewhere(&self) -> bool {
        self.contacts.iter().any(|c| c.square != self.home)
    }
}

/// One turn's handling, pieces in the order in which they were first lifted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Handling {
    pub(crate) pieces: Vec<Handled>,
}

/// Reads the changes of a turn that began in `before`.
///
/// `made` is the move that the account says was played, which tells what a piece put down last on a
/// square was; a sensor that does not identify pieces leaves that open. `adjusts` are the times at
/// which the player announced.
pub(crate) fn read(
    before: &Chess,
    made: Option<Move>,
    log: &[Change],
    class: SensorClass,
    adjusts: &[(Color, Time)],
) -> Handling {
    let mut walk = Walk::new(before, made, class);
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
        handling.announce(at, |piece| by == before.turn() || by == piece.color);
    }
    handling
}

impl Handling {
    /// An announcement covers pieces that are lifted after it and put back; it ends at the first
    /// that is not. The opponent of the player having the move speaks for his own pieces: `of`
    /// tells which.
    fn announce(&mut self, at: Time, of: impl Fn(Piece) -> bool) {
        let lifts = |(n, h): (usize, &Handled)| {
            h.lifts()
                .map(move |(t, back)| (t, back, n))
                .collect::<Vec<_>>()
        };
        let mut lifts: Vec<(Time, bool, usize)> =
            self.pieces.iter().enumerate().flat_map(lifts).collect();
        lifts.retain(|(t, _, n)| *t >= at && of(self.pieces[*n].piece));
        lifts.sort_by_key(|(t, ..)| *t);
        for (t, _, n) in lifts.into_iter().take_while(|(_, back, _)| *back) {
            self.pieces[n].covered.push(t);
        }
    }

    /// The touches of the player that bind, in order. `when` tells at what time a piece counts as
    /// touched, if it does; `skew` is the gap below which there is no order.
    pub(crate) fn touches(
        &self,
        scan_window: Millis,
        when: impl Fn(&Handled) -> Option<Time>,
    ) -> Vec<Touch> {
        let mut timed: Vec<(Time, Square)> = self
            .pieces
            .iter()
            .filter_map(|h| Some((when(h)?, h.home)))
            .collect();
        timed.sort_by_key(|(at, _)| *at);
        let mut rank = 0;
        let mut first = timed.first().map_or(Time::ZERO, |(at, _)| *at);
        let ranked = timed.into_iter().map(|(at, square)| {
            if at.since(first) > scan_window {
                rank += 1;
                first = at;
            }
            Touch { square, rank }
        });
        ranked.collect()
    }

    /// Home squares of `player`'s pieces that were lifted and not put down again.
    pub(crate) fn held(&self, player: Color) -> Vec<Square> {
        let held = |h: &&Handled| {
            h.piece.color == player && h.contacts.last().is_none_or(|c| c.to.is_some())
        };
        self.pieces.iter().filter(held).map(|h| h.home).collect()
    }

    /// Whether a piece of `player` was lifted and not put down again.
    pub(crate) fn in_hand(&self, player: Color) -> bool {
        !self.held(player).is_empty()
    }

    /// The piece that stood on `home` when the turn began, if it was lifted.
    pub(crate) fn of(&self, home: Square) -> Option<&Handled> {
        self.pieces.iter().find(|h| h.home == home)
    }
}

struct Walk {
    class: SensorClass,
    mover: Color,
    /// Which piece of the starting position stands where now, by its index in `handled` once it was
    /// lifted.
    stands: [Stands; 64],
    start: shakmaty::Board,
    hand: Vec<usize>,
    handled: Vec<Handled>,
    /// The move's arrivals: what stands last on the square came from there.
    arrivals: Vec<(Square, Square)>,
    changed: shakmaty::Bitboard,
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
        let arrivals = made
            .into_iter()
            .flat_map(legs)
            .map(|(from, to)| (to, from))
            .collect();
        let changed = made.map(squares_of).unwrap_or_default();
        let mover = before.turn();
        Walk {
            class,
            mover,
            stands,
            start,
            hand: Vec::new(),
            handled: Vec::new(),
            arrivals,
            changed,
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
            contacts: Vec::new(),
            covered: Vec::new(),
        });
        Some(self.handled.len() - 1)
    }

    fn note_other_lift(&mut self, lifted: usize, at: Time) {
        for (_, h) in self
            .handled
            .iter_mut()
            .enumerate()
            .filter(|(n, _)| *n != lifted)
        {
            let home = h.home;
            if let Some(c) = h
                .contacts
                .last_mut()
                .filter(|c| c.to.is_none() && c.square != home)
            {
                c.other_lifted = c.other_lifted.or(Some(at.since(c.from)));
            }
        }
    }

    fn place(&mut self, sq: Square, symbol: Symbol, at: Time, later: &[Change]) {
        let untouched = self.stands[usize::from(sq)] == Stands::Untouched;
        if untouched && self.class.sees(self.start.piece_at(sq)) == symbol {
            // It stood there all the time and is only read now: nobody touched it.
            return;
        }
        // A square that was full and reads another piece now: its piece was taken unseen.
        if untouched && self.first_touch(sq, at).is_some() {
            self.hand.push(self.handled.len() - 1);
        }
        let Some(slot) = self.choose(sq, symbol, later) else {
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

    /// Which piece in the hand was put on `sq`.
    fn choose(&self, sq: Square, symbol: Symbol, later: &[Change]) -> Option<usize> {
        let fits = |&slot: &usize| {
            let seen = self.class.sees(Some(self.handled[self.hand[slot]].piece));
            seen == symbol || symbol == Symbol::Something
        };
        let home = |slot: usize| self.handled[self.hand[slot]].home;
        let last_here = !later.iter().any(|c| c.square == sq);
        let slots: Vec<usize> = (0..self.hand.len()).rev().filter(fits).collect();
        let put_back = slots.iter().any(|&s| home(s) == sq);
        if (last_here || !put_back) && self.changed.contains(sq) {
            let from = self
                .arrivals
                .iter()
                .find(|(to, _)| *to == sq)
                .map(|(_, from)| *from);
            if let Some(slot) = slots.iter().copied().find(|&s| Some(home(s)) == from) {
                return Some(slot);
            }
        }
        let own = |slot: usize| self.handled[self.hand[slot]].piece.color == self.mover;
        let back = slots.iter().copied().find(|&s| home(s) == sq);
        let own_slot = slots.iter().copied().find(|&s| own(s));
        match (back, own_slot) {
            // An own piece in the hand that is never put anywhere else was put here: a capture, not
            // a put-back.
            (Some(b), Some(o))
                if !own(b)
                    && last_here
                    && self.arrivals.is_empty()
                    && !self.placed_later(later) =>
            {
                Some(o)
            }
            (Some(b), _) => Some(b),
            (None, Some(o)) => Some(o),
            (None, None) => slots.first().copied(),
        }
    }

    fn placed_later(&self, later: &[Change]) -> bool {
        later.iter().any(|c| c.symbol != Symbol::Empty)
    }
}

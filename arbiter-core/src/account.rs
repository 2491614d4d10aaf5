//! One account of the evidence: a line of moves from the last decided ply to a position, what had
//! to be assumed for it, and what the board as it reads costs it.

use alloc::vec::Vec;
use core::cell::OnceCell;

use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, Square};

use crate::candidate::{self, Evidence, Fit, Unsteady, arrival, price};
use crate::hypothesis::Look;
use crate::settle::Settle;
use crate::symbol::SensorClass;
use crate::time::Time;

/// A ply of an account.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Step {
    pub(crate) m: Move,
    /// When the last of its squares took its place.
    pub(crate) made_at: Time,
}

/// One way to explain the evidence.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    /// Plies since the last decided one.
    pub(crate) steps: Vec<Step>,
    /// The position they lead to.
    pub(crate) pos: Chess,
    /// The legal moves there, once somebody has asked: most accounts die before.
    legal: OnceCell<Vec<Move>>,
    /// What the steps rest on.
    pub(crate) price: i32,
    /// What had to be assumed when its ply began: what the next ply rests on is counted from here.
    pub(crate) owed: i32,
    /// When the position was reached: touches after this belong to the next ply.
    pub(crate) since: Time,
    /// Squares the player to move handled before that.
    pub(crate) early: Bitboard,
    /// Squares whose reading is wrong by assumption until they are read again.
    pub(crate) stale: Bitboard,
}

impl Account {
    pub(crate) fn new(pos: Chess, since: Time) -> Account {
        let (early, stale) = (Bitboard::EMPTY, Bitboard::EMPTY);
        Account {
            steps: Vec::new(),
            pos,
            legal: OnceCell::new(),
            price: 0,
            owed: 0,
            since,
            early,
            stale,
        }
    }

    /// The legal moves of its position.
    pub(crate) fn legal(&self) -> &[Move] {
        self.legal.get_or_init(|| legal_moves(&self.pos))
    }

    /// Squares that read otherwise than this account says.
    pub(crate) fn wrong(&self, settle: &Settle) -> Bitboard {
        settle.planes.differ(self.pos.board()) & !self.stale
    }

    /// Squares touched since the position was reached.
    pub(crate) fn touched(&self, settle: &Settle) -> Bitboard {
        settle.touched_since(self.since) | self.early
    }

    /// The account in which `m` was made too.
    pub(crate) fn after(&self, m: Move, fit: Fit) -> Account {
        let mut steps = Vec::with_capacity(self.steps.len() + 1);
        steps.extend_from_slice(&self.steps);
        steps.push(Step {
            m,
            made_at: fit.made_at,
        });
        Account {
            steps,
            legal: OnceCell::new(),
            pos: fit.after,
            price: self.price + fit.price,
            owed: self.owed,
            since: fit.made_at,
            early: fit.early,
            stale: fit.stale,
        }
    }

    /// Becomes `new`, another way to the same position.
    pub(crate) fn renew(&mut self, new: Account) {
        *self = Account {
            legal: core::mem::take(&mut self.legal),
            ..new
        };
    }

    /// What is known of its next ply.
    pub(crate) fn evidence<'a>(
        &self,
        settle: &'a Settle,
        look: &Look<'a>,
        unsteady: Unsteady,
        since: &Since,
    ) -> Evidence<'a> {
        Evidence {
            settle,
            now: look.now,
            reached: self.since,
            touched: since.touched | self.early,
            flickered: since.flickered,
            glimpsed: since.glimpsed,
            stale: self.stale,
            blind: if look.lenient || look.patient {
                settle.suspect
            } else {
                Bitboard::EMPTY
            },
            skew: look.skew,
            lenient: look.lenient,
            unsteady,
            later: look.later,
            unread: look.unread,
            patient: look.patient,
            crowded: candidate::is_crowded(&self.pos, &settle.planes),
        }
    }

    /// What the present difference between board and position costs.
    pub(crate) fn residual(&self, settle: &Settle, now: Time, lenient: bool) -> i32 {
        let overdue = self.overdue(settle, now);
        let mut wrong = self.wrong(settle);
        if lenient {
            wrong &= !settle.lately_right(wrong, self.pos.board(), now);
        }
        if wrong.is_empty() {
            return overdue;
        }
        let touched = |sq| {
            settle.since(sq) > self.since
                || self.early.contains(sq)
                || settle.glimpsed(sq, self.since)
        };
        let mover = self.pos.turn();
        let last_to = self.steps.last().map(|s| arrival(s.m));
        let planes = &settle.planes;
        let coloured = planes.class() != SensorClass::Occupancy;
        let (mut cost, mut lifted, mut placed) = (0, 0, 0);
        for sq in wrong {
            let full = planes.occupied().contains(sq);
            let own_colour = planes.may_be(mover).contains(sq);
            match self.pos.board().color_at(sq) {
                _ if !touched(sq) => cost += price::LOST,
                Some(c) if c == mover && !full => lifted += 1,
                Some(c) if c == mover => {
                    cost += if own_colour {
                        price::HALF_PLACED
                    } else {
                        price::CONTRADICTED
                    }
                }
                Some(_) if !full && last_to == Some(sq) && !self.capturer_in_hand(sq, settle) => {
                    // Nobody presses with his piece in the hand: at a press, the opponent has begun
                    // to take it.
                    cost += if lenient && settle.stood(sq, self.pos.board()) && self.can_capture(sq)
                    {
                        price::VICTIM_FIRST
                    } else {
                        price::MOVED_ON
                    }
                }
                Some(_) if !full && self.can_capture(sq) => cost += price::IN_HAND,
                Some(_) if !full => cost += price::CONTRADICTED,
                _ if coloured && !own_colour => cost += price::CONTRADICTED,
                _ => placed += 1,
            }
        }
        // A piece that was placed was lifted before; one placed out of nowhere is unexplained.
        let nowhere: i32 = if placed > lifted { placed - lifted } else { 0 };
        overdue
            + cost
            + lifted * price::IN_HAND
            + placed * (price::HALF_PLACED - price::IN_HAND)
            + nowhere * price::LOST
    }

    /// What it costs that squares whose piece has left them are still read full, longer than any
    /// reading is late.
    fn overdue(&self, settle: &Settle, now: Time) -> i32 {
        let full = self.stale & settle.planes.occupied() & !settle.suspect;
        if full.is_empty() {
            return 0;
        }
        let overdue = |s: &&Step| {
            let left =
                s.m.from()
                    .filter(|from| full.contains(*from) && settle.since(*from) <= s.made_at);
            left.is_some() && now.since(s.made_at) > candidate::LATEST
        };
        self.steps.iter().filter(overdue).count() as i32 * price::LOST
    }

    /// Whether the player to move has a piece in the air that could capture on `sq`.
    fn capturer_in_hand(&self, sq: Square, settle: &Settle) -> bool {
        let held = !settle.planes.occupied();
        if (held & self.pos.us()).is_empty() {
            return false;
        }
        let takes = |m: &Move| {
            candidate::victim_square(*m) == Some(sq)
                && m.from().is_some_and(|from| held.contains(from))
        };
        self.legal().iter().any(takes)
    }

    fn can_capture(&self, sq: Square) -> bool {
        let board = self.pos.board();
        let attacked = board
            .attacks_to(sq, self.pos.turn(), board.occupied())
            .any();
        (attacked || self.pos.maybe_ep_square().is_some())
            && self
                .legal()
                .iter()
                .any(|m| candidate::victim_square(*m) == Some(sq))
    }

    /// Whether two accounts stand in the same position after as many plies.
    pub(crate) fn is_twin(&self, other: &Account) -> bool {
        self.steps.len() == other.steps.len() && self.pos == other.pos
    }

    /// Steps and present difference together.
    pub(crate) fn total(&self, settle: &Settle, now: Time, lenient: bool) -> i32 {
        self.price + self.residual(settle, now, lenient)
    }
}

/// What happened since a time. Accounts that were reached at the same time share it.
pub(crate) struct Since {
    pub(crate) start: Time,
    touched: Bitboard,
    flickered: Bitboard,
    glimpsed: Bitboard,
}

impl Since {
    pub(crate) fn new(settle: &Settle, start: Time) -> Since {
        let (flickered, glimpsed) = (settle.flickered_since(start), settle.glimpsed_since(start));
        Since {
            start,
            touched: settle.touched_since(start),
            flickered,
            glimpsed,
        }
    }
}

/// The legal moves. Where an illegal move was left standing a king can be in reach: it is never
/// captured (1.4.1).
///
/// In the order of their squares as the player to move sees them: of equally good accounts the
/// first is taken, and both colours are ruled alike.
pub fn legal_moves(pos: &Chess) -> Vec<Move> {
    let moves = pos.legal_moves();
    let seen = |square: Square| {
        if pos.turn() == Color::White {
            square
        } else {
            square.flip_vertical()
        }
    };
    // A number for each, in which the place in `moves` comes last: numbers are sorted faster than
    // moves.
    let number = |(n, m): (usize, &Move)| {
        let from = m.from().map_or(0, |from| 1 + u32::from(seen(from)));
        let promotion = m.promotion().map_or(0, |role| role as u32);
        from << 18 | u32::from(seen(m.to())) << 12 | promotion << 9 | n as u32
    };
    let takes_king = |m: &Move| m.capture() == Some(Role::King);
    let mut order: Vec<u32> = Vec::with_capacity(moves.len());
    order.extend(
        moves
            .iter()
            .enumerate()
            .filter(|(_, m)| !takes_king(m))
            .map(number),
    );
    order.sort_unstable();
    order
        .into_iter()
        .map(|number| moves[number as usize & 511])
        .collect()
}

//! One account of the evidence: a line of moves from the last decided ply to a position, what had
//! to be assumed for it, and what the board as it reads costs it.

use alloc::vec::Vec;
use core::cell::OnceCell;

use shakmaty::{Bitboard, Chess, Move, Position, Square};

use crate::chess::moves::{arrival, legal_moves, victim_square};
use crate::said::symbol::SensorClass;
use crate::said::time::Time;
use crate::sense::contacts::Contacts;
use crate::track::beam::Look;
use crate::track::cost;
use crate::track::fit::{self, MoveFit, PlyEvidence, Unsettled};

/// A ply of an account.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Step {
    pub(crate) m: Move,
    /// When the last of its squares took its place.
    pub(crate) made_at: Time,
}

/// One way to explain the evidence.
#[derive(Clone, Debug)]
pub(crate) struct Hypothesis {
    /// Plies since the last decided one.
    pub(crate) steps: Vec<Step>,
    /// The position they lead to.
    pub(crate) pos: Chess,
    /// The legal moves there, once somebody has asked: most accounts die before.
    legal: OnceCell<Vec<Move>>,
    /// What the steps rest on.
    pub(crate) cost: i32,
    /// What had to be assumed when its ply began: what the next ply rests on is counted from here.
    pub(crate) cost_before: i32,
    /// When the position was reached: touches after this belong to the next ply.
    pub(crate) since: Time,
    /// Squares the player to move handled before that.
    pub(crate) early: Bitboard,
    /// Squares whose reading is wrong by assumption until they are read again.
    pub(crate) misread: Bitboard,
}

impl Hypothesis {
    pub(crate) fn new(pos: Chess, since: Time) -> Hypothesis {
        let (early, misread) = (Bitboard::EMPTY, Bitboard::EMPTY);
        Hypothesis {
            steps: Vec::new(),
            pos,
            legal: OnceCell::new(),
            cost: 0,
            cost_before: 0,
            since,
            early,
            misread,
        }
    }

    /// The legal moves of its position.
    pub(crate) fn legal(&self) -> &[Move] {
        self.legal.get_or_init(|| legal_moves(&self.pos))
    }

    /// Squares that read otherwise than this account says.
    pub(crate) fn wrong(&self, contacts: &Contacts) -> Bitboard {
        contacts.planes.differ(self.pos.board()) & !self.misread
    }

    /// Squares touched since the position was reached.
    pub(crate) fn touched(&self, contacts: &Contacts) -> Bitboard {
        contacts.touched_since(self.since) | self.early
    }

    /// The account in which `m` was made too.
    pub(crate) fn after(&self, m: Move, fit: MoveFit) -> Hypothesis {
        let mut steps = Vec::with_capacity(self.steps.len() + 1);
        steps.extend_from_slice(&self.steps);
        steps.push(Step {
            m,
            made_at: fit.made_at,
        });
        Hypothesis {
            steps,
            legal: OnceCell::new(),
            pos: fit.after,
            cost: self.cost + fit.cost,
            cost_before: self.cost_before,
            since: fit.made_at,
            early: fit.early,
            misread: fit.misread,
        }
    }

    /// Becomes `new`, another way to the same position.
    pub(crate) fn renew(&mut self, new: Hypothesis) {
        *self = Hypothesis {
            legal: core::mem::take(&mut self.legal),
            ..new
        };
    }

    /// What is known of its next ply.
    pub(crate) fn evidence<'a>(
        &self,
        contacts: &'a Contacts,
        look: &Look<'a>,
        unsettled: Unsettled,
        since: &Since,
    ) -> PlyEvidence<'a> {
        PlyEvidence {
            contacts,
            now: look.now,
            reached: self.since,
            touched: since.touched | self.early,
            flickered: since.flickered,
            glimpsed: since.glimpsed,
            misread: self.misread,
            suspect_at_press: if look.at_press || look.hindsight {
                contacts.suspect
            } else {
                Bitboard::EMPTY
            },
            scan_window: look.scan_window,
            at_press: look.at_press,
            unsettled,
            lookahead: look.lookahead,
            unread: look.unread,
            hindsight: look.hindsight,
            crowded: fit::is_crowded(&self.pos, &contacts.planes),
        }
    }

    /// What the present difference between board and position costs.
    pub(crate) fn residual(&self, contacts: &Contacts, now: Time, at_press: bool) -> i32 {
        let overdue = self.overdue(contacts, now);
        let mut wrong = self.wrong(contacts);
        if at_press {
            wrong &= !contacts.lately_right(wrong, self.pos.board(), now);
        }
        if wrong.is_empty() {
            return overdue;
        }
        let touched = |sq| {
            contacts.since(sq) > self.since
                || self.early.contains(sq)
                || contacts.glimpsed(sq, self.since)
        };
        let mover = self.pos.turn();
        let last_to = self.steps.last().map(|s| arrival(s.m));
        let planes = &contacts.planes;
        let coloured = planes.class() != SensorClass::Occupancy;
        let (mut cost, mut lifted, mut placed) = (0, 0, 0);
        for sq in wrong {
            let full = planes.occupied().contains(sq);
            let own_colour = planes.may_be(mover).contains(sq);
            match self.pos.board().color_at(sq) {
                _ if !touched(sq) => cost += cost::LOST,
                Some(c) if c == mover && !full => lifted += 1,
                Some(c) if c == mover => {
                    cost += if own_colour {
                        cost::HALF_PLACED
                    } else {
                        cost::CONTRADICTED
                    }
                }
                Some(_) if !full && last_to == Some(sq) && !self.capturer_in_hand(sq, contacts) => {
                    // Nobody presses with his piece in the hand: at a press, the opponent has begun
                    // to take it.
                    cost +=
                        if at_press && contacts.stood(sq, self.pos.board()) && self.can_capture(sq)
                        {
                            cost::VICTIM_FIRST
                        } else {
                            cost::MOVED_ON
                        }
                }
                Some(_) if !full && self.can_capture(sq) => cost += cost::IN_HAND,
                Some(_) if !full => cost += cost::CONTRADICTED,
                _ if coloured && !own_colour => cost += cost::CONTRADICTED,
                _ => placed += 1,
            }
        }
        // A piece that was placed was lifted before; one placed out of nowhere is unexplained.
        let nowhere: i32 = if placed > lifted { placed - lifted } else { 0 };
        overdue
            + cost
            + lifted * cost::IN_HAND
            + placed * (cost::HALF_PLACED - cost::IN_HAND)
            + nowhere * cost::LOST
    }

    /// What it costs that squares whose piece has left them are still read full, longer than any
    /// reading is late.
    fn overdue(&self, contacts: &Contacts, now: Time) -> i32 {
        let full = self.misread & contacts.planes.occupied() & !contacts.suspect;
        if full.is_empty() {
            return 0;
        }
        let overdue = |s: &&Step| {
            let left =
                s.m.from()
                    .filter(|from| full.contains(*from) && contacts.since(*from) <= s.made_at);
            left.is_some() && now.since(s.made_at) > cost::LATEST
        };
        self.steps.iter().filter(overdue).count() as i32 * cost::LOST
    }

    /// Whether the player to move has a piece in the air that could capture on `sq`.
    fn capturer_in_hand(&self, sq: Square, contacts: &Contacts) -> bool {
        let held = !contacts.planes.occupied();
        if (held & self.pos.us()).is_empty() {
            return false;
        }
        let takes = |m: &Move| {
            victim_square(*m) == Some(sq) && m.from().is_some_and(|from| held.contains(from))
        };
        self.legal().iter().any(takes)
    }

    fn can_capture(&self, sq: Square) -> bool {
        let board = self.pos.board();
        let attacked = board
            .attacks_to(sq, self.pos.turn(), board.occupied())
            .any();
        (attacked || self.pos.maybe_ep_square().is_some())
            && self.legal().iter().any(|m| victim_square(*m) == Some(sq))
    }

    /// Whether two accounts stand in the same position after as many plies.
    pub(crate) fn is_twin(&self, other: &Hypothesis) -> bool {
        self.steps.len() == other.steps.len() && self.pos == other.pos
    }

    /// Steps and present difference together.
    pub(crate) fn total(&self, contacts: &Contacts, now: Time, at_press: bool) -> i32 {
        self.cost + self.residual(contacts, now, at_press)
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
    pub(crate) fn new(contacts: &Contacts, start: Time) -> Since {
        let (flickered, glimpsed) = (
            contacts.flickered_since(start),
            contacts.glimpsed_since(start),
        );
        Since {
            start,
            touched: contacts.touched_since(start),
            flickered,
            glimpsed,
        }
    }
}

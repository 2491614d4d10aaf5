//! The handling of a turn up to one moment of it.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Color, Square};

use super::{Contact, Handled, Handling};
use crate::said::time::Time;

impl Handling {
    /// What had been handled by `at` of the turn of `mover`, and the squares that have changed
    /// since. What the opponent had taken up by then and put down later is of his reply.
    pub(crate) fn until(&self, at: Time, mover: Color) -> (Handling, Bitboard) {
        let (mut pieces, mut later) = (Vec::new(), Bitboard::EMPTY);
        for h in &self.pieces {
            let down = h.contacts.iter().any(|c| c.from <= at);
            let replies = h.piece.color != mover && !down && h.stands().is_some();
            if h.lifted > at || replies {
                later.add(h.home);
                later.extend(h.contacts.iter().map(|c| c.square));
                continue;
            }
            let (then, changed) = contacts_until(&h.contacts, at);
            later |= changed;
            pieces.push(Handled {
                contacts: then,
                ..h.clone()
            });
        }
        (Handling { pieces }, later)
    }

    /// The piece from `captor` has taken the place of the one on `victim`, at the time `at`.
    pub(crate) fn exchange(&mut self, captor: Square, victim: Square, at: Time) {
        let stay = Contact {
            square: victim,
            from: at,
            to: None,
            other_lifted: None,
        };
        for h in &mut self.pieces {
            if h.home == captor {
                h.contacts = alloc::vec![stay];
            } else if h.home == victim {
                h.contacts.clear();
            }
        }
    }
}

/// What stood where by `at`, and the squares that have changed since.
fn contacts_until(contacts: &[Contact], at: Time) -> (Vec<Contact>, Bitboard) {
    let (mut then, mut changed) = (Vec::new(), Bitboard::EMPTY);
    for c in contacts {
        let left = c.to.filter(|to| *to > at);
        if c.from > at || left.is_some() {
            changed.add(c.square);
        }
        if c.from <= at {
            let to = c.to.filter(|to| *to <= at);
            then.push(Contact { to, ..*c });
        }
    }
    (then, changed)
}

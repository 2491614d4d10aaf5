//! What a board says of all its squares, now and then, and what nothing else tells.

use arbiter_core::Symbol;
use arbiter_core::shakmaty::Square;

use super::Contact;
use crate::hand::Act;
use crate::random::{Random, Span};

/// A moment at which every square is read anew.
#[derive(Debug)]
pub(super) struct Snapshot {
    /// When, in microseconds.
    pub(super) us: u64,
    /// What no change has told: a piece on a square, since when, and until when.
    pub(super) untold: Vec<(Square, Symbol)>,
}

/// The snapshots that a board sends, in order.
#[derive(Debug, Default)]
pub(super) struct Snapshots {
    pub(super) taken: Vec<Snapshot>,
    /// The snapshot that will tell of a piece, where none has yet.
    waits: Vec<(Square, u64)>,
}

impl Snapshots {
    /// One at the start, and one after each `span`, until everything is over and seen.
    pub(super) fn until(acts: &[Act], span: Span, random: &mut Random) -> Snapshots {
        let mut taken = Vec::new();
        if span.1 > 0 {
            let end = acts.last().map_or(0, |act| act.at.0 * 1_000) + span.1;
            let mut us = 0;
            while us <= end {
                let untold = Vec::new();
                taken.push(Snapshot { us, untold });
                us += random.span(span);
            }
        }
        Snapshots {
            taken,
            waits: Vec::new(),
        }
    }

    /// Leaves it to the next snapshot to tell of a piece that landed. False where there is none.
    pub(super) fn tell(&mut self, contact: Contact<'_>) -> bool {
        let Some(next) = self.taken.iter_mut().find(|next| next.us > contact.us) else {
            return false;
        };
        // One that has gone before leaves no trace.
        if !contact.following.touches_before(contact.square, next.us) {
            next.untold.push((contact.square, contact.seen));
        }
        self.waits.push((contact.square, next.us));
        true
    }

    /// Whether the piece that is lifted was not told of yet: then nothing changes.
    pub(super) fn are_to_tell(&mut self, contact: Contact<'_>) -> bool {
        let of_square = |(square, _): &(Square, u64)| *square == contact.square;
        let Some(i) = self.waits.iter().position(of_square) else {
            return false;
        };
        let (_, told) = self.waits.swap_remove(i);
        told > contact.us
    }
}

//! A released piece stays where it is (4.7).

use alloc::vec::Vec;

use shakmaty::Move;

use crate::chess::moves::{arrival, legs, origin};
use crate::judge::article_4::{Breach, Played};
use crate::judge::handling::{Contact, Handled};
use crate::said::irregularity::{Certainty, Code};

/// A piece that stood on a legal square and did not stay there: of several releases the likeliest,
/// and of equally likely ones the last.
pub(super) fn breach(p: &Played<'_>) -> Option<Breach> {
    let mut found: Option<(Certainty, &Contact, Vec<Move>)> = None;
    for h in &p.handling.pieces {
        if !p.is_own(h) || h.touched().is_none() {
            continue;
        }
        for contact in &h.contacts {
            if let Some((certainty, moves)) = release(p, h, contact)
                && found.as_ref().is_none_or(|(most, ..)| certainty >= *most)
            {
                found = Some((certainty, contact, moves));
            }
        }
    }
    let (certainty, contact, required) = found?;
    let squares = alloc::vec![contact.square];
    Some(p.breach(Code::ReleasedPieceMovedAgain, certainty, squares, required))
}

/// How likely it is that `h` was let go at contact `c`, and the moves that then bind.
fn release(p: &Played<'_>, h: &Handled, c: &Contact) -> Option<(Certainty, Vec<Move>)> {
    let left = c.to?;
    let ended_there = legs(p.m).any(|leg| leg == (h.home, c.square));
    if c.square == h.home || ended_there {
        return None;
    }
    let stood = left.since(c.from);
    // A victim that leaves the board as the slide goes on proves no release.
    let other_lifted = c.other_lifted.is_some_and(|after| {
        after >= p.settings.release_other_lift_ms && stood > after + p.settings.skew_ms
    });
    let taken_back = h.back_since().is_some() && !p.belongs(h) && stood >= p.settings.announce_ms;
    let pushed = !p.belongs(h) && h.was_hasty(p.settings.grip());
    let shown = p.was_shown(h.home);
    let certainty = if (other_lifted || taken_back) && !pushed && !shown {
        Certainty::Likely
    } else if other_lifted || taken_back || stood > p.settings.release_ms {
        Certainty::Possible
    } else {
        return None;
    };
    // What was touched before it may forbid the move: then it was none, and no release.
    let before = p.handling.touches(p.settings.skew_ms, |other| {
        other.touched().filter(|at| *at <= c.from)
    });
    let mut moves = p.permitted(&before).moves;
    moves.retain(|m| origin(*m) == Some(h.home) && arrival(*m) == c.square);
    (!moves.is_empty()).then_some((certainty, moves))
}

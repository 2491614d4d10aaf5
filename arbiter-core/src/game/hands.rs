//! Whose hand it was, and how many: no sensor sees hands. Where the answer matters the arbiter is
//! asked, and nobody is accused.

use alloc::vec::Vec;

use shakmaty::{Chess, Move, Position, Role, Square, attacks};

use crate::chess::moves::squares_of;
use crate::game::Game;
use crate::judge::handling::{self, Handled, Handling};
use crate::judge::obligation::permitted;
use crate::said::input::{Event, Input};
use crate::said::ruling::DoubtKind;
use crate::said::settings::TwoHands;
use crate::said::symbol::SensorClass;
use crate::said::time::Time;
use crate::sense::contacts::Change;
use crate::track::hypothesis::Hypothesis;

impl Game {
    /// King and rook handled at the same time: only a human can know whether by one hand or by two
    /// (4.1).
    pub(crate) fn ask_hands(&mut self, ply: usize, m: Move, handling: &Handling) {
        let Move::Castle { king, rook } = m else {
            return;
        };
        if self.setup.chess960 || !self.laws().two_hands_illegal {
            return;
        }
        let (Some(k), Some(r)) = (handling.of(king), handling.of(rook)) else {
            return;
        };
        let window = self.setup.options.skew_ms + self.setup.options.brush_ms;
        let asked = match self.setup.options.two_hands {
            TwoHands::Ignore => false,
            TwoHands::AtOnce => {
                !self.setup.polled && !self.gap && at_once(k, r).is_some_and(|ms| ms <= window)
            }
            TwoHands::InTheAir => together(k, r).is_some_and(|ms| ms > window),
        };
        if asked {
            self.raise_doubt(
                ply as u32,
                DoubtKind::TwoHands,
                alloc::vec![king, rook],
                Vec::new(),
            );
        }
    }

    /// A piece of his own went up and came down before the opponent had pressed, and the player
    /// then moved another. He had the move already (1.3): if it was his hand, the piece binds him.
    /// The opponent's clock ran, and it may have been his.
    pub(crate) fn ask_who_touched(&mut self, line: &Hypothesis, ply: usize, before: &Chess) {
        let Some(reply) = self.step_of(line, ply).copied() else {
            return;
        };
        let Some(earlier) = ply
            .checked_sub(2)
            .and_then(|i| self.record.plies.get(i))
            .map(|p| (p.m, p.at))
        else {
            return;
        };
        let (Some(m), made_at) = earlier else { return };
        if !self.setup.clock || self.setup.polled || self.is_shaky() {
            return;
        }
        // What stands beside the piece just moved was knocked over by the hand that had been there.
        let near = squares_of(m)
            .into_iter()
            .fold(squares_of(m), |near, sq| near | attacks::king_attacks(sq));
        let others = before.us() & !near & !squares_of(reply.m);
        let between = |c: &&Change| c.at > made_at && c.at <= reply.made_at;
        if !self
            .contacts
            .log()
            .iter()
            .filter(between)
            .any(|c| others.contains(c.square))
        {
            return;
        }
        let pressed = self.turn_start;
        let (scan_window, minimum_contact) =
            (self.setup.options.skew_ms, self.setup.options.brush_ms);
        let announced = |e: &&Event| {
            matches!(e.input, Input::Adjust { .. }) && e.at > made_at && e.at <= pressed
        };
        let said = self.evidence.iter().any(|e| announced(&e));
        let between: Vec<Change> = self
            .contacts
            .log()
            .iter()
            .filter(between)
            .copied()
            .collect();
        let handling = handling::read(
            before,
            Some(reply.m),
            &between,
            self.setup.sensor,
            &self.announced(),
        );
        let touched = |h: &Handled| {
            let own = others.contains(h.home);
            let down = h
                .contacts
                .first()
                .filter(|c| c.square == h.home)
                .map_or(h.lifted, |c| c.from);
            let early = h.lifted > made_at + scan_window
                && h.lifted <= pressed
                && down.since(h.lifted) > minimum_contact;
            (own && early && h.back_since().is_some_and(|t| t <= reply.made_at)).then_some(h.lifted)
        };
        let early = handling.touches(scan_window, touched);
        let allowed = permitted(before, &before.legal_moves(), &early, self.laws());
        if !said && !allowed.moves.contains(&reply.m) {
            let squares = early.iter().map(|t| t.square).collect();
            self.raise_doubt(ply as u32, DoubtKind::WhoTouched, squares, Vec::new());
        }
    }

    /// Two pieces lifted together and two squares filled again: sensors that do not see pieces
    /// cannot tell whether each went back to its own. What is lifted after the moved piece was
    /// knocked over, and is not asked about.
    pub(crate) fn ask_exchanged(&mut self, ply: usize, moved: Option<Square>, handling: &Handling) {
        let class = self.setup.sensor;
        let first = moved
            .and_then(|from| handling.of(from))
            .map(Handled::surely_lifted);
        let back = |h: &&Handled| {
            let at_home = h.contacts.iter().all(|c| c.square == h.home);
            at_home
                && h.back_since()
                    .is_some_and(|t| first.is_none_or(|first| t < first))
        };
        let put_back: Vec<&Handled> = handling.pieces.iter().filter(back).collect();
        let [a, b] = put_back.as_slice() else { return };
        let alike = class == SensorClass::Occupancy || a.piece.color == b.piece.color;
        let window = self.setup.options.skew_ms + self.setup.options.brush_ms;
        // King and rook together are castling that was thought better of.
        let castling = [a, b]
            .iter()
            .all(|h| matches!(h.piece.role, Role::King | Role::Rook));
        let differ = class != SensorClass::Piece && alike && a.piece != b.piece && !castling;
        if differ && together(a, b).is_some_and(|ms| ms > window) {
            self.raise_doubt(
                ply as u32,
                DoubtKind::CheckSquare,
                alloc::vec![a.home, b.home],
                Vec::new(),
            );
        }
    }
}

/// How far apart two pieces were lifted, or put down, whichever was the longer.
fn at_once(a: &Handled, b: &Handled) -> Option<u64> {
    let down = |h: &Handled| h.contacts.first().map(|c| c.from);
    let apart = |a: Time, b: Time| a.max(b).since(a.min(b));
    Some(apart(a.lifted, b.lifted).max(apart(down(a)?, down(b)?)))
}

/// How long two pieces were in the air at the same time, the first time each was lifted.
fn together(a: &Handled, b: &Handled) -> Option<u64> {
    let down = |h: &Handled| h.contacts.first().map(|c| c.from);
    let (up, down) = (a.lifted.max(b.lifted), down(a)?.min(down(b)?));
    (down > up).then(|| down.since(up))
}

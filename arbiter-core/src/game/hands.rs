//! Whose hand it was, and how many: no sensor sees hands. Where the answer matters the arbiter is
//! asked, and nobody is accused.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Move, Position, Role, Square, attacks};

use crate::chess::moves::squares_of;
use crate::game::Game;
use crate::judge::handling::{self, Handled, Handling};
use crate::judge::obligation::{Touch, permitted};
use crate::said::input::Input;
use crate::said::ruling::DoubtKind;
use crate::said::settings::TwoHands;
use crate::said::symbol::SensorClass;
use crate::said::time::{Millis, Time};
use crate::sense::changes::SquareChange;
use crate::track::hypothesis::{Hypothesis, Step};

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
        let window = self.moment();
        let asked = match self.setup.options.two_hands {
            TwoHands::Ignore => false,
            TwoHands::AtOnce => {
                let unclear = self.setup.polled || self.board.gap();
                !unclear && apart(k, r).is_some_and(|ms| ms <= window)
            }
            TwoHands::InTheAir => together(k, r).is_some_and(|ms| ms > window),
        };
        if asked {
            let squares = alloc::vec![king, rook];
            self.raise_doubt(ply as u32, DoubtKind::TwoHands, squares, Vec::new());
        }
    }

    /// What is closer together than this may be one act: a scan, and the least time a hand needs.
    fn moment(&self) -> Millis {
        self.setup.options.skew_ms + self.setup.options.brush_ms
    }

    /// Two pieces lifted together and two squares filled again: sensors that do not see pieces
    /// cannot tell whether each went back to its own. What is lifted after the moved piece, be it
    /// before the press or where none comes, was knocked over, and is not asked about.
    /// Whether it is asked.
    pub(crate) fn ask_exchanged(
        &mut self,
        ply: usize,
        moved: Option<Square>,
        handling: &Handling,
    ) -> bool {
        let Some(squares) = self.changed_places(ply, moved, handling) else {
            return false;
        };
        self.raise_doubt(ply as u32, DoubtKind::CheckSquare, squares, Vec::new());
        true
    }

    /// The squares of two pieces that may have changed places so.
    fn changed_places(
        &self,
        ply: usize,
        moved: Option<Square>,
        handling: &Handling,
    ) -> Option<Vec<Square>> {
        let first = moved
            .and_then(|from| handling.of(from))
            .map(Handled::surely_lifted);
        let mut put_back = put_back_before(handling, first);
        put_back.retain(|h| !self.is_straightened(h.home, h.lifted, ply));
        let [a, b] = put_back.as_slice() else {
            return None;
        };
        let alike = match self.setup.sensor {
            SensorClass::Occupancy => true,
            SensorClass::Colour => a.piece.color == b.piece.color,
            SensorClass::Piece => false,
        };
        // King and rook together are castling that was thought better of.
        let castling = is_of_castling(a) && is_of_castling(b);
        let told_apart = !alike || castling || a.piece == b.piece;
        let at_once = together(a, b).is_some_and(|ms| ms > self.moment());
        (at_once && !told_apart).then(|| alloc::vec![a.home, b.home])
    }
}

/// What a player handled of his own between the move he answers and its press.
struct Early<'a> {
    before: &'a Chess,
    reply: Step,
    /// When the move he answers was made, and when it was pressed for.
    made_at: Time,
    pressed: Time,
    /// His pieces that nobody else had a reason to touch.
    others: Bitboard,
}

impl Game {
    /// A piece of his own went up and came down before the opponent had pressed, and the player
    /// then moved another. He had the move already (1.3): if it was his hand, the piece binds him.
    /// The opponent's clock ran, and it may have been his.
    pub(crate) fn ask_who_touched(&mut self, line: &Hypothesis, ply: usize, before: &Chess) {
        let Some(reply) = self.step_of(line, ply).copied() else {
            return;
        };
        let Some(answered) = ply.checked_sub(1).and_then(|n| self.record.ply(n)) else {
            return;
        };
        let (Some(m), made_at) = (answered.m, answered.at) else {
            return;
        };
        if !self.setup.clock || self.setup.polled || self.is_shaky() {
            return;
        }
        let others = before.us() & !near(m) & !squares_of(reply.m);
        let pressed = self.clock.turn_start();
        let early = Early {
            before,
            reply,
            made_at,
            pressed,
            others,
        };
        let log = self.log_between(made_at, reply.made_at);
        if !log.iter().any(|c| others.contains(c.square)) || self.was_announced(made_at, pressed) {
            return;
        }
        let touches = self.early_touches(&early, &log);
        let allowed = permitted(before, &before.legal_moves(), &touches, self.laws());
        if !allowed.moves.contains(&reply.m) {
            let squares = touches.iter().map(|touch| touch.square).collect();
            self.raise_doubt(ply as u32, DoubtKind::WhoTouched, squares, Vec::new());
        }
    }

    fn log_between(&self, after: Time, until: Time) -> Vec<SquareChange> {
        let mut log = Vec::new();
        for c in self.board.contacts().log() {
            if c.at > after && c.at <= until {
                log.push(*c);
            }
        }
        log
    }

    /// Whether somebody announced an adjustment in that time.
    fn was_announced(&self, after: Time, until: Time) -> bool {
        self.board.evidence().any(|event| {
            let announced = matches!(event.input.plain(), Input::Adjust { .. });
            announced && event.at > after && event.at <= until
        })
    }

    fn early_touches(&self, early: &Early<'_>, log: &[SquareChange]) -> Vec<Touch> {
        let (m, class) = (Some(early.reply.m), self.setup.sensor);
        let around = (None, &*self.announced());
        let handling = handling::read(early.before, m, log, class, around);
        let (window, minimum) = (self.setup.options.skew_ms, self.setup.options.brush_ms);
        handling.touches(window, |h| {
            early.was_touched(h, window, minimum).then_some(h.lifted)
        })
    }
}

impl Early<'_> {
    /// Whether the piece went up after the move had been made and before its press, for longer than
    /// a minimum contact, and came down again.
    fn was_touched(&self, h: &Handled, scan_window: Millis, minimum_contact: Millis) -> bool {
        let first = h.contacts.first().filter(|c| c.square == h.home);
        let down = first.map_or(h.lifted, |c| c.from);
        self.others.contains(h.home)
            && h.lifted > self.made_at + scan_window
            && h.lifted <= self.pressed
            && down.since(h.lifted) > minimum_contact
            && h.back_since()
                .is_some_and(|back| back <= self.reply.made_at)
    }
}

/// The squares of a move and those beside them: what stands there was knocked over by the hand that
/// had been there.
fn near(m: Move) -> Bitboard {
    let mut near = squares_of(m);
    for sq in squares_of(m) {
        near |= attacks::king_attacks(sq);
    }
    near
}

/// The pieces that went back home, and nowhere else, before `moved` was lifted.
fn put_back_before(handling: &Handling, moved: Option<Time>) -> Vec<&Handled> {
    let mut put_back = Vec::new();
    for h in &handling.pieces {
        let back = h.back_since();
        let in_time = back.is_some_and(|back| moved.is_none_or(|moved| back < moved));
        if in_time && !h.stood_elsewhere() {
            put_back.push(h);
        }
    }
    put_back
}

fn is_of_castling(h: &Handled) -> bool {
    matches!(h.piece.role, Role::King | Role::Rook)
}

/// When a piece came down for the first time.
fn down(h: &Handled) -> Option<Time> {
    h.contacts.first().map(|c| c.from)
}

/// How far apart two pieces were lifted, or put down, whichever was the longer.
fn apart(a: &Handled, b: &Handled) -> Option<Millis> {
    let (a_down, b_down) = (down(a)?, down(b)?);
    let lifted = a.lifted.max(b.lifted).since(a.lifted.min(b.lifted));
    Some(lifted.max(a_down.max(b_down).since(a_down.min(b_down))))
}

/// How long two pieces were in the air at the same time, the first time each was lifted.
fn together(a: &Handled, b: &Handled) -> Option<Millis> {
    let (up, down) = (a.lifted.max(b.lifted), down(a)?.min(down(b)?));
    (down > up).then(|| down.since(up))
}

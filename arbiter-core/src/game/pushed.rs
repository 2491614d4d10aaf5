//! Pieces that the moving hand pushed to the next square (7.4.1): its own, without a clock, and the
//! opponent's.

use alloc::rc::Rc;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Move, Position};

use crate::chess::moves::{arrival, origin};
use crate::game::Game;
use crate::game::change::{Change, Changes};
use crate::game::clock::Press;
use crate::game::press::CLEAN;
use crate::judge::picture::{self, Judgement};
use crate::track::cost;
use crate::track::hypothesis::Hypothesis;

impl Game {
    /// Without a clock: the board has stood still, and shows a legal move beside which a piece was
    /// pushed by the hand that made it. It is told before it is answered.
    pub(crate) fn look_for_pushed(&mut self) -> Option<Changes> {
        let busy = self.state.is_putting_back() || self.board.gap() || self.is_idle();
        if self.setup.clock || busy || self.lies_rather_otherwise() {
            return None;
        }
        let (contacts, now) = (self.board.contacts(), self.clock.now());
        let best = self.best();
        let total = best.total(contacts, now, false);
        if self.wrong(best).is_empty() && total <= CLEAN {
            // A legal move accounts for all of it.
            return None;
        }
        if let Some((line, squares)) = self.with_pushed_reply(best) {
            return Some(self.take_as_pushed(line, squares));
        }
        let dearest = total + cost::ILLEGAL;
        let mut lines: Vec<&Hypothesis> = self.track.all().iter().collect();
        let cost = |line: &Hypothesis| line.total(contacts, now, false);
        lines.sort_by_key(|line| (core::cmp::Reverse(line.steps.len()), cost(line)));
        let near = |line: &&Hypothesis| cost(line) <= dearest;
        let mut near = lines.into_iter().filter(near);
        let line = near.find(|line| self.shows_pushed_beside(line))?.clone();
        let press = Press {
            by: line.pos.turn(),
            at: now,
            due: now,
            extended: true,
        };
        let k = self.length(&line);
        self.adopt(line.clone());
        let mut changes = Changes::new();
        if k > self.record.completed() {
            changes = self.complete_without_press(&Rc::new(line), k);
        }
        changes.push(Change::Unexplained(press));
        Some(changes)
    }

    /// Without a clock: the last move of `line` is complete, and a piece of the opponent's on
    /// `squares` was pushed by the hand that made it.
    fn take_as_pushed(&mut self, line: Hypothesis, squares: Bitboard) -> Changes {
        let (k, by) = (self.length(&line), !line.pos.turn());
        self.adopt(line.clone());
        let mut changes = Changes::new();
        if k > self.record.completed() {
            self.tell_line(&line, k, k);
            changes = self.complete_without_press(&Rc::new(line), k);
        }
        let hand = by.into();
        changes.push(Change::Displaced { squares, by, hand });
        changes
    }

    /// The player has pressed for a legal move, and his hand has pushed a piece of the opponent's.
    pub(crate) fn complete_beside_pushed(&mut self, press: Press) -> Option<Changes> {
        let line = self.made(self.pressed_ply())?;
        let made = self.length(line) == self.pressed_ply();
        let (line, squares) = self.with_pushed_reply(line).filter(|_| made)?;
        let before_press = self.scan_window().end(press.at);
        if self.board.contacts().touched_since(before_press).any() {
            return None;
        }
        self.adopt(line);
        let by = press.by;
        let hand = by.into();
        let displaced = Change::Displaced { squares, by, hand };
        Some(alloc::vec![Change::Complete(press), displaced])
    }

    /// `line`, and the squares from and to which a piece of the player to move was pushed by the
    /// hand that made the last move of it: it left its square beside that move as the hand came
    /// down, stood on the next one sooner than it can have been carried there, and does not go so.
    fn with_pushed_reply(&self, line: &Hypothesis) -> Option<(Hypothesis, Bitboard)> {
        let last = line.steps.last()?;
        let (wrong, full) = (self.wrong(line), self.board.planes().occupied());
        let from = (wrong & line.pos.us() & !full).single_square()?;
        let to = (wrong & full & !line.pos.board().occupied()).single_square()?;
        let squares = Bitboard::from(from) | Bitboard::from(to);
        let beside = from.distance(to) == 1 && from.distance(arrival(last.m)) == 1;
        let (contacts, grip) = (self.board.contacts(), self.setup.options.grip());
        let (left, stood) = (contacts.since(from), contacts.since(to));
        let pushed = self.scan_window().end(left) >= last.made_at
            && left.since(last.made_at) < grip
            && stood >= left
            && stood.since(left) < grip;
        let goes_so = |m: &Move| origin(*m) == Some(from) && arrival(*m) == to;
        let shown = self
            .board
            .planes()
            .class()
            .sees(line.pos.board().piece_at(from));
        if wrong != squares
            || !beside
            || !pushed
            || self.board.planes().at(to) != shown
            || line.legal().iter().any(goes_so)
        {
            return None;
        }
        let mut line = line.clone();
        line.misread |= squares;
        line.early = Bitboard::EMPTY;
        Some((line, squares))
    }

    /// Whether the turn after `line` shows a legal move, seen from lift to place, and a piece that
    /// was pushed beside it.
    fn shows_pushed_beside(&self, line: &Hypothesis) -> bool {
        let handling = self.handling_of_open_turn(line);
        let picture = self.picture(line, &handling);
        match picture::judge(&picture) {
            Judgement::Displaced { m, squares } => {
                // What is only missing may have been exchanged for its captor unseen.
                let stands = (squares & self.board.planes().occupied()).any();
                stands && picture.is_seen(m) && picture.were_pushed(squares)
            }
            _ => false,
        }
    }
}

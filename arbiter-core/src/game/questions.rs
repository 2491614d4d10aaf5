//! What every stage asks of a game: what was played, and what the turn at hand shows.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Color, Position};

use crate::game::Game;
use crate::game::press::ELIGIBLE;
use crate::judge::handling::{self, Handling};
use crate::judge::picture::Picture;
use crate::laws::Completion;
use crate::said::input::{Event, Input};
use crate::said::time::Time;
use crate::sense::changes::SquareChange;
use crate::sense::trust::ScanWindow;
use crate::track::hypothesis::{Hypothesis, Step};

/// Questions about what was played.
impl Game {
    /// The hypothesis that explains the evidence best.
    pub(crate) fn best(&self) -> &Hypothesis {
        self.track
            .best(self.board.contacts(), self.clock.now(), false)
    }

    /// The cheapest line that explains the board, no piece being in the air any more; `None` where
    /// that would be too dear.
    pub(crate) fn as_put_down(&self) -> Option<&Hypothesis> {
        let dearest = self.total(self.best_at_press()) + ELIGIBLE;
        let explaining = self.track.all().iter().filter(|h| self.wrong(h).is_empty());
        explaining
            .filter(|line| self.total(line) <= dearest)
            .min_by_key(|line| self.total(line))
    }

    /// The same, as seen at a press.
    pub(crate) fn best_at_press(&self) -> &Hypothesis {
        self.track
            .best(self.board.contacts(), self.clock.now(), true)
    }

    /// What `line` costs at a press, the present difference included.
    pub(crate) fn total(&self, line: &Hypothesis) -> i32 {
        line.total(self.board.contacts(), self.clock.now(), true)
    }

    /// Squares that read otherwise than `line` says.
    pub(crate) fn wrong(&self, line: &Hypothesis) -> Bitboard {
        line.wrong(self.board.contacts())
    }

    /// Squares that read otherwise than `pos` says.
    pub(crate) fn differ(&self, pos: &Chess) -> Bitboard {
        self.board.planes().differ(pos.board())
    }

    /// Plies in `line`, counted from the start of the game.
    pub(crate) fn length(&self, line: &Hypothesis) -> usize {
        self.track.length(line)
    }

    /// Ply `ply` of `line`, where it is not among the committed ones.
    pub(crate) fn step_of<'a>(&self, line: &'a Hypothesis, ply: usize) -> Option<&'a Step> {
        self.track.step_of(line, ply)
    }

    /// The position of a line after `n` plies of the game, `n` not before the committed ones.
    pub(crate) fn position_in(&self, line: &Hypothesis, n: usize) -> Chess {
        let mut pos = self.record.position(self.track.base());
        for step in line.steps.iter().take(n.saturating_sub(self.track.base())) {
            pos.play_unchecked(step.m);
        }
        pos
    }

    /// The cheapest hypothesis in which the next ply is not made.
    pub(crate) fn root(&self) -> &Hypothesis {
        let mut root: Option<((usize, i32), &Hypothesis)> = None;
        for line in self.track.all() {
            if self.length(line) < self.record.completed() {
                continue;
            }
            let key = (line.steps.len(), self.total(line));
            if root.is_none_or(|(least, _)| key < least) {
                root = Some((key, line));
            }
        }
        root.map_or_else(|| self.best(), |(_, line)| line)
    }

    /// The cheapest hypothesis in which ply `k` is made.
    pub(crate) fn made(&self, k: usize) -> Option<&Hypothesis> {
        let made = self
            .track
            .all()
            .iter()
            .filter(|line| self.length(line) >= k);
        made.min_by_key(|line| self.total(line))
    }

    /// Changes closer together than this have no order. After a gap it is not known when a square
    /// changed.
    pub(crate) fn scan_window(&self) -> ScanWindow {
        if self.board.gap() {
            ScanWindow::AFTER_GAP
        } else {
            ScanWindow::of(self.setup.options.skew_ms)
        }
    }

    /// Whether a reply, or a long rest, completes a move as well as a press does: without a clock,
    /// and where letting go of the piece completes it (1974).
    pub(crate) fn completes_by_reply(&self) -> bool {
        !self.setup.clock || self.laws().completion == Completion::Release
    }

    /// The ply a press would complete, counted from 1.
    pub(crate) fn pressed_ply(&self) -> usize {
        self.record.completed() + 1
    }
}

/// Questions about the turn at hand.
impl Game {
    /// The changes of the turn that `line` leaves open, oldest first, as handled pieces.
    pub(crate) fn handling_of_open_turn(&self, line: &Hypothesis) -> Handling {
        let turn_start = self.clock.handled_from(!self.setup.clock);
        let start = line.since.max(turn_start);
        let changes = self.board.contacts().log();
        // What was done before the press and has stayed is of this turn.
        let stays = self.wrong(line);
        let mut log: Vec<SquareChange> = Vec::with_capacity(changes.len());
        for (n, c) in changes.iter().enumerate() {
            let belongs = c.at > start
                || (c.at > line.since && stays.contains(c.square))
                || is_in_the_air(changes, n, line.since, start)
                || line.early.contains(c.square);
            if belongs {
                log.push(*c);
            }
        }
        let landed = (self.length(line) > 0).then_some(line.since);
        let around = (landed, &*self.announced());
        handling::read(&line.pos, None, &log, self.setup.sensor, around)
    }

    /// The announcements that count, by whom and from when.
    pub(crate) fn announced(&self) -> Vec<(Color, Time)> {
        let grace = self.setup.options.adjust_grace_ms;
        self.clock
            .adjusting()
            .iter()
            .map(|(by, at)| (*by, *at - grace))
            .collect()
    }

    /// What a completed turn after `root` left on the board.
    pub(crate) fn picture<'a>(
        &'a self,
        root: &'a Hypothesis,
        handling: &'a Handling,
    ) -> Picture<'a> {
        Picture {
            before: &root.pos,
            legal: root.legal(),
            planes: self.board.planes(),
            handling,
            misread: root.misread,
            flickered: self.board.contacts().flickered_since(root.since),
            suspect: self.board.suspect(),
            settings: &self.setup.options,
            laws: self.laws(),
        }
    }

    /// Whether a piece may still be on its way: something was lifted that has not been put down.
    pub(crate) fn in_hand(&self) -> bool {
        let root = self.root();
        let handling = self.handling_of_open_turn(root);
        handling.in_hand(root.pos.turn()) || self.picture(root, &handling).reply_possible()
    }

    /// When the turn began whose touches count: without a clock, with the position that it is
    /// played from.
    pub(crate) fn turn_began(&self) -> Time {
        let reached = self.root().since;
        if self.setup.clock {
            reached.min(self.clock.turn_start())
        } else {
            reached
        }
    }

    /// When `by` pressed last, as far as the evidence is kept.
    pub(crate) fn last_press_by(&self, by: Color) -> Option<Time> {
        let of_his = |event: &&Event| match event.input {
            Input::Press { by: who, .. } => who == by,
            _ => false,
        };
        self.board.evidence().filter(of_his).last().map(|e| e.at)
    }

    /// A position that was never put back, a gap, or a board that has lost readings before or does
    /// not trust its own sensors leaves room for another explanation of everything. So does an
    /// offence that is only likely: it may have been a misreading, and then what follows is one
    /// too.
    pub(crate) fn is_shaky(&self) -> bool {
        (self.state.is_putting_back() && !self.stands_explained())
            || self.board.gap()
            || self.board.misreads()
            || self.board.is_suspect(self.record.completed())
            || self.docket.has_undecided_illegal_move()
    }

    /// The squares that somebody has been asked to look at, and that do not read right yet.
    pub(crate) fn in_question(&self) -> Bitboard {
        self.docket.in_question()
    }
}

/// Whether the change `n`, of a square that changed between the move and its press, left it empty:
/// what was handled then is nobody's touch, unless it is still in the air: a reply.
fn is_in_the_air(changes: &[SquareChange], n: usize, since: Time, start: Time) -> bool {
    let c = &changes[n];
    if c.at <= since || c.symbol != crate::said::symbol::Symbol::Empty {
        return false;
    }
    !changes[n + 1..]
        .iter()
        .any(|later| later.square == c.square && later.at <= start)
}

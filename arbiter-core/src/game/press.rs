//! The clock press: whether the ply counts as made, and what is made of it when it does not.
//!
//! With a press the ruling comes at once, unless a piece is still in the air or a square must be
//! read again.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Color, Position, Square};

use crate::chess::moves::{arrival, reach};
use crate::game::Game;
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::clock::Press;
use crate::judge::handling::Handling;
use crate::judge::picture::{self, Judgement, Picture};
use crate::said::irregularity::Reason;
use crate::said::ruling::DoubtKind;
use crate::said::symbol::SensorClass;
use crate::said::time::Time;
use crate::track::backtrack::Distrust;
use crate::track::cost;
use crate::track::evidence::is_crowded;
use crate::track::hypothesis::Hypothesis;
use crate::track::look::Look;

/// Up to this cost a press is answered at once.
pub(crate) const CLEAN: i32 = 250;
/// Beyond this cost no hypothesis counts as a legal move made.
pub(crate) const ELIGIBLE: i32 = 400;

impl Game {
    /// Whose press means something now.
    fn presser(&self) -> Color {
        let to_move = || self.record.position(self.record.completed()).turn();
        self.clock.running().unwrap_or_else(to_move)
    }

    /// The lever was pressed. A lever that is told twice, nothing having happened in between, was
    /// pressed once.
    pub(crate) fn pull_lever(&mut self, by: Color) -> Changes {
        if self.is_idle() || !self.setup.clock {
            return NOTHING;
        }
        let told = self.clock.press(by);
        let changed = self.board.contacts().last_change();
        if told.is_some_and(|(who, at)| who == by && changed <= at) {
            return NOTHING;
        }
        self.track.note_press(self.clock.now(), by);
        alloc::vec![Change::BeginAtPress(by)]
    }

    /// A press in a game that has begun.
    pub(crate) fn press(&mut self, by: Color) -> Changes {
        let now = self.clock.now();
        let due = now + self.setup.options.announce_ms;
        let press = Press {
            by,
            at: now,
            due,
            extended: false,
        };
        if let Some(earlier) = self.clock.waiting().last() {
            if earlier.by != by {
                self.clock.wait(press);
            }
            return NOTHING;
        }
        self.expand_standing(true);
        let mut changes = Changes::new();
        if self.played_on(by) {
            let gap = if self.state.is_putting_back() {
                self.search_gap(Some(press))
            } else {
                None
            };
            changes = gap.unwrap_or_else(|| alloc::vec![Change::LetStand]);
        }
        changes.push(Change::Answer(press));
        changes
    }

    /// What a press is answered, once it is known which ply it is for.
    pub(crate) fn answer_press(&mut self, press: Press) -> Changes {
        if press.by != self.presser() {
            return self.press_by_opponent(press.by);
        }
        alloc::vec![Change::Touched, Change::Match(press)]
    }

    /// A press by the player whose clock does not run.
    fn press_by_opponent(&mut self, by: Color) -> Changes {
        // The opponent took the move for made that nobody saw.
        let doubted = self.state.is_putting_back() || self.state.turn().empty_press.is_some();
        if doubted && let Some(changes) = self.backtrack(Distrust::Any) {
            return changes;
        }
        // Black's press before the first move starts White's clock; any other by the wrong side
        // means nothing.
        let first = self.record.completed() == 0 && self.clock.running().is_none();
        if first && self.best().steps.is_empty() {
            self.clock.run(Some(!by));
            self.clock.start_turn(self.clock.now());
        }
        NOTHING
    }

    /// Matches the board as it stands at a press.
    pub(crate) fn match_press(&mut self, press: Press) -> Changes {
        let look = Look::at(self.clock.now(), self.scan_window(), true);
        self.track.expand(self.board.contacts(), &look);
        let (completed, cost) = (self.record.completed(), cost::OTHER_TOUCHED);
        self.track
            .charge_for_other_victims(completed, self.board.contacts(), cost);
        if self.made_cleanly(press.by) {
            return alloc::vec![Change::Complete(press), Change::AskAboutSuspect];
        }
        if self.in_hand() {
            self.clock.wait(press);
            return NOTHING;
        }
        alloc::vec![Change::Judge(press)]
    }
}

/// Whether the ply of a press counts as made.
impl Game {
    /// What it costs, beyond what the position before it rests on, that the ply has been made.
    fn made_cost(&self) -> Option<i32> {
        let made = self.made(self.pressed_ply())?;
        let least = self
            .track
            .all()
            .iter()
            .map(|line| self.total(line))
            .min()
            .unwrap_or(0);
        let total = self.total(made);
        Some((total - made.cost_before).max(total - least))
    }

    /// Whether the ply has been made, at a cost for which `holds` is true.
    pub(crate) fn is_made_where(&self, holds: impl Fn(i32) -> bool) -> bool {
        self.made_cost().is_some_and(holds)
    }

    /// Whether the board shows plainly that the ply of a press by `by` has been made.
    pub(crate) fn made_cleanly(&self, by: Color) -> bool {
        by == self.presser() && self.is_made_where(|cost| cost <= CLEAN)
    }

    /// Whether the ply of a press by `by` counts as made.
    pub(crate) fn is_made(&self, by: Color) -> bool {
        by == self.presser() && self.is_made_where(|cost| cost <= ELIGIBLE)
    }

    /// Whether the move that a waiting press is taken to complete was read only after the opponent
    /// had taken up a piece that may be the one that was put there: what was moved may be read yet.
    pub(crate) fn is_perhaps_reply(&self, press: &Press) -> bool {
        let k = self.pressed_ply();
        let Some(line) = self.made(k) else {
            return false;
        };
        let Some(step) = self.step_of(line, k) else {
            return false;
        };
        for answer in self.track.all() {
            let answered = self.length(answer) > k && self.wrong(answer).is_empty();
            if answered && self.total(answer) - answer.cost_before <= CLEAN {
                return false;
            }
        }
        let read_later = step.made_at > press.at;
        read_later && self.may_be_theirs(arrival(step.m), step.made_at, self.wrong(line))
    }

    /// Whether what came to `to` at `filled` may be a piece of the player not on move, one from
    /// `taken_up`: no board that tells colours apart asks.
    fn may_be_theirs(&self, to: Square, filled: Time, taken_up: Bitboard) -> bool {
        if self.setup.sensor != SensorClass::Occupancy {
            return false;
        }
        let root = self.root();
        let lifted = self.board.contacts().lifted_at(filled, root.since);
        let board = root.pos.board();
        for from in taken_up & lifted & root.pos.them() {
            if board
                .piece_at(from)
                .is_some_and(|p| reach(board, from, p).contains(to))
            {
                return true;
            }
        }
        false
    }
}

/// Presses that wait.
impl Game {
    /// The waiting press is due. A piece that was lifted and stands nowhere may be unread: that is
    /// asked first.
    pub(crate) fn judge_waiting(&mut self, last_chance: bool) -> Changes {
        let Some(press) = self.clock.first_waiting() else {
            return NOTHING;
        };
        if self.is_idle() {
            self.clock.stop_waiting();
            return NOTHING;
        }
        if !last_chance && !press.extended {
            if self.is_perhaps_reply(&press) {
                self.wait_for_reading(&press, Vec::new());
                return NOTHING;
            }
            if let Some(held) = self.held_or_unread(&press) {
                self.wait_for_reading(&press, held);
                return NOTHING;
            }
        }
        self.clock.next_waiting(self.setup.options.announce_ms);
        alloc::vec![Change::Judge(press)]
    }

    /// Where nothing explains the press and what is missing may come yet: the presser's pieces that
    /// were lifted and stand nowhere.
    fn held_or_unread(&self, press: &Press) -> Option<Vec<Square>> {
        if self.is_made_where(|cost| cost < cost::MOVED_ON) {
            return None;
        }
        let root = self.root();
        let handling = self.handling_of_open_turn(root);
        let picture = self.picture(root, &handling);
        let held = handling.held(press.by);
        let awaited = !held.is_empty() || picture.reply_possible();
        (awaited && self.is_undecided(press, root, &handling, &picture)).then_some(held)
    }

    /// Whether the picture would become another one by a reading that is still to come.
    fn is_undecided(
        &self,
        press: &Press,
        root: &Hypothesis,
        handling: &Handling,
        picture: &Picture<'_>,
    ) -> bool {
        let (m, _) = match picture::judge(picture) {
            Judgement::Illegal { reason, .. } => return reason != Reason::PromotionBadPiece,
            Judgement::Displaced { m, squares } => (m, squares),
            _ => return false,
        };
        let contacts = self.board.contacts();
        // Its victim's square emptied for a moment: it was exchanged for its captor.
        if contacts.flickered_since(root.since).contains(arrival(m)) {
            return false;
        }
        let filled = contacts.since(arrival(m));
        let in_the_air = !self.board.planes().occupied();
        if filled > press.at && self.may_be_theirs(arrival(m), filled, in_the_air) {
            return true;
        }
        // A knocked piece is never the first one lifted; that one is on its way, or unread.
        let first = handling.pieces.iter().find(|h| h.piece.color == press.by);
        first.is_some_and(|h| handling.held(press.by).contains(&h.home))
    }

    /// Gives the press that waits the time in which squares are read again.
    fn wait_for_reading(&mut self, press: &Press, held: Vec<Square>) {
        self.clock.extend(press.at + self.setup.options.reread_ms);
        if !held.is_empty() {
            let ply = self.pressed_ply() as u32;
            self.raise_doubt(ply, DoubtKind::CheckSquare, held, Vec::new());
        }
    }
}

/// What a press completed.
impl Game {
    /// Decides what a press completed.
    pub(crate) fn judge_press(&mut self, press: Press) -> Changes {
        let untouched = !self.is_made_where(|cost| cost < cost::UNTOUCHED);
        let knocked = untouched && self.is_rather_knocked();
        // One piece too many, and nobody has lifted it: what was made of the plies before may be
        // wrong.
        let dear = self.is_made_where(|cost| cost >= cost::LOST);
        let crowded = dear && is_crowded(&self.best().pos, self.board.planes());
        if crowded && let Some(changes) = self.backtrack(Distrust::Any) {
            return changes;
        }
        if !knocked && self.is_made_where(|cost| cost <= ELIGIBLE) {
            return alloc::vec![Change::Complete(press), Change::AskAboutMisread];
        }
        // After plies that were not seen one by one there may be no hypothesis without this one: it
        // is made.
        if self.length(self.root()) > self.record.completed() {
            return alloc::vec![Change::Complete(press)];
        }
        if let Some(changes) = self.explain_otherwise(press, knocked) {
            return changes;
        }
        let root = self.root();
        match self.moved_meanwhile(root) {
            Some((m, reply)) => self.find_moved_meanwhile(m, reply, press),
            None => alloc::vec![Change::Unexplained(press)],
        }
    }

    /// Looks for another explanation before anybody is blamed: readings that came late, then plies
    /// that nobody saw.
    fn explain_otherwise(&mut self, press: Press, knocked: bool) -> Option<Changes> {
        if !knocked {
            let changes = self.backtrack(self.distrust());
            if changes.is_some() {
                return changes;
            }
        }
        let unseen = self.state.is_putting_back() || self.board.gap();
        if unseen {
            self.search_gap(Some(press))
        } else {
            None
        }
    }

    /// How far earlier presses are doubted: not where the turn shows no move at all, and with
    /// reason only where it shows an illegal move, seen from lift to place, and nothing else.
    fn distrust(&self) -> Distrust {
        let root = self.root();
        let handling = self.handling_of_open_turn(root);
        match picture::judge(&self.picture(root, &handling)) {
            Judgement::NoMove { .. } if self.wrong(root).is_empty() => Distrust::None,
            Judgement::Illegal {
                reason, squares, ..
            } if !squares.is_empty() && self.is_wholly_seen(root, &handling, reason) => {
                Distrust::Known
            }
            _ => Distrust::Any,
        }
    }

    /// Whether nothing of an illegal move's picture can be a reading that is missing.
    pub(crate) fn is_wholly_seen(
        &self,
        root: &Hypothesis,
        handling: &Handling,
        reason: Reason,
    ) -> bool {
        if !self.setup.clock || self.setup.polled {
            return false;
        }
        let missing =
            handling.in_hand(root.pos.turn()) || is_crowded(&root.pos, self.board.planes());
        if missing && reason != Reason::PromotionBadPiece {
            return false;
        }
        // What was asked about is weighed with the finding.
        let asked = (root.misread & !self.in_question()).is_empty();
        asked && !self.picture(root, handling).reply_possible()
    }

    /// Whether the open turn shows a legal move, seen from lift to place, and pieces knocked over
    /// beside it.
    fn is_rather_knocked(&self) -> bool {
        let root = self.root();
        let handling = self.handling_of_open_turn(root);
        let picture = self.picture(root, &handling);
        match picture::judge(&picture) {
            Judgement::Displaced { m, .. } => picture.is_seen(m),
            _ => false,
        }
    }
}

//! The clock press: whether the ply counts as made, and what is made of it when it does not.
//!
//! With a press the ruling comes at once, unless a piece is still in the air or a square must be
//! read again.

use alloc::rc::Rc;

use shakmaty::{Bitboard, Color, Move, Position, Square};

use crate::chess::moves::{arrival, reach, squares_of, victim_square};
use crate::game::Game;
use crate::game::change::{Change, Changes, Line, NOTHING};
use crate::game::clock::Press;
use crate::judge::handling::Handling;
use crate::judge::picture::{self, Judgement, Picture};
use crate::said::irregularity::Reason;
use crate::said::symbol::SensorClass;
use crate::said::time::Time;
use crate::track::backtrack::Distrust;
use crate::track::cost;
use crate::track::evidence::is_crowded;
use crate::track::gap::LastPly;
use crate::track::hypothesis::Hypothesis;
use crate::track::look::Look;

/// Up to this cost a press is answered at once.
pub(crate) const CLEAN: i32 = 250;
/// Beyond this cost no hypothesis counts as a legal move made.
pub(crate) const ELIGIBLE: i32 = 400;

impl Game {
    /// Whose press means something now.
    pub(crate) fn presser(&self) -> Color {
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
        if self.may_hide_plies() {
            if self.board.hides_plies() {
                return self.press_after_gap(press);
            }
            if let Some(changes) = self.search_gap_at_press(press) {
                return changes;
            }
            if self.stays_away_since_gap() {
                self.board.note_hidden_plies();
                return self.press_after_gap(press);
            }
        }
        if !self.track.irregular().is_empty() {
            let look = Look::at(now, self.scan_window(), true);
            self.track.expand(self.board.contacts(), &look);
        }
        if let Some(changes) = self.go_on_from_displaced(Some(by)) {
            return changes;
        }
        if self.gives_ply_back(by) {
            self.take_plies_back();
            return NOTHING;
        }
        let mut changes = Changes::new();
        if let Some(line) = self.played_on(by) {
            if let Some(found) = self.answered_illegally(&line) {
                return alloc::vec![found];
            }
            if self.gives_clock_back(&line, by) {
                return NOTHING;
            }
            changes = self.play_on(&line);
        } else if let Some(earlier) = self.clock.waiting().last() {
            if earlier.by != by {
                self.clock.wait(press);
            }
            return NOTHING;
        }
        changes.push(Change::Answer(press));
        changes
    }

    /// What a press is answered, once it is known which ply it is for.
    pub(crate) fn answer_press(&mut self, press: Press) -> Changes {
        if press.by != self.presser() {
            return match self.played_on(press.by) {
                // Two illegal moves running, and now a move that goes on from both.
                Some(line) if line.answers() > 0 => {
                    let mut changes = self.play_on(&line);
                    changes.push(Change::Answer(press));
                    changes
                }
                _ => self.press_by_opponent(press.by),
            };
        }
        alloc::vec![Change::Touched, Change::Match(press)]
    }

    /// Whether what stands wrongly was put there before the opponent's press, or what is missing of
    /// his was gone by then: what he moved may not have been read yet.
    fn began_early(&self) -> bool {
        let root = self.root();
        let wrong = self.wrong(root) & (self.board.planes().occupied() | root.pos.them());
        self.wrong_before(root, wrong).any()
    }

    /// Those of the `wrong` squares that were so before the opponent pressed.
    fn wrong_before(&self, root: &Hypothesis, wrong: Bitboard) -> Bitboard {
        let (contacts, start) = (self.board.contacts(), self.clock.turn_start());
        let mut before = Bitboard::EMPTY;
        for sq in wrong {
            let since = contacts.since(sq);
            before.set(sq, since > root.since && since <= start);
        }
        before
    }

    /// A press by the player whose clock does not run.
    fn press_by_opponent(&mut self, by: Color) -> Changes {
        // The opponent took the move for made that nobody saw.
        let doubted = self.state.is_putting_back() || self.state.turn().empty_press.is_some();
        if doubted
            && !self.stands_explained()
            && let Some(changes) = self.backtrack(Distrust::Any)
        {
            return changes;
        }
        // Black's press before the first move starts White's clock; any other by the wrong side
        // means nothing.
        let first = self.record.completed() == 0 && self.clock.running().is_none();
        if first && self.best().steps.is_empty() {
            self.find_begun_out_of_turn();
            self.clock.run(Some(!by));
            self.clock.start_turn(self.clock.now());
        }
        self.forget_what_he_put_straight();
        if let Some(line) = self.after_missed_press(by) {
            // Nothing that is heard again reaches back over the press that is missing.
            self.track.forget_checkpoints();
            return self.complete_unpressed_before(line, by);
        }
        match first && self.best().steps.len() == 2 && self.wrong(self.best()).is_empty() {
            true => self.complete_unpressed_before(self.best().clone(), by),
            false => NOTHING,
        }
    }

    /// The line in which the player to move has made his move and pressed, and `by`, who presses
    /// now, has answered it. That the first press was not heard may be where the board has told
    /// all its squares since that turn began, as one does that comes back. The answer may have been
    /// answered, or a piece be in the air for that. As at any press, it counts up to `ELIGIBLE`.
    fn after_missed_press(&self, by: Color) -> Option<Hypothesis> {
        let came_back = self.board.was_pictured_since(self.clock.turn_start());
        if !came_back || self.state.is_putting_back() {
            return None;
        }
        let answered = self.record.completed() + 2;
        let in_hand = |line: &Hypothesis| match line.pos.turn() == by {
            true => Bitboard::EMPTY,
            false => line.pos.us() & !self.board.planes().occupied(),
        };
        let explains = |line: &&Hypothesis| {
            let made = (answered..=answered + 1).contains(&self.length(line));
            made && self.wrong(line).is_subset(in_hand(line))
        };
        let lines = self.track.all().iter().filter(explains);
        let line = lines.min_by_key(|line| self.total(line))?;
        (self.total(line) <= self.total(self.best_at_press()) + ELIGIBLE).then(|| line.clone())
    }

    /// Who presses once more in the opponent's turn had his hand on the board: where only men of
    /// his were touched since his move, and all stand on their squares, he has put them straight,
    /// and his opponent has touched none of them.
    fn forget_what_he_put_straight(&mut self) {
        let root = self.root();
        let touched = root.touched(self.board.contacts());
        let his = touched.any() && touched.is_subset(root.pos.them());
        if his && self.record.completed() > 0 && self.wrong(root).is_empty() {
            self.board.forget_before(self.clock.now());
        }
    }

    /// A press comes when both have moved, as the first of the game may, or the one before it was
    /// not heard: the first move is complete, and the press is for the answer.
    fn complete_unpressed_before(&mut self, line: Hypothesis, by: Color) -> Changes {
        let line = Rc::new(line);
        let mut changes = self.complete_without_press(&line, self.record.completed() + 1);
        changes.push(Change::Press(by));
        changes
    }

    /// Matches the board as it stands at a press.
    pub(crate) fn match_press(&mut self, press: Press) -> Changes {
        let look = Look::at(self.clock.now(), self.scan_window(), true);
        self.track.expand(self.board.contacts(), &look);
        let completed = self.record.completed();
        self.track
            .charge_for_other_victims(completed, self.board.contacts());
        // Nobody puts down what he takes up later. (Who sets up pieces does so with those of both.)
        let (contacts, window) = (self.board.contacts(), self.scan_window());
        self.track
            .charge(|line| line.placed_too_early(contacts, window) * cost::LOST);
        self.set_strange_aside(true);
        if self.made_cleanly(press.by) {
            if let Some(changes) = self.complete_beside_pushed(press) {
                return changes;
            }
            return alloc::vec![Change::Complete(press), Change::AskAboutSuspect];
        }
        // What stands now may be an illegal move: what is played meanwhile is followed from there.
        self.suspect_acts();
        if self.in_hand() || self.began_early() {
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
        let may_wait = !last_chance && !press.extended;
        if may_wait && (self.is_perhaps_reply(&press) || self.awaits_reading(&press)) {
            let reread = press.at + self.setup.options.reread_ms;
            self.clock.extend(reread);
            return NOTHING;
        }
        self.clock.next_waiting(self.setup.options.announce_ms);
        alloc::vec![Change::Judge(press)]
    }

    /// Whether nothing explains the press, and what is missing may come yet: the presser's pieces
    /// that were lifted and stand nowhere. Until then nobody need be asked.
    fn awaits_reading(&self, press: &Press) -> bool {
        let most = match self.is_followed() {
            true => ELIGIBLE,
            false => cost::MOVED_ON - 1,
        };
        if self.is_made_where(|cost| cost <= most) {
            return false;
        }
        let root = self.root();
        let handling = self.handling_of_open_turn(root);
        let picture = self.picture(root, &handling);
        let held = picture.pawn_gone().is_some() || !handling.held(press.by).is_empty();
        let awaited = held || picture.reply_possible();
        awaited && self.is_undecided(press, root, &handling, &picture)
    }

    /// Whether the move for which the first press waits has been followed by one for each other
    /// press that waits.
    fn is_followed(&self) -> bool {
        let (k, others) = (
            self.pressed_ply(),
            self.clock.waiting().len().saturating_sub(1),
        );
        let made = self.made(k);
        others > 0 && made.is_some_and(|line| self.length(line) >= k + others)
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
            Judgement::PawnGone { .. } => return true,
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
}

/// What a press completed.
impl Game {
    /// Decides what a press completed.
    pub(crate) fn judge_press(&mut self, press: Press) -> Changes {
        if self.board.hides_plies() && self.may_hide_plies() {
            return self.press_after_gap(press);
        }
        if let Some(changes) = self.go_on_from_displaced(Some(press.by)) {
            return changes;
        }
        let untouched = !self.is_made_where(|cost| cost < cost::UNTOUCHED);
        let knocked = untouched && self.is_rather_knocked();
        // One piece too many, and nobody has lifted it: what was made of the plies before may be
        // wrong.
        let dear = self.is_made_where(|cost| cost >= cost::LOST);
        let crowded = dear && is_crowded(&self.best().pos, self.board.planes());
        if crowded && let Some(changes) = self.backtrack(Distrust::Any) {
            return changes;
        }
        if self.is_pawn_gone() {
            return alloc::vec![Change::Unexplained(press)];
        }
        if !knocked && self.is_made_where(|cost| cost <= ELIGIBLE) {
            if let Some(changes) = self.weigh_first_loss(press) {
                return changes;
            }
            return alloc::vec![Change::Complete(press), Change::AskAboutMisread];
        }
        // After plies that were not seen one by one there may be no hypothesis without this one: it
        // is made.
        if self.length(self.root()) > self.record.completed() {
            return alloc::vec![Change::Complete(press)];
        }
        if let Some(changes) = self.take_replaced(press) {
            return changes;
        }
        // Where a clock stands by and nobody has pressed it, no press was misunderstood.
        let unpressed = press.is_inferred() && self.setup.clock;
        if !unpressed && let Some(changes) = self.explain_otherwise(press, knocked) {
            return changes;
        }
        if let Some(changes) = self.go_on_from_standing(press) {
            return changes;
        }
        let ahead = self.complete_beside_made_ahead(press);
        ahead.unwrap_or_else(|| alloc::vec![Change::Unexplained(press)])
    }

    /// The move rests on a reading that was lost, on a board that has lost none, and an illegal one
    /// was seen: what is read again decides between them.
    fn weigh_first_loss(&mut self, press: Press) -> Option<Changes> {
        let root: Line = Rc::new(self.root().clone());
        if press.by != root.pos.turn() {
            return None;
        }
        let handling = self.handling_of_open_turn(&root);
        let illegal = self.rather_illegal(&root, &handling)?;
        if let Some(later) = self.may_be_read_again(press) {
            self.clock.wait(later);
            return Some(NOTHING);
        }
        Some(self.rule_on_illegal(&root, &handling, illegal, press))
    }

    /// Looks for another explanation before anybody is blamed: readings that came late, then plies
    /// that nobody saw.
    fn explain_otherwise(&mut self, press: Press, knocked: bool) -> Option<Changes> {
        if !knocked {
            let distrust = self.distrust();
            // The opponent took the move for made: it need not have been read.
            let changes = match self.is_answered(&press) || self.is_answered_unread() {
                true => self.backtrack_before_accusing(distrust),
                false => self.backtrack(distrust),
            };
            if changes.is_some() {
                return changes;
            }
        }
        let unseen = self.state.is_putting_back() && !self.stands_explained();
        match unseen || self.board.gap() {
            true => self.search_gap(Some(press), LastPly::default()),
            false => None,
        }
    }

    /// Whether the opponent has pressed after `press`, or has taken up a piece since.
    fn is_answered(&self, press: &Press) -> bool {
        let touched = self.board.contacts().touched_since(press.at);
        !self.clock.waiting().is_empty() || (touched & self.root().pos.them()).any()
    }

    /// Whether the piece that made the last complete ply was gone from its square before its player
    /// pressed: it may stand where nothing is read, and who pressed now has answered that.
    fn is_answered_unread(&self) -> bool {
        let last = self.record.ply(self.record.completed());
        last.and_then(|ply| ply.m).map(arrival).is_some_and(|sq| {
            let left = self.board.contacts().since(sq) <= self.clock.turn_start();
            left && !self.board.planes().occupied().contains(sq)
        })
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
        if self.may_be_put_back(root, handling) {
            return false;
        }
        // One reading that is missing may be in the next picture.
        if self.board.tells_pictures() && self.is_one_reading_short(root) {
            return false;
        }
        // What was asked about is weighed with the finding.
        let asked = (root.misread & !self.in_question()).is_empty();
        let picture = self.picture(root, handling);
        asked && !picture.reply_possible() && !picture.shows_pushed()
    }

    /// Whether what took a piece's place may be that piece, put back, while its captor took another
    /// one that no square showed to leave, or that has been taken up to capture it there.
    fn may_be_put_back(&self, root: &Hypothesis, handling: &Handling) -> bool {
        let (them, full) = (root.pos.them(), self.board.planes().occupied());
        let mut took = handling.pieces.iter().filter(|h| {
            let stands = h.stands().is_some_and(|c| them.contains(c.square));
            stands && h.piece.color == root.pos.turn()
        });
        let unshown = |m: &Move| {
            victim_square(*m).is_some_and(|sq| !full.contains(sq) || handling.of(sq).is_none())
        };
        self.setup.sensor == SensorClass::Occupancy
            && took.any(|h| {
                let mut legal = root.legal().iter();
                legal.any(|m| m.from() == Some(h.home) && unshown(m))
            })
    }

    /// Whether a pawn was taken off the last rank in the open turn, and nothing is read there.
    fn is_pawn_gone(&self) -> bool {
        let root = self.root();
        let promotes = root.legal().iter().any(|m| m.is_promotion());
        let made = self.length(root) > self.record.completed();
        if !promotes || made {
            return false;
        }
        let handling = self.handling_of_open_turn(root);
        self.picture(root, &handling).pawn_gone().is_some()
    }

    /// Whether one reading more or less would make a legal move of what stands.
    fn is_one_reading_short(&self, root: &Hypothesis) -> bool {
        root.legal().iter().any(|m| {
            let mut after = root.pos.clone();
            after.play_unchecked(*m);
            let wrong = self.differ(&after) & !root.misread;
            wrong
                .single_square()
                .is_some_and(|sq| squares_of(*m).contains(sq))
        })
    }

    /// Whether the open turn shows a legal move, seen from lift to place, and pieces knocked over
    /// beside it. What stood so before the turn began was not, nor what only a picture has shown:
    /// when that came to be is not known.
    fn is_rather_knocked(&self) -> bool {
        let root = self.root();
        let handling = self.handling_of_open_turn(root);
        let picture = self.picture(root, &handling);
        let (contacts, start) = (self.board.contacts(), self.clock.turn_start());
        let is_new = |sq| contacts.since(sq) > start && !self.board.is_found(sq);
        match picture::judge(&picture) {
            Judgement::Displaced { m, squares } => {
                let seen = picture.is_seen(m) && is_new(arrival(m));
                seen && (squares & root.pos.them()).into_iter().all(is_new)
            }
            _ => false,
        }
    }
}

//! What silence means: a touch that was meant, a made move at rest, a piece let go, a turn
//! without a clock.

use alloc::rc::Rc;

use shakmaty::{Bitboard, Color, Position};

use crate::chess::moves::legs;
use crate::game::Game;
use crate::game::board::Silence;
use crate::game::change::{Change, Changes, Line, NOTHING};
use crate::game::clock::Press;
use crate::game::press::ELIGIBLE;
use crate::said::symbol::SensorClass;
use crate::said::time::{Millis, Time};
use crate::track::backtrack::{Distrust, OPEN};
use crate::track::cost;
use crate::track::gap::LastPly;
use crate::track::hypothesis::Hypothesis;

impl Game {
    /// The next moment at which silence means something.
    pub(crate) fn next_wake(&self) -> Option<Time> {
        let other = self.other.as_ref().and_then(|other| other.next_own_wake());
        [self.next_own_wake(), other].into_iter().flatten().min()
    }

    /// The same, its other account aside.
    pub(crate) fn next_own_wake(&self) -> Option<Time> {
        let press = self.clock.first_waiting().map(|p| p.due);
        let listens = !self.is_idle() || self.awaits_next();
        let silence = self.board.next_silence().filter(|_| listens);
        let silence = silence.map(|n| self.board.contacts().last_change() + self.silence_ms(n));
        // A game may end after the silence that the next one is looked for in.
        let silence = silence.map(|at| match self.awaits_next() {
            true => at.max(self.clock.now()),
            false => at,
        });
        let (conduct, unread) = (self.conduct_due(), self.unread_due());
        [self.board.open_scan(), press, silence, conduct, unread]
            .into_iter()
            .flatten()
            .min()
    }

    /// When pieces that were nowhere at a press will have been read.
    fn unread_due(&self) -> Option<Time> {
        let unread = self.board.unread().filter(|_| !self.is_idle());
        unread.map(|unread| unread.due)
    }

    fn silence_ms(&self, silence: Silence) -> Millis {
        let windows = &self.setup.options;
        match silence {
            Silence::Touch => windows.brush_ms,
            Silence::Rest => windows.announce_ms,
            Silence::LongRest => windows.end_of_game_ms,
            Silence::ClocklessRest => windows.clockless_rest_ms,
        }
    }

    /// The moment has come that [`Game::next_wake`] named.
    pub(crate) fn wake(&mut self) -> Changes {
        let now = self.clock.now();
        if self.board.open_scan().is_some_and(|at| at <= now) {
            return self.apply_scan();
        }
        if self.clock.first_waiting().is_some_and(|p| p.due <= now) {
            return alloc::vec![Change::PressIsDue { last_chance: false }];
        }
        if self.unread_due().is_some_and(|due| due <= now) {
            return self.judge_unread();
        }
        if self.conduct_due().is_some_and(|due| due <= now) {
            self.judge_conduct();
            return NOTHING;
        }
        let silence = self.board.take_silence();
        if self.awaits_next() {
            self.look_for_next();
            return NOTHING;
        }
        match silence {
            Some(Silence::Touch) => alloc::vec![Change::Touched],
            Some(Silence::Rest) => alloc::vec![Change::LookAtStart, Change::Rested],
            Some(Silence::LongRest) => self.on_long_rest(),
            Some(Silence::ClocklessRest) => self.on_clockless_rest(),
            None => NOTHING,
        }
    }

    /// The board has stood still for the announce window.
    pub(crate) fn on_rest(&mut self) -> Changes {
        if self.is_set_up_again() {
            return self.ask_whether_ended();
        }
        if let Some(changes) = self.look_for_put_right() {
            return changes;
        }
        if let Some(changes) = self.find_exchanged_and_answered() {
            return changes;
        }
        if !self.clock.waiting().is_empty() || self.asks_how_board_lies() {
            return NOTHING;
        }
        self.begin_beside_faults();
        if self.may_hide_plies() {
            return self.rest_after_gap();
        }
        self.set_strange_aside(false);
        if self.take_retracted() {
            return NOTHING;
        }
        self.track.rest(self.board.contacts(), self.setup.clock);
        let best = self.best();
        if !self.wrong(best).is_empty() {
            return self.rest_unexplained();
        }
        if self.is_half_restored() {
            return NOTHING;
        }
        let accuses = self.total(best) - best.cost_before >= cost::ILLEGAL;
        if accuses && let Some(changes) = self.take_back() {
            return changes;
        }
        if let Some(changes) = self.backtrack_from_misreading() {
            return changes;
        }
        if !self.state.is_lost()
            && let Some(changes) = self.settle_unpressed()
        {
            return changes;
        }
        self.board.set_gap(false);
        let best = self.best();
        let unseen = self.total(best) - best.cost_before >= cost::UNTOUCHED;
        let silent = self.setup.sensor == SensorClass::Occupancy && self.completes_by_reply();
        if silent && unseen {
            // A capture that nobody saw, or an illegal one that was seen: the reply tells.
            self.suspect_acts();
        }
        let mut changes = Changes::new();
        if !self.best().steps.is_empty() {
            changes.push(Change::Begin);
        }
        // A restored position begins afresh: what is best is asked after it.
        changes.extend([Change::LateReading, Change::PutBack, Change::Explained]);
        changes
    }

    /// Whether what stands looks like moves only because not all is put back yet that was ordered:
    /// nothing has come since to where their pieces would have gone.
    fn is_half_restored(&self) -> bool {
        let (best, root) = (self.best(), self.root());
        let steps = best.steps.get(root.steps.len()..).unwrap_or_default();
        let ordered = self.state.ordered().is_some() && !self.state.is_putting_right();
        let since = |sq| self.board.contacts().since(sq) > root.since;
        let mut legs = steps.iter().flat_map(|step| legs(step.m));
        ordered && !steps.is_empty() && !legs.any(|(_, to)| since(to))
    }

    /// No hypothesis explains the board at rest: plies were missed, or readings, or an illegal move
    /// stands.
    fn rest_unexplained(&mut self) -> Changes {
        if self.board.gap() && self.record.len() == 0 {
            return self.rest_before_first_ply();
        }
        if self.board.gap() {
            return self.search_gap(None, LastPly::default()).unwrap_or(NOTHING);
        }
        if let Some(changes) = self.take_back() {
            return changes;
        }
        let replayed = if self.may_be_misread() {
            self.backtrack(Distrust::Known)
        } else {
            None
        };
        let found = replayed
            .or_else(|| self.search_found())
            .or_else(|| self.look_for_away());
        found.unwrap_or_else(|| alloc::vec![Change::RestsIllegally])
    }

    /// A position was ordered on what a picture has now shown to be a lost reading: looks for the
    /// plies that were played meanwhile.
    fn search_found(&self) -> Option<Changes> {
        let ordered = self.state.is_putting_back() && !self.stands_explained();
        match ordered && self.board.ends_with_picture() {
            true => self.search_gap(None, LastPly::default()),
            false => None,
        }
    }

    /// The best hypothesis explains the board at rest: it is told.
    pub(crate) fn on_explained_rest(&mut self) -> Changes {
        let best: Line = Rc::new(self.best().clone());
        let made = self.length(&best);
        let completed = self.record.completed();
        let sign = self.is_centre_king_step(&best);
        let shown = if sign {
            made.saturating_sub(1).max(completed)
        } else {
            made
        };
        self.find_put_back_from_home();
        self.tell_line(&best, shown, completed);
        self.excuse_unanswered();
        if self.state.is_lost() || self.stands_as_required(&best) {
            // What stands is known, and how it came about: nothing is put back any more.
            self.end_putting_back();
        }
        self.checkpoint_at_rest();
        let mut changes = Changes::new();
        if self.completes_by_reply() && made > completed + 1 {
            changes.extend(self.complete_without_press(&best, made - 1));
        }
        changes.push(Change::SettleDoubts);
        changes
    }

    /// Whether the last ply of `line` is one of the moves that the player was bound to.
    fn stands_as_required(&self, line: &Hypothesis) -> bool {
        let bound = self.state.turn().bound.as_ref();
        bound.is_some_and(|bound| {
            let step = self.step_of(line, bound.ply);
            let is_last = self.length(line) == bound.ply;
            is_last && step.is_some_and(|step| bound.moves.contains(&step.m))
        })
    }

    /// Without a clock: remembers the position that the board shows at rest.
    fn checkpoint_at_rest(&mut self) {
        if self.setup.clock || self.state.is_putting_back() || self.board.gap() {
            return;
        }
        let best = self.best().clone();
        let read = (best.misread & !self.board.suspect()).is_empty();
        let stands = !self.track.irregular().is_empty();
        if read && !stands && self.length(&best) == self.record.len() {
            self.track.checkpoint_at_rest(&best, self.board.contacts());
        }
    }

    /// Whether a board at rest that no hypothesis explains asks for the evidence to be replayed.
    /// With a clock the press asks for it, until a position was ordered to be put back; a piece
    /// that has been taken up for that is no misreading.
    fn may_be_misread(&self) -> bool {
        if !self.setup.clock {
            let best = self.best();
            let wrong = self.wrong(best) & self.board.planes().occupied();
            let total = best.total(self.board.contacts(), self.clock.now(), false);
            if wrong.any() && total > OPEN {
                return true;
            }
        }
        self.state.is_putting_back()
            && !self.is_putting_right()
            && !self.is_in_hand_only()
            && !self.stands_explained()
    }

    /// The board has stood still for so long that what was to be read has been read. With a clock
    /// the press asks for it, unless a picture contradicts what was pressed for.
    fn replay_at_rest(&mut self) -> Option<Changes> {
        let gone = self.found_gone();
        let asked = (!self.setup.clock || gone.any()) && !self.state.is_putting_back();
        if !asked || self.wrong(self.best()).is_empty() {
            return None;
        }
        self.track.haste();
        if gone.is_empty() {
            return self.backtrack(Distrust::Known);
        }
        let mut changes = self.backtrack(Distrust::Any)?;
        changes.push(Change::CheckSquares(gone));
        Some(changes)
    }

    /// With a clock: squares on which the player who moved has a piece no more, as the last picture
    /// showed. Nobody was seen to take it up.
    pub(crate) fn found_gone(&self) -> Bitboard {
        let mut gone = Bitboard::EMPTY;
        if self.setup.clock && !self.setup.polled {
            let best = self.best();
            for sq in self.wrong(best) & best.pos.them() & !self.board.planes().occupied() {
                gone.set(sq, self.board.is_found(sq));
            }
        }
        gone
    }

    /// No piece stays in the air for so long, if it can have come down where another was exchanged
    /// for it unseen.
    pub(crate) fn put_down(&mut self) {
        if self.setup.clock {
            return;
        }
        let contacts = self.board.contacts();
        let least = self.best().total(contacts, self.clock.now(), false);
        self.track
            .retain(|line| line.wrong(contacts).is_empty() && line.cost <= least + ELIGIBLE);
    }

    /// The board has stood still long enough for a piece to have been let go.
    fn on_long_rest(&mut self) -> Changes {
        if self.is_idle() || self.board.hides_plies() {
            return NOTHING;
        }
        if self.is_set_up_again() {
            return self.ask_whether_ended();
        }
        self.note_displaced_anew();
        if let Some(changes) = self.look_for_sign() {
            return changes;
        }
        if self.take_back_several() {
            return NOTHING;
        }
        if let Some(changes) = self.look_for_pushed() {
            return changes;
        }
        if let Some(changes) = self.search_missed() {
            return changes;
        }
        let replayed = self.replay_at_rest();
        let explained = replayed.or_else(|| self.weigh_start_at_rest());
        let mut changes = explained.unwrap_or_default();
        // Readings that were missing have had the time to come.
        if !self.setup.clock {
            changes.push(Change::SettleDoubts);
        }
        changes.extend([Change::LookForDisplaced, Change::EndAtRest]);
        changes
    }

    /// A made move that stands for long enough was let go: if it ends the game, the game has ended.
    pub(crate) fn end_at_rest(&mut self) -> Changes {
        let best = self.best();
        let k = self.record.len();
        let untold = self.length(best) > k && self.board.was_silent(Silence::LongRest);
        if untold && self.is_centre_king(best) && self.wrong(best).is_empty() {
            // The other king would have followed by now: it was a move.
            return alloc::vec![Change::Explained, Change::EndAtRest];
        }
        let rests = self.board.was_silent(Silence::LongRest)
            && self.wrong(best).is_empty()
            && k == self.length(best);
        if !rests || k <= self.record.completed() || !self.ends_game(k) {
            return NOTHING;
        }
        let line = Rc::new(best.clone());
        alloc::vec![
            Change::Commit { line, k },
            Change::CheckEnd { k, released: true }
        ]
    }

    /// No press has come for long, and a piece seems to be in the air: it has rather come down
    /// where another was exchanged for it unseen.
    fn take_as_put_down(&mut self) -> Changes {
        let explained = self.wrong(self.best()).is_empty();
        let Some(line) = self.as_put_down().filter(|_| !explained).cloned() else {
            return match explained && self.is_centre_king(self.best()) {
                true => alloc::vec![Change::Explained],
                false => NOTHING,
            };
        };
        let contacts = self.board.contacts();
        let dearer = self.total(&line);
        self.track
            .charge(|other| match other.wrong(contacts).is_empty() {
                true => 0,
                false => dearer,
            });
        alloc::vec![Change::Explained, Change::EndAtRest]
    }

    /// Without a clock, a long rest completes what stands, legal or not.
    fn on_clockless_rest(&mut self) -> Changes {
        if self.is_idle() {
            return NOTHING;
        }
        if self.board.hides_plies() {
            return self.long_rest_after_gap();
        }
        if self.stands_straightened() {
            self.forget_putting_right();
            return NOTHING;
        }
        if !self.completes_by_reply() {
            return self.take_as_put_down();
        }
        self.put_down();
        let best: Line = Rc::new(self.best().clone());
        let k = self.length(&best);
        let made = k > self.record.completed();
        if self.wrong(&best).is_empty() {
            if !made || self.is_half_restored() {
                return NOTHING;
            }
            self.tell_line(&best, k, k);
            return self.complete_without_press(&best, k);
        }
        if self.state.is_lost() || self.is_scattered(&best) {
            // Plies were missed: what was not seen one by one may still be one line.
            return match self.search_gap(None, LastPly::default()) {
                Some(changes) => changes,
                None => self.lose_thread(&Rc::new(self.root().clone())),
            };
        }
        if self.state.is_putting_back() {
            return NOTHING;
        }
        // What stands is no reply yet: the ply before it is complete, and this one is judged as it
        // stands.
        let mut changes = Changes::new();
        if made {
            changes = self.complete_without_press(&best, k);
        }
        changes.push(Change::TurnIsOver(best.pos.turn()));
        changes
    }

    /// A board that is read by whole states shows several plies at once where a state was late:
    /// they are looked for.
    fn search_missed(&self) -> Option<Changes> {
        let strange = self.wrong(self.best()) & self.board.planes().occupied();
        // Where only occupied squares are read, too many lines lead anywhere.
        let told = self.setup.polled && self.setup.sensor != SensorClass::Occupancy;
        // Pieces that are being put back are no plies.
        let ordered = self.state.is_putting_back() && !self.state.is_lost();
        let missed = told && !self.setup.clock && !ordered && strange.count() > 1;
        if missed {
            self.search_gap(None, LastPly::default())
        } else {
            None
        }
    }

    /// Whether pieces stand on several squares where `best` has none: more than a move fills,
    /// between two states of the board, or two, and others are nowhere.
    fn is_scattered(&self, best: &Hypothesis) -> bool {
        let strange = self.wrong(best) & self.board.planes().occupied();
        let busy = self.state.is_putting_back() || !self.track.irregular().is_empty();
        let missed = self.setup.polled && strange.count() > 2;
        !busy && (missed || (strange.count() > 1 && self.in_hand()))
    }

    /// Without a clock the turn of `by` is over, if nothing is in the air: it is judged as if he
    /// had pressed now.
    pub(crate) fn judge_without_clock(&mut self, by: Color) -> Changes {
        // What stands wrongly before the first move is nobody's.
        let waits = self.is_idle() || !self.is_set_up();
        if waits || self.in_hand() || self.lies_rather_otherwise() {
            return NOTHING;
        }
        let at = self.clock.now();
        alloc::vec![Change::Judge(Press {
            by,
            at,
            due: at,
            extended: true
        })]
    }

    /// Nothing more will come: the last scan is read.
    pub(crate) fn close(&mut self) -> Changes {
        let mut changes = self.apply_scan();
        changes.extend([
            Change::NoPressWaits,
            Change::NoAnswerComes,
            Change::LastRest,
        ]);
        changes
    }

    /// Presses that wait are judged on what there is, and so is what was to be read yet.
    pub(crate) fn judge_all_waiting(&mut self) -> Changes {
        match self.clock.waiting().is_empty() {
            true => self.judge_unread(),
            false => alloc::vec![
                Change::PressIsDue { last_chance: true },
                Change::NoPressWaits
            ],
        }
    }

    /// Nothing more will come: what stands is told.
    pub(crate) fn on_last_rest(&mut self) -> Changes {
        if self.is_idle() {
            return NOTHING;
        }
        let mut changes = self.replay_at_rest().unwrap_or_default();
        changes.push(Change::LastPly);
        changes
    }

    /// What stands at the end is the last ply, complete where no press is to come.
    pub(crate) fn tell_last_ply(&mut self) -> Changes {
        self.put_down();
        let best: Line = Rc::new(self.best().clone());
        let mut changes = Changes::new();
        let explained = self.wrong(&best).is_empty() && !self.is_half_restored();
        if explained && !self.is_centre_king_step(&best) {
            let k = self.length(&best);
            self.tell_line(&best, k, self.record.completed());
            if self.completes_by_reply() {
                changes.push(Change::Commit { line: best, k });
            }
        }
        changes.push(Change::SettleDoubts);
        changes
    }
}

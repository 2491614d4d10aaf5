//! The evidence replayed, when no hypothesis explains a press or a rest: one that was right may
//! have been given up, or a reading came late.

use alloc::boxed::Box;
use alloc::rc::Rc;

use shakmaty::Position;

use crate::game::Game;
use crate::game::board::Silence;
use crate::game::change::{Change, Changes, Line};
use crate::game::track::ReplayRequest;
use crate::said::symbol::SensorClass;
use crate::track::backtrack::{Distrust, RIVAL};
use crate::track::hypothesis::Hypothesis;
use crate::track::replay::Replay;

impl Game {
    /// Looks for an explanation of everything since a committed position; what follows from it, if
    /// there is one.
    pub(crate) fn backtrack(&mut self, distrust: Distrust) -> Option<Changes> {
        let clockless = !self.setup.clock;
        // Slow states of mere occupancy, without a press: too many lines explain what was told.
        let vague = self.setup.polled && clockless && self.setup.sensor == SensorClass::Occupancy;
        if vague || self.board.gap() {
            return None;
        }
        let hearing = ReplayRequest {
            distrust,
            misreads: self.board.misreads(),
            clockless,
            at_rest: self.board.was_silent(Silence::LongRest),
            suspect: self.board.suspect(),
            now: self.clock.now(),
            settings: self.setup.options,
        };
        let (length, replay) = self.track.backtrack(&hearing)?;
        Some(alloc::vec![Change::Replayed {
            length,
            replay: Box::new(replay)
        }])
    }

    /// What was replayed is what was played after the first `length` plies; what was found on a
    /// misreading falls.
    pub(crate) fn adopt_replay(&mut self, length: usize, replay: Replay) -> Changes {
        // What was in doubt before stays so: nothing that was replayed bears on it.
        self.docket
            .leave_in_doubt(|doubt| doubt.ply as usize <= length);
        self.track.adopt_replay(length, replay.beam);
        self.board.reread(replay.contacts);
        let line: Line = Rc::new(self.best_at_press().clone());
        self.withdraw_after(self.agreed(&line));
        self.board.notice_misreading();
        // Without a clock the reply completes a ply: the last one made is not complete before it is
        // answered.
        let made = self.length(&line);
        let (told, k) = match self.setup.clock {
            true => (length + replay.pressed, length + replay.pressed),
            false => (made, made.saturating_sub(1).max(length)),
        };
        self.record.set_completed(self.record.completed().min(k));
        self.tell_line(&line, told, k);
        self.record.set_completed(k);
        self.state.next_turn();
        self.clock.stop_waiting();
        self.clock
            .run(self.setup.clock.then(|| self.record.position(k).turn()));
        self.clock.start_turn(replay.last_press);
        self.tell_forks(&replay.forks);
        if !self.setup.clock {
            let contacts = self.board.contacts();
            let rivals = self.track.rivals(contacts, self.clock.now(), RIVAL);
            self.tell_forks(&rivals);
        }
        alloc::vec![
            Change::PruneCommon,
            Change::SettleDoubts,
            Change::CheckEnd { k, released: true },
        ]
    }

    /// How many plies of the record `line` shares.
    fn agreed(&self, line: &Hypothesis) -> usize {
        let base = self.track.base();
        let told = &self.record.plies()[base.min(self.record.len())..];
        let same = told
            .iter()
            .zip(&line.steps)
            .take_while(|(ply, step)| ply.m == Some(step.m));
        base + same.count()
    }
}

//! Hearing the evidence again. Where no account explains a press or a rest, one that was right may
//! have been given up, or a reading came late. So all that was told since a decided position is
//! matched once more, with more patience and with hindsight: a square that was read too late is
//! taken to have been so when a press says that the move was made.

use alloc::vec::Vec;

use shakmaty::Position;

use crate::game::Game;
use crate::game::silence::END_OF_GAME;
use crate::said::symbol::SensorClass;
use crate::said::time::Millis;
use crate::track::backtrack::{
    Distrust, EFFORT, LONGEST_WAIT, Pacing, RIVAL, Replay, ReplayMode, SHORTEST_WAIT,
    WAIT_AN_ENTRY, arrived,
};
use crate::track::hypothesis::Hypothesis;

impl Game {
    /// Marks the position all accounts agree on, if it is time to.
    pub(crate) fn mark(&mut self) {
        let decided = self.beam.all().len() == 1 && self.base == self.completed;
        let calm =
            self.restore.is_none() && !self.gap && self.pending.is_empty() && self.scan.is_empty();
        if !self.log_of_evidence.wants(self.base) || !decided || !calm || self.is_idle() {
            return;
        }
        let account = self.best();
        if account.steps.is_empty() {
            self.log_of_evidence
                .mark(self.base, account.clone(), self.contacts.clone());
        }
    }

    /// Without a clock: marks the position that the board shows at rest.
    pub(crate) fn mark_rest(&mut self) {
        let best = self.best();
        let length = self.length(best);
        let calm = self.restore.is_none() && self.standing.is_none() && !self.gap;
        let calm = calm && (best.misread & !self.suspect).is_empty();
        if !self.setup.clock
            && self.log_of_evidence.wants(length)
            && calm
            && length == self.record.len()
        {
            let mut account = Hypothesis::new(best.pos.clone(), best.since);
            account.misread = best.misread;
            self.log_of_evidence
                .mark(length, account, self.contacts.clone());
        }
    }

    /// Looks for an account of everything since a decided position. What was found on a misreading
    /// falls.
    pub(crate) fn backtrack(&mut self, distrust: Distrust) -> bool {
        let clockless = !self.setup.clock;
        let long = clockless && self.silence > END_OF_GAME;
        // Slow states of mere occupancy, without a press: too many lines explain what was heard.
        let vague = self.setup.polled && clockless && self.setup.sensor == SensorClass::Occupancy;
        if vague || self.gap || self.now < self.pacing.again {
            return false;
        }
        let (now, settings, mut effort) = (self.now, self.setup.options, EFFORT);
        // Of one mark's evidence, readings that came late are assumed before readings that never
        // came.
        let known = self.misreads;
        let manners: &[(bool, bool)] = match distrust {
            Distrust::None => &[(false, false), (false, true)],
            Distrust::Known => &[(known, false), (known, true)],
            Distrust::Any if known => &[(true, false), (true, true)],
            Distrust::Any => &[(false, false), (false, true), (true, false)],
        };
        let heard = self.log_of_evidence.marks().find_map(|(mark, entries)| {
            manners.iter().find_map(|&(misreads, unread)| {
                let mut heard = Replay::new(
                    mark,
                    ReplayMode {
                        unread,
                        clockless,
                        misreads,
                    },
                );
                heard.contacts.suspect = self.suspect;
                let whole = heard.hear(entries, mark.account.pos.turn(), &settings, effort);
                effort = effort.saturating_sub(heard.lines.effort());
                if long {
                    // No piece rests on its way for so long if all of them can have arrived.
                    heard.lines.retain(|a| arrived(a, &heard.contacts));
                }
                (whole && heard.explains(now)).then_some((mark.length, heard))
            })
        });
        let Some((length, heard)) = heard else {
            self.pacing.wait = match clockless {
                // Every rest may be the one that decides: the more there is to hear, the rarer it
                // is heard.
                true => self.log_of_evidence.len() as Millis * WAIT_AN_ENTRY,
                false => (self.pacing.wait * 2).clamp(SHORTEST_WAIT, LONGEST_WAIT),
            };
            self.pacing.again = self.now + self.pacing.wait;
            return false;
        };
        self.pacing = Pacing::default();
        self.adopt_heard(length, heard);
        true
    }

    fn adopt_heard(&mut self, length: usize, heard: Replay) {
        // What was in doubt before the mark stays so: nothing that was heard bears on it.
        self.doubts
            .iter_mut()
            .filter(|d| d.doubt.ply as usize <= length)
            .for_each(|d| d.lasting = true);
        self.base = length;
        self.contacts = heard.contacts;
        self.beam = heard.lines;
        let line = self.beam.best(&self.contacts, self.now, true).clone();
        // Without a clock the reply is the wall: the last ply made is not complete before it is
        // answered.
        let made = self.length(&line);
        let (told, k) = match heard.manner.clockless {
            true => (made, made.saturating_sub(1).max(length)),
            false => (length + heard.pressed, length + heard.pressed),
        };
        self.withdraw_after(self.agreed(&line));
        self.misreads = true;
        self.log_of_evidence.forget_longer(length);
        self.completed = self.completed.min(k);
        self.tell_line(&line, told, k);
        self.completed = k;
        (
            self.bound,
            self.restore,
            self.standing,
            self.unread,
            self.obligation,
        ) = (None, None, None, None, None);
        self.pending.clear();
        self.running = self.setup.clock.then(|| self.record.position(k).turn());
        self.turn_start = heard.last_press;
        self.tell_forks(&heard.forks);
        if heard.manner.clockless {
            let rivals = self.beam.rivals(&self.contacts, self.now, RIVAL);
            self.tell_forks(&rivals);
        }
        self.prune_common();
        self.settle_doubts();
        self.check_end(k, true);
    }

    /// How many plies of the record `line` shares.
    fn agreed(&self, line: &Hypothesis) -> usize {
        let told: Vec<_> = self.record.plies[self.base.min(self.record.len())..]
            .iter()
            .map(|p| p.m)
            .collect();
        self.base
            + told
                .iter()
                .zip(&line.steps)
                .take_while(|(m, s)| **m == Some(s.m))
                .count()
    }
}

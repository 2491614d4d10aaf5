//! The evidence replayed, when no hypothesis explains a press or a rest: one that was right may
//! have been given up, or a reading came late.

use alloc::boxed::Box;
use alloc::rc::Rc;

use shakmaty::{Bitboard, Position};

use crate::game::Game;
use crate::game::board::Silence;
use crate::game::change::{Change, Changes, Line};
use crate::game::start_of;
use crate::game::track::ReplayRequest;
use crate::said::irregularity::Code;
use crate::said::symbol::SensorClass;
use crate::track::backtrack::{Distrust, RIVAL};
use crate::track::cost;
use crate::track::hypothesis::Hypothesis;
use crate::track::replay::Replay;

/// More squares than this read otherwise than the best hypothesis says only where many plies were
/// missed, or where the pieces are set up.
const MOST_WRONG: usize = 8;

impl Game {
    /// Looks for an explanation of everything since a committed position; what follows from it, if
    /// there is one.
    pub(crate) fn backtrack(&mut self, distrust: Distrust) -> Option<Changes> {
        self.hear_again(distrust, None, self.rival())
    }

    /// The same before somebody is accused: what may stand where nothing is read yet is no breach.
    pub(crate) fn backtrack_before_accusing(&mut self, distrust: Distrust) -> Option<Changes> {
        let unseen = self.cost_of_standing().unwrap_or(cost::ILLEGAL);
        self.hear_again(distrust, Some(unseen), self.rival())
    }

    /// The same at a rest, where the best line sets a reading aside that the board itself trusts,
    /// while there are squares that it does not trust: those may explain more cheaply what stands.
    pub(crate) fn backtrack_from_misreading(&mut self) -> Option<Changes> {
        let (best, suspect) = (self.best(), self.board.suspect());
        let set_aside = self.differ(&best.pos) & best.misread & !suspect;
        if self.setup.clock || suspect.is_empty() || set_aside.is_empty() {
            return None;
        }
        let rival = self.total(best);
        self.hear_again(Distrust::Known, None, Some(rival))
    }

    /// What an illegal move costs that explains the board, or one out of turn, or, where nobody
    /// presses, would cost that left the present account behind. A press speaks for itself; on a
    /// board that distrusts its own sensors the present account may be worth nothing.
    fn rival(&self) -> Option<i32> {
        let unexplained = || self.total(self.best()) + cost::ILLEGAL;
        let sound = !self.setup.clock && self.board.suspect().is_empty();
        let irregular = [self.cost_of_standing(), self.cost_of_made_ahead()];
        let cheapest = irregular.into_iter().flatten().min();
        cheapest.or_else(|| sound.then(unexplained))
    }

    fn hear_again(
        &mut self,
        distrust: Distrust,
        unseen: Option<i32>,
        rival: Option<i32>,
    ) -> Option<Changes> {
        let hearing = self.replay_request(distrust, unseen, rival)?;
        let (length, replay) = self.track.backtrack(&hearing)?;
        Some(alloc::vec![Change::Replayed {
            length,
            replay: Box::new(replay)
        }])
    }

    /// How the evidence is to be replayed, where it can be.
    pub(crate) fn replay_request(
        &self,
        distrust: Distrust,
        unseen: Option<i32>,
        rival: Option<i32>,
    ) -> Option<ReplayRequest> {
        let clockless = !self.setup.clock;
        // Slow states of mere occupancy, without a press: too many lines explain what was told.
        let vague = self.setup.polled && clockless && self.setup.sensor == SensorClass::Occupancy;
        // The board is being set up, unless what may have been an illegal move accounts for it.
        let set_up = clockless && self.is_rather_set_up() && self.cost_of_standing().is_none();
        let cleared = clockless && (self.is_being_cleared() || self.is_being_taken_back());
        if vague || set_up || cleared || (self.board.gap() && !self.board.tells_pictures()) {
            return None;
        }
        let first = clockless && !self.board.misreads() && self.cost_of_standing().is_some();
        Some(ReplayRequest {
            distrust,
            misreads: self.board.misreads(),
            clockless,
            at_rest: self.board.was_silent(Silence::LongRest),
            found_gone: self.found_gone().any(),
            suspect: self.board.suspect(),
            rival,
            first_loss: if first { cost::FIRST_LOST } else { 0 },
            unseen,
            away: Bitboard::EMPTY,
            now: self.clock.now(),
            settings: self.setup.options,
        })
    }

    /// Whether so many squares read otherwise than the best hypothesis says, and most of what came
    /// to them came home, or so much has gone, that no plies were missed: the pieces are cleared
    /// away or set up again.
    fn is_rather_set_up(&self) -> bool {
        let (wrong, full) = (self.wrong(self.best()), self.board.planes().occupied());
        if wrong.count() <= MOST_WRONG {
            return false;
        }
        let (filled, emptied) = (wrong & full, wrong & !full);
        let Some(start) = start_of(&self.setup) else {
            return true;
        };
        let home = filled.into_iter().filter(|sq| self.is_home(*sq, &start));
        home.count() * 2 > filled.count() || emptied.count() > filled.count() + MOST_WRONG / 2
    }

    /// What was replayed is what was played after the first `length` plies; what was found on a
    /// misreading falls.
    pub(crate) fn adopt_replay(&mut self, length: usize, replay: Replay) -> Changes {
        self.board.notice_misreading();
        self.go_on_from(length, replay, |_| true)
    }

    /// The game goes on from what was replayed. What was found of plies that it reads otherwise
    /// falls where its code `falls`.
    pub(crate) fn go_on_from(
        &mut self,
        length: usize,
        replay: Replay,
        falls: fn(Code) -> bool,
    ) -> Changes {
        // What was in doubt before stays so: nothing that was replayed bears on it.
        self.docket
            .leave_in_doubt(|doubt| doubt.ply as usize <= length);
        let cost = replay.cost_so_far();
        let earlier = self.record.steps(length, self.track.base());
        self.track.adopt_replay(length, replay.beam, cost, &earlier);
        self.board.reread(replay.contacts);
        let line: Line = Rc::new(self.best_at_press().clone());
        self.withdraw_after(self.agreed(&line), falls);
        // Without a clock the reply completes a ply: the last one made is not complete before it is
        // answered.
        let made = self.length(&line);
        let (told, k) = match self.setup.clock {
            true => (length + replay.pressed, length + replay.pressed),
            false => (made, made.saturating_sub(1).max(length)),
        };
        let judged = self.record.completed().min(self.agreed(&line));
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
        let unseen = self.differ(&line.pos) & line.misread & !self.board.suspect();
        // What was done besides the moves is not read from what has to be heard twice, but for the
        // order of the last two, where every piece is seen.
        if unseen.is_empty() && k > judged && k + 1 == made {
            self.find_made_ahead(&line, k);
        }
        let mut changes = alloc::vec![Change::PruneCommon, Change::SettleDoubts];
        if unseen.any() {
            changes.push(Change::CheckSquares(unseen));
        }
        changes.push(Change::CheckEnd { k, released: true });
        changes
    }

    /// How many plies of the record `line` shares.
    pub(crate) fn agreed(&self, line: &Hypothesis) -> usize {
        let base = self.track.base();
        let told = &self.record.plies()[base.min(self.record.len())..];
        let same = told
            .iter()
            .zip(&line.steps)
            .take_while(|(ply, step)| ply.m == Some(step.m));
        base + same.count()
    }
}

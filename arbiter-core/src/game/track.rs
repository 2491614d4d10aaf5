//! What was played, as far as it is followed: the hypotheses since the last committed ply, and the
//! evidence that can be replayed.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Square};

use crate::said::settings::Settings;
use crate::said::symbol::Symbol;
use crate::said::time::Time;
use crate::sense::contacts::{Contacts, Stay};
use crate::sense::trust::ScanWindow;
use crate::track::backtrack::{Backoff, Distrust, EFFORT, EFFORT_CLOCKLESS, ReplayMode};
use crate::track::beam::{Beam, Fork};
use crate::track::cost;
use crate::track::entry::Logged;
use crate::track::hypothesis::{Hypothesis, Step};
use crate::track::log::EvidenceLog;
use crate::track::look::Look;
use crate::track::replay::{Replay, has_arrived};

/// The hypotheses of a game.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    beam: Beam,
    base: usize,
    log: EvidenceLog,
    backoff: Backoff,
    /// What the best explanation of the whole game has cost so far, up to the present ply.
    paid: i32,
}

/// How the evidence is to be replayed.
#[derive(Clone, Copy)]
pub(crate) struct ReplayRequest {
    /// When a press that the board explains is not taken for explained.
    pub(crate) distrust: Distrust,
    /// Whether the board has lost or delayed readings before.
    pub(crate) misreads: bool,
    /// Whether nobody presses.
    pub(crate) clockless: bool,
    /// Whether the board has stood still for so long that no piece is on its way.
    pub(crate) at_rest: bool,
    /// Whether a picture showed a piece of the player who has moved to be gone.
    pub(crate) found_gone: bool,
    /// Squares that the board itself does not trust.
    pub(crate) suspect: Bitboard,
    /// What another explanation of the board costs, one in which somebody made an illegal move:
    /// what is replayed must be cheaper.
    pub(crate) rival: Option<i32>,
    /// What it costs besides to lose a reading where that other explanation loses none.
    pub(crate) first_loss: i32,
    /// What an explanation may cost at most by which a piece stands where nothing is read yet, if
    /// such a one is any.
    pub(crate) unseen: Option<i32>,
    /// Squares from which pieces have gone for good, wherever they are.
    pub(crate) away: Bitboard,
    pub(crate) now: Time,
    pub(crate) settings: Settings,
}

impl Track {
    /// Begins with `pos`, reached at `since`.
    pub(crate) fn new(pos: Chess, since: Time) -> Track {
        Track {
            beam: Beam::new(pos, since),
            base: 0,
            log: EvidenceLog::default(),
            backoff: Backoff::default(),
            paid: 0,
        }
    }

    /// The hypotheses that explain the evidence; never none.
    pub(crate) fn all(&self) -> &[Hypothesis] {
        self.beam.all()
    }

    /// The hypothesis that explains the evidence best.
    pub(crate) fn best(&self, contacts: &Contacts, now: Time, at_press: bool) -> &Hypothesis {
        self.beam.best(contacts, now, at_press)
    }

    /// What the best explanation of the whole game has cost so far, up to the present ply.
    pub(crate) fn paid(&self) -> i32 {
        self.paid
    }

    /// Plies that every hypothesis shares and that are committed; hypotheses begin after them.
    pub(crate) fn base(&self) -> usize {
        self.base
    }

    /// Plies in `line`, counted from the start of the game.
    pub(crate) fn length(&self, line: &Hypothesis) -> usize {
        self.base + line.steps.len()
    }

    /// Ply `ply` of `line`, where it is not among the committed ones.
    pub(crate) fn step_of<'a>(&self, line: &'a Hypothesis, ply: usize) -> Option<&'a Step> {
        line.steps.get(ply.checked_sub(self.base + 1)?)
    }

    /// The time before which no hypothesis needs the evidence.
    pub(crate) fn oldest(&self, contacts: &Contacts) -> Time {
        self.beam.oldest(contacts)
    }

    /// The plies on which hypotheses that cost no more than `margin` above the best differ from it.
    pub(crate) fn rivals(&self, contacts: &Contacts, now: Time, margin: i32) -> Vec<Fork> {
        self.beam.rivals(contacts, now, margin)
    }
}

/// Evidence comes in.
impl Track {
    /// `square` came to read `symbol`, which ended the stay of something that stood there.
    pub(crate) fn note_change(
        &mut self,
        contacts: &Contacts,
        (at, square, symbol): (Time, Square, Symbol),
        ended: Stay,
        settings: &Settings,
    ) {
        self.log.note(at, Logged::Change(square, symbol));
        let window = ScanWindow::of(settings.skew_ms);
        self.beam.charge_for_stay(square, ended, contacts, window);
    }

    /// A player pressed.
    pub(crate) fn note_press(&mut self, at: Time, by: shakmaty::Color) {
        self.log.note(at, Logged::Press(by));
    }

    /// These squares were read again: what they were taken for is over.
    pub(crate) fn read_again(&mut self, changed: Bitboard, now: Time) {
        self.beam.take_as_read(changed, now);
    }

    /// Until they are read again these squares say nothing.
    pub(crate) fn disregard(&mut self, squares: Bitboard) {
        self.beam.assume_misread(squares);
    }

    /// Matches every hypothesis against the board as it reads now.
    pub(crate) fn expand(&mut self, contacts: &Contacts, look: &Look<'_>) {
        self.beam.expand(contacts, look);
    }

    /// The board has stood still: hypotheses that do not explain it cost more, if another
    /// does.
    pub(crate) fn rest(&mut self, contacts: &Contacts, clock: bool) {
        self.beam.rest(contacts, clock);
    }

    /// At a press for ply `ply`: captures cost more that nobody was seen to begin, while another
    /// could be seen.
    pub(crate) fn charge_for_other_victims(&mut self, ply: usize, contacts: &Contacts) {
        let open = ply - self.base.min(ply);
        self.beam
            .charge_for_other_victims(open, contacts, cost::OTHER_TOUCHED);
    }

    /// Raises the cost of every hypothesis by what `charge` says of it.
    pub(crate) fn charge(&mut self, charge: impl Fn(&Hypothesis) -> i32) {
        self.beam.charge(charge);
    }

    /// Keeps the hypotheses for which `keep` holds, unless none would be left. Whether any was.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&Hypothesis) -> bool) -> bool {
        self.beam.retain(keep)
    }
}

/// Decisions.
impl Track {
    /// Nothing but these hypotheses explains the evidence; there must be some.
    pub(crate) fn adopt(&mut self, hypotheses: Vec<Hypothesis>) {
        self.beam.replace(hypotheses);
        self.forget_irregular();
    }

    /// The same, but for what is followed of acts that the Laws do not allow.
    pub(crate) fn adopt_beside(&mut self, hypothesis: Hypothesis) {
        self.beam.replace(alloc::vec![hypothesis]);
    }

    /// Of hypotheses that stand in one position the cheapest is kept. The plies on which equally
    /// good ones will never be told apart.
    pub(crate) fn merge(&mut self, contacts: &Contacts, now: Time) -> Vec<Fork> {
        self.beam.merge(contacts, now)
    }

    /// Takes out what every hypothesis shares of the first `completed` plies; the next ply begins.
    pub(crate) fn prune_common(&mut self, completed: usize, contacts: &Contacts, now: Time) {
        while self.base < completed && self.beam.commit().is_some() {
            self.base += 1;
        }
        self.paid += self.beam.normalise() + self.beam.begin_ply(contacts, now);
    }

    /// Starts afresh from `pos`, reached now after `length` plies. Squares that differ now are
    /// being handled: what is left standing may belong to the move that comes.
    pub(crate) fn reset(&mut self, pos: Chess, length: usize, contacts: &Contacts, now: Time) {
        let mut hypothesis = Hypothesis::new(pos, now);
        hypothesis.early = hypothesis.wrong(contacts);
        self.adopt(alloc::vec![hypothesis]);
        self.base = length;
        self.log.clear();
    }

    /// What was told before has no bearing on what comes.
    pub(crate) fn forget_evidence(&mut self) {
        self.log.clear();
    }

    /// The game begins from `pos`.
    pub(crate) fn begin(&mut self, pos: Chess, now: Time) {
        self.beam = Beam::new(pos, now);
        self.base = 0;
        self.log.clear();
    }
}

/// The start in doubt.
impl Track {
    /// The game began from another position: what it is to be replayed from stood otherwise.
    /// `position`: how, after so many plies, in place of what was taken to stand.
    pub(crate) fn start_otherwise(&mut self, position: impl Fn(usize, &Chess) -> Option<Chess>) {
        self.log.start_otherwise(position);
    }
}

/// Acts that the Laws do not allow, beside the lines of legal moves.
impl Track {
    /// Every hypothesis with such an act in it.
    pub(crate) fn irregular(&self) -> &[Hypothesis] {
        self.beam.irregular()
    }

    /// The cheapest of them for which `which` holds.
    pub(crate) fn best_irregular(
        &self,
        contacts: &Contacts,
        (now, at_press): (Time, bool),
        which: impl Fn(&Hypothesis) -> bool,
    ) -> Option<&Hypothesis> {
        self.beam.best_irregular(contacts, now, at_press, which)
    }

    /// Follows one more.
    pub(crate) fn follow(&mut self, line: Hypothesis, contacts: &Contacts, now: Time) {
        self.beam.follow(line, contacts, now);
    }

    /// Follows none of them any more.
    pub(crate) fn forget_irregular(&mut self) {
        self.beam.retain_irregular(|_| false);
    }

    /// What was handled up to now is of no ply to come, where the board shows what was played.
    pub(crate) fn excuse(&mut self, contacts: &Contacts, now: Time) {
        self.beam.excuse(contacts, now);
    }

    /// Keeps those of them for which `keep` holds.
    pub(crate) fn retain_irregular(&mut self, keep: impl FnMut(&Hypothesis) -> bool) {
        self.beam.retain_irregular(keep);
    }

    /// The act of `line` has been told: from here on it costs no more than not having it stand,
    /// and none but it is followed, whichever pieces left the board with it.
    pub(crate) fn rule_on(&mut self, line: &Hypothesis) {
        self.beam.retain_irregular(|other| other.has_like_act(line));
        for other in self.beam.irregular_mut() {
            if let Some(act) = other.acts.first_mut()
                && !act.told
            {
                act.told = true;
                other.cost -= line.cost;
            }
        }
    }

    /// Of the irregular lines only those with the act of `line` are followed.
    pub(crate) fn keep_act(&mut self, line: &Hypothesis) {
        self.beam.retain_irregular(|other| other.has_same_act(line));
    }

    /// The act of `line` stands: the game goes on from what it left. What was told before is kept:
    /// where it shows in the end that a reading came late, no illegal move was made.
    pub(crate) fn let_stand(&mut self, line: &Hypothesis) {
        let Some(act) = line.act() else { return };
        let steps = act.step + 1;
        let mut going_on = Vec::new();
        let mut still_irregular = Vec::new();
        for other in self.beam.irregular() {
            if other.has_same_act(line) {
                let mut other = other.clone();
                other.drop_steps(steps);
                match other.acts.is_empty() {
                    true => going_on.push(other),
                    false => still_irregular.push(other),
                }
            }
        }
        if going_on.is_empty() {
            // Another such act followed at once: what was between them goes on beside it.
            let mut between = Hypothesis::new(act.after.clone(), line.steps[act.step].made_at);
            between.cost = line.cost;
            going_on.push(between);
        }
        self.beam.replace(going_on);
        *self.beam.irregular_mut() = still_irregular;
        self.log.forget_longer(self.base + steps - 1);
        self.base += steps;
    }
}

/// The evidence replayed.
impl Track {
    /// Remembers the committed position, if it is time to: one hypothesis, and nothing of a next
    /// ply.
    pub(crate) fn checkpoint(&mut self, completed: usize, contacts: &Contacts) {
        let [only] = self.beam.all() else { return };
        if self.base == completed && only.steps.is_empty() && self.log.wants(self.base) {
            self.log
                .set_checkpoint(self.base, only.clone(), contacts.clone(), self.paid);
        }
    }

    /// Remembers the position of `line`, which the board shows at rest, if it is time to.
    pub(crate) fn checkpoint_at_rest(&mut self, line: &Hypothesis, contacts: &Contacts) {
        let length = self.length(line);
        if self.log.wants(length) {
            let mut hypothesis = Hypothesis::new(line.pos.clone(), line.since);
            hypothesis.misread = line.misread;
            self.log
                .set_checkpoint(length, hypothesis, contacts.clone(), self.paid);
        }
    }

    /// What was taken for committed after more than `length` plies was a misreading.
    pub(crate) fn forget_longer(&mut self, length: usize) {
        self.log.forget_longer(length);
    }

    /// What happened before now is not to be heard again.
    pub(crate) fn forget_checkpoints(&mut self) {
        self.log.clear();
    }

    /// Forgets earlier attempts to replay the evidence: there is no better moment than now.
    pub(crate) fn haste(&mut self) {
        self.backoff.reset();
    }

    /// Looks for a hypothesis of everything since a committed position, if it is time to: the
    /// number of plies before that position, and what was replayed since.
    pub(crate) fn backtrack(&mut self, hearing: &ReplayRequest) -> Option<(usize, Replay)> {
        if self.backoff.waits(hearing.now) {
            return None;
        }
        let found = self.replay(hearing);
        if found.is_some() {
            self.backoff.reset();
        } else if hearing.clockless {
            self.backoff.failed_clockless(hearing.now, self.log.len());
        } else {
            self.backoff.failed(hearing.now);
        }
        found
    }

    /// The same, however often it was in vain.
    pub(crate) fn replay(&mut self, hearing: &ReplayRequest) -> Option<(usize, Replay)> {
        let mut unseen: Option<(usize, Replay)> = None;
        let mut effort = match hearing.clockless {
            true => EFFORT_CLOCKLESS,
            false => EFFORT,
        };
        for (checkpoint, entries) in self.log.checkpoints() {
            for mode in modes(hearing) {
                let suspect = hearing.suspect;
                let paid = self.paid - checkpoint.paid;
                let limit = hearing.rival.map_or(i32::MAX, |rival| paid + rival - 1);
                let settings = &hearing.settings;
                let mut replay = Replay::new(checkpoint, suspect, mode, limit, settings);
                replay.away = hearing.away;
                let whole = replay.run(entries, effort);
                effort = effort.saturating_sub(replay.beam.effort());
                if hearing.clockless && hearing.at_rest {
                    // No piece rests on its way for so long if all of them can have arrived.
                    let contacts = &replay.contacts;
                    replay.beam.retain(|line| has_arrived(line, contacts));
                }
                if hearing.found_gone && hearing.at_rest {
                    // Nobody has been seen to take it up, so it is rather where nothing is amiss.
                    let contacts = &replay.contacts;
                    replay.beam.retain(|line| line.wrong(contacts).is_empty());
                }
                let first_loss = match replay.loses_readings(hearing.now) {
                    true => hearing.first_loss,
                    false => 0,
                };
                if !whole || replay.cost(hearing.now) + first_loss > limit {
                    continue;
                }
                if replay.explains(hearing.now, hearing.away.count()) {
                    return Some((checkpoint.length, replay));
                }
                let limit = hearing.unseen.unwrap_or(0);
                let credible = replay.cost(hearing.now) < paid + limit;
                if unseen.is_none() && credible && replay.explains(hearing.now, 1) {
                    unseen = Some((checkpoint.length, replay));
                }
            }
        }
        unseen
    }

    /// What was replayed is what was played, after the first `length` plies: `earlier` are those
    /// that were taken for committed after them. Illegal moves that may have been made are followed
    /// on, beside it.
    pub(crate) fn adopt_replay(&mut self, length: usize, lines: Beam, cost: i32, earlier: &[Step]) {
        let untold = |line: &&Hypothesis| line.acts.iter().all(|act| !act.told);
        let kept = self.rebased_to(length, earlier, self.irregular().iter().filter(untold));
        let legal = self.rebased_to(length, earlier, self.beam.all().iter());
        let paid_before = self.paid;
        let since = self.log.checkpoint_of(length);
        self.paid = since.map_or(self.paid, |checkpoint| checkpoint.paid + cost);
        self.base = length;
        self.beam = lines;
        // Being heard again makes no illegal move more likely beside the line that is adopted, if
        // it has competed with that before.
        let adopted = self.beam.all().iter().min_by_key(|line| line.cost);
        let dearer = adopted.and_then(|new| {
            let old = legal.iter().find(|line| line.is_twin(new))?;
            Some(new.cost - old.cost)
        });
        let owed = paid_before - self.paid;
        let owed = dearer.map_or(owed, |dearer| dearer.max(owed));
        for mut line in kept {
            line.cost += owed;
            line.cost_before += owed;
            self.beam.irregular_mut().push(line);
        }
        self.log.forget_longer(length);
    }

    /// `lines` of the beam as lines from after `length` plies, where they can be: `earlier` are the
    /// plies between those and what the beam begins with.
    fn rebased_to<'a>(
        &self,
        length: usize,
        earlier: &[Step],
        lines: impl Iterator<Item = &'a Hypothesis>,
    ) -> Vec<Hypothesis> {
        let mut rebased: Vec<Hypothesis> = lines.cloned().collect();
        match length.checked_sub(self.base) {
            Some(n) => {
                let reaches = |line: &Hypothesis| line.steps.len() >= n;
                rebased.retain(|line| reaches(line) && line.acts.iter().all(|act| act.step >= n));
                rebased.iter_mut().for_each(|line| line.drop_steps(n));
            }
            None if earlier.len() == self.base - length => {
                rebased.iter_mut().for_each(|line| line.put_before(earlier));
            }
            None => rebased.clear(),
        }
        rebased
    }
}

/// How one checkpoint's evidence is replayed, one way after the other: readings that came late are
/// assumed before readings that never came.
fn modes(hearing: &ReplayRequest) -> impl Iterator<Item = ReplayMode> + use<> {
    let (clockless, known) = (hearing.clockless, hearing.misreads);
    let ways: &'static [(bool, bool)] = match hearing.distrust {
        Distrust::Any if !known => &[(false, false), (false, true), (true, false)],
        Distrust::Any => &[(true, false), (true, true)],
        Distrust::Known if known => &[(true, false), (true, true)],
        Distrust::Known | Distrust::None => &[(false, false), (false, true)],
    };
    // One thing is assumed at a time.
    let most = match hearing.away.is_empty() {
        true => ways.len(),
        false => 1,
    };
    ways[..most]
        .iter()
        .map(move |&(misreads, unread)| ReplayMode {
            unread,
            clockless,
            misreads,
        })
}

//! What was played, as far as it is followed: the hypotheses since the last committed ply, and the
//! evidence that can be replayed.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Square};

use crate::said::settings::Settings;
use crate::said::symbol::Symbol;
use crate::said::time::Time;
use crate::sense::contacts::{Contacts, Stay};
use crate::sense::trust::ScanWindow;
use crate::track::backtrack::{Backoff, Distrust, EFFORT, ReplayMode};
use crate::track::beam::{Beam, Fork};
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
    /// Squares that the board itself does not trust.
    pub(crate) suspect: Bitboard,
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
        if ended.symbol != Symbol::Empty && at.since(ended.since) >= settings.brush_ms {
            let window = ScanWindow::of(settings.skew_ms);
            self.beam.charge_for_stay(square, ended, contacts, window);
        }
    }

    /// A player pressed.
    pub(crate) fn note_press(&mut self, at: Time, by: shakmaty::Color) {
        self.log.note(at, Logged::Press(by));
    }

    /// These squares were read again: what they were taken for is over.
    pub(crate) fn read_again(&mut self, changed: Bitboard) {
        self.beam.take_as_read(changed);
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
    pub(crate) fn charge_for_other_victims(&mut self, ply: usize, contacts: &Contacts, cost: i32) {
        let open = ply - self.base.min(ply);
        self.beam.charge_for_other_victims(open, contacts, cost);
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
        self.beam.normalise();
        self.beam.begin_ply(contacts, now);
    }

    /// Starts afresh from `pos`, reached now after `length` plies. Squares that differ now are
    /// being handled: what is left standing may belong to the move that comes.
    pub(crate) fn reset(&mut self, pos: Chess, length: usize, contacts: &Contacts, now: Time) {
        let mut hypothesis = Hypothesis::new(pos, now);
        hypothesis.early = hypothesis.wrong(contacts);
        self.beam.replace(alloc::vec![hypothesis]);
        self.base = length;
        self.log.clear();
    }

    /// The game begins from `pos`.
    pub(crate) fn begin(&mut self, pos: Chess, now: Time) {
        self.beam = Beam::new(pos, now);
        self.base = 0;
        self.log.clear();
    }

    /// Goes on with hypotheses that begin after `length` plies, the last of which no legal move
    /// explains. What was told before is kept: where it shows in the end that a reading came late,
    /// no illegal move was made.
    pub(crate) fn go_on_from(&mut self, length: usize, lines: Beam) {
        self.beam = lines;
        self.log.forget_longer(length - 1);
        self.base = length;
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
                .set_checkpoint(self.base, only.clone(), contacts.clone());
        }
    }

    /// Remembers the position of `line`, which the board shows at rest, if it is time to.
    pub(crate) fn checkpoint_at_rest(&mut self, line: &Hypothesis, contacts: &Contacts) {
        let length = self.length(line);
        if self.log.wants(length) {
            let mut hypothesis = Hypothesis::new(line.pos.clone(), line.since);
            hypothesis.misread = line.misread;
            self.log
                .set_checkpoint(length, hypothesis, contacts.clone());
        }
    }

    /// What was taken for committed after more than `length` plies was a misreading.
    pub(crate) fn forget_longer(&mut self, length: usize) {
        self.log.forget_longer(length);
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

    fn replay(&mut self, hearing: &ReplayRequest) -> Option<(usize, Replay)> {
        let mut effort = EFFORT;
        for (checkpoint, entries) in self.log.checkpoints() {
            for mode in modes(hearing) {
                let suspect = hearing.suspect;
                let mut replay = Replay::new(checkpoint, suspect, mode, &hearing.settings);
                let whole = replay.run(entries, effort);
                effort = effort.saturating_sub(replay.beam.effort());
                if hearing.clockless && hearing.at_rest {
                    // No piece rests on its way for so long if all of them can have arrived.
                    let contacts = &replay.contacts;
                    replay.beam.retain(|line| has_arrived(line, contacts));
                }
                if whole && replay.explains(hearing.now) {
                    return Some((checkpoint.length, replay));
                }
            }
        }
        None
    }

    /// What was replayed is what was played, after the first `length` plies.
    pub(crate) fn adopt_replay(&mut self, length: usize, lines: Beam) {
        self.base = length;
        self.beam = lines;
        self.log.forget_longer(length);
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
    ways.iter().map(move |&(misreads, unread)| ReplayMode {
        unread,
        clockless,
        misreads,
    })
}

//! Replay: the evidence log matched once more from a checkpoint, with hindsight.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Color, Position};

use crate::said::settings::Settings;
use crate::said::time::Time;
use crate::sense::contacts::Contacts;
use crate::sense::trust::ScanWindow;
use crate::track::backtrack::{OPEN, RIVAL, ReplayMode};
use crate::track::beam::{Beam, Fork, KEEP};
use crate::track::cost;
use crate::track::entry::{LogEntry, Logged};
use crate::track::hypothesis::Hypothesis;
use crate::track::log::Checkpoint;
use crate::track::look::Look;

/// An explanation that costs more than this is none.
const CREDIBLE: i32 = 1_500;

/// Hypotheses kept from ply to ply.
const MOST: usize = 24;

/// The evidence told since a checkpoint, as it is replayed.
#[derive(Debug)]
pub(crate) struct Replay {
    pub(crate) contacts: Contacts,
    pub(crate) beam: Beam,
    /// Plies that were pressed for.
    pub(crate) pressed: usize,
    /// The last of those presses.
    pub(crate) last_press: Time,
    /// Plies of which more than one reading fits.
    pub(crate) forks: Vec<Fork>,
    pub(crate) mode: ReplayMode,
    /// Squares from which pieces have gone for good, wherever they are.
    pub(crate) away: Bitboard,
    settings: Settings,
    /// Who has the move at the checkpoint.
    first_turn: Color,
    /// What the cheapest hypothesis rests on, up to the last press.
    cost_so_far: i32,
    /// An explanation that costs more is of no use.
    limit: i32,
}

impl Replay {
    /// Stands at the checkpoint; `suspect` are the squares that the board distrusts by now.
    pub(crate) fn new(
        checkpoint: &Checkpoint,
        suspect: Bitboard,
        mode: ReplayMode,
        limit: i32,
        settings: &Settings,
    ) -> Replay {
        let start = &checkpoint.hypothesis;
        let mut contacts = checkpoint.contacts.clone();
        contacts.set_suspect(suspect);
        Replay {
            contacts,
            beam: Beam::of(start.clone()),
            pressed: 0,
            last_press: start.since,
            forks: Vec::new(),
            mode,
            away: Bitboard::EMPTY,
            settings: *settings,
            first_turn: start.pos.turn(),
            cost_so_far: 0,
            limit: limit.min(CREDIBLE),
        }
    }

    /// Takes what was told, unless that takes more than `effort`. Returns whether there is still
    /// anything to it.
    pub(crate) fn run(&mut self, entries: &[LogEntry], effort: usize) -> bool {
        let mut rest = entries;
        while let Some(entry) = rest.first()
            && self.beam.effort() <= effort
        {
            if entry.at.since(self.contacts.last_change()) > self.settings.announce_ms {
                self.beam.rest(&self.contacts, !self.mode.clockless);
            }
            rest = match entry.told {
                Logged::Change(..) => self.take_scan(rest),
                Logged::Press(by) => self.take_press(entry.at, by, &rest[1..]),
            };
            // What an explanation has cost so far is never given back.
            let spare = self.limit - self.cost_so_far;
            if self.beam.least_cost() > spare {
                return false;
            }
            if self.mode.clockless {
                self.beam.retain(|h| h.cost <= spare + RIVAL);
            }
        }
        self.beam.effort() <= effort
    }

    /// Takes the changes of one scan. Returns what was told after it.
    fn take_scan<'a>(&mut self, entries: &'a [LogEntry]) -> &'a [LogEntry] {
        let at = entries[0].at;
        let of_scan = |e: &&LogEntry| e.at == at && matches!(e.told, Logged::Change(..));
        let changes = entries.iter().take_while(of_scan).count();
        let (scan, lookahead) = entries.split_at(changes);
        self.scan(scan, lookahead);
        lookahead
    }

    /// Takes a press, where it is that of the player who has the move. Returns what was told after
    /// it.
    fn take_press<'a>(&mut self, at: Time, by: Color, lookahead: &'a [LogEntry]) -> &'a [LogEntry] {
        if by == self.turn() {
            self.press(at, by, lookahead);
        }
        lookahead
    }

    /// Who has to press next.
    fn turn(&self) -> Color {
        if self.pressed.is_multiple_of(2) {
            self.first_turn
        } else {
            !self.first_turn
        }
    }

    fn scan_window(&self) -> ScanWindow {
        ScanWindow::of(self.settings.skew_ms)
    }

    fn scan(&mut self, changes: &[LogEntry], lookahead: &[LogEntry]) {
        let changed = self.change_squares(changes);
        self.beam.take_as_read(changed, changes[0].at);
        self.go_away(changed, lookahead);
        let mut look = Look::at(changes[0].at, self.scan_window(), false);
        if self.mode.clockless {
            (look.lookahead, look.hindsight) = (lookahead, true);
        }
        self.beam.expand(&self.contacts, &look);
        if !self.mode.clockless || !self.mode.unread {
            return;
        }
        // A reply begins: the move it answers has been made, be its piece never read where it
        // stands.
        if let Some(by) = self.replying(changed, look.now) {
            look.unread = Some(!by);
            self.beam.expand(&self.contacts, &look);
        }
    }

    /// Pieces that have just left their squares and do not come back to them were put away: what
    /// those squares read says nothing any more.
    fn go_away(&mut self, changed: Bitboard, lookahead: &[LogEntry]) {
        let mut gone = changed & self.away & !self.contacts.planes().occupied();
        for entry in lookahead {
            if let Logged::Change(square, _) = entry.told {
                gone.discard(square);
            }
        }
        let cost = gone.count() as i32 * cost::LOST;
        self.beam.assume_misread(gone);
        self.beam.charge(|_| cost);
    }

    /// Applies the changes of one scan. Returns the squares that changed.
    fn change_squares(&mut self, changes: &[LogEntry]) -> Bitboard {
        let mut changed = Bitboard::EMPTY;
        for entry in changes {
            let Logged::Change(square, symbol) = entry.told else {
                continue;
            };
            let Some(ended) = self.contacts.change(entry.at, square, symbol) else {
                continue;
            };
            changed.add(square);
            let window = self.scan_window();
            self.beam
                .charge_for_stay(square, ended, &self.contacts, window);
        }
        changed
    }

    /// Whose piece was taken up by the changes of a scan, the first of them.
    fn replying(&self, changed: Bitboard, now: Time) -> Option<Color> {
        let board = self.beam.best(&self.contacts, now, false).pos.board();
        let lifted = changed & !self.contacts.planes().occupied();
        lifted.into_iter().find_map(|sq| board.color_at(sq))
    }

    fn press(&mut self, now: Time, by: Color, lookahead: &[LogEntry]) {
        let k = self.pressed + 1;
        let mut look = Look::at(now, self.scan_window(), true);
        self.beam.expand(&self.contacts, &look);
        // A press that the board explains needs no reading that came late, or never, unless this
        // board is known for them.
        let explained = !self.mode.misreads && self.is_explained(k, now);
        if !explained {
            look.lookahead = lookahead;
            look.unread = self.mode.unread.then_some(by);
            self.beam.expand(&self.contacts, &look);
        }
        // Where another capture explains it, one that nobody saw is none.
        let touched = if explained { KEEP } else { cost::OTHER_TOUCHED };
        self.beam
            .charge_for_other_victims(k - 1, &self.contacts, touched);
        self.beam.charge(|h| cost_at_press(h.steps.len(), k));
        self.begin_ply(now);
        (self.pressed, self.last_press) = (k, now);
    }

    /// A ply is complete: the hypotheses that explain it go on from there.
    fn begin_ply(&mut self, now: Time) {
        self.beam.begin_ply(&self.contacts, now);
        self.cost_so_far += self.beam.least_cost();
        self.beam.normalise();
        self.beam.retain(|h| h.cost <= KEEP);
        self.beam.keep_cheapest(MOST);
        self.forks.extend(self.beam.merge(&self.contacts, now));
    }

    /// Whether ply `k` stands on the board, to the square and at next to no cost.
    fn is_explained(&self, k: usize, now: Time) -> bool {
        let dearest = self.beam.least_cost() + OPEN;
        let explains = |h: &Hypothesis| {
            h.steps.len() >= k
                && h.total(&self.contacts, now, true) <= dearest
                && h.wrong(&self.contacts).is_empty()
        };
        self.beam.all().iter().any(explains)
    }

    /// Whether the best hypothesis explains the board as it reads, and every press, but for at most
    /// so many pieces that are read nowhere yet.
    pub(crate) fn explains(&self, now: Time, unseen: usize) -> bool {
        let best = self.beam.best(&self.contacts, now, true);
        self.is_seen(best, unseen)
            && best.total(&self.contacts, now, true) - best.cost <= OPEN
            && self.cost_so_far + best.cost <= CREDIBLE
            && best.steps.len() >= self.pressed
    }

    /// Whether every piece that is read stands where the best hypothesis has it.
    pub(crate) fn has_arrived(&self, now: Time) -> bool {
        has_arrived(self.beam.best(&self.contacts, now, true), &self.contacts)
    }

    /// What the best hypothesis costs, from the checkpoint on.
    pub(crate) fn cost(&self, now: Time) -> i32 {
        let best = self.beam.best(&self.contacts, now, true);
        self.cost_so_far + best.total(&self.contacts, now, true)
    }

    /// Whether readings of squares that the board trusts were lost by the best explanation.
    pub(crate) fn loses_readings(&self, now: Time) -> bool {
        let best = self.beam.best(&self.contacts, now, true);
        (best.misread & !self.contacts.suspect()).any()
    }

    /// What had been paid for the plies that were pressed for.
    pub(crate) fn cost_so_far(&self) -> i32 {
        self.cost_so_far
    }

    /// Every reading that was missed has come by now, or the piece has gone on: what stands is
    /// seen, where the board can see.
    fn is_seen(&self, best: &Hypothesis, unseen: usize) -> bool {
        let planes = self.contacts.planes();
        let differ = planes.differ(best.pos.board()) & best.misread & !self.contacts.suspect();
        if (differ & planes.occupied()).any() || differ.count() > unseen {
            return false;
        }
        // Whoever has it that a piece is not seen must explain everything that is.
        if differ.any() && !has_arrived(best, &self.contacts) {
            return false;
        }
        !self.mode.clockless || (!best.steps.is_empty() && has_arrived(best, &self.contacts))
    }
}

/// What a hypothesis of `plies` costs more at the press for ply `k`: the ply is not made, or others
/// were that nobody pressed for.
fn cost_at_press(plies: usize, k: usize) -> i32 {
    match plies.checked_sub(k) {
        None => cost::LOST,
        Some(unpressed) => unpressed as i32 / 2 * cost::UNPRESSED,
    }
}

/// Whether every piece that is read stands where the hypothesis has it; others may be in the hand.
pub(crate) fn has_arrived(h: &Hypothesis, contacts: &Contacts) -> bool {
    (h.wrong(contacts) & contacts.planes().occupied()).is_empty()
}

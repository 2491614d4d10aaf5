//! Time and the chess clock: the present, whose time runs, who pressed, and what players said with
//! it.

use alloc::vec::Vec;

use shakmaty::{ByColor, Color};

use crate::said::time::{Millis, Time};

/// Announcements kept at once.
const MOST_ANNOUNCEMENTS: usize = 16;

/// Presses that wait at once. No player is so many moves ahead of the sensors: of a lever that is
/// played with the first count.
const MOST_WAITING: usize = 16;

/// A press that waits for a piece still in the hand, or for a square to be read again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Press {
    pub(crate) by: Color,
    pub(crate) at: Time,
    /// When it is judged on what there is.
    pub(crate) due: Time,
    /// Whether it has been waited for a lost reading already.
    pub(crate) extended: bool,
}

impl Press {
    /// Whether nobody pressed: a rest shows that the piece was let go.
    pub(crate) fn is_inferred(&self) -> bool {
        self.due == self.at
    }
}

/// Something a player did, and when.
pub(crate) type Deed = (Color, Time);

/// The present and the chess clock.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    now: Time,
    running: Option<Color>,
    turn_start: Time,
    /// What was handled up to here is nobody's touch, where nobody presses.
    excused: Time,
    last_press: Option<Deed>,
    waiting: Vec<Press>,
    judged: Option<Time>,
    remaining: ByColor<Option<u64>>,
    fallen: ByColor<bool>,
    adjusting: Vec<Deed>,
    stray: Option<Deed>,
    stopped: Option<Deed>,
    /// When the clocks were stopped last, for whatever reason.
    last_stop: Option<Time>,
    /// When the arbiter paused the game last.
    paused: Time,
    /// How soon each player has pressed at the soonest after he took up the piece that he moved.
    soonest: ByColor<Option<Millis>>,
}

impl Clock {
    /// The game begins at `now`.
    pub(crate) fn new(now: Time) -> Clock {
        Clock {
            now,
            running: None,
            turn_start: now,
            excused: Time::ZERO,
            last_press: None,
            waiting: Vec::new(),
            judged: None,
            remaining: ByColor::default(),
            fallen: ByColor::default(),
            adjusting: Vec::new(),
            stray: None,
            stopped: None,
            last_stop: None,
            paused: now,
            soonest: ByColor::default(),
        }
    }

    pub(crate) fn now(&self) -> Time {
        self.now
    }

    /// Time passes; it never goes back.
    pub(crate) fn advance(&mut self, to: Time) {
        self.now = self.now.max(to);
    }

    /// Whose clock runs, once that is known.
    pub(crate) fn running(&self) -> Option<Color> {
        self.running
    }

    /// Who pressed last, and when.
    pub(crate) fn last_press(&self) -> Option<Deed> {
        self.last_press
    }

    /// When the player having the move got it: his touches count from here.
    pub(crate) fn turn_start(&self) -> Time {
        self.turn_start
    }

    /// Whose clock runs now, if that is known.
    pub(crate) fn run(&mut self, whose: Option<Color>) {
        self.running = whose;
    }

    /// A move was made at `made_at`, and no press completes it: what was announced before is over.
    pub(crate) fn end_adjusting(&mut self, made_at: Time) {
        self.adjusting.retain(|(_, at)| *at >= made_at);
    }

    /// From when on what is handled may be of the turn at hand: from the last press, and
    /// `unpressed`, where nobody presses, from where it was excused.
    pub(crate) fn handled_from(&self, unpressed: bool) -> Time {
        if unpressed {
            self.excused
        } else {
            self.turn_start
        }
    }

    /// Other pieces stand than when the game was stopped: what was handled until now is settled.
    pub(crate) fn excuse_handling(&mut self) {
        self.excused = self.now;
    }

    /// The arbiter pauses the game.
    pub(crate) fn note_pause(&mut self) {
        self.paused = self.now;
    }

    /// When the arbiter paused the game last.
    pub(crate) fn paused(&self) -> Time {
        self.paused
    }

    /// The player having the move got it at `start`.
    pub(crate) fn start_turn(&mut self, start: Time) {
        self.turn_start = start;
    }
}

/// Presses.
impl Clock {
    /// The lever was pressed. The press before it, as it was told.
    pub(crate) fn press(&mut self, by: Color) -> Option<Deed> {
        self.last_press.replace((by, self.now))
    }

    /// Presses that wait, oldest first.
    pub(crate) fn waiting(&self) -> &[Press] {
        &self.waiting
    }

    /// The press that has waited longest.
    pub(crate) fn first_waiting(&self) -> Option<Press> {
        self.waiting.first().copied()
    }

    /// A press begins to wait.
    pub(crate) fn wait(&mut self, press: Press) {
        if self.waiting.len() < MOST_WAITING {
            self.waiting.push(press);
        }
    }

    /// Takes the press that has waited longest; the next gets `time` of its own.
    pub(crate) fn next_waiting(&mut self, time: Millis) -> Option<Press> {
        let press = (!self.waiting.is_empty()).then(|| self.waiting.remove(0));
        if let Some(next) = self.waiting.first_mut() {
            next.due = next.due.max(self.now + time);
        }
        press
    }

    /// The press that has waited longest waits on, for a reading, until `due`.
    pub(crate) fn extend(&mut self, due: Time) {
        if let Some(first) = self.waiting.first_mut() {
            (first.due, first.extended) = (due, true);
        }
    }

    /// No press waits any more.
    pub(crate) fn stop_waiting(&mut self) {
        self.waiting.clear();
    }

    /// When the clock was pressed for the ply that is being completed.
    pub(crate) fn judged(&self) -> Option<Time> {
        self.judged
    }

    /// The ply that was pressed for at this time is being completed, or none any more.
    pub(crate) fn judge(&mut self, pressed: Option<Time>) {
        self.judged = pressed;
    }

    /// The presser's ply is complete: the opponent has the move, and the announcements that went
    /// with it are over.
    pub(crate) fn pass_move(&mut self, press: Press) {
        self.running = Some(!press.by);
        self.turn_start = press.at;
        self.adjusting
            .retain(|(who, at)| *who != press.by && *at >= press.at);
    }
}

/// What the clock tells besides.
impl Clock {
    /// The remaining time of `player` in milliseconds, where the clock told.
    pub(crate) fn remaining(&self, player: Color) -> Option<u64> {
        *self.remaining.get(player)
    }

    /// The clock tells the remaining times, where it does.
    pub(crate) fn read(&mut self, white_ms: Option<u64>, black_ms: Option<u64>) {
        self.remaining.white = white_ms.or(self.remaining.white);
        self.remaining.black = black_ms.or(self.remaining.black);
    }

    /// Whether the flag of `player` has fallen.
    pub(crate) fn has_fallen(&self, player: Color) -> bool {
        *self.fallen.get(player)
    }

    /// The flag of `player` has fallen.
    pub(crate) fn drop_flag(&mut self, player: Color) {
        *self.fallen.get_mut(player) = true;
    }
}

/// What players announce and do with the clock besides pressing it.
impl Clock {
    /// The adjustments announced in this turn.
    pub(crate) fn adjusting(&self) -> &[Deed] {
        &self.adjusting
    }

    /// A player announced that he adjusts. Of a turn's announcements the latest are kept.
    pub(crate) fn announce_adjustment(&mut self, by: Color) {
        if self.adjusting.len() == MOST_ANNOUNCEMENTS {
            self.adjusting.remove(0);
        }
        self.adjusting.push((by, self.now));
    }

    /// How soon `by` has pressed at the soonest after he took up the piece that he moved.
    pub(crate) fn soonest(&self, by: Color) -> Option<Millis> {
        *self.soonest.get(by)
    }

    /// `by` has moved a piece and pressed so long after he took it up.
    pub(crate) fn note_pace(&mut self, by: Color, took: Millis) {
        let soonest = self.soonest.get_mut(by);
        *soonest = Some(soonest.map_or(took, |so_far| so_far.min(took)));
    }

    /// An adjustment announced by the player not having the move.
    pub(crate) fn stray(&self) -> Option<Deed> {
        self.stray
    }

    /// The player not having the move announced an adjustment; the first one counts.
    pub(crate) fn announce_out_of_turn(&mut self, by: Color) {
        self.stray = self.stray.or(Some((by, self.now)));
    }

    /// Takes the announcement out of turn, to be judged.
    pub(crate) fn take_stray(&mut self) -> Option<Deed> {
        self.stray.take()
    }

    /// Clocks that were stopped for no reason that has been seen.
    pub(crate) fn stopped(&self) -> Option<Deed> {
        self.stopped
    }

    /// The clocks were stopped, by whom if it was for no reason that is seen.
    pub(crate) fn stop(&mut self, without_reason: Option<Color>) {
        self.stopped = without_reason.map(|by| (by, self.now));
        self.last_stop = Some(self.now);
    }

    /// Whether the clocks were stopped in the turn at hand: who presses then may be setting them.
    pub(crate) fn was_stopped(&self) -> bool {
        self.last_stop.is_some_and(|at| at >= self.turn_start)
    }

    /// What was said or ordered explains why the clocks were stopped.
    pub(crate) fn excuse_stop(&mut self) {
        self.stopped = None;
    }
}

//! The time of the events of one board: its own clock, continued over restarts of the board, never
//! going back.

use std::time::{Duration, Instant};

use arbiter_core::Time;
use board_driver::BoardClock;

/// How long a report is usually on its way.
const GRACE: Duration = Duration::from_millis(30);
/// How long a line may let nothing through and lose nothing: a hub, a virtual machine, a radio. A
/// board that has said nothing for longer, and that does not say either that nothing happened, is
/// taken to be silent.
const STALL: Duration = Duration::from_secs(3);
/// When a board whose clock jumps from event to event has said nothing for this long, its time may
/// pass.
const SILENCE: Duration = Duration::from_secs(1);

/// A report that is older than this when it comes is of what the board has kept, and more of that
/// is on its way: board time, in milliseconds.
const KEPT: i64 = 3_000;

/// For so long orders wait for what a board has kept.
const CATCH_UP: Duration = Duration::from_secs(2);

/// How far a tick may have gone ahead of a board whose clock jumps, in milliseconds.
const SLACK: i64 = 30_000;

/// Maps the clock of a board, which may begin again at 0 with each of its runs, onto the time of
/// events.
#[derive(Clone, Debug)]
pub(super) struct Timeline {
    /// The run of the board that `shift` is for.
    boot: Option<u16>,
    /// Added to what the board's clock shows, in milliseconds.
    shift: i64,
    /// The time of the last event.
    last: Time,
    /// Everything up to here has been told.
    told: Time,
    /// The board says it when nothing happens.
    says_so: bool,
    /// Since when what the board has kept is on its way, or may be: nothing was heard yet since it
    /// is on the line.
    behind: Option<Instant>,
    /// The board's clock and when it was last heard. `None` while the board is off the line: then
    /// time stands still.
    line: Option<(BoardClock, Instant)>,
}

impl Timeline {
    /// Goes on after an event at `last`, in the run `boot` of the board, whose clock was read with
    /// `shift`.
    pub(super) fn after(last: Time, boot: Option<u16>, shift: i64) -> Timeline {
        Timeline {
            boot,
            shift,
            last,
            told: last,
            says_so: false,
            behind: None,
            line: None,
        }
    }

    /// The time of the last event.
    pub(super) fn last(&self) -> Time {
        self.last
    }

    /// Added to what the board's clock shows.
    pub(super) fn shift(&self) -> i64 {
        self.shift
    }

    /// What the time is now, as the time of an event.
    pub(super) fn now(&self, now: Instant) -> Time {
        self.estimate(now).max(self.last)
    }

    /// Goes on with another game, whose last event was at `last` and whose time it is at `time`.
    pub(super) fn go_on(&mut self, last: Time, time: Time, now: Instant) {
        let shown = self.estimate(now);
        self.shift = self.shift.saturating_add(signed(time) - signed(shown));
        (self.last, self.told) = (last, last);
    }

    /// The board is on the line, in its run `boot`.
    pub(super) fn up(&mut self, boot: u16, clock: BoardClock, now: Instant) {
        let shown = signed(clock.at(now));
        // Numbers of runs may repeat; a clock that is far behind what it has shown was started anew
        // all the same.
        let is_ahead = shown.saturating_add(self.shift).saturating_add(SLACK) >= signed(self.last);
        let goes_on = self.boot.is_none_or(|known| known == boot) && is_ahead;
        if !goes_on {
            // All evidence of the new run lies after the old one's, also what the board repeats
            // from its start.
            self.shift =
                signed(self.last + 1).max(signed(self.estimate(now)).saturating_sub(shown));
        }
        self.boot = Some(boot);
        (self.says_so, self.behind) = (false, Some(now));
        self.line = Some((clock, now));
    }

    /// Something was heard of the board.
    pub(super) fn heard(&mut self, clock: BoardClock, now: Instant) {
        self.line = Some((clock, now));
    }

    /// The board is off the line, or something it said is missing. What happens there is unknown
    /// until its next report, so nothing may be made of its silence.
    pub(super) fn stop(&mut self) {
        self.line = None;
    }

    /// The board says that everything before `shown` has been told.
    pub(super) fn assured(&mut self, shown: Time) {
        self.says_so = true;
        self.report(shown);
    }

    /// The time of a report that the board dates `shown`. Everything before it has been told.
    pub(super) fn report(&mut self, shown: Time) -> Time {
        let dated = self.mapped(shown);
        self.behind = self.line.and_then(|(clock, heard)| {
            let age = signed(self.mapped(clock.at(heard))).saturating_sub(signed(dated));
            (age > KEPT).then(|| self.behind.unwrap_or(heard))
        });
        self.told = self.last.max(dated);
        self.told
    }

    /// The time of an event that the board dates `shown`.
    pub(super) fn event(&mut self, shown: Time) -> Time {
        self.last = self.report(shown);
        self.last
    }

    /// The time of something declared now. It stays behind reports that may be on their way, each
    /// of which has its own time: where the board says up to when it has told everything, and while
    /// it sends what it has kept, behind all of them.
    pub(super) fn declared(&mut self, now: Instant) -> Time {
        let settled = match self.says_so || self.is_behind(now) {
            true => self.told,
            false => self.estimate(now.checked_sub(GRACE).unwrap_or(now)),
        };
        self.last = self.last.max(settled);
        self.last
    }

    /// Whether what the board has kept may still be on its way: not once nothing came for longer
    /// than any line stalls.
    fn is_behind(&self, now: Instant) -> bool {
        let comes = |(_, heard): (BoardClock, Instant)| now < heard + STALL;
        self.behind.is_some() && self.line.is_some_and(comes)
    }

    /// Until when an order that comes now waits: what the board has kept was played before it.
    pub(super) fn waits(&self, now: Instant) -> Option<Instant> {
        let until = self.line.and(self.behind)?.checked_add(CATCH_UP)?;
        (now < until).then_some(until)
    }

    /// The time of a tick just after `wake`.
    pub(super) fn tick(&mut self, wake: Time) -> Time {
        self.last = self.last.max(wake + 1);
        self.last
    }

    /// When the board's time is surely past `wake`, with nothing on its way from before that: it
    /// has said so, or nothing was heard for longer than any line stalls. `None` while that cannot
    /// be known.
    pub(super) fn passes(&self, wake: Time) -> Option<Instant> {
        let (clock, heard) = self.line?;
        if self.told > wake {
            return Some(heard);
        }
        let shown = signed(wake + 1)
            .saturating_sub(self.shift)
            .max(0)
            .unsigned_abs();
        match clock.when(Time(shown)) {
            // What was held up comes bit by bit: as long as anything comes, more may.
            Some(moment) => moment.max(heard).checked_add(STALL),
            None => heard.checked_add(SILENCE),
        }
    }

    /// What the board's clock shows at `now`, as the time of an event.
    fn estimate(&self, now: Instant) -> Time {
        self.line
            .map_or(self.last, |(clock, _)| self.mapped(clock.at(now)))
    }

    fn mapped(&self, shown: Time) -> Time {
        Time(
            signed(shown)
                .saturating_add(self.shift)
                .max(0)
                .unsigned_abs(),
        )
    }
}

/// Board times are far below the limits of `i64`; one that is not is cut, not wrapped.
fn signed(time: Time) -> i64 {
    i64::try_from(time.0).unwrap_or(i64::MAX / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_restarted_board_goes_on_after_its_old_run() {
        let now = Instant::now();
        let mut line = Timeline::after(Time(0), None, 0);
        line.up(7, BoardClock::new(now, Time(5_000), 1.0), now);
        assert_eq!(line.event(Time(6_000)), Time(6_000));
        line.stop();
        line.up(8, BoardClock::new(now, Time(40), 1.0), now + ms(900));
        assert!(line.event(Time(10)) > Time(6_000));
        assert_eq!(line.event(Time(20)).since(line.last), 0);
        let (first, second) = (line.event(Time(30)), line.event(Time(50)));
        assert_eq!(second.since(first), 20, "distances stay what they were");
    }

    #[test]
    fn the_same_run_keeps_its_shift_over_a_restart_of_the_program() {
        let now = Instant::now();
        let mut line = Timeline::after(Time(6_000), Some(3), 1_000);
        line.up(3, BoardClock::new(now, Time(5_500), 1.0), now);
        assert_eq!(
            line.event(Time(5_200)),
            Time(6_200),
            "sent again after the restart"
        );
    }

    #[test]
    fn time_never_goes_back() {
        let now = Instant::now();
        let mut line = Timeline::after(Time(0), None, 0);
        line.up(1, BoardClock::new(now, Time(100), 1.0), now);
        assert_eq!(line.event(Time(500)), Time(500));
        assert_eq!(line.event(Time(400)), Time(500));
        assert_eq!(line.tick(Time(800)), Time(801));
        assert_eq!(line.event(Time(790)), Time(801));
    }

    #[test]
    fn silence_counts_when_the_board_says_so_or_after_any_stall() {
        let now = Instant::now();
        let mut line = Timeline::after(Time(0), None, 0);
        assert_eq!(line.passes(Time(300)), None);
        line.up(1, BoardClock::new(now, Time(0), 20.0), now);
        let wait = line.passes(Time(1_999)).unwrap().duration_since(now);
        assert_eq!(wait, ms(100) + STALL);
        line.heard(BoardClock::new(now, Time(0), 20.0), now + ms(1_500));
        let wait = line.passes(Time(1_999)).unwrap().duration_since(now);
        assert_eq!(wait, ms(1_500) + STALL, "it still speaks");
        line.heard(BoardClock::new(now, Time(0), 20.0), now);
        line.report(Time(2_500));
        assert_eq!(
            line.passes(Time(1_999)),
            Some(now),
            "the board has said that nothing else happened"
        );
        line.stop();
        assert_eq!(line.passes(Time(300)), None);
    }

    #[test]
    fn a_board_without_pace_must_fall_silent() {
        let now = Instant::now();
        let mut line = Timeline::after(Time(0), None, 0);
        line.up(1, BoardClock::new(now, Time(0), 0.0), now);
        assert_eq!(line.passes(Time(10)), Some(now + SILENCE));
    }

    #[test]
    fn orders_leave_their_times_to_what_a_board_has_kept() {
        let now = Instant::now();
        let soon = now + ms(100);
        let mut line = Timeline::after(Time(6_000), Some(3), 0);
        assert_eq!(line.waits(now), None, "for nobody");
        line.up(3, BoardClock::new(now, Time(130_000), 1.0), now);
        assert_eq!(line.waits(soon), Some(now + CATCH_UP));
        assert_eq!(line.declared(soon), Time(6_000), "nothing came yet");
        let mut silent = line.clone();
        assert_eq!(silent.declared(now + ms(3_030)), Time(133_000), "nor will");
        assert_eq!(line.event(Time(7_000)), Time(7_000));
        assert_eq!(line.waits(now + CATCH_UP), None, "and not for ever");
        assert_eq!(line.declared(soon), Time(7_000), "more will come");
        assert_eq!(line.event(Time(129_000)), Time(129_000));
        assert_eq!(line.waits(soon), None);
        assert_eq!(line.declared(now + ms(130)), Time(130_100));
    }

    #[test]
    fn declarations_stay_behind_what_may_be_on_its_way() {
        let now = Instant::now();
        let mut line = Timeline::after(Time(0), None, 0);
        line.up(1, BoardClock::new(now, Time(1_000), 1.0), now);
        assert_eq!(line.event(Time(900)), Time(900));
        assert_eq!(line.declared(now + ms(530)), Time(1_500));
        line.assured(Time(1_600));
        assert_eq!(
            line.declared(now + ms(1_700)),
            Time(1_600),
            "what happened since may be on its way for as long as a line stalls"
        );
        line.up(1, BoardClock::new(now, Time(1_000), 1.0), now);
        line.stop();
        assert_eq!(
            line.declared(now + ms(9_000)),
            Time(1_600),
            "off the line, time stands still"
        );
    }
}

//! A simulated board without its line: a device, a clock, and a script for hands.

use std::iter::Peekable;
use std::time::{Duration, Instant};

use super::SimConfig;
use crate::device::{AHEAD, Device, Moment};
use crate::event::{BoardEvent, Report};

/// How much longer a board stays when its host has not heard all.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a moment at which nothing happens lasts on a board whose clock jumps: who waits, waits
/// in the world.
const MOMENT: Duration = Duration::from_millis(50);

/// When a board that has nothing to do is looked at again.
const IDLE: Duration = Duration::from_secs(1);

/// A board that plays a script of [`BoardEvent`]s. The script's times begin at 0 with the game.
///
/// The game starts when a host has heard what stands on the board. `Changes`, `Snapshot`, `Press`,
/// `Adjust` are played; `Alive` is a moment at which nothing happens; anything else is no doing of
/// hands and is skipped.
#[derive(Debug)]
pub struct BoardSim<I: Iterator<Item = BoardEvent>> {
    device: Box<dyn Device>,
    script: Peekable<I>,
    pace: f64,
    linger: Duration,
    powered: Instant,
    /// When the game started.
    started: Option<Instant>,
    /// The board's time less the script's, in milliseconds.
    offset: i64,
    /// What the clock last showed; it never goes back.
    shown: u32,
    /// When it showed that.
    shown_at: Instant,
    /// What was played last is that nothing happened.
    rests: bool,
}

impl<I: Iterator<Item = BoardEvent>> BoardSim<I> {
    /// A board just switched on. `Err` says what cannot be.
    pub fn new(
        config: &SimConfig,
        boot: u16,
        now: Instant,
        script: I,
    ) -> Result<BoardSim<I>, String> {
        let profile = config.kind.profile();
        if !(0.0..=1e6).contains(&config.pace) {
            return Err(format!("speed {}: from 0 to 1000000", config.pace));
        }
        if config.pace == 0.0 && !profile.tells_time {
            let why = "tells no time, so its host takes the world's: choose a speed above 0";
            return Err(format!("speed 0: a {} board {why}", profile.title));
        }
        Ok(BoardSim {
            device: (profile.simulator.device)(&config.device(boot), now)?,
            script: script.peekable(),
            pace: f64::from(config.pace),
            linger: config.linger,
            powered: now,
            started: None,
            offset: 0,
            shown: 0,
            shown_at: now,
            rests: false,
        })
    }

    /// Bytes came from the host.
    pub fn receive(&mut self, now: Instant, bytes: &[u8]) {
        let at = self.moment(now);
        self.device.receive(at, bytes);
    }

    /// The next frame for the host.
    pub fn next_frame(&mut self, now: Instant) -> Option<Vec<u8>> {
        let at = self.moment(now);
        self.device.next_frame(at)
    }

    /// When [`BoardSim::wake`] is to be called.
    pub fn next_wake(&mut self) -> Instant {
        let event = match self.started {
            None if self.device.is_ready() && self.device.is_drained() => Some(self.shown_at),
            _ => self.next_event().or_else(|| self.end()),
        };
        let device = self.device.next_wake();
        event
            .into_iter()
            .chain(device)
            .min()
            .unwrap_or_else(|| Instant::now() + IDLE)
    }

    /// Plays what is due.
    pub fn wake(&mut self, now: Instant) {
        if self.started.is_none() && self.device.is_ready() && self.device.is_drained() {
            self.started = Some(now);
            self.offset = if self.jumps() {
                0
            } else {
                i64::from(self.clock(now))
            };
        }
        while self.next_event().is_some_and(|due| due <= now) {
            let Some(event) = self.script.next() else {
                break;
            };
            self.play(now, &event);
        }
        if self.device.next_wake().is_some_and(|due| due <= now) {
            let at = self.moment(now);
            self.device.wake(at);
        }
    }

    /// Loses its power and comes back: nothing is remembered, the squares are read anew, the game
    /// goes on.
    pub fn reboot(&mut self, now: Instant) {
        let since_start = self
            .started
            .map_or(0, |_| i64::from(self.clock(now)) - self.offset);
        (self.powered, self.shown, self.shown_at) = (now, 0, now);
        self.offset = -since_start;
        self.device.reboot(Moment { now, ms: 0 });
    }

    /// Whether it has gone into its boot loader.
    pub fn is_in_loader(&self) -> bool {
        self.device.is_in_loader()
    }

    /// An image was given to its boot loader.
    pub fn flash(&mut self, now: Instant, firmware: &'static str) {
        let at = self.moment(now);
        self.device.flash(at, firmware);
    }

    /// Whether the script is over, and was for as long as the board is to stay.
    pub fn is_finished(&mut self, now: Instant) -> bool {
        self.end().is_some_and(|end| now >= end)
    }

    /// When the board has stayed long enough, once everything is played and said.
    fn end(&mut self) -> Option<Instant> {
        let over =
            self.started.is_some() && self.script.peek().is_none() && self.device.is_drained();
        let patience = if self.device.unacknowledged() == 0 {
            Duration::ZERO
        } else {
            PATIENCE
        };
        over.then_some(self.shown_at + self.linger + patience)
    }

    /// Whether a host has heard what stands on the board, so that the game has started.
    pub fn is_heard(&self) -> bool {
        self.started.is_some()
    }

    /// The lamps the host wants lit: bit 0 is a1.
    pub fn lamps(&self) -> u64 {
        self.device.lamps()
    }

    fn play(&mut self, now: Instant, event: &BoardEvent) {
        let due = i64::try_from(event.at.0)
            .unwrap_or(i64::MAX)
            .saturating_add(self.offset)
            .max(0) as u32;
        // A request may have been answered a moment after this was due: time never goes back.
        self.shown = self.shown.max(due);
        (self.shown_at, self.rests) = (now, matches!(event.report, Report::Alive));
        if !matches!(event.report, Report::Hello(_) | Report::Lost { .. }) {
            self.device.happen(
                Moment {
                    now,
                    ms: self.shown,
                },
                &event.report,
            );
        }
    }

    /// When the next event is due. A jumping clock waits for nothing but the line.
    fn next_event(&mut self) -> Option<Instant> {
        let started = self.started?;
        let at = self.script.peek()?.at.0 as f64;
        if self.jumps() {
            let rest = if self.rests { MOMENT } else { Duration::ZERO };
            return (self.device.is_drained() && self.device.unacknowledged() < AHEAD)
                .then_some(self.shown_at + rest);
        }
        started.checked_add(Duration::try_from_secs_f64(at / self.pace / 1000.0).ok()?)
    }

    fn jumps(&self) -> bool {
        self.pace <= 0.0
    }

    fn moment(&mut self, now: Instant) -> Moment {
        Moment {
            now,
            ms: self.clock(now),
        }
    }

    /// What the board's clock shows now.
    fn clock(&mut self, now: Instant) -> u32 {
        let millis = |since: Instant, pace: f64| {
            (now.saturating_duration_since(since).as_secs_f64() * 1000.0 * pace) as u32
        };
        if !self.jumps() {
            self.shown = self.shown.max(millis(self.powered, self.pace));
        } else if self.started.is_some() && self.script.peek().is_none() {
            // After the last event there is nothing to jump to: time passes as everywhere.
            return self.shown.saturating_add(millis(self.shown_at, 1.0));
        }
        self.shown
    }
}

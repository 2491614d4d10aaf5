//! A simulated board without its line: the same device code that firmware uses, with a script for hands.

use std::iter::Peekable;
use std::time::{Duration, Instant};

use board_wire::device::{Device, HEARTBEAT_AFTER_EVIDENCE_MS, HEARTBEAT_MS, Identity};
use board_wire::{Capabilities, Frame, Serial, ToBoard};

use super::SimConfig;
use crate::event::{BoardEvent, Report};
use crate::map;

/// Bytes in which evidence is kept: some 800 changes.
const RING: usize = 16 * 1024;

/// A board whose clock jumps goes no further ahead of its host than this: it must be able to repeat itself.
const AHEAD: u32 = 100;

/// Between two heartbeats.
const HEARTBEAT: Duration = Duration::from_millis(HEARTBEAT_MS as u64);

/// Between two heartbeats while a jumping clock waits for its host.
const REMINDER: Duration = Duration::from_millis(20);

/// How much longer a board stays when its host has not heard all.
const PATIENCE: Duration = Duration::from_secs(10);

/// A board that plays a script of [`BoardEvent`]s. The script's times begin at 0 with the game.
///
/// The game starts when a host has taken hello and snapshot. `Changes`, `Snapshot`, `Press`, `Adjust` are played;
/// `Alive` is a moment at which nothing happens; anything else is no doing of hands and is skipped.
#[derive(Debug)]
pub struct BoardSim<I: Iterator<Item = BoardEvent>> {
    device: Device<RING>,
    identity: Identity,
    script: Peekable<I>,
    pace: f64,
    linger: Duration,
    host: Host,
    powered: Instant,
    /// When the game started.
    started: Option<Instant>,
    /// The board's time less the script's, in milliseconds.
    offset: i64,
    /// What the clock last showed; it never goes back.
    shown: u32,
    /// When it showed that.
    shown_at: Instant,
    heartbeat: Instant,
}

/// How far the host has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Host {
    Absent,
    TookHello,
    Ready,
}

impl<I: Iterator<Item = BoardEvent>> BoardSim<I> {
    /// A board just switched on. `Err` says what cannot be.
    pub fn new(config: &SimConfig, boot: u16, now: Instant, script: I) -> Result<BoardSim<I>, String> {
        let identity = identity(config, boot)?;
        let squares = map::wire_reading(&config.squares);
        Ok(BoardSim {
            device: Device::new(identity, 0, squares),
            identity,
            script: script.peekable(),
            pace: f64::from(config.pace),
            linger: config.linger,
            host: Host::Absent,
            powered: now,
            started: None,
            offset: 0,
            shown: 0,
            shown_at: now,
            heartbeat: now,
        })
    }

    /// Bytes came from the host.
    pub fn receive(&mut self, now: Instant, bytes: &[u8]) {
        let (ms, host) = (self.clock(now), &mut self.host);
        self.device.receive(ms, bytes, |message| match (message, *host) {
            (ToBoard::RequestHello, Host::Absent) => *host = Host::TookHello,
            (ToBoard::RequestSnapshot, Host::TookHello) => *host = Host::Ready,
            _ => {}
        });
    }

    /// The next frame for the host.
    pub fn next_frame(&mut self, now: Instant) -> Option<Frame> {
        let ms = self.clock(now);
        self.device.next_frame(ms)
    }

    /// When [`BoardSim::wake`] is to be called.
    pub fn next_wake(&mut self) -> Instant {
        let event = match (self.started, self.host) {
            (None, Host::Ready) if self.device.is_drained() => Some(self.shown_at),
            _ => self.next_event().or_else(|| self.end()),
        };
        event.map_or(self.heartbeat, |event| event.min(self.heartbeat))
    }

    /// Plays what is due.
    pub fn wake(&mut self, now: Instant) {
        if self.started.is_none() && self.host == Host::Ready && self.device.is_drained() {
            self.started = Some(now);
            self.offset = if self.jumps() { 0 } else { i64::from(self.clock(now)) };
        }
        while self.next_event().is_some_and(|due| due <= now) {
            let Some(event) = self.script.next() else { break };
            self.play(now, event);
            self.heartbeat = self.heartbeat.min(now + self.after_evidence());
        }
        if now >= self.heartbeat {
            self.device.heartbeat();
            self.heartbeat = now + if self.device.unacknowledged() < AHEAD { HEARTBEAT } else { REMINDER };
        }
    }

    /// Loses its power and comes back: nothing is remembered, the squares are read anew, the game goes on.
    pub fn reboot(&mut self, now: Instant) {
        let since_start = self.started.map_or(0, |_| i64::from(self.clock(now)) - self.offset);
        self.identity.boot = self.identity.boot.wrapping_add(1);
        self.device = Device::new(self.identity, 0, *self.device.squares());
        (self.powered, self.heartbeat) = (now, now);
        (self.shown, self.shown_at) = (0, now);
        self.offset = -since_start;
    }

    /// Whether the script is over, and was for as long as the board is to stay.
    pub fn is_finished(&mut self, now: Instant) -> bool {
        self.end().is_some_and(|end| now >= end)
    }

    /// When the board has stayed long enough, once everything is played and said.
    fn end(&mut self) -> Option<Instant> {
        let over = self.started.is_some() && self.script.peek().is_none() && self.device.is_drained();
        let patience = if self.device.unacknowledged() == 0 { Duration::ZERO } else { PATIENCE };
        over.then_some(self.shown_at + self.linger + patience)
    }

    /// Whether a host has taken hello and snapshot, so that the game has started.
    pub fn is_heard(&self) -> bool {
        self.started.is_some()
    }

    /// The lamps the host wants lit: bit 0 is a1.
    pub fn lamps(&self) -> u64 {
        self.device.lamps()
    }

    fn play(&mut self, now: Instant, event: BoardEvent) {
        let due = i64::try_from(event.at.0).unwrap_or(i64::MAX).saturating_add(self.offset).max(0) as u32;
        // A request may have been answered a moment after this was due: time never goes back.
        self.shown = self.shown.max(due);
        self.shown_at = now;
        let ms = self.shown;
        match event.report {
            Report::Changes(changes) => self.device.change(ms, &map::wire_changes(&changes)),
            Report::Snapshot(reading) => {
                self.device.set_squares(map::wire_reading(&reading));
                self.device.snapshot(ms);
            }
            Report::Press { by, white_ms, black_ms } => {
                let [white, black] = [white_ms, black_ms].map(|left| left.and_then(|left| left.try_into().ok()));
                self.device.press(ms, map::wire_side(by), white, black);
            }
            Report::Adjust { by } => self.device.adjust(ms, map::wire_side(by)),
            Report::Alive => self.device.heartbeat(),
            Report::Hello(_) | Report::Lost { .. } => {}
        }
    }

    /// When the next event is due. A jumping clock waits for nothing but the line.
    fn next_event(&mut self) -> Option<Instant> {
        let started = self.started?;
        let at = self.script.peek()?.at.0 as f64;
        if self.jumps() {
            return (self.device.is_drained() && self.device.unacknowledged() < AHEAD).then_some(self.shown_at);
        }
        started.checked_add(Duration::try_from_secs_f64(at / self.pace / 1000.0).ok()?)
    }

    /// When a heartbeat is due after evidence: scaled like everything, and soon where a jumping clock waits for the ack.
    fn after_evidence(&self) -> Duration {
        let scale = if self.jumps() { 50.0 } else { self.pace.max(1.0) };
        Duration::from_millis(u64::from(HEARTBEAT_AFTER_EVIDENCE_MS)).div_f64(scale)
    }

    fn jumps(&self) -> bool {
        self.pace <= 0.0
    }

    /// What the board's clock shows now.
    fn clock(&mut self, now: Instant) -> u32 {
        let millis =
            |since: Instant, pace: f64| (now.saturating_duration_since(since).as_secs_f64() * 1000.0 * pace) as u32;
        if !self.jumps() {
            self.shown = self.shown.max(millis(self.powered, self.pace));
        } else if self.started.is_some() && self.script.peek().is_none() {
            // After the last event there is nothing to jump to: time passes as everywhere.
            return self.shown.saturating_add(millis(self.shown_at, 1.0));
        }
        self.shown
    }
}

fn identity(config: &SimConfig, boot: u16) -> Result<Identity, String> {
    let serial = Serial::new(config.serial.as_bytes())
        .ok_or_else(|| format!("serial number `{}`: at most 32 printable ASCII characters", config.serial))?;
    if !(0.0..=1e6).contains(&config.pace) {
        return Err(format!("speed {}: from 0 to 1000000", config.pace));
    }
    let capabilities = Capabilities::default()
        .with(Capabilities::CLOCK, config.clock)
        .with(Capabilities::LAMPS, config.lamps)
        .with(Capabilities::ADJUST, config.adjust)
        .with(Capabilities::POLLED, config.polled);
    let pace = (config.pace * 1000.0).round() as u32;
    Ok(Identity { boot, serial, sensor: map::wire_sensor(config.sensor), capabilities, pace })
}

//! A simulated native board: the same device code that firmware uses.

use std::time::{Duration, Instant};

use board_wire::device::{
    self, HEARTBEAT_AFTER_EVIDENCE_MS, HEARTBEAT_MS, Identity, heartbeat_after,
};
use board_wire::{Aside, Capabilities, Ring, Serial, Symbol, ToBoard, Trouble, TroubleCode};

use super::analogue::Analogue;
use super::bench::{Bench, moved_by};
use super::end::AHEAD;
use super::wire;

use super::{Device, DeviceConfig, Moment};
use crate::condition::Condition;
use crate::event::Report;

/// Bytes in which evidence is kept: some 800 changes.
const RING: usize = 16 * 1024;

/// Between two heartbeats.
const HEARTBEAT: Duration = Duration::from_millis(HEARTBEAT_MS as u64);

/// Between two heartbeats while a jumping clock waits for its host.
const REMINDER: Duration = Duration::from_millis(20);

/// The board's end of the native protocol.
#[derive(Debug)]
struct Native {
    device: device::Device<Ring<RING>>,
    identity: Identity,
    condition: Condition,
    /// Its sensors, if they are analogue.
    analogue: Option<Analogue>,
    /// What it has for the bench.
    bench: Option<Bench>,
    pace: f64,
    /// A host has heard who the board is, and has asked how it stands.
    ready: bool,
    heartbeat: Instant,
    /// How long before that the last one was, or evidence, in milliseconds of the board's clock.
    pause: u32,
}

/// A native board just switched on. `Err` says what cannot be.
pub(crate) fn native(config: &DeviceConfig, now: Instant) -> Result<Box<dyn Device>, String> {
    let identity = identity(config)?;
    let bench = config.bench.clone().map(Bench::new);
    let squares = seen(bench.as_ref(), &wire::reading(&config.squares));
    let device = device::Device::new(identity, 0, squares);
    let pace = f64::from(config.pace);
    let analogue = config.levels.then(|| Analogue::new(&config.squares));
    let condition = Condition::default();
    Ok(Box::new(Native {
        device,
        identity,
        condition,
        analogue,
        bench,
        pace,
        ready: false,
        heartbeat: now,
        pause: HEARTBEAT_MS,
    }))
}

impl Native {
    /// Its sensors are as good or as bad as that from now on.
    fn become_so(&mut self, condition: Condition) {
        self.condition = condition;
        self.device.health(wire::health(&condition));
    }

    /// Evidence was given out at `now`: heartbeats follow it soon.
    fn follow_evidence(&mut self, now: Instant) {
        self.pause = HEARTBEAT_AFTER_EVIDENCE_MS;
        self.heartbeat = self.heartbeat.min(now + self.until_heartbeat());
    }

    /// How long until the next heartbeat, which is due after `pause`. After evidence that is scaled
    /// like everything, and soon where a jumping clock waits for the ack.
    fn until_heartbeat(&self) -> Duration {
        if self.pause >= HEARTBEAT_MS {
            return HEARTBEAT;
        }
        let scale = if self.pace <= 0.0 {
            50.0
        } else {
            self.pace.max(1.0)
        };
        Duration::from_millis(u64::from(self.pause)).div_f64(scale)
    }
}

impl Device for Native {
    fn happen(&mut self, Moment { now, ms }: Moment, report: &Report) {
        match report {
            Report::Changes(changes) => {
                for (square, seen) in changes {
                    self.analogue
                        .iter_mut()
                        .for_each(|sensors| sensors.read(*square, *seen));
                }
                let mut changes = wire::changes(changes);
                if let Some(bench) = &self.bench {
                    let seen = bench.seen_as();
                    changes
                        .iter_mut()
                        .for_each(|(square, _)| *square = seen.of(*square));
                }
                self.device.change(ms, &changes);
            }
            Report::Snapshot(reading) => {
                self.analogue
                    .iter_mut()
                    .for_each(|sensors| sensors.read_all(reading));
                let squares = seen(self.bench.as_ref(), &wire::reading(reading));
                self.device.set_squares(squares);
                self.device.snapshot(ms);
            }
            Report::Press {
                by,
                white_ms,
                black_ms,
            } => {
                let [white, black] =
                    [white_ms, black_ms].map(|left| left.and_then(|left| left.try_into().ok()));
                self.device.press(ms, wire::side(*by), white, black);
            }
            Report::Adjust { by } => self.device.adjust(ms, wire::side(*by)),
            Report::Alive => self.device.heartbeat(),
            Report::Condition(condition) => self.become_so(*condition),
            Report::Levels(levels) => self
                .analogue
                .iter_mut()
                .for_each(|sensors| sensors.set(*levels)),
            // Its language has no words for what else a clock does.
            Report::FlagFall { .. } | Report::ClockRuns(_) => {}
            Report::Hello(_)
            | Report::Lost { .. }
            | Report::Firmware(_)
            | Report::Map(_)
            | Report::Tested(_) => {}
        }
        self.follow_evidence(now);
    }

    fn receive(&mut self, at: Moment, bytes: &[u8]) {
        // A host that only wants to know who is there asks for no snapshot.
        let mut told = Vec::new();
        self.device
            .receive(at.ms, bytes, |message| told.push(message));
        if told.contains(&ToBoard::RequestSnapshot) {
            self.ready = true;
            self.follow_evidence(at.now);
        }
        if let Some(bench) = &mut self.bench {
            told.iter()
                .for_each(|order| bench.hear(at.ms, *order, &mut self.device));
        }
        let Some(sensors) = &mut self.analogue else {
            return;
        };
        if told.contains(&ToBoard::Calibrate) {
            sensors.calibrate();
            if self.condition.trouble.code == TroubleCode::NOT_CALIBRATED {
                self.become_so(Condition {
                    trouble: Trouble::NONE,
                    ..self.condition
                });
            }
        } else if told.contains(&ToBoard::RequestLevels) {
            sensors.ask();
        }
    }

    fn next_frame(&mut self, at: Moment) -> Option<Vec<u8>> {
        self.analogue
            .iter_mut()
            .for_each(|sensors| sensors.tell(|levels| self.device.say(Aside::Levels(levels))));
        self.bench
            .iter_mut()
            .for_each(|bench| bench.tell(&mut self.device));
        self.device
            .next_frame(at.ms)
            .map(|frame| frame.as_bytes().to_vec())
    }

    fn next_wake(&self) -> Option<Instant> {
        Some(self.heartbeat)
    }

    fn wake(&mut self, at: Moment) {
        if at.now >= self.heartbeat {
            self.device.heartbeat();
            self.pause = heartbeat_after(self.pause);
            self.heartbeat = at.now
                + if self.device.unacknowledged() < AHEAD {
                    self.until_heartbeat()
                } else {
                    REMINDER
                };
        }
    }

    fn is_ready(&self) -> bool {
        self.ready
    }

    fn is_drained(&self) -> bool {
        self.device.is_drained()
    }

    fn unacknowledged(&self) -> u32 {
        self.device.unacknowledged()
    }

    fn reboot(&mut self, at: Moment) {
        self.identity.boot = self.identity.boot.wrapping_add(1);
        self.device = device::Device::new(self.identity, 0, *self.device.squares());
        self.become_so(self.condition);
        (self.heartbeat, self.pause) = (at.now, HEARTBEAT_MS);
    }

    fn is_in_loader(&self) -> bool {
        self.bench.as_ref().is_some_and(Bench::is_in_loader)
    }

    fn flash(&mut self, at: Moment, firmware: &'static str) {
        if let Some(bench) = &mut self.bench {
            bench.flash(firmware);
            self.identity.firmware = firmware;
            self.reboot(at);
        }
    }

    fn lamps(&self) -> u64 {
        self.device.lamps()
    }
}

/// What a board takes its squares for.
fn seen(bench: Option<&Bench>, squares: &[Symbol; 64]) -> [Symbol; 64] {
    bench.map_or(*squares, |bench| moved_by(&bench.seen_as(), squares))
}

fn identity(config: &DeviceConfig) -> Result<Identity, String> {
    let serial = Serial::new(config.serial.as_bytes()).ok_or_else(|| {
        format!(
            "serial number `{}`: at most 32 printable ASCII characters",
            config.serial
        )
    })?;
    let capabilities = Capabilities::default()
        .with(Capabilities::CLOCK, config.clock)
        .with(Capabilities::LAMPS, config.lamps)
        .with(Capabilities::ADJUST, config.adjust)
        .with(Capabilities::POLLED, config.polled)
        .with(Capabilities::LEVELS, config.levels)
        .with(Capabilities::LOADER, config.bench.is_some())
        .with(Capabilities::MAP, config.bench.is_some())
        .with(Capabilities::SELF_TEST, config.bench.is_some());
    let pace = (config.pace * 1000.0).round() as u32;
    Ok(Identity {
        boot: config.boot,
        serial,
        sensor: wire::sensor(config.sensor),
        capabilities,
        pace,
        // Else it is not a firmware, and tells none.
        firmware: config
            .bench
            .as_ref()
            .map_or("", |fittings| fittings.firmware),
    })
}

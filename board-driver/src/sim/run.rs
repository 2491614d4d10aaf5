//! The loop of a simulated board: its pseudo-terminal, its clock, and whoever pulls its plug.

use std::io;
use std::time::Instant;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::sync::mpsc;

use super::pty::Pty;
use super::{BoardSim, LineNoise, NoisyLine, SimConfig};
use crate::event::BoardEvent;

/// Bytes on their way to the host at most. The rest waits in the board, where it can still be
/// counted.
const ON_THE_WAY: usize = 512;

/// What can be done to a simulated board while it plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Control {
    /// It loses its power for a moment.
    Reboot,
    /// It stops in the middle of a frame, and is deaf and dumb until it loses its power. Its
    /// squares go on.
    Hang,
    /// Its plug is pulled: the port vanishes. The board plays on.
    Unplug,
    /// It is plugged in again, at the same path.
    Replug,
    /// The line gets better or worse.
    Noise(LineNoise),
    /// It is switched off, whatever is still to be played.
    SwitchOff,
}

/// How it went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SimReport {
    /// Frames given to the line.
    pub frames: u64,
    /// Frames, of both directions, that the line harmed.
    pub harmed: u64,
    /// The lamps lit at the end: bit 0 is a1.
    pub lamps: u64,
}

/// A board on a pseudo-terminal.
#[derive(Debug)]
pub struct SimulatedBoard {
    config: SimConfig,
    pty: Option<Pty>,
    boot: u16,
}

impl SimulatedBoard {
    /// Switches a board on. Its port can be opened when this returns. Needs a tokio runtime with
    /// I/O and time.
    ///
    /// # Errors
    /// When no pseudo-terminal can be had, or the path cannot be linked.
    pub fn create(config: SimConfig) -> io::Result<SimulatedBoard> {
        let pty = Some(Pty::open(&config.link)?);
        Ok(SimulatedBoard {
            config,
            pty,
            boot: boot_number(),
        })
    }

    /// Plays `script` as soon as a host has taken hello and snapshot, and returns when it is over
    /// and the board has lingered. Its port vanishes then.
    ///
    /// # Errors
    /// When the configuration is impossible, or the pseudo-terminal fails.
    pub async fn play(
        mut self,
        script: impl IntoIterator<Item = BoardEvent>,
        mut controls: mpsc::Receiver<Control>,
    ) -> io::Result<SimReport> {
        let sim = BoardSim::new(&self.config, self.boot, Instant::now(), script.into_iter());
        let mut sim = sim.map_err(|text| io::Error::new(io::ErrorKind::InvalidInput, text))?;
        let mut noisy = NoisyLine::new(self.config.noise);
        let mut report = SimReport::default();
        let (mut sending, mut bytes) = (Vec::new(), [0; 1024]);
        let mut speech = Speech::Fluent;
        loop {
            while sending.len() < ON_THE_WAY && self.pty.is_some() && speech != Speech::Hung {
                let Some(frame) = sim.next_frame(Instant::now()) else {
                    break;
                };
                match speech {
                    Speech::Breaking => sending.extend_from_slice(&frame[..frame.len() / 2]),
                    _ => noisy.carry(&frame, &mut sending),
                }
                speech = if speech == Speech::Breaking {
                    Speech::Hung
                } else {
                    speech
                };
                report.frames += 1;
            }
            if sending.is_empty() && sim.is_finished(Instant::now()) {
                return Ok(SimReport {
                    harmed: noisy.harmed(),
                    lamps: sim.lamps(),
                    ..report
                });
            }
            let (from_host, to_host) = self.pty.as_mut().map(Pty::split).unzip();
            tokio::select! {
                Some(control) = controls.recv() => match control {
                    Control::Hang => speech = Speech::Breaking,
                    Control::Reboot => {
                        speech = Speech::Fluent;
                        sending.clear();
                        sim.reboot(Instant::now());
                    }
                    Control::Unplug => {
                        sending.clear();
                        self.pty = None;
                    }
                    Control::Replug => self.pty = Some(Pty::open(&self.config.link)?),
                    Control::Noise(noise) => noisy.change(noise),
                    Control::SwitchOff => return Ok(SimReport { harmed: noisy.harmed(), lamps: sim.lamps(), ..report }),
                },
                count = read(from_host, &mut bytes) => {
                    let mut heard = Vec::new();
                    noisy.carry(&bytes[..count?], &mut heard);
                    if speech != Speech::Hung {
                        sim.receive(Instant::now(), &heard);
                    }
                }
                count = write(to_host, &sending), if !sending.is_empty() => drop(sending.drain(..count?)),
                () = until(sim.next_wake()) => sim.wake(Instant::now()),
            }
        }
    }
}

/// Whether a board gets its sentences to their end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Speech {
    Fluent,
    /// The next one will be its last, and half.
    Breaking,
    Hung,
}

/// What the host wrote. Nothing comes while the plug is out.
async fn read(from_host: Option<&mut Receiver>, bytes: &mut [u8]) -> io::Result<usize> {
    match from_host {
        Some(line) => line.read(bytes).await,
        None => std::future::pending().await,
    }
}

async fn write(to_host: Option<&mut Sender>, bytes: &[u8]) -> io::Result<usize> {
    match to_host {
        Some(line) => line.write(bytes).await,
        None => std::future::pending().await,
    }
}

/// Waits; not even the timer's millisecond when the moment has come.
async fn until(when: Instant) {
    if when <= Instant::now() {
        tokio::task::yield_now().await;
    } else {
        tokio::time::sleep_until(when.into()).await;
    }
}

/// A number that differs from run to run, as a counter in a real board's flash would.
fn boot_number() -> u16 {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    since.subsec_nanos() as u16 ^ since.as_secs() as u16 ^ std::process::id() as u16
}

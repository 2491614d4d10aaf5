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
    /// An image was given to its boot loader, in which it is: it starts anew, with the firmware
    /// that calls itself so, and its port is back.
    Flash(&'static str),
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
        self,
        script: impl IntoIterator<Item = BoardEvent>,
        mut controls: mpsc::Receiver<Control>,
    ) -> io::Result<SimReport> {
        let sim = BoardSim::new(&self.config, self.boot, Instant::now(), script.into_iter());
        let sim = sim.map_err(|text| io::Error::new(io::ErrorKind::InvalidInput, text))?;
        let mut playing = Playing {
            sim,
            line: NoisyLine::new(self.config.noise),
            sending: Vec::new(),
            speech: Speech::Fluent,
            silent_until: None,
            frames: 0,
            board: self,
        };
        let mut bytes = [0; 1024];
        loop {
            playing.speak();
            if playing.is_over() {
                return Ok(playing.report());
            }
            playing.board.pty.iter().for_each(Pty::share);
            let (from_host, to_host) = playing.board.pty.as_mut().map(Pty::split).unzip();
            tokio::select! {
                Some(control) = controls.recv() => match control {
                    Control::SwitchOff => return Ok(playing.report()),
                    control => playing.obey(control)?,
                },
                count = read(from_host, &mut bytes) => playing.hear(&bytes[..count?]),
                count = write(to_host, &playing.sending), if !playing.sending.is_empty() => {
                    playing.sending.drain(..count?);
                }
                () = until(playing.sim.next_wake()) => playing.sim.wake(Instant::now()),
                () = again(playing.silent_until) => {}
            }
        }
    }
}

/// A board at play.
struct Playing<I: Iterator<Item = BoardEvent>> {
    board: SimulatedBoard,
    sim: BoardSim<I>,
    line: NoisyLine,
    /// Bytes on their way to the host.
    sending: Vec<u8>,
    speech: Speech,
    /// The line lets nothing through before.
    silent_until: Option<Instant>,
    /// Frames given to the line.
    frames: u64,
}

impl<I: Iterator<Item = BoardEvent>> Playing<I> {
    /// Gives frames to the line, as long as there is room on it.
    fn speak(&mut self) {
        self.silent_until = self.silent_until.filter(|until| Instant::now() < *until);
        while self.sending.len() < ON_THE_WAY
            && self.silent_until.is_none()
            && self.board.pty.is_some()
            && self.speech != Speech::Hung
            && let Some(frame) = self.sim.next_frame(Instant::now())
        {
            if self.speech == Speech::Breaking {
                self.sending.extend_from_slice(&frame[..frame.len() / 2]);
                self.speech = Speech::Hung;
            } else {
                self.line.carry(&frame, &mut self.sending);
                self.silent_until = self.line.pause().map(|pause| Instant::now() + pause);
            }
            self.frames += 1;
        }
    }

    fn hear(&mut self, bytes: &[u8]) {
        let mut heard = Vec::new();
        self.line.carry(bytes, &mut heard);
        if self.speech != Speech::Hung {
            self.sim.receive(Instant::now(), &heard);
        }
        if self.sim.is_in_loader() {
            self.sending.clear();
            self.board.pty = None;
        }
    }

    fn obey(&mut self, control: Control) -> io::Result<()> {
        match control {
            Control::Hang => self.speech = Speech::Breaking,
            Control::Reboot => {
                self.speech = Speech::Fluent;
                self.sending.clear();
                self.sim.reboot(Instant::now());
            }
            Control::Unplug => {
                self.sending.clear();
                self.board.pty = None;
            }
            Control::Replug => self.board.pty = Some(Pty::open(&self.board.config.link)?),
            Control::Noise(noise) => self.line.change(noise),
            Control::Flash(firmware) => {
                self.sim.flash(Instant::now(), firmware);
                self.board.pty = Some(Pty::open(&self.board.config.link)?);
            }
            // Whoever plays stops.
            Control::SwitchOff => {}
        }
        Ok(())
    }

    fn is_over(&mut self) -> bool {
        self.sending.is_empty()
            && self.silent_until.is_none()
            && self.sim.is_finished(Instant::now())
    }

    fn report(&self) -> SimReport {
        SimReport {
            frames: self.frames,
            harmed: self.line.harmed(),
            lamps: self.sim.lamps(),
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

/// Waits until the line lets something through again, if it does not.
async fn again(silent_until: Option<Instant>) {
    match silent_until {
        Some(when) => tokio::time::sleep_until(when.into()).await,
        None => std::future::pending().await,
    }
}

/// A number that differs from run to run, as a counter in a real board's flash would.
fn boot_number() -> u16 {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    since.subsec_nanos() as u16 ^ since.as_secs() as u16 ^ std::process::id() as u16
}

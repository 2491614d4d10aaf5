//! The only async loop: keeps one board's line open, pumps bytes through its protocol, and says
//! what becomes of it.
//!
//! [`BusLink`] does the same for a line with many boards; what both say goes through `publisher`.

mod bus;
mod config;
mod publisher;

use std::future::Future;
use std::pin::pin;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::sync::mpsc;

use crate::detect::{Found, connect, detect};
use crate::fault::FaultReason;
use crate::kinds::BoardKind;
use crate::protocol::{Bursts, Command, Outbox, Protocol};
use crate::recording::{SharedRecorder, Tap};
use crate::transport::{self, Line};

pub use bus::{BusLink, Seat};
pub use config::{LinkConfig, LinkEvent};
use publisher::{Closed, Publisher};

/// The first wait before a port is tried again.
const FIRST_WAIT: Duration = Duration::from_millis(100);

/// The longest.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Of so many attempts in which nothing is understood, after the first it is found out whether
/// another board is there.
const LOOK: u32 = 4;

/// A board that has not taken this many bytes off the line is deaf.
const UNSENT: usize = 16 * 1024;

/// Keeps one board's line open.
pub struct Link {
    commands: mpsc::Receiver<Command>,
    publisher: Publisher,
    /// The board's kind and its host's end, once they are known.
    host: Option<(BoardKind, Box<dyn Protocol>)>,
    /// What comes at once from a board that tells no time.
    bursts: Bursts,
    /// The lamps wanted before anybody knew how to light them.
    wanted: Option<Command>,
    /// Who writes down what passes.
    recorder: Option<SharedRecorder>,
    /// Attempts since the board was up in which nothing was understood.
    misunderstood: u32,
    /// The board that is there instead.
    other: Option<FaultReason>,
}

impl Link {
    /// Runs until `shutdown` is ready or the receiver of `events` is dropped. Needs a tokio runtime
    /// with I/O and time; hundreds of them run well as tasks of one current-thread runtime.
    pub async fn run(
        config: LinkConfig,
        events: mpsc::Sender<LinkEvent>,
        commands: mpsc::Receiver<Command>,
        shutdown: impl Future<Output = ()>,
    ) {
        Link::new(config, events, commands, None)
            .until(shutdown)
            .await;
    }

    /// The same, with every byte of the board's line recorded or counted. What is said to find out
    /// its kind is not.
    pub async fn record(
        config: LinkConfig,
        events: mpsc::Sender<LinkEvent>,
        commands: mpsc::Receiver<Command>,
        recorder: SharedRecorder,
        shutdown: impl Future<Output = ()>,
    ) {
        Link::new(config, events, commands, Some(recorder))
            .until(shutdown)
            .await;
    }

    fn new(
        config: LinkConfig,
        events: mpsc::Sender<LinkEvent>,
        commands: mpsc::Receiver<Command>,
        recorder: Option<SharedRecorder>,
    ) -> Link {
        let host = config
            .kind
            .map(|kind| (kind, (kind.profile().host)(&config.start(Instant::now()))));
        let publisher = Publisher::new(config, events);
        Link {
            commands,
            publisher,
            host,
            bursts: Bursts::default(),
            wanted: None,
            recorder,
            misunderstood: 0,
            other: None,
        }
    }

    async fn until(mut self, shutdown: impl Future<Output = ()>) {
        let mut shutdown = pin!(shutdown);
        tokio::select! {
            () = &mut shutdown => {}
            _ = self.keep_up() => {}
        }
    }

    /// Opens the line again and again.
    async fn keep_up(&mut self) -> Result<(), Closed> {
        let mut wait = FIRST_WAIT;
        loop {
            let fault = match self.connect().await {
                Ok((line, out)) => {
                    let fault = self.converse(line, out).await?;
                    if let Some(recorder) = &self.recorder {
                        recorder.down(Instant::now(), &fault.to_string());
                    }
                    fault
                }
                Err(fault) => fault,
            };
            let nothing_understood = matches!(fault, FaultReason::Garbage | FaultReason::NoAnswer);
            self.misunderstood = if nothing_understood {
                self.misunderstood + 1
            } else {
                0
            };
            if self.publisher.was_up() {
                wait = FIRST_WAIT;
            } else if self.publisher.config.kind.is_none() {
                // Perhaps another board was plugged in.
                self.host = None;
            }
            self.look_who_is_there().await;
            self.publisher
                .down(self.other.clone().unwrap_or(fault))
                .await?;
            self.pause(wait).await?;
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    /// Finds out which board is there instead, when the one that was expected has not been
    /// understood for some time.
    async fn look_who_is_there(&mut self) {
        let Some(wrong) = self
            .publisher
            .config
            .kind
            .filter(|_| self.misunderstood > 0)
        else {
            self.other = None;
            return;
        };
        if self.misunderstood % LOOK == 1 {
            let config = &self.publisher.config;
            let found = detect(&config.port, config.baud, &config.start(Instant::now()))
                .await
                .ok();
            self.other = found
                .filter(|found| found.kind != wrong)
                .map(|found| found.kind.instead());
        }
    }

    /// Opens the line to the board, or finds out which board it is.
    async fn connect(&mut self) -> Result<(Box<dyn Line>, Outbox), FaultReason> {
        let LinkConfig { port, baud, .. } = &self.publisher.config;
        let Some((kind, protocol)) = &mut self.host else {
            let Found {
                line,
                kind,
                info,
                mut protocol,
                mut out,
            } = detect(port, *baud, &self.publisher.config.start(Instant::now())).await?;
            if kind == BoardKind::DgtBus && info.serial.contains(' ') {
                return Err(FaultReason::Shared {
                    boards: info.serial,
                });
            }
            tracing::info!(%port, %kind, "board found");
            self.publisher.kind = kind;
            if let Some(command) = self.wanted.take() {
                protocol.command(Instant::now(), command, &mut out);
            }
            self.host = Some((kind, protocol));
            return Ok((self.tap(line, Instant::now()), out));
        };
        let baud = match kind.profile().baud {
            transport::HID => transport::HID,
            usual => baud.unwrap_or(usual),
        };
        let line = connect(port, baud).await?;
        let (now, mut out) = (Instant::now(), Outbox::default());
        protocol.open(now, &mut out);
        Ok((self.tap(line, now), out))
    }

    /// The line, recorded if anybody wants that.
    fn tap(&self, line: Box<dyn Line>, now: Instant) -> Box<dyn Line> {
        let Some(recorder) = self.recorder.clone() else {
            return line;
        };
        recorder.open(now);
        Box::new(Tap { line, recorder })
    }

    /// Waits, and lets commands pass into the protocol's memory: lamps are lit when the board is
    /// back.
    async fn pause(&mut self, wait: Duration) -> Result<(), Closed> {
        let end = tokio::time::Instant::now() + wait;
        loop {
            tokio::select! {
                () = tokio::time::sleep_until(end) => return Ok(()),
                () = self.publisher.closed() => return Err(Closed),
                Some(command) = self.commands.recv() => self.keep(command),
            }
        }
    }

    /// Keeps a command for the time when the board is back.
    fn keep(&mut self, command: Command) {
        match &mut self.host {
            Some((_, protocol)) => {
                protocol.command(Instant::now(), command, &mut Outbox::default());
            }
            None if matches!(command, Command::SetLamps(_)) => self.wanted = Some(command),
            None => {}
        }
    }

    /// One connection, from opening to its end; why it ended. `out` is what has come of it so far.
    async fn converse(&mut self, line: impl Line, mut out: Outbox) -> Result<FaultReason, Closed> {
        let (mut reader, mut writer) = tokio::io::split(line);
        // As much as the kernel gives at once.
        let mut bytes = [0; 4096];
        loop {
            if !self.publisher.kind.profile().tells_time {
                self.bursts.date(&mut out.reports);
            }
            let fault = self.publisher.deliver(&mut out).await?;
            if let Some(fault) = fault.or((out.send.len() > UNSENT).then_some(FaultReason::Deaf)) {
                return Ok(fault);
            }
            let Some((_, protocol)) = &mut self.host else {
                return Ok(FaultReason::NoAnswer);
            };
            let wake = protocol.next_wake();
            // Reading comes first: after a long wait elsewhere, what has arrived counts before
            // silence does.
            tokio::select! {
                biased;
                read = read(&mut reader, &mut bytes) => match read {
                    Some(count) => protocol.receive(Instant::now(), &bytes[..count], &mut out),
                    None => return Ok(FaultReason::Unplugged),
                },
                sent = write(&mut writer, &out.send), if !out.send.is_empty() => match sent {
                    Some(count) => drop(out.send.drain(..count)),
                    None => return Ok(FaultReason::Unplugged),
                },
                Some(command) = self.commands.recv() => {
                    protocol.command(Instant::now(), command, &mut out);
                }
                () = sleep_until(wake) => protocol.wake(Instant::now(), &mut out),
                () = self.publisher.closed() => return Err(Closed),
            }
        }
    }
}

/// Some bytes; `None` when the port has gone. An end of file is what an unplugged port reads.
async fn read<L: Line>(reader: &mut ReadHalf<L>, bytes: &mut [u8]) -> Option<usize> {
    reader.read(bytes).await.ok().filter(|count| *count > 0)
}

async fn write<L: Line>(writer: &mut WriteHalf<L>, bytes: &[u8]) -> Option<usize> {
    writer.write(bytes).await.ok()
}

async fn sleep_until(wake: Option<Instant>) {
    match wake {
        Some(wake) => tokio::time::sleep_until(wake.into()).await,
        None => std::future::pending().await,
    }
}

//! A line that many boards share: one loop asks them in turn, and tells of each to whoever follows
//! its game.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use arbiter_core::Millis;
use tokio::sync::mpsc;

use super::publisher::Publisher;
use super::{FIRST_WAIT, LONGEST_WAIT, LinkConfig, LinkEvent, read, sleep_until, write};
use crate::fault::FaultReason;
use crate::kinds::BoardKind;
use crate::protocol::{BusMaster, Command, HIGHEST_ADDRESS};
use crate::transport::{self, Line};

/// How late a board may tell, in milliseconds: a round of questions is shorter, and its answer says
/// that there is no more.
const LAG: f64 = 3_000.0;

/// One board of the line.
pub struct Seat {
    /// Which; all boards of a line name the same port, and each its own address.
    pub config: LinkConfig,
    /// What becomes of it.
    pub events: mpsc::Sender<LinkEvent>,
    /// What the program wants of it.
    pub commands: mpsc::Receiver<Command>,
}

/// Keeps the line of many boards open.
pub struct BusLink {
    config: LinkConfig,
    master: BusMaster,
    publishers: Vec<Publisher>,
    commands: Vec<mpsc::Receiver<Command>>,
    /// Bytes for the line.
    send: Vec<u8>,
}

impl BusLink {
    /// Runs until `shutdown` is ready. A board whose events nobody receives any more is asked all
    /// the same: it keeps its place for the next start. Does nothing without seats.
    pub async fn run(seats: Vec<Seat>, shutdown: impl Future<Output = ()>) {
        let Some(config) = seats.first().map(|seat| seat.config.clone()) else {
            return;
        };
        let (now, mut publishers, mut commands, mut boards) =
            (Instant::now(), Vec::new(), Vec::new(), Vec::new());
        for Seat {
            config,
            events,
            commands: orders,
        } in seats
        {
            boards.push((config.address.unwrap_or(HIGHEST_ADDRESS), config.start(now)));
            let lag = (LAG * f64::from(config.pace)) as Millis;
            publishers.push(Publisher::new(config, events).lagging(lag));
            commands.push(orders);
        }
        let mut link = BusLink {
            config,
            master: BusMaster::new(boards),
            publishers,
            commands,
            send: Vec::new(),
        };
        let mut shutdown = pin!(shutdown);
        tokio::select! {
            () = &mut shutdown => {}
            () = link.keep_up() => {}
        }
    }

    /// Opens the line again and again.
    async fn keep_up(&mut self) {
        let mut wait = FIRST_WAIT;
        loop {
            let baud = self.config.baud.unwrap_or(BoardKind::DgtBus.profile().baud);
            let fault = match transport::open(&self.config.port, baud) {
                Ok(line) => self.converse(line).await,
                Err(fault) => fault,
            };
            for publisher in &mut self.publishers {
                if publisher.was_up() {
                    wait = FIRST_WAIT;
                }
                let _nobody_listens = publisher.down(fault.clone()).await;
            }
            self.pause(wait).await;
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    /// Waits; what the program wants meanwhile is asked for when the line is back.
    async fn pause(&mut self, wait: Duration) {
        let end = tokio::time::Instant::now() + wait;
        loop {
            tokio::select! {
                () = tokio::time::sleep_until(end) => return,
                (board, command) = next(&mut self.commands) => self.master.command(board, command),
            }
        }
    }

    /// One connection, from opening to its end; why it ended.
    async fn converse(&mut self, line: impl Line) -> FaultReason {
        let (mut reader, mut writer) = tokio::io::split(line);
        let mut bytes = [0; 1024];
        self.send.clear();
        self.master.open(Instant::now(), &mut self.send);
        loop {
            self.deliver().await;
            let wake = self.master.next_wake();
            tokio::select! {
                biased;
                read = read(&mut reader, &mut bytes) => match read {
                    Some(count) => {
                        self.master.receive(Instant::now(), &bytes[..count], &mut self.send);
                    }
                    None => return FaultReason::Unplugged,
                },
                sent = write(&mut writer, &self.send), if !self.send.is_empty() => match sent {
                    Some(count) => drop(self.send.drain(..count)),
                    None => return FaultReason::Unplugged,
                },
                (board, command) = next(&mut self.commands) => self.master.command(board, command),
                () = sleep_until(wake) => self.master.wake(Instant::now(), &mut self.send),
            }
        }
    }

    /// Passes on what came of it for each board.
    async fn deliver(&mut self) {
        for (out, publisher) in self.master.outboxes().zip(&mut self.publishers) {
            if let Ok(Some(fault)) = publisher.deliver(out).await {
                let _was = publisher.was_up();
                let _nobody_listens = publisher.down(fault).await;
            }
        }
    }
}

/// What the program wants next, and of which board.
async fn next(commands: &mut [mpsc::Receiver<Command>]) -> (usize, Command) {
    poll_fn(|context| {
        for (board, orders) in commands.iter_mut().enumerate() {
            if let Poll::Ready(Some(command)) = orders.poll_recv(context) {
                return Poll::Ready((board, command));
            }
        }
        Poll::Pending
    })
    .await
}

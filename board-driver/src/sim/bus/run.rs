//! The loop of a simulated line with many boards: its pseudo-terminal and its clock.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{BusCounts, BusSim};
use crate::event::BoardEvent;
use crate::sim::{Pty, SimConfig};

/// A line with many boards on a pseudo-terminal.
#[derive(Debug)]
pub struct SimulatedBus {
    pty: Pty,
}

impl SimulatedBus {
    /// Links the port of the line at `link`. It can be opened when this returns. Needs a tokio
    /// runtime with I/O and time.
    ///
    /// # Errors
    /// When no pseudo-terminal can be had, or the path cannot be linked.
    pub fn create(link: &Path) -> io::Result<SimulatedBus> {
        Ok(SimulatedBus {
            pty: Pty::open(link)?,
        })
    }

    /// Plays each board's script once a host has asked the board for changes, over a line of `baud`
    /// bits a second. Returns `linger` after the last script is over; the port vanishes then.
    ///
    /// # Errors
    /// When a configuration is impossible, or the pseudo-terminal fails.
    pub async fn play(
        mut self,
        boards: Vec<(SimConfig, Vec<BoardEvent>)>,
        baud: u32,
        linger: Duration,
    ) -> io::Result<BusCounts> {
        let boards = boards
            .into_iter()
            .map(|(config, script)| (config, script.into_iter()));
        let sim = BusSim::new(boards, baud, Instant::now());
        let mut sim = sim.map_err(|text| io::Error::new(io::ErrorKind::InvalidInput, text))?;
        let (mut bytes, mut over) = ([0; 256], None);
        loop {
            sim.wake(Instant::now());
            let said = sim.take(Instant::now());
            self.pty.share();
            let (from_host, to_host) = self.pty.split();
            to_host.write_all(&said).await?;
            if over.is_none() && sim.is_over() {
                over = Some(Instant::now() + linger);
            }
            let next = sim.next_wake().into_iter().chain(over).min();
            tokio::select! {
                count = from_host.read(&mut bytes) => sim.receive(Instant::now(), &bytes[..count?]),
                () = until(next) => {}
            }
            if over.is_some_and(|end| end <= Instant::now()) {
                return Ok(sim.counts());
            }
        }
    }
}

async fn until(when: Option<Instant>) {
    match when {
        Some(when) => tokio::time::sleep_until(when.into()).await,
        None => std::future::pending().await,
    }
}

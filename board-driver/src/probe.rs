//! Which board answers on a port.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use crate::event::{BoardInfo, Report};
use crate::fault::FaultReason;
use crate::protocol::{BoardKind, Outbox, Protocol, Start};
use crate::transport::{self, Line, PortSpec};

/// How long a board is given to say who it is.
pub const PROBE: Duration = Duration::from_millis(1_500);

/// Opens a port and asks each kind of board in turn who it is. Takes up to [`PROBE`] a kind. Harms no game: a board
/// that is in use cannot be opened, and one that waits for a host goes on waiting.
///
/// # Errors
/// Why no board can be named; of several kinds, what the last one came to.
pub async fn probe(port: &PortSpec) -> Result<(BoardKind, BoardInfo), FaultReason> {
    let mut result = Err(FaultReason::NoAnswer);
    for kind in BoardKind::ALL.iter().copied() {
        let line = transport::open(port, kind.profile().baud)?;
        let mut protocol = (kind.profile().host)(&Start::new(Instant::now()));
        let mut heard = false;
        result = match timeout(PROBE, ask(line, protocol.as_mut(), &mut heard)).await {
            Ok(answer) => answer.map(|info| (kind, info)),
            Err(_) if heard => Err(FaultReason::Garbage),
            Err(_) => Err(FaultReason::NoAnswer),
        };
        if result.is_ok() {
            break;
        }
    }
    result
}

/// Asks until the board says hello. `heard`: whether any byte came.
async fn ask(mut line: impl Line, protocol: &mut dyn Protocol, heard: &mut bool) -> Result<BoardInfo, FaultReason> {
    let mut out = Outbox::default();
    let mut bytes = [0; 256];
    protocol.open(Instant::now(), &mut out);
    loop {
        for delivery in out.reports.drain(..) {
            if let Report::Hello(info) = delivery.event.report {
                return Ok(info);
            }
        }
        if let Some(fault) = out.fault.take() {
            return Err(fault);
        }
        line.write_all(&std::mem::take(&mut out.send)).await.map_err(|_| FaultReason::Unplugged)?;
        let wait = protocol.next_wake().map_or(PROBE, |wake| wake.saturating_duration_since(Instant::now()));
        match timeout(wait, line.read(&mut bytes)).await {
            Ok(Ok(count)) if count > 0 => {
                *heard = true;
                protocol.receive(Instant::now(), &bytes[..count], &mut out);
            }
            Ok(_) => return Err(FaultReason::Unplugged),
            Err(_) => protocol.wake(Instant::now(), &mut out),
        }
    }
}

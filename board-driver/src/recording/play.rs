//! A recording through the host's end of its language, in the recording's own time.

use std::time::{Duration, Instant};

use super::{Happened, Recording};
use crate::event::{BoardEvent, LineTrouble};
use crate::fault::FaultReason;
use crate::kinds::BoardKind;
use crate::orientation::Orientation;
use crate::protocol::{Bursts, Outbox, Protocol, Start};

/// Wake-ups between two entries at most: more would be a host that never sleeps.
const WAKES: usize = 100_000;

/// What a host makes of a recording.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Playback {
    /// What the board reported.
    pub events: Vec<BoardEvent>,
    /// What was wrong with the line.
    pub trouble: LineTrouble,
    /// Why the line was given up, and when.
    pub faults: Vec<(Duration, FaultReason)>,
}

/// Plays a recording of a board of a kind that is said to lie `turned`. What was written to the
/// board then matters only where its answers repeat it.
pub fn play(recording: &Recording, kind: BoardKind, turned: Orientation) -> Playback {
    let start = Instant::now();
    let host = (kind.profile().host)(&Start {
        pace: recording.header.pace,
        turned,
        ..Start::new(start)
    });
    let mut player = Player {
        start,
        now: start,
        host,
        is_open: false,
        out: Outbox::default(),
        bursts: (!kind.profile().tells_time).then(Bursts::default),
        played: Playback::default(),
    };
    for entry in &recording.entries {
        player.wake_until(start + entry.at);
        match &entry.happened {
            Happened::Open => {
                player.is_open = true;
                player.host.open(player.now, &mut player.out);
            }
            Happened::Down(_) => player.is_open = false,
            Happened::Received(bytes) if player.is_open => {
                player.host.receive(player.now, bytes, &mut player.out)
            }
            Happened::Sent(bytes) if player.is_open => player.host.overhear(bytes),
            Happened::Received(_) | Happened::Sent(_) => {}
        }
        player.take();
    }
    player.played
}

struct Player {
    start: Instant,
    now: Instant,
    host: Box<dyn Protocol>,
    is_open: bool,
    out: Outbox,
    /// What comes at once from a board that tells no time.
    bursts: Option<Bursts>,
    played: Playback,
}

impl Player {
    /// Time passes, and the host does what it does in silence.
    fn wake_until(&mut self, end: Instant) {
        for _ in 0..WAKES {
            let due = self
                .host
                .next_wake()
                .filter(|due| self.is_open && *due <= end);
            let Some(due) = due else { break };
            self.now = self.now.max(due);
            self.host.wake(self.now, &mut self.out);
            // A host may wait for the answer to a question that nobody asked when this was
            // recorded. Whether the board was silent then is told by the recording.
            let gave_up = self.out.fault.take().is_some();
            self.take();
            if gave_up {
                break;
            }
        }
        self.now = self.now.max(end);
    }

    fn take(&mut self) {
        let mut out = std::mem::take(&mut self.out);
        if let Some(bursts) = &mut self.bursts {
            bursts.date(&mut out.reports);
        }
        self.played
            .events
            .extend(out.reports.into_iter().map(|delivery| delivery.event));
        self.played.trouble.add(out.trouble);
        if let Some(fault) = out.fault {
            // The line was closed then, and the recording tells when it was opened again.
            self.played
                .faults
                .push((self.now.duration_since(self.start), fault));
            self.is_open = false;
        }
    }
}

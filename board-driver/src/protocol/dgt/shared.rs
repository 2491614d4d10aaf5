//! The host's end of a line that boards share, of which nothing is known yet. Many boards are
//! followed by [`crate::BusLink`].

use std::time::Instant;

use super::{BusMaster, Discovery, bus};
use crate::protocol::{Command, Outbox, Protocol, Start};

/// The highest address of a board on a bus.
pub const HIGHEST_ADDRESS: u16 = bus::HIGHEST;

/// The host's end of a line of which nothing is known: it finds out who is there, and follows a
/// board that is alone. Where there are many, its hello names them all, and nothing follows.
#[derive(Debug)]
pub struct SharedDgt {
    start: Start,
    discovery: Discovery,
    master: Option<BusMaster>,
}

impl SharedDgt {
    /// A host that has never heard of the line.
    pub fn new(start: &Start) -> SharedDgt {
        SharedDgt {
            start: start.clone(),
            discovery: Discovery::new(start),
            master: None,
        }
    }

    /// Discovery may have ended.
    fn go_on(&mut self, now: Instant, out: &mut Outbox) {
        let mut found = self.discovery.found();
        if let (true, Some(only), None) = (self.discovery.is_done(), found.next(), found.next()) {
            out.reports.clear();
            let mut master = BusMaster::new([(only, self.start.clone())]);
            master.open(now, &mut out.send);
            self.master = Some(master);
        }
    }
}

/// What the master has to say of the one board.
fn collect(master: &mut BusMaster, out: &mut Outbox) {
    for said in master.outboxes() {
        out.reports.append(&mut said.reports);
        out.heard = out.heard.max(said.heard.take());
        out.trouble.add(std::mem::take(&mut said.trouble));
        out.fault = said.fault.take().or(out.fault.take());
    }
}

impl Protocol for SharedDgt {
    fn open(&mut self, now: Instant, out: &mut Outbox) {
        match &mut self.master {
            Some(master) => master.open(now, &mut out.send),
            None => self.discovery.open(now, out),
        }
    }

    fn receive(&mut self, now: Instant, bytes: &[u8], out: &mut Outbox) {
        match &mut self.master {
            Some(master) => {
                master.receive(now, bytes, &mut out.send);
                collect(master, out);
            }
            None => self.discovery.receive(now, bytes, out),
        }
    }

    fn next_wake(&self) -> Option<Instant> {
        self.master
            .as_ref()
            .map_or(self.discovery.next_wake(), BusMaster::next_wake)
    }

    fn wake(&mut self, now: Instant, out: &mut Outbox) {
        match &mut self.master {
            Some(master) => {
                master.wake(now, &mut out.send);
                collect(master, out);
            }
            None => {
                self.discovery.wake(now, out);
                self.go_on(now, out);
            }
        }
    }

    fn command(&mut self, _now: Instant, command: Command, _out: &mut Outbox) {
        if let Some(master) = &mut self.master {
            master.command(0, command);
        }
    }
}

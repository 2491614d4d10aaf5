//! One life of the daemon: it is started, listened to, given orders, and killed.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tests::evening::Table;
use tests::rig::{Arbiterd, at_the_moment, get, listen, post};

use crate::chance::Chance;
use crate::crowd::crowd;
use crate::journal::Journal;

/// An order that changes nothing in a game: somebody offers a draw, and nobody hears it.
const ORDER: &str = r#"{"event":"draw","by":"white","step":"offer"}"#;
/// Between two orders.
const PAUSE: Duration = Duration::from_millis(40);

/// What was heard of one life.
#[derive(Default)]
pub(crate) struct Life {
    /// Whether it came so far as to serve its console.
    pub(crate) served: bool,
    /// What the live feed said, in order.
    pub(crate) heard: Vec<Value>,
    /// Boards whose order was sent, and whether it was answered.
    pub(crate) orders: Vec<(String, bool)>,
    /// The most memory that it had, in kilobytes.
    pub(crate) memory: u64,
    /// Connections that asked for nothing.
    pub(crate) crowd: u32,
}

impl Life {
    /// Starts a daemon, compares what it has with all that was heard of those before it, and kills
    /// it at `end`.
    pub(crate) fn until(
        config: &Path,
        end: Instant,
        tables: &[Table],
        journal: &mut Journal,
    ) -> Life {
        let mut daemon = Arbiterd::serve(config);
        let address = daemon.address(end);
        let mut life = Life {
            served: address.is_some(),
            ..Life::default()
        };
        if let Some(address) = address {
            let (alive, end_of_life) = channel();
            let (comes, end_of_crowd) = channel();
            thread::scope(|scope| {
                let heard = scope.spawn(|| hear(address));
                let orders = scope.spawn(move || order(address, tables, end_of_life));
                let came = scope.spawn(move || crowd(address, &end_of_crowd));
                let checked = scope.spawn(|| check(address, journal));
                at_the_moment(end);
                let ran = daemon.runs();
                life.memory = daemon.memory();
                // Whatever failed, the listener hears until the daemon is gone.
                drop((alive, comes));
                daemon.kill();
                assert!(ran, "it ended by itself:\n{}", daemon.log());
                life.crowd = came.join().expect("a crowd");
                checked.join().expect("everything is there");
                life.heard = heard.join().expect("a listener");
                life.orders = orders.join().expect("whoever orders");
            });
        }
        daemon.kill();
        life
    }
}

/// The journal has everything, and the new daemon shows what the journal has.
fn check(address: SocketAddr, journal: &mut Journal) {
    // Asked first: what is shown now must be in the journal that is read afterwards.
    let shown = get(address, "/api/boards")
        .ok()
        .filter(|reply| reply.status == 200);
    journal.check();
    let Some(shown) = shown else { return };
    let boards: Vec<Value> = serde_json::from_str(&shown.body).expect("boards as JSON");
    boards.iter().for_each(|board| journal.check_shown(board));
}

fn hear(address: SocketAddr) -> Vec<Value> {
    let mut heard = Vec::new();
    listen(address, |text| {
        heard.push(serde_json::from_str(text).expect("JSON"))
    });
    heard
}

fn order(address: SocketAddr, tables: &[Table], end: Receiver<()>) -> Vec<(String, bool)> {
    let (mut orders, mut chance) = (Vec::new(), Chance::new(u64::from(address.port())));
    loop {
        let board = &tables[chance.below(tables.len())].id;
        let reply = post(address, &format!("/api/boards/{board}/orders"), ORDER);
        // A board that has not answered yet has no game to give orders to.
        if !reply.as_ref().is_ok_and(|reply| reply.status == 409) {
            let answered = reply.is_ok_and(|reply| {
                assert_eq!(reply.status, 200, "{}", reply.body);
                true
            });
            orders.push((board.clone(), answered));
        }
        if end.recv_timeout(PAUSE) == Err(RecvTimeoutError::Disconnected) {
            return orders;
        }
    }
}

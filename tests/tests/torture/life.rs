//! One life of the daemon: it is started, listened to, given orders, and killed.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tests::evening::Table;
use tests::rig::{at_the_moment, get, listen, post};

use crate::chance::Chance;
use crate::crowd::crowd;
use crate::hall::Hall;
use crate::journal::Journal;
use crate::meanwhile::{Enough, Meanwhile};

/// An order that changes nothing in a game: somebody offers a draw, and nobody hears it.
pub(crate) const ORDER: &str = r#"{"event":"draw","by":"white","step":"offer"}"#;
/// Between two orders.
const PAUSE: Duration = Duration::from_millis(40);
/// Why a daemon may not be able to start: in the words of its log.
const NO_ROOM: [&str; 5] = [
    "No space left on device",
    "File too large",
    "disk I/O error",
    "database or disk is full",
    "is the disk full",
];

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
    pub(crate) crowd: usize,
}

impl Life {
    /// Starts a daemon, compares what it has with all that was heard of those before it, and kills
    /// it at `end`.
    pub(crate) fn until(
        hall: &Hall,
        end: Instant,
        tables: &[Table],
        journal: &mut Journal,
    ) -> Life {
        let mut daemon = hall.start();
        let address = daemon.address(end);
        let mut life = Life {
            served: address.is_some(),
            ..Life::default()
        };
        if let Some(address) = address {
            hall.is_served_by(Some((daemon.pid(), address)));
            thread::scope(|scope| {
                let heard = scope.spawn(|| hear(address));
                let orders = Meanwhile::begin(scope, move |enough| order(address, tables, enough));
                let came = Meanwhile::begin(scope, move |enough| crowd(address, enough));
                let checked = scope.spawn(|| check(address, journal));
                at_the_moment(end);
                let ran = daemon.runs();
                life.memory = daemon.memory();
                hall.is_served_by(None);
                // Whatever failed, the listener hears until the daemon is gone.
                daemon.kill();
                assert!(ran, "it ended by itself:\n{}", daemon.log());
                life.crowd = came.end();
                life.orders = orders.end();
                checked.join().expect("everything is there");
                life.heard = heard.join().expect("a listener");
            });
        } else if !daemon.runs() {
            let log = daemon.log();
            let is_said = NO_ROOM.iter().any(|words| log.contains(words));
            assert!(is_said, "it did not start:\n{log}");
            at_the_moment(end);
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
    let is_read = journal.check();
    // Where there was no room to read the journal, nothing new is known of it.
    let Some(shown) = shown.filter(|_| is_read) else {
        return;
    };
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

fn order(address: SocketAddr, tables: &[Table], enough: &Enough) -> Vec<(String, bool)> {
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
        if !enough.not_yet(PAUSE) {
            return orders;
        }
    }
}

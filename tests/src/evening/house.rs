//! The daemon at work, and its console.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::rig::{Arbiterd, get, look_until, post};

/// A daemon in a process of its own.
#[derive(Debug)]
pub struct House {
    daemon: Arbiterd,
    address: SocketAddr,
}

impl House {
    /// Starts a daemon on a configuration, which is written to `file`.
    ///
    /// # Panics
    /// When it does not start.
    pub fn open(file: &Path, configuration: &str) -> House {
        std::fs::write(file, configuration).expect("a configuration");
        House::of(Arbiterd::serve(file))
    }

    /// The house of a daemon that has just been started.
    ///
    /// # Panics
    /// When it does not start.
    pub fn of(daemon: Arbiterd) -> House {
        let address = daemon.address(Instant::now() + Duration::from_secs(20));
        let address =
            address.unwrap_or_else(|| panic!("the daemon does not serve:\n{}", daemon.log()));
        House { daemon, address }
    }

    /// Where its console is.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The number of the daemon's process.
    pub fn pid(&self) -> u32 {
        self.daemon.pid()
    }

    /// Every board as the console sees it.
    ///
    /// # Panics
    /// When the daemon does not answer.
    pub fn boards(&self) -> Vec<Value> {
        let reply = get(self.address, "/api/boards");
        let reply =
            reply.unwrap_or_else(|error| panic!("/api/boards: {error}\n{}", self.daemon.log()));
        serde_json::from_str(&reply.body).expect("boards as JSON")
    }

    /// The evidence of a game, as an event script.
    ///
    /// # Panics
    /// When the daemon does not answer.
    pub fn script(&self, game: &str) -> String {
        let reply = get(self.address, &format!("/api/games/{game}/script"));
        reply
            .unwrap_or_else(|error| panic!("the script of {game}: {error}\n{}", self.daemon.log()))
            .body
    }

    /// Orders something: the status, and what is said.
    ///
    /// # Panics
    /// When the daemon does not answer.
    pub fn post(&self, path: &str, order: &Value) -> (u16, String) {
        let reply = post(self.address, path, &order.to_string());
        let reply = reply.unwrap_or_else(|e| panic!("{path}: {e}\n{}", self.daemon.log()));
        (reply.status, reply.body)
    }

    /// Waits until nothing is left of what `why` complains about, and returns the boards as they
    /// are then.
    ///
    /// # Panics
    /// With the complaints that are left after `patience`.
    #[track_caller]
    pub fn until<T: IntoIterator<Item = String>>(
        &self,
        patience: Duration,
        why: impl Fn(&[Value]) -> T,
    ) -> Vec<Value> {
        let seen = self.try_until(patience, why);
        seen.unwrap_or_else(|left| panic!("after {patience:?}: {left}\n{}", self.daemon.log()))
    }

    /// The same; `Err` is what `why` still complains about after `patience`.
    ///
    /// # Errors
    /// The complaints that are left.
    pub fn try_until<T: IntoIterator<Item = String>>(
        &self,
        patience: Duration,
        why: impl Fn(&[Value]) -> T,
    ) -> Result<Vec<Value>, String> {
        look_until(patience, || {
            let boards = self.boards();
            let complaints: Vec<String> = why(&boards).into_iter().collect();
            if complaints.is_empty() {
                Ok(boards)
            } else {
                Err(complaints.join("\n"))
            }
        })
    }

    /// Ends the daemon at once, as a power cut would.
    pub fn kill(mut self) {
        self.daemon.kill();
    }

    /// Ends the daemon in order.
    ///
    /// # Panics
    /// When it does not end in order.
    pub fn close(mut self) {
        let status = self.daemon.stop(Duration::from_secs(15));
        assert!(
            status.is_some_and(|status| status.success()),
            "{status:?}\n{}",
            self.daemon.log()
        );
    }
}

//! A playing hall for tests and measurements: boards on pseudo-terminals, the real `arbiterd` as a process of its own
//! that can be killed, and a client of its console.

mod arbiterd;
mod client;
mod fleet;
mod process;
mod stopwatch;

pub use arbiterd::Arbiterd;
pub use client::{Reply, get, listen, post};
pub use fleet::{Fleet, Player, Seat};
pub use process::Process;
pub use stopwatch::{Latencies, Race, measure};

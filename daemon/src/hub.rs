//! Several halls and one hub: a hall sends its journal to the hub, which keeps a mirror of each and
//! shows them side by side. `docs/halls.md` says how that is set up.
//!
//! What is sent and taken is decided by [`replica`], without IO. Here are the hall's side
//! ([`Sender`], on a thread of its own, so that no board and no commit ever waits for a hub), the
//! hub's ([`Halls`]), and what carries words between them ([`carrier`]).

pub mod carrier;
mod event;
mod halls;
pub mod key;
mod message;
mod mirror;
pub mod nats;
pub(crate) mod order;
mod picture;
mod posted;
mod sender;
mod status;
mod trust;
mod upto;
mod websocket;

use std::path::PathBuf;

use access::{Role, Tables};

pub use event::Event;
pub(crate) use event::{InHall, Part, Placed, Stays, are_two, had};
pub(crate) use halls::Room;
pub use halls::{Guest, Halls, Unwelcome};
pub use message::{FromHall, Kept, Late, ToHall};
pub use order::Given;
pub(crate) use posted::Undone;
pub use sender::{Sender, Uplink, check};
pub use status::{HallShown, Sent};
pub(crate) use websocket::{NAME, PATH};

/// What a hall is told of its hub: `[hub]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wishes {
    /// What this hall is called there.
    pub name: String,
    /// Where the hub is: `wss://host:port`, or `tls://host:port` of the NATS server between them;
    /// `ws://` or `nats://` on the loopback address.
    pub address: String,
    /// The file of this hall's key.
    pub key: PathBuf,
    /// The authority of the hub's certificate, PEM; `None` without TLS.
    pub authority: Option<PathBuf>,
    /// From whom at the hub this hall takes orders; nobody by default.
    pub orders: Vec<Role>,
}

/// A hall that a hub knows: `[[hall]]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// What it is called.
    pub name: String,
    /// The SHA-256 of its key, in hexadecimal digits.
    pub key: String,
    /// The tables of the hub's event that are played there.
    pub tables: Vec<Tables>,
    /// The public half of its key, where it may come over NATS.
    pub nkey: Option<String>,
}

/// The checksum of a key, as a hub is told it.
pub fn fingerprint(key: &str) -> String {
    let sum = access::digest(key.trim());
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;

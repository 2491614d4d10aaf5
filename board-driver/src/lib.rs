//! Speaks to sensor boards, and simulates them.
//!
//! ```text
//! port --bytes--> protocol --BoardEvent--> link --LinkEvent--> whoever follows the game
//! ```
//!
//! [`protocol`] is sans-IO, [`transport`] opens ports, and [`link`] is the only async loop. [`sim`] is the other end:
//! boards on pseudo-terminals that are opened like any port.
//!
//! # How to add a board in ten lines
//!
//! 1. Add `protocol/yours.rs` with a struct that holds what must be remembered between two reads.
//! 2. Implement [`Protocol`] for it: `open` pushes the bytes that wake the board to [`Outbox::send`];
//! 3. `receive` collects bytes until a message is whole, and pushes one [`BoardEvent`] for what it says;
//! 4. a `Report::Hello` comes first, and a `Report::Snapshot` as soon as the squares are known;
//! 5. where the board sends whole states, push the squares that differ from the last state as one `Changes`;
//! 6. a board without a clock of its own gets the time at which the bytes came, in milliseconds since `open`;
//! 7. `wake` polls, asks again, or sets [`Outbox::fault`] after too long a silence; `next_wake` says when;
//! 8. `command` lights lamps if there are any;
//! 9. name it in [`BoardKind`], with the speed its port needs, so that it can be configured;
//! 10. test it with bytes from a data sheet, cut at every place.

pub mod clock;
pub mod event;
pub mod fault;
pub mod hand;
pub mod link;
mod map;
pub mod noise;
pub mod probe;
pub mod protocol;
mod random;
pub mod sim;
pub mod transport;

pub use clock::BoardClock;
pub use event::{BoardEvent, BoardInfo, LineTrouble, Mark, Report};
pub use fault::FaultReason;
pub use link::{Link, LinkConfig, LinkEvent};
pub use probe::probe;
pub use protocol::{BoardKind, Command, Delivery, Outbox, Protocol};
pub use sim::{SimConfig, SimulatedBoard};
pub use transport::PortSpec;

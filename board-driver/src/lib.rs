//! Speaks to sensor boards, and simulates them.
//!
//! ```text
//! port --bytes--> protocol --BoardEvent--> link --LinkEvent--> whoever follows the game
//! ```
//!
//! [`protocol`] is sans-IO, [`transport`] opens ports, and [`link`] is the only async loop. [`sim`]
//! is the other end: boards on pseudo-terminals that are opened like any port.
//!
//! # How to add a board in ten lines
//!
//! 1. Add `protocol/yours.rs` with a struct that holds what must be remembered between two reads,
//!    and cite its source.
//! 2. Implement [`Protocol`] for it: `open` pushes the bytes that wake the board to
//!    [`Outbox::send`];
//! 3. `receive` collects bytes until a message is whole, and pushes one [`BoardEvent`] for what it
//!    says;
//! 4. a `Report::Hello` comes first, as soon as something was heard that no other kind of board
//!    would have said (detection rests on that), and a `Report::Snapshot` as soon as the squares
//!    are known;
//! 5. where the board sends whole states, [`protocol::Squares`] makes one `Changes` of the squares
//!    that differ;
//! 6. a board without a clock of its own has its reports dated by [`protocol::HostClock`];
//! 7. `wake` polls, asks again, or sets [`Outbox::fault`] after too long a silence; `next_wake`
//!    says when;
//! 8. `command` lights lamps if there are any;
//! 9. give it a `PROFILE` ([`protocol::Profile`]) with its name, speed and sensors, implement
//!    [`sim::Device`] for its simulated board in `sim/yours.rs`, and name the room in
//!    `protocol/kind.rs`: one line makes it known everywhere;
//! 10. test it with bytes from a data sheet, cut at every place, fuzz it, and play games on the
//!     simulated board.

pub mod clock;
pub mod condition;
pub mod detect;
#[cfg(feature = "simulators")]
pub mod device;
pub mod event;
pub mod fault;
#[cfg(feature = "simulators")]
pub mod hand;
pub mod kinds;
pub mod link;
mod map;
#[cfg(feature = "simulators")]
pub mod noise;
pub mod orientation;
pub mod protocol;
#[cfg(feature = "simulators")]
mod random;
pub mod recording;
#[cfg(feature = "simulators")]
pub mod sim;
pub mod transport;

pub use board_wire::{Level, RankLevels, Trouble, TroubleCode};
pub use clock::BoardClock;
pub use condition::Condition;
pub use detect::{connect, ports, probe};
pub use event::{BoardEvent, BoardInfo, LineTrouble, Mark, Report};
pub use fault::FaultReason;
pub use kinds::{BoardKind, Profile};
pub use link::{BusLink, Link, LinkConfig, LinkEvent, Seat};
pub use protocol::{Command, Delivery, Learning, Outbox, Protocol, Start};
#[cfg(feature = "simulators")]
pub use sim::{SimConfig, SimulatedBoard};
pub use transport::PortSpec;

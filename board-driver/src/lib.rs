//! Speaks to sensor boards, and simulates them.
//!
//! ```text
//! port --bytes--> protocol --BoardEvent--> link --LinkEvent--> whoever follows the game
//! ```
//!
//! [`protocol`] is sans-IO, [`transport`] opens ports, and [`link`] is the only async loop.
//! [`kinds`] names each kind of board once and puts the parts together; nothing below it knows
//! which kinds there are.
//!
//! The feature `simulators`, which is on unless it is switched off, is the other end of the line:
//! `device` has a simulated board for each kind, `sim` puts them on pseudo-terminals that are
//! opened like any port, `hand` plays on them and `noise` is what their sensors make of it. No
//! protocol, port or link knows of them.
//!
//! # How to add a kind of board
//!
//! `CONTRIBUTING.md` lists the files; what each part has to do:
//!
//! 1. In `protocol/yours.rs` a struct holds what must be remembered between two reads; its source
//!    is cited above it.
//! 2. It implements [`Protocol`]: `open` pushes the bytes that wake the board to [`Outbox::send`];
//! 3. `receive` collects bytes until a message is whole, and pushes one [`BoardEvent`] for what it
//!    says;
//! 4. a `Report::Hello` comes first, as soon as something was heard that no other kind of board
//!    would have said (detection rests on that), and a `Report::Snapshot` as soon as the squares
//!    are known, both in the board's own squares: whoever follows the game turns them;
//! 5. where the board sends whole states, [`protocol::Squares`] makes one `Changes` of the squares
//!    that differ; where it is asked what stands on it, `protocol::polling` is all but its words;
//! 6. a board without a clock of its own has its reports dated by [`protocol::HostClock`];
//! 7. `wake` polls, asks again, or sets [`Outbox::fault`] after too long a silence; `next_wake`
//!    says when;
//! 8. `command` lights lamps if there are any.
//! 9. In `device/yours.rs` the simulated board implements `device::Device`; `device::responder` and
//!    `device::stream` are all of that but the words.
//! 10. The row in `kinds.rs` makes it known everywhere: to the configuration, to detection, to
//!     `arbiterd simulate`, and to the tests and fuzz targets that play every kind. Tests with
//!     bytes from a data sheet, cut at every place, stand in `protocol/yours.rs`.

pub mod clock;
pub mod condition;
pub mod conform;
pub mod detect;
#[cfg(feature = "simulators")]
pub mod device;
pub mod event;
pub mod fault;
#[cfg(feature = "simulators")]
pub mod hand;
pub mod kinds;
pub mod link;
pub mod loader;
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
mod talk;
pub mod transport;

pub use board_wire::{
    Level, MapRank, MapRanks, Part, RankLevels, SquareMap, Tested, Trouble, TroubleCode, Verdict,
};
pub use clock::BoardClock;
pub use condition::Condition;
pub use detect::{Probed, connect, ports, probe};
pub use event::{BoardEvent, BoardInfo, LineTrouble, Mark, Report};
pub use fault::{Fault, FaultReason};
pub use kinds::{BoardKind, Profile};
pub use link::{BusLink, Link, LinkConfig, LinkEvent, Seat};
pub use protocol::{BenchOrder, Command, Delivery, Learning, Outbox, Protocol, Start};
#[cfg(feature = "simulators")]
pub use sim::{SimConfig, SimulatedBoard};
pub use transport::PortSpec;

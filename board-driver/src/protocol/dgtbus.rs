//! DGT boards in bus mode, many on one line. What they speak is in [`super::dgt`]; they are followed by [`crate::BusLink`].

use std::time::Duration;

use super::dgt::{self, Discovery};
use super::{Profile, dgt::bus};
use crate::sim;

/// A board that shares its line with others. Alone, the host's end only finds out who is there.
pub(super) const PROFILE: Profile = Profile {
    name: "dgt-bus",
    title: "DGT bus",
    answers_within: Duration::from_secs(5),
    host: |start| Box::new(Discovery::new(start)),
    device: sim::dgt,
    ..dgt::PROFILE
};

/// The highest address of a board on a bus.
pub const HIGHEST_ADDRESS: u16 = bus::HIGHEST;

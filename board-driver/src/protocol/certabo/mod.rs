//! Certabo boards, which read a tag in every piece, and Tabutronic Sentio boards, which see only
//! what is occupied.
//!
//! Both send frame after frame without being asked, 38400 bits a second. They name neither
//! themselves nor the direction they lie in. The pieces' tags are learned from the starting
//! position, kept, and learned anew when new pieces stand in it. Sources: see [`frame`].
//!
//! [`Host`](host::Host) is what both have in common, [`tagged`] and [`occupancy`] what their
//! numbers mean.

pub mod frame;
mod host;
pub(crate) mod lamps;
pub mod occupancy;
pub mod readings;
mod tagged;
pub mod tags;

use std::time::Duration;

use arbiter_core::SensorClass;

use super::{Profile, sentio};
use crate::noise::Model;
use crate::sim;

pub(crate) use occupancy::Sentio;
pub(crate) use tagged::Certabo;

pub(super) const PROFILE: Profile = Profile {
    name: "certabo",
    title: "Certabo",
    baud: 38_400,
    sensor: Some(SensorClass::Piece),
    clock: false,
    tells_time: false,
    answers_within: Duration::from_secs(2),
    usb: &[(0x10c4, 0xea60)],
    sensors: Model::states,
    host: |start| Box::new(Certabo::new(start, sentio::PROFILE.instead())),
    device: sim::certabo,
};

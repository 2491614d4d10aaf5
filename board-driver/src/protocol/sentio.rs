//! Tabutronic Sentio, which speaks as Certabo boards do: see [`super::certabo`].

use std::time::Duration;

use arbiter_core::SensorClass;

use super::{Profile, Sentio, certabo};
use crate::noise::Model;
use crate::sim;

pub(super) const PROFILE: Profile = Profile {
    name: "sentio",
    title: "Tabutronic Sentio",
    baud: 38_400,
    sensor: Some(SensorClass::Occupancy),
    clock: false,
    tells_time: false,
    answers_within: Duration::from_secs(2),
    usb: &[(0x10c4, 0xea60)],
    sensors: Model::states,
    host: |start| Box::new(Sentio::new(start, certabo::PROFILE.instead())),
    device: sim::sentio,
};

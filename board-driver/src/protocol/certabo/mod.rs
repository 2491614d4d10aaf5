//! Certabo boards, which read a tag in every piece, and Tabutronic Sentio boards, which see only
//! what is occupied.
//!
//! Both send frame after frame without being asked, 38400 bits a second. They name neither
//! themselves nor the direction they lie in. The pieces' tags are learned from the starting
//! position, kept, and learned anew when new pieces stand in it. Sources: see [`frame`].
//!
//! `host` is what both have in common, `tagged` and [`occupancy`] what their
//! numbers mean.

pub mod filter;
pub mod frame;
mod host;
mod lamps;
pub mod occupancy;
mod tagged;
pub mod tags;

pub(crate) use occupancy::Sentio;
pub(crate) use tagged::Certabo;

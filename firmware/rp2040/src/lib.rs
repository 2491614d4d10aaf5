//! What the image of a sensor board on an RP2040 does that needs no RP2040.

#![no_std]

#[cfg(test)]
extern crate std;

pub mod kept;
pub mod runs;

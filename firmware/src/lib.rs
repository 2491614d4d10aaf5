//! From magnets to frames: what a sensor board does before its first byte leaves for the host.
//!
//! Three rooms, one direction: [`scan`] reads 64 squares, [`debounce`] turns electrical noise into
//! settled readings, [`report`] turns settled readings into frames of the native board protocol.
//! [`board`] is the three together: begin there. Beside them, [`clock`] listens to a clock that
//! tells its times.
//!
//! This crate knows no chess. It knows lines that are closed or open, scans and milliseconds. It
//! has no allocation, no operating system and no hardware of its own: pins, buses and delays come
//! through `embedded-hal`, time and bytes through arguments, so the same code runs on a
//! microcontroller, on Linux and under test.
//!
//! Squares are bits: bit 0 is a1, bit 7 is h1, bit 63 is h8. A set bit is an occupied square.

#![no_std]

#[cfg(test)]
extern crate std;

pub mod array;
pub mod board;
pub mod clock;
pub mod debounce;
pub mod report;
pub mod scan;

/// The example of the README is compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

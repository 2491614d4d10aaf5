//! From magnets to frames: what a sensor board does before its first byte leaves for the host.
//!
//! Three rooms, one direction: [`scan`] reads 64 squares into a `u64`, [`debounce`] turns electrical noise into settled
//! readings, [`report`] turns settled readings into frames of the native board protocol.
//!
//! This crate knows no chess. It knows lines that are closed or open, scans and milliseconds. It has no allocation, no
//! operating system and no hardware of its own: pins, buses and delays come through `embedded-hal`, time and bytes
//! through arguments, so the same code runs on a microcontroller, on Linux and under test.
//!
//! A board's loop, once a millisecond (`tests/board.rs` runs it against simulated chips):
//!
//! ```text
//! squares.update([scanner.scan()?]);                                   // scan, debounce
//! controls.update([lever_and_buttons()]);
//! let ([squares], [controls]) = (squares.settled(), controls.settled());
//! reporter.scan(ms, Squares::Occupancy(squares), Controls::from_lines(controls));
//! reporter.transmit(ms, |bytes| uart.write(bytes))?;                   // report
//! ```
//!
//! Squares are bits: bit 0 is a1, bit 7 is h1, bit 63 is h8. A set bit is an occupied square.

#![no_std]

#[cfg(test)]
extern crate std;

pub mod debounce;
pub mod report;
pub mod scan;

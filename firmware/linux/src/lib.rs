//! `sensor-board`: a Linux board computer, such as a Raspberry Pi, reads a board's sensors over SPI
//! or I2C and serves the native board protocol on a serial port, a pseudo-terminal or TCP.
//!
//! ```text
//! hardware --Reading--> firmware::board --frames--> line --> hosts
//! ```
//!
//! [`hardware`] opens chips and opens them again, [`mod@line`] is where hosts are, [`service`] is
//! the loop between them, [`monitor`] tells people how it does. Scanners, debouncing and reports
//! are the crate `firmware`'s, the same as on a microcontroller.

pub mod board;
pub mod check;
pub mod cli;
pub mod config;
pub mod diagnosis;
pub mod hardware;
pub mod line;
pub mod monitor;
pub mod service;
pub mod state;
pub mod ticker;

//! The arbiter daemon - boards, journal, games, console.

mod awake;
pub mod chess960;
pub mod config;
pub mod doctor;
pub mod hall;
pub mod http;
pub mod journal;
pub mod logging;
pub mod mating;
pub mod meters;
pub mod office;
pub mod people;
pub mod pgn;
pub mod plain;
pub mod raw;
pub mod run;
pub mod scribe;
pub mod script;
pub mod session;
pub mod store;
pub mod support;
pub mod tls;
pub mod uf2;
pub mod wiring;

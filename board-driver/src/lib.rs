//! Speaks to sensor boards, and simulates them.

pub mod event;

pub use event::{BoardEvent, BoardInfo, Report};

//! Scenario, pipeline, durability and browser tests.

pub mod accuracy;
pub mod scenario;

//! Scenario, pipeline, durability and browser tests.

pub mod scenario;

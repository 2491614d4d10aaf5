//! Scenario, pipeline, durability and browser tests.

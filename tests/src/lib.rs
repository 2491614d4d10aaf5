//! Scenario, pipeline, torture and browser tests.

pub mod accuracy;
pub mod anything;
pub mod compare;
pub mod cortex;
pub mod evening;
pub mod form;
pub mod lichess;
pub mod rig;
pub mod scenario;
pub mod storm;
pub mod wild;

//! Simulated boards.

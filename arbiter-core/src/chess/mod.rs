//! Chess as such: moves, positions, and nothing of sensors or Laws of conduct.

pub(crate) mod dead;
pub(crate) mod moves;
pub(crate) mod position;

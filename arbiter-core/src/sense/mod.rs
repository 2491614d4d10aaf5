//! What the sensors showed, on a human scale.

pub(crate) mod contacts;
pub(crate) mod planes;

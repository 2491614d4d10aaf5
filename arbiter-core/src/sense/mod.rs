//! What the sensors showed, on a human scale, and what that is worth.

pub(crate) mod changes;
pub(crate) mod contacts;
pub(crate) mod planes;
pub(crate) mod trust;

#[cfg(test)]
mod tests;

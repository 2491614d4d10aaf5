//! What goes in and what comes out, as plain data.

pub mod input;
pub mod irregularity;
pub(crate) mod mating;
pub(crate) mod order;
pub mod orientation;
pub(crate) mod question;
pub mod refused;
pub(crate) mod result;
pub mod ruling;
#[cfg(feature = "schema")]
mod schema;
pub mod settings;
pub mod symbol;
pub(crate) mod text;
pub mod time;
pub mod view;

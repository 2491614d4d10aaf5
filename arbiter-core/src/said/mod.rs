//! What goes in and what comes out, as plain data.

pub mod input;
pub mod irregularity;
pub mod orientation;
pub(crate) mod question;
pub mod ruling;
#[cfg(feature = "schema")]
mod schema;
pub mod settings;
pub mod symbol;
pub(crate) mod text;
pub mod time;
pub mod view;

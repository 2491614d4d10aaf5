//! What goes in and what comes out, as plain data.

pub mod input;
pub mod irregularity;
pub mod orientation;
pub(crate) mod question;
pub mod ruling;
pub mod settings;
pub mod symbol;
pub(crate) mod text;
pub mod time;
pub mod view;

//! Simulated boards without ports: the board's end of each protocol.
//!
//! What happens on the squares and what the host writes goes in, frames come out. [`crate::sim`]
//! puts them on pseudo-terminals; [`crate::kinds`] says which kind of board is which device.

mod affelino;
mod analogue;
mod bench;
mod certabo;
mod chesslink;
mod chessnut;
mod config;
pub(crate) mod dgt;
mod echess;
mod end;
mod native;
mod responder;
mod squareoff;
mod stream;
mod text;
mod wire;

pub(crate) use affelino::affelino;
pub(crate) use certabo::{certabo, sentio};
pub(crate) use chesslink::chesslink;
pub(crate) use chessnut::chessnut;
pub use config::{DeviceConfig, Fittings, Quirks};
pub(crate) use dgt::single as single_dgt;
pub(crate) use echess::echess;
pub(crate) use end::AHEAD;
pub use end::{Device, Moment};
pub(crate) use native::native;
pub(crate) use squareoff::squareoff;
pub(crate) use text::text;

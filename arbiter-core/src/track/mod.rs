//! What was played: the hypotheses that explain what the sensors showed.

pub(crate) mod backtrack;
pub(crate) mod beam;
mod bounds;
pub(crate) mod cost;
pub(crate) mod entry;
pub(crate) mod evidence;
mod fit;
pub(crate) mod gap;
pub(crate) mod hypothesis;
pub(crate) mod log;
pub(crate) mod look;
mod moves;
mod reach;
pub(crate) mod replay;

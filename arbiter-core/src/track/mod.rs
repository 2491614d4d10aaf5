//! What was played: the hypotheses that explain what the sensors showed.

pub(crate) mod backtrack;
pub(crate) mod beam;
pub(crate) mod cost;
pub(crate) mod fit;
pub(crate) mod gap;
pub(crate) mod hypothesis;
pub(crate) mod log;

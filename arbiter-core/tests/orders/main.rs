//! What the arbiter orders, and takes back.

mod mistaken;
mod told;
mod whole;

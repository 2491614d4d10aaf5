//! What the arbiter orders, and takes back; and boards on which pieces lie about.

mod mistaken;
mod spilled;
mod told;
mod whole;

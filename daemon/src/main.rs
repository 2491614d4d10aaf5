//! `arbiterd`: arguments only; the work is in the library.
fn main() {}

//! What the configuration says of the push: the keys of `[lichess]`.

use std::path::PathBuf;

use super::push::Pace;

/// A round of a broadcast.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// The event, by its number in the store.
    pub event: usize,
    /// The event's round.
    pub round: u16,
    /// Its name at Lichess: the eight letters and digits at the end of its address.
    pub id: String,
}

/// The keys of `[lichess]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Where Lichess is: scheme and host, without a slash at the end.
    pub url: String,
    /// The file with the token; `None`: it is in the environment.
    pub token_file: Option<PathBuf>,
    /// The rounds that are pushed.
    pub rounds: Vec<Round>,
    /// How fast, and how patiently.
    pub pace: Pace,
}

impl Rules {
    /// Lichess itself.
    pub const URL: &str = "https://lichess.org";
}

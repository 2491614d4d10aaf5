//! What the configuration says of this interface: the keys of `[livechess]`.

use std::net::SocketAddr;

pub use crate::public::Hold;

/// The keys of `[livechess]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Where clients are answered.
    pub listen: SocketAddr,
    /// Web pages that may ask, each as browsers name it: `https://lichess.org`.
    pub origins: Vec<String>,
    /// What of a public record waits before clients are told of it; with `completed` also the last
    /// move, until the clock runs for the other side or that side has moved.
    pub hold: Hold,
}

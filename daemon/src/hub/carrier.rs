//! What carries words between a hall and its hub.
//!
//! A carrier may lose, repeat and reorder what it is given: nothing rests on it. All that it must
//! do is to say when it is of no more use.

use replica::Place;

use super::message::{FromHall, ToHall};

/// Why a line is of no use.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Broken(pub String);

impl Broken {
    pub(super) fn of(error: impl ToString) -> Broken {
        Broken(error.to_string())
    }
}

/// A way to a hub.
pub trait Carrier: Send {
    /// What it opens.
    type Line: Line;

    /// Opens a line.
    fn connect(&self) -> impl Future<Output = Result<Self::Line, Broken>>;
}

/// What is heard on a line.
#[derive(Debug)]
pub enum Heard {
    /// A word of the hub.
    Hub(ToHall),
    /// The hub asks who is there.
    Called,
    /// What the carrier says of itself, where it keeps what is sent: [`replica::Input::Kept`].
    Kept(Place),
    /// [`replica::Input::Torn`].
    Torn(Option<Place>),
    /// [`replica::Input::Stuck`], and why.
    Stuck(String),
}

/// A line to a hub.
pub trait Line {
    /// Says something.
    fn send(&mut self, words: &FromHall) -> impl Future<Output = Result<(), Broken>>;

    /// Hears what is next. Nothing is lost where this is dropped before it returns.
    fn receive(&mut self) -> impl Future<Output = Result<Heard, Broken>>;
}

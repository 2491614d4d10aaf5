//! The public's games as a Lichess broadcast: what passes the gate is pushed to its rounds, as
//! whole PGNs, whenever it has changed.
//!
//! All of it happens on a thread of its own, which asks one thing at a time: no board waits for a
//! service on the internet. What is pushed is made anew of what is public at that moment, so that
//! nothing piles up while nobody answers, and what is pushed last is what is public.
//!
//! The interface: `POST /api/broadcast/round/{id}/push` of the Lichess API (its OpenAPI document,
//! `broadcastPush`).

mod games;
mod part;
mod post;
mod push;
mod rules;
mod state;
mod token;

pub use push::{Pace, Pusher};
pub use rules::{Round, Rules};
pub use state::{Pushed, Refused, Status};
pub use token::{Token, TokenError, VARIABLE};

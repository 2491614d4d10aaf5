//! Who may do what in a tournament: roles and their rights, passwords, sessions, and how phones and
//! screens are let in.
//!
//! Nothing here reads a clock, a file or the network: time is an argument, in seconds since 1970,
//! and what must be kept is handed out. Chance comes from the operating system alone.

mod pairing;
mod password;
mod pin;
mod rights;
mod role;
mod secret;
mod sessions;

pub use pairing::{
    Answer, CODE_LIFE, Codes, Invitation, MOST_WRONG, Origin, PETITION_LIFE, Pairing, Petition,
    Refused,
};
pub use password::{LONGEST, SHORTEST, Weak, complaint, generate, hash, is_right, verify};
pub use pin::{BadPin, PIN_TRIES, Pin, pin_complaint};
pub use rights::{
    FIELDS, Need, RIGHTS, ROUTES, Reach, Right, Sight, field, need, reach, show, show_board,
};
pub use role::{BadRole, BadTables, Role, Tables, Who};
pub use secret::{Digest, chance, digest, readable, squares, token, typed};
pub use sessions::{IDLE, LIFE, PROOF, Session, Sessions};

/// Seconds since 1970.
pub type Seconds = i64;

//! The key of a hall or of a hub: a file that nobody else can read.
//!
//! It holds the seed of an nkey, as NATS calls it: a secret of chance, whose public half tells a
//! NATS server who calls without the secret leaving the machine. Over a WebSocket the text itself
//! is what is shown, and the hub knows its SHA-256.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use nkeys::{KeyPair, KeyPairType};

/// Reads a key that nobody else can read.
///
/// # Errors
/// Where there is none, or others can read it.
pub fn read(file: &Path) -> io::Result<String> {
    let named =
        |what: &dyn ToString| io::Error::other(format!("{}: {}", file.display(), what.to_string()));
    let about = fs::metadata(file).map_err(|error| named(&error))?;
    if about.permissions().mode() & 0o077 != 0 {
        return Err(named(
            &"others can read this key: make it yours alone by `chmod 600`",
        ));
    }
    let key = fs::read_to_string(file).map_err(|error| named(&error))?;
    match key.trim() {
        "" => Err(named(&"is empty: `arbiterd hub key` makes one")),
        key => Ok(key.to_owned()),
    }
}

/// The public half of a key; `None` where it is no seed of a user: one of before there was NATS.
pub fn public(key: &str) -> Option<String> {
    let pair = KeyPair::from_seed(key.trim()).ok()?;
    let name = pair.public_key();
    name.starts_with('U').then_some(name)
}

/// Whether this is the public half of a user's key.
pub fn is_public(name: &str) -> bool {
    name.starts_with('U') && KeyPair::from_public_key(name).is_ok()
}

/// A key of chance.
///
/// # Errors
/// Where the operating system has no random bytes.
pub fn make() -> io::Result<String> {
    let pair = KeyPair::new_from_raw(KeyPairType::User, access::chance()?);
    pair.and_then(|pair| pair.seed()).map_err(io::Error::other)
}

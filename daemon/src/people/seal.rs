//! What the list of acts keeps of an account or a session, so that a change of their file by hand
//! is seen: a checksum. Nothing can be made of it, for what goes in has secrets of 128 bits: the
//! salt beside the hash of a password, the digest of a token.

use access::{Digest, Session};
use sha2::{Digest as _, Sha256};

use super::Account;

/// The checksum of what is kept of an account's password.
pub(super) fn account(account: &Account) -> String {
    sum(&[account.who.name.as_bytes(), account.hash.as_bytes()])
}

/// The checksum of what a session is, and stays: not of when it was used.
pub(super) fn session(token: &Digest, session: &Session) -> String {
    let tables = session.who.tables.map(|tables| tables.to_string());
    sum(&[
        &session.id.to_be_bytes(),
        token,
        session.who.name.as_bytes(),
        session.who.role.name().as_bytes(),
        tables.unwrap_or_default().as_bytes(),
        &[u8::from(session.account)],
        &session.ends.to_be_bytes(),
        session.pin.hash.as_deref().unwrap_or_default().as_bytes(),
    ])
}

fn sum(fields: &[&[u8]]) -> String {
    let mut sum = Sha256::new();
    for field in fields {
        sum.update(field.len().to_be_bytes());
        sum.update(field);
    }
    sum.finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

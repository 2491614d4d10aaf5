//! Why something could not be done to accounts, sessions and devices: in words for the command
//! line, and as data for whoever says it in another language.

use access::{Refused, Weak};

use super::file;
use crate::reason::Reason;

/// Why something could not be done.
#[derive(Debug, thiserror::Error)]
pub enum PeopleError {
    /// Not let in; whether the name is known is not said.
    #[error("the name or the password is wrong")]
    Wrong,
    /// Not now.
    #[error("too many attempts: wait a minute, then try again")]
    TooOften,
    /// No good password.
    #[error(transparent)]
    Weak(#[from] Weak),
    /// Nobody of that name.
    #[error("there is no account `{0}`; `arbiterd people list` shows all")]
    NoAccount(String),
    /// The wrong PIN; so often it may still be tried.
    #[error("{}", wrong_pin(*.0))]
    Pin(u8),
    /// There is one already.
    #[error("there is an account `{0}` already: choose another name, or reset its password")]
    Taken(String),
    /// There was one.
    #[error(
        "`{0}` is the name of an account that is closed: it signs what was done, and is not given \
         again; choose another"
    )]
    Closed(String),
    /// A device is in under that name.
    #[error(
        "`{name}` is the name of a device that is in (session {session}): choose another, or end \
         that session first"
    )]
    InUse {
        /// The name.
        name: String,
        /// The number of its session.
        session: u64,
    },
    /// The link was used, or never valid.
    #[error("this setup link is not valid: it works once, and never where an administrator is")]
    Setup,
    /// The accounts are gone, and were there.
    #[error(
        "this store had a chief arbiter, and {} has no account of one any more: no setup link is \
         made. Put that file back, or make a chief arbiter at this machine with `arbiterd people \
         add NAME --role chief`",
        file::FILE
    )]
    HadChief,
    /// A code was not taken.
    #[error(transparent)]
    Pairing(#[from] Refused),
    /// No such session.
    #[error("there is no session {0}")]
    NoSession(u64),
    /// Nobody waits there.
    #[error("nobody of that number waits to be let in")]
    NoPetition,
    /// Somebody must be left.
    #[error("`{0}` is the last chief arbiter: add another before this account is revoked")]
    LastChief(String),
    /// What was given makes no sense.
    #[error("{0}")]
    Bad(Box<Reason>),
    /// The disk or the system refused.
    #[error("accounts could not be read or written: {0}")]
    Store(String),
}

fn wrong_pin(left: u8) -> String {
    match left {
        0 => "the PIN was wrong too often: this device has to be let in again".to_owned(),
        left => format!("that is not the PIN; it may be tried {left} times more"),
    }
}

impl PeopleError {
    /// What was given makes no sense, for this reason.
    pub(super) fn bad(reason: Reason) -> PeopleError {
        PeopleError::Bad(Box::new(reason))
    }

    /// Why, as data. What of the disk is wrong is for the log: strangers may ask too.
    pub fn reason(&self) -> Reason {
        let text = self.to_string();
        match self {
            PeopleError::Wrong => Reason::new("login-wrong", text),
            PeopleError::TooOften => Reason::new("login-too-often", text),
            PeopleError::Weak(Weak::Short) => {
                Reason::new("password-short", text).with("count", access::SHORTEST)
            }
            PeopleError::Weak(Weak::Long) => {
                Reason::new("password-long", text).with("count", access::LONGEST)
            }
            PeopleError::Weak(Weak::Common) => Reason::new("password-common", text),
            PeopleError::NoAccount(name) => Reason::new("no-account", text).with("name", name),
            PeopleError::Pin(0) => Reason::new("pin-exhausted", text),
            PeopleError::Pin(left) => Reason::new("pin-wrong", text).with("left", left),
            PeopleError::Taken(name) => Reason::new("account-taken", text).with("name", name),
            PeopleError::Closed(name) => Reason::new("account-closed", text).with("name", name),
            PeopleError::InUse { name, session } => {
                let reason = Reason::new("device-in-use", text);
                reason.with("name", name).with("session", session)
            }
            PeopleError::Setup => Reason::new("setup-link-worthless", text),
            PeopleError::HadChief => Reason::new("chief-is-gone", text),
            PeopleError::Pairing(Refused::Wrong) => Reason::new("code-worthless", text),
            PeopleError::Pairing(Refused::Frozen) => Reason::new("codes-frozen", text),
            PeopleError::Pairing(Refused::Crowded) => Reason::new("devices-crowded", text),
            PeopleError::Pairing(Refused::Screen) => Reason::new("screen-only-watches", text),
            PeopleError::NoSession(id) => Reason::new("no-session", text).with("session", id),
            PeopleError::NoPetition => Reason::new("no-petition", text),
            PeopleError::LastChief(name) => Reason::new("last-chief", text).with("name", name),
            PeopleError::Bad(reason) => (**reason).clone(),
            PeopleError::Store(_) => {
                let text = "accounts could not be read or written; the log says why";
                Reason::new("accounts-unread", text)
            }
        }
    }
}

impl From<std::io::Error> for PeopleError {
    fn from(error: std::io::Error) -> PeopleError {
        PeopleError::Store(error.to_string())
    }
}

impl From<rusqlite::Error> for PeopleError {
    fn from(error: rusqlite::Error) -> PeopleError {
        PeopleError::Store(error.to_string())
    }
}

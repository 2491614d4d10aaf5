//! What the list of acts says of people. Never a password, a code or a token.

use access::{Role, Tables};
use serde::Serialize;

use super::assigned::Resealed;

/// Something that was done, or was refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub enum Noted<'a> {
    /// The setup link was used.
    SetUp {
        /// The first chief arbiter.
        account: &'a str,
        /// The checksum of what is kept of it.
        seal: &'a str,
    },
    /// Somebody gave his password, and was let in.
    LoggedIn {
        /// His session.
        session: u64,
        /// The checksum of what is kept of it.
        seal: &'a str,
    },
    /// Somebody was not.
    LoginRefused {
        /// The account; `None` where there is none of the name that was given.
        account: Option<&'a str>,
    },
    /// Somebody left.
    LoggedOut,
    /// A password was given again before something that asks for it.
    Proved {
        /// His session, which has another token.
        session: u64,
        /// The checksum of what is kept of it.
        seal: &'a str,
    },
    /// It was the wrong one.
    ProofRefused,
    /// Somebody changed his password.
    PasswordChanged {
        /// His account.
        account: &'a str,
        /// The checksum of what is kept of it.
        seal: &'a str,
    },
    /// An account was made.
    AccountAdded {
        /// Its name.
        account: &'a str,
        /// Its role.
        role: Role,
        /// Its tables.
        tables: Option<Tables>,
        /// The checksum of what is kept of it.
        seal: &'a str,
    },
    /// An account was given another password.
    AccountReset {
        /// Its name.
        account: &'a str,
        /// The checksum of what is kept of it.
        seal: &'a str,
    },
    /// An account has other tables.
    AccountAssigned {
        /// Its name.
        account: &'a str,
        /// Its tables.
        tables: Option<Tables>,
        /// Its sessions, which have them too.
        sessions: Vec<Resealed>,
    },
    /// An account was closed.
    AccountRevoked {
        /// Its name.
        account: &'a str,
    },
    /// A device has chosen its PIN.
    PinChosen {
        /// Its session.
        session: u64,
        /// The checksum of what is kept of it.
        seal: &'a str,
    },
    /// A device gave its PIN.
    PinGiven,
    /// It was the wrong one.
    PinRefused,
    /// It was wrong too often: the device is out.
    PinExhausted,
    /// A code for a device was made.
    Invited {
        /// The device.
        device: &'a str,
        /// Its role.
        role: Role,
        /// Its tables.
        tables: Option<Tables>,
    },
    /// A wrong code was brought.
    CodeRefused,
    /// A device waits to be let in.
    Asked {
        /// Its petition.
        petition: u64,
        /// The device.
        device: &'a str,
    },
    /// A device may come in.
    Allowed {
        /// Its petition.
        petition: u64,
    },
    /// A device may not.
    TurnedAway {
        /// Its petition.
        petition: u64,
    },
    /// A device came in.
    Paired {
        /// Its session.
        session: u64,
        /// The device.
        device: &'a str,
        /// Its role.
        role: Role,
        /// The checksum of what is kept of it.
        seal: &'a str,
    },
    /// A session was ended by somebody else.
    SessionRevoked {
        /// Its number.
        session: u64,
        /// Whose.
        name: &'a str,
    },
    /// Somebody wanted what he has no right to.
    Refused {
        /// The method.
        method: &'a str,
        /// The address.
        path: &'a str,
    },
    /// The machine's clock was set.
    ClockSet {
        /// What it showed before.
        before: &'a str,
        /// And after.
        after: &'a str,
    },
    /// A game was begun by hand.
    GameBegun {
        /// The board.
        board: &'a str,
    },
}

//! What the list of acts says of accounts and devices, and whether their file says the same: the
//! list is chained, and the file can be written by whoever owns the store.

use std::collections::BTreeMap;
use std::path::Path;

use access::{Digest, Role, Session, Tables, Who};
use rusqlite::{Connection, OpenFlags};
use serde::Deserialize;

use super::assigned::Resealed;
use super::file::{self, FILE};
use super::seal;
use crate::store::{Area, Author, Deeds, StoreError};

/// What acts say that gives rights, or takes them. Those of older versions have no seals.
#[derive(Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
enum Told {
    SetUp {
        account: String,
        seal: Option<String>,
    },
    AccountAdded {
        account: String,
        role: Role,
        tables: Option<Tables>,
        seal: Option<String>,
    },
    #[serde(alias = "password-changed")]
    AccountReset {
        account: Option<String>,
        seal: Option<String>,
    },
    AccountAssigned {
        account: String,
        tables: Option<Tables>,
        sessions: Vec<Resealed>,
    },
    AccountRevoked {
        account: String,
    },
    LoggedIn {
        session: u64,
        seal: Option<String>,
    },
    Paired {
        session: u64,
        role: Role,
        seal: Option<String>,
    },
    #[serde(alias = "pin-chosen")]
    Proved {
        session: Option<u64>,
        seal: Option<String>,
    },
    SessionRevoked {
        session: u64,
    },
    #[serde(alias = "pin-exhausted")]
    LoggedOut,
    #[serde(other)]
    Other,
}

/// An account as the acts made it.
struct Made {
    role: Role,
    tables: Option<Tables>,
    /// The checksum of what is kept of its password, where an act says it.
    seal: Option<String>,
}

/// A session as the acts made it.
struct Begun {
    /// The account that it stands on; `None`: a device.
    account: Option<String>,
    /// The role of a device.
    role: Option<Role>,
    seal: Option<String>,
}

/// Who may do what by the acts.
#[derive(Default)]
struct Rights {
    /// By name; `None`: taken back.
    accounts: BTreeMap<String, Option<Made>>,
    /// Those that no act has ended.
    sessions: BTreeMap<u64, Begun>,
}

impl Rights {
    fn of(deeds: &Deeds) -> Rights {
        let mut rights = Rights::default();
        for (_, deed) in deeds.of(Area::People) {
            let told = serde_json::from_str(&deed.what).unwrap_or(Told::Other);
            rights.take(told, &deed.author);
        }
        rights
    }

    fn take(&mut self, told: Told, by: &Author) {
        let own = by.device.strip_prefix("session ");
        let own: Option<u64> = own.and_then(|number| number.parse().ok());
        match told {
            Told::SetUp { account, seal } => {
                let (role, tables) = (Role::Chief, None);
                let made = Made { role, tables, seal };
                self.accounts.insert(account.trim().to_owned(), Some(made));
            }
            Told::AccountAdded {
                account,
                role,
                tables,
                seal,
            } => {
                _ = self
                    .accounts
                    .insert(account, Some(Made { role, tables, seal }))
            }
            Told::AccountReset { account, seal } => {
                let name = account.as_ref().unwrap_or(&by.who);
                if let Some(Some(made)) = self.accounts.get_mut(name) {
                    made.seal = seal;
                }
                // Who changes his own password stays in.
                self.end_all(name, own.filter(|_| by.who == *name));
            }
            Told::AccountAssigned {
                account,
                tables,
                sessions,
            } => {
                if let Some(Some(made)) = self.accounts.get_mut(&account) {
                    made.tables = tables;
                }
                for Resealed { session, seal } in sessions {
                    self.reseal(session, Some(seal));
                }
            }
            Told::AccountRevoked { account } => {
                self.end_all(&account, None);
                self.accounts.insert(account, None);
            }
            Told::LoggedIn { session, seal } => {
                let account = Some(by.who.clone());
                let role = None;
                self.sessions.insert(
                    session,
                    Begun {
                        account,
                        role,
                        seal,
                    },
                );
            }
            Told::Paired {
                session,
                role,
                seal,
            } => {
                let (account, role) = (None, Some(role));
                self.sessions.insert(
                    session,
                    Begun {
                        account,
                        role,
                        seal,
                    },
                );
            }
            Told::Proved { session, seal } => {
                self.reseal(session.or(own).unwrap_or_default(), seal);
            }
            Told::SessionRevoked { session } => _ = self.sessions.remove(&session),
            Told::LoggedOut => _ = own.map(|number| self.sessions.remove(&number)),
            Told::Other => {}
        }
    }

    fn reseal(&mut self, session: u64, seal: Option<String>) {
        if let Some(begun) = self.sessions.get_mut(&session) {
            begun.seal = seal;
        }
    }

    /// The sessions on an account are over, but for this one.
    fn end_all(&mut self, account: &str, but: Option<u64>) {
        self.sessions.retain(|number, begun| {
            begun.account.as_deref() != Some(account) || but == Some(*number)
        });
    }

    /// What is wrong with a session.
    fn look_at(&self, token: &Digest, session: &Session) -> Option<String> {
        let (id, role) = (session.id, session.who.role.name());
        let what = match session.account {
            true => format!("session {id} of `{}`", session.who.name),
            false => format!("session {id}, a device"),
        };
        if session.account
            && let Some(told) = self.look(&session.who, &what)
        {
            return Some(told);
        }
        let Some(begun) = self.sessions.get(&id) else {
            return Some(format!(
                "{what}, {role}, was opened by no act, or ended by one"
            ));
        };
        let is_his = begun
            .account
            .as_ref()
            .is_none_or(|name| *name == session.who.name);
        if session.account != begun.account.is_some() || !is_his {
            return Some(format!("{what}, {role}, is another one by the acts"));
        }
        if let Some(given) = begun.role.filter(|given| *given != session.who.role) {
            let given = given.name();
            return Some(format!("{what}, is {role}, and the acts made it {given}"));
        }
        let seal = begun.seal.as_ref();
        let is_other = seal.is_some_and(|seal| *seal != seal::session(token, session));
        is_other.then(|| {
            format!("{what}: its name, tables, end, token or PIN are not what the acts gave it")
        })
    }

    /// What is wrong with an account, or with a session on it.
    fn look(&self, who: &Who, what: &str) -> Option<String> {
        let role = who.role.name();
        match self.accounts.get(&who.name) {
            None => Some(format!("{what}, {role}, was made by no act")),
            Some(None) => Some(format!("{what}, {role}, was revoked by an act")),
            Some(Some(given)) if (given.role, given.tables) != (who.role, who.tables) => {
                let (given, tables) = (given.role.name(), given.tables);
                let tables = tables.map_or_else(String::new, |tables| format!(" of {tables}"));
                Some(format!(
                    "{what} is {role}, and the acts made it {given}{tables}"
                ))
            }
            Some(Some(_)) => None,
        }
    }
}

/// Whether an act has ever made a chief arbiter.
pub(super) fn had_chief(deeds: &Deeds) -> bool {
    deeds.of(Area::People).any(|(_, deed)| {
        match serde_json::from_str(&deed.what).unwrap_or(Told::Other) {
            Told::SetUp { .. } => true,
            Told::AccountAdded { role, .. } => role == Role::Chief,
            _ => false,
        }
    })
}

/// Rights in the file of accounts in `dir` that no act has given. An account that is not there can
/// do nothing, and is not told: copies of a store have none.
///
/// # Errors
/// Where the file is there and cannot be read.
pub(crate) fn without_acts(dir: &Path, deeds: &Deeds) -> Result<Vec<String>, StoreError> {
    let path = dir.join(FILE);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(super::UPKEEP.min(std::time::Duration::from_secs(5)))?;
    let rights = Rights::of(deeds);
    let accounts = file::accounts(&db)?;
    let open = accounts.iter().filter(|account| account.revoked.is_none());
    let accounts = open.filter_map(|account| {
        let name = &account.who.name;
        let told = rights.look(&account.who, &format!("account `{name}`"));
        let seal = || rights.accounts.get(name)?.as_ref()?.seal.as_ref();
        let is_other = || seal().is_some_and(|seal| *seal != seal::account(account));
        let another = || format!("account `{name}` has another password than the acts gave it");
        told.or_else(|| is_other().then(another))
    });
    let mut wrong: Vec<String> = accounts.collect();
    let sessions = file::sessions(&db)?;
    let sessions = sessions
        .iter()
        .filter_map(|(token, session)| rights.look_at(token, session));
    wrong.extend(sessions);
    Ok(wrong)
}

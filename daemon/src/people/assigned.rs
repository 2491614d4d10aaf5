//! An arbiter of a sector is given other tables.

use access::{Digest, Session, Tables};
use serde::{Deserialize, Serialize};

use super::account::{Account, fits_tables};
use super::file::Change;
use super::{Noted, People, PeopleError, Visitor, seal};

/// Tables to be given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Assignment {
    /// Which, such as `1-10`; `null`: none of his own.
    pub tables: Option<Tables>,
}

/// The checksum of a session, which has changed with the tables of its account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Resealed {
    /// Its number.
    pub session: u64,
    /// The checksum of what is kept of it.
    pub seal: String,
}

/// How somebody stands who was let in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stand {
    /// As he came in.
    Same,
    /// He has other tables by now.
    Reassigned,
    /// His session is over, or something is asked of it first.
    Over,
}

impl People {
    /// Gives an account other tables. Whoever is in on it stays in, with those.
    ///
    /// # Errors
    /// Where there is no such account, or its role has no tables, or needs some.
    pub async fn assign(
        &self,
        by: &Visitor,
        name: &str,
        tables: Option<Tables>,
    ) -> Result<Account, PeopleError> {
        let _alone = self.inner.changing.lock().await;
        let before = self.known(name)?;
        fits_tables(before.who.role, tables)?;
        let mut account = before.clone();
        account.who.tables = tables;
        // Who comes in from here on has the new ones.
        let sessions = self.count_as(&account);
        let name = &*account.who.name;
        let resealed = |(token, session): &(Digest, Session)| Resealed {
            session: session.id,
            seal: seal::session(token, session),
        };
        let noted = Noted::AccountAssigned {
            account: name,
            tables,
            sessions: sessions.iter().map(resealed).collect(),
        };
        if let Err(error) = self.note(by.author(), &noted).await {
            self.count_as(&before);
            return Err(error);
        }
        self.keep(Change::Account(account.clone())).await?;
        for (token, session) in sessions {
            self.keep(Change::Session(token, session)).await?;
        }
        self.inner.ended.send_replace(());
        Ok(account)
    }

    /// An account and its sessions have the tables that it has here. Returns those sessions.
    fn count_as(&self, account: &Account) -> Vec<(Digest, Session)> {
        self.put(account);
        let who = &account.who;
        self.state().sessions.assign(&who.name, who.tables)
    }

    /// How somebody stands by now. He is there: somebody looks on.
    pub fn stand(&self, visitor: &Visitor) -> Stand {
        let Some((_, digest)) = &visitor.session else {
            return Stand::Same;
        };
        if !self.is_alive(digest) {
            return Stand::Over;
        }
        let mut state = self.state();
        let session = state.sessions.get_mut(digest);
        match session.is_some_and(|session| session.who.tables != visitor.who.tables) {
            true => Stand::Reassigned,
            false => Stand::Same,
        }
    }
}

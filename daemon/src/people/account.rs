//! Accounts: who has a password.

use access::{LIFE, Origin, Pin, Role, Seconds, Session, Tables, Who};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::device::nobody;
use super::file::Change;
use super::names::{is_same, kept};
use super::{Noted, Opened, People, PeopleError, Visitor, now, seal};
use crate::plain;
use crate::reason::Reason;

/// The longest name, in bytes: it signs orders.
const LONGEST_NAME: usize = 100;

/// Somebody with a password.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Account {
    /// Who.
    #[serde(flatten)]
    pub who: Who,
    /// When it was made, in seconds since 1970.
    pub made: Seconds,
    /// When it was closed.
    pub revoked: Option<Seconds>,
    /// What is kept of the password.
    #[serde(skip)]
    pub(super) hash: String,
}

/// An account to be made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAccount {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// Its tables, such as `1-10`.
    #[serde(default)]
    pub tables: Option<Tables>,
    /// Its password; where that is left out, one is made and told once.
    #[serde(default)]
    pub password: Option<String>,
}

/// An account with a password that was made for it, to be told once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Fresh {
    /// Its name.
    pub account: String,
    /// The password; `null` where it was given.
    pub password: Option<String>,
}

/// What is wrong with a name that signs; `what` bears it.
pub(super) fn name_complaint(what: &str, name: &str) -> Option<Reason> {
    let text = |complaint: &str| format!("the {what}'s name {complaint}");
    if name.trim().is_empty() {
        Some(Reason::new("name-empty", text("is empty")))
    } else if name.len() > LONGEST_NAME {
        Some(Reason::new("name-long", text("is longer than 100 bytes")))
    } else {
        plain::complaint(name).map(|complaint| Reason::new("name-hidden", text(complaint)))
    }
}

/// Refuses tables of whoever has none of his own, and an arbiter of a sector without.
pub(super) fn fits_tables(role: Role, tables: Option<Tables>) -> Result<(), PeopleError> {
    let reason = match (role, tables) {
        (Role::Sector, None) => {
            let text =
                "an arbiter of a sector needs its tables (`tables`, `--tables`), such as 1-10";
            Reason::new("sector-without-tables", text)
        }
        (Role::Chief | Role::Operator | Role::Viewer, Some(_)) => {
            let text = format!(
                "the role `{role}` is the same at all tables: leave them out (`tables`, \
                 `--tables`); a sector or a display has some"
            );
            Reason::new("role-without-tables", text).with("role", role)
        }
        _ => return Ok(()),
    };
    Err(PeopleError::bad(reason))
}

fn is_named(account: &Account, name: &str) -> bool {
    is_same(&account.who.name, name)
}

impl People {
    /// Every account, those that are closed too.
    pub fn accounts(&self) -> Vec<Account> {
        self.state().accounts.clone()
    }

    /// Whether there is, or ever was, somebody who can let others in.
    pub fn has_chief(&self) -> bool {
        let state = self.state();
        state
            .accounts
            .iter()
            .any(|account| account.who.role == Role::Chief)
    }

    /// Whether somebody can log in.
    pub fn has_account(&self) -> bool {
        self.state()
            .accounts
            .iter()
            .any(|account| account.revoked.is_none())
    }

    /// Refuses to begin where there was a chief arbiter once, whose account is gone.
    ///
    /// # Errors
    /// There.
    pub fn is_whole(&self) -> Result<(), PeopleError> {
        match !self.has_chief() && self.state().had_chief {
            true => Err(PeopleError::HadChief),
            false => Ok(()),
        }
    }

    /// A link by which the first chief arbiter is made; `None` where there is one.
    ///
    /// # Errors
    /// Where it cannot be written down, or there was a chief arbiter once, whose account is gone.
    pub fn setup_link(&self, origin: &str) -> Result<Option<String>, PeopleError> {
        if self.has_chief() {
            return Ok(None);
        }
        self.is_whole()?;
        Ok(Some(self.state().setup.make(origin)?))
    }

    /// Makes the first chief arbiter by the setup link.
    ///
    /// # Errors
    /// Where the link is not valid, or the name or the password not good.
    pub async fn set_up(
        &self,
        secret: &str,
        name: &str,
        password: &str,
        from: Origin,
    ) -> Result<Opened, PeopleError> {
        if !self.inner.limits.address(&from.address) {
            return Err(PeopleError::TooOften);
        }
        if self.has_chief() || !self.state().setup.is(secret) {
            return Err(PeopleError::Setup);
        }
        let new = NewAccount {
            name: name.to_owned(),
            role: Role::Chief,
            tables: None,
            password: Some(password.to_owned()),
        };
        let (account, _) = self.account(&new).await?;
        let noted = Noted::SetUp {
            account: &account.who.name,
            seal: &seal::account(&account),
        };
        self.note(nobody(&from), &noted).await?;
        // Of two who use it at once one comes too late.
        {
            let mut state = self.state();
            if !state.setup.is(secret) {
                return Err(PeopleError::Setup);
            }
            state.setup.close();
        }
        self.enter(account.clone()).await?;
        self.open_for(account.who, from).await
    }

    /// Lets somebody in by his password.
    ///
    /// # Errors
    /// Where it is wrong, or was tried too often.
    pub async fn log_in(
        &self,
        name: &str,
        password: &str,
        visitor: Option<&Visitor>,
        from: Origin,
    ) -> Result<Opened, PeopleError> {
        // Whoever is in already cannot be locked out by others who try his name.
        let key = match visitor.filter(|v| is_same(&v.who.name, name)) {
            Some(Visitor {
                session: Some((id, _)),
                ..
            }) => format!("session {id}"),
            _ => format!("account {}", kept(name).to_lowercase()),
        };
        if !self.inner.limits.address(&from.address) || !self.inner.limits.account(&key) {
            return Err(PeopleError::TooOften);
        }
        let account = {
            let state = self.state();
            let mut open = state
                .accounts
                .iter()
                .filter(|account| account.revoked.is_none());
            open.find(|account| is_named(account, name)).cloned()
        };
        let hash = account.as_ref().map(|account| account.hash.clone());
        let is_right = self.verify(password, hash).await?;
        let known = account.as_ref().map(|account| account.who.name.clone());
        match account.filter(|_| is_right) {
            None => {
                // What is no name of an account may be a password: it is kept nowhere.
                let account = known.as_deref();
                self.note(nobody(&from), &Noted::LoginRefused { account })
                    .await?;
                Err(PeopleError::Wrong)
            }
            // It may have been closed, or given another password or other tables, meanwhile.
            Some(account) => match self.known(&account.who.name) {
                Ok(now) if now.hash == account.hash => self.open_for(now.who, from).await,
                _ => Err(PeopleError::Wrong),
            },
        }
    }

    async fn open_for(&self, who: Who, from: Origin) -> Result<Opened, PeopleError> {
        let now = now();
        self.admit(Session {
            id: 0,
            who,
            account: true,
            address: from.address,
            browser: from.browser,
            opened: now,
            seen: now,
            ends: now + LIFE,
            proved: now,
            pin: Pin::default(),
        })
        .await
    }

    /// Somebody gives his password again. His session gets another token.
    ///
    /// # Errors
    /// Where it is wrong, or was tried too often.
    pub async fn prove(&self, visitor: &Visitor, password: &str) -> Result<String, PeopleError> {
        let Some((id, digest)) = visitor.session else {
            return Err(PeopleError::Wrong);
        };
        if !self.inner.limits.account(&format!("session {id}")) {
            return Err(PeopleError::TooOften);
        }
        let hash = self.hash_of(&visitor.who.name);
        if !self.verify(password, hash).await? {
            self.note(visitor.author(), &Noted::ProofRefused).await?;
            return Err(PeopleError::Wrong);
        }
        let rotated = {
            let mut state = self.state();
            if let Some(session) = state.sessions.get_mut(&digest) {
                session.proved = now();
            }
            state.sessions.rotate(&digest)?
        };
        let (token, new) = rotated.ok_or(PeopleError::Wrong)?;
        let session = self.state().sessions.get_mut(&new).cloned();
        let session = session.ok_or(PeopleError::Wrong)?;
        let noted = Noted::Proved {
            session: id,
            seal: &seal::session(&new, &session),
        };
        self.note(visitor.author(), &noted).await?;
        // Takes the place of the one with the old token.
        self.keep(Change::Session(new, session)).await?;
        Ok(token)
    }

    /// Somebody changes his password. His other sessions end; this one gets another token.
    ///
    /// # Errors
    /// Where the one he has is wrong, or the new one not good.
    pub async fn change_password(
        &self,
        visitor: &Visitor,
        current: &str,
        new: &str,
    ) -> Result<String, PeopleError> {
        let name = &visitor.who.name;
        self.judge(new, name)?;
        let token = self.prove(visitor, current).await?;
        let changed = self.with_hash(name, self.hash(new).await?)?;
        let noted = Noted::PasswordChanged {
            account: &changed.who.name,
            seal: &seal::account(&changed),
        };
        self.note(visitor.author(), &noted).await?;
        self.change(changed).await?;
        let own = visitor.session.map(|(id, _)| id);
        self.end(|s| s.account && s.who.name == *name && Some(s.id) != own)
            .await?;
        Ok(token)
    }

    /// Makes an account.
    ///
    /// # Errors
    /// Where its name is taken or no name, or its password not good.
    pub async fn add(&self, by: &Visitor, new: &NewAccount) -> Result<Fresh, PeopleError> {
        let (account, password) = self.account(new).await?;
        let Who { name, role, tables } = account.who.clone();
        let noted = Noted::AccountAdded {
            account: &name,
            role,
            tables,
            seal: &seal::account(&account),
        };
        self.note(by.author(), &noted).await?;
        self.enter(account).await?;
        if role == Role::Chief {
            self.state().setup.close();
        }
        Ok(Fresh {
            account: name,
            password,
        })
    }

    /// Gives an account a password that is made for it. Its sessions end.
    ///
    /// # Errors
    /// Where there is no such account.
    pub async fn reset(&self, by: &Visitor, name: &str) -> Result<Fresh, PeopleError> {
        let account = self.known(name)?.who.name;
        let password = access::generate()?;
        let changed = self.with_hash(&account, self.hash(&password).await?)?;
        let noted = Noted::AccountReset {
            account: &account,
            seal: &seal::account(&changed),
        };
        self.note(by.author(), &noted).await?;
        self.change(changed).await?;
        self.state().pairing.withdraw(&account);
        self.end(|session| session.account && session.who.name == account)
            .await?;
        Ok(Fresh {
            account,
            password: Some(password),
        })
    }

    /// Closes an account. Its sessions end.
    ///
    /// # Errors
    /// Where there is no such account, or nobody would be left.
    pub async fn revoke(&self, by: &Visitor, name: &str) -> Result<(), PeopleError> {
        let _alone = self.inner.changing.lock().await;
        let account = self.known(name)?;
        let name = account.who.name.clone();
        let is_other_chief = |other: &Account| {
            other.who.role == Role::Chief && other.revoked.is_none() && other.who.name != name
        };
        if account.who.role == Role::Chief && !self.accounts().iter().any(is_other_chief) {
            return Err(PeopleError::LastChief(name));
        }
        self.note(by.author(), &Noted::AccountRevoked { account: &name })
            .await?;
        let closed = Account {
            revoked: Some(now()),
            ..account
        };
        self.state()
            .accounts
            .iter_mut()
            .filter(|a| a.who.name == name)
            .for_each(|account| {
                *account = closed.clone();
            });
        self.state().pairing.withdraw(&name);
        self.end(|session| session.account && session.who.name == name)
            .await?;
        self.keep(Change::Account(closed)).await
    }

    pub(super) fn known(&self, name: &str) -> Result<Account, PeopleError> {
        let state = self.state();
        let found = state
            .accounts
            .iter()
            .find(|a| is_named(a, name) && a.revoked.is_none());
        found
            .cloned()
            .ok_or_else(|| PeopleError::NoAccount(name.to_owned()))
    }

    fn hash_of(&self, name: &str) -> Option<String> {
        self.known(name).ok().map(|account| account.hash)
    }

    /// An account as it will be with another password.
    fn with_hash(&self, name: &str, hash: String) -> Result<Account, PeopleError> {
        let known = self.known(name)?;
        Ok(Account { hash, ..known })
    }

    /// Writes down that an account is another, and counts that.
    async fn change(&self, changed: Account) -> Result<(), PeopleError> {
        self.keep(Change::Account(changed.clone())).await?;
        self.put(&changed);
        Ok(())
    }

    /// From now on an account counts as it is here.
    pub(super) fn put(&self, changed: &Account) {
        let mut state = self.state();
        let mut accounts = state.accounts.iter_mut();
        if let Some(account) = accounts.find(|a| is_named(a, &changed.who.name)) {
            account.clone_from(changed);
        }
    }

    /// An account that can be made, and its password where that was made as well.
    async fn account(&self, new: &NewAccount) -> Result<(Account, Option<String>), PeopleError> {
        let name = &*kept(&new.name);
        // A line break is no space that is kept as one.
        let mut given = [new.name.trim(), name].into_iter();
        if let Some(complaint) = given.find_map(|name| name_complaint("account", name)) {
            return Err(PeopleError::bad(complaint));
        }
        fits_tables(new.role, new.tables)?;
        let accounts = self.accounts();
        if let Some(known) = accounts.iter().find(|account| is_named(account, name)) {
            return Err(match known.revoked {
                None => PeopleError::Taken(name.to_owned()),
                Some(_) => PeopleError::Closed(name.to_owned()),
            });
        }
        self.is_nobodys("account", name)?;
        let made = match &new.password {
            Some(given) => {
                self.judge(given, name)?;
                None
            }
            None => Some(access::generate()?),
        };
        let password = new
            .password
            .as_ref()
            .or(made.as_ref())
            .cloned()
            .unwrap_or_default();
        let account = Account {
            who: Who {
                name: name.to_owned(),
                role: new.role,
                tables: new.tables,
            },
            made: now(),
            revoked: None,
            hash: self.hash(&password).await?,
        };
        Ok((account, made))
    }

    /// Writes a new account down, and counts it.
    async fn enter(&self, account: Account) -> Result<(), PeopleError> {
        self.keep(Change::Account(account.clone())).await?;
        let mut state = self.state();
        if state
            .accounts
            .iter()
            .any(|other| is_named(other, &account.who.name))
        {
            return Err(PeopleError::Taken(account.who.name));
        }
        state.accounts.push(account);
        Ok(())
    }

    fn judge(&self, password: &str, name: &str) -> Result<(), PeopleError> {
        let words = (self.inner.words.0)();
        let words = words.iter().map(String::as_str);
        let words: Vec<&str> = words.chain([name, "arbiter", "arbiterd"]).collect();
        access::complaint(password, &words).map_or(Ok(()), |weak| Err(weak.into()))
    }

    pub(super) async fn hash(&self, password: &str) -> Result<String, PeopleError> {
        let password = password.to_owned();
        self.hashing(move || access::hash(&password))
            .await?
            .map_err(Into::into)
    }

    pub(super) async fn verify(
        &self,
        password: &str,
        hash: Option<String>,
    ) -> Result<bool, PeopleError> {
        let password = password.to_owned();
        self.hashing(move || access::verify(&password, hash.as_deref()))
            .await
    }

    /// Works on a password: not on the thread that the boards share, and not on two at once.
    async fn hashing<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PeopleError> {
        let ending = || PeopleError::Store("the program is ending".to_owned());
        let _one_at_a_time = self.inner.hashing.acquire().await.map_err(|_| ending())?;
        tokio::task::spawn_blocking(work)
            .await
            .map_err(|_| ending())
    }
}

//! Phones and screens that are let in without a password.

use access::{Answer, Codes, Invitation, LIFE, Origin, Petition, Pin, Session, Who};

use super::account::{fits_tables, name_complaint};
use super::names::kept;
use super::{Noted, Opened, People, PeopleError, Visitor, now};
use crate::reason::Reason;
use crate::store::Author;

/// The longest time for which a device is let in, in hours: two weeks.
const LONGEST: u16 = 336;

/// What became of a petition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Collected {
    /// Nothing yet.
    Waiting,
    /// Here is the session.
    Opened(Opened),
    /// No.
    Denied,
}

impl People {
    /// Makes a code for a device.
    ///
    /// # Errors
    /// Where the invitation makes no sense, or nothing can be written down.
    pub async fn invite(&self, by: &Visitor, asked: Invitation) -> Result<Codes, PeopleError> {
        let asked = self.checked(asked)?;
        let noted = Noted::Invited {
            device: &asked.name,
            role: asked.role,
            tables: asked.tables,
        };
        self.note(by.author(), &noted).await?;
        Ok(self
            .state()
            .pairing
            .invite(&by.who.name, asked.clone(), now())?)
    }

    /// A device brings a code. Returns the secret with which it asks again, and what is shown of
    /// it.
    ///
    /// # Errors
    /// Where the code is not taken.
    pub async fn petition(
        &self,
        code: &str,
        from: Origin,
    ) -> Result<(String, Petition), PeopleError> {
        if !self.inner.limits.address(&from.address) {
            return Err(PeopleError::TooOften);
        }
        let author = nobody(&from);
        let redeemed = self.state().pairing.redeem(code, from, now());
        match redeemed {
            Ok((secret, petition)) => {
                let device = petition.invitation.as_ref().map_or("", |i| i.name.as_str());
                let petition_id = petition.id;
                self.note(
                    author,
                    &Noted::Asked {
                        petition: petition_id,
                        device,
                    },
                )
                .await?;
                Ok((secret, petition))
            }
            Err(refused) => {
                self.note(author, &Noted::CodeRefused).await?;
                Err(refused.into())
            }
        }
    }

    /// A screen asks to be let in. Returns its secret, the code it shall show, and its petition.
    ///
    /// # Errors
    /// Where too many wait.
    pub fn screen(&self, from: Origin) -> Result<(String, String, Petition), PeopleError> {
        if !self.inner.limits.address(&from.address) {
            return Err(PeopleError::TooOften);
        }
        Ok(self.state().pairing.screen(from, now())?)
    }

    /// Lets the screen in that shows this code.
    ///
    /// # Errors
    /// Where none does, or it may not be that.
    pub async fn claim(
        &self,
        by: &Visitor,
        code: &str,
        asked: Invitation,
    ) -> Result<Petition, PeopleError> {
        let asked = self.checked(asked)?;
        let petition = self
            .state()
            .pairing
            .claim(&by.who.name, code, asked, now())?;
        let allowed = Noted::Allowed {
            petition: petition.id,
        };
        self.note(by.author(), &allowed).await?;
        Ok(petition)
    }

    /// Those who wait for an answer.
    pub fn petitions(&self) -> Vec<Petition> {
        self.state().pairing.waiting(now())
    }

    /// Answers one of them.
    ///
    /// # Errors
    /// Where nobody of that number waits, or his name is that of a device that came in meanwhile.
    pub async fn decide(&self, by: &Visitor, id: u64, allow: bool) -> Result<(), PeopleError> {
        let asks = self.petitions().into_iter().find(|asks| asks.id == id);
        let asked = asks.and_then(|asks| asks.invitation);
        if let Some(asked) = asked.filter(|_| allow) {
            self.is_nobodys("device", &asked.name)?;
            self.is_free(&asked.name, asked.role)?;
        }
        let decided = self.state().pairing.decide(&by.who.name, id, allow, now());
        decided.ok_or(PeopleError::NoPetition)?;
        let noted = match allow {
            true => Noted::Allowed { petition: id },
            false => Noted::TurnedAway { petition: id },
        };
        self.note(by.author(), &noted).await
    }

    /// A device asks what became of its petition; a session is handed out once.
    ///
    /// # Errors
    /// Where a session cannot be written down.
    pub async fn collect(&self, secret: &str, from: Origin) -> Result<Collected, PeopleError> {
        let answer = self.state().pairing.collect(secret, now());
        let invitation = match answer {
            Answer::Waiting => return Ok(Collected::Waiting),
            Answer::Denied => return Ok(Collected::Denied),
            Answer::Granted(invitation) => invitation,
        };
        // Since he was invited the name may have become somebody else's.
        let _one_at_a_time = self.inner.changing.lock().await;
        self.is_nobodys("device", &invitation.name)?;
        self.is_free(&invitation.name, invitation.role)?;
        let now = now();
        let life = invitation
            .hours
            .map_or(LIFE, |hours| i64::from(hours) * 3600);
        let opened = self
            .admit(Session {
                id: 0,
                who: Who {
                    name: invitation.name,
                    role: invitation.role,
                    tables: invitation.tables,
                },
                account: false,
                address: from.address,
                browser: from.browser,
                opened: now,
                seen: now,
                ends: now + life,
                proved: 0,
                pin: Pin::default(),
            })
            .await?;
        Ok(Collected::Opened(opened))
    }

    /// An invitation with its name as it is kept; refuses one that makes no sense, or whose name is
    /// somebody's.
    fn checked(&self, mut asked: Invitation) -> Result<Invitation, PeopleError> {
        // As it was given too: a line break is no space that is kept as one.
        self.check(&asked)?;
        asked.name = kept(&asked.name);
        self.check(&asked)?;
        Ok(asked)
    }

    fn check(&self, asked: &Invitation) -> Result<(), PeopleError> {
        if let Some(complaint) = name_complaint("device", &asked.name) {
            return Err(PeopleError::bad(complaint));
        }
        self.is_nobodys("device", &asked.name)?;
        self.is_free(&asked.name, asked.role)?;
        if asked
            .hours
            .is_some_and(|hours| !(1..=LONGEST).contains(&hours))
        {
            let reason = Reason::new("hours-out", format!("`hours` is 1 to {LONGEST}"));
            return Err(PeopleError::bad(reason.with("count", LONGEST)));
        }
        fits_tables(asked.role, asked.tables)
    }
}

/// Somebody who is not known yet.
pub(super) fn nobody(from: &Origin) -> Author {
    Author {
        address: from.address.clone(),
        ..Author::default()
    }
}

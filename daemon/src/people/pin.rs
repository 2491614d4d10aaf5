//! The PIN of a paired device with which one may rule, where the event wants one.

use access::{BadPin, Reach, Right, Seconds, Session, pin_complaint, reach};

use super::file::Change;
use super::{Noted, People, PeopleError, Visitor, now, seal};
use crate::reason::Reason;

/// What is asked of a device before anything else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PinAsked {
    /// To choose a PIN.
    Choose,
    /// To give it.
    Give,
}

impl People {
    /// Paired devices with which one may rule have a PIN from now on, and are asked for it after
    /// so many seconds without an order.
    pub fn ask_pins(&self, after: Seconds) {
        let _said_before = self.inner.pins.set(after);
    }

    /// What is asked of a session before anything else.
    pub(super) fn pin_asked(&self, session: &Session, now: Seconds) -> Option<PinAsked> {
        let after = *self.inner.pins.get()?;
        let may_rule = reach(session.who.role, Right::Rule) != Reach::None;
        if session.account || !may_rule || !session.pin.is_wanted(after, now) {
            return None;
        }
        Some(match session.pin.hash {
            None => PinAsked::Choose,
            Some(_) => PinAsked::Give,
        })
    }

    /// A device has ordered something: it is not asked for its PIN for a while.
    pub fn has_ordered(&self, visitor: &Visitor) {
        if let (Some((_, digest)), None) = (&visitor.session, visitor.pin)
            && let Some(session) = self.state().sessions.get_mut(digest)
        {
            session.pin.given = now();
        }
    }

    /// A device chooses its PIN, or gives it. After five wrong ones its session is over.
    ///
    /// # Errors
    /// Where it is wrong, or none, or nobody asks for one.
    pub async fn give_pin(&self, visitor: &Visitor, pin: &str) -> Result<(), PeopleError> {
        let nobody_asks = || {
            let text = "nobody asks this device for a PIN";
            PeopleError::bad(Reason::new("pin-not-asked", text))
        };
        let (id, digest) = visitor.session.ok_or_else(nobody_asks)?;
        match visitor.pin.ok_or_else(nobody_asks)? {
            PinAsked::Choose => {
                if let Some(complaint) = pin_complaint(pin) {
                    return Err(PeopleError::bad(complaint_of(complaint)));
                }
                let hash = self.hash(pin).await?;
                let session = self.state().sessions.get_mut(&digest).cloned();
                let mut session = session.ok_or(PeopleError::Wrong)?;
                session.pin.hash = Some(hash.clone());
                let noted = Noted::PinChosen {
                    session: id,
                    seal: &seal::session(&digest, &session),
                };
                self.note(visitor.author(), &noted).await?;
                self.change_pin(&digest, |pin| pin.hash = Some(hash)).await
            }
            PinAsked::Give => {
                let (may_try, hash, left) = {
                    let mut state = self.state();
                    let session = state.sessions.get_mut(&digest).ok_or(PeopleError::Wrong)?;
                    let may_try = session.pin.may_try();
                    (may_try, session.pin.hash.clone(), session.pin.left())
                };
                if may_try && self.verify(pin, hash).await? {
                    self.note(visitor.author(), &Noted::PinGiven).await?;
                    return self.change_pin(&digest, |_| {}).await;
                }
                if left == 0 {
                    self.end(|session| session.id == id).await?;
                    self.note(visitor.author(), &Noted::PinExhausted).await?;
                } else {
                    self.note(visitor.author(), &Noted::PinRefused).await?;
                }
                Err(PeopleError::Pin(left))
            }
        }
    }

    /// Changes what is known of a PIN that was chosen or given, and writes it down.
    async fn change_pin(
        &self,
        digest: &access::Digest,
        change: impl FnOnce(&mut access::Pin),
    ) -> Result<(), PeopleError> {
        let session = {
            let mut state = self.state();
            let session = state.sessions.get_mut(digest).ok_or(PeopleError::Wrong)?;
            change(&mut session.pin);
            session.pin.was_right(now());
            session.clone()
        };
        self.keep(Change::Session(*digest, session)).await
    }
}

/// Why a PIN is none, or is not taken.
fn complaint_of(bad: BadPin) -> Reason {
    match bad {
        BadPin::Digits => Reason::new("pin-digits", bad.to_string()),
        BadPin::Common => Reason::new("pin-common", bad.to_string()),
    }
}

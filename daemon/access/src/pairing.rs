//! How phones and screens are let in.
//!
//! A phone brings a code that the chief arbiter made; it lives for five minutes and works once. Who
//! brings it has a *petition*: a secret of its own, four squares that both sides can read out, and
//! nothing else until the chief arbiter has said yes. A screen on a wall has no camera: it shows a
//! code, and the chief arbiter types that.
//!
//! After ten wrong codes everything that was invited is worth nothing, and no code is taken until
//! the chief arbiter makes a new one.

use std::io;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Seconds;
use crate::role::{Role, Tables};
use crate::secret::{Digest, digest, readable, squares, token, typed};

/// Seconds for which a code may be used.
pub const CODE_LIFE: Seconds = 5 * 60;
/// Seconds for which somebody may wait for an answer, and then for his session to be collected.
pub const PETITION_LIFE: Seconds = 10 * 60;
/// Wrong codes after which none is taken any more.
pub const MOST_WRONG: u32 = 10;
/// Codes that may wait to be used, and petitions that may wait for an answer.
const MOST_WAITING: usize = 100;
/// Letters of the code in a QR code: 130 bits.
const LONG: usize = 26;
/// Letters of a code that is typed: 40 bits.
const SHORT: usize = 8;

/// What a device is let in as.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Invitation {
    /// The device's name, such as `rows 1-10`.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// The tables it is for.
    #[serde(default)]
    pub tables: Option<Tables>,
    /// Hours for which it is let in, 1 to 336; 16 where that is left out.
    #[serde(default)]
    pub hours: Option<u16>,
}

/// The codes of one invitation: either lets one device in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Codes {
    /// For a QR code.
    pub long: String,
    /// To be typed.
    pub short: String,
    /// Until when.
    pub ends: Seconds,
}

/// Where somebody asks from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// His address.
    pub address: String,
    /// What his browser calls itself.
    pub browser: String,
}

/// Somebody who waits for an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Petition {
    /// Its number.
    pub id: u64,
    /// Four squares, which the device shows as well.
    pub squares: String,
    /// What he was invited as; `null`: a screen that shows a code.
    pub invitation: Option<Invitation>,
    /// His address.
    pub address: String,
    /// What his browser calls itself.
    pub browser: String,
}

/// Why a code or a petition is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// Wrong, used or too old: which of them is not said.
    #[error("this code is not valid: it may be used or too old; ask for a new one")]
    Wrong,
    /// Too many wrong ones.
    #[error("too many wrong codes: the chief arbiter must make a new one")]
    Frozen,
    /// Too many wait.
    #[error("too many devices wait to be let in: answer those first")]
    Crowded,
    /// A screen may only watch.
    #[error("a screen that shows a code may be a viewer or a display only")]
    Screen,
}

/// What became of a petition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Nothing yet.
    Waiting,
    /// Yes.
    Granted(Invitation),
    /// No, or it is not known (any more).
    Denied,
}

#[derive(Clone, Debug)]
struct Invited {
    by: String,
    long: Digest,
    short: Digest,
    invitation: Invitation,
    ends: Seconds,
}

#[derive(Clone, Debug)]
struct Waiting {
    shown: Petition,
    /// Who invited him, let him in, or both.
    by: Vec<String>,
    secret: Digest,
    /// Of a screen: the code that it shows.
    code: Option<Digest>,
    granted: Option<Invitation>,
    ends: Seconds,
}

/// Codes and petitions.
#[derive(Clone, Debug, Default)]
pub struct Pairing {
    invited: Vec<Invited>,
    waiting: Vec<Waiting>,
    wrong: u32,
    last: u64,
}

impl Pairing {
    /// Somebody invites a device. Codes are taken again.
    ///
    /// # Errors
    /// Where the operating system has no random bytes.
    pub fn invite(&mut self, by: &str, invitation: Invitation, now: Seconds) -> io::Result<Codes> {
        self.forget(now);
        self.wrong = 0;
        let (long, short, ends) = (readable(LONG)?, readable(SHORT)?, now + CODE_LIFE);
        if self.invited.len() >= MOST_WAITING {
            self.invited.remove(0);
        }
        self.invited.push(Invited {
            by: by.to_owned(),
            long: digest(&long),
            short: digest(&short),
            invitation,
            ends,
        });
        Ok(Codes { long, short, ends })
    }

    /// Somebody brings a code. Returns his secret and what is shown of him; who may only watch need
    /// not wait.
    ///
    /// # Errors
    /// Where the code is not taken.
    pub fn redeem(
        &mut self,
        code: &str,
        from: Origin,
        now: Seconds,
    ) -> Result<(String, Petition), Refused> {
        self.forget(now);
        if self.is_frozen() {
            return Err(Refused::Frozen);
        }
        let code = digest(typed(code));
        let found = self
            .invited
            .iter()
            .position(|i| i.long == code || i.short == code);
        let Some(found) = found else {
            return Err(self.mistake());
        };
        if self.waiting.len() >= MOST_WAITING {
            return Err(Refused::Crowded);
        }
        let Invited { invitation, by, .. } = self.invited.remove(found);
        let granted = invitation.role.only_watches().then(|| invitation.clone());
        self.wait(from, vec![by], (Some(invitation), None, granted), now)
    }

    /// A screen asks to be let in. Returns its secret, the code it shall show, and its petition.
    ///
    /// # Errors
    /// Where too many wait.
    pub fn screen(
        &mut self,
        from: Origin,
        now: Seconds,
    ) -> Result<(String, String, Petition), Refused> {
        self.forget(now);
        let screens = self.waiting.iter().filter(|w| w.code.is_some()).count();
        // Half of the places stay for those who bring a code.
        if screens >= MOST_WAITING / 2 {
            return Err(Refused::Crowded);
        }
        let code = readable(SHORT).map_err(|_| Refused::Crowded)?;
        let shows = (None, Some(digest(&code)), None);
        let (secret, petition) = self.wait(from, Vec::new(), shows, now)?;
        Ok((secret, code, petition))
    }

    /// The chief arbiter types the code that a screen shows.
    ///
    /// # Errors
    /// Where no screen shows it, or the screen may not be that.
    pub fn claim(
        &mut self,
        by: &str,
        code: &str,
        invitation: Invitation,
        now: Seconds,
    ) -> Result<Petition, Refused> {
        self.forget(now);
        if !invitation.role.only_watches() {
            return Err(Refused::Screen);
        }
        let code = digest(typed(code));
        let shows = |waiting: &&mut Waiting| waiting.code == Some(code);
        let screen = self.waiting.iter_mut().find(shows).ok_or(Refused::Wrong)?;
        screen.code = None;
        screen.by.push(by.to_owned());
        screen.shown.invitation = Some(invitation.clone());
        screen.granted = Some(invitation);
        Ok(screen.shown.clone())
    }

    /// Those who brought a code and wait for the chief arbiter.
    pub fn waiting(&mut self, now: Seconds) -> Vec<Petition> {
        self.forget(now);
        let asks = |w: &&Waiting| w.granted.is_none() && w.code.is_none();
        self.waiting
            .iter()
            .filter(asks)
            .map(|w| w.shown.clone())
            .collect()
    }

    /// The chief arbiter answers. `None` where nobody of that number waits.
    pub fn decide(
        &mut self,
        by: &str,
        id: u64,
        is_granted: bool,
        now: Seconds,
    ) -> Option<Petition> {
        self.forget(now);
        let asks = |w: &Waiting| w.shown.id == id && w.granted.is_none() && w.code.is_none();
        let found = self.waiting.iter().position(asks)?;
        if !is_granted {
            return Some(self.waiting.remove(found).shown);
        }
        let waiting = &mut self.waiting[found];
        waiting.by.push(by.to_owned());
        waiting.granted = waiting.shown.invitation.clone();
        Some(waiting.shown.clone())
    }

    /// Asks what became of a petition. What is granted is handed out once.
    pub fn collect(&mut self, secret: &str, now: Seconds) -> Answer {
        self.forget(now);
        let secret = digest(secret);
        let Some(found) = self.waiting.iter().position(|w| w.secret == secret) else {
            return Answer::Denied;
        };
        match self.waiting[found].granted.clone() {
            None => Answer::Waiting,
            Some(invitation) => {
                self.waiting.remove(found);
                Answer::Granted(invitation)
            }
        }
    }

    /// What somebody has begun to let in and is not in yet stays out: he may do so no longer.
    pub fn withdraw(&mut self, by: &str) {
        self.invited.retain(|invited| invited.by != by);
        self.waiting
            .retain(|waiting| !waiting.by.iter().any(|name| name == by));
    }

    /// Whether no code is taken until there is a new one.
    pub fn is_frozen(&self) -> bool {
        self.wrong >= MOST_WRONG
    }

    fn mistake(&mut self) -> Refused {
        self.wrong += 1;
        if self.is_frozen() {
            self.invited.clear();
        }
        Refused::Wrong
    }

    fn wait(
        &mut self,
        from: Origin,
        by: Vec<String>,
        (invitation, code, granted): (Option<Invitation>, Option<Digest>, Option<Invitation>),
        now: Seconds,
    ) -> Result<(String, Petition), Refused> {
        let token = token().map_err(|_| Refused::Crowded)?;
        let secret = digest(&token);
        self.last += 1;
        let shown = Petition {
            id: self.last,
            squares: squares(&secret, 4),
            invitation,
            address: from.address,
            browser: from.browser,
        };
        self.waiting.push(Waiting {
            shown: shown.clone(),
            by,
            secret,
            code,
            granted,
            ends: now + PETITION_LIFE,
        });
        Ok((token, shown))
    }

    fn forget(&mut self, now: Seconds) {
        self.invited.retain(|invited| now < invited.ends);
        self.waiting.retain(|waiting| now < waiting.ends);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: Seconds = 1_800_000_000;

    fn invitation(role: Role) -> Invitation {
        Invitation {
            name: "rows 1-10".to_owned(),
            role,
            tables: "1-10".parse().ok(),
            hours: None,
        }
    }

    #[test]
    fn a_code_works_once_and_for_five_minutes() {
        let mut pairing = Pairing::default();
        let codes = pairing
            .invite("chief", invitation(Role::Sector), T)
            .unwrap();
        let late = T + CODE_LIFE;
        assert_eq!(
            pairing.clone().redeem(&codes.long, Origin::default(), late),
            Err(Refused::Wrong)
        );
        let (secret, petition) = pairing
            .redeem(&codes.short.to_lowercase(), Origin::default(), late - 1)
            .unwrap();
        for code in [&codes.long, &codes.short] {
            let again = pairing.redeem(code, Origin::default(), late - 1);
            assert_eq!(again, Err(Refused::Wrong));
        }
        assert_eq!(petition.squares, squares(&digest(&secret), 4));
    }

    #[test]
    fn nobody_is_let_in_before_the_chief_arbiter_says_so() {
        let mut pairing = Pairing::default();
        let codes = pairing
            .invite("chief", invitation(Role::Sector), T)
            .unwrap();
        let (secret, asked) = pairing.redeem(&codes.long, Origin::default(), T).unwrap();
        assert_eq!(pairing.collect(&secret, T), Answer::Waiting);
        assert_eq!(pairing.waiting(T), std::slice::from_ref(&asked));
        assert_eq!(pairing.decide("chief", asked.id + 1, true, T), None);
        pairing
            .decide("chief", asked.id, true, T)
            .expect("it waits");
        let granted = Answer::Granted(invitation(Role::Sector));
        assert_eq!(pairing.collect(&secret, T), granted);
        assert_eq!(pairing.collect(&secret, T), Answer::Denied, "once");

        let codes = pairing
            .invite("chief", invitation(Role::Operator), T)
            .unwrap();
        let (secret, asked) = pairing.redeem(&codes.long, Origin::default(), T).unwrap();
        pairing
            .decide("chief", asked.id, false, T)
            .expect("it waits");
        assert_eq!(pairing.collect(&secret, T), Answer::Denied);
    }

    #[test]
    fn who_only_watches_need_not_wait_and_never_becomes_more() {
        let mut pairing = Pairing::default();
        let codes = pairing
            .invite("chief", invitation(Role::Viewer), T)
            .unwrap();
        let (secret, asked) = pairing.redeem(&codes.long, Origin::default(), T).unwrap();
        assert_eq!(pairing.decide("chief", asked.id, true, T), None);
        let granted = Answer::Granted(invitation(Role::Viewer));
        assert_eq!(pairing.collect(&secret, T), granted);
    }

    #[test]
    fn ten_wrong_codes_freeze_everything() {
        let mut pairing = Pairing::default();
        let codes = pairing
            .invite("chief", invitation(Role::Viewer), T)
            .unwrap();
        for _ in 0..MOST_WRONG {
            let wrong = pairing.redeem("AAAAAAAA", Origin::default(), T);
            assert_eq!(wrong, Err(Refused::Wrong));
        }
        let right = pairing.redeem(&codes.long, Origin::default(), T);
        assert_eq!(right, Err(Refused::Frozen));
        let codes = pairing
            .invite("chief", invitation(Role::Viewer), T)
            .unwrap();
        assert!(pairing.redeem(&codes.long, Origin::default(), T).is_ok());
    }

    #[test]
    fn who_may_invite_no_longer_lets_nobody_in_who_is_not_in() {
        let mut pairing = Pairing::default();
        let code = |pairing: &mut Pairing, by| {
            let codes = pairing.invite(by, invitation(Role::Sector), T).unwrap();
            codes.long
        };
        let brings = |pairing: &mut Pairing, code: &str| {
            let (secret, asked) = pairing.redeem(code, Origin::default(), T).unwrap();
            (secret, asked.id)
        };
        let (theirs, ours) = (code(&mut pairing, "gone"), code(&mut pairing, "chief"));
        let invited = code(&mut pairing, "gone");
        let (invited, id) = brings(&mut pairing, &invited);
        pairing.decide("chief", id, true, T).expect("it waits");
        let allowed = code(&mut pairing, "chief");
        let (allowed, id) = brings(&mut pairing, &allowed);
        pairing.decide("gone", id, true, T).expect("it waits");
        let (screen, shown, _) = pairing.screen(Origin::default(), T).unwrap();
        let display = invitation(Role::Display);
        pairing.claim("gone", &shown, display, T).unwrap();
        pairing.withdraw("gone");
        let refused = pairing.redeem(&theirs, Origin::default(), T);
        assert_eq!(refused, Err(Refused::Wrong));
        for secret in [invited, allowed, screen] {
            assert_eq!(pairing.collect(&secret, T), Answer::Denied);
        }
        assert!(pairing.redeem(&ours, Origin::default(), T).is_ok());
    }

    #[test]
    fn a_screen_shows_a_code_and_may_only_watch() {
        let mut pairing = Pairing::default();
        let (secret, code, _) = pairing.screen(Origin::default(), T).unwrap();
        assert_eq!(pairing.collect(&secret, T), Answer::Waiting);
        assert_eq!(pairing.waiting(T), [], "it brought no code");
        let as_chief = pairing.claim("chief", &code, invitation(Role::Chief), T);
        assert_eq!(as_chief, Err(Refused::Screen));
        let wrong = pairing.claim("chief", "AAAAAAAA", invitation(Role::Display), T);
        assert_eq!(wrong, Err(Refused::Wrong));
        pairing
            .claim("chief", &code, invitation(Role::Display), T)
            .unwrap();
        let granted = Answer::Granted(invitation(Role::Display));
        assert_eq!(pairing.collect(&secret, T), granted);
        // Screens that nobody wants do not keep phones out.
        for _ in 0..MOST_WAITING {
            let _crowded = pairing.screen(Origin::default(), T);
        }
        assert_eq!(
            pairing.screen(Origin::default(), T).unwrap_err(),
            Refused::Crowded
        );
        let codes = pairing
            .invite("chief", invitation(Role::Viewer), T)
            .unwrap();
        assert!(pairing.redeem(&codes.long, Origin::default(), T).is_ok());
        assert!(pairing.screen(Origin::default(), T + PETITION_LIFE).is_ok());
    }
}

//! Sessions: who was let in on which device, and until when.

use std::collections::HashMap;
use std::io;

use schemars::JsonSchema;
use serde::Serialize;

use crate::Seconds;
use crate::pin::Pin;
use crate::role::{Tables, Who};
use crate::secret::{Digest, digest, token};

/// A session ends when it is not used for so long.
pub const IDLE: Seconds = 12 * 3600;
/// A session ends after so long, where no other end is set: a day of play.
pub const LIFE: Seconds = 16 * 3600;
/// For so long after somebody gave his password, accounts and devices may be changed.
pub const PROOF: Seconds = 10 * 60;

/// Somebody on a device.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Session {
    /// Its number; never given twice.
    pub id: u64,
    /// Who.
    #[serde(flatten)]
    pub who: Who,
    /// Whether it stands on an account; else on a device that was paired.
    pub account: bool,
    /// Where it was opened from.
    pub address: String,
    /// What the browser calls itself.
    pub browser: String,
    /// When it was opened, in seconds since 1970.
    pub opened: Seconds,
    /// When it was last used.
    pub seen: Seconds,
    /// When it ends in any case.
    pub ends: Seconds,
    /// When the password was last given; 0: never.
    pub proved: Seconds,
    /// The PIN of a device.
    #[serde(skip)]
    pub pin: Pin,
}

impl Session {
    /// Whether it still counts.
    pub fn is_alive(&self, now: Seconds) -> bool {
        now < self.ends && now < self.seen + IDLE
    }

    /// Whether the password was given so lately that accounts and devices may be changed.
    pub fn is_proved(&self, now: Seconds) -> bool {
        self.proved > 0 && now < self.proved + PROOF
    }
}

/// All sessions, by the digest of their token.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sessions {
    by_token: HashMap<Digest, Session>,
    last: u64,
}

impl Sessions {
    /// Those that were kept; no number up to `last` is given again.
    pub fn new(kept: impl IntoIterator<Item = (Digest, Session)>, last: u64) -> Sessions {
        let by_token: HashMap<Digest, Session> = kept.into_iter().collect();
        let given = by_token.values().map(|session| session.id).max();
        Sessions {
            by_token,
            last: last.max(given.unwrap_or(0)),
        }
    }

    /// Opens a session, whose number is given here. Returns its token, of which only the digest is
    /// kept.
    ///
    /// # Errors
    /// Where the operating system has no random bytes.
    pub fn open(&mut self, session: Session) -> io::Result<(String, Digest, Session)> {
        let token = token()?;
        self.last += 1;
        let session = Session {
            id: self.last,
            ..session
        };
        let kept = digest(&token);
        self.by_token.insert(kept, session.clone());
        Ok((token, kept, session))
    }

    /// Gives a session another token; the old one is worth nothing from now on.
    ///
    /// # Errors
    /// Where the operating system has no random bytes.
    pub fn rotate(&mut self, old: &Digest) -> io::Result<Option<(String, Digest)>> {
        let Some(session) = self.by_token.get(old).cloned() else {
            return Ok(None);
        };
        let token = token()?;
        let kept = digest(&token);
        self.by_token.remove(old);
        self.by_token.insert(kept, session);
        Ok(Some((token, kept)))
    }

    /// The session of a token, if it is alive.
    pub fn find(&self, token: &str, now: Seconds) -> Option<(Digest, &Session)> {
        let kept = digest(token);
        let session = self.by_token.get(&kept)?;
        session.is_alive(now).then_some((kept, session))
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, token: &Digest) -> Option<&mut Session> {
        self.by_token.get_mut(token)
    }

    /// Every session that is alive, the oldest first.
    pub fn alive(&self, now: Seconds) -> Vec<Session> {
        let alive = self.by_token.values().filter(|s| s.is_alive(now));
        let mut alive: Vec<Session> = alive.cloned().collect();
        alive.sort_by_key(|session| session.id);
        alive
    }

    /// The clock has jumped by so long: every session has as long to live as before.
    pub fn shift(&mut self, by: Seconds) -> Vec<(Digest, Session)> {
        for session in self.by_token.values_mut() {
            let given = [&mut session.proved, &mut session.pin.given];
            let given = given.into_iter().filter(|at| **at > 0);
            let always = [&mut session.opened, &mut session.seen, &mut session.ends];
            always.into_iter().chain(given).for_each(|at| *at += by);
        }
        let all = self.by_token.iter();
        all.map(|(token, session)| (*token, session.clone()))
            .collect()
    }

    /// An account has other tables: its sessions have them too. Returns those.
    pub fn assign(&mut self, account: &str, tables: Option<Tables>) -> Vec<(Digest, Session)> {
        let all = self.by_token.iter_mut();
        let his = all.filter(|(_, session)| session.account && session.who.name == account);
        his.map(|(token, session)| {
            session.who.tables = tables;
            (*token, session.clone())
        })
        .collect()
    }

    /// Ends those of which it is so; returns their tokens' digests with what they were.
    pub fn end(&mut self, is_so: impl Fn(&Session) -> bool) -> Vec<(Digest, Session)> {
        self.by_token
            .extract_if(|_, session| is_so(session))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::role::Role;

    const T: Seconds = 1_800_000_000;

    fn session(name: &str) -> Session {
        Session {
            id: 0,
            who: Who {
                name: name.to_owned(),
                role: Role::Chief,
                tables: None,
            },
            account: true,
            address: "192.0.2.1".to_owned(),
            browser: String::new(),
            opened: T,
            seen: T,
            ends: T + LIFE,
            proved: T,
            pin: Pin::default(),
        }
    }

    #[test]
    fn a_session_ends_when_it_is_idle_and_at_its_end() {
        let mut all = Sessions::default();
        let (token, kept, _) = all.open(session("Ada")).unwrap();
        assert!(all.find(&token, T + IDLE - 1).is_some());
        assert!(all.find(&token, T + IDLE).is_none(), "idle");
        // Used without a pause it ends all the same.
        for hour in 1..16 {
            all.get_mut(&kept).unwrap().seen = T + hour * 3600;
            assert!(all.find(&token, T + hour * 3600 + 1).is_some());
        }
        assert!(all.find(&token, T + LIFE - 1).is_some());
        assert!(all.find(&token, T + LIFE).is_none(), "at its end");
        assert_eq!(all.alive(T + LIFE), []);
    }

    #[test]
    fn a_session_outlives_a_clock_that_jumps() {
        let mut all = Sessions::default();
        let (token, ..) = all.open(session("Ada")).unwrap();
        let year = 365 * 24 * 3600;
        assert!(all.find(&token, T + year).is_none());
        let shifted = all.shift(year);
        assert_eq!(shifted.len(), 1);
        let (_, session) = all.find(&token, T + year + IDLE - 1).expect("alive");
        assert!(session.is_proved(T + year) && !session.is_proved(T + year + PROOF));
        assert_eq!(session.pin.given, 0, "what never was is no time");
        assert_eq!(all.shift(-year).first().map(|(_, s)| s.opened), Some(T));
    }

    #[test]
    fn a_password_given_counts_for_a_while() {
        let session = session("Ada");
        assert!(session.is_proved(T + PROOF - 1) && !session.is_proved(T + PROOF));
        let never = Session {
            proved: 0,
            ..session
        };
        assert!(!never.is_proved(1));
    }

    #[test]
    fn an_old_token_is_worth_nothing() {
        let mut all = Sessions::default();
        let (old, kept, _) = all.open(session("Ada")).unwrap();
        let (new, _) = all.rotate(&kept).unwrap().expect("a session");
        assert!(all.find(&old, T).is_none() && all.find(&new, T).is_some());
        assert_eq!(all.rotate(&kept).unwrap(), None);
        let ended = all.end(|session| session.who.name == "Ada");
        assert_eq!(ended.len(), 1);
        assert!(all.find(&new, T).is_none());
    }

    #[test]
    fn a_number_is_given_once() {
        let mut all = Sessions::new([], 7);
        let (_, kept, first) = all.open(session("Ada")).unwrap();
        assert_eq!(first.id, 8);
        all.end(|_| true);
        assert!(all.get_mut(&kept).is_none());
        let (.., second) = all.open(session("Ben")).unwrap();
        assert_eq!(second.id, 9);
    }
}

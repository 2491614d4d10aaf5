//! How often somebody may try.

use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

/// Passwords a minute for one account, or of one session.
const PER_ACCOUNT: NonZeroU32 = NonZeroU32::new(5).unwrap();
/// Passwords and codes a minute from one address.
const PER_ADDRESS: NonZeroU32 = NonZeroU32::new(20).unwrap();
/// Refusals a minute, of one session, that are written down: more would fill the disk.
const REFUSALS: NonZeroU32 = NonZeroU32::new(20).unwrap();
/// Keys that are counted before those that have long been quiet are forgotten.
const REMEMBERED: usize = 1024;

/// Counts attempts.
#[derive(Debug)]
pub(super) struct Limits {
    accounts: DefaultKeyedRateLimiter<String>,
    addresses: DefaultKeyedRateLimiter<IpAddr>,
    refusals: DefaultKeyedRateLimiter<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            accounts: RateLimiter::keyed(Quota::per_minute(PER_ACCOUNT)),
            addresses: RateLimiter::keyed(Quota::per_minute(PER_ADDRESS)),
            refusals: RateLimiter::keyed(Quota::per_minute(REFUSALS)),
        }
    }
}

impl Limits {
    /// Whether somebody may try from this address. It counts. Whoever has none is at the machine.
    pub(super) fn address(&self, address: &str) -> bool {
        if self.addresses.len() > REMEMBERED {
            self.addresses.retain_recent();
        }
        let address = address.parse::<IpAddr>();
        address.map_or(true, |address| self.addresses.check_key(&address).is_ok())
    }

    /// Whether it is written down that this session was refused something. It counts.
    pub(super) fn refusal(&self, session: u64) -> bool {
        if self.refusals.len() > REMEMBERED {
            self.refusals.retain_recent();
        }
        self.refusals.check_key(&session).is_ok()
    }

    /// Whether the password of this account, or of this session, may be tried. It counts.
    pub(super) fn account(&self, key: &str) -> bool {
        if self.accounts.len() > REMEMBERED {
            self.accounts.retain_recent();
        }
        self.accounts.check_key(&key.to_lowercase()).is_ok()
    }
}

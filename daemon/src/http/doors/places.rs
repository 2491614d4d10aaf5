//! Who has a place, and who gives way when all are taken.
//!
//! Whoever asks for nothing may not keep others out, and no address may keep more than its share
//! when another one has less. So a newcomer who finds no place gets that of a connection that waits
//! for a request, the one that has waited longest, of the address that holds most; and if nobody
//! waits, a place of an address that holds at least two more than his own would then.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Instant;

use tokio_util::sync::CancellationToken;

/// What a connection is doing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Doing {
    /// It asks for nothing, since then.
    Waiting(Instant),
    /// It is being answered.
    Asking,
    /// It follows the live feed.
    Following,
}

#[derive(Debug)]
struct Place {
    address: IpAddr,
    doing: Doing,
    /// Cancelled when somebody else has the place.
    given: CancellationToken,
}

/// The places that are taken.
#[derive(Debug)]
pub(super) struct Places {
    most: usize,
    most_of_one: usize,
    taken: HashMap<u64, Place>,
    next: u64,
}

impl Places {
    /// So many places, and so many for one address.
    pub(super) fn new(most: usize, most_of_one: usize) -> Places {
        let (taken, next) = (HashMap::new(), 0);
        Places {
            most,
            most_of_one,
            taken,
            next,
        }
    }

    /// Places in all.
    #[cfg(test)]
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// Gives somebody a place: its number, and what is cancelled when he has to give way.
    pub(super) fn take(&mut self, address: IpAddr) -> Option<(u64, CancellationToken)> {
        let own = self.of(address);
        if own >= self.most_of_one {
            let longest = self.waiting().find(|(_, place)| place.address == address);
            let longest = *longest?.0;
            self.give(longest);
        } else if self.taken.len() >= self.most {
            let given = self.dispensable(own)?;
            self.give(given);
        }
        self.next += 1;
        let given = CancellationToken::new();
        let place = Place {
            address,
            doing: Doing::Waiting(Instant::now()),
            given: given.clone(),
        };
        self.taken.insert(self.next, place);
        Some((self.next, given))
    }

    /// Whoever had this place has gone.
    pub(super) fn leave(&mut self, number: u64) {
        self.taken.remove(&number);
    }

    /// A request has come over it.
    pub(super) fn asks(&mut self, number: u64) {
        self.does(number, Doing::Asking);
    }

    /// Its request is answered.
    pub(super) fn is_answered(&mut self, number: u64) {
        self.does(number, Doing::Waiting(Instant::now()));
    }

    /// It follows the live feed from now on.
    pub(super) fn follows(&mut self, number: u64) {
        self.does(number, Doing::Following);
    }

    fn does(&mut self, number: u64, doing: Doing) {
        if let Some(place) = self.taken.get_mut(&number) {
            place.doing = doing;
        }
    }

    fn of(&self, address: IpAddr) -> usize {
        let places = self.taken.values();
        places.filter(|place| place.address == address).count()
    }

    /// Connections that wait, those that have waited longest first.
    fn waiting(&self) -> impl Iterator<Item = (&u64, &Place)> {
        let is_waiting = |(_, place): &(_, &Place)| matches!(place.doing, Doing::Waiting(_));
        let mut waiting: Vec<_> = self.taken.iter().filter(is_waiting).collect();
        waiting.sort_by_key(|(number, place)| (place.doing, **number));
        waiting.into_iter()
    }

    /// Who gives way to somebody with `own` places.
    fn dispensable(&self, own: usize) -> Option<u64> {
        let mut held: HashMap<IpAddr, usize> = HashMap::new();
        for place in self.taken.values() {
            *held.entry(place.address).or_default() += 1;
        }
        let of = |place: &Place| held.get(&place.address).copied().unwrap_or(0);
        let waiting: Vec<_> = self.waiting().collect();
        // Of the last of those that are as large: the first comes last.
        let longest = waiting.iter().rev().max_by_key(|(_, place)| of(place));
        let longest = longest.filter(|(_, place)| of(place) >= own);
        let newest = || {
            let mut taken = self.taken.iter();
            let first = taken.next()?;
            let by_share = |(number, place): &(&u64, &Place)| (of(place), **number);
            let newest = taken.fold(first, |one, other| {
                std::cmp::max_by_key(one, other, by_share)
            });
            Some(newest).filter(|(_, place)| of(place) > own + 1)
        };
        let given = longest.copied().or_else(newest);
        given.map(|(number, _)| *number)
    }

    fn give(&mut self, number: u64) {
        if let Some(place) = self.taken.remove(&number) {
            place.given.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 9));

    /// 8 places, 4 for one, all taken by two addresses.
    fn full() -> (Places, Vec<(u64, CancellationToken)>) {
        let mut places = Places::new(8, 4);
        let mut address = |n: u8| places.take([10, 0, 0, n % 2].into()).unwrap();
        let taken = (0..8).map(&mut address).collect();
        (places, taken)
    }

    fn given(taken: &[(u64, CancellationToken)]) -> Vec<usize> {
        let given = |(_, (_, token)): &(usize, &(u64, CancellationToken))| token.is_cancelled();
        let given = taken.iter().enumerate().filter(given);
        given.map(|(n, _)| n).collect()
    }

    #[test]
    fn who_has_waited_longest_gives_way() {
        let (mut places, taken) = full();
        places.asks(taken[0].0);
        places.is_answered(taken[1].0);
        places.take(OWN).unwrap();
        assert_eq!(given(&taken), [2]);
        // Now the other one holds most.
        places.take(OWN).unwrap();
        assert_eq!(given(&taken), [2, 3]);
        assert_eq!(places.taken.len(), 8);
    }

    #[test]
    fn an_address_replaces_its_own_first() {
        let (mut places, taken) = full();
        places.take([10, 0, 0, 1].into()).unwrap();
        assert_eq!(given(&taken), [1]);
        // All that is left of it asks for something.
        for n in [3, 5, 7] {
            places.asks(taken[n].0);
        }
        places.follows(9);
        assert!(places.take([10, 0, 0, 1].into()).is_none());
        assert_eq!(given(&taken), [1]);
    }

    #[test]
    fn nobody_keeps_more_than_his_share_by_following() {
        let (mut places, taken) = full();
        taken.iter().for_each(|(number, _)| places.follows(*number));
        let mut own = Vec::new();
        while let Some(place) = places.take(OWN) {
            places.follows(place.0);
            own.push(place);
            assert!(own.len() <= 4);
        }
        // Two, three and three: the newest of the others had to go, and none of his own.
        assert_eq!((own.len(), given(&own).len()), (2, 0));
        assert_eq!(given(&taken), [6, 7]);
    }

    #[test]
    fn a_quiet_hall_is_not_emptied_by_the_greedy() {
        let mut places = Places::new(8, 4);
        let quiet: Vec<_> = (0..5u8)
            .map(|n| places.take([10, 0, 1, n].into()).unwrap())
            .collect();
        let greedy = [10, 0, 0, 1].into();
        for _ in 0..100 {
            if let Some((number, _)) = places.take(greedy) {
                places.asks(number);
            }
        }
        assert_eq!(given(&quiet), [0usize; 0], "he holds three, they one each");
    }
}

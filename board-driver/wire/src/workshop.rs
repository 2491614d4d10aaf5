//! What a board is asked for at the bench and not at play: its boot loader, the map of its squares,
//! a test of its parts. The board's end of it; the messages are its [`Device`](crate::Device)'s.

use crate::device::Aside;
use crate::loader::{Loader, LoaderStep};
use crate::message::ToBoard;
use crate::self_test::{Part, Tested, Verdict};
use crate::square_map::{MapRanks, SquareMap};

/// Most parts that a report has.
pub const MAX_PARTS: usize = 8;

/// What the program has to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Job {
    /// Start the boot loader.
    StartLoader,
    /// Read the squares by this map from now on, and keep it over a restart.
    TakeMap(SquareMap),
    /// Try all parts, and give what was found to [`Workshop::report`].
    Test,
}

/// Hears what a board is asked for, and says what is to be told of it.
#[derive(Clone, Debug)]
pub struct Workshop {
    loader: Loader,
    /// What the second request for the loader has to repeat, while it has not been told.
    number: Option<u32>,
    ranks: MapRanks,
    /// The next rank of the map that is to be told.
    map_from: Option<u8>,
    tested: [Tested; MAX_PARTS],
    parts: u8,
    /// The next part that is to be told.
    part: u8,
}

impl Default for Workshop {
    fn default() -> Workshop {
        Workshop {
            loader: Loader::default(),
            number: None,
            ranks: MapRanks::default(),
            map_from: None,
            tested: [Tested::new(Part(0), Verdict::UNTRIED, [0; 2]); MAX_PARTS],
            parts: 0,
            part: 0,
        }
    }
}

impl Workshop {
    /// The board has obeyed this, at `ms` on its clock. `chance` is a number of chance, another one
    /// each time.
    pub fn hear(&mut self, ms: u32, message: ToBoard, chance: u32) -> Option<Job> {
        match self.loader.hear(ms, message, chance) {
            LoaderStep::Stay => {}
            LoaderStep::Tell(number) => self.number = Some(number),
            LoaderStep::Go => return Some(Job::StartLoader),
        }
        match message {
            ToBoard::SetMap(rank) => {
                let end = self.ranks.take(&rank)?;
                // Whatever came of it: the host compares.
                self.map_from = Some(0);
                end.map(Job::TakeMap)
            }
            ToBoard::RequestMap => {
                self.map_from = Some(0);
                None
            }
            ToBoard::SelfTest => Some(Job::Test),
            _ => None,
        }
    }

    /// What was found; the first [`MAX_PARTS`] of it.
    pub fn report(&mut self, tested: &[Tested]) {
        let tested = &tested[..tested.len().min(MAX_PARTS)];
        self.tested[..tested.len()].copy_from_slice(tested);
        (self.part, self.parts) = (0, tested.len() as u8);
    }

    /// Whether there is something to be told. Nearly never: cheap to ask at every turn of a loop.
    #[inline]
    pub fn has_news(&self) -> bool {
        self.number.is_some() || self.map_from.is_some() || self.part < self.parts
    }

    /// Offers `say` what is to be told, as long as it has room. `map` is the one that is in force.
    pub fn tell(&mut self, map: &SquareMap, mut say: impl FnMut(Aside) -> bool) {
        while let Some(aside) = self.next(map)
            && say(aside)
        {
            match aside {
                Aside::Loader(_) => self.number = None,
                Aside::Map(rank) => {
                    self.map_from = (rank.rank < 7).then_some(rank.rank + 1);
                }
                _ => self.part += 1,
            }
        }
    }

    fn next(&self, map: &SquareMap) -> Option<Aside> {
        if let Some(number) = self.number {
            return Some(Aside::Loader(number));
        }
        if let Some(rank) = self.map_from {
            return Some(Aside::Map(map.rank(rank)));
        }
        let tested = self.tested.get(usize::from(self.part))?;
        (self.part < self.parts).then_some(Aside::Tested(Tested {
            number: self.part,
            count: self.parts,
            ..*tested
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is told while there is room for so many.
    fn told(workshop: &mut Workshop, map: &SquareMap, room: usize) -> ([Option<Aside>; 9], usize) {
        let (mut all, mut count) = ([None; 9], 0);
        workshop.tell(map, |aside| {
            let has_room = count < room;
            if has_room {
                all[count] = Some(aside);
                count += 1;
            }
            has_room
        });
        (all, count)
    }

    #[test]
    fn a_map_is_told_when_it_is_asked_for_and_after_every_try_to_set_one() {
        let (mut workshop, map) = (Workshop::default(), SquareMap::IDENTITY);
        assert_eq!(workshop.hear(0, ToBoard::RequestMap, 1), None);
        let (all, count) = told(&mut workshop, &map, 3);
        assert_eq!((all[2], count), (Some(Aside::Map(map.rank(2))), 3));
        let (all, count) = told(&mut workshop, &map, 9);
        assert_eq!((all[0], count), (Some(Aside::Map(map.rank(3))), 5));
        let mirrored = SquareMap::new(core::array::from_fn(|n| n as u8 ^ 7)).unwrap();
        for rank in 0..7 {
            let order = ToBoard::SetMap(mirrored.rank(rank));
            assert_eq!(workshop.hear(0, order, 1), None);
        }
        assert_eq!(told(&mut workshop, &map, 9).1, 0);
        let last = ToBoard::SetMap(mirrored.rank(7));
        assert_eq!(workshop.hear(0, last, 1), Some(Job::TakeMap(mirrored)));
        assert_eq!(told(&mut workshop, &mirrored, 9).1, 8);
        assert_eq!(workshop.hear(0, last, 1), None, "the rest is missing");
        assert_eq!(told(&mut workshop, &mirrored, 9).1, 8);
    }

    #[test]
    fn a_report_is_told_once_with_every_part_in_its_place() {
        let (mut workshop, map) = (Workshop::default(), SquareMap::IDENTITY);
        assert_eq!(workshop.hear(0, ToBoard::SelfTest, 1), Some(Job::Test));
        let parts =
            [Part::SUPPLY, Part::FLASH].map(|part| Tested::new(part, Verdict::PASSED, [7, 0]));
        workshop.report(&parts);
        let wanted = |number: u8| {
            Aside::Tested(Tested {
                number,
                count: 2,
                ..parts[usize::from(number)]
            })
        };
        assert_eq!(told(&mut workshop, &map, 1).0[0], Some(wanted(0)));
        let (all, count) = told(&mut workshop, &map, 9);
        assert_eq!((all[0], count), (Some(wanted(1)), 1));
        assert_eq!(told(&mut workshop, &map, 9).1, 0);
    }

    #[test]
    fn the_loaders_number_is_told_once() {
        let (mut workshop, map) = (Workshop::default(), SquareMap::IDENTITY);
        workshop.hear(0, ToBoard::RequestHello { nonce: Some(3) }, 9);
        workshop.hear(0, ToBoard::StartLoader { nonce: 3 }, 9);
        assert_eq!(told(&mut workshop, &map, 9).0[0], Some(Aside::Loader(9)));
        assert_eq!(told(&mut workshop, &map, 9).1, 0);
        let second = ToBoard::StartLoader { nonce: 9 };
        assert_eq!(workshop.hear(1, second, 4), Some(Job::StartLoader));
    }
}

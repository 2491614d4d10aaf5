use std::vec::Vec;

use super::*;

const ERASED: Pages = [[0xff; PAGE]; 2];

/// Zeros that are told apart by `seed`.
fn some(seed: u16) -> [u16; 64] {
    core::array::from_fn(|n| 2000 + seed * 3 + n as u16 * 7 % 50)
}

/// A page with the zeros of this seed.
fn page(number: u32, seed: u16) -> [u8; PAGE] {
    let bytes: Vec<u8> = some(seed)
        .iter()
        .flat_map(|zero| zero.to_le_bytes())
        .collect();
    ZEROS.page(number, &bytes.try_into().unwrap())
}

/// A chip that loses its power after so many steps of erasing and writing. A cell that was being
/// changed then holds anything.
struct Flash {
    pages: Pages,
    steps_left: usize,
    dice: u32,
}

/// How many steps an erasure takes here: bits rise here and there, one step after another.
const ERASING: usize = 6;
/// All steps of keeping something.
const STEPS: usize = ERASING + PAGE;

impl Flash {
    fn new(pages: Pages, steps_left: usize, seed: u32) -> Flash {
        Flash {
            pages,
            steps_left,
            dice: seed.wrapping_mul(2_654_435_761) | 1,
        }
    }

    fn dice(&mut self) -> u8 {
        self.dice = self
            .dice
            .wrapping_mul(1_664_525)
            .wrapping_add(1_013_904_223);
        (self.dice >> 24) as u8
    }

    /// As the image does it: erases the sector, writes the page.
    fn keep(&mut self, zeros: &[u16; 64]) {
        let Some((sector, page)) = next_zeros(&self.pages, zeros) else {
            return;
        };
        for step in 1..=ERASING {
            if self.steps_left == 0 {
                return;
            }
            self.steps_left -= 1;
            for n in 0..PAGE {
                let risen = if step == ERASING { 0xff } else { self.dice() };
                self.pages[sector][n] |= risen;
            }
        }
        for (n, byte) in page.into_iter().enumerate() {
            if self.steps_left == 0 {
                // This byte was under way: some of its bits have fallen.
                self.pages[sector][n] &= byte | self.dice();
                return;
            }
            self.steps_left -= 1;
            self.pages[sector][n] &= byte;
        }
    }
}

/// What is kept after these, without a loss of power.
fn kept(all: &[[u16; 64]]) -> Pages {
    let mut flash = Flash::new(ERASED, usize::MAX, 0);
    all.iter().for_each(|zeros| flash.keep(zeros));
    flash.pages
}

#[test]
fn what_was_kept_last_comes_back() {
    assert_eq!(zeros(&ERASED), None);
    assert_eq!(zeros(&[[0; PAGE]; 2]), None);
    for count in 1..6 {
        let all: Vec<_> = (0..count).map(some).collect();
        assert_eq!(zeros(&kept(&all)), Some(some(count - 1)));
    }
}

#[test]
fn the_sectors_are_written_in_turn_and_only_when_something_changed() {
    let mut pages = ERASED;
    for round in 0..6 {
        let (sector, page) = next_zeros(&pages, &some(round)).unwrap();
        assert_eq!(sector, usize::from(round) % 2);
        pages[sector] = page;
        assert_eq!(next_zeros(&pages, &some(round)), None);
    }
}

#[test]
fn numbers_wrap_around() {
    for first in [u32::MAX, i32::MAX as u32, 0] {
        let second = first.wrapping_add(1);
        let pages = [page(first, 1), page(second, 2)];
        assert_eq!(zeros(&pages), Some(some(2)), "{second} is after {first}");
        let pages = [page(second, 2), page(first, 1)];
        assert_eq!(zeros(&pages), Some(some(2)), "{second} is after {first}");
    }
}

#[test]
fn any_bit_that_changed_is_noticed_and_the_other_page_counts() {
    let pages = kept(&[some(1), some(2)]);
    for bit in 0..8 * (Kind::<128>::SUM + 4) {
        let mut damaged = pages;
        damaged[1][bit / 8] ^= 1 << (bit % 8);
        assert_eq!(zeros(&damaged), Some(some(1)), "bit {bit}");
    }
}

#[test]
fn power_may_go_at_every_step_and_at_every_step_of_trying_again() {
    for count in 0..3 {
        let history: Vec<_> = (1..=count).map(some).collect();
        let old = history.last().copied();
        for steps in 0..=STEPS {
            let mut flash = Flash::new(kept(&history), steps, steps as u32);
            flash.keep(&some(8));
            let first = zeros(&flash.pages);
            assert!(
                first == old || first == Some(some(8)),
                "lost after {steps} steps"
            );
            assert!(
                steps < STEPS || first == Some(some(8)),
                "a whole write is kept"
            );
            for again in 0..=STEPS {
                let mut flash = Flash::new(flash.pages, again, again as u32);
                flash.keep(&some(9));
                let second = zeros(&flash.pages);
                assert!(
                    second == first || second == Some(some(9)),
                    "lost after {steps} and {again} steps"
                );
                assert!(
                    again < STEPS || second == Some(some(9)),
                    "a whole write is kept"
                );
            }
        }
    }
}

#[test]
fn a_map_is_kept_in_the_same_way_and_no_page_is_taken_for_the_other_kind() {
    let maps =
        [7u8, 56, 63].map(|flip| SquareMap::new(core::array::from_fn(|n| n as u8 ^ flip)).unwrap());
    let mut pages = ERASED;
    assert_eq!(map(&pages), None);
    for (round, wanted) in maps.iter().enumerate() {
        let (sector, page) = next_map(&pages, wanted).unwrap();
        assert_eq!(sector, round % 2);
        pages[sector] = page;
        assert_eq!(map(&pages), Some(*wanted));
        assert_eq!(next_map(&pages, wanted), None);
        assert_eq!(zeros(&pages), None);
    }
    pages[0][CONTENT + 3] ^= 1;
    assert_eq!(map(&pages), Some(maps[1]), "the one before");
    assert_eq!(map(&kept(&[some(1)])), None);
}

#[test]
fn pages_that_are_neither_whole_nor_erased_are_counted() {
    let zeros = kept(&[some(1)]);
    assert_eq!(damaged(&zeros, &ERASED), 0);
    assert_eq!(
        damaged(&ERASED, &zeros),
        1,
        "a calibration where a map should be"
    );
    let mut half = zeros;
    half[0][100] = 0xff;
    half[1] = [0; PAGE];
    assert_eq!(damaged(&half, &ERASED), 2);
}

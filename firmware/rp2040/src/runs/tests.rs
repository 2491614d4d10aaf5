use std::vec::Vec;

use super::*;

/// A chip that loses its power after so many steps of erasing and writing. A cell that was being
/// changed then reads as anything, and at each start as something else, until it is erased or
/// written for good.
#[derive(Clone)]
struct Flash {
    bytes: Vec<u8>,
    /// Of each byte, the bits that nobody can rely on.
    unsure: Vec<u8>,
    steps_left: usize,
    dice: u32,
}

/// How many steps an erasure takes here: bits rise here and there, one step after another.
const ERASING: usize = 6;
/// The most steps that a start takes.
const STEPS: usize = ERASING + BYTES;

impl Flash {
    fn new(seed: u32) -> Flash {
        Flash {
            bytes: [0xff; 2 * SECTOR].to_vec(),
            unsure: [0; 2 * SECTOR].to_vec(),
            steps_left: usize::MAX,
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

    fn records(&self) -> Vec<Record> {
        let word = |n: usize| u32::from_le_bytes(self.bytes[4 * n..][..4].try_into().unwrap());
        (0..RECORDS)
            .map(|n| [word(2 * n), word(2 * n + 1)])
            .collect()
    }

    /// A start as the image makes it, with power for so many steps; the number that it tells.
    fn start(&mut self, steps: usize, chance: u16) -> Option<u16> {
        self.steps_left = steps;
        for at in 0..self.bytes.len() {
            if self.unsure[at] != 0 {
                self.bytes[at] = self.bytes[at] & !self.unsure[at] | self.dice() & self.unsure[at];
            }
        }
        let run = next(self.records(), chance);
        let (at, page) = run.page();
        if run.begins_a_sector() {
            self.erase(at)?;
        }
        for (n, byte) in page.into_iter().enumerate() {
            self.program(at + n, byte)?;
        }
        (self.records()[run.place] == run.record()).then_some(run.number)
    }

    fn erase(&mut self, at: usize) -> Option<()> {
        for _ in 0..ERASING {
            for n in at..at + SECTOR {
                let rising = !self.bytes[n] & self.dice();
                self.unsure[n] |= rising;
                self.bytes[n] |= rising;
            }
            self.steps_left = self.steps_left.checked_sub(1)?;
        }
        self.bytes[at..at + SECTOR].fill(0xff);
        self.unsure[at..at + SECTOR].fill(0);
        Some(())
    }

    fn program(&mut self, at: usize, byte: u8) -> Option<()> {
        if byte == 0xff {
            return Some(());
        }
        if self.steps_left == 0 {
            self.unsure[at] |= self.bytes[at] & !byte;
            return None;
        }
        self.steps_left -= 1;
        self.bytes[at] &= byte;
        self.unsure[at] &= byte;
        Some(())
    }
}

#[test]
fn every_run_has_the_number_after_the_last_ones_and_the_sectors_wear_alike() {
    let mut flash = Flash::new(0);
    let first = 65_000;
    let mut erased = [0; 2];
    for n in 0..5 * RECORDS {
        let run = next(flash.records(), first);
        if run.begins_a_sector() {
            erased[run.place * BYTES / SECTOR] += 1;
        }
        let expected = first.wrapping_add(n as u16);
        assert_eq!(flash.start(usize::MAX, first), Some(expected));
    }
    assert_eq!(erased, [5, 5]);
}

#[test]
fn what_else_has_been_in_this_flash_is_no_number() {
    for byte in 0..=255 {
        let records = [[u32::from_ne_bytes([byte; 4]); 2]; RECORDS];
        assert_eq!(next(records, 7).number, 7);
        let inverse = [u32::from(byte), !u32::from(byte)];
        assert_eq!(next([inverse; RECORDS], 7).number, 7);
    }
}

/// Power goes in two starts one after the other, at every step of each, and in a third later on.
#[test]
fn power_may_go_at_every_step_and_every_number_told_is_later_than_the_one_before() {
    let half = RECORDS / 2;
    for runs in [0, 1, half - 1, half, RECORDS - 1, RECORDS, RECORDS + 1] {
        let mut settled = Flash::new(runs as u32);
        let mut told = None;
        for _ in 0..runs {
            told = settled.start(usize::MAX, 65_530);
        }
        for steps in 0..STEPS * STEPS {
            let (one, other) = (steps % STEPS, steps / STEPS);
            let cuts = [one, other, usize::MAX, one, usize::MAX, usize::MAX];
            let mut flash = settled.clone();
            flash.dice = steps as u32;
            let mut last: Option<u16> = told;
            for cut in cuts {
                let number = flash.start(cut, 65_530);
                if let (Some(last), Some(number)) = (last, number) {
                    let is_later = number.wrapping_sub(last) as i16 > 0;
                    assert!(is_later, "{number} after {last}: {runs} runs, {cuts:?}");
                }
                assert!(cut < usize::MAX || number.is_some(), "a whole start tells");
                last = number.or(last);
            }
        }
    }
}

//! What was done, and what was seen of it.

use std::fmt;

use serde_json::Value;

use crate::crowd::HELD;
use crate::fill_disk::Filled;
use crate::flip_bits::Flipped;
use crate::life::Life;
use crate::torment::{OTHER, Torn};

/// Memory that a daemon may have more than one that has lived before, in kilobytes: games grow.
const GROWTH: u64 = 16 * 1024;

/// What was done, and what was seen of it.
#[derive(Default)]
pub(crate) struct Count {
    pub(crate) kills: u32,
    pub(crate) in_service: u32,
    pub(crate) boards_killed: u32,
    pub(crate) torn: Torn,
    pub(crate) filled: Filled,
    pub(crate) babbles: u32,
    pub(crate) jumps: u32,
    pub(crate) looks: u32,
    pub(crate) jumps_seen: (usize, usize),
    pub(crate) flipped: Flipped,
    idle: usize,
    /// Lives in which as many idle connections were held as there are at most.
    crowded: u32,
    /// What the live feed said: of another board, of one that says too much.
    others_told: usize,
    babbles_told: usize,
    /// The most memory of each life, in kilobytes.
    memory: Vec<u64>,
}

impl Count {
    pub(crate) fn life(&mut self, life: &Life) {
        self.kills += 1;
        self.in_service += u32::from(life.served);
        self.idle += life.crowd;
        self.crowded += u32::from(life.crowd >= HELD);
        self.memory.extend(Some(life.memory).filter(|kb| *kb > 0));
        let told = |words: &str| {
            let faults = life.heard.iter().map(|said| &said["fault"]);
            let faults = faults.filter_map(Value::as_str);
            faults.filter(|fault| fault.contains(words)).count()
        };
        self.others_told += told(OTHER);
        self.babbles_told += told("says more than any board");
    }

    /// The most memory in the first and in the second half, in kilobytes.
    fn memory(&self) -> (u64, u64) {
        let (first, second) = self.memory.split_at(self.memory.len() / 2);
        let most = |half: &[u64]| half.iter().copied().max().unwrap_or(0);
        (most(first), most(second))
    }

    /// Everything was really done, and told where it is to be told; memory is flat.
    pub(crate) fn check(&self) {
        assert!(self.looks > 0, "nobody looked through the store");
        assert!(self.boards_killed > 0 && self.torn.cuts > 0 && self.torn.reboots > 0);
        assert!(self.torn.swaps == 0 || self.others_told > 0, "no swap told");
        assert!(self.filled.told > 0, "no full disk told");
        // On a machine that is busy with other work no daemon may live to hear so much.
        assert!(self.babbles > 0, "nobody babbled");
        let (forwards, back) = self.jumps_seen;
        assert!(forwards > 0 && back > 0, "no jump in the journal");
        let (first, second) = self.memory();
        assert!(
            second <= first + GROWTH,
            "{first} kB, and {second} kB later"
        );
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (
            Torn {
                cuts,
                swaps,
                reboots,
            },
            filled,
        ) = (self.torn, &self.filled);
        let (forwards, back) = self.jumps_seen;
        let (first, second) = self.memory();
        writeln!(
            f,
            "{} kills of the daemon, {} of them in service, {} kills of boards",
            self.kills, self.in_service, self.boards_killed
        )?;
        writeln!(
            f,
            "{cuts} plugs pulled, {swaps} boards exchanged in mid-game (told {} times), {reboots} \
             boards without power",
            self.others_told
        )?;
        writeln!(
            f,
            "the disk {} times full, {} times told, {} times nothing acknowledged meanwhile",
            filled.times, filled.told, filled.held_back
        )?;
        writeln!(
            f,
            "{} times babble, told {} times; {} jumps of the wall clock, in the journal {forwards} \
             forwards and {back} back",
            self.babbles, self.babbles_told, self.jumps
        )?;
        writeln!(
            f,
            "{} idle connections, {HELD} at once in {} lives",
            self.idle, self.crowded
        )?;
        let Flipped {
            times,
            harmless,
            told,
            refused,
            goes_on,
        } = &self.flipped;
        writeln!(
            f,
            "wrong bits in {times:?}: {harmless} harmless, {told} told, {refused} refused; \
             {goes_on} games went on"
        )?;
        writeln!(f, "{} times nothing wrong found beside it", self.looks)?;
        write!(
            f,
            "{first} kB at most in the first half, {second} kB in the second"
        )
    }
}

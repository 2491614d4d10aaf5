//! Everything happens at once.

use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

use tests::evening::Evening;

use crate::babble::{self, Babbler};
use crate::count::Count;
use crate::hall::Hall;
use crate::journal::Journal;
use crate::kill_boards::{self, Process};
use crate::life::Life;
use crate::meanwhile::Meanwhile;
use crate::torment::Torment;
use crate::witness::{self, Witness};
use crate::{LIFE, WHOLE, fill_disk, flip_bits, moments, verify};

/// Boards that are processes and are killed.
const PROCESSES: u64 = 2;
/// How often a board babbles at least.
const BABBLES: u32 = 4;
/// The disk has room for so long before it is full again.
const BETWEEN_FILLS: Duration = Duration::from_secs(11);
/// Lives from one copy of the store in which a bit is wrong to the next.
const BETWEEN_FLIPS: u32 = 5;

/// Boards besides those at which the evening's games are played.
pub(crate) struct Others {
    pub(crate) witness: Witness,
    pub(crate) processes: Vec<Process>,
    babbler: Babbler,
}

impl Others {
    pub(crate) fn sit(evening: &Evening, seed: u64) -> Others {
        let dir = evening.path("");
        Others {
            witness: Witness::sit(&evening.path(witness::ID), &evening.store(), seed),
            processes: (1..=PROCESSES).map(|n| Process::start(&dir, n)).collect(),
            babbler: Babbler::at(&evening.path(babble::ID)),
        }
    }

    /// The configuration of everything.
    pub(crate) fn configuration(&self, evening: &Evening) -> String {
        let processes: String = self.processes.iter().map(Process::section).collect();
        let (witness, babbler) = (self.witness.section(), self.babbler.section());
        format!("{}{witness}{babbler}{processes}", evening.configuration())
    }
}

/// Everything happens at once, and the daemon is killed `kills` times.
pub(crate) fn live(
    evening: &Evening,
    hall: &Hall,
    journal: &mut Journal,
    others: &mut Others,
    seed: u64,
    kills: u32,
) -> Count {
    let (start, mut count) = (Instant::now(), Count::default());
    let Others {
        witness,
        processes,
        babbler,
    } = others;
    let (whole, powerless) = evening.tables.split_at(WHOLE);
    let in_play: Vec<String> = whole.iter().map(|table| table.id.clone()).collect();
    let (copies, kept) = sync_channel(1);
    thread::scope(|scope| {
        let torment = Torment::new(seed, hall, whole, powerless);
        let torn = Meanwhile::begin(scope, |enough| torment.go_on(enough));
        let filled = Meanwhile::begin(scope, |enough| {
            fill_disk::fill_and_free(hall, witness, BETWEEN_FILLS, enough)
        });
        let killed = Meanwhile::begin(scope, |enough| {
            kill_boards::kill_and_restart(processes, seed, LIFE, enough)
        });
        let times = BABBLES + kills / 100;
        let babbled = Meanwhile::begin(scope, move |enough| {
            babbler.babble(hall, times, LIFE * kills / (times + 2), enough)
        });
        let looks = Meanwhile::begin(scope, |enough| verify::look(&hall.store, enough));
        let jumps = Meanwhile::begin(scope, |enough| {
            crate::turn_clock::jump(&hall.clock, seed, enough)
        });
        let flipped = scope.spawn(move || flip_bits::flip(seed, &in_play, kept));
        for (number, moment) in (1..).zip(moments(seed, kills)) {
            let life = Life::until(hall, start + moment, &evening.tables, journal);
            count.life(&life);
            journal.witness(life, number);
            hall.know(journal.plies());
            if number % BETWEEN_FLIPS == 0 {
                let copy = evening.path(&format!("copy-{number}"));
                flip_bits::keep(&hall.store, &copy);
                // Whoever is still busy with the last one has enough.
                if copies.try_send(copy.clone()).is_err() {
                    std::fs::remove_dir_all(copy).expect("a directory");
                }
            }
        }
        drop(copies);
        (count.torn, count.filled) = (torn.end(), filled.end());
        (count.boards_killed, count.babbles) = (killed.end(), babbled.end());
        (count.jumps, count.looks) = (jumps.end(), looks.end());
        count.flipped = flipped.join().expect("every bit is told");
    });
    count
}

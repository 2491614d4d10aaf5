//! Tabutronic Sentio: frames of eight numbers, one for each rank from the eighth down; bit 7 is the
//! a-file.

use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{File, Rank, Square};
use arbiter_core::{Reading, SensorClass, Symbol};

use super::certabo::frame::{Frames, Heard, RANK_NUMBERS};
use super::certabo::{Lamps, OTHERS, PROFILE as CERTABO};
use super::states::{Says, States};
use super::{Command, Outbox, Profile, Protocol, Start};
use crate::fault::FaultReason;
use crate::noise::Model;
use crate::sim;

pub(super) const PROFILE: Profile = Profile {
    name: "sentio",
    title: "Tabutronic Sentio",
    baud: 38_400,
    sensor: Some(SensorClass::Occupancy),
    clock: false,
    tells_time: false,
    answers_within: Duration::from_secs(2),
    usb: &[(0x10c4, 0xea60)],
    sensors: Model::states,
    host: |start| Box::new(Sentio::new(start)),
    device: sim::sentio,
};

/// Between two frames of the slowest board, in milliseconds.
const SCAN_MS: u32 = 250;

/// The host's end of a Sentio board's line.
#[derive(Debug)]
pub struct Sentio {
    line: Frames,
    states: States,
    lamps: Lamps,
    /// Whole frames on end, with nothing between that was none. A board that reads tags sends one
    /// in each of its frames.
    whole: u8,
    /// Frames on end with more numbers.
    others: u8,
}

impl Sentio {
    /// A host that has never heard of the board.
    pub fn new(start: &Start) -> Sentio {
        let line = Frames::new(RANK_NUMBERS);
        Sentio {
            line,
            states: States::new(start),
            lamps: Lamps::default(),
            whole: 0,
            others: 0,
        }
    }

    fn frame(&mut self, now: Instant, numbers: &[u16], out: &mut Outbox) {
        let Some(reading) = read(numbers) else {
            return self.damaged(None, out);
        };
        self.whole = self.whole.saturating_add(1);
        if self.whole < 2 && !self.states.is_greeted() {
            return;
        }
        self.others = 0;
        self.states.message(now, out);
        let says = Says {
            sensor: SensorClass::Occupancy,
            lamps: true,
            scan_ms: SCAN_MS,
        };
        self.states.greet(now, says, out);
        self.states.unchecked(now, reading, out);
    }

    fn damaged(&mut self, count: Option<usize>, out: &mut Outbox) {
        out.trouble.damaged += u32::from(self.states.is_greeted());
        self.whole = 0;
        if count.is_some_and(|count| count > RANK_NUMBERS) {
            self.others += 1;
        }
        if self.others >= OTHERS {
            out.fault = Some(FaultReason::OtherBoard {
                is: CERTABO.title,
                kind: CERTABO.name,
            });
        }
    }
}

/// What the numbers of a frame say. `None` when a number is no byte.
pub fn read(numbers: &[u16]) -> Option<Reading> {
    let mut reading = Reading::EMPTY;
    for (number, rank) in numbers.iter().zip(Rank::ALL.into_iter().rev()) {
        let byte = u8::try_from(*number).ok()?;
        for file in File::ALL
            .into_iter()
            .filter(|file| byte & (0x80 >> u32::from(*file)) != 0)
        {
            reading.set(Square::from_coords(file, rank), Symbol::Something);
        }
    }
    (numbers.len() == RANK_NUMBERS).then_some(reading)
}

/// The numbers of a frame for what stands on the squares.
pub fn write(reading: &Reading) -> Vec<u16> {
    let bit = |file: File, rank| match reading.at(Square::from_coords(file, rank)) {
        Symbol::Empty => 0,
        _ => 0x80 >> u32::from(file),
    };
    Rank::ALL
        .into_iter()
        .rev()
        .map(|rank| File::ALL.into_iter().map(|file| bit(file, rank)).sum())
        .collect()
}

impl Protocol for Sentio {
    fn open(&mut self, now: Instant, out: &mut Outbox) {
        self.line = Frames::new(RANK_NUMBERS);
        (self.whole, self.others) = (0, 0);
        self.states.open(now);
        self.lamps.open(now, out);
    }

    fn receive(&mut self, now: Instant, bytes: &[u8], out: &mut Outbox) {
        self.states.bytes();
        let mut heard = Vec::new();
        self.line.feed(bytes, &mut heard);
        for heard in heard {
            match heard {
                Heard::Frame(numbers) => self.frame(now, &numbers, out),
                Heard::Damaged(count) => self.damaged(count, out),
            }
        }
    }

    fn next_wake(&self) -> Option<Instant> {
        Some(
            self.lamps
                .next_wake()
                .map_or(self.states.next_wake(), |wake| {
                    wake.min(self.states.next_wake())
                }),
        )
    }

    fn wake(&mut self, now: Instant, out: &mut Outbox) {
        self.states.silence(now, out);
        self.lamps.wake(now, out);
    }

    fn command(&mut self, now: Instant, command: Command, out: &mut Outbox) {
        match command {
            Command::SetLamps(squares) => self.lamps.light(now, squares, out),
            // It comes with the next frame.
            Command::RequestSnapshot => self.states.forget(),
            Command::RequestLevels | Command::Calibrate => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use arbiter_core::shakmaty::Board;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_start_position_and_an_empty_h1() {
        let start = SensorClass::Occupancy.reads(&Board::new());
        assert_eq!(read(&[255, 255, 0, 0, 0, 0, 255, 255]), Some(start));
        let mut without = start;
        without.set(Square::H1, Symbol::Empty);
        assert_eq!(read(&[255, 255, 0, 0, 0, 0, 255, 254]), Some(without));
        assert_eq!(read(&[255, 255, 0, 0, 0, 0, 255, 256]), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_written_is_read(numbers in prop::collection::vec(0..256u16, 8)) {
            prop_assert_eq!(write(&read(&numbers).unwrap()), numbers);
        }
    }
}

//! Whole games beside a simulated DGT3000, on a bus with and without faults.

mod bus;
mod clock;

use board_wire::{ClockBits, Ring, Sensor, Side};
use firmware::array::ArrayError;
use firmware::board::Board;
use firmware::clock::{Dgt3000, WAKE, WAKE_ADDRESS};
use firmware::scan::{Reading, Scan};

use self::bus::{Bus, Faults, is_beaten};
use self::clock::Clock;
use crate::rig::{Dice, Listener, Press, board};

/// One square, on which a piece lands before each press.
#[derive(Default)]
struct Square(bool);

impl Scan for Square {
    type Error = ArrayError;
    const SENSOR: Sensor = Sensor::Occupancy;

    fn scan(&mut self) -> Result<Reading, ArrayError> {
        Ok(Reading {
            occupied: u64::from(self.0),
            ..Reading::default()
        })
    }
}

/// A clock, its bus, a board and its host.
struct Hall {
    ms: u32,
    clock: Clock,
    bus: Bus,
    square: Square,
    dgt3000: Dgt3000,
    board: Board<Ring<4096>>,
    host: Listener,
    /// What really happened.
    pressed: Vec<Press>,
}

impl Hall {
    fn new(seed: u64, left: Side, clock: Clock, faults: Faults) -> Hall {
        Hall {
            ms: 0,
            clock,
            bus: Bus::new(seed, faults),
            square: Square::default(),
            dgt3000: Dgt3000::new(0, left, None),
            board: board(Sensor::Occupancy),
            host: Listener::new(),
            pressed: Vec::new(),
        }
    }

    fn run(&mut self, ms: u32) {
        for _ in 0..ms {
            self.ms += 1;
            self.millisecond();
        }
    }

    /// What the board does in a millisecond, and the world in tenths of one.
    fn millisecond(&mut self) {
        for tenth in 0..10 {
            let now = u64::from(self.ms) * 1_000 + tenth * 100;
            self.clock.pass(now, 100);
            self.bus.pass(now, &mut self.clock);
        }
        while !self.dgt3000.has_news()
            && let Some((byte, first)) = self.bus.received.pop_front()
        {
            self.dgt3000.receive(self.ms, byte, first);
        }
        if self.dgt3000.wants_waking(self.ms) {
            self.bus.wake(WAKE_ADDRESS, &WAKE);
        }
        self.board.clock(self.ms, self.dgt3000.told(self.ms));
        self.board.scan(self.ms, &mut self.square, 0);
        self.host.listen(&mut self.board, self.ms);
    }

    /// A piece lands, and its player presses.
    fn move_and_press(&mut self) {
        self.square.0 ^= true;
        self.run(3);
        let times = self
            .clock
            .shows()
            .map(|seconds| Some(seconds as u32 * 1_000));
        self.clock.press();
        let by = self.clock.down();
        self.pressed.push(Press {
            ms: self.ms,
            by,
            times,
        });
        self.run(40);
    }

    fn has(&self, bit: ClockBits) -> bool {
        self.host.face.bits.has(bit)
    }

    /// Both sides think and press for so many moves, or until a flag falls.
    fn play(&mut self, dice: &mut Dice, presses: u32, longest_ms: u64) {
        for _ in 0..presses {
            let thinks = 60 + dice.below(longest_ms) as u32;
            self.run(thinks);
            if self.clock.remaining.contains(&0) {
                return;
            }
            self.move_and_press();
        }
    }
}

/// A time that was told last is of a second ago at most; what was added meanwhile is not in it.
fn is_near(told: [Option<u32>; 2], really: [Option<u32>; 2], increment_s: u64) -> bool {
    let added = 1_000 * increment_s as u32;
    told.into_iter().zip(really).all(|pair| match pair {
        (Some(told), Some(really)) => [told, told + added]
            .into_iter()
            .any(|told| told.abs_diff(really) <= 1_000),
        _ => false,
    })
}

#[test]
fn a_game_is_told_press_by_press_whoever_sits_where() {
    for (seed, left, increment_s) in [
        (1, Side::White, 0),
        (2, Side::Black, 3),
        (3, Side::White, 30),
    ] {
        let clock = Clock::new(left, 180, increment_s);
        let mut hall = Hall::new(seed, left, clock, Faults::default());
        hall.run(1_500);
        hall.play(&mut Dice::new(seed), 90, 5_000);
        assert!(hall.pressed.len() > 60 || hall.clock.remaining.contains(&0));
        assert_eq!(hall.host.presses.len(), hall.pressed.len());
        for (told, really) in hall.host.presses.iter().zip(&hall.pressed) {
            assert_eq!(told.by, really.by);
            assert!(told.ms - really.ms <= 8, "{told:?} of {really:?}");
            assert!(
                is_near(told.times, really.times, increment_s),
                "{told:?} of {really:?}"
            );
        }
        // Each press behind the piece that landed three milliseconds before.
        for ((landed, ..), press) in hall.host.changes.iter().zip(&hall.host.presses) {
            assert!(
                *landed <= press.ms && press.ms - landed <= 8,
                "{landed} {press:?}"
            );
        }
    }
}

#[test]
fn a_side_that_does_not_press_any_more_loses_on_time() {
    for left in [Side::White, Side::Black] {
        let mut hall = Hall::new(5, left, Clock::new(left, 20, 0), Faults::default());
        hall.run(1_500);
        hall.play(&mut Dice::new(5), 5, 1_000);
        let (runs, fell, other) = match hall.clock.down() {
            Side::White => (
                ClockBits::BLACK_RUNS,
                ClockBits::BLACK_FELL,
                ClockBits::WHITE_FELL,
            ),
            Side::Black => (
                ClockBits::WHITE_RUNS,
                ClockBits::WHITE_FELL,
                ClockBits::BLACK_FELL,
            ),
        };
        hall.run(3_000);
        assert!(hall.has(runs));
        while !hall.clock.remaining.contains(&0) {
            assert!(!hall.has(fell));
            hall.run(1);
        }
        hall.run(3_000);
        assert!(hall.has(fell) && !hall.has(other));
    }
}

/// Whatever is lost, what is told did happen: by whom, and not before, and not long before.
fn is_true(hall: &Hall) -> bool {
    hall.host.presses.iter().all(|told| {
        let is_it = |really: &&Press| really.by == told.by && really.ms <= told.ms;
        let last = hall.pressed.iter().rfind(is_it);
        last.is_some_and(|really| told.ms - really.ms <= 5_500)
    })
}

#[test]
fn on_a_bad_bus_presses_are_late_or_lost_and_none_is_invented() {
    let (mut told, mut really, mut lost) = (0, 0, 0);
    for seed in 1..=12 {
        let faults = Faults {
            refused: Some(9),
            damaged: Some(11),
            rivals: Some(7),
        };
        let clock = Clock::new(Side::White, 3_000, 2);
        let mut hall = Hall::new(seed, Side::White, clock, faults);
        hall.run(3_500);
        hall.play(&mut Dice::new(seed), 80, 6_000);
        hall.run(4_000);
        assert!(is_true(&hall), "seed {seed}");
        let sides: Vec<Side> = hall.host.presses.iter().map(|press| press.by).collect();
        assert!(sides.len() <= hall.pressed.len(), "seed {seed}");
        told += sides.len();
        really += hall.pressed.len();
        lost += hall.bus.lost;
    }
    assert!(told * 100 >= really * 85, "{told} of {really}");
    // Its address is all zeros, so it gives way only to who sends the same, and less behind it.
    assert!(lost > 0);
}

#[test]
fn the_clock_wins_against_a_wake_up_whatever_it_says() {
    let mut clock = Clock::new(Side::White, 60, 0);
    clock.press();
    clock.pass(0, 0);
    let wake = [&[WAKE_ADDRESS << 1], &WAKE[..]].concat();
    for frame in clock.queue {
        assert!(is_beaten(&wake, &frame) && !is_beaten(&frame, &wake));
    }
}

#[test]
fn a_wake_up_that_meets_a_frame_does_no_harm() {
    let mut hall = Hall::new(
        1,
        Side::White,
        Clock::new(Side::White, 60, 0),
        Faults::default(),
    );
    // At its first millisecond the board wakes, and the clock tells its times.
    hall.run(2_500);
    assert!(hall.has(ClockBits::SPEAKS));
    assert_eq!(
        hall.bus.wakes, 0,
        "it gave way, and heard the clock before it tried again"
    );
    hall.move_and_press();
    assert_eq!(hall.host.presses.len(), 1);
}

#[test]
fn a_clock_that_is_off_is_woken_and_one_that_was_switched_off_is_not() {
    let mut clock = Clock::new(Side::White, 60, 0);
    clock.is_on = false;
    let mut hall = Hall::new(1, Side::White, clock, Faults::default());
    hall.run(1_500);
    assert_eq!(hall.bus.wakes, 1);
    assert!(hall.has(ClockBits::SPEAKS));
    hall.move_and_press();
    hall.clock.switch_off();
    hall.run(30_000);
    assert!(!hall.has(ClockBits::SPEAKS) && !hall.clock.is_on);
    assert_eq!(hall.bus.wakes, 1);
    // Its lever is moved while it is off, and it is switched on.
    hall.clock.left_is_down ^= true;
    hall.clock.switch_on(u64::from(hall.ms) * 1_000);
    hall.run(3_000);
    assert_eq!(hall.host.presses.len(), 1);
    hall.move_and_press();
    assert_eq!(hall.host.presses.len(), 2);
    assert_eq!(hall.host.presses[1].by, hall.pressed[1].by);
}

#[test]
fn a_plug_that_is_pulled_anywhere_in_a_frame_is_noticed_and_nothing_is_invented() {
    for tenths in 0..30 {
        let clock = Clock::new(Side::White, 600, 0);
        let mut hall = Hall::new(1, Side::White, clock, Faults::default());
        hall.run(2_500);
        hall.move_and_press();
        hall.clock.press();
        let now = u64::from(hall.ms) * 1_000;
        for tenth in 0..tenths {
            hall.bus.pass(now + 100 * tenth, &mut hall.clock);
        }
        hall.bus.is_plugged = false;
        hall.run(10_000);
        let told = hall.host.presses.len();
        assert!(told == 1 || (told == 2 && tenths >= 9), "{tenths}: {told}");
        assert!(!hall.has(ClockBits::SPEAKS));
        assert_eq!(hall.host.face.white_ms, None);
        hall.clock.press();
        hall.run(10);
        hall.bus.is_plugged = true;
        hall.run(2_500);
        assert_eq!(hall.host.presses.len(), told, "{tenths}");
        assert!(hall.has(ClockBits::SPEAKS));
        hall.move_and_press();
        assert_eq!(hall.host.presses.len(), told + 1, "{tenths}");
    }
}

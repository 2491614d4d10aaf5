//! Bouncing switches on a chain of 74HC165.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::convert::Infallible;

use board_wire::{Sensor, Symbol, Trouble, TroubleCode};
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{ErrorType as PinErrorType, OutputPin};
use embedded_hal::spi::{ErrorType as SpiErrorType, Operation, SpiDevice};
use firmware::debounce::Depth;
use firmware::scan::{Active, Reading, Scan, ShiftRegisters, Tail};
use proptest::prelude::*;

use crate::rig::{Listener, board};

/// Eight 74HC165 as their data sheet describes them, with the last serial input at the supply or at
/// the controller's output.
#[derive(Default)]
struct Chips {
    inputs: u64,
    /// What is in the chain, in the order it leaves.
    held: VecDeque<bool>,
    is_fed: bool,
    /// At these clocks of a transfer, counted from 0, all chips see a pulse more.
    extra: Vec<usize>,
    /// And here none.
    missed: Vec<usize>,
    /// Behind so many squares the wire is open, and its end reads low.
    broken_behind: Option<usize>,
}

struct Latch<'a>(&'a RefCell<Chips>);
struct Bus<'a>(&'a RefCell<Chips>);
struct NoWait;

impl PinErrorType for Latch<'_> {
    type Error = Infallible;
}

impl OutputPin for Latch<'_> {
    fn set_low(&mut self) -> Result<(), Infallible> {
        let mut chips = self.0.borrow_mut();
        // Chip by chip, and in each D7 first.
        chips.held = (0..64)
            .map(|n| chips.inputs >> (n / 8 * 8 + 7 - n % 8) & 1 == 1)
            .collect();
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl Chips {
    /// What the controller reads; at the clock that follows the chips move on, usually.
    fn clock(&mut self, n: usize, fed: bool) -> bool {
        let sound = self.broken_behind.unwrap_or(usize::MAX);
        let bit = self.held[0] && n < sound;
        let pulses = 1 + self.extra.iter().filter(|at| **at == n).count();
        for _ in 0..pulses * usize::from(!self.missed.contains(&n)) {
            self.held.pop_front();
            self.held.push_back(!self.is_fed || fed);
        }
        bit
    }
}

impl SpiErrorType for Bus<'_> {
    type Error = Infallible;
}

impl SpiDevice for Bus<'_> {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        let mut chips = self.0.borrow_mut();
        let [Operation::TransferInPlace(bytes)] = operations else {
            panic!("a chain is read and fed at once")
        };
        for (n, byte) in bytes.iter_mut().enumerate() {
            let sent = *byte;
            *byte = (0..8).fold(0, |byte, bit| {
                byte << 1 | u8::from(chips.clock(8 * n + bit, sent << bit & 0x80 != 0))
            });
        }
        Ok(())
    }
}

impl DelayNs for NoWait {
    fn delay_ns(&mut self, _ns: u32) {}
}

proptest! {
    /// Players touch one square after another, at least 20 ms apart, and every switch bounces for
    /// up to 3 ms: the host hears each change once, in order, and no later than the bounce and the
    /// depth allow.
    #[test]
    fn every_touch_is_heard_once(
        touches in prop::collection::vec((0..64u8, 20..60u32, any::<u8>()), 1..40),
    ) {
        let chips = RefCell::new(Chips {
            inputs: 0xffff_0000_0000_ffff,
            ..Chips::default()
        });
        let mut scanner = ShiftRegisters::new(
            Bus(&chips),
            Latch(&chips),
            NoWait,
            Active::High,
            Some(Tail::High),
        )
        .unwrap();
        let (mut board, mut host) = (board(Sensor::Occupancy), Listener::new());
        for ms in 0..20 {
            board.scan(ms, &mut scanner, 0);
        }

        let mut expected = Vec::new();
        let mut ms = 20;
        for (square, pause, bounce) in touches {
            let settled = chips.borrow().inputs ^ 1 << square;
            expected.push((ms + 1, square, settled >> square & 1 == 1));
            for after in 0..pause {
                ms += 1;
                // For three scans the switch reads what the bits of `bounce` say, then it is still.
                let bounced = after < 3 && bounce >> after & 1 == 1;
                chips.borrow_mut().inputs = if bounced {
                    settled ^ 1 << square
                } else {
                    settled
                };
                board.scan(ms, &mut scanner, 0);
                host.listen(&mut board, ms);
            }
        }
        prop_assert_eq!(host.changes.len(), expected.len());
        for ((at, square, symbol), (touched, expected_square, expected_full)) in
            host.changes.into_iter().zip(expected)
        {
            prop_assert_eq!(
                (square, symbol != Symbol::EMPTY),
                (expected_square, expected_full)
            );
            let (delay, depth) = (at - touched, Depth::default());
            prop_assert!(
                delay + 1 >= u32::from(depth.scans()) && delay < 3 + u32::from(depth.scans()),
                "{}",
                delay
            );
        }
    }
}

/// A wire of the chain comes off for a while: the squares behind it read as its open end does.
#[test]
fn a_chain_that_breaks_is_a_fault_and_no_lift() {
    let chips = RefCell::new(Chips {
        inputs: 0xffff_0000_0000_ffff,
        ..Chips::default()
    });
    let mut scanner = ShiftRegisters::new(
        Bus(&chips),
        Latch(&chips),
        NoWait,
        Active::High,
        Some(Tail::High),
    )
    .unwrap();
    let (mut board, mut host) = (board(Sensor::Occupancy), Listener::new());
    for ms in 0..400 {
        chips.borrow_mut().broken_behind = (100..300).contains(&ms).then_some(40);
        board.scan(ms, &mut scanner, 0);
        host.listen(&mut board, ms);
        if ms == 200 {
            assert_eq!(
                host.health.trouble,
                Trouble::new(TroubleCode::BROKEN_CHAIN, 0)
            );
        }
    }
    assert_eq!(host.changes, []);
    assert!(host.health.is_good());
}

/// Pulses more or fewer on the clock line, which all chips see: with a pattern behind the squares
/// every such scan is a fault, wherever it happens behind the first clock, and none moves a piece.
/// With a level it would.
#[test]
fn a_disturbed_clock_is_a_fault_and_no_move() {
    let start = 0xffff_0000_0000_ffff;
    let scan = |tail, extra: &[usize], missed: &[usize]| {
        let chips = RefCell::new(Chips {
            inputs: start,
            is_fed: tail == Tail::Fed,
            extra: extra.to_vec(),
            missed: missed.to_vec(),
            ..Chips::default()
        });
        ShiftRegisters::new(Bus(&chips), Latch(&chips), NoWait, Active::High, Some(tail))
            .unwrap()
            .scan()
            .ok()
    };
    let undisturbed = Some(Reading::of(start));
    for tail in [Tail::High, Tail::Fed] {
        assert_eq!(scan(tail, &[], &[]), undisturbed);
    }
    for at in 1..64 {
        for count in 1..12 {
            assert_eq!(
                scan(Tail::Fed, &vec![at; count], &[]),
                None,
                "{count} at {at}"
            );
        }
        for count in 1..8 {
            let missed: Vec<usize> = (at..at + count).collect();
            assert_eq!(
                scan(Tail::Fed, &[], &missed),
                None,
                "{count} missed at {at}"
            );
        }
    }
    let moved = (0..64).filter(|at| scan(Tail::High, &[*at], &[]) != undisturbed);
    assert!(moved.count() > 10, "a level does not tell");
}

//! Bouncing switches on a chain of 74HC165.

use std::cell::RefCell;
use std::convert::Infallible;

use board_wire::{Sensor, Symbol, Trouble, TroubleCode};
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{ErrorType as PinErrorType, OutputPin};
use embedded_hal::spi::{ErrorType as SpiErrorType, Operation, SpiDevice};
use firmware::debounce::Depth;
use firmware::scan::{Active, ShiftRegisters, Tail};
use proptest::prelude::*;

use crate::rig::{Listener, board};

/// Eight 74HC165 with their last serial input tied high, as their data sheet describes them.
#[derive(Default)]
struct Chips {
    inputs: u64,
    /// What is shifted out next, in the order it leaves.
    held: Vec<bool>,
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

impl SpiErrorType for Bus<'_> {
    type Error = Infallible;
}

impl SpiDevice for Bus<'_> {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        let mut chips = self.0.borrow_mut();
        let sound = chips.broken_behind.unwrap_or(usize::MAX);
        let bits = std::mem::take(&mut chips.held)
            .into_iter()
            .chain(std::iter::repeat(true));
        let mut bits = bits.enumerate().map(|(n, bit)| bit && n < sound);
        for operation in operations {
            let Operation::Read(bytes) = operation else {
                panic!("a chain of inputs is only read")
            };
            for byte in bytes.iter_mut() {
                *byte = bits
                    .by_ref()
                    .take(8)
                    .fold(0, |byte, bit| byte << 1 | u8::from(bit));
            }
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

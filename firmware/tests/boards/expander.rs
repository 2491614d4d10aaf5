//! MCP23017 chips as their data sheet describes them, with everything that can happen to them,
//! under a whole board.

use std::cell::RefCell;
use std::rc::Rc;

use crate::rig::{Dice, Listener, board, symbols};
use board_wire::{Sensor, Symbol, Trouble, TroubleCode};
use embedded_hal::i2c::{ErrorKind, ErrorType, I2c, NoAcknowledgeSource, Operation};
use firmware::scan::{Active, Expanders};
use proptest::prelude::*;

/// IOCON, BANK and SEQOP: DS20001952, register 3-6.
const BANK: u8 = 0x80;
const SEQOP: u8 = 0x20;

/// One chip: its registers by their addresses with BANK = 0, and what its pins would read without
/// pull-ups.
struct Chip {
    registers: [u8; 0x16],
    pointer: u8,
    floating: u16,
    silent: bool,
}

impl Chip {
    /// After power-up: table 3-3.
    fn new(floating: u16) -> Chip {
        let mut registers = [0; 0x16];
        registers[..2].fill(0xff);
        Chip {
            registers,
            pointer: 0,
            floating,
            silent: false,
        }
    }

    fn iocon(&self) -> u8 {
        self.registers[0x0a]
    }

    /// Where the register at the address sent is, with BANK = 0.
    fn place(&self, pointer: u8) -> Option<usize> {
        let place = match (self.iocon() & BANK, pointer) {
            (0, 0x00..=0x15) => pointer,
            (BANK, 0x00..=0x0a) => 2 * pointer,
            (BANK, 0x10..=0x1a) => 2 * (pointer - 0x10) + 1,
            _ => return None,
        };
        Some(usize::from(place))
    }

    /// The next address: on with SEQOP = 0, else back and forth between the ports (BANK = 0) or the
    /// same.
    fn step(&mut self) {
        self.pointer = match (self.iocon() & SEQOP, self.iocon() & BANK) {
            (0, _) => self.pointer + 1,
            (_, 0) => self.pointer ^ 1,
            _ => self.pointer,
        };
    }

    fn write(&mut self, byte: u8) {
        if let Some(place) = self.place(self.pointer) {
            match place {
                // There is one IOCON.
                0x0a | 0x0b => self.registers[0x0a..0x0c].fill(byte & 0xfe),
                0x0e..=0x11 => {}
                0x12 | 0x13 => self.registers[place + 2] = byte,
                _ => self.registers[place] = byte,
            }
        }
        self.step();
    }

    fn read(&mut self, pins: u16) -> u8 {
        let place = self.place(self.pointer);
        self.step();
        let Some(place) = place else { return 0 };
        if place & !1 != 0x12 {
            return self.registers[place];
        }
        let port = place & 1;
        let [direction, pull_up, latch] =
            [0x00, 0x0c, 0x14].map(|register| self.registers[register + port]);
        // A switch to ground against the pull-up; without one, whatever is in the air unless the
        // switch is closed.
        let [closed, floating] = [!pins, self.floating].map(|word| word.to_le_bytes()[port]);
        let level = !closed & (pull_up | floating);
        (level & direction | latch & !direction) ^ self.registers[0x02 + port]
    }
}

/// The bus, and the switches behind the chips: a set bit of `occupied` is closed to ground.
struct World {
    chips: Vec<Chip>,
    occupied: u64,
    /// Transfers that fail before one works again.
    jammed: u32,
}

#[derive(Clone)]
struct Bus(Rc<RefCell<World>>);

impl ErrorType for Bus {
    type Error = ErrorKind;
}

impl I2c for Bus {
    fn transaction(
        &mut self,
        address: u8,
        operations: &mut [Operation<'_>],
    ) -> Result<(), ErrorKind> {
        let world = &mut *self.0.borrow_mut();
        if world.jammed > 0 {
            world.jammed -= 1;
            return Err(ErrorKind::ArbitrationLoss);
        }
        let index = usize::from(address - 0x20);
        let pins = !(pins_of(index, world.chips.len(), world.occupied));
        let chip = world.chips.get_mut(index).filter(|chip| !chip.silent);
        let chip = chip.ok_or(ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address))?;
        for operation in operations {
            match operation {
                Operation::Write([first, rest @ ..]) => {
                    chip.pointer = *first;
                    rest.iter().for_each(|byte| chip.write(*byte));
                }
                Operation::Write([]) => {}
                Operation::Read(bytes) => bytes.iter_mut().for_each(|byte| *byte = chip.read(pins)),
            }
        }
        Ok(())
    }
}

/// The closed switches at the pins of a chip: port A low, port B high.
fn pins_of(chip: usize, chips: usize, occupied: u64) -> u16 {
    if chips == 4 {
        return (occupied >> (16 * chip)) as u16;
    }
    if chip < 4 {
        return (occupied >> (16 * chip)) as u16 & 0x7f7f;
    }
    let h_file = (0..8).fold(0, |ranks, rank| {
        ranks | ((occupied >> (8 * rank + 7) & 1) as u16) << rank
    });
    h_file & 0x7f | (h_file & 0x80) << 1
}

fn world(chips: usize) -> Bus {
    let chips = (0..chips).map(|_| Chip::new(0)).collect();
    Bus(Rc::new(RefCell::new(World {
        chips,
        occupied: 0xffff_0000_0000_ffff,
        jammed: 0,
    })))
}

fn expanders<const CHIPS: usize>(bus: &Bus) -> Expanders<Bus, CHIPS> {
    Expanders::new(
        bus.clone(),
        core::array::from_fn(|n| 0x20 + n as u8),
        Active::Low,
    )
}

#[test]
fn a_chip_is_configured_whatever_it_was_left_in() {
    for iocon in [0, BANK, SEQOP, BANK | SEQOP, 0x7e] {
        let bus = world(4);
        for chip in &mut bus.0.borrow_mut().chips {
            chip.registers = [0x5a; 0x16];
            chip.registers[0x0a..0x0c].fill(iocon);
        }
        let (mut scanner, mut board, mut host) = (
            expanders::<4>(&bus),
            board(Sensor::Occupancy),
            Listener::new(),
        );
        for ms in 0..20 {
            board.scan(ms, &mut scanner, 0);
            host.listen(&mut board, ms);
        }
        assert_eq!(
            host.picture,
            Some(symbols(0xffff_0000_0000_ffff)),
            "IOCON {iocon:#x}"
        );
        assert!(host.health.is_good());
        let expected = [0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
        assert!(
            bus.0
                .borrow()
                .chips
                .iter()
                .all(|chip| chip.registers[..14] == expected)
        );
    }
}

#[test]
fn a_missing_chip_is_named_and_the_others_play_on() {
    let bus = world(4);
    bus.0.borrow_mut().chips[3].silent = true;
    let (mut scanner, mut board, mut host) = (
        expanders::<4>(&bus),
        board(Sensor::Occupancy),
        Listener::new(),
    );
    for ms in 0..300 {
        if ms == 100 {
            bus.0.borrow_mut().occupied ^= 1 << 12 | 1 << 28;
        }
        board.scan(ms, &mut scanner, 0);
        host.listen(&mut board, ms);
    }
    assert_eq!(host.health.stuck, 0xffff << 48);
    assert_eq!(
        host.health.trouble,
        Trouble::new(TroubleCode::NO_ANSWER, 0x23)
    );
    assert_eq!(host.health.failed_scans, 0);
    assert_eq!(
        host.changes,
        [(103, 12, Symbol::EMPTY), (103, 28, Symbol::SOMETHING)]
    );
}

/// A bus on which something else lives: it answers anything, or nothing.
struct Nonsense(Dice);

impl ErrorType for Nonsense {
    type Error = ErrorKind;
}

impl I2c for Nonsense {
    fn transaction(
        &mut self,
        _address: u8,
        operations: &mut [Operation<'_>],
    ) -> Result<(), ErrorKind> {
        for operation in operations {
            if let Operation::Read(bytes) = operation {
                bytes
                    .iter_mut()
                    .for_each(|byte| *byte = self.0.word() as u8);
            }
        }
        if self.0.once_in(8) {
            Err(ErrorKind::Bus)
        } else {
            Ok(())
        }
    }
}

#[test]
fn nonsense_on_the_bus_is_no_position() {
    let mut scanner = Expanders::new(
        Nonsense(Dice::new(11)),
        [0x20, 0x21, 0x22, 0x23],
        Active::Low,
    );
    let (mut board, mut host) = (board(Sensor::Occupancy), Listener::new());
    for ms in 0..5_000 {
        board.scan(ms, &mut scanner, 0);
        host.listen(&mut board, ms);
    }
    assert_eq!(host.picture, None);
    assert!(
        [TroubleCode::WRONG_DEVICE, TroubleCode::BUS].contains(&host.health.trouble.code),
        "{:?}",
        host.health
    );
    assert_eq!(board.health().failed_scans, 5_000);
}

/// What befalls a chip, or all of them.
fn befall(bus: &Bus, dice: &mut Dice) {
    let mut world = bus.0.borrow_mut();
    let chip = dice.below(world.chips.len() as u64) as usize;
    match dice.below(4) {
        // A dip of the supply: back to the values of power-up. Its open inputs read all occupied,
        // all empty or anything.
        0 => {
            let floating = [0, !0, dice.word() as u16][dice.below(3) as usize];
            world.chips[chip] = Chip {
                silent: world.chips[chip].silent,
                ..Chip::new(floating)
            };
        }
        1 => world.chips[chip].silent = true,
        2 => world.chips[chip].silent = false,
        _ => world.jammed = dice.below(40) as u32,
    }
}

/// Pieces come and go while chips fail: what the host hears is what was there, and in the end it
/// knows everything.
fn nothing_is_invented<const CHIPS: usize>(seed: u64) -> Result<(), TestCaseError> {
    let bus = world(CHIPS);
    let (mut scanner, mut board, mut host) = (
        expanders::<CHIPS>(&bus),
        board(Sensor::Occupancy),
        Listener::new(),
    );
    let (mut dice, mut ms) = (Dice::new(seed), 0);
    let (mut before, mut changed_at) = (bus.0.borrow().occupied, 0);
    let mut scan = |host: &mut Listener, ms: u32| {
        board.scan(ms, &mut scanner, 0);
        host.listen(&mut board, ms);
    };
    for _ in 0..4000 {
        ms += 1;
        if dice.once_in(40) {
            befall(&bus, &mut dice);
        }
        if ms > changed_at + 10 && dice.once_in(30) {
            before = bus.0.borrow().occupied;
            bus.0.borrow_mut().occupied ^= 1 << dice.below(64);
            changed_at = ms;
        }
        let (now, heard) = (bus.0.borrow().occupied, host.changes.len());
        scan(&mut host, ms);
        for (_, square, symbol) in &host.changes[heard..] {
            let told = *symbol == Symbol::SOMETHING;
            let was = [now, before].map(|word| word >> square & 1 == 1);
            prop_assert!(
                told == was[0] || (ms < changed_at + 4 && told == was[1]),
                "square {} at {} ms",
                square,
                ms
            );
        }
    }
    let truth = {
        let mut world = bus.0.borrow_mut();
        world.jammed = 0;
        world.chips.iter_mut().for_each(|chip| chip.silent = false);
        world.occupied
    };
    for ms in ms + 1..ms + 1200 {
        scan(&mut host, ms);
    }
    prop_assert_eq!(host.picture, Some(symbols(truth)));
    prop_assert!(host.health.is_good(), "{:?}", host.health);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn nothing_that_befalls_four_chips_becomes_play(seed: u64) {
        nothing_is_invented::<4>(seed)?;
    }

    #[test]
    fn nothing_that_befalls_five_chips_becomes_play(seed: u64) {
        nothing_is_invented::<5>(seed)?;
    }
}

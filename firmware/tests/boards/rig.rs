//! What every test of a whole board needs: who the board is, a listener, and dice.

use std::convert::Infallible;

use board_wire::device::Identity;
use board_wire::{
    Accumulator, Capabilities, ClockFace, Evidence, FromBoard, Health, RankLevels, Ring, Sensor,
    Serial, Side, Step, Symbol, ToBoard, What, encode,
};
use firmware::array::ArrayError;
use firmware::board::{Board, Settings};
use firmware::scan::{Reading, Scan};

/// No sensors: what is asked of the line alone needs none.
struct Blind;

impl Scan for Blind {
    type Error = ArrayError;
    const SENSOR: Sensor = Sensor::Occupancy;

    fn scan(&mut self) -> Result<Reading, ArrayError> {
        Ok(Reading::default())
    }
}

/// A board on the bench, whose clock starts at 0 and whose host has just asked who it is.
pub(crate) fn board(sensor: Sensor) -> Board<Ring<4096>> {
    let identity = Identity {
        boot: 1,
        serial: Serial::new(b"bench-2").unwrap(),
        sensor,
        capabilities: Capabilities::default(),
        pace: 1000,
        firmware: "",
    };
    let mut board = Board::new(identity, 0, Settings::default(), None);
    let question = ToBoard::RequestHello { nonce: Some(1) };
    order(&mut board, 0, &mut Blind, question);
    board
}

/// A change as it was told: when, where, and what the square reads.
pub(crate) type Change = (u32, u8, Symbol);

/// A press as it was told, with White's and Black's remaining time in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Press {
    pub(crate) ms: u32,
    pub(crate) by: Side,
    pub(crate) times: [Option<u32>; 2],
}

/// Hears everything a board sends over a line that loses nothing.
pub(crate) struct Listener {
    accumulator: Accumulator<FromBoard>,
    /// What every square reads, once a snapshot has told it.
    pub(crate) picture: Option<[Symbol; 64]>,
    pub(crate) changes: Vec<Change>,
    pub(crate) presses: Vec<Press>,
    /// What the clock showed, as it was told last.
    pub(crate) face: ClockFace,
    pub(crate) health: Health,
    pub(crate) levels: Vec<RankLevels>,
}

impl Listener {
    pub(crate) fn new() -> Listener {
        let accumulator = Accumulator::default();
        Listener {
            accumulator,
            picture: None,
            changes: Vec::new(),
            presses: Vec::new(),
            face: ClockFace::default(),
            health: Health::default(),
            levels: Vec::new(),
        }
    }

    /// Takes all that the board has to say at `ms`.
    pub(crate) fn listen<const RING: usize>(&mut self, board: &mut Board<Ring<RING>>, ms: u32) {
        let mut bytes = Vec::new();
        let all: Result<(), Infallible> = board.transmit(ms, |offered| {
            bytes.extend_from_slice(offered);
            Ok(offered.len())
        });
        all.unwrap();
        let mut bytes = &bytes[..];
        loop {
            match self.accumulator.feed(bytes) {
                Step::Partial => return,
                Step::Damaged(damage, _) => panic!("the board sent {damage}"),
                Step::Message(message, rest) => {
                    bytes = rest;
                    self.take(message);
                }
            }
        }
    }

    fn take(&mut self, message: FromBoard) {
        match message {
            FromBoard::Evidence(Evidence {
                what: What::Snapshot(squares),
                ..
            }) => self.picture = Some(squares),
            FromBoard::Evidence(Evidence {
                what: What::Change(changes),
                ms,
                ..
            }) => {
                let picture = self
                    .picture
                    .as_mut()
                    .expect("a snapshot before the first change");
                for (square, symbol) in changes.as_slice() {
                    picture[usize::from(square.index())] = *symbol;
                    self.changes.push((ms, square.index(), *symbol));
                }
            }
            FromBoard::Evidence(Evidence {
                what:
                    What::Press {
                        by,
                        white_ms,
                        black_ms,
                    },
                ms,
                ..
            }) => self.presses.push(Press {
                ms,
                by,
                times: [white_ms, black_ms],
            }),
            FromBoard::Clock { face, .. } => self.face = face,
            FromBoard::Condition(condition) => self.health = condition.health,
            FromBoard::Levels { levels, .. } => self.levels.push(levels),
            _ => {}
        }
    }
}

/// Gives the board an order.
pub(crate) fn order<const RING: usize>(
    board: &mut Board<Ring<RING>>,
    ms: u32,
    scanner: &mut impl Scan,
    order: ToBoard,
) {
    board.receive(ms, encode(&order).as_bytes(), scanner, |_, _| {});
}

/// What an occupancy board says of these squares.
pub(crate) fn symbols(occupied: u64) -> [Symbol; 64] {
    core::array::from_fn(|n| {
        if occupied >> n & 1 == 1 {
            Symbol::SOMETHING
        } else {
            Symbol::EMPTY
        }
    })
}

/// Random words. xorshift64: George Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8
/// (14), 2003.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed | 1)
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        (self.word() >> 16) % end
    }

    /// Once in `times`.
    pub(crate) fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}

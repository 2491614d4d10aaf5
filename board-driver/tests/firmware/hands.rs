//! What hands and hardware do at the bench, and what has to arrive.

use arbiter_core::Symbol;
use arbiter_core::shakmaty::{Color, Square};
use board_driver::Report;
use firmware::scan::Reading;
use proptest::prelude::*;

use crate::bench::*;

/// What hands and hardware do, one thing after another.
#[derive(Clone, Debug)]
pub(crate) enum Deed {
    /// A square becomes something else; for three scans it reads what the bits say, old (0) or new
    /// (1) or, with the other bits, another colour on the way.
    Touch {
        square: u8,
        symbol: Symbol,
        bounce: u8,
    },
    /// The clock is pressed by the side whose lever end is up.
    Press,
    Adjust(Color),
    /// A square flickers for a while, faster than anything settles.
    Chatter {
        square: u8,
        scans: u32,
    },
    /// Squares cannot be read for a while.
    Stuck {
        squares: u64,
        scans: u32,
    },
    /// No scan works for a while.
    Outage {
        scans: u32,
    },
    Pause {
        ms: u32,
    },
}

pub(crate) fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let symbol = prop_oneof![2 => Just(Symbol::Empty), 1 => Just(LIGHT), 1 => Just(DARK)];
    let colour = prop_oneof![Just(Color::White), Just(Color::Black)];
    let touch = (0..64u8, symbol, any::<u8>());
    let touch = touch.prop_map(|(square, symbol, bounce)| Deed::Touch {
        square,
        symbol,
        bounce,
    });
    let deed = prop_oneof![
        8 => touch,
        3 => Just(Deed::Press),
        1 => colour.prop_map(Deed::Adjust),
        1 => (0..64u8, 1..300u32).prop_map(|(square, scans)| Deed::Chatter { square, scans }),
        1 => (any::<u64>(), 1..300u32).prop_map(|(squares, scans)| Deed::Stuck { squares, scans }),
        1 => (1..300u32).prop_map(|scans| Deed::Outage { scans }),
        3 => (0..1500u32).prop_map(|ms| Deed::Pause { ms }),
    ];
    prop::collection::vec(deed, 1..50)
}

/// Does what is told on the bench, and remembers what has to arrive.
pub(crate) struct Hands {
    pub(crate) bench: Bench,
    pub(crate) truth: [Symbol; 64],
    pub(crate) expected: Vec<Report>,
    /// Whose end of the lever is down.
    pub(crate) down: Option<Color>,
}

impl Hands {
    pub(crate) fn new(bench: Bench) -> Hands {
        Hands {
            bench,
            truth: [Symbol::Empty; 64],
            expected: Vec::new(),
            down: None,
        }
    }

    /// The sensors read this on one square, and elsewhere the truth.
    pub(crate) fn show(&mut self, square: u8, symbol: Symbol) {
        let bit = 1 << square;
        let Reading { occupied, dark, .. } = &mut self.bench.sensors.reading;
        (*occupied, *dark) = (*occupied & !bit, *dark & !bit);
        match symbol {
            Symbol::Empty => {}
            DARK => (*occupied, *dark) = (*occupied | bit, *dark | bit),
            _ => *occupied |= bit,
        }
    }

    pub(crate) fn act(&mut self, deed: &Deed) {
        match *deed {
            Deed::Touch {
                square,
                symbol,
                bounce,
            } => self.touch(square, symbol, bounce),
            Deed::Press => {
                let by = self.down.map_or(Color::White, |down| !down);
                self.down = Some(by);
                self.bench.controls = if by == Color::White { 1 } else { 2 };
                self.expected.push(Report::Press {
                    by,
                    white_ms: None,
                    black_ms: None,
                });
            }
            Deed::Adjust(by) => {
                let lever = self.bench.controls;
                self.bench.controls |= if by == Color::White { 4 } else { 8 };
                self.bench.steps(SETTLED);
                self.bench.controls = lever;
                self.expected.push(Report::Adjust { by });
            }
            Deed::Chatter { square, scans } => {
                let truth = self.truth[usize::from(square)];
                let other = if truth == Symbol::Empty {
                    LIGHT
                } else {
                    Symbol::Empty
                };
                for scan in 0..scans {
                    self.show(square, if scan % 3 == 0 { truth } else { other });
                    self.bench.step();
                }
                self.show(square, truth);
            }
            Deed::Stuck { squares, scans } => {
                let before = self.bench.sensors.reading;
                let nonsense = Reading {
                    occupied: !before.occupied,
                    stuck: squares,
                    ..before
                };
                self.bench.sensors.reading = Reading {
                    occupied: (nonsense.occupied & squares) | (before.occupied & !squares),
                    ..nonsense
                };
                self.bench.steps(scans);
                self.bench.sensors.reading = before;
            }
            Deed::Outage { scans } => {
                self.bench.sensors.broken = true;
                self.bench.steps(scans);
                self.bench.sensors.broken = false;
            }
            Deed::Pause { ms } => self.bench.steps(ms),
        }
        self.bench.steps(SETTLED);
    }

    pub(crate) fn touch(&mut self, square: u8, symbol: Symbol, bounce: u8) {
        self.wait_for(square);
        let before = std::mem::replace(&mut self.truth[usize::from(square)], symbol);
        for scan in 0..3 {
            let shown = match bounce >> (2 * scan) & 3 {
                0 => before,
                1 => symbol,
                2 => LIGHT,
                _ => DARK,
            };
            self.show(square, shown);
            self.bench.step();
        }
        self.show(square, symbol);
        if symbol != before {
            self.expected
                .push(Report::Changes(vec![(Square::new(square.into()), symbol)]));
        }
        self.bench.steps(SETTLED);
        self.wait_for(square);
    }

    /// A square that has just chattered is not believed before it has been quiet for up to two
    /// windows.
    pub(crate) fn wait_for(&mut self, square: u8) {
        while self.bench.board.health().unsteady >> square & 1 == 1 {
            self.bench.step();
        }
        self.bench.steps(SETTLED);
    }
}

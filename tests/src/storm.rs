//! Evidence that fits as many accounts as possible for as long as possible: what an event can cost
//! at worst.

use arbiter_core::input::{Setup, StartFen};
use arbiter_core::shakmaty::{Color, Square};
use arbiter_core::{Event, Input, SensorClass, Symbol, Time};

/// A storm, and what it is called.
#[derive(Clone, Debug)]
pub struct Storm {
    /// What is open, and how fast it comes.
    pub name: String,
    /// The event script.
    pub script: Vec<Event>,
}

/// Open files, queens everywhere: hundreds of legal moves lead from any square to any other.
const QUEENS: &str = "q2q3k/1q2q2q/q3q3/3q3q/Q3Q3/3Q3Q/1Q2Q2Q/Q2Q3K w - - 0 1";
/// Sixteen promotions, each to four pieces, and captures among them.
const PAWNS: &str = "1n1n1n1k/P1P1P1P1/8/8/8/8/p1p1p1p1/1N1N1N1K w - - 0 1";
/// A game in the middle: the usual number of moves, many captures.
const MIDDLE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// Kings and rooks of Chess960 that castle to where others stand.
const CASTLES: &str = "1rk1r3/pppppppp/8/8/8/8/PPPPPPPP/1RK1R3 w EBeb - 0 1";

/// Every storm.
pub fn all() -> Vec<Storm> {
    let starts = [
        ("queens", QUEENS),
        ("promotions", PAWNS),
        ("captures", MIDDLE),
        ("Chess960", CASTLES),
    ];
    let mut storms = Vec::new();
    for (name, fen) in starts {
        for (clock, pause) in [(true, 70), (false, 70), (false, 350)] {
            let clocked = if clock { "clock" } else { "no-clock" };
            let name = format!("{name}/{clocked}/{pause}-ms");
            storms.push(Storm {
                name,
                script: script(fen, clock, pause),
            });
        }
    }
    storms
}

/// Squares empty and fill by chance, on a board that sees nothing but that, and somebody presses
/// now and then.
fn script(fen: &str, clock: bool, pause: u64) -> Vec<Event> {
    let fen = StartFen::parse(fen).expect("a FEN");
    let chess960 = matches!(&fen, StartFen::Known(fen) if fen.to_string().contains("EBeb"));
    let StartFen::Known(known) = &fen else {
        return Vec::new();
    };
    let mut full = known.as_setup().board.occupied();
    let setup = Setup {
        clock,
        chess960,
        fen: Some(fen),
        ..Setup::new(SensorClass::Occupancy)
    };
    let mut script = vec![Event {
        at: Time::ZERO,
        input: Input::Setup(setup.into()),
    }];
    let mut chance = Chance(7);
    for n in 1..=1_500u64 {
        let at = Time(n * pause);
        let square = Square::ALL[chance.below(64) as usize];
        let input = match full.contains(square) {
            _ if clock && chance.below(12) == 0 => Input::Press {
                by: Color::from_white(chance.below(2) == 0),
                white_ms: None,
                black_ms: None,
            },
            true => Input::Lift { square },
            false => Input::Place {
                square,
                seen: Symbol::Something,
            },
        };
        match input {
            Input::Lift { square } => full.discard(square),
            Input::Place { square, .. } => full.add(square),
            _ => {}
        }
        script.push(Event { at, input });
    }
    script
}

/// A linear congruence of 64 bits, with Knuth's multiplier.
#[derive(Debug)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

//! Simulated boards that say what changes and answer when asked: everything but their words.

use std::collections::VecDeque;
use std::fmt::Debug;
use std::time::Instant;

use arbiter_core::shakmaty::Square;
use arbiter_core::{Reading, Symbol};

use super::end::apply;
use super::{Device, DeviceConfig, Moment};
use crate::event::Report;

/// The words of a board.
pub(super) trait Dialect: Send + Debug {
    /// How it tells something that happened; frames. Nothing where it cannot be told.
    fn tell(&self, report: &Report) -> Vec<String>;
    /// A byte of the host's: what it asks for, once the question is whole.
    fn hear(&mut self, byte: u8) -> Option<Asked>;
    /// How the board answers.
    fn answer(&self, asked: Asked, squares: &Reading) -> Vec<String>;
}

/// What a host can want.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    /// Who the board is and what stands on it.
    State,
    /// What stands on one square.
    Square(Square),
    /// These lamps: bit 0 is a1.
    Lamps(u64),
}

/// A board that speaks a dialect.
#[derive(Debug)]
pub(super) struct Responder<D> {
    dialect: D,
    squares: Reading,
    frames: VecDeque<String>,
    /// A host has asked for the last square, or for all of them.
    ready: bool,
    lamps: u64,
}

impl<D: Dialect> Responder<D> {
    pub(super) fn new(dialect: D, config: &DeviceConfig) -> Responder<D> {
        let squares = config.squares;
        Responder {
            dialect,
            squares,
            frames: VecDeque::new(),
            ready: false,
            lamps: 0,
        }
    }
}

impl<D: Dialect> Device for Responder<D> {
    fn happen(&mut self, _at: Moment, report: &Report) {
        apply(report, &mut self.squares);
        self.frames.extend(self.dialect.tell(report));
    }

    fn receive(&mut self, _at: Moment, bytes: &[u8]) {
        for byte in bytes {
            match self.dialect.hear(*byte) {
                None => {}
                Some(Asked::Lamps(squares)) => self.lamps = squares,
                Some(asked) => {
                    self.ready |= matches!(asked, Asked::State | Asked::Square(Square::H8));
                    self.frames
                        .extend(self.dialect.answer(asked, &self.squares));
                }
            }
        }
    }

    fn next_frame(&mut self, _at: Moment) -> Option<Vec<u8>> {
        self.frames.pop_front().map(String::into_bytes)
    }

    fn next_wake(&self) -> Option<Instant> {
        None
    }

    fn wake(&mut self, _at: Moment) {}

    fn is_ready(&self) -> bool {
        self.ready
    }

    fn is_drained(&self) -> bool {
        self.frames.is_empty()
    }

    fn reboot(&mut self, _at: Moment) {
        self.frames.clear();
        self.lamps = 0;
    }

    fn lamps(&self) -> u64 {
        self.lamps
    }
}

/// Squares in a text such as `e2e4`, or with blanks between, as lamps.
pub(super) fn lamps(text: &str) -> u64 {
    let letters: Vec<char> = text.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    let squares = letters
        .chunks(2)
        .filter_map(|pair| pair.iter().collect::<String>().parse::<Square>().ok());
    squares.fold(0, |lit, square| lit | 1 << u8::from(square))
}

/// Each change as a frame of its own.
pub(super) fn each(report: &Report, tell: impl Fn(Square, Symbol) -> String) -> Vec<String> {
    match report {
        Report::Changes(changes) => changes
            .iter()
            .map(|(square, symbol)| tell(*square, *symbol))
            .collect(),
        _ => Vec::new(),
    }
}

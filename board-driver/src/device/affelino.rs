//! A simulated board of the gameboard UI protocol (see [`crate::protocol::affelino`]).

use std::time::Instant;

use arbiter_core::shakmaty::Square;
use arbiter_core::{Reading, Symbol};

use super::responder::{Asked, Dialect, Responder, each, lamps};
use super::{Device, DeviceConfig};
use crate::event::Report;
use crate::protocol::affelino::encode_answer;
use crate::protocol::tokens::encode_change;

#[derive(Debug, Default)]
struct Affelino {
    word: String,
    lit: u64,
}

/// Switches one on.
pub(crate) fn affelino(config: &DeviceConfig, _now: Instant) -> Result<Box<dyn Device>, String> {
    Ok(Box::new(Responder::new(Affelino::default(), config)))
}

impl Dialect for Affelino {
    fn tell(&self, report: &Report) -> Vec<String> {
        each(report, |square, symbol| {
            encode_change(square, symbol) + "\r"
        })
    }

    fn hear(&mut self, byte: u8) -> Option<Asked> {
        if !byte.is_ascii_whitespace() {
            if self.word.len() < 100 {
                self.word.push(char::from(byte));
            }
            return None;
        }
        let word = std::mem::take(&mut self.word);
        let rest = word.get(1..)?;
        match word.get(..1)? {
            "?" => rest.parse().ok().map(Asked::Square),
            "*" => {
                self.lit |= lamps(rest);
                Some(Asked::Lamps(self.lit))
            }
            "." => {
                self.lit = 0;
                Some(Asked::Lamps(0))
            }
            _ => None,
        }
    }

    fn answer(&self, asked: Asked, squares: &Reading) -> Vec<String> {
        let Asked::Square(asked) = asked else {
            return Vec::new();
        };
        let is_occupied = |square: Square| squares.at(square) != Symbol::Empty;
        let others = Square::ALL
            .into_iter()
            .filter(|sq| *sq != asked && is_occupied(*sq))
            .count();
        vec![encode_answer(is_occupied(asked), others as u8) + "\r"]
    }
}

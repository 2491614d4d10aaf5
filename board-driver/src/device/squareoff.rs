//! A simulated Square Off Pro (see [`crate::protocol::squareoff`]).

use std::time::Instant;

use arbiter_core::Reading;

use super::responder::{Asked, Dialect, Responder, each, lamps};
use super::{Device, DeviceConfig};
use crate::event::Report;
use crate::protocol::squareoff::{encode_change, encode_state};

#[derive(Debug, Default)]
struct SquareOff {
    text: String,
}

/// Switches one on.
pub(crate) fn squareoff(config: &DeviceConfig, _now: Instant) -> Result<Box<dyn Device>, String> {
    Ok(Box::new(Responder::new(SquareOff::default(), config)))
}

impl Dialect for SquareOff {
    fn tell(&self, report: &Report) -> Vec<String> {
        each(report, encode_change)
    }

    fn hear(&mut self, byte: u8) -> Option<Asked> {
        if byte != b'*' {
            if !byte.is_ascii_whitespace() && self.text.len() < 200 {
                self.text.push(char::from(byte));
            }
            return None;
        }
        let text = std::mem::take(&mut self.text);
        match text.split_once('#')? {
            ("30", "R") => Some(Asked::State),
            ("25", squares) => Some(Asked::Lamps(lamps(squares))),
            _ => None,
        }
    }

    fn answer(&self, asked: Asked, squares: &Reading) -> Vec<String> {
        match asked {
            Asked::State => vec![encode_state(squares)],
            Asked::Square(_) | Asked::Lamps(_) => Vec::new(),
        }
    }
}

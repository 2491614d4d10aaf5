//! A simulated home-made board that speaks the line format (`docs/boards.md`), every line with its
//! check.

use std::time::Instant;

use arbiter_core::{Reading, SensorClass};

use super::responder::{Asked, Dialect, Responder, lamps};
use super::{Device, DeviceConfig};
use crate::event::Report;
use crate::protocol::text::encode_check;
use crate::protocol::tokens::{encode_change, encode_state};

#[derive(Debug)]
struct Text {
    /// Its `board` line.
    board: String,
    clock: bool,
    adjust: bool,
    heard: String,
}

/// Switches one on.
pub(crate) fn text(config: &DeviceConfig, _now: Instant) -> Result<Box<dyn Device>, String> {
    let name = &config.serial;
    if name.is_empty()
        || name.len() > 32
        || !name.bytes().all(|b| b.is_ascii_graphic() && b != b'*')
    {
        return Err(format!(
            "serial number `{name}`: 1 to 32 letters and digits"
        ));
    }
    let sensor = match config.sensor {
        SensorClass::Occupancy => "occupancy",
        SensorClass::Colour => "colour",
        SensorClass::Piece => "piece",
    };
    let has = |word: &'static str, has: bool| if has { word } else { "" };
    let words = [
        has(" clock", config.clock),
        has(" adjust", config.adjust),
        has(" lamps", config.lamps),
        has(" polled", config.polled),
    ];
    let board = format!("board {name} {sensor} scan=25{}", words.concat());
    Ok(Box::new(Responder::new(
        Text {
            board,
            clock: config.clock,
            adjust: config.adjust,
            heard: String::new(),
        },
        config,
    )))
}

fn line(text: &str) -> String {
    format!("{text}*{}\r\n", encode_check(text))
}

impl Dialect for Text {
    fn tell(&self, report: &Report) -> Vec<String> {
        let text = match report {
            Report::Changes(changes) => {
                let words: Vec<String> = changes
                    .iter()
                    .map(|(sq, seen)| encode_change(*sq, *seen))
                    .collect();
                // A line is as short as an Arduino's buffer.
                return words
                    .chunks(8)
                    .map(|words| line(&words.join(" ")))
                    .collect();
            }
            Report::Press {
                by,
                white_ms,
                black_ms,
            } if self.clock => {
                let left = white_ms
                    .zip(*black_ms)
                    .map_or(String::new(), |(white, black)| format!(" {white} {black}"));
                format!("press {by}{left}")
            }
            Report::Adjust { by } if self.adjust => format!("adjust {by}"),
            Report::Snapshot(reading) => format!("={}", encode_state(reading)),
            _ => return Vec::new(),
        };
        vec![line(&text)]
    }

    fn hear(&mut self, byte: u8) -> Option<Asked> {
        if !matches!(byte, b'\n' | b'\r') {
            if self.heard.len() < 400 {
                self.heard.push(char::from(byte));
            }
            return None;
        }
        let heard = std::mem::take(&mut self.heard);
        match heard.trim() {
            "?" => Some(Asked::State),
            other => other
                .strip_prefix("lamps")
                .map(|squares| Asked::Lamps(lamps(squares))),
        }
    }

    fn answer(&self, asked: Asked, squares: &Reading) -> Vec<String> {
        match asked {
            Asked::State => vec![
                line(&self.board),
                line(&format!("={}", encode_state(squares))),
            ],
            Asked::Square(_) | Asked::Lamps(_) => Vec::new(),
        }
    }
}

//! A simulated Chessnut board: its HID reports, one after another.

use std::time::Instant;

use arbiter_core::shakmaty::{Piece, Square};
use arbiter_core::{Reading, Symbol};

use super::stream::{Language, Stream};
use super::{Device, DeviceConfig, Quirks};
use crate::protocol::chessnut::SCAN_MS;
use crate::protocol::chessnut::report::{ToBoard, USB_REPORT, encode_state};

/// States that a host is given to know a position.
const TO_KNOW: u64 = 2;

/// A Chessnut board just switched on.
pub(crate) fn chessnut(config: &DeviceConfig, now: Instant) -> Result<Box<dyn Device>, String> {
    let board = Chessnut::new(config.quirks);
    Ok(Box::new(Stream::new(board, config, SCAN_MS, now)))
}

#[derive(Debug, Default)]
struct Chessnut {
    quirks: Quirks,
    /// Of the host's, until a message is whole.
    bytes: Vec<u8>,
    replies: Vec<Vec<u8>>,
    speaks: bool,
    lamps: u64,
}

impl Chessnut {
    fn new(quirks: Quirks) -> Chessnut {
        Chessnut {
            quirks,
            ..Chessnut::default()
        }
    }

    fn obey(&mut self, order: ToBoard) {
        let reply = match order {
            // One that tells changes only has nothing to say to the second order.
            ToBoard::RealTime if self.speaks && self.quirks.tells_changes_only => return,
            ToBoard::RealTime => {
                self.speaks = true;
                vec![0x23, 1, 0]
            }
            ToBoard::AskBattery if self.quirks.keeps_battery => return,
            ToBoard::AskBattery => vec![0x2a, 2, 80, 0],
            ToBoard::Lamps(squares) => {
                self.lamps = squares;
                return;
            }
        };
        self.replies.push(filled_up(reply));
    }
}

/// Every report over USB has the same length.
fn filled_up(mut report: Vec<u8>) -> Vec<u8> {
    report.resize(USB_REPORT, 0);
    report
}

impl Language for Chessnut {
    fn state(&mut self, squares: &Reading) -> Vec<u8> {
        let piece = |square: Square| -> Option<Piece> {
            match squares.at(square) {
                Symbol::Piece(piece) => Some(piece),
                _ => None,
            }
        };
        encode_state(&Square::ALL.map(piece))
    }

    fn hear(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
        while let [_, length, ..] = self.bytes[..] {
            let length = 2 + usize::from(length);
            if self.bytes.len() < length {
                return;
            }
            let order: Vec<u8> = self.bytes.drain(..length).collect();
            if let Some(order) = ToBoard::read(&order) {
                self.obey(order);
            }
        }
    }

    fn speaks(&self) -> bool {
        self.speaks
    }

    fn repeats(&self) -> bool {
        !self.quirks.tells_changes_only
    }

    fn is_heard(&self, frames: u64) -> bool {
        frames >= if self.repeats() { TO_KNOW } else { 1 }
    }

    fn reply(&mut self) -> Option<Vec<u8>> {
        (!self.replies.is_empty()).then(|| self.replies.remove(0))
    }

    /// It sends nothing until it is told to again.
    fn reboot(&mut self) {
        *self = Chessnut::new(self.quirks);
    }

    fn lamps(&self) -> u64 {
        self.lamps
    }
}

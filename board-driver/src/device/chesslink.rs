//! A simulated Millennium board behind its ChessLink: settings, versions, lamps, and states on
//! change or at every scan.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Piece, Square};
use arbiter_core::{Reading, Symbol};

use super::end::apply;
use super::{Device, DeviceConfig, Moment};
use crate::event::Report;
use crate::protocol::chesslink::frame::{FromBoard, Message, ToBoard, decode, encode};
use crate::protocol::chesslink::setting::{AUTOMATIC, ON_CHANGE};
use crate::protocol::chesslink::{SCAN_TIME, USUAL_SCAN, order, scan_time};

/// Settings there are.
const SETTINGS: usize = 5;

/// A ChessLink board just switched on, with the settings it comes with: it tells its state at every
/// scan.
pub(crate) fn chesslink(config: &DeviceConfig, now: Instant) -> Result<Box<dyn Device>, String> {
    let mut settings = [0, USUAL_SCAN, 0, 0, 14];
    if config.scan_ms > 0 {
        // A unit is 2.048 ms.
        settings[usize::from(SCAN_TIME)] = (config.scan_ms * 1_000 / 2_048).clamp(1, 255) as u8;
    }
    let mut board = ChessLink {
        order: Vec::new(),
        settings,
        keeps_settings: config.quirks.keeps_settings,
        squares: config.squares,
        told: None,
        replies: VecDeque::new(),
        asked: false,
        pace: config.pace,
        due: now,
        heard: false,
        lamps: 0,
    };
    board.due = now + board.scan();
    Ok(Box::new(board))
}

#[derive(Debug)]
struct ChessLink {
    /// What has come of the host's order: its letter says how long it is, and whatever comes until
    /// then belongs to it.
    order: Vec<u8>,
    settings: [u8; SETTINGS],
    /// Nobody can change them.
    keeps_settings: bool,
    squares: Reading,
    /// The state that was last told.
    told: Option<Reading>,
    replies: VecDeque<FromBoard>,
    /// A state was asked for.
    asked: bool,
    pace: f32,
    due: Instant,
    /// A host has asked for the state and was given it.
    heard: bool,
    lamps: u64,
}

impl ChessLink {
    fn scan(&self) -> Duration {
        scan_time(self.settings[usize::from(SCAN_TIME)]).div_f32(self.pace)
    }

    fn obey(&mut self, message: ToBoard) {
        let reply = match message {
            ToBoard::AskState => {
                self.asked = true;
                return;
            }
            ToBoard::AskVersion => FromBoard::Version { major: 1, minor: 4 },
            ToBoard::LampsOff => {
                self.lamps = 0;
                FromBoard::LampsOff
            }
            ToBoard::Lamps { lamps, .. } => {
                self.lamps = lit(&lamps);
                FromBoard::Lamps
            }
            ToBoard::Reset => return,
            ToBoard::Read { address } => FromBoard::Setting {
                address,
                value: self.setting(address).map_or(0, |v| *v),
            },
            ToBoard::Write { address, value } => {
                let keeps = self.keeps_settings;
                if let Some(setting) = self.setting(address).filter(|_| !keeps) {
                    *setting = value;
                }
                FromBoard::Written { address, value }
            }
        };
        self.replies.push_back(reply);
    }

    fn setting(&mut self, address: u8) -> Option<&mut u8> {
        self.settings.get_mut(usize::from(address))
    }

    /// Whether the state is due at a scan.
    fn is_due(&self) -> bool {
        match self.settings[usize::from(AUTOMATIC)] {
            0 => true,
            ON_CHANGE.. => self.told != Some(self.squares),
            _ => false,
        }
    }

    fn state(&mut self) -> FromBoard {
        self.told = Some(self.squares);
        FromBoard::State(codes(&self.squares))
    }
}

impl Device for ChessLink {
    fn happen(&mut self, _at: Moment, report: &Report) {
        apply(report, &mut self.squares);
    }

    fn receive(&mut self, _at: Moment, bytes: &[u8]) {
        for byte in bytes {
            self.order.push(*byte);
            match ToBoard::length(self.order[0] & 0x7f) {
                None => self.order.clear(),
                Some(length) if self.order.len() < length => {}
                Some(_) => {
                    // What is damaged is not answered.
                    if let Some(order) = decode(&std::mem::take(&mut self.order)) {
                        self.obey(order);
                    }
                }
            }
        }
    }

    fn next_frame(&mut self, _at: Moment) -> Option<Vec<u8>> {
        if let Some(reply) = self.replies.pop_front() {
            return Some(encode(&reply));
        }
        let asked = std::mem::take(&mut self.asked);
        self.heard |= asked;
        asked.then(|| encode(&self.state()))
    }

    fn next_wake(&self) -> Option<Instant> {
        Some(self.due)
    }

    fn wake(&mut self, at: Moment) {
        if at.now < self.due {
            return;
        }
        self.due = (self.due + self.scan()).max(at.now);
        // One that nobody takes is overtaken by the next.
        if self.is_due()
            && self
                .replies
                .iter()
                .all(|reply| !matches!(reply, FromBoard::State(_)))
        {
            let state = self.state();
            self.replies.push_back(state);
        }
    }

    fn is_ready(&self) -> bool {
        self.heard
    }

    fn is_drained(&self) -> bool {
        self.told == Some(self.squares) && self.replies.is_empty()
    }

    fn reboot(&mut self, at: Moment) {
        (self.told, self.asked) = (None, false);
        self.order.clear();
        self.replies.clear();
        self.due = at.now + self.scan();
    }

    fn lamps(&self) -> u64 {
        self.lamps
    }
}

/// The codes of a state.
fn codes(squares: &Reading) -> [Option<Piece>; 64] {
    std::array::from_fn(|place| match squares.at(order::square(place)) {
        Symbol::Piece(piece) => Some(piece),
        _ => None,
    })
}

/// The squares whose four corners are lit: bit 0 is a1.
fn lit(lamps: &[u8; order::LAMPS]) -> u64 {
    let is_lit = |square: &Square| {
        order::corners(*square)
            .iter()
            .all(|corner| lamps[*corner] != 0)
    };
    let lit = Square::ALL.into_iter().filter(is_lit);
    lit.fold(0, |all, square| all | 1 << u32::from(square))
}

//! Simulated boards that send frames of numbers: Certabo, with a tag of its own in every piece, and
//! Tabutronic Sentio.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::time::Instant;

use arbiter_core::shakmaty::{Color, Piece, Role, Square};
use arbiter_core::{Reading, Symbol};

use super::stream::{Language, Stream};
use super::{Device, DeviceConfig};
use crate::protocol::certabo::frame::encode;
use crate::protocol::certabo::occupancy;
use crate::protocol::certabo::tags::{SECOND_QUEENS, Tag, write};
use crate::random::Random;

/// Between two frames of a board that reads tags, in its own milliseconds.
const CERTABO_SCAN_MS: u32 = 200;

/// And of one that does not have to.
const SENTIO_SCAN_MS: u32 = 50;

/// States that a host is given to learn the pieces' tags before anybody plays; in the second half
/// of them the second queens are taken off the board.
const TO_LEARN: u64 = 40;

/// States that a host is given to know a position.
const TO_KNOW: u64 = 4;

/// What fits between a board and a program that does not listen. A host that says nothing must have
/// heard what goes beyond.
const ON_THE_WAY: u64 = 80 * 1024;

/// Numbers between two breaks of a line.
const LINE: usize = 17;

/// A Certabo board just switched on.
pub(crate) fn certabo(config: &DeviceConfig, now: Instant) -> Result<Box<dyn Device>, String> {
    let mut random = Random::new(u64::from(config.boot), 0x7461_6773);
    let mut language = Certabo {
        pieces: BTreeMap::new(),
        on: [None; 64],
        hand: Vec::new(),
        misread: config.misread,
        host: Host::default(),
        states: 0,
        random: Random::new(random.span((0, u64::MAX - 1)), 1),
    };
    for square in Square::ALL {
        if let Symbol::Piece(piece) = config.squares.at(square) {
            language.on[usize::from(square)] = Some(language.new_tag(piece));
        }
    }
    for color in Color::ALL {
        let queen = language.new_tag(Piece {
            color,
            role: Role::Queen,
        });
        language.hand.push(queen);
    }
    Ok(Box::new(Stream::new(
        language,
        config,
        CERTABO_SCAN_MS,
        now,
    )))
}

/// A Sentio board just switched on.
pub(crate) fn sentio(config: &DeviceConfig, now: Instant) -> Result<Box<dyn Device>, String> {
    Ok(Box::new(Stream::new(
        Sentio(Host::default()),
        config,
        SENTIO_SCAN_MS,
        now,
    )))
}

/// What the host of either board has said.
#[derive(Debug, Default)]
struct Host {
    order: Vec<u8>,
    lamps: u64,
    /// It has said something, which is all that can be known of whether it listens.
    spoke: bool,
    /// Its order is to be answered.
    answer: bool,
}

impl Host {
    fn hear(&mut self, bytes: &[u8]) {
        self.order.extend(bytes);
        while let Some((order, rest)) = self.order.split_first_chunk::<8>() {
            (self.lamps, self.spoke, self.answer) = (u64::from_be_bytes(*order), true, true);
            self.order = rest.to_vec();
        }
    }

    fn reply(&mut self) -> Option<Vec<u8>> {
        std::mem::take(&mut self.answer).then(|| b"L\r\n".to_vec())
    }
}

/// A board that reads tags.
#[derive(Debug)]
struct Certabo {
    pieces: BTreeMap<Tag, Piece>,
    on: [Option<Tag>; 64],
    /// Off the board, the last ones last: in the hand, captured, and the second queens.
    hand: Vec<Tag>,
    /// Tags read badly in a frame, in a thousand.
    misread: u16,
    host: Host,
    /// States made since the host spoke.
    states: u64,
    random: Random,
}

impl Certabo {
    /// A tag that no other piece has.
    fn new_tag(&mut self, piece: Piece) -> Tag {
        loop {
            let tag = self.any_tag();
            if let Entry::Vacant(free) = self.pieces.entry(tag) {
                free.insert(piece);
                return tag;
            }
        }
    }

    fn any_tag(&mut self) -> Tag {
        let mut number = || self.random.span((1, 255)) as u16;
        Tag([3, 0, number(), number(), number()])
    }

    /// A piece of this kind: the one last taken up, else one out of another box.
    fn take(&mut self, piece: Piece) -> Tag {
        match self
            .hand
            .iter()
            .rposition(|tag| self.pieces.get(tag) == Some(&piece))
        {
            Some(found) => self.hand.remove(found),
            None => self.new_tag(piece),
        }
    }

    /// What lies there: before the game the second queens lie between the pieces, to be learned
    /// with them.
    fn tags(&self) -> [Option<Tag>; 64] {
        let mut tags = self.on;
        if self.states < TO_LEARN / 2 {
            for (square, color) in SECOND_QUEENS {
                let queen = self.hand.iter().find(|tag| {
                    self.pieces[tag]
                        == Piece {
                            color,
                            role: Role::Queen,
                        }
                });
                tags[usize::from(square)] = tags[usize::from(square)].or(queen.copied());
            }
        }
        tags
    }

    /// Some tags are read badly: as another, as something that is none, or not at all. Empty
    /// squares are not always quite empty.
    fn blur(&mut self, tags: &mut [Option<Tag>; 64]) -> Vec<(Square, [u16; 5])> {
        let mut shreds = Vec::new();
        for square in Square::ALL {
            if !self.random.sometimes(self.misread) {
                continue;
            }
            let shred = [0, 0, self.random.span((1, 345)) as u16, 0, 0];
            match (tags[usize::from(square)].take(), self.random.below(5)) {
                (Some(_), 0..=1) => tags[usize::from(square)] = Some(self.any_tag()),
                (Some(_), 2) => {}
                _ => shreds.push((square, shred)),
            }
        }
        shreds
    }
}

impl Language for Certabo {
    fn moved(&mut self, changes: &[(Square, Symbol)]) {
        for (square, _) in changes {
            self.hand.extend(self.on[usize::from(*square)].take());
        }
        for (square, symbol) in changes {
            if let Symbol::Piece(piece) = symbol {
                self.on[usize::from(*square)] = Some(self.take(*piece));
            }
        }
    }

    fn state(&mut self, _squares: &Reading) -> Vec<u8> {
        self.states += u64::from(self.host.spoke);
        let mut tags = self.tags();
        let shreds = self.blur(&mut tags);
        let mut numbers = write(&tags);
        for (square, shred) in shreds {
            numbers[usize::from(square.flip_vertical()) * 5..][..5].copy_from_slice(&shred);
        }
        broken(&encode(&numbers))
    }

    fn hear(&mut self, bytes: &[u8]) {
        self.host.hear(bytes);
    }

    fn speaks(&self) -> bool {
        true
    }

    fn is_heard(&self, frames: u64) -> bool {
        self.states >= TO_LEARN || frames * 700 > ON_THE_WAY
    }

    fn reply(&mut self) -> Option<Vec<u8>> {
        self.host.reply()
    }

    fn lamps(&self) -> u64 {
        self.host.lamps
    }
}

/// The frame with its line broken now and then, as the firmware does, within numbers too.
fn broken(frame: &[u8]) -> Vec<u8> {
    frame.chunks(4 * LINE - 1).collect::<Vec<_>>().join(&b'\n')
}

/// A board that sees what is occupied.
#[derive(Debug)]
struct Sentio(Host);

impl Language for Sentio {
    fn state(&mut self, squares: &Reading) -> Vec<u8> {
        encode(&occupancy::write(squares))
    }

    fn hear(&mut self, bytes: &[u8]) {
        self.0.hear(bytes);
    }

    fn speaks(&self) -> bool {
        true
    }

    fn is_heard(&self, frames: u64) -> bool {
        (self.0.spoke && frames >= TO_KNOW) || frames * 20 > ON_THE_WAY
    }

    fn reply(&mut self) -> Option<Vec<u8>> {
        self.0.reply()
    }

    fn lamps(&self) -> u64 {
        self.0.lamps
    }
}

//! Messages byte by byte. Numbers are little-endian; every message has one length, and anything
//! else is damage.

use crate::body::{Damage, Layout, Reader, Writer};
use crate::clock::{ClockFace, read_time, write_time};
use crate::health::{Health, RankLevels};
use crate::message::{
    Capabilities, Changes, Condition, Evidence, FromBoard, Heartbeat, Hello, Sensor, Side, Text,
    ToBoard, What,
};
use crate::self_test::Tested;
use crate::square_map::MapRank;
use crate::symbol::{Square, Symbol};

/// The first byte of every message. Bit 7 set: from the host.
mod kind {
    pub(super) const HELLO: u8 = 0x01;
    pub(super) const HEARTBEAT: u8 = 0x02;
    pub(super) const GONE: u8 = 0x03;
    pub(super) const CONDITION: u8 = 0x04;
    pub(super) const LEVELS: u8 = 0x05;
    pub(super) const FIRMWARE: u8 = 0x06;
    pub(super) const CLOCK: u8 = 0x07;
    pub(super) const LOADER: u8 = 0x08;
    pub(super) const MAP: u8 = 0x09;
    pub(super) const TESTED: u8 = 0x0a;
    pub(super) const SNAPSHOT: u8 = 0x10;
    pub(super) const CHANGE: u8 = 0x11;
    pub(super) const PRESS: u8 = 0x12;
    pub(super) const ADJUST: u8 = 0x13;
    pub(super) const REQUEST_HELLO: u8 = 0x81;
    pub(super) const REQUEST_SNAPSHOT: u8 = 0x82;
    pub(super) const RESEND: u8 = 0x83;
    pub(super) const SET_LAMPS: u8 = 0x84;
    pub(super) const ACK: u8 = 0x85;
    pub(super) const REQUEST_LEVELS: u8 = 0x86;
    pub(super) const CALIBRATE: u8 = 0x87;
    pub(super) const REQUEST_FIRMWARE: u8 = 0x88;
    pub(super) const START_LOADER: u8 = 0x89;
    pub(super) const SET_MAP: u8 = 0x8a;
    pub(super) const REQUEST_MAP: u8 = 0x8b;
    pub(super) const SELF_TEST: u8 = 0x8c;
}

/// The second byte of a hello.
mod version {
    /// Without the number of the question.
    pub(super) const FIRST: u8 = 1;
    pub(super) const OURS: u8 = crate::VERSION;
}

impl Layout for FromBoard {
    fn write(&self, body: &mut Writer) {
        match self {
            FromBoard::Hello(hello) => write_hello(hello, body),
            FromBoard::OtherVersion(version) => body.bytes(&[kind::HELLO, *version]),
            FromBoard::Evidence(evidence) => write_evidence(evidence, body),
            FromBoard::Heartbeat(beat) => write_heartbeat(beat, body),
            FromBoard::Gone { boot, oldest } => {
                body.bytes(&[kind::GONE]);
                body.bytes(&boot.to_le_bytes());
                body.u32(*oldest);
            }
            FromBoard::Condition(Condition { boot, ms, health }) => {
                write_moment(kind::CONDITION, *boot, *ms, body);
                health.write(body);
            }
            FromBoard::Levels { boot, ms, levels } => {
                write_moment(kind::LEVELS, *boot, *ms, body);
                levels.write(body);
            }
            FromBoard::Firmware { boot, firmware } => {
                body.bytes(&[kind::FIRMWARE]);
                body.bytes(&boot.to_le_bytes());
                write_text(firmware, body);
            }
            FromBoard::Clock { boot, ms, face } => {
                write_moment(kind::CLOCK, *boot, *ms, body);
                face.write(body);
            }
            FromBoard::Loader { boot, nonce } => {
                body.bytes(&[kind::LOADER]);
                body.bytes(&boot.to_le_bytes());
                body.u32(*nonce);
            }
            FromBoard::Map { boot, rank } => {
                body.bytes(&[kind::MAP]);
                body.bytes(&boot.to_le_bytes());
                rank.write(body);
            }
            FromBoard::Tested { boot, tested } => {
                body.bytes(&[kind::TESTED]);
                body.bytes(&boot.to_le_bytes());
                tested.write(body);
            }
        }
    }

    fn read(body: &[u8]) -> Result<FromBoard, Damage> {
        let mut reader = Reader::new(body);
        let kind = reader.u8().ok_or(Damage::Malformed)?;
        let message = match kind {
            kind::HELLO => read_hello(&mut reader),
            kind::HEARTBEAT => read_heartbeat(&mut reader),
            kind::GONE => read_gone(&mut reader),
            kind::CONDITION => read_condition(&mut reader),
            kind::LEVELS => read_levels(&mut reader),
            kind::FIRMWARE => read_firmware(&mut reader),
            kind::CLOCK => read_clock(&mut reader),
            kind::LOADER => read_loader(&mut reader),
            kind::MAP => read_map(&mut reader),
            kind::TESTED => read_tested(&mut reader),
            kind::SNAPSHOT | kind::CHANGE | kind::PRESS | kind::ADJUST => {
                read_evidence(kind, &mut reader)
            }
            unknown => return Err(Damage::UnknownKind(unknown)),
        };
        message
            .filter(|_| reader.is_empty())
            .ok_or(Damage::Malformed)
    }
}

impl Layout for ToBoard {
    fn write(&self, body: &mut Writer) {
        match *self {
            ToBoard::RequestHello { nonce } => {
                body.bytes(&[kind::REQUEST_HELLO]);
                nonce.into_iter().for_each(|nonce| body.u32(nonce));
            }
            ToBoard::RequestSnapshot => body.bytes(&[kind::REQUEST_SNAPSHOT]),
            ToBoard::Resend { from } => {
                body.bytes(&[kind::RESEND]);
                body.u32(from);
            }
            ToBoard::SetLamps(squares) => {
                body.bytes(&[kind::SET_LAMPS]);
                body.bytes(&squares.to_le_bytes());
            }
            ToBoard::Ack { boot, next } => {
                body.bytes(&[kind::ACK]);
                body.bytes(&boot.to_le_bytes());
                body.u32(next);
            }
            ToBoard::RequestLevels => body.bytes(&[kind::REQUEST_LEVELS]),
            ToBoard::Calibrate => body.bytes(&[kind::CALIBRATE]),
            ToBoard::RequestFirmware => body.bytes(&[kind::REQUEST_FIRMWARE]),
            ToBoard::StartLoader { nonce } => {
                body.bytes(&[kind::START_LOADER]);
                body.u32(nonce);
            }
            ToBoard::SetMap(rank) => {
                body.bytes(&[kind::SET_MAP]);
                rank.write(body);
            }
            ToBoard::RequestMap => body.bytes(&[kind::REQUEST_MAP]),
            ToBoard::SelfTest => body.bytes(&[kind::SELF_TEST]),
        }
    }

    fn read(body: &[u8]) -> Result<ToBoard, Damage> {
        let mut reader = Reader::new(body);
        let kind = reader.u8().ok_or(Damage::Malformed)?;
        let message = match kind {
            kind::REQUEST_HELLO if reader.is_empty() => Some(ToBoard::RequestHello { nonce: None }),
            kind::REQUEST_HELLO => reader
                .u32()
                .map(|nonce| ToBoard::RequestHello { nonce: Some(nonce) }),
            kind::REQUEST_SNAPSHOT => Some(ToBoard::RequestSnapshot),
            kind::RESEND => reader.u32().map(|from| ToBoard::Resend { from }),
            kind::SET_LAMPS => reader
                .take()
                .map(|squares| ToBoard::SetLamps(u64::from_le_bytes(squares))),
            kind::ACK => read_ack(&mut reader),
            kind::REQUEST_LEVELS => Some(ToBoard::RequestLevels),
            kind::CALIBRATE => Some(ToBoard::Calibrate),
            kind::REQUEST_FIRMWARE => Some(ToBoard::RequestFirmware),
            kind::START_LOADER => reader.u32().map(|nonce| ToBoard::StartLoader { nonce }),
            kind::SET_MAP => MapRank::read(&mut reader).map(ToBoard::SetMap),
            kind::REQUEST_MAP => Some(ToBoard::RequestMap),
            kind::SELF_TEST => Some(ToBoard::SelfTest),
            unknown => return Err(Damage::UnknownKind(unknown)),
        };
        message
            .filter(|_| reader.is_empty())
            .ok_or(Damage::Malformed)
    }
}

fn read_ack(reader: &mut Reader<'_>) -> Option<ToBoard> {
    Some(ToBoard::Ack {
        boot: reader.u16()?,
        next: reader.u32()?,
    })
}

fn write_hello(hello: &Hello, body: &mut Writer) {
    let version = hello.nonce.map_or(version::FIRST, |_| version::OURS);
    body.bytes(&[kind::HELLO, version]);
    body.bytes(&hello.boot.to_le_bytes());
    body.u32(hello.ms);
    body.u32(hello.next);
    body.bytes(&[hello.sensor as u8, hello.capabilities.0]);
    body.u32(hello.pace);
    hello.nonce.into_iter().for_each(|nonce| body.u32(nonce));
    write_text(&hello.serial, body);
}

fn write_text<const MAX: usize>(text: &Text<MAX>, body: &mut Writer) {
    body.bytes(&[text.as_bytes().len() as u8]);
    body.bytes(text.as_bytes());
}

fn read_text<const MAX: usize>(reader: &mut Reader<'_>) -> Option<Text<MAX>> {
    let len = reader.u8()?;
    Text::new(reader.slice(usize::from(len))?)
}

fn read_hello(reader: &mut Reader<'_>) -> Option<FromBoard> {
    let version = reader.u8()?;
    if ![version::FIRST, version::OURS].contains(&version) {
        reader.skip_the_rest();
        return Some(FromBoard::OtherVersion(version));
    }
    let (boot, ms, next) = (reader.u16()?, reader.u32()?, reader.u32()?);
    let sensor = match reader.u8()? {
        0 => Sensor::Occupancy,
        1 => Sensor::Colour,
        2 => Sensor::Piece,
        _ => return None,
    };
    let capabilities = Capabilities(reader.u8()?);
    let pace = reader.u32()?;
    let nonce = match version {
        version::FIRST => None,
        _ => Some(reader.u32()?),
    };
    let serial = read_text(reader)?;
    Some(FromBoard::Hello(Hello {
        nonce,
        boot,
        ms,
        next,
        sensor,
        capabilities,
        pace,
        serial,
    }))
}

fn write_heartbeat(beat: &Heartbeat, body: &mut Writer) {
    body.bytes(&[kind::HEARTBEAT]);
    body.bytes(&beat.boot.to_le_bytes());
    for number in [
        beat.ms,
        beat.next,
        beat.dropped,
        beat.damaged,
        beat.late_scans,
    ] {
        body.u32(number);
    }
    body.bytes(&beat.lamps.to_le_bytes());
}

fn read_heartbeat(reader: &mut Reader<'_>) -> Option<FromBoard> {
    Some(FromBoard::Heartbeat(Heartbeat {
        boot: reader.u16()?,
        ms: reader.u32()?,
        next: reader.u32()?,
        dropped: reader.u32()?,
        damaged: reader.u32()?,
        late_scans: reader.u32()?,
        lamps: u64::from_le_bytes(reader.take()?),
    }))
}

fn read_gone(reader: &mut Reader<'_>) -> Option<FromBoard> {
    Some(FromBoard::Gone {
        boot: reader.u16()?,
        oldest: reader.u32()?,
    })
}

fn write_moment(kind: u8, boot: u16, ms: u32, body: &mut Writer) {
    body.bytes(&[kind]);
    body.bytes(&boot.to_le_bytes());
    body.u32(ms);
}

fn read_condition(reader: &mut Reader<'_>) -> Option<FromBoard> {
    let (boot, ms) = (reader.u16()?, reader.u32()?);
    Some(FromBoard::Condition(Condition {
        boot,
        ms,
        health: Health::read(reader)?,
    }))
}

fn read_levels(reader: &mut Reader<'_>) -> Option<FromBoard> {
    let (boot, ms) = (reader.u16()?, reader.u32()?);
    Some(FromBoard::Levels {
        boot,
        ms,
        levels: RankLevels::read(reader)?,
    })
}

fn read_firmware(reader: &mut Reader<'_>) -> Option<FromBoard> {
    Some(FromBoard::Firmware {
        boot: reader.u16()?,
        firmware: read_text(reader)?,
    })
}

fn read_clock(reader: &mut Reader<'_>) -> Option<FromBoard> {
    let (boot, ms) = (reader.u16()?, reader.u32()?);
    let face = ClockFace::read(reader)?;
    Some(FromBoard::Clock { boot, ms, face })
}

fn read_loader(reader: &mut Reader<'_>) -> Option<FromBoard> {
    Some(FromBoard::Loader {
        boot: reader.u16()?,
        nonce: reader.u32()?,
    })
}

fn read_map(reader: &mut Reader<'_>) -> Option<FromBoard> {
    Some(FromBoard::Map {
        boot: reader.u16()?,
        rank: MapRank::read(reader)?,
    })
}

fn read_tested(reader: &mut Reader<'_>) -> Option<FromBoard> {
    Some(FromBoard::Tested {
        boot: reader.u16()?,
        tested: Tested::read(reader)?,
    })
}

fn write_evidence(evidence: &Evidence, body: &mut Writer) {
    let kind = match evidence.what {
        What::Snapshot(_) => kind::SNAPSHOT,
        What::Change(_) => kind::CHANGE,
        What::Press { .. } => kind::PRESS,
        What::Adjust { .. } => kind::ADJUST,
    };
    body.bytes(&[kind]);
    body.bytes(&evidence.boot.to_le_bytes());
    body.u32(evidence.seq);
    body.u32(evidence.ms);
    match &evidence.what {
        What::Snapshot(squares) => squares
            .iter()
            .for_each(|symbol| body.bytes(&[symbol.byte()])),
        What::Change(changes) => {
            body.bytes(&[u8::from(changes.more), changes.as_slice().len() as u8]);
            for (square, symbol) in changes.as_slice() {
                body.bytes(&[square.index(), symbol.byte()]);
            }
        }
        What::Press {
            by,
            white_ms,
            black_ms,
        } => {
            body.bytes(&[*by as u8]);
            write_time(*white_ms, body);
            write_time(*black_ms, body);
        }
        What::Adjust { by } => body.bytes(&[*by as u8]),
    }
}

fn read_evidence(kind: u8, reader: &mut Reader<'_>) -> Option<FromBoard> {
    let (boot, seq, ms) = (reader.u16()?, reader.u32()?, reader.u32()?);
    let what = match kind {
        kind::SNAPSHOT => {
            let mut squares = [Symbol::EMPTY; 64];
            for square in &mut squares {
                *square = Symbol::from_byte(reader.u8()?)?;
            }
            What::Snapshot(squares)
        }
        kind::CHANGE => What::Change(read_changes(reader)?),
        kind::PRESS => What::Press {
            by: read_side(reader)?,
            white_ms: read_time(reader)?,
            black_ms: read_time(reader)?,
        },
        _ => What::Adjust {
            by: read_side(reader)?,
        },
    };
    Some(FromBoard::Evidence(Evidence {
        boot,
        seq,
        ms,
        what,
    }))
}

fn read_changes(reader: &mut Reader<'_>) -> Option<Changes> {
    let more = match reader.u8()? {
        0 => false,
        1 => true,
        _ => return None,
    };
    let mut changes = Changes::default();
    changes.more = more;
    for _ in 0..reader.u8()? {
        changes
            .push(Square::new(reader.u8()?)?, Symbol::from_byte(reader.u8()?)?)
            .then_some(())?;
    }
    Some(changes)
}

fn read_side(reader: &mut Reader<'_>) -> Option<Side> {
    match reader.u8()? {
        0 => Some(Side::White),
        1 => Some(Side::Black),
        _ => None,
    }
}

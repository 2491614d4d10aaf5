//! eChess: a home-made board whose Hall sensors tell light from dark, 115200 8N1.
//!
//! Source: the public repository `aherve/eChess` (`arduino/arduino.ino`, `goapp/board.go`).
//! Scan after scan, whenever its reading differs from the last one, the board sends eight pairs of
//! bytes, rank 1 first: the squares with a light piece and those with a dark one, bit 0 the a-file;
//! then FF FF FF. Nothing is debounced: the quarter of a second is the application's, before it
//! plays. It cannot be asked anything. Lamps: FE, one byte `rank << 4 | file` for each square, FF;
//! one of these bytes is read in a scan.
//!
//! FF is also a full rank, so the end of a frame is not found by its bytes alone. A frame is 19
//! bytes in which no square is both light and dark and neither colour has more than 16 pieces;
//! where that fails the stream is tried one byte later.

use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Bitboard, Color, File, Rank, Square};
use arbiter_core::{Reading, SensorClass, Symbol};

use super::polling::{Exchange, POLL};
use super::{Command, Outbox, Protocol, Start};
use crate::event::BoardInfo;

/// Between two scans: 64 analogue readings take 7 ms, and each row of lamps that is lit takes 2 ms.
pub const SCAN: Duration = Duration::from_millis(25);

/// Bytes of a frame.
pub const FRAME: usize = 19;

/// A frame is sent at once; the rest of one that has not come after this long will not.
const MID_FRAME: Duration = Duration::from_millis(500);

/// Cuts a stream into states, whatever pieces it comes in.
#[derive(Debug, Default)]
pub struct Decoder {
    bytes: Vec<u8>,
    /// Since the last whole frame, bytes had to be skipped.
    skipped: bool,
}

impl Decoder {
    /// The stream begins anew.
    pub fn reset(&mut self) {
        self.bytes.clear();
        self.skipped = false;
    }

    /// Whether part of a frame has come.
    pub fn is_amid(&self) -> bool {
        !self.bytes.is_empty()
    }

    /// The next byte. `Some(Err)`: bytes are skipped; told once until the next whole frame.
    pub fn feed(&mut self, byte: u8) -> Option<Result<Reading, ()>> {
        self.bytes.push(byte);
        if self.bytes.len() < FRAME {
            return None;
        }
        if let Some(reading) = read(&self.bytes) {
            self.reset();
            return Some(Ok(reading));
        }
        self.bytes.remove(0);
        (!std::mem::replace(&mut self.skipped, true)).then_some(Err(()))
    }
}

/// A frame of 19 bytes.
fn read(frame: &[u8]) -> Option<Reading> {
    let (ranks, end) = frame.split_at_checked(16)?;
    let mut reading = Reading::EMPTY;
    let mut pieces = [0, 0];
    for (rank, pair) in Rank::ALL.into_iter().zip(ranks.chunks(2)) {
        let &[light, dark] = pair else { return None };
        if light & dark != 0 {
            return None;
        }
        for (n, (byte, colour)) in [(light, Color::White), (dark, Color::Black)]
            .into_iter()
            .enumerate()
        {
            pieces[n] += byte.count_ones();
            let files = File::ALL
                .into_iter()
                .filter(|file| byte >> u32::from(*file) & 1 == 1);
            files.for_each(|file| {
                reading.set(Square::from_coords(file, rank), Symbol::Colour(colour))
            });
        }
    }
    (end == [0xff; 3] && pieces.iter().all(|count| *count <= 16)).then_some(reading)
}

/// A state as the board writes it.
pub fn encode(reading: &Reading) -> [u8; FRAME] {
    let mut frame = [0xff; FRAME];
    for (rank, pair) in Rank::ALL.into_iter().zip(frame[..16].chunks_mut(2)) {
        for (byte, colour) in pair.iter_mut().zip([Color::White, Color::Black]) {
            let has =
                |file: &File| reading.at(Square::from_coords(*file, rank)).colour() == Some(colour);
            *byte = File::ALL
                .into_iter()
                .filter(has)
                .fold(0, |bits, file| bits | 1 << u32::from(file));
        }
    }
    frame
}

/// The lamps to light, as the board takes them.
pub fn encode_lamps(squares: u64) -> Vec<u8> {
    let byte = |sq: Square| (u32::from(sq.rank()) << 4 | u32::from(sq.file())) as u8;
    let lit = Bitboard(squares).into_iter().map(byte);
    [0xfe].into_iter().chain(lit).chain([0xff]).collect()
}

/// The host's end.
#[derive(Debug)]
pub struct EChess {
    line: Decoder,
    exchange: Exchange,
    /// When the last byte came.
    heard: Instant,
}

impl EChess {
    /// A host that has not heard the board yet.
    pub fn new(start: &Start) -> EChess {
        EChess {
            line: Decoder::default(),
            exchange: Exchange::new(start, POLL),
            heard: start.now,
        }
    }

    fn info(&self) -> BoardInfo {
        let scan_ms = SCAN.as_millis() as u32;
        BoardInfo {
            polled: true,
            scan_ms,
            lamps: true,
            ..self.exchange.info("eChess", SensorClass::Colour)
        }
    }
}

impl Protocol for EChess {
    /// There is nothing to ask; putting the lamps out does no harm.
    fn open(&mut self, now: Instant, out: &mut Outbox) {
        self.line.reset();
        self.exchange.open(now);
        self.heard = now;
        out.send.extend_from_slice(&encode_lamps(0));
    }

    fn receive(&mut self, now: Instant, bytes: &[u8], out: &mut Outbox) {
        self.heard = now;
        for byte in bytes {
            match self.line.feed(*byte) {
                None => {}
                Some(Ok(reading)) => {
                    self.exchange.hello(now, &self.info(), out);
                    self.exchange.state(now, reading, out);
                }
                Some(Err(())) => {
                    self.exchange.damaged(out);
                }
            }
        }
    }

    /// A board that speaks only when something changes may be silent for as long as a player
    /// thinks.
    fn next_wake(&self) -> Option<Instant> {
        self.line.is_amid().then(|| self.heard + MID_FRAME)
    }

    fn wake(&mut self, now: Instant, out: &mut Outbox) {
        if self.line.is_amid() && now >= self.heard + MID_FRAME {
            self.line.reset();
            self.exchange.damaged(out);
        }
    }

    fn command(&mut self, _now: Instant, command: Command, out: &mut Outbox) {
        match command {
            Command::SetLamps(squares) => out.send.extend_from_slice(&encode_lamps(squares)),
            // It tells all it knows by itself.
            Command::RequestSnapshot => {}
            Command::RequestLevels
            | Command::Calibrate
            | Command::Bench(_)
            | Command::Acknowledge(_) => {}
        }
    }
}

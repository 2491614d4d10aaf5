//! Recordings: every byte of a line with its time, in a text that can be read by eye, cut, and kept
//! as a test.
//!
//! ```text
//! arbiterd-recording 1 kind=squareoff pace=1 started=2026-11-21T20:40:00Z port=/dev/ttyUSB0
//! 0.000000 open
//! 0.000114 > 333023522a0d0a
//! 0.031337 < 33302331313030303031
//! 812.400000 down the board was unplugged
//! ```
//!
//! Seconds since the start, then `<` and what the board wrote, `>` and what was written to it,
//! `open` when the line was opened, `down` and why it was closed. Bytes are hexadecimal. Each line
//! is written at once, so whatever ends the program, what was heard is in the file; a last line
//! that was cut short is no error.

mod play;
mod read;
mod tap;

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::kinds::BoardKind;

pub use play::{Playback, play};
pub use read::{Entry, Happened, ReadError, Recording, read};
pub(crate) use tap::Tap;

/// The first word of every recording.
const MAGIC: &str = "arbiterd-recording";

/// The version of the format.
const VERSION: u32 = 1;

/// What has been written is on the disk, not only with the system, after this long at most.
const SYNC: Duration = Duration::from_secs(1);

/// What is known of a recording before its first byte.
#[derive(Clone, PartialEq, Debug)]
pub struct Header {
    /// What the host spoke to the board; `None` when it only listened.
    pub kind: Option<BoardKind>,
    /// Board milliseconds in one of the world: 1 unless the board was simulated.
    pub pace: f32,
    /// The date and time of the start, as text without blanks.
    pub started: String,
    /// The port, as text.
    pub port: String,
}

/// Writes a recording, or only counts what passes.
#[derive(Debug)]
pub struct Recorder {
    file: Option<File>,
    start: Instant,
    synced: Instant,
    from_board: u64,
    to_board: u64,
    failed: Option<io::Error>,
}

/// A recorder that a line writes to and a program looks at.
#[derive(Clone, Debug)]
pub struct SharedRecorder(Arc<Mutex<Recorder>>);

impl Recorder {
    /// Begins a recording in a new file.
    ///
    /// # Errors
    /// When the file exists or cannot be written.
    pub fn create(path: &Path, header: &Header, now: Instant) -> io::Result<Recorder> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        let kind = header.kind.map_or("none", BoardKind::name);
        let Header {
            pace,
            started,
            port,
            ..
        } = header;
        writeln!(
            file,
            "{MAGIC} {VERSION} kind={kind} pace={pace} started={started} port={port}"
        )?;
        Ok(Recorder {
            file: Some(file),
            ..Recorder::counting(now)
        })
    }

    /// Counts what passes, and writes nothing down.
    pub fn counting(now: Instant) -> Recorder {
        Recorder {
            file: None,
            start: now,
            synced: now,
            from_board: 0,
            to_board: 0,
            failed: None,
        }
    }

    /// Goes on as one that a line can write to.
    pub fn shared(self) -> SharedRecorder {
        SharedRecorder(Arc::new(Mutex::new(self)))
    }

    fn line(&mut self, now: Instant, text: &str) {
        let Some(file) = &mut self.file else { return };
        let at = now.saturating_duration_since(self.start);
        let line = format!("{}.{:06} {text}\n", at.as_secs(), at.subsec_micros());
        let mut written = file.write_all(line.as_bytes());
        if now >= self.synced + SYNC {
            self.synced = now;
            written = written.and_then(|()| file.sync_data());
        }
        if let Err(error) = written {
            self.failed.get_or_insert(error);
        }
    }
}

impl SharedRecorder {
    fn with<T>(&self, act: impl FnOnce(&mut Recorder) -> T) -> T {
        // Every line is written whole or fails; a panic elsewhere leaves nothing half done.
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The line was opened.
    pub fn open(&self, now: Instant) {
        self.with(|recorder| recorder.line(now, "open"));
    }

    /// The line was closed, and why.
    pub fn down(&self, now: Instant, why: &str) {
        self.with(|recorder| recorder.line(now, &format!("down {why}")));
    }

    /// The board wrote these bytes.
    pub fn received(&self, now: Instant, bytes: &[u8]) {
        self.with(|recorder| {
            recorder.from_board += bytes.len() as u64;
            recorder.line(now, &format!("< {}", hex(bytes)));
        });
    }

    /// These bytes were written to the board.
    pub fn sent(&self, now: Instant, bytes: &[u8]) {
        self.with(|recorder| {
            recorder.to_board += bytes.len() as u64;
            recorder.line(now, &format!("> {}", hex(bytes)));
        });
    }

    /// How many bytes came from the board, and how many went to it.
    pub fn counts(&self) -> (u64, u64) {
        self.with(|recorder| (recorder.from_board, recorder.to_board))
    }

    /// Whether everything so far was written.
    pub fn is_whole(&self) -> bool {
        self.with(|recorder| recorder.failed.is_none())
    }

    /// Everything so far is on the disk.
    ///
    /// # Errors
    /// The first failure to write.
    pub fn sync(&self) -> io::Result<()> {
        self.with(|recorder| match (recorder.failed.take(), &recorder.file) {
            (Some(error), _) => Err(error),
            (None, Some(file)) => file.sync_data(),
            (None, None) => Ok(()),
        })
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

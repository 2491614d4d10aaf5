//! Hardware that may be missing: opened when it is there, and opened anew when it has failed for a
//! while.

use std::time::{Duration, Instant};

use board_wire::{RankLevels, Sensor, Trouble, TroubleCode};
use embedded_hal::digital::InputPin;
use embedded_hal::spi::SpiDevice;
use firmware::scan::{Reading, Refusal, Scan, ScanError, Zeros};

use super::{OpenError, Squares, Wired, WiredError};

/// How often devices that are missing are tried again, and for how long devices may fail before
/// they are opened anew.
const AGAIN: Duration = Duration::from_secs(1);

/// A board's hardware, there or not.
pub struct Attached<S, Pin: InputPin, Spi, Open> {
    open: Open,
    wired: Option<Wired<S, Pin, Spi>>,
    /// Why it cannot be opened.
    missing: String,
    try_at: Instant,
    failing_since: Option<Instant>,
    controls: u64,
    lamps_fail: bool,
    last: Reading,
    last_error: String,
    refusal: Option<Refusal>,
    is_locked: bool,
}

/// Why a board could not be read.
#[derive(thiserror::Error, Debug)]
pub enum AttachedError<E: std::error::Error> {
    /// It cannot be opened.
    #[error("{0}")]
    Missing(String),
    /// It is there, and fails.
    #[error("{0}")]
    Wired(WiredError<E>),
}

impl<E: ScanError> ScanError for AttachedError<E> {
    fn trouble(&self) -> Trouble {
        match self {
            AttachedError::Missing(_) => Trouble::new(TroubleCode::MISSING, 0),
            AttachedError::Wired(e) => e.trouble(),
        }
    }
}

impl<S, Pin, Spi, Open> Attached<S, Pin, Spi, Open>
where
    S: Squares,
    Pin: InputPin,
    Spi: SpiDevice,
    Open: FnMut() -> Result<Wired<S, Pin, Spi>, OpenError>,
{
    /// Hardware that `open` opens, when it is first read.
    pub fn new(open: Open) -> Self {
        Attached {
            open,
            wired: None,
            missing: String::new(),
            try_at: Instant::now(),
            failing_since: None,
            controls: 0,
            lamps_fail: false,
            last: Reading::default(),
            last_error: String::new(),
            refusal: None,
            is_locked: false,
        }
    }

    /// Reads lever and buttons, one bit each; what they read before while they cannot be read.
    pub fn controls(&mut self) -> u64 {
        if let Some(lines) = self.there().and_then(Wired::controls) {
            self.controls = lines;
        }
        self.controls
    }

    /// Lights these squares, if there are lamps. Lamps that fail are told once, and hold nothing
    /// up.
    pub fn show(&mut self, lit: u64) {
        let Some(wired) = &mut self.wired else { return };
        match wired.show(lit) {
            Ok(()) => self.lamps_fail = false,
            Err(e) if !self.lamps_fail => {
                self.lamps_fail = true;
                tracing::warn!(
                    "[lamps] cannot be written: {e:?}; they are tried again every second"
                );
            }
            Err(_) => {}
        }
    }

    /// The newest reading.
    pub fn last(&self) -> Reading {
        self.last
    }

    /// Why the last scan that failed did so.
    pub fn last_error(&self) -> &str {
        &self.last_error
    }

    /// Whether no calibration is made now.
    pub fn lock_zeros(&mut self, is_locked: bool) {
        self.is_locked = is_locked;
    }

    /// Why the last calibration was not made, told once.
    pub fn take_refusal(&mut self) -> Option<Refusal> {
        self.refusal.take()
    }

    fn there(&mut self) -> Option<&mut Wired<S, Pin, Spi>> {
        if self.wired.is_none() && Instant::now() >= self.try_at {
            self.try_at = Instant::now() + AGAIN;
            match (self.open)() {
                Ok(wired) => self.wired = Some(wired),
                Err(e) => self.missing = e.to_string(),
            }
        }
        self.wired.as_mut()
    }

    fn try_scan(&mut self) -> Result<Reading, AttachedError<S::Error>> {
        match self.there() {
            Some(wired) => wired.scan().map_err(AttachedError::Wired),
            None => Err(AttachedError::Missing(self.missing.clone())),
        }
    }

    /// A device that fails for a second may be another one by now: it is let go, and opened anew at
    /// once.
    fn failed(&mut self, why: &AttachedError<S::Error>) {
        self.last_error = why.to_string();
        if why.trouble().code == TroubleCode::NOT_CALIBRATED {
            return;
        }
        let since = *self.failing_since.get_or_insert_with(Instant::now);
        if self.wired.is_some() && since.elapsed() >= AGAIN {
            self.wired = None;
            self.failing_since = None;
        }
    }
}

impl<S, Pin, Spi, Open> Scan for Attached<S, Pin, Spi, Open>
where
    S: Squares,
    Pin: InputPin,
    Spi: SpiDevice,
    Open: FnMut() -> Result<Wired<S, Pin, Spi>, OpenError>,
{
    type Error = AttachedError<S::Error>;
    const SENSOR: Sensor = S::SENSOR;

    fn scan(&mut self) -> Result<Reading, Self::Error> {
        let result = self.try_scan();
        match &result {
            Ok(reading) => {
                self.last = *reading;
                self.failing_since = None;
            }
            Err(why) => self.failed(why),
        }
        result
    }

    fn levels(&self, rank: u8) -> Option<RankLevels> {
        self.wired.as_ref()?.levels(rank)
    }

    fn calibrate(&mut self) -> Result<(), Refusal> {
        let calibrated = match self.wired.as_mut() {
            _ if self.is_locked => Err(Refusal::NotAllowed),
            Some(wired) => wired.calibrate(),
            None => Err(Refusal::Unread),
        };
        self.refusal = calibrated.err();
        calibrated
    }
}

impl<S, Pin, Spi, Open> Squares for Attached<S, Pin, Spi, Open>
where
    S: Squares,
    Pin: InputPin,
    Spi: SpiDevice,
    Open: FnMut() -> Result<Wired<S, Pin, Spi>, OpenError>,
{
    fn zeros(&self) -> Option<Zeros> {
        self.wired.as_ref()?.zeros()
    }
}

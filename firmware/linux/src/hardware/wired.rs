//! Everything of one board that hangs on this computer.

use board_wire::{RankLevels, Sensor, Trouble, TroubleCode};
use embedded_hal::digital::{Error as PinError, InputPin};
use embedded_hal::spi::SpiDevice;
use firmware::scan::{Reading, Refusal, Scan, ScanError, Zeros};

use super::{Lamps, Lines, Squares};

/// The squares' scanner, lever and buttons, lamps.
#[derive(Debug)]
pub struct Wired<S, Pin: InputPin, Spi> {
    squares: S,
    lines: Lines<Pin>,
    lamps: Option<Lamps<Spi>>,
    /// What lever and buttons read last, or why they could not be read.
    controls: Result<u64, Pin::Error>,
}

impl<S: Squares, Pin: InputPin, Spi: SpiDevice> Wired<S, Pin, Spi> {
    /// A board of these parts.
    pub fn new(squares: S, lines: Lines<Pin>, lamps: Option<Lamps<Spi>>) -> Self {
        Wired {
            squares,
            lines,
            lamps,
            controls: Ok(0),
        }
    }

    /// Reads lever and buttons, one bit each. Read them before the squares: then a press that is
    /// seen finds the piece that landed before it on its square. `None` when they cannot be read;
    /// the scan that follows says why.
    pub fn controls(&mut self) -> Option<u64> {
        self.controls = self.lines.read();
        self.controls.as_ref().ok().copied()
    }

    /// Lights these squares.
    ///
    /// # Errors
    /// The bus's.
    pub fn show(&mut self, lit: u64) -> Result<(), Spi::Error> {
        self.lamps.as_mut().map_or(Ok(()), |lamps| lamps.show(lit))
    }
}

/// Why a board could not be read.
#[derive(thiserror::Error, Debug)]
pub enum WiredError<E: std::error::Error> {
    /// The squares' scanner failed.
    #[error("{0}")]
    Squares(E),
    /// A line of the lever or of a button failed.
    #[error("a line of [controls] cannot be read: {0:?}")]
    Controls(embedded_hal::digital::ErrorKind),
}

impl<E: ScanError> ScanError for WiredError<E> {
    fn trouble(&self) -> Trouble {
        match self {
            WiredError::Squares(e) => e.trouble(),
            WiredError::Controls(_) => Trouble::new(TroubleCode::PIN, 0),
        }
    }
}

/// A board whose lever cannot be read is not read at all: without its presses the game would be
/// another one.
impl<S: Squares, Pin: InputPin, Spi: SpiDevice> Scan for Wired<S, Pin, Spi> {
    type Error = WiredError<S::Error>;
    const SENSOR: Sensor = S::SENSOR;

    fn scan(&mut self) -> Result<Reading, Self::Error> {
        match &self.controls {
            Ok(_) => self.squares.scan().map_err(WiredError::Squares),
            Err(e) => Err(WiredError::Controls(e.kind())),
        }
    }

    fn levels(&self, rank: u8) -> Option<RankLevels> {
        self.squares.levels(rank)
    }

    fn calibrate(&mut self) -> Result<(), Refusal> {
        self.squares.calibrate()
    }
}

impl<S: Squares, Pin: InputPin, Spi: SpiDevice> Squares for Wired<S, Pin, Spi> {
    fn zeros(&self) -> Option<Zeros> {
        self.squares.zeros()
    }
}

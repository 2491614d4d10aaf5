//! The program's configuration: one TOML file. `docs/hardware.md` shows every key.

mod read;
mod values;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use board_wire::Serial;
use firmware::debounce::Depth;
use firmware::scan::{Active, HallSettings, Polarity, Tail};
use serde::Deserialize;

pub use values::Addresses;
use values::{
    active, addresses, high, low, lowers, one_megahertz, polarity, tail, two_megahertz,
    usual_addresses,
};

/// Everything the program is told at its start.
#[derive(Clone, Debug)]
pub struct Config {
    /// The serial number the board tells its host.
    pub serial_number: Serial,
    /// Where hosts find the board.
    pub serve: Serve,
    /// How often all squares are read.
    pub rate: Rate,
    /// How many equal scans make a change.
    pub debounce: Depth,
    /// The chip of all GPIO lines named by number.
    pub gpio: Gpio,
    /// How the squares are wired.
    pub sensors: Sensors,
    /// Clock lever and adjust buttons.
    pub controls: Option<ControlsConfig>,
    /// Lamps of the squares.
    pub lamps: Option<LampsConfig>,
    /// What must survive the program.
    pub state: State,
}

/// Where hosts find the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Serve {
    /// On a serial port of this machine.
    Port {
        /// Its device.
        path: PathBuf,
        /// Its speed, in bits a second.
        baud: u32,
    },
    /// On a pseudo-terminal of its own, linked at a path.
    Pty {
        /// The link.
        link: PathBuf,
        /// The group that may open it besides this program's user.
        group: Option<String>,
    },
    /// On TCP.
    Tcp(SocketAddr),
}

/// How the squares are wired.
#[derive(Clone, Debug)]
pub enum Sensors {
    /// Eight 74HC165 on SPI.
    ShiftRegisters(ShiftRegistersConfig),
    /// Four or five MCP23017 on I2C.
    Expanders(ExpandersConfig),
    /// Linear Hall sensors behind four CD74HC4067 and an MCP3208.
    Hall(HallConfig),
}

/// Scans a second: 20 to 2,000.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Debug)]
#[serde(try_from = "u16")]
pub struct Rate(u16);

impl Rate {
    /// The rate itself.
    pub fn hertz(self) -> u16 {
        self.0
    }
}

impl TryFrom<u16> for Rate {
    type Error = String;

    fn try_from(hertz: u16) -> Result<Rate, String> {
        match hertz {
            20..=2000 => Ok(Rate(hertz)),
            _ => Err(format!("{hertz} scans a second; write 20 to 2000")),
        }
    }
}

/// The GPIO chip whose lines are meant.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Gpio {
    /// Its device.
    pub chip: PathBuf,
}

impl Default for Gpio {
    fn default() -> Gpio {
        Gpio {
            chip: "/dev/gpiochip0".into(),
        }
    }
}

/// Eight 74HC165 in a chain.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct ShiftRegistersConfig {
    /// The SPI device.
    pub device: PathBuf,
    /// Its speed, in bits a second.
    #[serde(default = "two_megahertz")]
    pub speed: u32,
    /// The GPIO line to which the chips' PL inputs are connected.
    pub latch: u32,
    /// The level of an occupied square.
    #[serde(default = "low", deserialize_with = "active")]
    pub active: Active,
    /// What the last chip's serial input is connected to; nothing: the chain is not checked.
    #[serde(default, deserialize_with = "tail")]
    pub tail: Option<Tail>,
}

/// Four or five MCP23017.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct ExpandersConfig {
    /// The I2C bus.
    pub device: PathBuf,
    /// The chips' addresses, ranks 1 and 2 first. Five: the last one reads the h-file.
    #[serde(default = "usual_addresses", deserialize_with = "addresses")]
    pub addresses: Addresses,
    /// The level of an occupied square.
    #[serde(default = "low", deserialize_with = "active")]
    pub active: Active,
}

/// 64 linear Hall sensors, 16 to a multiplexer, multiplexers on an MCP3208's channels 0 to 3.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HallConfig {
    /// The converter's SPI device.
    pub device: PathBuf,
    /// Its speed, in bits a second.
    #[serde(default = "one_megahertz")]
    pub speed: u32,
    /// The GPIO lines of the multiplexers' address inputs S0 to S3.
    pub select: [u32; 4],
    /// What a dark piece's magnet does to its sensor's output.
    #[serde(default = "lowers", deserialize_with = "polarity")]
    pub dark: Polarity,
    /// How far from its zero a square counts as occupied, in counts.
    pub on: Option<u16>,
    /// And below which distance as empty again.
    pub off: Option<u16>,
    /// How long the multiplexers settle after a new address, in microseconds.
    pub settle_us: Option<u32>,
}

impl HallConfig {
    /// How readings are judged.
    pub fn settings(&self) -> HallSettings {
        let usual = HallSettings::for_full_scale(MCP3208_FULL_SCALE);
        let on = self.on.unwrap_or(usual.on);
        HallSettings {
            dark: self.dark,
            on,
            off: self.off.unwrap_or(on / 3 * 2),
            drift: on / 6,
            settle_us: self.settle_us.unwrap_or(usual.settle_us),
            ..usual
        }
    }
}

/// The MCP3208 has twelve bits.
const MCP3208_FULL_SCALE: u16 = 0xfff;

/// The GPIO lines of the clock's lever and of the adjust buttons.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ControlsConfig {
    /// White's end of the lever.
    pub white_press: Option<u32>,
    /// Black's end of the lever.
    pub black_press: Option<u32>,
    /// White's button.
    pub white_adjust: Option<u32>,
    /// Black's button.
    pub black_adjust: Option<u32>,
    /// The level of a lever or button that is down.
    #[serde(default = "low", deserialize_with = "active")]
    pub active: Active,
}

impl ControlsConfig {
    /// The lines in the order of `firmware::report::Controls`.
    pub fn lines(&self) -> [Option<u32>; 4] {
        [
            self.white_press,
            self.black_press,
            self.white_adjust,
            self.black_adjust,
        ]
    }
}

/// Eight 74HC595 in a chain, their latch on the SPI device's chip select.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct LampsConfig {
    /// The SPI device.
    pub device: PathBuf,
    /// Its speed, in bits a second.
    #[serde(default = "two_megahertz")]
    pub speed: u32,
    /// The level at which a lamp is lit.
    #[serde(default = "high", deserialize_with = "active")]
    pub active: Active,
}

/// Where the boot number and the calibration are kept.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The directory.
    pub dir: PathBuf,
}

impl Default for State {
    fn default() -> State {
        // systemd makes it, and says so.
        let dir = std::env::var_os("STATE_DIRECTORY")
            .map_or_else(|| "sensor-board-state".into(), PathBuf::from);
        State { dir }
    }
}

impl Serve {
    /// The speed of a serial port when nobody says another.
    pub const BAUD: u32 = 115_200;
}

/// What is wrong with a configuration, and at which line, if one can be named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The line, counted from 1; 0: the file as a whole.
    pub line: usize,
    /// What is wrong and what to do.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.what),
            line => write!(f, "{line}: {}", self.what),
        }
    }
}

impl Config {
    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong, as one line that names the file, the line and what to do.
    pub fn read(path: &Path) -> Result<Config, String> {
        let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        text.parse().map_err(|problem: Problem| match problem.line {
            0 => format!("{}: {problem}", path.display()),
            _ => format!("{}:{problem}", path.display()),
        })
    }
}

impl Sensors {
    /// The device on which the squares are read.
    pub fn device(&self) -> &Path {
        match self {
            Sensors::ShiftRegisters(config) => &config.device,
            Sensors::Expanders(config) => &config.device,
            Sensors::Hall(config) => &config.device,
        }
    }

    /// What a Raspberry Pi reads with time to spare.
    fn usual_rate(&self) -> Rate {
        match self {
            Sensors::ShiftRegisters(_) => Rate(1000),
            Sensors::Expanders(_) => Rate(500),
            Sensors::Hall(_) => Rate(200),
        }
    }
}

#[cfg(test)]
mod tests;

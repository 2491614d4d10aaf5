//! The daemon's configuration: one TOML file. `docs/operations.md` shows every key.

mod entrance;
mod hub;
mod lichess;
mod livechess;
mod place;
mod privacy;
mod public;
mod read;
mod sheet;
mod unseen;

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use arbiter_core::input::{Edition, StartFen, TimeClass};
use arbiter_core::settings::{Language, Settings};
use arbiter_core::{SensorClass, Setup};
use board_driver::{BoardKind, PortSpec};

pub use entrance::Entrance;
pub use privacy::Privacy;
pub(crate) use read::check_id;
pub use sheet::Problem;
pub use unseen::Unseen;

use crate::public::Rules;
use crate::store::Tags;
use arbiter_core::orientation::Orientation;

/// A configuration that shows every key, each with what it is for.
pub const EXAMPLE: &str = include_str!("config/example.toml");

/// The same of a hub.
pub const HUB_EXAMPLE: &str = include_str!("config/hub.toml");

/// Everything the daemon is told at its start.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Where the console listens.
    pub listen: SocketAddr,
    /// Host names the console answers to, besides addresses and `localhost`.
    pub names: Vec<String>,
    /// Who is let in, and how.
    pub entrance: Entrance,
    /// What is kept of people, and for how long.
    pub privacy: Privacy,
    /// How long nobody may have looked at what is certain.
    pub unseen: Unseen,
    /// What the public sees, and how late.
    pub public: Rules,
    /// How programs that know LiveChess are answered; `None`: not at all.
    pub livechess: Option<crate::livechess::Rules>,
    /// Which rounds are pushed to Lichess; `None`: none.
    pub lichess: Option<crate::lichess::Rules>,
    /// The hub to which the journal is sent; `None`: there is none.
    pub hub: Option<crate::hub::Wishes>,
    /// The halls whose hub this is; `None`: it is none.
    pub halls: Option<Vec<crate::hub::Known>>,
    /// The NATS server over which these may come; `None`: over WebSockets only.
    pub nats: Option<crate::hub::nats::Rules>,
    /// The directory of the journal and the PGN files.
    pub dir: PathBuf,
    /// The event that is played.
    pub event: EventConfig,
    /// The boards, in the order of the file.
    pub boards: Vec<BoardConfig>,
}

/// What is common to all games.
#[derive(Clone, PartialEq, Debug)]
pub struct EventConfig {
    /// The tournament or match.
    pub name: String,
    /// The place.
    pub site: String,
    /// The round.
    pub round: String,
    /// The day as `2026.11.21`; `None`: the day each game starts.
    pub date: Option<String>,
    /// The edition of the Laws.
    pub laws: Edition,
    /// The class of play.
    pub class: TimeClass,
    /// Whether play is adequately supervised.
    pub supervised: bool,
    /// The language of rulings and of the console; `None`: English rulings, and the console in the
    /// browser's language.
    pub language: Option<Language>,
}

/// One board.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardConfig {
    /// Its id: letters, digits, `-` and `_`; part of file names.
    pub id: String,
    /// The name people use.
    pub name: String,
    /// How to reach it.
    pub port: PortSpec,
    /// Its address, if it shares the port with others.
    pub address: Option<u16>,
    /// The language it speaks; `None`: whatever answers.
    pub kind: Option<BoardKind>,
    /// The port's speed in bits a second; `None`: the kind's usual one.
    pub baud: Option<u32>,
    /// How many times faster than the world a simulated board plays that cannot say so itself; 1 on
    /// every real board.
    pub pace: f32,
    /// How it lies on the table.
    pub turn: Orientation,
    /// What its sensors are expected to tell; `None`: what the board says.
    pub sensor: Option<SensorClass>,
    /// Whether a clock is connected; `None`: what the board says.
    pub clock: Option<bool>,
    /// White's name; empty when unknown.
    pub white: String,
    /// Black's name; empty when unknown.
    pub black: String,
    /// The starting position; `None`: the initial one.
    pub fen: Option<StartFen>,
    /// Chess960 castling.
    pub chess960: bool,
    /// Settings that differ from the default.
    pub options: Settings,
}

impl Config {
    /// The console's address where none is configured: this machine only.
    pub const LISTEN: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8080);

    /// Boards under `dir`, with everything else as if nothing were configured.
    pub fn new(dir: PathBuf, boards: Vec<BoardConfig>) -> Config {
        Config {
            listen: Config::LISTEN,
            names: Vec::new(),
            entrance: Entrance::default(),
            privacy: Privacy::default(),
            unseen: Unseen::default(),
            public: Rules::default(),
            livechess: None,
            lichess: None,
            hub: None,
            halls: None,
            nats: None,
            dir,
            event: EventConfig::default(),
            boards,
        }
    }

    /// Reads a file. Relative paths in it start at the file's directory.
    pub fn load(file: &Path) -> Result<Config, ConfigError> {
        Config::read(file, read::config)
    }

    fn read(
        file: &Path,
        parse: fn(&str, &Path) -> Result<Config, Vec<Problem>>,
    ) -> Result<Config, ConfigError> {
        let text = std::fs::read_to_string(file).map_err(|e| ConfigError {
            file: file.to_owned(),
            problems: vec![Problem {
                line: 0,
                key: String::new(),
                what: format!("cannot be read: {e}"),
            }],
        })?;
        let base = file.parent().unwrap_or(Path::new(""));
        parse(&text, base).map_err(|problems| ConfigError {
            file: file.to_owned(),
            problems,
        })
    }

    /// Reads the file of a hub, which has halls and no boards.
    ///
    /// # Errors
    /// With everything that is wrong with it.
    pub fn load_hub(file: &Path) -> Result<Config, ConfigError> {
        Config::read(file, read::hub)
    }

    /// Reads a text; relative paths in it start at `base`. `Err` lists everything that is wrong, in
    /// the file's order.
    pub fn parse(text: &str, base: &Path) -> Result<Config, Vec<Problem>> {
        read::config(text, base)
    }
}

impl Default for EventConfig {
    fn default() -> EventConfig {
        EventConfig {
            name: String::new(),
            site: String::new(),
            round: String::new(),
            date: None,
            laws: Edition::default(),
            class: TimeClass::default(),
            supervised: true,
            language: None,
        }
    }
}

impl EventConfig {
    /// The tags of a game between `white` and `black` that starts on the day `today`.
    pub fn tags(&self, white: &str, black: &str, today: &str) -> Tags {
        Tags {
            event: self.name.clone(),
            site: self.site.clone(),
            date: self.date.clone().unwrap_or_else(|| today.to_owned()),
            round: self.round.clone(),
            white: white.to_owned(),
            black: black.to_owned(),
            further: Vec::new(),
        }
    }
}

impl BoardConfig {
    /// A board of which nothing more is known.
    pub fn new(id: &str, port: PortSpec) -> BoardConfig {
        BoardConfig {
            id: id.to_owned(),
            name: id.to_owned(),
            port,
            address: None,
            kind: None,
            baud: None,
            pace: 1.0,
            turn: Orientation::default(),
            sensor: None,
            clock: None,
            white: String::new(),
            black: String::new(),
            fen: None,
            chess960: false,
            options: Settings::default(),
        }
    }

    /// The setup of game `game` on this board, whose sensors are of class `sensor`.
    pub fn setup(&self, event: &EventConfig, game: &str, sensor: SensorClass) -> Setup {
        Setup {
            game: game.to_owned(),
            laws: event.laws,
            class: event.class,
            supervised: event.supervised,
            fen: self.fen.clone(),
            chess960: self.chess960,
            options: self.options,
            ..Setup::new(sensor)
        }
    }
}

/// Everything that is wrong with a configuration file, one line each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it; at least one.
    pub problems: Vec<Problem>,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, problem) in self.problems.iter().enumerate() {
            let newline = if n == 0 { "" } else { "\n" };
            write!(f, "{newline}{}", self.file.display())?;
            if problem.line > 0 {
                write!(f, ":{}", problem.line)?;
            }
            write!(f, ": {problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}

#[cfg(test)]
mod tests;

//! The kinds of boards this program speaks to, one line each.

use std::fmt;
use std::time::{Duration, Instant};

use arbiter_core::SensorClass;
use arbiter_core::orientation::Orientation;

use super::Protocol;
use crate::event::Mark;
use crate::fault::FaultReason;
use crate::noise::Model;
use crate::sim::{Device, SimConfig};

/// One kind of board: everything the rest of the program has to know of it. Each protocol's room
/// has its own.
pub struct Profile {
    /// As written in configuration files.
    pub name: &'static str,
    /// As people call it.
    pub title: &'static str,
    /// The speed its port is opened with, in bits a second.
    pub baud: u32,
    /// What its sensors can tell; `None` where each board says it itself.
    pub sensor: Option<SensorClass>,
    /// Whether a clock can be connected to it.
    pub clock: bool,
    /// Whether its reports carry its own time. Where not, they are dated when they come, by
    /// [`super::HostClock`].
    pub tells_time: bool,
    /// How long a board of this kind may take to say who it is after it was asked.
    pub answers_within: Duration,
    /// Vendor and product ids of its USB port, where they are known: a hint at what to ask for
    /// first.
    pub usb: &'static [(u16, u16)],
    /// The sensors of a simulated board, for each level of noise.
    pub sensors: fn(level: u8) -> Model,
    /// The host's end of its language.
    pub host: fn(&Start) -> Box<dyn Protocol>,
    /// The board's end of its language, as simulated.
    pub device: Simulated,
}

impl Profile {
    /// What is wrong where a board of this kind is found instead of another.
    pub(crate) fn instead(&self) -> FaultReason {
        FaultReason::OtherBoard {
            is: self.title,
            kind: self.name,
        }
    }
}

/// Switches a simulated board on. `Err` says what cannot be simulated.
pub type Simulated = fn(&SimConfig, boot: u16, now: Instant) -> Result<Box<dyn Device>, String>;

/// What the host's end of a language begins with.
#[derive(Clone, PartialEq, Debug)]
pub struct Start {
    /// The moment.
    pub now: Instant,
    /// The evidence up to there is known from an earlier run of the program.
    pub resume: Option<Mark>,
    /// Board milliseconds that pass in one of the world, for boards that cannot say it: 1 unless
    /// they are simulated.
    pub pace: f32,
    /// What was learned of the board in earlier runs of the program, as [`super::Learning::Done`]
    /// gave it.
    pub memory: Option<String>,
    /// How the board is said to lie.
    pub turned: Orientation,
}

impl Start {
    /// A board that nobody has heard before, in real time.
    pub fn new(now: Instant) -> Start {
        Start {
            now,
            resume: None,
            pace: 1.0,
            memory: None,
            turned: Orientation::Upright,
        }
    }
}

/// Names the kinds, each with the room of its protocol, where its `PROFILE` is.
macro_rules! kinds {
    ($($(#[$doc:meta])+ $kind:ident = $room:ident,)+) => {
        /// A kind of board.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub enum BoardKind {
            $($(#[$doc])+ $kind,)+
        }

        impl BoardKind {
            /// Every kind.
            pub const ALL: &[BoardKind] = &[$(BoardKind::$kind),+];

            /// What is to be known of it.
            pub fn profile(self) -> &'static Profile {
                match self {
                    $(BoardKind::$kind => &super::$room::PROFILE,)+
                }
            }
        }
    };
}

kinds! {
    /// Boards that speak this project's own protocol (`docs/wire.md`).
    #[default]
    Native = native,
    /// Home-made boards that speak the line format of `docs/boards.md`.
    Text = text,
    /// Square Off Pro.
    SquareOff = squareoff,
    /// Boards of the gameboard UI protocol.
    Affelino = affelino,
    /// eChess.
    EChess = echess,
    /// DGT boards, each alone on its line.
    Dgt = dgt,
    /// Certabo boards, which read a tag in every piece.
    Certabo = certabo,
    /// Tabutronic Sentio boards.
    Sentio = sentio,
    /// Millennium boards with a ChessLink.
    ChessLink = chesslink,
    /// Chessnut boards over USB.
    Chessnut = chessnut,
    /// DGT boards that share a line.
    DgtBus = dgtbus,
}

impl BoardKind {
    /// As written in configuration files.
    pub fn name(self) -> &'static str {
        self.profile().name
    }

    /// The names of all kinds, as a list for people.
    pub fn names() -> String {
        BoardKind::ALL
            .iter()
            .map(|kind| kind.name())
            .collect::<Vec<_>>()
            .join(", ")
    }
}

impl std::str::FromStr for BoardKind {
    type Err = String;

    fn from_str(text: &str) -> Result<BoardKind, String> {
        let known = BoardKind::ALL
            .iter()
            .copied()
            .find(|kind| kind.name() == text);
        known.ok_or_else(|| format!("`{text}` is no kind of board ({})", BoardKind::names()))
    }
}

impl fmt::Display for BoardKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_read_back() {
        for kind in BoardKind::ALL {
            assert_eq!(kind.name().parse(), Ok(*kind));
            assert!(
                kind.name()
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b == b'-'),
                "{kind}"
            );
        }
        assert!(
            "nothing"
                .parse::<BoardKind>()
                .unwrap_err()
                .contains("native")
        );
    }
}

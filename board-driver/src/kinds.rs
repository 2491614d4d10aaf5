//! The kinds of boards this program speaks to: one row each, which names its protocol, says how
//! it is found on a port, and which simulated board plays it.

use std::fmt;
use std::time::Duration;

use arbiter_core::SensorClass;

#[cfg(feature = "simulators")]
use crate::device;
use crate::fault::FaultReason;
#[cfg(feature = "simulators")]
use crate::noise::Model;
use crate::protocol::affelino::Affelino;
use crate::protocol::echess::EChess;
use crate::protocol::squareoff::SquareOff;
use crate::protocol::text::Text;
use crate::protocol::{
    Certabo, ChessLink, Chessnut, Dgt, Native, Protocol, Sentio, SharedDgt, Start,
};
use crate::transport::{HID, MICROCHIP, NORDIC, Uart};

/// One kind of board: everything the rest of the program has to know of it.
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
    /// [`crate::protocol::HostClock`].
    pub tells_time: bool,
    /// How long a board of this kind may take to say who it is after it was asked.
    pub answers_within: Duration,
    /// Vendor and product ids of its USB port, where they are known: a hint at what to ask for
    /// first. An HID device is taken for a board by its vendor.
    pub usb: &'static [(u16, u16)],
    /// Its serial line over Bluetooth LE, if it has one.
    pub bluetooth: Option<Uart>,
    /// The host's end of its language.
    pub host: fn(&Start) -> Box<dyn Protocol>,
    /// The board's end, as simulated.
    #[cfg(feature = "simulators")]
    pub simulator: Simulator,
}

/// How a kind of board is simulated.
#[cfg(feature = "simulators")]
pub struct Simulator {
    /// Switches a simulated board on. `Err` says what cannot be simulated.
    pub device: Simulated,
    /// Its sensors, for each level of noise.
    pub sensors: fn(level: u8) -> Model,
}

/// Switches a simulated board on. `Err` says what cannot be simulated.
#[cfg(feature = "simulators")]
pub type Simulated =
    fn(&device::DeviceConfig, now: std::time::Instant) -> Result<Box<dyn device::Device>, String>;

/// Names the kinds, each with its row.
macro_rules! kinds {
    ($($(#[$doc:meta])+ $kind:ident = $row:expr;)+) => {
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
                    $(BoardKind::$kind => const { &$row },)+
                }
            }
        }
    };
}

kinds! {
    /// Boards that speak this project's own protocol (`docs/wire.md`).
    #[default]
    Native = Profile {
        name: "native",
        title: "native protocol",
        baud: 115_200,
        sensor: None,
        clock: true,
        tells_time: true,
        answers_within: Duration::from_millis(500),
        // A Pico with this project's firmware, or with another's.
        usb: &[(0x2e8a, 0x000a)],
        bluetooth: Some(NORDIC),
        host: |start| Box::new(Native::new(start, Native::seed())),
        #[cfg(feature = "simulators")]
        simulator: Simulator { device: device::native, sensors: Model::level },
    };
    /// Home-made boards that speak the line format of `docs/boards.md`.
    Text = Profile {
        name: "text",
        title: "line format",
        baud: 115_200,
        sensor: None,
        clock: true,
        tells_time: false,
        // Many Arduinos start anew when their port is opened, and wait two seconds for a new
        // sketch before they run theirs.
        answers_within: Duration::from_millis(2_500),
        usb: &[(0x2341, 0x0043), (0x2341, 0x0001), (0x1a86, 0x7523)],
        bluetooth: Some(NORDIC),
        host: |start| Box::new(Text::new(start)),
        #[cfg(feature = "simulators")]
        simulator: Simulator { device: device::text, sensors: Model::level },
    };
    /// Square Off Pro.
    SquareOff = Profile {
        name: "squareoff",
        title: "Square Off Pro",
        baud: 115_200,
        sensor: Some(SensorClass::Occupancy),
        clock: false,
        tells_time: false,
        answers_within: Duration::from_millis(500),
        usb: &[],
        bluetooth: Some(NORDIC),
        host: |start| Box::new(SquareOff::new(start)),
        #[cfg(feature = "simulators")]
        simulator: Simulator { device: device::squareoff, sensors: Model::slow },
    };
    /// Boards of the gameboard UI protocol.
    Affelino = Profile {
        name: "affelino",
        title: "gameboard UI protocol",
        baud: 9_600,
        sensor: Some(SensorClass::Occupancy),
        clock: false,
        tells_time: false,
        answers_within: Duration::from_millis(400),
        usb: &[],
        bluetooth: None,
        host: |start| Box::new(Affelino::new(start)),
        #[cfg(feature = "simulators")]
        simulator: Simulator { device: device::affelino, sensors: Model::slow },
    };
    /// eChess.
    EChess = Profile {
        name: "echess",
        title: "eChess",
        baud: 115_200,
        sensor: Some(SensorClass::Colour),
        clock: false,
        tells_time: false,
        answers_within: Duration::from_millis(400),
        usb: &[],
        bluetooth: None,
        host: |start| Box::new(EChess::new(start)),
        #[cfg(feature = "simulators")]
        simulator: Simulator { device: device::echess, sensors: Model::level },
    };
    /// DGT boards, each alone on its line.
    Dgt = Profile {
        name: "dgt",
        title: "DGT",
        baud: 9_600,
        sensor: Some(SensorClass::Piece),
        clock: true,
        tells_time: false,
        answers_within: Duration::from_millis(1_500),
        // Its own, and the converter from FTDI that many things have.
        usb: &[(0x045b, 0x8111), (0x0403, 0x6001)],
        bluetooth: None,
        host: |start| Box::new(Dgt::new(start)),
        #[cfg(feature = "simulators")]
        simulator: Simulator { device: device::single_dgt, sensors: Model::coils },
    };
    /// Certabo boards, which read a tag in every piece.
    Certabo = Profile {
        name: "certabo",
        title: "Certabo",
        baud: 38_400,
        sensor: Some(SensorClass::Piece),
        clock: false,
        tells_time: false,
        answers_within: Duration::from_secs(2),
        usb: &[(0x10c4, 0xea60)],
        bluetooth: None,
        host: |start| Box::new(Certabo::new(start, BoardKind::Sentio.instead())),
        #[cfg(feature = "simulators")]
        simulator: Simulator { device: device::certabo, sensors: Model::states },
    };
    /// Tabutronic Sentio boards.
    Sentio = Profile {
        name: "sentio",
        title: "Tabutronic Sentio",
        baud: 38_400,
        sensor: Some(SensorClass::Occupancy),
        clock: false,
        tells_time: false,
        answers_within: Duration::from_secs(2),
        usb: &[(0x10c4, 0xea60)],
        bluetooth: None,
        host: |start| Box::new(Sentio::new(start, BoardKind::Certabo.instead())),
        #[cfg(feature = "simulators")]
        simulator: Simulator { device: device::sentio, sensors: Model::states },
    };
    /// Millennium boards with a ChessLink.
    ChessLink = Profile {
        name: "chesslink",
        title: "Millennium ChessLink",
        baud: 38_400,
        sensor: Some(SensorClass::Piece),
        clock: false,
        tells_time: false,
        answers_within: Duration::from_secs(1),
        usb: &[],
        bluetooth: Some(MICROCHIP),
        host: |start| Box::new(ChessLink::new(start)),
        #[cfg(feature = "simulators")]
        simulator: Simulator { device: device::chesslink, sensors: Model::states },
    };
    /// Chessnut boards over USB.
    Chessnut = Profile {
        name: "chessnut",
        title: "Chessnut",
        baud: HID,
        sensor: Some(SensorClass::Piece),
        clock: false,
        tells_time: false,
        answers_within: Duration::from_secs(1),
        // Product ids differ from batch to batch.
        usb: &[
            (0x2d80, 0x8000),
            (0x2d80, 0x8001),
            (0x2d80, 0x8002),
            (0x2d80, 0x8100),
            (0x2d80, 0x8200),
            (0x2d80, 0x8300),
        ],
        // Chessnut's own; source: its EasyLink description on GitHub.
        bluetooth: Some(Uart {
            write: "1b7e8272-2877-41c3-b46e-cf057c562023",
            notify: "1b7e8262-2877-41c3-b46e-cf057c562023",
        }),
        host: |start| Box::new(Chessnut::new(start)),
        #[cfg(feature = "simulators")]
        simulator: Simulator { device: device::chessnut, sensors: Model::states },
    };
    /// DGT boards that share a line.
    DgtBus = Profile {
        name: "dgt-bus",
        title: "DGT bus",
        baud: 9_600,
        sensor: Some(SensorClass::Piece),
        clock: true,
        tells_time: false,
        answers_within: Duration::from_secs(6),
        usb: &[],
        bluetooth: None,
        host: |start| Box::new(SharedDgt::new(start)),
        #[cfg(feature = "simulators")]
        simulator: Simulator { device: device::single_dgt, sensors: Model::coils },
    };
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

    /// What is wrong where a board of this kind is found instead of another.
    pub(crate) fn instead(self) -> FaultReason {
        let Profile { title, name, .. } = self.profile();
        FaultReason::OtherBoard {
            is: title,
            kind: name,
        }
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
            let is_of_a_name = |b: u8| b.is_ascii_lowercase() || b == b'-';
            assert!(kind.name().bytes().all(is_of_a_name), "{kind}");
        }
        let unknown = "nothing".parse::<BoardKind>();
        assert!(unknown.unwrap_err().contains("native"));
    }

    /// What packages bring for udev: the daemon may open boards that are HID devices, and no other
    /// program asks serial ones whether they are modems.
    #[test]
    fn the_rules_of_the_package_know_every_board() {
        let rules = include_str!("../../packaging/60-arbiter-boards.rules");
        let is_known = |vendor: u16, product: u16, does: &str| {
            let is_for = |line: &str, key: &str, id: u16| {
                let of_all = !line.contains(key);
                of_all || line.contains(&format!("ATTRS{{{key}}}==\"{id:04x}\""))
            };
            let mut rules = rules.lines().filter(|line| line.contains(does));
            rules.any(|line| is_for(line, "idVendor", vendor) && is_for(line, "idProduct", product))
        };
        for profile in BoardKind::ALL.iter().map(|kind| kind.profile()) {
            let does = match profile.baud {
                HID => "TAG+=\"uaccess\"",
                _ => "ENV{ID_MM_DEVICE_IGNORE}=\"1\"",
            };
            for (vendor, product) in profile.usb {
                assert!(
                    is_known(*vendor, *product, does),
                    "{}: {vendor:04x}:{product:04x}",
                    profile.name
                );
            }
        }
        assert!(!is_known(0x1234, 0x0001, "ID_MM"));
    }
}

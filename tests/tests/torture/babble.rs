//! A board beside the others says valid things as fast as a pseudo-terminal carries them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use arbiter_core::shakmaty::Square;
use arbiter_core::{SensorClass, Symbol, Time};
use board_driver::{BoardEvent, BoardKind, Report, SimConfig, SimulatedBoard};
use tests::rig::{post, section};
use tokio::sync::mpsc;

use crate::hall::Hall;
use crate::meanwhile::Enough;

/// Its name in the configuration.
pub(crate) const ID: &str = "babbler";
/// What it says at a time: more than is taken for what a board has kept.
const REPORTS: u64 = 14_000;
/// It has said everything, or is torn off.
const PATIENCE: Duration = Duration::from_secs(6);
/// What it has said is of a game of its own: else it would be told to every daemon anew.
const NEW_GAME: &str = r#"{"event":"new-game"}"#;

/// The board.
pub(crate) struct Babbler {
    port: PathBuf,
}

impl Babbler {
    pub(crate) fn at(port: &Path) -> Babbler {
        Babbler {
            port: port.to_owned(),
        }
    }

    /// The board in the configuration.
    pub(crate) fn section(&self) -> String {
        section(ID, &self.port, "kind = \"dgt\"\n")
    }

    /// Babbles `times` times, or until it is enough; how often it did.
    pub(crate) fn babble(&self, hall: &Hall, times: u32, pause: Duration, enough: &Enough) -> u32 {
        for time in 0..times {
            if !enough.not_yet(pause) {
                return time;
            }
            self.burst();
            if let Some(address) = hall.address() {
                let order = format!("/api/boards/{ID}/orders");
                let _killed_meanwhile = post(address, &order, NEW_GAME);
            }
        }
        times
    }

    /// A pawn goes up and down.
    fn burst(&self) {
        let mut config = SimConfig::new(&self.port, "SIM-9999", SensorClass::Piece);
        config.kind = BoardKind::Dgt;
        (config.pace, config.linger) = (1_000.0, Duration::ZERO);
        let pawn = Symbol::from_char('P').expect("a pawn");
        let script = (0..REPORTS).map(|n| {
            let seen = match n % 2 {
                0 => Symbol::Empty,
                _ => pawn,
            };
            BoardEvent {
                at: Time(n * 20),
                report: Report::Changes(vec![(Square::E2, seen)]),
            }
        });
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime
            .block_on(async {
                let board = SimulatedBoard::create(config).expect("a pseudo-terminal");
                let (_controls, none) = mpsc::channel(1);
                let played = tokio::time::timeout(PATIENCE, board.play(script, none)).await;
                played.map_or(Ok(()), |played| played.map(drop))
            })
            .expect("the board plays");
    }
}

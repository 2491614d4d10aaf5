//! The boards: what is played on each of them, in which round.

use std::path::PathBuf;
use std::time::Duration;

use arbiter_core::SensorClass;
use arbiter_core::ruling::GameResult;
use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::shakmaty::{Move, Position};
use board_driver::hand::games::{self, Game};
use board_driver::hand::{Options, Performance, Style, perform};
use board_driver::noise::Sensors;
use board_driver::{BoardEvent, SimConfig, SimulatedBoard};
use serde_json::Value;
use tests::rig::Workshop;
use tokio::sync::mpsc;

/// Half-moves that are played, and after how many of them a board fails.
pub(crate) const PLIES: usize = 28;
pub(crate) const HALF: usize = 14;
/// How long a game takes.
pub(crate) const LENGTH: Duration = Duration::from_secs(7);

/// What is played at a table in a round.
pub(crate) struct Play {
    game: &'static Game,
    seed: u64,
    sensor: SensorClass,
    pub(crate) result: GameResult,
}

/// A board with all that will happen on it.
pub(crate) struct Device {
    config: SimConfig,
    script: Vec<BoardEvent>,
}

impl Play {
    pub(crate) fn of(round: u16, table: u16) -> Play {
        let seed = u64::from(round) * 100 + u64::from(table);
        let results = [
            GameResult::WhiteWins,
            GameResult::BlackWins,
            GameResult::Draw,
        ];
        let sensors = [
            SensorClass::Piece,
            SensorClass::Colour,
            SensorClass::Occupancy,
        ];
        let long = games::all().iter().filter(|game| game.moves.len() > PLIES);
        Play {
            game: long
                .clone()
                .nth(seed as usize % long.count())
                .expect("games"),
            seed,
            sensor: sensors[usize::from(table) % sensors.len()],
            result: results[seed as usize % results.len()],
        }
    }

    /// How it ended for White and for Black, as report files have it.
    pub(crate) fn codes(&self) -> [char; 2] {
        match self.result {
            GameResult::WhiteWins => ['1', '0'],
            GameResult::BlackWins => ['0', '1'],
            GameResult::Draw | GameResult::Open => ['='; 2],
        }
    }

    /// Why a record is not all of it, up to a half-move.
    pub(crate) fn differs(&self, board: &Value, plies: usize) -> Option<String> {
        let uci = |m: &Move| UciMove::from_standard(*m).to_string();
        let played: Vec<String> = self.game.moves[..plies].iter().map(uci).collect();
        let is_it = board["moves"] == Value::from(played.clone());
        (!is_it).then(|| format!("{} for {played:?}: {}", board["moves"], board["fault"]))
    }

    /// All of it, with the players' sign of the result at the end.
    pub(crate) fn whole(&self, port: PathBuf, length: Duration) -> Device {
        let played = self.perform(0, PLIES, self.result);
        self.device(port, &played, length)
    }

    /// Its first half: then the board says nothing more.
    pub(crate) fn first_half(&self, port: PathBuf) -> Device {
        let played = self.perform(0, HALF, GameResult::Open);
        self.device(port, &played, LENGTH)
    }

    /// Its second half, on a board on which the pieces were set up as they stood.
    pub(crate) fn second_half(&self, port: PathBuf) -> Device {
        let played = self.perform(HALF, PLIES, self.result);
        self.device(port, &played, LENGTH)
    }

    fn perform(&self, from: usize, to: usize, result: GameResult) -> Performance {
        let mut start = self.game.start.clone();
        let before = &self.game.moves[..from];
        before.iter().for_each(|m| start.play_unchecked(*m));
        let options = Options {
            kings_sign: result != GameResult::Open,
            result,
            ..Options::default()
        };
        let moves = &self.game.moves[from..to];
        perform(&start, moves, Style::Tidy, self.seed, &[], &options)
    }

    fn device(&self, port: PathBuf, played: &Performance, length: Duration) -> Device {
        let class = self.sensor;
        let script = Sensors::new(class, 0, self.seed).read(&played.start, &played.acts);
        let last = played.acts.last().map_or(0, |act| act.at.0);
        let name = port.file_name().unwrap_or_default().to_string_lossy();
        let serial = format!("SIM-{name}");
        let mut config = SimConfig::new(port, serial, class);
        config.squares = class.reads(&played.start);
        config.pace = Duration::from_millis(last).div_duration_f32(length);
        config.linger = Duration::from_secs(3600);
        Device { config, script }
    }
}

/// Switches boards on; they play until what is returned is dropped.
pub(crate) fn switch_on(devices: Vec<Device>) -> Workshop {
    Workshop::open(move || {
        for Device { config, script } in devices {
            let board = SimulatedBoard::create(config).expect("a pseudo-terminal");
            let (_nobody, controls) = mpsc::channel(1);
            tokio::spawn(board.play(script, controls));
        }
    })
}

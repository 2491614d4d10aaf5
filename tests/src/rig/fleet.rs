//! Simulated boards on pseudo-terminals, played on a thread of their own: they outlive every
//! daemon.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

use arbiter_core::SensorClass;
use arbiter_core::shakmaty::Position;
use arbiter_core::shakmaty::uci::UciMove;
use board_driver::hand::{Options, Style, games, perform};
use board_driver::noise::Sensors;
use board_driver::{BoardEvent, SimConfig, SimulatedBoard};
use tokio::sync::{mpsc, oneshot};

/// Who plays at one board, and on what.
#[derive(Clone, Copy, Debug)]
pub struct Seat {
    /// What its sensors tell.
    pub sensor: SensorClass,
    /// How it is played.
    pub style: Style,
    /// How bad its sensors are: 0, 1 or 2.
    pub noise: u8,
    /// Chooses the game and everything in it.
    pub seed: u64,
    /// How long the game is to take; zero: as fast as the daemon takes it.
    pub length: Duration,
}

/// A board that is being played.
#[derive(Clone, Debug)]
pub struct Player {
    /// Its id in the configuration: `b01`, `b02` and so on.
    pub id: String,
    /// Who plays.
    pub seat: Seat,
    /// Its port.
    pub port: PathBuf,
    /// The moves of its game.
    pub truth: Vec<UciMove>,
}

/// Boards that are being played. They are switched off when this is dropped.
#[derive(Debug)]
pub struct Fleet {
    /// The boards.
    pub players: Vec<Player>,
    off: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// A board with all that will happen on it.
struct Device {
    config: SimConfig,
    script: Vec<BoardEvent>,
}

impl Fleet {
    /// Switches on one board a seat, linked in `dir`. Each begins its game when a daemon first
    /// hears it.
    ///
    /// # Panics
    /// When there are no pseudo-terminals to be had.
    pub fn play(dir: &Path, seats: &[Seat]) -> Fleet {
        let (players, devices): (Vec<_>, Vec<_>) = (1..)
            .zip(seats)
            .map(|(number, seat)| sit(dir, number, *seat))
            .unzip();
        let (off, stop) = oneshot::channel::<()>();
        let (ready, switched_on) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime");
            runtime.block_on(async move {
                let mut controls = Vec::new();
                for Device { config, script } in devices {
                    let board = SimulatedBoard::create(config).expect("a pseudo-terminal");
                    let (control, inbox) = mpsc::channel(1);
                    controls.push(control);
                    tokio::spawn(board.play(script, inbox));
                }
                let _fleet_waits = ready.send(());
                let _dropped = stop.await;
            });
        });
        switched_on.recv().expect("boards that can be switched on");
        Fleet {
            players,
            off: Some(off),
            thread: Some(thread),
        }
    }

    /// A configuration of these boards, with the journal in `dir`; the console takes any free port.
    pub fn configuration(&self, dir: &Path) -> String {
        let mut text = format!(
            "[http]\nlisten = \"127.0.0.1:0\"\n\n[store]\ndir = \"{}\"\n",
            dir.display()
        );
        for Player { id, port, .. } in &self.players {
            let _infallible = writeln!(
                text,
                "\n[[board]]\nid = \"{id}\"\nport = \"{}\"\nkind = \"native\"",
                port.display()
            );
        }
        text
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        drop(self.off.take());
        let _ended = self.thread.take().map(JoinHandle::join);
    }
}

fn sit(dir: &Path, number: usize, seat: Seat) -> (Player, Device) {
    let game = games::pick(seat.seed);
    let played = perform(
        &game.start,
        &game.moves,
        seat.style,
        seat.seed,
        &[],
        &Options::default(),
    );
    let script =
        Sensors::new(seat.sensor, seat.noise, seat.seed).read(game.start.board(), &played.acts);
    let id = format!("b{number:02}");
    let port = dir.join(&id);
    let mut config = SimConfig::new(&port, format!("SIM-{number}"), seat.sensor);
    config.linger = Duration::from_secs(3600);
    let last = script.last().map_or(0, |event| event.at.0) as f32 / 1000.0;
    config.pace = if seat.length.is_zero() {
        0.0
    } else {
        last / seat.length.as_secs_f32()
    };
    (
        Player {
            id,
            seat,
            port,
            truth: played.truth.moves,
        },
        Device { config, script },
    )
}

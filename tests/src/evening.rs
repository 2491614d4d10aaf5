//! An evening of games: simulated boards on pseudo-terminals, with whoever can pull their plugs,
//! and what a record of their games must hold.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use arbiter_core::SensorClass;
use arbiter_core::irregularity::Code;
use arbiter_core::shakmaty::Position;
use arbiter_core::shakmaty::uci::UciMove;
use board_driver::hand::{Options, Performance, Style, games, perform};
use board_driver::noise::Sensors;
use board_driver::sim::{Control, LineNoise};
use board_driver::{BoardEvent, BoardKind, SimConfig, SimulatedBoard};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::accuracy::Cell;
use crate::rig::{Arbiterd, get};

/// Between two looks at the boards.
const LOOK: Duration = Duration::from_millis(100);

/// What is played at one board, and how.
#[derive(Clone, Debug)]
pub struct Play {
    /// What the board speaks.
    pub kind: BoardKind,
    /// The daemon is not told, and finds out.
    pub auto: bool,
    /// The board, the hand and the sensors.
    pub cell: Cell,
    /// The number of the game among those carried with the program.
    pub game: usize,
    /// Half-moves of it that are played at most.
    pub plies: usize,
    /// The seed of hand and sensors.
    pub seed: u64,
    /// Breaches of the Laws.
    pub breaches: Vec<(Code, u32)>,
    /// How many times faster than the world the board's clock runs; 0: as fast as the daemon takes
    /// it.
    pub pace: f32,
    /// What the line does to bytes.
    pub line: LineNoise,
    /// Between two scans of a board that sends whole states, in its milliseconds; 0: as boards of
    /// its kind do.
    pub scan_ms: u32,
    /// Squares it reads badly in a scan, in a thousand, where it can.
    pub misread: u16,
}

/// A board at which a game is played.
#[derive(Debug)]
pub struct Table {
    /// Its id in the configuration.
    pub id: String,
    /// What is played.
    pub play: Play,
    /// Its port.
    pub port: PathBuf,
    /// What is really done.
    pub played: Performance,
    controls: mpsc::Sender<Control>,
}

/// Boards that play. They are switched off when this is dropped.
#[derive(Debug)]
pub struct Evening {
    /// The boards.
    pub tables: Vec<Table>,
    /// The directory of everything.
    dir: tempfile::TempDir,
    off: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// A board with all that will happen on it.
struct Device {
    config: SimConfig,
    script: Vec<BoardEvent>,
    controls: mpsc::Receiver<Control>,
}

impl Play {
    /// A game played to its end on a good line, as fast as the daemon takes it.
    pub fn new(cell: Cell, game: usize, seed: u64) -> Play {
        let line = LineNoise::default();
        let (kind, game) = (BoardKind::Native, game % games::all().len());
        let (breaches, pace, scan_ms, misread) = (Vec::new(), 0.0, 0, 0);
        Play {
            kind,
            auto: false,
            cell,
            game,
            plies: usize::MAX,
            seed,
            breaches,
            pace,
            line,
            scan_ms,
            misread,
        }
    }

    /// A game on a board of a kind, with human hands and the sensors such boards have; `pace` times
    /// as fast as the world.
    pub fn on(kind: BoardKind, sensor: SensorClass, game: usize, seed: u64, pace: f32) -> Play {
        let cell = Cell {
            sensor,
            style: Style::Human,
            noise: 1,
            clock: kind.profile().clock,
        };
        Play {
            kind,
            pace,
            ..Play::new(cell, game, seed)
        }
    }

    fn perform(&self) -> Performance {
        let game = &games::all()[self.game];
        let moves = &game.moves[..self.plies.min(game.moves.len())];
        let options = Options {
            clock: self.cell.clock,
            ..Options::default()
        };
        perform(
            &game.start,
            moves,
            self.cell.style,
            self.seed,
            &self.breaches,
            &options,
        )
    }
}

impl Evening {
    /// Switches on one board for each of `plays`. Each begins its game when a daemon first hears
    /// it.
    ///
    /// # Panics
    /// When there are no pseudo-terminals to be had.
    pub fn begin(plays: Vec<Play>) -> Evening {
        let dir = tempfile::tempdir().expect("a directory");
        let seat = |(number, play)| seat(dir.path(), number, play);
        let (tables, devices): (Vec<_>, Vec<_>) = (1..).zip(plays).map(seat).unzip();
        let (off, stop) = oneshot::channel();
        let (ready, switched_on) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime");
            runtime.block_on(async move {
                for Device {
                    config,
                    script,
                    controls,
                } in devices
                {
                    let board = SimulatedBoard::create(config).expect("a pseudo-terminal");
                    tokio::spawn(board.play(script, controls));
                }
                let _nobody_waits = ready.send(());
                let _dropped: Result<(), _> = stop.await;
            });
        });
        switched_on.recv().expect("boards that can be switched on");
        Evening {
            tables,
            dir,
            off: Some(off),
            thread: Some(thread),
        }
    }

    /// Where the daemon keeps its games.
    pub fn store(&self) -> PathBuf {
        self.dir.path().join("store")
    }

    /// A path beside the boards.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Starts a daemon that follows the boards.
    ///
    /// # Panics
    /// When it does not start.
    pub fn serve(&self) -> House {
        self.serve_as(|table| table.play.kind)
    }

    /// The same, with boards that are configured as `kind` says.
    ///
    /// # Panics
    /// When it does not start.
    pub fn serve_as(&self, kind: impl Fn(&Table) -> BoardKind) -> House {
        let mut text = format!(
            "[http]\nlisten = \"127.0.0.1:0\"\n\n[store]\ndir = \"{}\"\n",
            self.store().display()
        );
        for (number, table @ Table { id, port, play, .. }) in (1..).zip(&self.tables) {
            let (kind, port) = (kind(table), port.display());
            let told = if play.auto { "auto" } else { kind.name() };
            let _infallible = writeln!(
                text,
                "\n[[board]]\nid = \"{id}\"\nport = \"{port}\"\nkind = \"{told}\""
            );
            if kind == BoardKind::DgtBus && !play.auto {
                let _infallible = writeln!(text, "address = {number}");
            }
            if !kind.profile().tells_time {
                let _infallible = writeln!(text, "pace = {}", play.pace);
            }
        }
        House::open(&self.path("arbiter.toml"), &text)
    }
}

impl Drop for Evening {
    fn drop(&mut self) {
        drop(self.off.take());
        let _ended = self.thread.take().map(JoinHandle::join);
    }
}

fn seat(dir: &Path, number: usize, play: Play) -> (Table, Device) {
    let played = play.perform();
    let start = &games::all()[play.game].start;
    let model = (play.kind.profile().simulator.sensors)(play.cell.noise);
    let script =
        Sensors::with(play.cell.sensor, model, play.seed).read(start.board(), &played.acts);
    let id = format!("b{number:02}");
    let port = dir.join(&id);
    let mut config = SimConfig::new(&port, format!("SIM-{number}"), play.cell.sensor);
    (config.kind, config.pace, config.clock, config.noise) =
        (play.kind, play.pace, play.cell.clock, play.line);
    (config.scan_ms, config.misread) = (play.scan_ms, play.misread);
    config.linger = Duration::from_secs(3600);
    let (controls, orders) = mpsc::channel(8);
    let device = Device {
        config,
        script,
        controls: orders,
    };
    (
        Table {
            id,
            play,
            port,
            played,
            controls,
        },
        device,
    )
}

impl Table {
    /// Pulls the plug, puts it in again, takes the power away, makes the line worse.
    ///
    /// # Panics
    /// When the board has gone.
    pub fn order(&self, control: Control) {
        self.controls
            .blocking_send(control)
            .expect("a board that is switched on");
    }

    /// The moves that were really played.
    pub fn truth(&self) -> &[UciMove] {
        &self.played.truth.moves
    }

    /// The command that prints the board's evidence as an event script.
    pub fn command(&self) -> String {
        let Play {
            cell,
            game,
            seed,
            breaches,
            ..
        } = &self.play;
        crate::accuracy::command(*game, *cell, *seed, breaches)
    }

    /// Whether `recorded` is the move of ply `n + 1`. What a pawn became is unseen by most boards:
    /// there the record may be of another piece, if it says that it is in doubt.
    pub fn is_ply(&self, n: usize, recorded: &str, doubtful: bool) -> bool {
        let Some(played) = self.truth().get(n).map(UciMove::to_string) else {
            return false;
        };
        let unseen = doubtful && played.len() == 5 && self.play.cell.sensor != SensorClass::Piece;
        recorded == played || (unseen && recorded.get(..4) == played.get(..4))
    }

    /// What is wrong with a record of this game, in words: plies that were not played.
    pub fn wrong(&self, board: &Value) -> Option<String> {
        let plies = board["plies"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let is_wrong = |(n, ply): &(usize, &Value)| {
            !self.is_ply(
                *n,
                ply["uci"].as_str().unwrap_or_default(),
                ply["doubtful"] == true,
            )
        };
        let (n, ply) = plies.iter().enumerate().find(is_wrong)?;
        let played = self
            .truth()
            .get(n)
            .map_or("nothing".to_owned(), UciMove::to_string);
        Some(format!(
            "{}: ply {} is {} and was {played}\n  {}",
            self.id,
            n + 1,
            ply["uci"],
            self.command()
        ))
    }

    /// A finding that is certain, though nobody did anything wrong.
    pub fn accused(&self, board: &Value) -> Option<String> {
        let mut findings = board["findings"].as_array().into_iter().flatten();
        let finding =
            findings.find(|f| f["certainty"] == "certain" && f["status"] != "withdrawn")?;
        Some(format!(
            "{} {}: {finding}\n  {}",
            self.play.kind,
            self.id,
            self.command()
        ))
    }

    /// What is dishonest in the record of a game of which evidence was lost; `None` when every
    /// recorded ply was played or is in doubt, a record that is not whole is shown as such, and
    /// nothing that rests on the gap is certain.
    pub fn dishonest(&self, board: &Value) -> Option<String> {
        let plies = board["plies"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let is_wrong = |(n, ply): &(usize, &Value)| {
            ply["doubtful"] != true
                && !self.is_ply(*n, ply["uci"].as_str().unwrap_or_default(), false)
        };
        if let Some((n, ply)) = plies.iter().enumerate().find(is_wrong) {
            let (kind, id) = (self.play.kind, &self.id);
            return Some(format!(
                "{kind} {id}: ply {} is {} without doubt\n  {}",
                n + 1,
                ply["uci"],
                self.command()
            ));
        }
        let lists = ["doubts", "findings", "differs"]
            .map(|list| board[list].as_array().is_some_and(|list| !list.is_empty()));
        let is_shown = lists.contains(&true) || !board["fault"].is_null();
        let untold = self.differs(board).filter(|_| !is_shown);
        untold.or_else(|| self.accused(board))
    }

    /// Why a record is not the whole game and nothing else; `None` when it is.
    pub fn differs(&self, board: &Value) -> Option<String> {
        let count = board["plies"].as_array().map_or(0, Vec::len);
        let missing = || {
            let total = self.truth().len();
            (count != total).then(|| {
                format!(
                    "{}: {count} of {total} plies\n  {}",
                    self.id,
                    self.command()
                )
            })
        };
        self.wrong(board).or_else(missing)
    }
}

/// A daemon in a process of its own.
#[derive(Debug)]
pub struct House {
    daemon: Arbiterd,
    address: std::net::SocketAddr,
}

impl House {
    /// Starts a daemon on a configuration, which is written to `file`.
    ///
    /// # Panics
    /// When it does not start.
    pub fn open(file: &Path, configuration: &str) -> House {
        std::fs::write(file, configuration).expect("a configuration");
        let daemon = Arbiterd::serve(file);
        let address = daemon.address(Instant::now() + Duration::from_secs(20));
        let address =
            address.unwrap_or_else(|| panic!("the daemon does not serve:\n{}", daemon.log()));
        House { daemon, address }
    }

    /// Every board as the console sees it.
    ///
    /// # Panics
    /// When the daemon does not answer.
    pub fn boards(&self) -> Vec<Value> {
        let reply = get(self.address, "/api/boards");
        let reply =
            reply.unwrap_or_else(|error| panic!("/api/boards: {error}\n{}", self.daemon.log()));
        serde_json::from_str(&reply.body).expect("boards as JSON")
    }

    /// The evidence of a game, as an event script.
    ///
    /// # Panics
    /// When the daemon does not answer.
    pub fn script(&self, game: &str) -> String {
        let reply = get(self.address, &format!("/api/games/{game}/script"));
        reply
            .unwrap_or_else(|error| panic!("the script of {game}: {error}\n{}", self.daemon.log()))
            .body
    }

    /// Waits until nothing is left of what `why` complains about; `Err` is what it still says after
    /// `patience`.
    ///
    /// # Errors
    /// The complaints that are left.
    pub fn until<'a, T: 'a + IntoIterator<Item = String>>(
        &self,
        patience: Duration,
        why: impl Fn(&[Value]) -> T,
    ) -> Result<Vec<Value>, String> {
        let end = Instant::now() + patience;
        loop {
            let boards = self.boards();
            let complaints: Vec<String> = why(&boards).into_iter().collect();
            if complaints.is_empty() {
                return Ok(boards);
            }
            if Instant::now() > end {
                return Err(complaints.join("\n"));
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Ends the daemon at once, as a power cut would.
    pub fn kill(mut self) {
        self.daemon.kill();
    }

    /// Ends the daemon in order.
    ///
    /// # Panics
    /// When it does not end in order.
    pub fn close(mut self) {
        let status = self.daemon.stop(Duration::from_secs(15));
        assert!(
            status.is_some_and(|status| status.success()),
            "{status:?}\n{}",
            self.daemon.log()
        );
    }
}

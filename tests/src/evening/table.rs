//! A board at which a game is played, and what a record of this game must hold.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use arbiter_core::SensorClass;
use arbiter_core::shakmaty::Position;
use arbiter_core::shakmaty::uci::UciMove;
use board_driver::hand::{Performance, games};
use board_driver::noise::Sensors;
use board_driver::sim::Control;
use board_driver::{BoardEvent, BoardKind, SimConfig};
use serde_json::Value;
use tokio::sync::mpsc;

use super::Play;
use crate::rig::section;

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
    progress: Arc<Progress>,
}

/// A board with all that will happen on it.
pub(super) struct Device {
    pub(super) config: SimConfig,
    pub(super) script: Script,
    pub(super) controls: mpsc::Receiver<Control>,
}

/// How far a game is.
#[derive(Debug, Default)]
struct Progress {
    happened: AtomicUsize,
    over: AtomicBool,
}

/// What happens on a board. The board takes each event when its time has come.
pub(super) struct Script {
    events: std::vec::IntoIter<BoardEvent>,
    progress: Arc<Progress>,
}

impl Iterator for Script {
    type Item = BoardEvent;

    fn next(&mut self) -> Option<BoardEvent> {
        let event = self.events.next();
        match event {
            Some(_) => drop(self.progress.happened.fetch_add(1, Ordering::Relaxed)),
            None => self.progress.over.store(true, Ordering::Relaxed),
        }
        event
    }
}

/// A board for `play`, linked in `dir`, that has still to be switched on.
pub(super) fn sit(dir: &Path, number: usize, play: Play) -> (Table, Device) {
    let played = play.perform();
    let start = &games::all()[play.game].start;
    let model = (play.kind.profile().simulator.sensors)(play.cell.noise);
    let events =
        Sensors::with(play.cell.sensor, model, play.seed).read(start.board(), &played.acts);
    let progress = Arc::new(Progress::default());
    let script = Script {
        events: events.into_iter(),
        progress: progress.clone(),
    };
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
    let table = Table {
        id,
        play,
        port,
        played,
        controls,
        progress,
    };
    (table, device)
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
        let mut recorded = (0..).zip(plies(board));
        let (n, ply) = recorded.find(|(n, ply)| {
            let doubtful = ply["doubtful"] == true;
            !self.is_ply(*n, ply["uci"].as_str().unwrap_or_default(), doubtful)
        })?;
        let nothing = "nothing".to_owned();
        let played = self.truth().get(n).map_or(nothing, UciMove::to_string);
        Some(self.complaint(&format!("ply {} is {} and was {played}", n + 1, ply["uci"])))
    }

    /// A finding that is certain, though nobody did anything wrong.
    pub fn accused(&self, board: &Value) -> Option<String> {
        let mut findings = board["findings"].as_array().into_iter().flatten();
        let finding =
            findings.find(|f| f["certainty"] == "certain" && f["status"] != "withdrawn")?;
        Some(self.complaint(&finding.to_string()))
    }

    /// What is dishonest in the record of a game of which evidence was lost; `None` when every
    /// recorded ply was played or is in doubt, or follows one that is, a record that is not whole
    /// is shown as such, and nothing that rests on the gap is certain.
    pub fn dishonest(&self, board: &Value) -> Option<String> {
        let recorded = (0..).zip(plies(board));
        // How many plies were played unseen may be among what is in doubt.
        let mut sure = recorded.take_while(|(_, ply)| ply["doubtful"] != true);
        let made_up = sure.find(|(n, ply)| {
            let uci = ply["uci"].as_str().unwrap_or_default();
            !self.is_ply(*n, uci, false)
        });
        if let Some((n, ply)) = made_up {
            let what = format!("ply {} is {} without doubt", n + 1, ply["uci"]);
            return Some(self.complaint(&what));
        }
        let lists = ["doubts", "findings", "differs"]
            .map(|list| board[list].as_array().is_some_and(|list| !list.is_empty()));
        let is_shown = lists.contains(&true) || !board["fault"].is_null();
        let untold = self.differs(board).filter(|_| !is_shown);
        untold.or_else(|| self.accused(board))
    }

    /// Why a record is not the whole game and nothing else; `None` when it is.
    pub fn differs(&self, board: &Value) -> Option<String> {
        let (count, total) = (plies(board).len(), self.truth().len());
        let missing = || {
            let what = format!(
                "{count} of {total} plies of {}, fault {}, doubts {}, differs {}",
                board["game"], board["fault"], board["doubts"], board["differs"]
            );
            (count != total).then(|| self.complaint(&what))
        };
        self.wrong(board).or_else(missing)
    }

    /// `what`, of which board, and how to see it again.
    pub fn complaint(&self, what: &str) -> String {
        format!(
            "{} {}: {what}\n  {}",
            self.play.kind,
            self.id,
            self.command()
        )
    }

    /// What keeps the board from being heard, or is wrong with it.
    pub fn ails(&self, board: &Value) -> Option<String> {
        let is_well = board["connected"] == true && board["fault"].is_null();
        (!is_well).then(|| {
            let fault = board["fault"].as_str().unwrap_or("not connected");
            format!("{} {}: {fault}", self.play.kind, self.id)
        })
    }

    /// Nobody is surely accused, the board is heard, and no fault is left.
    ///
    /// # Panics
    /// When it is otherwise.
    pub fn assert_blameless(&self, board: &Value) {
        assert_eq!((self.accused(board), self.ails(board)), (None, None));
    }

    /// How much has happened on the board. The event that it waits for is among it.
    pub(super) fn happened(&self) -> usize {
        self.progress.happened.load(Ordering::Relaxed)
    }

    /// Whether all has happened that was to happen.
    pub(super) fn is_over(&self) -> bool {
        self.progress.over.load(Ordering::Relaxed)
    }

    /// The board in the daemon's configuration, as one of `kind`.
    pub(super) fn section(&self, number: usize, kind: BoardKind) -> String {
        let auto = self.play.auto;
        let told = if auto { "auto" } else { kind.name() };
        let mut more = format!("kind = \"{told}\"\n");
        if kind == BoardKind::DgtBus && !auto {
            more += &format!("address = {number}\n");
        }
        if !kind.profile().tells_time {
            more += &format!("pace = {}\n", self.play.pace);
        }
        section(&self.id, &self.port, &more)
    }
}

/// The half-moves in a record.
fn plies(board: &Value) -> &[Value] {
    board["plies"].as_array().map_or(&[], Vec::as_slice)
}

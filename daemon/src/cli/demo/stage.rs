//! A hall at work: its simulated boards, its daemon, its tournament and who rules in it.

use std::collections::BTreeSet;
use std::io;
use std::net::TcpListener;

use board_driver::sim::{SimReport, SimulatedBoard};
use daemon::config::Config;
use daemon::office::Office;
use daemon::run::Daemon;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::evening::{Ended, Evening};
use super::gate::{Budget, Gate};
use super::open::Open;
use super::referee::Referee;
use super::{Arguments, array, device, plays_in_open, seed, sensor};
use crate::cli::failure::Failure;

/// A hall at work.
pub(super) struct Stage {
    /// Its daemon.
    pub(super) daemon: Daemon,
    boards: JoinSet<io::Result<SimReport>>,
    referee: Referee,
    games: mpsc::UnboundedReceiver<Ended>,
}

impl Stage {
    /// Boards and daemon together; play has begun.
    pub(super) async fn set(
        arguments: &Arguments,
        config: &Config,
        shutdown: CancellationToken,
    ) -> Result<Stage, Failure> {
        let (ended, games) = mpsc::unbounded_channel();
        let gate = Gate::default();
        // Their ports are there before the daemon looks for them: a board that is late is a fault.
        let devices = devices(arguments, config, &ended, &gate)?;
        let daemon = Daemon::open(config, shutdown).map_err(Failure::failed)?;
        let open = open(arguments, config, daemon.office(), gate).await?;
        // Who answers now has a round to play in.
        let mut boards = JoinSet::new();
        for (device, games) in devices {
            let (_controls, inbox) = mpsc::channel(1);
            boards.spawn(async move { device.play(games, inbox).await });
        }
        let (hall, speed) = (daemon.hall().clone(), arguments.speed);
        Ok(Stage {
            daemon,
            boards,
            referee: Referee::new(hall, speed, arguments.games, open),
            games,
        })
    }

    /// Serves until the daemon is told to end; calls `enough` when enough games were seen.
    pub(super) async fn play(
        self,
        listener: TcpListener,
        enough: impl FnOnce() + Send + 'static,
    ) -> Result<(), Failure> {
        let Stage {
            daemon,
            mut boards,
            mut referee,
            games,
        } = self;
        let watching = tokio::spawn(async move {
            referee.watch(games).await;
            enough();
        });
        let served = daemon.serve(listener).await.map_err(Failure::failed);
        watching.abort();
        boards.shutdown().await;
        served
    }
}

/// Every board with what will be played on it.
fn devices(
    arguments: &Arguments,
    config: &Config,
    ended: &mpsc::UnboundedSender<Ended>,
    gate: &Gate,
) -> Result<Vec<(SimulatedBoard, Evening)>, Failure> {
    let budget = Budget::new(arguments.games);
    let mut devices = Vec::new();
    for (index, board) in config.boards.iter().enumerate() {
        let device = SimulatedBoard::create(device(arguments, config, index));
        let games = Evening::new(
            &board.id,
            sensor(index),
            seed(arguments, index),
            array(arguments, index),
            ended.clone(),
            budget.clone(),
            plays_in_open(arguments, index).then(|| gate.clone()),
        );
        devices.push((device.map_err(Failure::failed)?, games));
    }
    Ok(devices)
}

/// The tournament of the boards that play in it, if any do.
async fn open(
    arguments: &Arguments,
    config: &Config,
    office: &Office,
    gate: Gate,
) -> Result<Option<Open>, Failure> {
    let in_open = |index: &usize| plays_in_open(arguments, *index);
    let players = (0..config.boards.len()).filter(in_open);
    let players: BTreeSet<String> = players.map(|n| config.boards[n].id.clone()).collect();
    if players.is_empty() {
        return Ok(None);
    }
    let (office, dir) = (office.clone(), config.dir.clone());
    let open = Open::begin(office, dir, arguments.seed, gate, players);
    Ok(Some(open.await?))
}

//! Boards that play on pseudo-terminals.

use std::path::Path;
use std::time::Duration;

use arbiter_core::SensorClass;
use arbiter_core::irregularity::Code;
use arbiter_core::shakmaty::uci::UciMove;
use board_driver::hand::{Options, Performance, Style, games, perform};
use board_driver::noise::Sensors;
use board_driver::{SimConfig, SimulatedBoard};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// How long a board stays on when it has played.
const LINGER: Duration = Duration::from_secs(30);
/// Half-moves of the game that is played.
pub(crate) const PLIES: usize = 30;

/// What a simulated board plays.
#[derive(Clone, Copy)]
pub(crate) struct Play {
    /// Its id, and the name of its line.
    pub(crate) board: &'static str,
    pub(crate) class: SensorClass,
    pub(crate) seed: u64,
    /// What is done wrong, and in which half-move.
    pub(crate) breaches: &'static [(Code, u32)],
}

/// A board that plays a tidy game on a pseudo-terminal: what it plays, and what keeps it playing.
pub(crate) fn play(dir: &Path, play: Play) -> (Vec<UciMove>, JoinHandle<()>) {
    let Play { class, seed, .. } = play;
    let game = games::pick(seed);
    let moves = &game.moves[..game.moves.len().min(PLIES)];
    let options = Options::default();
    let played = perform(
        &game.start,
        moves,
        Style::Tidy,
        seed,
        play.breaches,
        &options,
    );
    let truth = played.truth.moves.clone();
    (
        truth,
        put_on_board(dir, play.board, class, true, seed, &played),
    )
}

/// A board on a pseudo-terminal on which that is played.
pub(crate) fn put_on_board(
    dir: &Path,
    board: &str,
    class: SensorClass,
    clock: bool,
    seed: u64,
    played: &Performance,
) -> JoinHandle<()> {
    let script = Sensors::new(class, 0, seed).read(&played.start, &played.acts);
    let mut config = SimConfig::new(dir.join(board), "SIM-1", class);
    (config.pace, config.linger, config.clock) = (60.0, LINGER, clock);
    let simulated = SimulatedBoard::create(config).expect("a pseudo-terminal");
    let (controls, control) = mpsc::channel(1);
    tokio::spawn(async move {
        let played = simulated.play(script, control).await;
        played.expect("the board plays");
        drop(controls);
    })
}

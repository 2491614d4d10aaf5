//! `arbiterd demo`: simulated boards, real games, the daemon and its console in one process.

mod broker;
mod cable;
mod evening;
mod gate;
mod halls;
mod open;
mod referee;
mod stage;

use std::fs;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::time::Duration;

use arbiter_core::SensorClass;
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{Board, EnPassantMode, Position};
use board_driver::hand::games::{self, Game};
use board_driver::sim::SimConfig;
use clap::Args;
use daemon::config::Config;
use daemon::run;

use super::failure::Failure;
use super::runtime;
use super::speed::speed;
use super::terminal::{STRONG, Screen};
use stage::Stage;

/// Show everything at work: simulated boards play real games, in a tournament of three rounds;
/// nothing needs to be configured.
///
/// Its pairings are in `open.trf` of the directory, its results in `results.trf` after every round.
/// Ends at Ctrl-C, or by itself after `--games`.
///
/// With `--halls`, so many halls play, each with boards and a daemon of its own, and a hub shows
/// them all. One hall after the other is cut off from the hub, plays on, and catches up: what
/// happens is told line by line, and seen on the hub's page.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arbiterd demo --boards 12 --speed 10\n          \
    arbiterd demo --halls 3 --boards 2"
)]
pub(crate) struct Arguments {
    /// How many halls play, with a hub that shows them all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=6))]
    halls: Option<u8>,
    /// How many boards play, of every class of sensors in turn; with `--halls`, in each
    #[arg(
        long,
        value_name = "N",
        default_value_t = 4,
        value_parser = clap::value_parser!(u16).range(1..=1000)
    )]
    boards: u16,
    /// How many times faster than real hands; 0 is as fast as it goes
    #[arg(long, value_name = "X", default_value_t = 4.0, value_parser = speed)]
    speed: f32,
    /// Chance begins here; the same seed plays the same games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Play Chess960, every board from an array of its own
    #[arg(long)]
    chess960: bool,
    /// The console's address, with `--halls` that of the hub [default: 127.0.0.1:8080, or a free
    /// port if that is taken]
    #[arg(long, value_name = "ADDR")]
    http: Option<SocketAddr>,
    /// Serve a network without TLS and without passwords: WHOEVER REACHES THE ADDRESS RULES
    #[arg(long)]
    insecure_network: bool,
    /// Where journal and PGN files go [default: a new directory for temporary files]
    #[arg(long)]
    dir: Option<PathBuf>,
    /// End when this many games have ended; with `--halls`, in each, and one has caught up
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
}

/// Runs the demonstration.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let dir = directory(arguments.dir.as_deref())?;
    let listener = listen(arguments.http)?;
    daemon::logging::start(false);
    if let Some(count) = arguments.halls {
        let play = halls::play(arguments, &dir, listener, usize::from(count));
        return runtime()?.block_on(play);
    }
    let address = listener.local_addr().map_err(Failure::failed)?;
    let config = configured(arguments, &dir, address, "")?;
    announce(arguments, &config, address)?;
    runtime()?.block_on(async {
        let shutdown = run::on_signals().map_err(Failure::failed)?;
        let stage = Stage::set(arguments, &config, shutdown.clone()).await?;
        stage.play(listener, move || shutdown.cancel()).await
    })
}

/// The configuration of a hall, which is written down; `further` is the end of its file.
fn configured(
    arguments: &Arguments,
    dir: &Path,
    address: SocketAddr,
    further: &str,
) -> Result<Config, Failure> {
    let file = dir.join("arbiter.toml");
    write(
        &file,
        &format!("{}{further}", configuration(arguments, dir, address)),
    )?;
    let mut config = Config::load(&file).map_err(Failure::bad_line)?;
    config.entrance.insecure = arguments.insecure_network;
    Ok(config)
}

/// Whether a board plays in the tournament: those of Chess960 play games of their own, each from
/// its array.
fn plays_in_open(arguments: &Arguments, index: usize) -> bool {
    !arguments.chess960 && index < usize::from(open::TABLES)
}

fn device(arguments: &Arguments, config: &Config, index: usize) -> SimConfig {
    let serial = format!("DEMO-{}", index + 1);
    // A board that has no more games to play stays connected: the demonstration ends it.
    let array = array(arguments, index);
    let class = sensor(index);
    SimConfig {
        pace: arguments.speed,
        squares: class.reads(&array.map_or_else(Board::new, |game| game.start.board().clone())),
        linger: Duration::from_secs(86_400),
        ..SimConfig::new(link(&config.dir, index), serial, sensor(index))
    }
}

/// Where a board's port is linked.
fn link(dir: &Path, index: usize) -> PathBuf {
    dir.join("ports").join(format!("board{}", index + 1))
}

fn sensor(index: usize) -> SensorClass {
    [
        SensorClass::Piece,
        SensorClass::Colour,
        SensorClass::Occupancy,
    ][index % 3]
}

/// The game of Chess960 that a board plays, if it does: again and again, as the configuration names
/// its array.
fn array(arguments: &Arguments, index: usize) -> Option<&'static Game> {
    let all = games::chess960();
    arguments
        .chess960
        .then(|| all.get(seed(arguments, index) as usize % all.len().max(1)))
        .flatten()
}

/// Every board has its own evening.
fn seed(arguments: &Arguments, index: usize) -> u64 {
    arguments
        .seed
        .wrapping_mul(1_000_003)
        .wrapping_add(index as u64)
}

/// The directory of the demonstration; without a wish a new one, so that no demonstration meets an
/// older one's games.
fn directory(wish: Option<&Path>) -> Result<PathBuf, Failure> {
    let dir = match wish {
        Some(dir) => dir.to_owned(),
        None => {
            let since = std::time::SystemTime::now()
                .duration_since(std::time::UNIX_EPOCH)
                .unwrap_or_default();
            std::env::temp_dir().join(format!(
                "arbiterd-demo-{}-{}",
                since.as_secs(),
                std::process::id()
            ))
        }
    };
    let dir = std::path::absolute(&dir).map_err(Failure::failed)?;
    make_ports(&dir)?;
    Ok(dir)
}

/// The directory where a hall's ports are linked.
fn make_ports(dir: &Path) -> Result<(), Failure> {
    let ports = dir.join("ports");
    fs::create_dir_all(&ports)
        .map_err(|e| Failure::failed(format_args!("cannot create {}: {e}", ports.display())))
}

/// The console's address: the one asked for, else the usual one, else a free one.
fn listen(wish: Option<SocketAddr>) -> Result<TcpListener, Failure> {
    let taken = match run::bind(wish.unwrap_or(Config::LISTEN)) {
        Ok(listener) => return Ok(listener),
        Err(taken) => taken,
    };
    if let Some(address) = wish {
        let why = format!("{taken}").replace("in [http] listen", "with --http");
        return Err(Failure::failed(if why.contains("--http") {
            why
        } else {
            format!("{address}: {why}")
        }));
    }
    run::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).map_err(Failure::failed)
}

/// The configuration as a file, so that the demonstration shows one.
fn configuration(arguments: &Arguments, dir: &Path, address: SocketAddr) -> String {
    const NAMES: [&str; 16] = [
        "Agnes", "Bruno", "Clara", "Dario", "Edith", "Farid", "Greta", "Hugo", "Ilse", "Jonas",
        "Karim", "Lotte", "Marta", "Nils", "Olga", "Pablo",
    ];
    let mut text = format!(
        "# Written by `arbiterd demo`. Its boards are simulated; they are gone when it ends.\n\
         [http]\nlisten = \"{address}\"\n\n[store]\ndir = {}\n\n\
         [event]\nname = \"Demonstration\"\nsite = \"Simulated boards\"\n",
        quoted(dir)
    );
    for index in 0..usize::from(arguments.boards) {
        let (white, black) = (NAMES[index * 2 % 16], NAMES[(index * 2 + 1) % 16]);
        let (number, port) = (index + 1, quoted(&link(dir, index)));
        text += &format!(
            "\n[[board]]\nid = \"b{number:02}\"\nname = \"Board {number}\"\n\
             port = {port}\nkind = \"native\"\n\
             white = \"{white}\"\nblack = \"{black}\"\n"
        );
        if let Some(game) = array(arguments, index) {
            let fen = Fen::from_position(&game.start, EnPassantMode::Legal);
            text += &format!("chess960 = true\nfen = \"{fen}\"\n");
        }
    }
    text
}

/// A path as TOML writes it.
fn quoted(path: &Path) -> String {
    toml::Value::from(path.display().to_string()).to_string()
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    fs::write(file, text)
        .map_err(|e| Failure::failed(format_args!("cannot write {}: {e}", file.display())))
}

/// Says where everything is.
fn announce(arguments: &Arguments, config: &Config, address: SocketAddr) -> io::Result<()> {
    let (screen, mut out) = (Screen::stdout(), io::stdout().lock());
    let mut line = |what: &str, text: String| {
        writeln!(
            out,
            "{} {text}",
            screen.paint(STRONG, &format!("{what:<8}"))
        )
    };
    let speed = match arguments.speed {
        0.0 => "as fast as it goes".to_owned(),
        speed => format!("{speed} times as fast as real hands"),
    };
    line("console", format!("http://{address}"))?;
    line("games", config.dir.join("pgn").display().to_string())?;
    line(
        "journal",
        config.dir.join(daemon::store::FILE).display().to_string(),
    )?;
    line(
        "config",
        config.dir.join("arbiter.toml").display().to_string(),
    )?;
    if plays_in_open(arguments, 0) {
        let file = config.dir.join("open.trf").display().to_string();
        line("event", format!("{file}, results in results.trf"))?;
    }
    line(
        "boards",
        format!(
            "{} simulated, {speed}, seed {}; Ctrl-C ends",
            arguments.boards, arguments.seed
        ),
    )
}

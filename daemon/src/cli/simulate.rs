//! `arbiterd simulate`: a board on a pseudo-terminal, and a game played on it by hand.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use arbiter_core::irregularity::Code;
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{Board, Chess, EnPassantMode, Position, Square};
use arbiter_core::{Millis, SensorClass, Time};
use board_driver::hand::{BREACHES, Options, Performance, Style, games, perform};
use board_driver::noise::{Defects, Sensors};
use board_driver::sim::{SimConfig, SimulatedBoard};
use board_driver::{BoardEvent, BoardKind, Report};
use clap::{Args, ValueEnum};
use daemon::chess960::Chess960;
use daemon::pgn;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as Unknown, StrDeserializer};
use tokio::sync::mpsc;

use super::failure::Failure;
use super::runtime;
use super::speed::speed;

/// Play a game on a simulated board, a serial device like any other.
///
/// Plays as soon as a program has opened the board, and ends two seconds after the game.
#[derive(Args, Debug)]
#[command(
    after_help = "Example: arbiterd simulate --link /tmp/board1 --sensor occupancy --breach \
                  touch-move-own-piece@12"
)]
pub(crate) struct Arguments {
    /// Where to link the board's port
    #[arg(long, value_name = "PATH")]
    link: PathBuf,
    /// What the board speaks
    #[arg(long, value_name = "KIND", default_value = "native", help = kinds())]
    board: BoardKind,
    /// What its sensors can tell: occupancy, colour or piece [default: what boards of this kind
    /// tell; piece where any can]
    #[arg(long, value_name = "CLASS", value_parser = sensor)]
    sensor: Option<SensorClass>,
    /// The game to play: the first of this file. Without it, one that the program carries
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Play a game of Chess960 that the program carries: any, or the first from the array of that
    /// number (0 to 959)
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        default_missing_value = "any",
        conflicts_with = "pgn",
        value_parser = array
    )]
    chess960: Option<Array>,
    /// Whose hands play
    #[arg(long, value_enum, default_value = "human")]
    hand: Hand,
    /// How poor the sensors are: 0 ideal, 1 healthy, 2 poor
    #[arg(
        long,
        value_name = "LEVEL",
        default_value_t = 1,
        value_parser = clap::value_parser!(u8).range(0..=2)
    )]
    noise: u8,
    /// Milliseconds between two scans of a board that sends whole states [default: as boards of
    /// this kind do]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..=1000))]
    scan_ms: Option<u32>,
    /// Chance begins here; the same seed plays the same way
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The board's serial number [default: `SIM-` and the name of its port, or a number made of it]
    #[arg(long, value_name = "TEXT")]
    serial: Option<String>,
    /// How many times faster than real hands; 0 is as fast as it goes
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = speed)]
    speed: f32,
    /// Break this Law at this half-move, or at the first later one that allows it; may be repeated
    #[arg(long = "breach", value_name = "CODE@PLY", help = breaches(), value_parser = breach)]
    breaches: Vec<(Code, u32)>,
    /// A square whose sensor cannot be read; may be repeated. A native board says so
    #[arg(long, value_name = "SQUARE")]
    stuck: Vec<Square>,
    /// A square that flickers; may be repeated. A native board says so and reports nothing of it
    #[arg(long, value_name = "SQUARE")]
    flicker: Vec<Square>,
    /// A native board with analogue sensors: it tells their levels and can be calibrated
    #[arg(long)]
    analogue: bool,
    /// Write what was really played and broken to this file, as JSON
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,
}

/// Squares that a board which reads tags reads badly in a scan, in a thousand, for each level of
/// noise.
const MISREAD: [u16; 3] = [0, 2, 10];

/// The final position, or the players' sign of the result, stands this long in board milliseconds:
/// what rests is meant.
const AFTERWARDS: Millis = 3_000;

/// Whose hands play.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Hand {
    /// Lift, place, press
    Tidy,
    /// Slides, hesitates, straightens pieces
    Human,
    /// The same in time trouble
    Hurried,
    /// The last minute of a blitz game
    Blitz,
}

/// The serial number that was asked for, else one that follows from the port: one board on two
/// ports is not listened to. DGT boards have numbers, others have names.
fn serial(arguments: &Arguments, kind: BoardKind) -> String {
    let name = arguments.link.file_name().unwrap_or_default();
    let name = name.to_string_lossy();
    let name = name.chars().filter(char::is_ascii_alphanumeric).take(28);
    let name: String = name.collect();
    let of_port = || match kind {
        BoardKind::Dgt | BoardKind::DgtBus => format!("SIM-{}", number(&name)),
        _ => format!("SIM-{name}"),
    };
    arguments.serial.clone().unwrap_or_else(of_port)
}

/// A number of a DGT board, 1 to 16383: that with which `name` ends, where it does.
fn number(name: &str) -> u32 {
    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    let told = digits.parse().ok().filter(|n| (1..=16_383).contains(n));
    let any = || {
        name.bytes()
            .fold(7_u32, |sum, b| (sum * 31 + u32::from(b)) % 16_383)
            + 1
    };
    told.unwrap_or_else(any)
}

/// From which array of Chess960 a game starts.
#[derive(Clone, Copy, Debug)]
enum Array {
    Any,
    Number(u32),
}

fn array(text: &str) -> Result<Array, String> {
    match text {
        "any" => Ok(Array::Any),
        number => match Chess960::parse(number)? {
            Chess960::Array(number) => Ok(Array::Number(number)),
            Chess960::Castling(_) => Ok(Array::Any),
        },
    }
}

/// A carried game of Chess960.
fn chess960(array: Array, seed: u64) -> Result<games::Game, Failure> {
    let all = games::chess960();
    let found = match array {
        Array::Any => all.get(seed as usize % all.len().max(1)),
        Array::Number(number) => all
            .iter()
            .find(|game| *game.start.board() == Board::chess960(number)),
    };
    let missing = || {
        Failure::bad_input("--chess960: no game is carried from this array; give one with --pgn")
    };
    found.cloned().ok_or_else(missing)
}

/// What hands can break, for `--help`.
fn breaches() -> String {
    let codes = BREACHES.map(Code::name).join(", ");
    format!(
        "Break this Law at this half-move, or at the first later one that allows it; may be \
         repeated. CODE is one of {codes}"
    )
}

/// The kinds of boards for `--help`.
fn kinds() -> String {
    format!("What the board speaks: {}", BoardKind::names())
}

/// What the simulated board's sensors tell, if there can be such a board.
fn class(arguments: &Arguments) -> Result<SensorClass, Failure> {
    let profile = arguments.board.profile();
    if arguments.speed == 0.0 && !profile.tells_time {
        return Err(Failure::bad_input(format_args!(
            "--speed 0: a {} board tells no time, so its host takes the world's; choose a speed \
             above 0",
            profile.title
        )));
    }
    if arguments.analogue && arguments.board != BoardKind::Native {
        return Err(Failure::bad_input(
            "--analogue: only native boards tell the levels of their sensors",
        ));
    }
    match (profile.sensor, arguments.sensor) {
        (Some(has), Some(wanted)) if has != wanted => Err(Failure::bad_input(format_args!(
            "--sensor: a {} board has {} sensors; leave the option out",
            profile.title,
            format!("{has:?}").to_lowercase()
        ))),
        (has, wanted) => Ok(has.or(wanted).unwrap_or(SensorClass::Piece)),
    }
}

/// Plays the game.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (kind, class) = (arguments.board, class(arguments)?);
    let game = game(arguments)?;
    let performance = performance(arguments, &game)?;
    let mut sensors = Sensors::with(
        class,
        (kind.profile().simulator.sensors)(arguments.noise),
        arguments.seed,
    );
    let events = sensors.read(game.start.board(), &performance.acts);
    let [stuck, flicker] =
        [&arguments.stuck, &arguments.flicker].map(|squares| squares.iter().copied().collect());
    let defects = Defects {
        stuck,
        flicker,
        told: kind == BoardKind::Native,
    };
    let squares = class.reads(game.start.board());
    let mut events = defects.spoil(class, &squares, events);
    let end = events.last().map_or(Time::ZERO, |event| event.at) + AFTERWARDS;
    events.push(BoardEvent {
        at: end,
        report: Report::Alive,
    });
    if let Some(file) = &arguments.truth {
        let truth = serde_json::to_string(&performance.truth).map_err(Failure::failed)?;
        std::fs::write(file, truth + "\n").map_err(|e| cannot("write", file, &e))?;
    }
    let config = SimConfig {
        kind,
        pace: arguments.speed,
        clock: kind.profile().clock,
        scan_ms: arguments.scan_ms.unwrap_or(0),
        misread: MISREAD
            .get(usize::from(arguments.noise))
            .copied()
            .unwrap_or(0),
        levels: arguments.analogue,
        squares,
        ..SimConfig::new(&arguments.link, serial(arguments, kind), class)
    };
    if !kind.profile().tells_time && arguments.speed != 1.0 {
        writeln!(
            io::stdout(),
            "its host must know the speed: pace = {}",
            arguments.speed
        )?;
    }
    // The daemon has to know: its board needs the same start.
    if game.start != Chess::default() {
        let fen = Fen::from_position(&game.start, EnPassantMode::Legal);
        writeln!(io::stdout(), "the game starts from {fen}")?;
    }
    runtime()?.block_on(play(config, events))
}

/// Plays `events` on a board until they are over or somebody interrupts.
async fn play(config: SimConfig, events: Vec<BoardEvent>) -> Result<(), Failure> {
    let link = config.link.display().to_string();
    let shutdown = daemon::run::on_signals().map_err(Failure::failed)?;
    let board = SimulatedBoard::create(config).map_err(Failure::failed)?;
    writeln!(io::stdout(), "the board is at {link}")?;
    let bar = ProgressBar::new(events.len() as u64).with_style(style());
    let (_controls, inbox) = mpsc::channel(1);
    tokio::select! {
        // The board goes when it is dropped here, and its link with it.
        () = shutdown.cancelled() => Err(Failure::failed("interrupted before the game was over")),
        played = board.play(bar.wrap_iter(events.into_iter()), inbox) => {
            played.map(drop).map_err(Failure::failed)
        }
    }
}

fn style() -> ProgressStyle {
    let style = ProgressStyle::with_template("{elapsed_precise} {wide_bar} {pos}/{len} events");
    style.unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// The game to be played.
fn game(arguments: &Arguments) -> Result<games::Game, Failure> {
    if let Some(array) = arguments.chess960 {
        return chess960(array, arguments.seed);
    }
    let Some(file) = &arguments.pgn else {
        return Ok(games::pick(arguments.seed).clone());
    };
    let opened = std::fs::File::open(file).map_err(|e| cannot("read", file, &e))?;
    let wrong = |what: &dyn std::fmt::Display| {
        Failure::bad_input(format_args!("{}: {what}", file.display()))
    };
    let pgn::Played {
        start,
        moves,
        result,
    } = pgn::read(opened).map_err(|e| wrong(&e))?;
    if moves.is_empty() {
        return Err(wrong(&"the game holds no moves"));
    }
    Ok(games::Game {
        start,
        moves,
        result,
    })
}

/// The game as it will be played by hand, with every breach that was asked for.
fn performance(arguments: &Arguments, game: &games::Game) -> Result<Performance, Failure> {
    let style = match arguments.hand {
        Hand::Tidy => Style::Tidy,
        Hand::Human => Style::Human,
        Hand::Hurried => Style::Hurried,
        Hand::Blitz => Style::Blitz,
    };
    let clock = arguments.board.profile().clock;
    let options = Options {
        clock,
        kings_sign: true,
        result: game.result,
        ..Options::default()
    };
    let performance = perform(
        &game.start,
        &game.moves,
        style,
        arguments.seed,
        &arguments.breaches,
        &options,
    );
    match performance.left_out.first() {
        None => Ok(performance),
        Some((breach, ply)) => Err(Failure::bad_input(format_args!(
            "--breach {breach}@{ply}: no half-move of this game from there on allows it; choose an \
             earlier one or another game"
        ))),
    }
}

fn cannot(what: &str, file: &Path, error: &std::io::Error) -> Failure {
    Failure::bad_input(format_args!("cannot {what} {}: {error}", file.display()))
}

/// Reads a name that serde knows, such as `occupancy`.
fn named<'de, T: Deserialize<'de>>(name: &'de str) -> Result<T, String> {
    let from: StrDeserializer<'de, Unknown> = name.into_deserializer();
    T::deserialize(from).map_err(|e| {
        e.to_string()
            .replace("unknown variant ", "")
            .replace(", expected", "; it is")
    })
}

fn sensor(text: &str) -> Result<SensorClass, String> {
    named(text)
}

fn breach(text: &str) -> Result<(Code, u32), String> {
    let (code, ply) = text
        .split_once('@')
        .ok_or("it is CODE@PLY, such as touch-move-own-piece@12")?;
    let ply = ply
        .parse()
        .ok()
        .filter(|ply| *ply > 0)
        .ok_or(format!("`{ply}` is no half-move; the first is 1"))?;
    Ok((named(code)?, ply))
}

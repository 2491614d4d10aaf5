//! `arbiterd doctor`: a live picture of what a board reads, what is wrong with it, and tests of all
//! its parts.

mod calibrate;
mod examine;
mod keys;
mod lamps;
mod lines;
mod mending;
mod picture;
mod screen;
mod summary;
mod update;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use board_driver::recording::{Recorder, SharedRecorder};
use board_driver::{BoardKind, BusLink, Command, Link, LinkConfig, LinkEvent, PortSpec, Seat};
use clap::Args;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use examine::Doctor;

use super::failure::Failure;
use super::runtime;
use super::speed::speed;

/// Examine a board: a live picture of what it reads, rates and losses, squares that flicker, and
/// tests of its parts.
///
/// On a terminal there is a picture, and keys for the tests; elsewhere a line for everything that
/// happens. At the end comes a summary. The exit status is 0 if the board is healthy and every test
/// that was asked for is passed, else 1.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  arbiterd doctor /dev/ttyACM0                     look at the board; keys are shown below the \
  picture
  arbiterd doctor /dev/ttyACM0 --walk --controls   until every square, the lever and the buttons \
  were tried
  arbiterd doctor /dev/ttyACM0 --for 10 --json     ten seconds, for machines
  arbiterd doctor /dev/ttyACM0 --calibrate         analogue sensors: take all pieces off first
  arbiterd doctor /dev/ttyACM0 --mend              lines that were exchanged: touch a1 to h8 in \
  order
  arbiterd doctor /dev/ttyACM0 --self-test         what the board finds out about its own parts
  arbiterd doctor /dev/ttyACM0 --update pico-matrix.uf2   another firmware, over USB")]
pub(crate) struct Arguments {
    /// The board's port
    #[arg(value_name = "PORT")]
    port: PathBuf,
    /// What the board speaks; without it, the program finds out
    #[arg(long, value_name = "KIND")]
    board: Option<BoardKind>,
    /// The board's address, where many DGT boards share the port
    #[arg(long, value_name = "N")]
    address: Option<u16>,
    /// The port's speed [default: the usual one of boards of this kind]
    #[arg(long, value_name = "BITS")]
    baud: Option<u32>,
    /// How many times faster than the world a simulated board plays that cannot say so itself
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = speed)]
    pace: f32,
    /// End after so many seconds
    #[arg(long = "for", value_name = "SECONDS", value_parser = seconds)]
    span: Option<Duration>,
    /// Walk test: every square has to be seen full and empty; take one piece over all 64, and lift
    /// those that stand
    #[arg(long)]
    walk: bool,
    /// The clock has to be pressed by both sides, and both adjust buttons where there are any
    #[arg(long)]
    controls: bool,
    /// Light the lamps rank by rank, file by file, all together
    #[arg(long)]
    lamps: bool,
    /// Analogue sensors: take what they read as zero, as soon as every square reads empty; take all
    /// pieces off first
    #[arg(long)]
    calibrate: bool,
    /// Lines that were exchanged: touch every square in order, a1, b1 to h8, with one piece; the
    /// board keeps which line reads which square
    #[arg(long)]
    mend: bool,
    /// The board tries its own parts, and tells what it found
    #[arg(long)]
    self_test: bool,
    /// Exchange the firmware of a Raspberry Pi Pico for this one: a UF2 file. Nothing else is
    /// examined; with --for, the drive and the board are waited for so long
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["walk", "controls", "lamps", "calibrate", "mend", "self_test",
            "address", "board", "plain"]
    )]
    update: Option<PathBuf>,
    /// Where the board's drive RPI-RP2 is mounted, with --update [default: it is found]
    #[arg(long, value_name = "DIRECTORY", requires = "update")]
    drive: Option<PathBuf>,
    /// Write one JSON object a line
    #[arg(long)]
    json: bool,
    /// Write lines on a terminal too, instead of the picture
    #[arg(long, conflicts_with = "json")]
    plain: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text
        .parse::<f64>()
        .ok()
        .filter(|seconds| (0.1..=1e6).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "a number of seconds, from 0.1 on".to_owned())
}

/// Examines until the time is up, the tests are passed, or somebody interrupts.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.address.is_some()
        && arguments
            .board
            .is_some_and(|kind| kind != BoardKind::DgtBus)
    {
        return Err(Failure::bad_input(
            "--address is for boards of the kind dgt-bus, many on one line",
        ));
    }
    if let Some(file) = &arguments.update {
        return runtime()?.block_on(update::run(arguments, file));
    }
    runtime()?.block_on(async {
        let shutdown = daemon::run::on_signals().map_err(Failure::failed)?;
        let (commands, orders) = mpsc::channel(16);
        let (to, events) = mpsc::channel(256);
        let recorder = Recorder::counting(Instant::now()).shared();
        let hang_up = CancellationToken::new();
        let line = tokio::spawn(follow(
            arguments,
            to,
            orders,
            recorder.clone(),
            hang_up.clone(),
        ));
        let mut doctor = Doctor::new(arguments, commands, recorder)?;
        let examined = doctor.examine(events, shutdown, arguments.span).await;
        doctor.dismiss().await;
        hang_up.cancel();
        // It ends by itself as soon as it is told.
        let _ended = line.await;
        examined?;
        doctor.conclude()
    })
}

/// Keeps the line to the board open.
fn follow(
    arguments: &Arguments,
    events: mpsc::Sender<LinkEvent>,
    commands: mpsc::Receiver<Command>,
    recorder: SharedRecorder,
    hang_up: CancellationToken,
) -> impl Future<Output = ()> + Send + 'static {
    let &Arguments {
        board,
        baud,
        pace,
        address,
        ..
    } = arguments;
    let kind = address.map(|_| BoardKind::DgtBus).or(board);
    let port = PortSpec::from(arguments.port.clone());
    let config = LinkConfig {
        kind,
        baud,
        pace,
        address,
        ..LinkConfig::native(port)
    };
    async move {
        let hang_up = hang_up.cancelled_owned();
        match address {
            Some(_) => {
                BusLink::run(
                    vec![Seat {
                        config,
                        events,
                        commands,
                    }],
                    hang_up,
                )
                .await
            }
            None => Link::record(config, events, commands, recorder, hang_up).await,
        }
    }
}

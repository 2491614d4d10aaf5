//! Arguments, and how the program ends: 0 done, 1 could not do it, 2 bad configuration or
//! arguments.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Parser;
use linux_embedded_hal::{CdevPin, SpidevDevice};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::check;
use crate::config::{Addresses, Config, Sensors, Serve};
use crate::hardware::{self, OpenError, Squares, Wired};
use crate::line;
use crate::monitor::{self, Monitor};
use crate::service;
use crate::state::{LEAVE, Store};

/// Reads a board's sensors over SPI or I2C, and serves the native board protocol.
///
/// Ctrl-C or SIGTERM ends it in order. SENSOR_BOARD_LOG chooses what is logged: warn, info, debug.
#[derive(Parser, Debug)]
#[command(
    name = "sensor-board",
    version,
    after_help = "Examples:\n  sensor-board --config /etc/sensor-board.toml\n  \
                  sensor-board --config board.toml --check           \
                  # what works, and what to do about the rest\n  \
                  sensor-board --config board.toml --pty /tmp/board  \
                  # then: arbiterd doctor /tmp/board"
)]
struct Arguments {
    /// The configuration; docs/hardware.md shows one for each kind of board
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// Try every device for two seconds, say what works, and end: status 1 if something does not
    #[arg(long)]
    check: bool,
    /// Take what the analogue sensors read now as their zeros, and end; all squares must be empty
    #[arg(long, conflicts_with = "check")]
    calibrate: bool,
    /// Let a host on the network calibrate the board once within ten minutes, and end
    #[arg(long, conflicts_with_all = ["check", "calibrate"])]
    allow_calibration: bool,
    /// Serve on a serial port instead of what the configuration says
    #[arg(long, value_name = "DEVICE", group = "serve")]
    port: Option<PathBuf>,
    /// Serve on a pseudo-terminal linked here
    #[arg(long, value_name = "LINK", group = "serve")]
    pty: Option<PathBuf>,
    /// Serve on this address and port
    #[arg(long, value_name = "ADDRESS", group = "serve")]
    tcp: Option<std::net::SocketAddr>,
}

/// Why the program ends early.
enum Failure {
    /// Status 1.
    Failed(String),
    /// Status 2.
    BadInput(String),
}

/// Runs the command line.
pub fn main() -> ExitCode {
    let outcome = match Arguments::try_parse() {
        Ok(arguments) => run(arguments),
        Err(told) => {
            // Help goes to standard output, errors to standard error.
            let _nobody_reads = told.print();
            return ExitCode::from(told.exit_code() as u8);
        }
    };
    let (what, status) = match outcome {
        Ok(status) => return status,
        Err(Failure::Failed(what)) => (what, 1),
        Err(Failure::BadInput(what)) => (what, 2),
    };
    eprintln!("sensor-board: {what}");
    ExitCode::from(status)
}

fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let mut config = Config::read(&arguments.config).map_err(Failure::BadInput)?;
    if let Some(path) = arguments.port {
        config.serve = Serve::Port {
            path,
            baud: Serve::BAUD,
        };
    } else if let Some(link) = arguments.pty {
        config.serve = Serve::Pty { link, group: None };
    } else if let Some(address) = arguments.tcp {
        config.serve = Serve::Tcp(address);
    }
    if arguments.allow_calibration {
        return allow_calibration(&Store::new(&config.state.dir));
    }
    let task = match (arguments.check, arguments.calibrate) {
        (true, _) => Task::Check,
        (_, true) => Task::Calibrate,
        _ => Task::Serve,
    };
    match config.sensors.clone() {
        Sensors::ShiftRegisters(chain) => task.on(&config, || {
            hardware::open_shift_registers(&chain, &config.gpio)
        }),
        Sensors::Expanders(bus) => match bus.addresses {
            Addresses::Four(chips) => task.on(&config, || hardware::open_expanders(&bus, chips)),
            Addresses::Five(chips) => task.on(&config, || hardware::open_expanders(&bus, chips)),
        },
        Sensors::Hall(hall) => {
            let store = Store::new(&config.state.dir);
            task.on(&config, || {
                hardware::open_hall(&hall, &config.gpio, store.zeros())
            })
        }
    }
}

fn allow_calibration(store: &Store) -> Result<ExitCode, Failure> {
    let file = store.path("calibration-allowed");
    let failed = |e| Failure::Failed(format!("{file}: {e}; type it with sudo"));
    store.allow_calibration().map_err(failed)?;
    println!(
        "within {} minutes a host on the network may calibrate the board, once",
        LEAVE.as_secs() / 60
    );
    Ok(ExitCode::SUCCESS)
}

/// What is to be done with the board.
#[derive(Clone, Copy)]
enum Task {
    Serve,
    Check,
    Calibrate,
}

impl Task {
    /// Does it, with the squares that `squares` opens.
    fn on<S: Squares>(
        self,
        config: &Config,
        mut squares: impl FnMut() -> Result<S, OpenError>,
    ) -> Result<ExitCode, Failure> {
        let open = || -> Result<Wired<S, CdevPin, SpidevDevice>, OpenError> {
            let controls = hardware::open_controls(&config.gpio, config.controls.as_ref())?;
            Ok(Wired::new(
                squares()?,
                controls,
                hardware::open_lamps(config.lamps.as_ref())?,
            ))
        };
        match self {
            Task::Serve => serve(config, open),
            Task::Check => Ok(check::check(config, open)),
            Task::Calibrate => check::calibrate(config, open).map_err(Failure::Failed),
        }
    }
}

fn serve<S: Squares>(
    config: &Config,
    open: impl FnMut() -> Result<Wired<S, CdevPin, SpidevDevice>, OpenError>,
) -> Result<ExitCode, Failure> {
    let bar = monitor::bar();
    monitor::start_log(&bar);
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // The second one ends the program at once; it comes first in the list, so that the first
        // one is not taken for it.
        flag::register_conditional_shutdown(signal, 130, Arc::clone(&stop))
            .map_err(|e| Failure::Failed(e.to_string()))?;
        flag::register(signal, Arc::clone(&stop)).map_err(|e| Failure::Failed(e.to_string()))?;
    }
    let mut line = line::open(&config.serve).map_err(Failure::Failed)?;
    let mut monitor = Monitor::new(config, bar);
    service::serve(
        config,
        &Store::new(&config.state.dir),
        open,
        line.as_mut(),
        &mut monitor,
        &stop,
    );
    Ok(ExitCode::SUCCESS)
}

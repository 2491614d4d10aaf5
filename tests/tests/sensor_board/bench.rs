//! A board computer that runs `sensor-board`'s loop over simulated chips, and serves a
//! pseudo-terminal.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use firmware::scan::{Active, Hall, HallSettings, Mcp3208, ShiftRegisters, Tail};
use firmware_linux::config::Config;
use firmware_linux::hardware::{self, Lines, OpenError, Squares, Wait, Wired};
use firmware_linux::line::{self, Line};
use firmware_linux::monitor::Monitor;
use firmware_linux::service;
use firmware_linux::state::Store;

use crate::chips::{Address, Chain, Converter, Copper, Expanders, Lamps, Latch, Lever};

/// The board computer. It is switched off when this is dropped.
pub(crate) struct Bench {
    pub(crate) copper: Copper,
    dir: tempfile::TempDir,
    /// Where it is served.
    port: PathBuf,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Bench {
    /// Four MCP23017 at a kilohertz, as a bus of 1 MHz reads them.
    pub(crate) fn on_expanders() -> Bench {
        let new = |copper: &Copper| {
            let bus = Expanders(copper.clone());
            firmware::scan::Expanders::new(bus, [0x20, 0x21, 0x22, 0x23], Active::Low)
        };
        let (dir, port, line) = pty();
        Bench::start(
            dir,
            port,
            line,
            "[expanders]\ndevice = \"/dev/i2c-1\"\n",
            new,
        )
    }

    /// Hall sensors that were never calibrated.
    pub(crate) fn on_hall_sensors() -> Bench {
        Bench::on_hall_sensors_again(tempfile::tempdir().expect("a directory"))
    }

    /// Hall sensors, with what an earlier run has kept in its directory.
    pub(crate) fn on_hall_sensors_again(dir: tempfile::TempDir) -> Bench {
        let (port, line) = linked(&dir);
        Bench::of_hall_sensors(dir, port, line)
    }

    /// Hall sensors that were never calibrated, served over the network.
    pub(crate) fn hall_sensors_in_the_network() -> Bench {
        let (port, line) = network();
        Bench::of_hall_sensors(tempfile::tempdir().expect("a directory"), port, line)
    }

    fn of_hall_sensors(
        dir: tempfile::TempDir,
        port: PathBuf,
        line: impl Line + Send + 'static,
    ) -> Bench {
        let state = dir.path().join("state");
        let new = move |copper: &Copper| {
            let adc = Mcp3208::new(Converter(copper.clone()));
            let address = std::array::from_fn(|line| Address(copper.clone(), line as u32));
            Hall::new(
                adc,
                address,
                Wait,
                HallSettings::for_full_scale(4095),
                Store::new(&state).zeros(),
            )
        };
        let wiring = "[hall]\ndevice = \"/dev/spidev0.0\"\nselect = [17, 27, 22, 23]\n";
        Bench::start(dir, port, line, wiring, new)
    }

    /// Eight 74HC165.
    pub(crate) fn on_shift_registers() -> Bench {
        let (dir, port, line) = pty();
        Bench::start(dir, port, line, CHAIN, chain)
    }

    /// The same after a restart, on the same copper.
    pub(crate) fn on_shift_registers_again(dir: tempfile::TempDir, copper: Copper) -> Bench {
        let (port, line) = linked(&dir);
        Bench::start_on(copper, dir, port, line, CHAIN, chain)
    }

    /// The same, served over the network.
    pub(crate) fn in_the_network() -> Bench {
        let (port, line) = network();
        Bench::start(
            tempfile::tempdir().expect("a directory"),
            port,
            line,
            CHAIN,
            chain,
        )
    }

    fn start<S: Squares>(
        dir: tempfile::TempDir,
        port: PathBuf,
        line: impl Line + Send + 'static,
        wiring: &str,
        new: impl Fn(&Copper) -> S + Send + 'static,
    ) -> Bench {
        Bench::start_on(Copper::default(), dir, port, line, wiring, new)
    }

    fn start_on<S: Squares>(
        copper: Copper,
        dir: tempfile::TempDir,
        port: PathBuf,
        line: impl Line + Send + 'static,
        wiring: &str,
        new: impl Fn(&Copper) -> S + Send + 'static,
    ) -> Bench {
        let config = config(dir.path(), wiring);
        let stop = Arc::new(AtomicBool::new(false));
        let mut bench = Bench {
            copper,
            dir,
            port,
            stop,
            thread: None,
        };
        bench.switch_on(config, line, new);
        bench
    }

    fn switch_on<S: Squares>(
        &mut self,
        config: Config,
        mut line: impl Line + Send + 'static,
        new: impl Fn(&Copper) -> S + Send + 'static,
    ) {
        let (copper, stop) = (self.copper.clone(), self.stop.clone());
        self.thread = Some(std::thread::spawn(move || {
            let open = || match copper.is_missing() {
                true => Err(missing()),
                false => {
                    let lever = [
                        Some(Lever(copper.clone(), 0)),
                        Some(Lever(copper.clone(), 1)),
                        None,
                        None,
                    ];
                    let lamps = hardware::Lamps::new(Lamps(copper.clone()), Active::High);
                    Ok(Wired::new(
                        new(&copper),
                        Lines::new(lever, Active::Low),
                        Some(lamps),
                    ))
                }
            };
            let store = Store::new(&config.state.dir);
            let mut monitor = Monitor::new(&config, indicatif::ProgressBar::hidden());
            service::serve(&config, &store, open, &mut line, &mut monitor, &stop);
        }));
    }

    /// Where everything is.
    pub(crate) fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// The board's port.
    pub(crate) fn port(&self) -> &Path {
        &self.port
    }

    /// Ends the program in order, and hands over the directory with what it has kept.
    pub(crate) fn switch_off(mut self) -> tempfile::TempDir {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(ended.is_some_and(|ended| ended.is_ok()));
        assert!(
            std::fs::symlink_metadata(&self.port).is_err(),
            "the port is gone"
        );
        assert_eq!(self.copper.lit(), 0, "the lamps are out");
        std::mem::replace(&mut self.dir, tempfile::tempdir().expect("a directory"))
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ended = self.thread.take().map(JoinHandle::join);
    }
}

const CHAIN: &str = "[shift-registers]\ndevice = \"/dev/spidev0.0\"\nlatch = 25\ntail = \"low\"\n";

fn chain(copper: &Copper) -> ShiftRegisters<Chain, Latch, Wait> {
    let (chain, latch) = (Chain(copper.clone()), Latch(copper.clone()));
    ShiftRegisters::new(chain, latch, Wait, Active::Low, Some(Tail::Low))
        .expect("a latch that works")
}

/// A pseudo-terminal, linked in a directory of its own.
fn pty() -> (tempfile::TempDir, PathBuf, line::Pty) {
    let dir = tempfile::tempdir().expect("a directory");
    let (port, line) = linked(&dir);
    (dir, port, line)
}

/// A socket of this machine, and how the arbiter calls it.
fn network() -> (PathBuf, line::Tcp) {
    let line = line::Tcp::open(([127, 0, 0, 1], 0).into()).expect("a socket");
    (format!("tcp://{}", line.address()).into(), line)
}

fn linked(dir: &tempfile::TempDir) -> (PathBuf, line::Pty) {
    let port = dir.path().join("port");
    let line = line::Pty::open(&port, None).expect("a pseudo-terminal");
    (port, line)
}

fn config(dir: &Path, wiring: &str) -> Config {
    let text = format!(
        "serial-number = \"BENCH-1\"\n[serve]\npty = \"x\"\n[scan]\nrate = 1000\n{wiring}\
         [controls]\nwhite-press = 5\nblack-press = 6\n\
         [lamps]\ndevice = \"/dev/spidev0.1\"\n[state]\ndir = \"{}\"\n",
        dir.join("state").display()
    );
    text.parse().unwrap_or_else(|problem| panic!("{problem}"))
}

fn missing() -> OpenError {
    OpenError {
        device: "[expanders] /dev/i2c-1".to_owned(),
        what: "No such file or directory".to_owned(),
        advice: "switch I2C on".to_owned(),
    }
}

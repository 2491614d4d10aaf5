//! `--check` and `--calibrate`: the hardware tried by hand, before anybody plays on it.

use std::io::{self, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use board_wire::{Ring, TroubleCode};
use embedded_hal::digital::InputPin;
use embedded_hal::spi::SpiDevice;
use firmware::board::Board;
use firmware::report::Controls;
use firmware::scan::{Reading, Refusal, Scan, ScanError};

use crate::board::{identity, settings};
use crate::config::{Config, Serve};
use crate::diagnosis;
use crate::hardware::{Attached, OpenError, Squares, Wired};
use crate::state::Store;
use crate::ticker::Ticker;

/// How long the hardware is tried.
const TRIAL: Duration = Duration::from_secs(2);

/// Tries everything and says what works. The exit status is 1 if something does not.
pub fn check<S, Pin, Spi, Open>(config: &Config, open: Open) -> ExitCode
where
    S: Squares,
    Pin: InputPin,
    Spi: SpiDevice,
    Open: FnMut() -> Result<Wired<S, Pin, Spi>, OpenError>,
{
    let mut report = Report {
        out: io::stdout(),
        failed: false,
    };
    let trial = try_out(config, open);
    report.sensors(config, &trial);
    report.line("serve", serve(&config.serve));
    report.line("state", state(&config.state.dir));
    ExitCode::from(u8::from(report.failed))
}

/// Takes the analogue sensors' zeros and keeps them.
///
/// # Errors
/// What is in the way and what to do.
pub fn calibrate<S, Pin, Spi, Open>(config: &Config, open: Open) -> Result<ExitCode, String>
where
    S: Squares,
    Pin: InputPin,
    Spi: SpiDevice,
    Open: FnMut() -> Result<Wired<S, Pin, Spi>, OpenError>,
{
    let mut hardware = Attached::new(open);
    hardware.controls();
    match hardware.scan() {
        Err(e) if e.trouble().code != TroubleCode::NOT_CALIBRATED => return Err(e.to_string()),
        _ => hardware.calibrate().map_err(refused)?,
    }
    let zeros = hardware.zeros().ok_or_else(|| refused(Refusal::Unread))?;
    let stuck = hardware.scan().map_err(|e| e.to_string())?.stuck;
    if stuck != 0 {
        return Err(refused(Refusal::Implausible(stuck)));
    }
    let store = Store::new(&config.state.dir);
    store
        .keep_zeros(&zeros)
        .map_err(|e| format!("{}: {e}", store.path("zeros")))?;
    let (least, most) = (
        zeros.iter().min().unwrap_or(&0),
        zeros.iter().max().unwrap_or(&0),
    );
    println!(
        "64 zeros between {least} and {most} counts are kept in {}",
        store.path("zeros")
    );
    Ok(ExitCode::SUCCESS)
}

fn refused(refusal: Refusal) -> String {
    format!("nothing was calibrated: {}", diagnosis::refusal(refusal))
}

/// What came of the trial.
struct Trial {
    scans: u32,
    longest: Duration,
    busy: Duration,
    reading: Reading,
    failed: u32,
    fault: Option<String>,
    controls: Controls,
}

fn try_out<S, Pin, Spi, Open>(config: &Config, open: Open) -> Trial
where
    S: Squares,
    Pin: InputPin,
    Spi: SpiDevice,
    Open: FnMut() -> Result<Wired<S, Pin, Spi>, OpenError>,
{
    let mut hardware = Attached::new(open);
    let mut board: Board<Ring<4096>> =
        Board::new(identity(config, 0, S::SENSOR), 0, settings(config), None);
    let mut ticker = Ticker::new(config.rate.hertz());
    let (mut scans, mut longest, mut busy, mut lines) = (0, Duration::ZERO, Duration::ZERO, 0);
    let end = Instant::now() + TRIAL;
    while Instant::now() < end {
        let ms = ticker.wait();
        let start = Instant::now();
        lines = hardware.controls();
        board.scan(ms, &mut hardware, lines);
        let took = start.elapsed();
        (scans, longest, busy) = (scans + 1, longest.max(took), busy + took);
    }
    let health = board.health();
    let mut fault = diagnosis::fault(&health, &config.sensors, hardware.last_error());
    if fault.is_none() && health.failed_scans > 0 {
        fault = Some(format!(
            "{} scans failed, now and then: {}",
            health.failed_scans,
            hardware.last_error()
        ));
    }
    let (failed, controls) = (health.failed_scans, Controls::from_lines(lines));
    Trial {
        scans,
        longest,
        busy,
        reading: hardware.last(),
        failed,
        fault,
        controls,
    }
}

/// Writes lines that begin with `ok` or `FAIL`.
struct Report<Out> {
    out: Out,
    failed: bool,
}

impl<Out: Write> Report<Out> {
    fn line(&mut self, part: &str, result: Result<String, String>) {
        let (word, what) = match result {
            Ok(what) => ("ok  ", what),
            Err(what) => {
                self.failed = true;
                ("FAIL", what)
            }
        };
        self.write(&format!("{word}  {part:<9} {what}"));
    }

    /// Nothing can be done when nobody reads; the exit status tells.
    fn write(&mut self, line: &str) {
        let _nobody_reads = writeln!(self.out, "{line}");
    }

    fn sensors(&mut self, config: &Config, trial: &Trial) {
        let Trial { scans, failed, .. } = trial;
        let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
        let each = milliseconds(trial.busy / (*scans).max(1));
        let rates = format!(
            "{}: {scans} scans in {} s, {failed} failed; one takes {each:.2} ms, {:.2} ms at most",
            config.sensors.device().display(),
            TRIAL.as_secs(),
            milliseconds(trial.longest),
        );
        let slow = each > 1000.0 / f64::from(config.rate.hertz());
        self.line(
            "sensors",
            match &trial.fault {
                Some(what) => Err(what.clone()),
                None if slow => Err(format!(
                    "{rates}: too slow for {} a second; lower [scan] `rate`",
                    config.rate.hertz()
                )),
                None => Ok(rates),
            },
        );
        if trial.scans > trial.failed {
            picture(&trial.reading)
                .lines()
                .for_each(|rank| self.write(rank));
            if config.controls.is_some() {
                self.line("controls", Ok(controls(trial.controls)));
            }
        }
    }
}

/// The squares as White sees them.
fn picture(reading: &Reading) -> String {
    let mut picture = String::new();
    for rank in (0..8).rev() {
        let squares = (8 * rank..8 * rank + 8).map(|n| symbol(reading, n).to_string());
        let squares: Vec<String> = squares.collect();
        picture += &format!("      {} {}\n", rank + 1, squares.join(" "));
    }
    picture + "        a b c d e f g h"
}

/// A square: `x` occupied, `L` and `D` light and dark, `!` cannot be read.
fn symbol(reading: &Reading, n: u32) -> char {
    let [stuck, occupied, dark] =
        [reading.stuck, reading.occupied, reading.dark].map(|squares| squares >> n & 1 != 0);
    let is_colour = reading.dark != 0;
    match (stuck, occupied, dark) {
        (true, ..) => '!',
        (_, false, _) => '.',
        (_, _, true) => 'D',
        _ if is_colour => 'L',
        _ => 'x',
    }
}

fn controls(controls: Controls) -> String {
    let names = [
        (Controls::WHITE_PRESS, "White's end of the lever"),
        (Controls::BLACK_PRESS, "Black's end of the lever"),
        (Controls::WHITE_ADJUST, "White's adjust button"),
        (Controls::BLACK_ADJUST, "Black's adjust button"),
    ];
    let down: Vec<&str> = names
        .iter()
        .filter(|(control, _)| controls.has(*control))
        .map(|(_, name)| *name)
        .collect();
    if down.is_empty() {
        "nothing is down".to_owned()
    } else {
        format!("down: {}", down.join(", "))
    }
}

/// Whether hosts could be served. The running program's pseudo-terminal is left alone.
fn serve(serve: &Serve) -> Result<String, String> {
    match serve {
        Serve::Port { path, baud } => match serialport::new(path.to_string_lossy(), *baud).open() {
            Ok(_) => Ok(format!("{} opens, {baud} bits a second", path.display())),
            Err(e) => Err(format!(
                "{}: {e}; the group `dialout` may open serial ports",
                path.display()
            )),
        },
        Serve::Pty { link, .. } => match link.parent().filter(|dir| !dir.as_os_str().is_empty()) {
            Some(dir) if !dir.is_dir() => Err(format!(
                "{}: make this directory first (systemd does, for its unit)",
                dir.display()
            )),
            _ => Ok(format!("a pseudo-terminal at {}", link.display())),
        },
        Serve::Tcp(address) => match TcpListener::bind(address) {
            Ok(_) => Ok(format!("tcp {address}")),
            Err(e) => Err(format!("tcp {address}: {e}")),
        },
    }
}

fn state(dir: &Path) -> Result<String, String> {
    let tried = std::fs::create_dir_all(dir).and_then(|()| {
        let file = dir.join("check");
        std::fs::write(&file, "")?;
        std::fs::remove_file(&file)
    });
    match tried {
        Ok(()) => Ok(format!("{} can be written", dir.display())),
        Err(e) => Err(format!(
            "{}: {e}; give it to this program's user, or name another in [state]",
            dir.display()
        )),
    }
}

#[cfg(test)]
mod tests;

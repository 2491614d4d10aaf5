//! Tells people how the board does: a progress line when the program is run by hand, log lines when
//! something changes, and systemd what it wants to know.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use board_wire::Health;
use embedded_hal::digital::InputPin;
use embedded_hal::spi::SpiDevice;
use indicatif::{ProgressBar, ProgressStyle};
use sd_notify::NotifyState;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::board::settings;
use crate::config::{Config, Sensors};
use crate::diagnosis;
use crate::hardware::{Attached, OpenError, Squares, Wired};
use crate::line::Line;

/// The environment variable that chooses what is logged, such as `debug`.
pub const LOG: &str = "SENSOR_BOARD_LOG";

const SECOND: Duration = Duration::from_secs(1);

/// Counts scans and tells.
pub struct Monitor {
    bar: ProgressBar,
    sensors: Sensors,
    late_after_ms: u32,
    /// Scans since `since`.
    scans: u32,
    since: Instant,
    last_ms: u32,
    late: u32,
    health: Health,
    fault: Option<String>,
    hosts: Option<usize>,
    status: String,
}

impl Monitor {
    /// A monitor of a board; `bar` is hidden when nobody looks.
    pub fn new(config: &Config, bar: ProgressBar) -> Monitor {
        Monitor {
            bar,
            sensors: config.sensors.clone(),
            late_after_ms: settings(config).late_after_ms,
            scans: 0,
            since: Instant::now(),
            last_ms: 0,
            late: 0,
            health: Health::default(),
            fault: None,
            hosts: None,
            status: String::new(),
        }
    }

    /// The board is served.
    pub fn begin(&mut self, line: &dyn Line) {
        tracing::info!("serving on {}", line.describe());
        let _not_under_systemd = sd_notify::notify(&[NotifyState::Ready]);
    }

    /// One scan was made, at `ms` on the board's clock.
    pub fn scanned<S, Pin, Spi, Open>(
        &mut self,
        ms: u32,
        health: &Health,
        hardware: &Attached<S, Pin, Spi, Open>,
        line: &dyn Line,
    ) where
        S: Squares,
        Pin: InputPin,
        Spi: SpiDevice,
        Open: FnMut() -> Result<Wired<S, Pin, Spi>, OpenError>,
    {
        self.scans += 1;
        self.late += u32::from(ms.wrapping_sub(self.last_ms) > self.late_after_ms);
        self.last_ms = ms;
        let second = self.since.elapsed() >= SECOND;
        if second || !health.is_like(&self.health) {
            self.health = *health;
            self.tell_fault(diagnosis::fault(
                health,
                &self.sensors,
                hardware.last_error(),
            ));
        }
        if second {
            let occupied = hardware.last().occupied.count_ones();
            self.tell_rates(health, occupied, line);
        }
    }

    /// The program ends.
    pub fn end(&mut self) {
        let _ends_anyway = sd_notify::notify(&[NotifyState::Stopping]);
        self.bar.finish_and_clear();
        tracing::info!("ended as asked");
    }

    fn tell_fault(&mut self, fault: Option<String>) {
        if fault == self.fault {
            return;
        }
        match &fault {
            Some(what) => tracing::warn!("{what}"),
            None => tracing::info!("every square is read well"),
        }
        self.fault = fault;
    }

    fn tell_rates(&mut self, health: &Health, occupied: u32, line: &dyn Line) {
        let rate = f64::from(self.scans) / self.since.elapsed().as_secs_f64();
        (self.scans, self.since) = (0, Instant::now());
        if line.hosts() != self.hosts {
            self.hosts = line.hosts();
            tracing::debug!("{}: {}", line.describe(), hosts(self.hosts));
        }
        let (late, failed) = (self.late, health.failed_scans);
        let state = self.fault.as_deref().map_or_else(
            || format!("{occupied} squares occupied"),
            |i| format!("FAULT: {i}"),
        );
        let text = format!(
            "{rate:.0} scans/s, {late} late, {failed} failed, {}, {state}",
            hosts(self.hosts)
        );
        self.bar.set_message(text.clone());
        self.bar.tick();
        let _not_under_systemd = sd_notify::notify(&[NotifyState::Watchdog]);
        // The rate trembles; systemd is told what matters.
        let status = format!("{}, {state}", hosts(self.hosts));
        if status != self.status {
            let _not_under_systemd = sd_notify::notify(&[NotifyState::Status(&text)]);
            self.status = status;
        }
    }
}

fn hosts(count: Option<usize>) -> String {
    match count {
        None => "line open".to_owned(),
        Some(0) => "no host".to_owned(),
        Some(1) => "1 host".to_owned(),
        Some(count) => format!("{count} hosts"),
    }
}

/// A line on the terminal that says how the board does; hidden when standard error is none.
pub fn bar() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    bar.set_style(
        ProgressStyle::with_template("{spinner} {wide_msg}")
            .unwrap_or_else(|_| ProgressStyle::default_spinner()),
    );
    bar
}

/// Starts logging on standard error, above the progress line. systemd's journal brings its own
/// time.
pub fn start_log(bar: &ProgressBar) {
    let filter = EnvFilter::try_from_env(LOG).unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_target(false)
        .with_writer(Above(bar.clone()));
    let log = log.with_ansi(io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none());
    // A second start in one process keeps the first one's choice.
    let _already_started = if std::env::var_os("JOURNAL_STREAM").is_some() {
        log.without_time().try_init()
    } else {
        log.try_init()
    };
}

/// Writes log lines above the progress line.
#[derive(Clone)]
struct Above(ProgressBar);

impl Write for Above {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.suspend(|| io::stderr().write_all(bytes))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

impl<'a> MakeWriter<'a> for Above {
    type Writer = Above;

    fn make_writer(&'a self) -> Above {
        self.clone()
    }
}
